/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/kernel/ral_call.h"

hd_value *hd_build_ral_call(hd_builder *b, const char *api, hd_type result, hd_value *const *operands, size_t count) {
  hd_attr_arg name = {"api", hd_attr_cstring(b->context, api)};
  hd_op *op = hd_build_op(b, HD_OP_hd_ral_call, operands, count, &result, result ? 1 : 0, &name, 1, 0);
  return result ? hd_result(op, 0) : NULL;
}

hd_type hd_pointer_type(hd_context *context) {
  return hd_type_dialect(context, HD_TYPE_ROW_llvm_ptr, (hd_attr[]){NULL}, 1);
}
