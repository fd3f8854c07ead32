/* SPDX-License-Identifier: Apache-2.0 */
/* Uniquing, use lists, walking, cloning, verifying. */
#include "base/testing.h"
#include "ir/builder.h"
#include "ir/number.h"

static void test_uniquing(hd_context *c) {
  int64_t dims[] = {HD_DYNAMIC, 768};
  HD_CHECK(hd_type_tensor(hd_f32(c), dims, 2, NULL) == hd_type_tensor(hd_f32(c), dims, 2, NULL));
  HD_CHECK(hd_type_tensor(hd_f32(c), dims, 2, NULL) != hd_type_tensor(hd_f32(c), dims, 1, NULL));
  HD_CHECK(hd_attr_i64(c, 4) == hd_attr_i64(c, 4));
  HD_CHECK(hd_attr_i64(c, 4) != hd_attr_i32(c, 4));
  float same[3] = {1, 1, 1};
  hd_type t = hd_type_tensor(hd_f32(c), (int64_t[]){3}, 1, NULL);
  HD_CHECK(hd_attr_dense(t, same, sizeof same, false)->dense.splat);
  HD_CHECK(hd_attr_dense(t, same, sizeof same, false) == hd_attr_dense(t, same, 4, true));
}

static void test_floats(void) {
  for (int kind = 0; kind < HD_F32; ++kind) {
    int bits = hd_float_formats[kind].bits;
    for (uint64_t pattern = 0; pattern < 1ull << (bits > 16 ? 16 : bits); ++pattern) {
      if (hd_float_bits_are_nan((hd_float_kind)kind, pattern)) continue;
      double value = hd_float_decode((hd_float_kind)kind, pattern);
      HD_CHECK(hd_float_encode((hd_float_kind)kind, value) == pattern);
    }
  }
  HD_CHECK(hd_float_encode(HD_F32, 0.1) == 0x3dcccccd);
  HD_CHECK(hd_float_encode(HD_BF16, 1.00390625) == 0x3f80); /* a tie goes to even */
  HD_CHECK(hd_float_encode(HD_F8E4M3FN, 1e9) == 0x7f);
  HD_CHECK(hd_float_encode(HD_F32, 1e300) == 0x7f800000);
}

static void test_ops(hd_context *c) {
  hd_module *module = hd_module_create(c, NULL);
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_type i32 = hd_i32(c);
  hd_op *func = hd_build_func(&b, HD_STR("f"), hd_type_function(c, &i32, 1, &i32, 1), false);
  b = hd_builder_at_end(module, hd_op_region(func, 0)->first);
  hd_value *arg = hd_op_region(func, 0)->first->args[0];
  hd_value *one = hd_build_int(&b, i32, 1);
  hd_value *sum = hd_build(&b, HD_OP_arith_addi, i32, arg, one);
  hd_build0(&b, HD_OP_func_return, sum);
  HD_CHECK(hd_verify(module->op));
  HD_CHECK(hd_value_has_one_use(sum));
  HD_CHECK(hd_op_is_pure(hd_value_op(sum)));
  hd_module *copy = hd_module_clone(module);
  HD_CHECK(hd_verify(copy->op));
  HD_CHECK(hd_symbol_lookup(copy->op, HD_STR("f")) != func);
  hd_op_replace(hd_value_op(sum), &one);
  HD_CHECK(hd_verify(module->op));
  HD_CHECK(!hd_value_has_uses(arg));
  hd_op *last = hd_block_terminator(hd_op_region(func, 0)->first);
  hd_op_set_operand(last, 0, hd_build_index(&b, 3));
  size_t errors = c->error_count;
  HD_CHECK(!hd_verify(module->op)); /* the constant is after its use, and has the wrong type */
  HD_CHECK(c->error_count > errors);
  hd_module_free(copy);
  hd_module_free(module);
}

static hd_status all(void *user) {
  hd_context *c = user;
  test_uniquing(c);
  test_floats();
  test_ops(c);
  return HD_STATUS_OK;
}

static hd_status exhaust(void *user) {
  hd_context *c = user;
  for (int i = 0;; ++i) hd_attr_i64(c, i);
  return HD_STATUS_OK;
}

int main(void) {
  hd_context *context;
  HD_CHECK(hd_is_ok(hd_context_create(0, &context)));
  HD_CHECK(hd_is_ok(hd_guarded_call(all, context)));
  hd_context_release(context);
  HD_CHECK(hd_is_ok(hd_context_create(1 << 20, &context)));
  hd_status status = hd_guarded_call(exhaust, context);
  HD_CHECK(hd_status_code_of(status) == HD_RESOURCE_EXHAUSTED);
  hd_status_free(status);
  hd_context_release(context);
  return HD_TEST_RESULT();
}
