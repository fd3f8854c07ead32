/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/lowering/ral_call.h"

#include <stdio.h>

#include "ir/element_types.h"
#include "ir/ops/enums.h"
#include "runtime/ral_names.h"

hd_value *hd_build_ral_call(hd_builder *b, const char *api, hd_type result, hd_value *const *operands, size_t count) {
  hd_attr_arg name = {HD_NAME_api, hd_attr_cstring(b->context, api)};
  hd_op *op = hd_build_op(b, HD_OP_hd_ral_call, operands, count, &result, result ? 1 : 0, &name, 1, 0);
  return result ? hd_result(op, 0) : NULL;
}

hd_type hd_pointer_type(hd_context *context) {
  return hd_type_dialect(context, HD_TYPE_ROW_llvm_ptr, (hd_attr[]){NULL}, 1);
}

bool hd_memref_code(hd_op *op, hd_type type, char *out, size_t size) {
  hd_ral_type code = {HD_RAL_MEMREF, (int32_t)type->shaped.rank, hd_element_type_of(type->shaped.element)};
  return hd_ral_encode_type(&code, out, size) ||
         hd_op_error(op, "has an argument or result of an element type that the runtime does not have");
}

hd_value *hd_build_c_string(hd_builder *b, hd_symbol_table *symbols, const char *prefix, hd_str text) {
  hd_context *context = b->context;
  char name[640], bytes[600];
  int size = snprintf(bytes, sizeof bytes, "%.*s", (int)text.len, text.data);
  snprintf(name, sizeof name, "%s%s", prefix, bytes);
  if (size >= (int)sizeof bytes) size = (int)sizeof bytes - 1;
  if (!hd_symbol_table_lookup(symbols, hd_str_of(name))) {
    hd_attr params[] = {hd_attr_i64(context, size + 1), hd_attr_type(hd_type_integer(context, 8, HD_SIGNLESS))};
    hd_type type = hd_type_dialect(context, HD_TYPE_ROW_llvm_array, params, 2);
    hd_attr_arg attrs[] = {{HD_NAME_sym_name, hd_attr_cstring(context, name)},
                           {HD_NAME_global_type, hd_attr_type(type)},
                           {HD_NAME_constant, hd_attr_unit(context)},
                           {HD_NAME_linkage, hd_attr_of_llvm_linkage(context, HD_LLVM_LINKAGE_INTERNAL)},
                           {HD_NAME_value, hd_attr_string(context, (hd_str){bytes, (size_t)size + 1})},
                           {HD_NAME_addr_space, hd_attr_i32(context, 0)},
                           {HD_NAME_unnamed_addr, hd_attr_i64(context, 0)},
                           {HD_NAME_visibility_, hd_attr_i64(context, 0)}};
    hd_builder end = hd_builder_at_end(b->module, hd_module_body(b->module));
    end.loc = b->loc;
    hd_op *global = hd_build_op(&end, HD_OP_llvm_mlir_global, NULL, 0, NULL, 0, attrs, sizeof attrs / sizeof *attrs, 1);
    hd_symbol_table_insert(symbols, global);
  }
  hd_attr_arg name_attr = {HD_NAME_global_name, hd_attr_symbol(context, hd_str_of(name), NULL, 0)};
  return hd_build_one_(b, HD_OP_llvm_mlir_addressof, hd_pointer_type(context), NULL, 0, &name_attr, 1);
}
