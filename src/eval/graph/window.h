/* SPDX-License-Identifier: Apache-2.0 */
/* Sliding windows, as convolution, reduce_window and select_and_scatter have them. */
#ifndef HD_EVAL_GRAPH_WINDOW_H_
#define HD_EVAL_GRAPH_WINDOW_H_

#include "eval/core/frame.h"

typedef struct hd_window {
  uint32_t rank;
  int64_t size[HD_MAX_RANK], stride[HD_MAX_RANK], base_dilation[HD_MAX_RANK], window_dilation[HD_MAX_RANK],
      low[HD_MAX_RANK], high[HD_MAX_RANK];
} hd_window;

/* Attributes that hold strides and dilations; null where an op has none. */
typedef struct hd_window_names {
  hd_name strides, base_dilations, window_dilations;
} hd_window_names;

/* |padding| holds (low, high) pairs, empty for none. Strides and dilations must be 1 or more. */
hd_status hd_window_read(hd_eval_frame *frame, hd_op *op, const hd_window_names *names, uint32_t rank,
                         const int64_t *sizes, const hd_eval_ints *padding, hd_window *out) HD_MUST_USE;
/* The number of window positions per dim over an input of |in_dims|. */
hd_status hd_window_output(const hd_window *window, const int64_t *in_dims, int64_t *out_dims) HD_MUST_USE;
/* The input index under |tap| of the window at |position| in dim |d|; false when it is padding or a dilation hole. */
static inline bool hd_window_input(const hd_window *w, uint32_t d, int64_t position, int64_t tap, int64_t in_dim,
                                   int64_t *out) {
  int64_t at = position * w->stride[d] + tap * w->window_dilation[d] - w->low[d];
  *out = 0;
  if (at < 0 || at % w->base_dilation[d]) return false;
  *out = at / w->base_dilation[d];
  return *out < in_dim;
}

#endif
