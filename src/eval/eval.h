/* SPDX-License-Identifier: Apache-2.0 */
/* The reference evaluator: runs a graph-level program op by op, slowly and obviously. It is the meaning of every op.
 *
 *   hd_evaluator *evaluator;
 *   HD_TRY(hd_evaluator_create(module, &options, &evaluator));
 *   ... make arguments with hd_tensor_create(hd_evaluator_heap(evaluator), ...)
 *   status = hd_evaluator_call(evaluator, function, args, arg_count, results);
 *   ... read results; they live until hd_evaluator_free, which frees every tensor
 *
 * The module must have passed the verifier. What fails at run time (shapes that do not fit, an assertion, a limit) is
 * reported as an error at the failing op, with a note for each call that led there, and gives a status of the same
 * text. An evaluator belongs to one thread; it makes types and attributes in the module's context. */
#ifndef HD_EVAL_EVAL_H_
#define HD_EVAL_EVAL_H_

#include "eval/core/evaluator.h"

/* Runs a program as any pass left it: |entry| takes and gives tensors, tuples and tokens, or memrefs, or scalars, or
 * all by calls of the runtime. |args| and |results| are the tensors that its caller has for them (hd_program_ports), so
 * they are the same after every pass. Memory errors (freed or foreign memory, bounds, writes to arguments, for host
 * entries buffers left unfreed) are failures. */
hd_status hd_evaluator_run(hd_evaluator *evaluator, hd_op *entry, const hd_tensor *args, size_t arg_count,
                           hd_tensor *results, size_t result_count) HD_MUST_USE;

/* The kernel, call or buffer op that wrote output |i| of the last hd_evaluator_run last; null for arguments, tensors
 * and what is not known. */
hd_op *hd_evaluator_writer(const hd_evaluator *evaluator, size_t i);

/* The function that a program starts with: |name|, or when it is empty `main`, or the only public function; null and an
 * error reported when there is none. */
hd_op *hd_eval_entry(hd_module *module, hd_str name);

#endif
