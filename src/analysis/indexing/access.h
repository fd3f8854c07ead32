/* SPDX-License-Identifier: Apache-2.0 */
/* What accesses to memory cost, from the map that says where each thread reads or writes: nothing is run. */
#ifndef HD_ANALYSIS_INDEXING_ACCESS_H_
#define HD_ANALYSIS_INDEXING_ACCESS_H_

#include "analysis/indexing/map.h"

/* |map|, whose results are an index in a dense row-major tensor of |sizes|, as a map to the element's position. */
hd_index_map *hd_index_map_linearize(const hd_index_map *map, const hd_dim *sizes);

/* Of a map to a position: how many elements a vector along variable |variable| has. The greatest power of two n, at
 * most |most|, such that n divides the number of its values, and n values from a multiple of n on are next to each
 * other in order, the first at a multiple of n. 1 when no more is known. */
int64_t hd_index_contiguity(const hd_index_map *position, uint32_t variable, int64_t most);

typedef struct hd_warp {
  int64_t lanes;
  int64_t sector_bytes;      /* of global memory: what is moved at once */
  int64_t banks, bank_bytes; /* of shared memory */
} hd_warp;

/* The least and the most over all warps, blocks and values of the other variables. Exact where those move the access as
 * a whole; where several move it, a bound. */
typedef struct hd_access_cost {
  int64_t least, most;
} hd_access_cost;

/* Of a map to a position, in elements of |bytes|, from threads (dim |thread|, of which |warp->lanes| in a row are a
 * warp):
 * how many sectors a warp's request touches, the tensor beginning at a sector. Threads outside of the domain take no
 * part.
 * False when sizes are in the way, or too many cases. */
bool hd_index_sectors(const hd_index_map *position, uint32_t thread, int64_t bytes, const hd_warp *warp,
                      hd_access_cost *out);
/* How many more times than a request without conflicts must, it goes to the banks of shared memory, the tile beginning
 * at bank 0. Lanes that read one word are served together; elements larger than a bank are served by parts of a warp.
 */
bool hd_index_bank_conflicts(const hd_index_map *position, uint32_t thread, int64_t bytes, const hd_warp *warp,
                             hd_access_cost *out);

#endif
