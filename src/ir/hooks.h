/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of the hooks that rows name. A row's hook is `hd_<hook>_<subject>`; the families live in
 * verify_<dialect>.c, infer_<dialect>.c, fold_<dialect>.c beside this file and in eval/. */
#ifndef HD_IR_HOOKS_H_
#define HD_IR_HOOKS_H_

#include "ir/op.h"

bool hd_verify_lmhlo(hd_op *op);

/* Hooks are listed once per family in hooks.def: VERIFY(name) INFER(name) FOLD(name) EVAL(name). */
#define VERIFY(name) bool hd_verify_##name(hd_op *op);
#define INFER(name) bool hd_infer_##name(const hd_op_state *state, hd_type *out_types);
#define FOLD(name) bool hd_fold_##name(hd_op *op, const hd_attr *operands, hd_fold_result *out_results);
#define EVAL(name)                                                                                   \
  hd_status hd_eval_##name(struct hd_eval_frame *frame, hd_op *op, const struct hd_tensor *operands, \
                           struct hd_tensor *results);
#include "ir/hooks.def"
#undef VERIFY
#undef INFER
#undef FOLD
#undef EVAL

#endif
