/* SPDX-License-Identifier: Apache-2.0 */
/* Folds: integer ops over all pairs of i8, identities, casts, floats with signed zeros and NaN, shapes, evaluation. */
#include "eval/fold.h"

#include <math.h>

#include "ir/builder.h"
#include "ir/fold.h"
#include "ir/testing.h"

static hd_arena scratch;

/* A function with one argument of |type|, and a builder in its body. */
static hd_builder body(hd_module *module, hd_type type) {
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_op *func = hd_build_func(&b, HD_STR("f"), hd_type_function(module->context, &type, 1, NULL, 0), false);
  return hd_builder_at_end(module, hd_op_region(func, 0)->first);
}
static hd_value *argument(hd_builder *b) { return b->block->args[0]; }

static hd_fold_result fold(hd_value *value) {
  hd_fold_result out = {0};
  if (!hd_op_fold(hd_value_op(value), &scratch, &out)) out = (hd_fold_result){0};
  return out;
}

typedef struct int_case {
  hd_opcode opcode;
  int (*expected)(int a, int b); /* INT32_MIN: must not fold */
} int_case;
enum { NONE = INT32_MIN };
static int add(int a, int b) { return (int8_t)(a + b); }
static int sub(int a, int b) { return (int8_t)(a - b); }
static int mul(int a, int b) { return (int8_t)(a * b); }
static int divs(int a, int b) { return b == 0 || (b == -1 && a == -128) ? NONE : a / b; }
static int divu(int a, int b) { return b == 0 ? NONE : (int8_t)((uint8_t)a / (uint8_t)b); }
static int rems(int a, int b) { return b == 0 || (b == -1 && a == -128) ? NONE : a % b; }
static int remu(int a, int b) { return b == 0 ? NONE : (int8_t)((uint8_t)a % (uint8_t)b); }
static int floordiv(int a, int b) { return b == 0 || (b == -1 && a == -128) ? NONE : (int)floor((double)a / b); }
static int ceildiv(int a, int b) { return b == 0 || (b == -1 && a == -128) ? NONE : (int)ceil((double)a / b); }
static int ceildivu(int a, int b) { return b == 0 ? NONE : (int8_t)(int)ceil((double)(uint8_t)a / (uint8_t)b); }
static int shl(int a, int b) { return (uint8_t)b >= 8 ? NONE : (int8_t)((unsigned)a << b); }
static int shrs(int a, int b) { return (uint8_t)b >= 8 ? NONE : a >> b; }
static int shru(int a, int b) { return (uint8_t)b >= 8 ? NONE : (int8_t)((uint8_t)a >> b); }
static int maxs(int a, int b) { return a > b ? a : b; }
static int maxu(int a, int b) { return (uint8_t)a > (uint8_t)b ? a : b; }
static int mins(int a, int b) { return a < b ? a : b; }
static int minu(int a, int b) { return (uint8_t)a < (uint8_t)b ? a : b; }
static int ior(int a, int b) { return a | b; }
static int iand(int a, int b) { return a & b; }
static int ixor(int a, int b) { return a ^ b; }

static void test_ints(hd_context *c) {
  static const int_case cases[] = {
      {HD_OP_arith_addi, add},          {HD_OP_arith_subi, sub},
      {HD_OP_arith_muli, mul},          {HD_OP_arith_divsi, divs},
      {HD_OP_arith_divui, divu},        {HD_OP_arith_remsi, rems},
      {HD_OP_arith_remui, remu},        {HD_OP_arith_floordivsi, floordiv},
      {HD_OP_arith_ceildivsi, ceildiv}, {HD_OP_arith_ceildivui, ceildivu},
      {HD_OP_arith_shli, shl},          {HD_OP_arith_shrsi, shrs},
      {HD_OP_arith_shrui, shru},        {HD_OP_arith_maxsi, maxs},
      {HD_OP_arith_maxui, maxu},        {HD_OP_arith_minsi, mins},
      {HD_OP_arith_minui, minu},        {HD_OP_arith_ori, ior},
      {HD_OP_arith_andi, iand},         {HD_OP_arith_xori, ixor},
  };
  hd_type i8 = hd_type_integer(c, 8, HD_SIGNLESS);
  hd_module *module = hd_module_create(c, NULL);
  hd_builder b = body(module, i8);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
    for (int x = -128; x < 128; x += 3)
      for (int y = -128; y<128; y += y> - 12 && y < 12 ? 1 : 5) {
        hd_value *left = hd_build_int(&b, i8, x), *right = hd_build_int(&b, i8, y);
        hd_value *value = hd_build(&b, cases[k].opcode, i8, left, right);
        hd_fold_result out = fold(value);
        int expected = cases[k].expected(x, y);
        int64_t got = NONE;
        if (out.value) HD_CHECK(hd_value_constant_int(out.value, &got));
        if (out.attr) HD_CHECK(hd_attr_splat_int(out.attr, &got));
        if (expected != got)
          fprintf(stderr, "%s %d %d: expected %d, got %d\n", hd_op_info_of(cases[k].opcode)->name, x, y, expected,
                  (int)got);
        HD_CHECK(expected == got);
      }
  hd_module_free(module);
}

static void test_identities(hd_context *c) {
  hd_type i32 = hd_i32(c), f32 = hd_f32(c);
  hd_module *module = hd_module_create(c, NULL);
  hd_builder b = body(module, i32);
  hd_value *x = argument(&b);
  HD_CHECK(fold(hd_build(&b, HD_OP_arith_addi, i32, x, hd_build_int(&b, i32, 0))).value == x);
  HD_CHECK(fold(hd_build(&b, HD_OP_arith_muli, i32, hd_build_int(&b, i32, 1), x)).value == x);
  HD_CHECK(fold(hd_build(&b, HD_OP_arith_subi, i32, x, x)).attr == hd_attr_i32(c, 0));
  HD_CHECK(!fold(hd_build(&b, HD_OP_arith_addi, i32, x, x)).value);
  hd_value *index = hd_build(&b, HD_OP_arith_index_cast, hd_type_index(c), x);
  HD_CHECK(fold(hd_build(&b, HD_OP_arith_index_cast, i32, index)).value == x);
  hd_value *wide = hd_build(&b, HD_OP_arith_extsi, hd_i64(c), x);
  HD_CHECK(fold(hd_build(&b, HD_OP_arith_trunci, i32, wide)).value == x);
  hd_module_free(module);
  module = hd_module_create(c, NULL);
  b = body(module, f32);
  x = argument(&b);
  HD_CHECK(!fold(hd_build(&b, HD_OP_arith_addf, f32, x, hd_build_float(&b, f32, 0.0))).value); /* -0 + 0 is 0 */
  HD_CHECK(fold(hd_build(&b, HD_OP_arith_addf, f32, x, hd_build_float(&b, f32, -0.0))).value == x);
  HD_CHECK(fold(hd_build(&b, HD_OP_arith_subf, f32, x, hd_build_float(&b, f32, 0.0))).value == x);
  HD_CHECK(!fold(hd_build(&b, HD_OP_arith_subf, f32, x, x)).attr); /* inf - inf */
  HD_CHECK(!fold(hd_build(&b, HD_OP_arith_mulf, f32, x, hd_build_float(&b, f32, 0.0))).attr);
  double got;
  hd_attr sum =
      fold(hd_build(&b, HD_OP_arith_addf, f32, hd_build_float(&b, f32, 16777216), hd_build_float(&b, f32, 1))).attr;
  HD_CHECK(hd_attr_splat_float(sum, &got) && got == 16777216); /* rounded as f32 */
  hd_attr nan =
      fold(hd_build(&b, HD_OP_arith_maximumf, f32, hd_build_float(&b, f32, NAN), hd_build_float(&b, f32, 1))).attr;
  HD_CHECK(hd_attr_splat_float(nan, &got) && isnan(got));
  hd_attr one =
      fold(hd_build(&b, HD_OP_arith_maxnumf, f32, hd_build_float(&b, f32, NAN), hd_build_float(&b, f32, 1))).attr;
  HD_CHECK(hd_attr_splat_float(one, &got) && got == 1);
  HD_CHECK(!fold(hd_build(&b, HD_OP_arith_fptosi, i32, hd_build_float(&b, f32, 3e9))).attr);
  HD_CHECK(fold(hd_build(&b, HD_OP_arith_fptosi, i32, hd_build_float(&b, f32, -2.75))).attr == hd_attr_i32(c, -2));
  hd_module_free(module);
}

static void test_graph(hd_context *c) {
  hd_type f32 = hd_f32(c), t = hd_type_tensor(f32, (int64_t[]){HD_DYNAMIC, 8}, 2, NULL);
  hd_type s = hd_type_tensor(f32, (int64_t[]){4, 8}, 2, NULL), v4 = hd_type_tensor(f32, (int64_t[]){4}, 1, NULL);
  hd_module *module = hd_module_create(c, NULL);
  hd_builder b = body(module, t);
  hd_value *x = argument(&b);
  hd_type scalar = hd_type_tensor(hd_i32(c), NULL, 0, NULL);
  hd_attr_arg axis = {HD_NAME_dimension, hd_attr_i64(c, 1)};
  hd_value *size = hd_build_one_(&b, HD_OP_stablehlo_get_dimension_size, scalar, &x, 1, &axis, 1);
  HD_CHECK(fold(size).attr == hd_fold_fill_int(scalar, 8));
  axis.value = hd_attr_i64(c, 0);
  HD_CHECK(!fold(hd_build_one_(&b, HD_OP_stablehlo_get_dimension_size, scalar, &x, 1, &axis, 1)).attr);
  hd_attr_arg permutation = {HD_NAME_permutation, hd_attr_i64_array(c, (int64_t[]){0, 1}, 2)};
  HD_CHECK(fold(hd_build_one_(&b, HD_OP_stablehlo_transpose, t, &x, 1, &permutation, 1)).value == x);
  HD_CHECK(!fold(hd_build(&b, HD_OP_stablehlo_reshape, t, x)).value); /* dims may differ */
  /* A splat stays one; a constant is computed by the evaluator. */
  hd_value *two = hd_build_hlo_constant(&b, hd_fold_fill_float(v4, 2));
  hd_attr_arg dims = {HD_NAME_broadcast_dimensions, hd_attr_i64_array(c, (int64_t[]){0}, 1)};
  HD_CHECK(fold(hd_build_one_(&b, HD_OP_stablehlo_broadcast_in_dim, s, &two, 1, &dims, 1)).attr ==
           hd_fold_fill_float(s, 2));
  float ramp[4] = {0, 1, 4, 9};
  hd_value *squares = hd_build_hlo_constant(&b, hd_attr_dense(v4, ramp, sizeof ramp, false));
  float roots[4] = {0, 1, 2, 3};
  HD_CHECK(fold(hd_build(&b, HD_OP_stablehlo_sqrt, v4, squares)).attr == hd_attr_dense(v4, roots, sizeof roots, false));
  hd_value *sum = hd_build(&b, HD_OP_stablehlo_add, v4, two, two),
           *twice = hd_build(&b, HD_OP_stablehlo_add, v4, sum, sum);
  HD_CHECK(hd_op_fold_replace(hd_value_op(sum), &scratch));
  HD_CHECK(hd_op_fold_replace(hd_value_op(twice), &scratch));
  hd_build0(&b, HD_OP_func_return, x);
  hd_op_set_operands(hd_block_terminator(b.block), NULL, 0);
  HD_CHECK(hd_verify(module->op));
  hd_module_free(module);
}

static hd_status all(void *user) {
  hd_context *c = user;
  hd_arena_init(&scratch, NULL);
  test_ints(c);
  test_identities(c);
  test_graph(c);
  hd_arena_free(&scratch);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
