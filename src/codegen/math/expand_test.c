/* SPDX-License-Identifier: Apache-2.0 */
/* Every row expands, for scalars and vectors of every float type, to IR that verifies and that holds no op with a row.
 */
#include "codegen/math/expand.h"

#include "base/testing.h"

static bool is_expanded(hd_op *op, void *user) {
  (void)user;
  return !hd_math_can_expand(hd_opcode_get(op));
}

static bool find_region(hd_op *op, void *user) {
  bool *found = user;
  *found |= op->region_count && !hd_op_is(op, HD_OP_func_func) && !hd_op_is(op, HD_OP_builtin_module);
  return true;
}

static void expand_row(hd_context *c, const hd_math_row *row, hd_type type) {
  hd_module *module = hd_module_create(c, NULL);
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  hd_type types[] = {type, type};
  hd_op *func = hd_build_func(&b, HD_STR("f"), hd_type_function(c, types, (size_t)row->operands, &type, 1), false);
  hd_block *body = hd_op_region(func, 0)->first;
  b = hd_builder_at_end(module, body);
  hd_value *result = hd_math_expand(&b, row->opcode, body->args);
  if (HD_CHECK(result != NULL)) {
    HD_CHECK(result->type == type);
    hd_build0(&b, HD_OP_func_return, result);
    if (!hd_test_check_(hd_verify(module->op), __FILE__, __LINE__, "%s: %s", row->name, hd_strbuf_text(&c->collected)))
      return;
    HD_CHECK(hd_walk_pre(module->op, is_expanded, NULL));
    bool branches = false;
    hd_walk_pre(module->op, find_region, &branches);
    hd_test_check_(branches == hd_math_branches(row->opcode), __FILE__, __LINE__, "%s has %s", row->name,
                   branches ? "branches" : "no branches");
  }
  hd_module_free(module);
}

int main(void) {
  hd_context *c;
  if (!HD_CHECK_OK(hd_context_create(0, &c))) return HD_TEST_RESULT();
  hd_float_kind kinds[] = {HD_F32, HD_F64, HD_F16, HD_BF16, HD_F8E4M3FN, HD_F8E5M2};
  for (size_t i = 0; hd_math_row_at(i); ++i) {
    const hd_math_row *row = hd_math_row_at(i);
    HD_CHECK(hd_math_can_expand(row->opcode));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
      hd_type element = hd_type_float(c, kinds[k]);
      expand_row(c, row, element);
      expand_row(c, row, hd_type_vector(element, (int64_t[]){8}, 1, NULL));
      expand_row(c, row, hd_type_vector(element, (int64_t[]){2, 4}, 2, NULL));
    }
  }
  HD_CHECK(!hd_math_can_expand(HD_OP_math_sqrt));
  hd_context_release(c);
  return HD_TEST_RESULT();
}
