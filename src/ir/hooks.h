/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of the hooks that rows name, from the rows. A row's hook is `hd_<hook>_<subject>`; the families live in
 * verify_<dialect>.c, infer_types.c and fold_<dialect>.c beside this file, and in shapes/. */
#ifndef HD_IR_HOOKS_H_
#define HD_IR_HOOKS_H_

#include "ir/op.h"

bool hd_verify_lmhlo(hd_op *op); /* of every lmhlo op */
/* Parts of other hooks. */
bool hd_verify_collective_reducer(hd_op *op);
bool hd_verify_select_and_scatter(hd_op *op);
/* Is |last|, the terminator of region |r| or null, the op |ending|? */
bool hd_verify_ending(hd_op *op, uint32_t r, const hd_op *last, hd_opcode ending);

#define HOOKS(...) __VA_ARGS__
#define VERIFY(name) bool hd_verify_##name(hd_op *op);
#define INFER(name) bool hd_infer_##name(const hd_op_state *state, hd_type *out_types);
#define SHAPE(name) bool hd_shape_of_##name(struct hd_shape_context *context);
#define FOLD(name) bool hd_fold_##name(hd_op *op, const hd_attr *operands, hd_fold_result *out_results);
#include "ir/ops/no_hooks.def"
#define OP(code, name, args, results, attrs, regions, traits, format, hooks, doc) hooks
#define HLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) hooks
#define MHLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) hooks
#include "ir/ops/all_ops.def"
#include "ir/ops/undef_hooks.def"

#endif
