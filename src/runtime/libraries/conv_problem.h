/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution as it runs (conv.c), and what is made ready before (conv_prepare.c). */
#ifndef HD_RUNTIME_LIBRARIES_CONV_PROBLEM_H_
#define HD_RUNTIME_LIBRARIES_CONV_PROBLEM_H_

#include <stdatomic.h>

#include "runtime/libraries/conv.h"
#include "runtime/libraries/gemm_problem.h"

static inline int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
/* Rounded up for negative |a| too; |b| is positive. */
static inline int64_t ceil_div(int64_t a, int64_t b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }

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
  bool pairs, exact;        /* input and kernel are words of two bf16; tiles take them apart */
  int64_t depth;            /* elements of k, or words, of a kernel position */
  bool merged;              /* (w, feature) of a kernel line are contiguous in the input */
  hd_gemm_panels panels;
  hd_gemm_packed packed; /* data null: B in place */
  int64_t strip_panels, strips, tile_row;
  int64_t lines, block_lines, blocks_of_lines, block_width,
      blocks_of_width; /* a block is some lines, or a part of one */
  int64_t piece;       /* of k at once */
  atomic_uchar *met;   /* per strip, what padding meets in its weights; null without padding */
  size_t tile_bytes, scratch_bytes;
  int64_t units;
  atomic_bool no_memory;
} hd_conv_problem;

/* body(argument, ...) over [0, items) on the call's threads, where an item is |work_each| grains. */
void hd_conv_in_parallel(const hd_conv_problem *c, int64_t items, double work_each, hd_range_fn body, void *argument);
/* How a position of an image becomes contiguous elements: |planes| rows of |lanes|. Steps count elements of the input;
 * that of lanes does not count when there is one. */
typedef struct hd_conv_form {
  int64_t images, lanes, lane_step, planes, plane_step;
} hd_conv_form;
/* Reads the input from a copy of the compute type and without dilation, whose rows are |out_pitch| elements apart and
 * padded to whole vectors: |out_block|, which the caller gives back to the context. Of |pairs| lanes are words, and
 * |least| is hd_gemm_least_of them. RESOURCE_EXHAUSTED. */
hd_status hd_conv_copy_input(hd_conv_problem *c, const hd_conv_form *form, hd_gemm_block **out_block,
                             int64_t *out_pitch, atomic_uint *least) HD_MUST_USE;
/* What a form of the kernel depends on that is kept with bound weights; of the elements' or the words'. */
uint64_t hd_conv_use(const hd_conv_problem *c);
/* A panel of packed weights: columns [first, first + valid) of |group|, |width| with those beyond, from |to| on. */
typedef struct hd_conv_panel {
  int64_t group, first, width, valid;
  char *to;
} hd_conv_panel;
/* Panel |at| of all groups in |block|, cleared where whole vectors of it have no column. */
hd_conv_panel hd_conv_open_panel(const hd_conv_problem *c, char *block, int64_t at);
/* Makes B a dense [d][h][w][in][out] of the compute type with rows of whole vectors: p.b and p.b_k, kept with bound
 * weights or in |out_copy|. RESOURCE_EXHAUSTED. */
hd_status hd_conv_copy_kernel(hd_conv_problem *c, hd_gemm_block **out_copy) HD_MUST_USE;
/* Does some output see a kernel position outside of the input? */
bool hd_conv_has_padding(const hd_conv_problem *c);
/* Kernel positions that output |o| sees inside the input. */
void hd_conv_seen(const hd_conv_window *w, int64_t o, int64_t *out_from, int64_t *out_to);
/* Outputs in [from, to) that see kernel positions a to b inside the input: a range, as the window moves one way. */
void hd_conv_seeing(const hd_conv_window *w, int64_t a, int64_t b, int64_t from, int64_t to, int64_t *out_from,
                    int64_t *out_to);
/* Does the output see this position inside the input? */
bool hd_conv_sees(const hd_conv_window *w, int64_t output, int64_t position);
/* Outputs [x0, x1) of a line: their sums of features [n0, n0 + columns) from |tile|, rows |tile_row| apart, to the
 * output or through the epilogue. |store| has room for as many elements. */
void hd_conv_finish(const hd_conv_problem *c, int64_t batch, int64_t line, int64_t lines, int64_t x0, int64_t x1,
                    int64_t n0, int64_t columns, char *tile, int64_t tile_row, char *store);

/* Loops around a lanes kernel. Steps count elements. */
typedef struct hd_conv_level {
  int64_t size, a, b;
} hd_conv_level;
/* |rows| outputs from |out|, |out_row| apart, (+)= the sum of |levels|, outer first, over |columns| lanes, from |a|,
 * |a_row| apart, and |b|. */
void hd_conv_sums(const hd_conv_problem *c, const hd_conv_level levels[4], const char *a, int64_t a_row, const char *b,
                  char *out, int64_t out_row, int64_t rows, int64_t columns, bool accumulate);

/* conv_lanes.c: groups of few features, whose features together are lanes. */
bool hd_conv_is_lanes(const hd_conv_problem *c);
hd_status hd_conv_by_lanes(hd_conv_problem *c) HD_MUST_USE;
/* |count| positions of a line of the input, from |from| on, as the compute type to rows |step| elements apart of
 * |columns| lanes each: every group's element, |lane_step| apart, once for each of its output features. Writes whole
 * vectors of lanes. */
void hd_conv_copy_lanes(const hd_conv_problem *c, const char *from, int64_t lane_step, int64_t count, int64_t columns,
                        char *to, int64_t step);
/* conv_taps.c: gradients of filters of such groups. */
bool hd_conv_is_taps(const hd_conv_problem *c);
hd_status hd_conv_by_taps(hd_conv_problem *c) HD_MUST_USE;
/* conv_rows.c: the same where outputs of a line are lanes; weights are finite where there is padding. */
bool hd_conv_is_rows(const hd_conv_problem *c);
hd_status hd_conv_by_rows(hd_conv_problem *c) HD_MUST_USE;
/* conv_finite.c */
bool hd_conv_kernel_is_finite(const hd_conv_problem *c);
/* conv_phases.c: a dilated input; weights are finite. */
hd_status hd_conv_by_phases(hd_conv_problem *c) HD_MUST_USE;
/* conv_positions.c: few output positions, a large kernel; weights are finite where there is padding. */
bool hd_conv_is_positions(const hd_conv_problem *c);
hd_status hd_conv_by_positions(hd_conv_problem *c) HD_MUST_USE;
/* conv_planes.c: gradients of filters of groups; weights are finite where there is padding. */
bool hd_conv_is_planes(const hd_conv_problem *c);
hd_status hd_conv_by_planes(hd_conv_problem *c) HD_MUST_USE;
/* Makes B of the kernel: in place, panels that are kept with bound weights, or blocks of this call, which the caller
 * gives back: a dense |out_copy| and |out_panels|, null where there are none. RESOURCE_EXHAUSTED. */
hd_status hd_conv_prepare_kernel(hd_conv_problem *c, hd_gemm_block **out_copy, hd_gemm_block **out_panels) HD_MUST_USE;
/* conv_pairs.c: bf16 by words of two input features. */
bool hd_conv_is_pairs(const hd_conv_problem *c);
/* Makes input and kernel words, which the caller gives back. RESOURCE_EXHAUSTED. */
hd_status hd_conv_prepare_pairs(hd_conv_problem *c, hd_gemm_block **out_input, hd_gemm_block **out_panels) HD_MUST_USE;

#endif
