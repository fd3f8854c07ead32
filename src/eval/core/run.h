/* SPDX-License-Identifier: Apache-2.0 */
/* How blocks are run, for what runs regions in another way than one after the other: the threads of a block. Hooks of
 * ops use frame.h. */
#ifndef HD_EVAL_CORE_RUN_H_
#define HD_EVAL_CORE_RUN_H_

#include "eval/core/state.h"

/* Evaluates one op with its operands gathered in |in|; results go to |out|, checked. */
hd_status hd_eval_run_op(hd_eval_frame *frame, hd_op *op, bool expressed, const hd_tensor *in,
                         hd_tensor *out) HD_MUST_USE;
/* Operand |i| of |step|, borrowed; INTERNAL when it has no value. */
hd_status hd_eval_step_operand(hd_eval_frame *frame, const hd_step *step, uint32_t i, hd_tensor *out) HD_MUST_USE;
/* Takes over |values| as the results of |step| and releases what dies there. */
void hd_eval_finish_step(hd_eval_frame *frame, const hd_step *step, const hd_tensor *values);
/* Gives |args| to |block|. */
hd_status hd_eval_enter_block(hd_eval_frame *frame, hd_block *block, const hd_tensor *args,
                              size_t arg_count) HD_MUST_USE;

/* Where a region is being run. */
typedef struct hd_position {
  hd_block *block;
  hd_block_plan *plan;
  size_t at; /* the next step */
  bool done;
} hd_position;

/* Runs on from |position| to the end of the region, whose values go to |results|, owned by the caller; with |alone|
 * only to the next point of convergence. Failures are reported. */
hd_status hd_eval_run_on(hd_eval_frame *frame, hd_position *position, bool alone, hd_tensor *results,
                         size_t result_count) HD_MUST_USE;

hd_status hd_eval_enter(hd_evaluator *e) HD_MUST_USE; /* one deeper; leave by --e->depth */

/* Runs |function| in an evaluator of its own as |process|, on the heap of |frame|. */
hd_status hd_evaluator_call_as(hd_eval_frame *frame, const hd_process *process, hd_op *function, const hd_tensor *args,
                               size_t arg_count, hd_tensor *results) HD_MUST_USE;

#endif
