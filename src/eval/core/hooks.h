/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluator of each op: a table keyed by opcode, made of the EVAL hooks that the rows name. That a row's evaluator
 * exists, the linker holds; which rows go without one, no_evaluator.def tells and evaluators.c holds. */
#ifndef HD_EVAL_CORE_HOOKS_H_
#define HD_EVAL_CORE_HOOKS_H_

#include "eval/core/tensor.h"
#include "ir/op.h"

typedef struct hd_eval_frame hd_eval_frame;

/* The meaning of an op: reads |in|, one tensor per operand, fills |out|, one per result (typed and allocated by the
 * callee, see frame.h). */
typedef hd_status (*hd_eval_hook)(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out);

/* Null for an op without one. */
hd_eval_hook hd_eval_hook_of(hd_opcode opcode);

hd_status hd_eval_lmhlo(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out);

#define HOOKS(...) __VA_ARGS__
#define EVAL(name) hd_status hd_eval_##name(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out);
#include "ir/ops/no_hooks.def"
#define OP(code, name, args, results, attrs, regions, traits, format, hooks, doc) hooks
#define HLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) hooks
#define MHLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) hooks
#include "ir/ops/all_ops.def"
#include "ir/ops/undef_hooks.def"

#endif
