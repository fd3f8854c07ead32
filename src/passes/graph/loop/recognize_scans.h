/* SPDX-License-Identifier: Apache-2.0 */
/* What makes mhlo.associative_scan of other ops: inline and recognize-scans. */
#ifndef HD_PASSES_GRAPH_LOOP_RECOGNIZE_SCANS_H_
#define HD_PASSES_GRAPH_LOOP_RECOGNIZE_SCANS_H_

#include "pass/pass.h"
#include "passes/graph/hlo_build.h"
#include "shape/shapes.h"

/* Is |call|, a custom_call @stablehlo.dynamic_reduce_window, a window over all elements up to each along *|out_axis|,
 * or from each on? */
bool hd_is_prefix_window(hd_shapes *shapes, hd_op *call, uint32_t *out_axis, bool *out_reverse);

/* Is a window of |body| that reaches into padding, where it meets |inits|, the scan that meets them once? Where the
 * body, given two of each, folds to one of each, or is max, min, and, or. |inits| are |count| scalars. */
bool hd_init_absorbs_padding(hd_arena *scratch, hd_value *const *inits, uint32_t count, const hd_block *body);

/* The scan whose windows, in the order of elements, |body| reduces: a block of 2 * |count| scalars with a return of
 * |count|. |operands| are |count| inputs and initial values; null when no kernel can hold the body, or elements differ.
 */
hd_op *hd_build_associative_scan(hd_builder *b, hd_value *const *operands, uint32_t count, hd_block *body,
                                 uint32_t axis, bool reverse);

/* Scans that |func| writes as trees of slices become mhlo.associative_scan (scan_trees.c); whether there was one. */
bool hd_recognize_scan_trees(hd_pass *pass, hd_op *func);

#endif
