/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution as it runs (conv.c), and what is made ready before (conv_prepare.c). */
#ifndef HD_RUNTIME_LIBRARIES_CONV_PROBLEM_H_
#define HD_RUNTIME_LIBRARIES_CONV_PROBLEM_H_

#include <stdatomic.h>

#include "runtime/libraries/conv.h"
#include "runtime/libraries/gemm_problem.h"

typedef struct hd_conv_problem {
  hd_gemm_context *context;
  const hd_conv_call *call;
  hd_gemm_problem p; /* B: k x n of one group, and everything about types */
  hd_conv_window w[3];
  int64_t groups, features; /* output features of a group */
  /* The input as it is read. */
  const char *x;            /* may be null where there is no input */
  bool sums_nothing;        /* the input or the kernel is empty: all sums are zero */
  int64_t x_batch, x_group; /* steps in elements */
  bool merged;              /* (w, feature) of a kernel line are contiguous in the input */
  hd_gemm_panels panels;
  hd_gemm_packed packed; /* data null: B in place */
  int64_t strip_panels, strips, tile_row;
  int64_t lines, block_lines, blocks_of_lines, block_width,
      blocks_of_width; /* a block is some lines, or a part of one */
  int64_t piece;       /* of k at once */
  atomic_uchar *met;   /* per strip, what padding meets in its weights; null without padding */
  size_t tile_bytes, scratch_bytes;
  int64_t units, unit_items;
  atomic_bool no_memory;
} hd_conv_problem;

/* body(argument, ...) over [0, items) on the call's threads, where an item is |work_each| grains. */
void hd_conv_in_parallel(const hd_conv_problem *c, int64_t items, double work_each, hd_range_fn body, void *argument);
/* Reads the input from a copy with contiguous features of the compute type and without dilation: |out_block|, which the
 * caller gives back to the context. RESOURCE_EXHAUSTED. */
hd_status hd_conv_copy_input(hd_conv_problem *c, hd_gemm_block **out_block) HD_MUST_USE;
/* Makes B of the kernel: in place, panels that are kept with bound weights, or blocks of this call, which the caller
 * gives back: a dense |out_copy| and |out_panels|, null where there are none. RESOURCE_EXHAUSTED. */
hd_status hd_conv_prepare_kernel(hd_conv_problem *c, hd_gemm_block **out_copy, hd_gemm_block **out_panels) HD_MUST_USE;

#endif
