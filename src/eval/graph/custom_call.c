/* SPDX-License-Identifier: Apache-2.0 */
/* Custom calls with a meaning of their own, by target: expectations, the dynamic forms that StableHLO has no op for
 * yet, and ops of chlo and mhlo under their names. */
#include <string.h>

#include "eval/graph/check.h"
#include "eval/graph/lapack.h"
#include "eval/graph/lapack_routines.h"
#include "eval/graph/reduce.h"
#include "ir/ops/stablehlo.h"

/* The function that the call names first. */
static hd_status called(hd_op *op, hd_op **out) {
  hd_attr list = hd_stablehlo_custom_call_called_computations(op);
  *out = NULL;
  if (hd_attr_is(list, HD_ATTR_ARRAY) && list->array.count && hd_attr_is(list->array.items[0], HD_ATTR_SYMBOL))
    *out = hd_symbol_resolve(op, list->array.items[0]);
  if (*out && hd_op_has_trait(*out, HD_TRAIT(FUNCTION_LIKE)) && (*out)->region_count && hd_op_region(*out, 0)->first)
    return HD_STATUS_OK;
  return hd_make_status(HD_NOT_FOUND, "called_computations names no function");
}

/* "chlo.erf" or "mhlo.erf": the op of that name, when it has no region and as many operands and results. */
static const hd_op_info *op_named(hd_op *op, hd_str target) {
  if (!hd_str_starts(target, "chlo.") && !hd_str_starts(target, "mhlo.")) return NULL;
  static const char *const dialects[] = {"mhlo.", "chlo."};
  for (size_t i = 0; i < 2; ++i) {
    char name[64];
    if (target.len >= sizeof name) return NULL;
    memcpy(name, target.data, target.len);
    memcpy(name, dialects[i], 5);
    const hd_op_info *info = hd_op_info_of(hd_opcode_of(hd_op_context(op), (hd_str){name, target.len}));
    if (!hd_eval_hook_of(info->opcode) || !(info->traits & HD_TRAIT(PURE)) || info->regions[0]) continue;
    const hd_signature *signature = hd_signature_of(hd_op_context(op), info->opcode);
    if (signature->args.variable || signature->args.count != op->operand_count ||
        signature->results.count != op->result_count)
      continue;
    bool tensors = true;
    for (uint32_t k = 0; k < op->operand_count; ++k) tensors &= hd_type_is_tensor(hd_operand_type(op, k));
    if (tensors) return info;
  }
  return NULL;
}

const hd_expectation_call *hd_expectation_call_of(hd_str target) {
  static const hd_expectation_call calls[] = {
      {"check.expect_eq", HD_EXPECT_EQ, 0, 0},
      {"check.expect_almost_eq", HD_EXPECT_ALMOST_EQ, 1e-3, 0},
      {"check.expect_close", HD_EXPECT_CLOSE, 0, 3},
      {"check.eq", HD_EXPECT_ALMOST_EQ, 1e-4, 0},
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if (hd_str_is(target, calls[i].target)) return &calls[i];
  return NULL;
}

/* The result of an expectation that has one. */
static hd_status verdict(hd_eval_frame *frame, hd_op *op, bool holds, hd_tensor *out) {
  if (op->result_count != 1 || !hd_type_is_tensor(hd_result_type(op, 0)) ||
      !hd_is_bool(hd_type_element(hd_result_type(op, 0))))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected no result, or one tensor<i1>");
  HD_TRY(hd_eval_result(frame, op, 0, 0, NULL, out));
  *(char *)hd_tensor_data(out) = holds;
  return HD_STATUS_OK;
}

hd_status hd_eval_known_custom_call(hd_eval_frame *frame, hd_op *op, hd_str target, const hd_tensor *in,
                                    hd_tensor *out) {
  const hd_expectation_call *rule = hd_expectation_call_of(target);
  if (rule) {
    bool holds;
    if (op->operand_count != 2) return hd_make_status(HD_INVALID_ARGUMENT, "expected two values to compare");
    HD_TRY(hd_eval_expect(frame, op, rule->kind, rule->tolerance, 0, rule->max_ulp, &in[0], &in[1], &holds));
    return op->result_count ? verdict(frame, op, holds, out) : HD_STATUS_OK;
  }
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_tensor_is_tensor(&in[i]))
      return hd_make_status(HD_UNIMPLEMENTED, "operand %u of the custom call is no tensor", i);
  if (hd_str_is(target, "stablehlo.dynamic_reduce_window")) {
    hd_op *function;
    HD_TRY(called(op, &function));
    return hd_eval_dynamic_reduce_window(frame, op, function, in, out);
  }
  if (hd_str_is(target, "ApproxTopK")) {
    hd_op *function;
    HD_TRY(called(op, &function));
    return hd_eval_approx_top_k(frame, op, function, in, out);
  }
  if (hd_str_is(target, "stablehlo.dynamic_rng_bit_generator") && op->operand_count == 2) {
    hd_eval_ints shape;
    HD_TRY(hd_eval_operand_ints(frame, &in[1], "output_shape", &shape));
    if (shape.count > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the evaluator's limit");
    return hd_eval_random_bits(frame, op, &in[0], (uint32_t)shape.count, shape.data, out);
  }
  if (hd_str_is(target, "heddle.rng_call") && op->result_count == 1) {
    /* What hlo-expand leaves of rng: the number of this random call. */
    HD_TRY(hd_eval_result(frame, op, 0, 0, NULL, out));
    if (out->buffer->size != sizeof(uint64_t)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a 64-bit result");
    uint64_t number = hd_eval_next_call(frame);
    memcpy(hd_tensor_data(out), &number, sizeof number);
    return HD_STATUS_OK;
  }
  if (hd_str_is(target, "stablehlo.dynamic_top_k") && op->operand_count == 2 && op->result_count == 2)
    return hd_eval_chlo_dynamic_top_k(frame, op, in, out);
  if (hd_lapack_is_evaluated(target)) return hd_eval_lapack(frame, op, target, in, out);
  const hd_op_info *info = op_named(op, target);
  if (info) return hd_eval_hook_of(info->opcode)(frame, op, in, out);
  return hd_make_status(HD_UNIMPLEMENTED, "the evaluator has no custom call '%.*s'", (int)target.len, target.data);
}
