/* SPDX-License-Identifier: Apache-2.0 */
/* Slices at known places of values whose dims may be unknown: what gathers and scatters of one window read. */
#ifndef HD_PASSES_GRAPH_SIMPLIFY_SLICE_AT_H_
#define HD_PASSES_GRAPH_SIMPLIFY_SLICE_AT_H_

#include "ir/builder.h"
#include "shape/shapes.h"

typedef struct hd_slice_place {
  int64_t starts[HD_MAX_RANK]; /* 0 or more; of unknown dims below 2^31, as sizes are */
  bool clamps[HD_MAX_RANK]; /* whether the start leaves room for the slice only the run tells: it is made less there */
  hd_type type;             /* of the slice */
} hd_slice_place;

/* A gather or a scatter of one window: |part| is what it takes of |whole| or puts there. */
typedef struct hd_slice_window {
  hd_value *whole, *part;
  uint32_t of_part[HD_MAX_RANK]; /* the dim of |part| for each of |whole|, HD_NOT_IN_PART where it is left out: 1 */
  int64_t starts[HD_MAX_RANK];   /* as the indices say, INT64_MAX where it is larger */
  hd_type type;                  /* of the slice of |whole| */
} hd_slice_window;
#define HD_NOT_IN_PART UINT32_MAX

/* False where there are several windows or only the run tells where. */
bool hd_slice_window_of_gather(hd_op *op, hd_slice_window *out);
bool hd_slice_window_of_scatter(hd_op *op, hd_slice_window *out);
/* How long the window is along dim |d| of what it is taken of; null where that is not known. */
hd_dim hd_slice_window_length(hd_shapes *shapes, const hd_slice_window *window, uint32_t d);

/* The slice of |x|; |lengths| are its dims, of i32, or null where all are known. */
hd_value *hd_slice_at(hd_builder *b, hd_value *x, const hd_slice_place *at, hd_value *lengths);

#endif
