/* SPDX-License-Identifier: Apache-2.0 */
/* Inference through the verifier. */
#include "ir/infer.h"

#include "ir/builder.h"
#include "ir/testing.h"

static hd_arena scratch;

/* A function with one argument of |type|, and a builder in its body. */
static hd_builder body(hd_module *module, hd_type type) {
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_op *func = hd_build_func(&b, HD_STR("f"), hd_type_function(module->context, &type, 1, NULL, 0), false);
  return hd_builder_at_end(module, hd_op_region(func, 0)->first);
}
static hd_value *argument(hd_builder *b) { return b->block->args[0]; }

/* What fits passes, what does not is reported. */
static void test_infer(hd_context *c) {
  hd_type f32 = hd_f32(c), a = hd_type_tensor(f32, (int64_t[]){4, HD_DYNAMIC}, 2, NULL);
  hd_module *module = hd_module_create(c, NULL);
  hd_builder b = body(module, a);
  hd_value *x = argument(&b);
  hd_attr_arg dims = {HD_NAME_permutation, hd_attr_i64_array(c, (int64_t[]){1, 0}, 2)};
  hd_type t = hd_type_tensor(f32, (int64_t[]){HD_DYNAMIC, 4}, 2, NULL),
          wrong = hd_type_tensor(f32, (int64_t[]){HD_DYNAMIC, 5}, 2, NULL);
  hd_value *turned = hd_build_one_(&b, HD_OP_stablehlo_transpose, t, &x, 1, &dims, 1);
  hd_type inferred = NULL;
  HD_CHECK(hd_op_infer(hd_value_op(turned), &scratch, &inferred) && inferred == t);
  hd_op *end = hd_build_op(&b, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0);
  HD_CHECK(hd_verify(module->op));
  hd_builder before = hd_builder_before(end);
  hd_build_one_(&before, HD_OP_stablehlo_transpose, wrong, &x, 1, &dims, 1);
  HD_CHECK(!hd_verify(module->op));
  hd_module_free(module);
  /* Bounds are kept. */
  hd_attr bounds = hd_attr_i64_array(c, (int64_t[]){16, HD_DYNAMIC}, 2);
  hd_type bounded =
      hd_type_tensor(f32, (int64_t[]){HD_DYNAMIC, 3}, 2, hd_attr_struct(c, HD_STRUCT_stablehlo_bounds, &bounds, 1));
  module = hd_module_create(c, NULL);
  b = body(module, bounded);
  hd_value *args[] = {argument(&b), argument(&b)};
  hd_attr_arg axis = {HD_NAME_dimension, hd_attr_i64(c, 0)};
  hd_attr twice = hd_attr_i64_array(c, (int64_t[]){32, HD_DYNAMIC}, 2);
  hd_type joined =
      hd_type_tensor(f32, (int64_t[]){HD_DYNAMIC, 3}, 2, hd_attr_struct(c, HD_STRUCT_stablehlo_bounds, &twice, 1));
  hd_value *both = hd_build_one_(&b, HD_OP_stablehlo_concatenate, joined, args, 2, &axis, 1);
  HD_CHECK(hd_op_infer(hd_value_op(both), &scratch, &inferred) && inferred == joined);
  hd_module_free(module);
}

static hd_status all(void *user) {
  hd_arena_init(&scratch, NULL);
  test_infer(user);
  hd_arena_free(&scratch);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
