/* SPDX-License-Identifier: Apache-2.0 */
/* Custom calls with a meaning of their own, by target. */
#include "ir/eval/check.h"

hd_status hd_eval_known_custom_call(hd_eval_frame *frame, hd_op *op, hd_str target, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  static const struct {
    const char *target;
    hd_expectation kind;
    double tolerance;
    int64_t max_ulp;
  } expectations[] = {
      {"check.expect_eq", HD_EXPECT_EQ, 0, 0},
      {"check.expect_almost_eq", HD_EXPECT_ALMOST_EQ, 1e-3, 0},
      {"check.expect_close", HD_EXPECT_CLOSE, 0, 3},
      {"check.eq", HD_EXPECT_ALMOST_EQ, 1e-4, 0},
  };
  for (size_t i = 0; i < sizeof expectations / sizeof *expectations; ++i) {
    if (!hd_str_is(target, expectations[i].target)) continue;
    if (op->operand_count != 2) return hd_make_status(HD_INVALID_ARGUMENT, "expected two values to compare");
    return hd_eval_expect(frame, op, expectations[i].kind, expectations[i].tolerance, 0, expectations[i].max_ulp, &in[0],
                          &in[1]);
  }
  return hd_make_status(HD_UNIMPLEMENTED, "the evaluator has no custom call '%.*s'", (int)target.len, target.data);
}
