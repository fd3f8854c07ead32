/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/kernel/ral_call.h"

#include <stdio.h>

#include "heddle/element.h"
#include "passes/kernel/element_types.h"

hd_value *hd_build_ral_call(hd_builder *b, const char *api, hd_type result, hd_value *const *operands, size_t count) {
  hd_attr_arg name = {"api", hd_attr_cstring(b->context, api)};
  hd_op *op = hd_build_op(b, HD_OP_hd_ral_call, operands, count, &result, result ? 1 : 0, &name, 1, 0);
  return result ? hd_result(op, 0) : NULL;
}

hd_type hd_pointer_type(hd_context *context) {
  return hd_type_dialect(context, HD_TYPE_ROW_llvm_ptr, (hd_attr[]){NULL}, 1);
}

bool hd_memref_code(hd_op *op, hd_type type, char *out, size_t size) {
  static const char *const names[HD_ELEMENT_TYPE_LIMIT] = {
#define X(id, number, text, code, bytes) [number] = code,
      HD_ELEMENT_TYPES(X)
#undef X
  };
  hd_element_type element = hd_element_type_of(type->shaped.element);
  if (element == HD_ELEMENT_INVALID)
    return hd_op_error(op, "has an argument or result of an element type that the runtime does not know");
  snprintf(out, size, "m%ud%s", type->shaped.rank, names[element]);
  return true;
}
