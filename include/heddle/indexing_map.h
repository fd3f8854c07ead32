/* SPDX-License-Identifier: Apache-2.0 */
/* Indexing maps as text, as XLA writes them: simplified, composed, inverted, and what an access by one costs. Provided
 * by libheddle.so. Thread-safe. */
#ifndef HEDDLE_INDEXING_MAP_H_
#define HEDDLE_INDEXING_MAP_H_

#include <stdbool.h>

#include "heddle/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_indexing_map_options {
  size_t struct_size;
  const char *then; /* a map of the results, may be null: the composition is shown and asked */
  const char
      *shape; /* "512x4096", may be null: the results are an index in a row-major tensor of it. Of one result: it is the
                        position */
  const char *thread;    /* the dim that counts threads; null: the first */
  uint32_t element_bits; /* 8, 16, 32 or 64 */
  bool inverse;
  bool json;
} hd_indexing_map_options;

#define HD_INDEXING_MAP_OPTIONS_INIT {.struct_size = sizeof(hd_indexing_map_options), .element_bits = 32}

/* Shows |map|: "(d0, d1)[s0] -> (d0 * 4 + s0, d1), domain: d0 in [0, 9], ...", as it is or as adjacent string
 * literals, with or without `#xla_gpu.indexing_map<...>` around them. |options| may be null. INVALID_ARGUMENT names
 * what was expected and got; of what is wrong inside of a map |sink| has the place. */
HD_API hd_status hd_indexing_map_show(const char *map, const hd_indexing_map_options *options, hd_message_sink sink,
                                      hd_blob *out_text) HD_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
