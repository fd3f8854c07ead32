/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/kernel/math_function.h"

#include "ir/element_types.h"
#include "ir/ops/discardable.h"

hd_str hd_math_function_name(hd_op *op, hd_arena *arena) {
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  hd_strbuf_put_str(&text, hd_ident_str(op->name));
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type type = hd_operand_type(op, i);
    hd_strbuf_printf(&text, ".%s", hd_element_text(hd_element_type_of(hd_type_element(type))));
    for (uint32_t d = 0; hd_type_is_shaped(type) && d < type->shaped.rank; ++d)
      hd_strbuf_printf(&text, "x%lld", (long long)type->shaped.dims[d]);
  }
  return (hd_str){text.data, text.len};
}

hd_op *hd_math_function(hd_module *module, hd_symbol_table *symbols, hd_op *op, const char *suffix,
                        hd_op **out_computed) {
  hd_context *context = module->context;
  *out_computed = NULL;
  hd_str base = hd_math_function_name(op, symbols->arena);
  hd_str name = hd_str_of(hd_arena_printf(symbols->arena, "%.*s%s", (int)base.len, base.data, suffix));
  hd_op *known = hd_symbol_table_lookup(symbols, name);
  if (known && hd_op_is(known, HD_OP_func_func) && hd_discardable_math(known)) return known;
  hd_type *types = hd_new_array(symbols->arena, hd_type, op->operand_count + op->result_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) types[i] = hd_operand_type(op, i);
  for (uint32_t i = 0; i < op->result_count; ++i) types[op->operand_count + i] = hd_result_type(op, i);
  hd_type type = hd_type_function(context, types, op->operand_count, types + op->operand_count, op->result_count);
  hd_builder b = hd_builder_at_end(module, hd_module_body(module));
  b.loc = op->loc;
  hd_ident symbol = hd_symbol_table_unique(symbols, context, name);
  hd_op *function = hd_build_func(&b, hd_ident_str(symbol), type, true);
  hd_symbol_table_insert(symbols, function);
  hd_map_set(&module->arena, &module->symbols, symbol, function);
  hd_discardable_set_math(function, true);
  hd_block *body = hd_op_region(function, 0)->first;
  hd_op *computed = hd_op_clone(module, op, symbols->arena, NULL);
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_op_set_operand(computed, i, body->args[i]);
  hd_op_append(computed, body);
  b = hd_builder_at_end(module, body);
  b.loc = op->loc;
  hd_value **results = hd_new_array(symbols->arena, hd_value *, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) results[i] = hd_result(computed, i);
  hd_build_op(&b, HD_OP_func_return, results, op->result_count, NULL, 0, NULL, 0, 0);
  *out_computed = computed;
  return function;
}

void hd_math_function_call(hd_builder *b, hd_op *function, hd_op *op, hd_value **out_values) {
  hd_value *operands[3];
  hd_type types[2];
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_operand(op, i);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_result_type(op, i);
  hd_attr_arg callee = {HD_NAME_callee, hd_attr_symbol(b->context, hd_symbol_name(function), NULL, 0)};
  hd_op *call = hd_build_op(b, HD_OP_func_call, operands, op->operand_count, types, op->result_count, &callee, 1, 0);
  for (uint32_t i = 0; i < op->result_count; ++i) out_values[i] = hd_result(call, i);
}
