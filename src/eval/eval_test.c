/* SPDX-License-Identifier: Apache-2.0 */
/* The frame, through IR built here: values, calls, regions, limits, errors, folding. Ops one by one are tested against
 * oracles under test/eval. */
#include "eval/eval.h"

#include <stdlib.h>

#include "eval/core/elements.h"
#include "eval/fold.h"
#include "ir/builder.h"
#include "ir/testing.h"

static hd_type scalar_tensor(hd_type element) { return hd_type_tensor(element, NULL, 0, NULL); }
static hd_type vector_tensor(hd_type element, int64_t n) { return hd_type_tensor(element, &n, 1, NULL); }

static hd_value *splat(hd_builder *b, hd_type type, float value) {
  return hd_build_hlo_constant(b, hd_attr_dense(type, &value, sizeof value, true));
}

static hd_op *function(hd_module *module, const char *name, hd_type *ins, size_t in_count, hd_type *outs,
                       size_t out_count, hd_builder *out_builder) {
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_op *func =
      hd_build_func(&b, hd_str_of(name), hd_type_function(module->context, ins, in_count, outs, out_count), false);
  *out_builder = hd_builder_at_end(module, hd_op_region(func, 0)->first);
  return func;
}

static void test_values(hd_context *c) {
  hd_module *module = hd_module_create(c, NULL);
  hd_type any = vector_tensor(hd_f32(c), HD_DYNAMIC);
  hd_builder b;
  hd_op *func = function(module, "twice", &any, 1, &any, 1, &b);
  hd_value *x = hd_op_region(func, 0)->first->args[0];
  hd_value *sum = hd_build(&b, HD_OP_stablehlo_add, any, x, x);
  hd_value *product = hd_build(&b, HD_OP_stablehlo_multiply, any, sum, x);
  hd_build0(&b, HD_OP_func_return, product);
  HD_CHECK(hd_verify(module->op));

  hd_evaluator *e;
  HD_CHECK_OK(hd_evaluator_create(module, &(hd_eval_options){.memory_limit = 4096}, &e));
  hd_tensor arg, result = {0};
  HD_CHECK_OK(hd_tensor_create(hd_evaluator_heap(e), vector_tensor(hd_f32(c), 3), &arg));
  float *data = hd_tensor_data(&arg);
  data[0] = 1, data[1] = -2, data[2] = 0.5f;
  HD_CHECK_OK(hd_evaluator_call(e, func, &arg, 1, &result));
  const float *got = hd_tensor_data(&result);
  HD_CHECK_INT(hd_tensor_count(&result), 3);
  HD_CHECK_NEAR(got[0], 2, 0);
  HD_CHECK_NEAR(got[1], 8, 0);
  HD_CHECK_NEAR(got[2], 0.5, 0);
  hd_tensor_release(&result);
  hd_tensor_release(&arg);
  HD_CHECK_INT(hd_evaluator_heap(e)->used, 0); /* nothing is left after */

  HD_CHECK_FAILS(hd_tensor_create(hd_evaluator_heap(e), vector_tensor(hd_f32(c), 1 << 20), &arg), HD_RESOURCE_EXHAUSTED,
                 "out of memory");
  HD_CHECK_FAILS(hd_tensor_create(hd_evaluator_heap(e), vector_tensor(hd_f32(c), INT64_MAX), &arg),
                 HD_RESOURCE_EXHAUSTED, "overflows");
  /* an argument of another type */
  HD_CHECK_OK(hd_tensor_create(hd_evaluator_heap(e), vector_tensor(hd_i32(c), 3), &arg));
  HD_CHECK_FAILS(hd_evaluator_call(e, func, &arg, 1, &result), HD_INVALID_ARGUMENT, "argument 0");
  hd_evaluator_free(e);
  hd_module_free(module);
}

/* while (x < limit) x = x + 1, by the number of rounds. */
static void test_loops(hd_context *c) {
  hd_module *module = hd_module_create(c, NULL);
  hd_type f = scalar_tensor(hd_f32(c)), pred = scalar_tensor(hd_i1(c));
  hd_builder b;
  hd_op *func = function(module, "count", &f, 1, &f, 1, &b);
  hd_value *limit = hd_op_region(func, 0)->first->args[0];
  hd_value *zero = splat(&b, f, 0);
  hd_op *loop = hd_build_op(&b, HD_OP_stablehlo_while, &zero, 1, &f, 1, NULL, 0, 2);
  for (uint32_t r = 0; r < 2; ++r) {
    hd_block *block = hd_op_region(loop, r)->first;
    if (!block) hd_region_append(hd_op_region(loop, r), block = hd_block_create(module));
    hd_value *x = hd_block_add_arg(module, block, f);
    hd_builder in = hd_builder_at_end(module, block);
    hd_value *value;
    if (r == 0) {
      hd_value *operands[] = {x, limit};
      hd_attr less = hd_attr_enum(c, HD_ENUM_stablehlo_comparison_direction, 5);
      value = hd_build_one_(&in, HD_OP_stablehlo_compare, pred, operands, 2,
                            (hd_attr_arg[]){{HD_NAME_comparison_direction, less}}, 1);
    } else {
      value = hd_build(&in, HD_OP_stablehlo_add, f, x, splat(&in, f, 1));
    }
    hd_build0(&in, HD_OP_stablehlo_return, value);
  }
  hd_build0(&b, HD_OP_func_return, hd_result(loop, 0));
  HD_CHECK(hd_verify(module->op));

  hd_evaluator *e;
  HD_CHECK_OK(hd_evaluator_create(module, &(hd_eval_options){.step_limit = 1000}, &e));
  hd_tensor arg, result = {0};
  HD_CHECK_OK(hd_tensor_create(hd_evaluator_heap(e), f, &arg));
  *(float *)hd_tensor_data(&arg) = 9.5f;
  HD_CHECK_OK(hd_evaluator_call(e, func, &arg, 1, &result));
  HD_CHECK_NEAR(*(float *)hd_tensor_data(&result), 10, 0);
  hd_tensor_release(&result);
  *(float *)hd_tensor_data(&arg) = 1e9f;
  HD_CHECK_FAILS(hd_evaluator_call(e, func, &arg, 1, &result), HD_RESOURCE_EXHAUSTED, "steps");
  hd_evaluator_free(e);

  atomic_bool stop = true;
  HD_CHECK_OK(hd_evaluator_create(module, &(hd_eval_options){.cancel = &stop}, &e));
  HD_CHECK_OK(hd_tensor_create(hd_evaluator_heap(e), f, &arg));
  *(float *)hd_tensor_data(&arg) = 1e9f;
  HD_CHECK_FAILS(hd_evaluator_call(e, func, &arg, 1, &result), HD_CANCELLED, "cancelled");
  hd_evaluator_free(e);
  HD_CHECK_OK(hd_evaluator_create(module, &(hd_eval_options){.timeout_s = 0.01}, &e));
  HD_CHECK_OK(hd_tensor_create(hd_evaluator_heap(e), f, &arg));
  *(float *)hd_tensor_data(&arg) = 1e9f;
  HD_CHECK_FAILS(hd_evaluator_call(e, func, &arg, 1, &result), HD_DEADLINE_EXCEEDED, "longer");
  hd_evaluator_free(e);
  hd_module_free(module);
}

/* A function that calls itself without end. */
static void test_recursion(hd_context *c) {
  hd_module *module = hd_module_create(c, NULL);
  hd_type f = scalar_tensor(hd_f32(c));
  hd_builder b;
  hd_op *func = function(module, "again", &f, 1, &f, 1, &b);
  hd_value *x = hd_op_region(func, 0)->first->args[0];
  hd_op *call = hd_build_op(&b, HD_OP_func_call, &x, 1, &f, 1,
                            (hd_attr_arg[]){{HD_NAME_callee, hd_attr_symbol(c, HD_STR("again"), NULL, 0)}}, 1, 0);
  hd_build0(&b, HD_OP_func_return, hd_result(call, 0));
  hd_evaluator *e;
  HD_CHECK_OK(hd_evaluator_create(module, NULL, &e));
  hd_tensor arg, result;
  HD_CHECK_OK(hd_tensor_create(hd_evaluator_heap(e), f, &arg));
  HD_CHECK_FAILS(hd_evaluator_call(e, func, &arg, 1, &result), HD_RESOURCE_EXHAUSTED, "deep");
  hd_evaluator_free(e);
  hd_module_free(module);
}

static void test_folding(hd_context *c) {
  hd_module *module = hd_module_create(c, NULL);
  hd_type type = vector_tensor(hd_i32(c), 2);
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  int32_t left[] = {5, INT32_MIN}, right[] = {0, -1};
  hd_attr values[] = {hd_attr_dense(type, left, 8, false), hd_attr_dense(type, right, 8, false)}, folded[1];
  hd_value *x = hd_build_hlo_constant(&b, values[0]), *y = hd_build_hlo_constant(&b, values[1]);
  hd_op *divide = hd_value_op(hd_build(&b, HD_OP_stablehlo_divide, type, x, y));
  HD_CHECK(hd_eval_fold(divide, values, 16, folded));
  HD_CHECK_INT(hd_attr_int_at(folded[0], 0), -1);
  HD_CHECK_INT(hd_attr_int_at(folded[0], 1), INT32_MIN);
  HD_CHECK(!hd_eval_fold(divide, values, 1, folded));
  values[1] = NULL;
  HD_CHECK(!hd_eval_fold(divide, values, 16, folded));
  hd_module_free(module);
}

static void test_conversions(hd_context *c) {
  hd_type i64 = hd_i64(c), f32 = hd_f32(c), bf16 = hd_type_float(c, HD_BF16);
  /* 2^53 + 1 + 2^24-ish patterns whose detour over f64 would round twice */
  int64_t big = (1ll << 62) + (1ll << 38) + 1;
  float single;
  hd_convert_elements(i64, &big, f32, &single, 1);
  HD_CHECK(single == 4611686568183201792.0f);
  int64_t odd = (1ll << 54) + (1ll << 46) + 1;
  uint16_t half;
  hd_convert_elements(i64, &odd, bf16, &half, 1);
  HD_CHECK_INT(half, hd_float_encode(HD_BF16, 0x1p54 * (1 + 0x1p-7)));
  HD_CHECK_INT(hd_double_to_int(hd_i32(c), 1e20), INT32_MAX);
  HD_CHECK_INT(hd_double_to_int(hd_i32(c), -1e20), INT32_MIN);
  HD_CHECK_INT(hd_double_to_int(hd_i32(c), NAN), 0);
  HD_CHECK_INT(hd_double_to_int(hd_type_integer(c, 8, HD_UNSIGNED), 300), 255);
}

static hd_status all(void *user) {
  hd_context *c = user;
  test_values(c);
  test_loops(c);
  test_recursion(c);
  test_folding(c);
  test_conversions(c);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
