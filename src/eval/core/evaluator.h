/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluator: calls of functions and of single ops. eval/eval.h, which includes this, is its door. */
#ifndef HD_EVAL_CORE_EVALUATOR_H_
#define HD_EVAL_CORE_EVALUATOR_H_

#include "eval/core/options.h"

/* |options| may be null. */
hd_status hd_evaluator_create(hd_module *module, const hd_eval_options *options,
                              hd_evaluator **out_evaluator) HD_MUST_USE;
void hd_evaluator_free(hd_evaluator *evaluator); /* null is allowed */
hd_heap *hd_evaluator_heap(hd_evaluator *evaluator);

/* Runs |function| (a func.func with a body). |args| are borrowed; |results| has room for the function's results, which
 * the caller owns when the status is OK. */
hd_status hd_evaluator_call(hd_evaluator *evaluator, hd_op *function, const hd_tensor *args, size_t arg_count,
                            hd_tensor *results) HD_MUST_USE;

/* Runs one op without regions (a check op, a probe) on |operands|; what it gives is dropped. */
hd_status hd_evaluator_run_op(hd_evaluator *evaluator, hd_op *op, const hd_tensor *operands) HD_MUST_USE;

/* Expectations of the check dialect that did not hold, since the evaluator was made. Each is reported as an error at
 * its op and the run goes on. */
uint64_t hd_evaluator_checks_failed(const hd_evaluator *evaluator);

#endif
