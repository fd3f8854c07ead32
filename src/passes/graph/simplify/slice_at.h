/* SPDX-License-Identifier: Apache-2.0 */
/* Slices at known places of values whose dims may be unknown: what gathers and scatters of one window read. */
#ifndef HD_PASSES_GRAPH_SIMPLIFY_SLICE_AT_H_
#define HD_PASSES_GRAPH_SIMPLIFY_SLICE_AT_H_

#include "ir/builder.h"

typedef struct hd_slice_place {
  int64_t starts[HD_MAX_RANK]; /* 0 or more; of unknown dims below 2^31, as sizes are */
  bool clamps[HD_MAX_RANK]; /* whether the start leaves room for the slice only the run tells: it is made less there */
  hd_type type;             /* of the slice */
} hd_slice_place;

/* Index |k| of those that a gather or a scatter has in |indices|, a dense constant; INT64_MAX where it is larger. */
int64_t hd_index_at(hd_attr indices, size_t k);

/* The slice of |x|; |lengths| are its dims, of i32, or null where all are known. */
hd_value *hd_slice_at(hd_builder *b, hd_value *x, const hd_slice_place *at, hd_value *lengths);

#endif
