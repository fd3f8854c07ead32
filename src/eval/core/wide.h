/* SPDX-License-Identifier: Apache-2.0 */
/* Excess precision (hd_eval_options): reductions, windows and associative scans of floats below f32, as code computes
 * them. Such an op has a widened copy, a detached copy on f32 whose body rounds only where it converts; its results are
 * rounded once. */
#ifndef HD_EVAL_CORE_WIDE_H_
#define HD_EVAL_CORE_WIDE_H_

#include "eval/core/state.h"

/* The widened copy of graph op |op|; null: it carries no float below f32 from step to step, or its body holds regions.
 * Its regions are copies: their values need slots as those of |op| do. */
hd_op *hd_widened_op(hd_op *op, hd_arena *scratch);
/* Runs |wide| on the operands of |op|, of whose types the results are. */
hd_status hd_eval_run_wide(hd_eval_frame *frame, hd_op *op, hd_op *wide, const hd_tensor *in,
                           hd_tensor *out) HD_MUST_USE;

#endif
