/* SPDX-License-Identifier: Apache-2.0 */
/* expand-math leaves only what targets have, keeps the types, and leaves ops on tensors alone. */
#include "base/testing.h"
#include "passes/passes.h"

static bool is_direct(hd_op *op, void *user) {
  hd_str name = hd_ident_str(op->name);
  static const char *const direct[] = {"math.absf",      "math.copysign", "math.floor", "math.fma",
                                       "math.roundeven", "math.sqrt",     "math.trunc"};
  if (!hd_str_starts(name, "math.")) return !hd_op_is(op, HD_OP_arith_remf);
  for (size_t i = 0; i < sizeof direct / sizeof *direct; ++i)
    if (hd_str_is(name, direct[i])) return true;
  *(hd_op **)user = op;
  return false;
}

/* A function of |opcode| on |types| (the operands'), the pass run over it. */
static hd_module *run(hd_context *c, hd_opcode opcode, const hd_type *types, size_t count, hd_type result,
                      size_t results) {
  hd_module *module = hd_module_create(c, NULL);
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_type outs[2] = {result, result};
  hd_op *func = hd_build_func(&b, HD_STR("f"), hd_type_function(c, types, count, outs, results), false);
  hd_block *body = hd_op_region(func, 0)->first;
  b = hd_builder_at_end(module, body);
  hd_op *op = hd_build_op(&b, opcode, body->args, count, outs, results, NULL, 0, 0);
  hd_value *values[2] = {hd_result(op, 0), results > 1 ? hd_result(op, 1) : NULL};
  hd_build_op(&b, HD_OP_func_return, values, results, NULL, 0, NULL, 0, 0);
  static const hd_pass_info info = {.name = "expand-math",
                                    .options = "target: target?, contract: bool = true, math: string = fast"};
  hd_pass pass = {.info = &info, .context = c, .module = module};
  hd_arena_init(&pass.arena, NULL);
  HD_CHECK(hd_pass_expand_math(&pass, func));
  hd_arena_free(&pass.arena);
  if (!HD_CHECK(hd_verify(module->op))) fprintf(stderr, "%s\n", hd_strbuf_text(&c->collected));
  return module;
}

static void expect_direct(hd_context *c, hd_opcode opcode, const hd_type *types, size_t count, hd_type result,
                          size_t results) {
  hd_module *module = run(c, opcode, types, count, result, results);
  hd_op *left = NULL;
  hd_walk_pre(module->op, is_direct, &left);
  hd_test_check_(!left, __FILE__, __LINE__, "'%s' is left", left ? left->name->text : "");
  hd_module_free(module);
}

int main(void) {
  hd_context *c;
  if (!HD_CHECK_OK(hd_context_create(0, &c))) return HD_TEST_RESULT();
  for (int lanes = 0; lanes < 9; lanes += 8) {
    int64_t dim = lanes;
    hd_type f = hd_f32(c), i = hd_i32(c), i1 = hd_i1(c);
    if (lanes)
      f = hd_type_vector(f, &dim, 1, NULL), i = hd_type_vector(i, &dim, 1, NULL),
      i1 = hd_type_vector(i1, &dim, 1, NULL);
    hd_type floats[] = {f, f, f}, mixed[] = {f, i}, ints[] = {i, i};
    hd_opcode one[] = {HD_OP_math_exp,  HD_OP_math_tanh,  HD_OP_math_erf,  HD_OP_math_sin,
                       HD_OP_math_cbrt, HD_OP_math_rsqrt, HD_OP_math_log1p};
    for (size_t k = 0; k < sizeof one / sizeof *one; ++k) expect_direct(c, one[k], floats, 1, f, 1);
    hd_opcode two[] = {HD_OP_math_powf, HD_OP_math_atan2, HD_OP_arith_remf};
    for (size_t k = 0; k < sizeof two / sizeof *two; ++k) expect_direct(c, two[k], floats, 2, f, 1);
    hd_opcode tests[] = {HD_OP_math_isnan, HD_OP_math_isinf, HD_OP_math_isfinite, HD_OP_math_isnormal};
    for (size_t k = 0; k < sizeof tests / sizeof *tests; ++k) expect_direct(c, tests[k], floats, 1, i1, 1);
    expect_direct(c, HD_OP_math_sincos, floats, 1, f, 2);
    expect_direct(c, HD_OP_math_clampf, floats, 3, f, 1);
    expect_direct(c, HD_OP_math_fpowi, mixed, 2, f, 1);
    expect_direct(c, HD_OP_math_ipowi, ints, 2, i, 1);
  }
  int64_t dims[] = {HD_DYNAMIC};
  hd_type tensor = hd_type_tensor(hd_f32(c), dims, 1, NULL);
  hd_module *module = run(c, HD_OP_math_exp, &tensor, 1, tensor, 1);
  hd_op *left = NULL;
  hd_walk_pre(module->op, is_direct, &left);
  HD_CHECK(left != NULL); /* a tensor: not this pass's */
  hd_module_free(module);
  hd_context_release(c);
  return HD_TEST_RESULT();
}
