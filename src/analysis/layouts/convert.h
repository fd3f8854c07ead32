/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about layouts, and what it costs to bring a tile from one to another: computed from the maps alone.
 * "Distributed" are maps from (register, lane, warp, block), "shared" ones from (offset, block). Thread-safe. */
#ifndef HD_ANALYSIS_LAYOUTS_CONVERT_H_
#define HD_ANALYSIS_LAYOUTS_CONVERT_H_

#include "ir/linear_layouts/encoding.h"

/* ---- one layout ---- */

/* All inputs that give |element|: one of them, and vectors of which any sum may be added to it. False: none does. */
typedef struct hd_owners {
  uint64_t first;
  uint32_t count;
  uint64_t others[HD_LINEAR_BITS];
} hd_owners;
bool hd_linear_layout_owners(const hd_linear_layout *map, uint64_t element, hd_owners *out);

/* How many elements next to each other along |dim| a thread has, from a multiple of that number on, in whatever
 * registers:
 * what one access to memory may move. A power of two. */
int64_t hd_layout_contiguity(const hd_linear_layout *distributed, uint32_t dim);
/* The same where they are in registers 0, 1, 2 and so on. */
int64_t hd_layout_contiguity_in_order(const hd_linear_layout *distributed, uint32_t dim);
/* Of a part (HD_REGISTER and so on): the bits whose change gives elements that lower bits, or lower parts, have too; as
 * hd_linear_layout_free. Lanes with such a bit need not store. */
int64_t hd_layout_free(const hd_linear_layout *distributed, uint32_t part);

/* ---- shared memory ---- */

/* One access of all threads of a tile to shared memory, by vectors of at most 16 bytes. */
typedef struct hd_bank_cost {
  int64_t vector;       /* elements of a vector */
  int64_t instructions; /* of each thread */
  int64_t wavefronts;   /* the most that an instruction of a warp takes; 128 bytes of 32 banks each */
  int64_t conflicts;    /* how many of them because lanes want different words of a bank */
} hd_bank_cost;

/* Of the threads of |distributed| to a tile that is as |shared| says, elements of |element_bits|, at least 8.
 * |padding| (may be null): the padded_shared encoding of |shared|. False: the maps are of different tensors, or
 * |shared| lacks elements. */
bool hd_bank_conflicts(const hd_linear_layout *distributed, const hd_linear_layout *shared, const hd_encoding *padding,
                       uint32_t element_bits, hd_bank_cost *out);

/* A layout in shared memory through which a tile goes from |from| to |to| with as few conflicts as may be: none, for
 * warps of 32 lanes whose registers and lanes have different elements. Vectors are as long as both sides have them.
 * False: the maps are of different tensors or divide them differently among blocks. */
bool hd_least_conflict_swizzle(const hd_linear_layout *from, const hd_linear_layout *to, uint32_t element_bits,
                               hd_linear_layout *out);

/* ---- conversions ---- */

typedef enum hd_conversion_kind {
  HD_CONVERT_NONE,      /* every register has its element already */
  HD_CONVERT_REGISTERS, /* every thread has its elements, in other registers */
  HD_CONVERT_SHUFFLES,  /* every warp has them */
  HD_CONVERT_SHARED,    /* every block has them */
  HD_CONVERT_CLUSTER,   /* other blocks have them */
} hd_conversion_kind;

typedef struct hd_conversion {
  hd_conversion_kind kind;
  int64_t registers; /* moves of a thread from register to register, copies included */
  int64_t shuffles;  /* of a warp, each of one register of at most 4 bytes */
  int64_t shared_bytes;
  hd_bank_cost store, load; /* through the least-conflict swizzle */
} hd_conversion;

/* From |from| to |to|, elements of |element_bits|. False: the maps are of different tensors or threads,
 * or |to| has elements that |from| has nowhere. */
bool hd_conversion_cost(const hd_linear_layout *from, const hd_linear_layout *to, uint32_t element_bits,
                        hd_conversion *out);
const char *hd_conversion_name(hd_conversion_kind kind);

#endif
