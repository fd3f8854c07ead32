/* SPDX-License-Identifier: Apache-2.0 */
/* Custom calls with a meaning of their own, by target. */
#include "ir/eval/frame.h"

hd_status hd_eval_known_custom_call(hd_eval_frame *frame, hd_op *op, hd_str target, const hd_tensor *in, hd_tensor *out) {
  (void)frame, (void)op, (void)in, (void)out;
  return hd_make_status(HD_UNIMPLEMENTED, "the evaluator has no custom call '%.*s'", (int)target.len, target.data);
}
