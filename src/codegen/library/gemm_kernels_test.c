/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of gemm_kernels.def gives a kernel that verifies, under its own name. What the kernels compute is tested by
 * runtime/libraries/gemm_test.c. */
#include "codegen/library/gemm_kernels.h"

#include "base/testing.h"

static int count_functions(hd_module *module) {
  int count = 0;
  hd_for_each_op(op, hd_module_body(module)) {
    ++count;
    HD_CHECK(hd_op_attr_get(op, HD_NAME_hd_kernel) != NULL);
    HD_CHECK(hd_symbol_lookup(module->op, hd_symbol_name(op)) == op);
  }
  return count;
}

int main(void) {
  int rows[3] = {0};
  enum { v3, v4, v4_bf16 };
#define TILE(isa, ...) ++rows[isa];
#define PACKING(isa, ...) ++rows[isa];
#define ROWS(isa, ...) ++rows[isa];
#define DOT(isa, ...) ++rows[isa];
#define LANES(isa, ...) ++rows[isa];
#define WINDOW(isa, ...) ++rows[isa];
#define COPY(isa, ...) ++rows[isa];
#define STORE(isa, ...) ++rows[isa];
#define TRANSPOSE(isa, ...) ++rows[isa];
#define PAIRS(isa, ...) ++rows[isa];
#define EXACT_PAIRS(isa, ...) ++rows[isa];
#define TO_PAIRS(isa, ...) ++rows[isa];
#include "runtime/libraries/gemm_kernels.def"
  static const char *const names[] = {"v3", "v4", "v4_bf16"};
  for (int i = 0; i < 3; ++i) {
    hd_context *context;
    if (!HD_CHECK_OK(hd_context_create(0, &context))) continue;
    hd_module *module = hd_module_create(context, hd_loc_unknown(context));
    HD_CHECK(hd_gemm_kernels_emit(module, names[i]));
    HD_CHECK(!hd_gemm_kernels_emit(module, "v5"));
    HD_CHECK_INT(count_functions(module), rows[i]);
    HD_CHECK(hd_verify(module->op));
    HD_CHECK_STR(hd_strbuf_text(&context->collected), "");
    hd_module_free(module);
    hd_context_release(context);
  }
  return HD_TEST_RESULT();
}
