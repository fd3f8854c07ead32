/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/builder.h"

#include <string.h>

#include "ir/infer.h"
#include "ir/number.h"
#include "ir/ops/interfaces.h"

hd_builder hd_builder_before(hd_op *op) {
  return (hd_builder){op->module, op->module->context, op->block, op, op->loc};
}
hd_builder hd_builder_after(hd_op *op) {
  return (hd_builder){op->module, op->module->context, op->block, op->next, op->loc};
}
hd_builder hd_builder_at_start(hd_module *module, hd_block *block) {
  return (hd_builder){module, module->context, block, block->first, hd_loc_unknown(module->context)};
}
hd_builder hd_builder_at_end(hd_module *module, hd_block *block) {
  return (hd_builder){module, module->context, block, NULL, hd_loc_unknown(module->context)};
}

hd_op *hd_build_state(hd_builder *b, const hd_op_state *state) {
  hd_op_state copy = *state;
  copy.context = b->context;
  if (!copy.loc) copy.loc = b->loc;
  hd_op *op = hd_op_create(b->module, &copy);
  if (b->before)
    hd_op_insert_before(op, b->before);
  else if (b->block)
    hd_op_append(op, b->block);
  return op;
}

/* |few| has room for MANY attributes. */
enum { MANY = 8 };

static hd_op_state state_of(hd_builder *b, hd_opcode opcode, hd_value *const *operands, size_t operand_count,
                            const hd_attr_arg *attrs, size_t attr_count, hd_op_attr *few) {
  hd_op_attr *named = attr_count > MANY ? hd_new_array(&b->module->arena, hd_op_attr, attr_count) : few;
  size_t kept = 0;
  for (size_t i = 0; i < attr_count; ++i)
    if (attrs[i].value) named[kept++] = (hd_op_attr){hd_name_ident(b->context, attrs[i].name), attrs[i].value, true};
  return (hd_op_state){.context = b->context,
                       .loc = b->loc,
                       .opcode = opcode,
                       .operands = operands,
                       .operand_count = operand_count,
                       .attrs = named,
                       .attr_count = kept};
}

hd_op *hd_build_op(hd_builder *b, hd_opcode opcode, hd_value *const *operands, size_t operand_count,
                   const hd_type *result_types, size_t result_count, const hd_attr_arg *attrs, size_t attr_count,
                   size_t region_count) {
  hd_op_attr few[MANY];
  hd_op_state state = state_of(b, opcode, operands, operand_count, attrs, attr_count, few);
  state.result_types = result_types;
  state.result_count = result_count;
  state.region_count = region_count;
  return hd_build_state(b, &state);
}

hd_op *hd_build_like(hd_builder *b, hd_op *op, hd_opcode opcode, hd_value *const *operands, size_t operand_count,
                     const hd_type *result_types, size_t result_count) {
  bool same = hd_row_names(opcode)->names == hd_row_names(hd_opcode_get(op))->names;
  hd_op_attr_list attrs = same ? (hd_op_attr_list){op->attrs, op->attr_count} : hd_op_all_attrs(op, &b->module->arena);
  hd_op *made = hd_build_state(b, &(hd_op_state){.opcode = opcode,
                                                 .name = opcode == hd_opcode_get(op) ? op->name : NULL,
                                                 .loc = op->loc,
                                                 .operands = operands,
                                                 .operand_count = operand_count,
                                                 .result_types = result_types,
                                                 .result_count = result_count,
                                                 .properties = same ? op->properties : NULL,
                                                 .attrs = attrs.data,
                                                 .attr_count = attrs.len,
                                                 .region_count = op->region_count});
  for (uint32_t r = 0; r < op->region_count; ++r) hd_region_take(hd_op_region(made, r), hd_op_region(op, r));
  return made;
}

hd_value *hd_build_one_(hd_builder *b, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count,
                        const hd_attr_arg *attrs, size_t attr_count) {
  hd_op_attr few[MANY];
  hd_op_state state = state_of(b, opcode, operands, count, attrs, attr_count, few);
  if (!type && !hd_infer_types(&state, &type)) {
    hd_error(b->context, b->loc, "internal error: '%s' is built of operands that do not fit",
             hd_op_info_of(opcode)->name);
    hd_internal_error();
  }
  state.result_types = &type;
  state.result_count = 1;
  return hd_result(hd_build_state(b, &state), 0);
}

hd_value *hd_build_joined_(hd_builder *b, hd_opcode opcode, hd_type type, hd_value *const *first, size_t first_count,
                           hd_value *const *rest, size_t rest_count, const hd_attr_arg *attrs, size_t attr_count) {
  hd_value **all = hd_new_array(&b->module->arena, hd_value *, first_count + rest_count);
  memcpy(all, first, first_count * sizeof(hd_value *));
  if (rest_count) memcpy(all + first_count, rest, rest_count * sizeof(hd_value *));
  return hd_build_one_(b, opcode, type, all, first_count + rest_count, attrs, attr_count);
}

hd_value *hd_build_constant(hd_builder *b, hd_attr value) {
  hd_type type = value->type;
  return hd_build_one_(b, HD_OP_arith_constant, type, NULL, 0, &(hd_attr_arg){HD_NAME_value, value}, 1);
}

hd_value *hd_build_folded(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *y) {
  hd_value *made = hd_build_binary(b, opcode, x, y);
  hd_op *op = hd_value_op(made);
  hd_attr constants[] = {hd_value_constant(x), hd_value_constant(y)};
  hd_fold_result folded = {0};
  if (!constants[0] && !constants[1] && x != y) return made;
  if (!op->info->hooks.fold || !op->info->hooks.fold(op, constants, &folded)) return made;
  hd_op_erase(op);
  return folded.value ? folded.value : hd_build_constant(b, folded.attr);
}

hd_value *hd_build_hlo_constant(hd_builder *b, hd_attr value) {
  hd_type type = value->type;
  return hd_build_one_(b, HD_OP_stablehlo_constant, type, NULL, 0, &(hd_attr_arg){HD_NAME_value, value}, 1);
}

hd_value *hd_build_index(hd_builder *b, int64_t value) {
  return hd_build_constant(b, hd_attr_index(b->context, value));
}

hd_value *hd_build_int(hd_builder *b, hd_type type, int64_t value) {
  if (!hd_type_is_shaped(type)) return hd_build_constant(b, hd_attr_integer(type, value));
  char bytes[8];
  hd_type element = hd_type_element(type);
  hd_element_store(element, bytes, value);
  return hd_build_constant(b, hd_attr_dense(type, bytes, hd_type_element_bytes(element), true));
}

hd_value *hd_build_float(hd_builder *b, hd_type type, double value) {
  if (!hd_type_is_shaped(type)) return hd_build_constant(b, hd_attr_float(type, value));
  char bytes[8];
  hd_type element = hd_type_element(type);
  hd_element_store(element, bytes, (int64_t)hd_float_encode(element->float_kind, value));
  return hd_build_constant(b, hd_attr_dense(type, bytes, hd_type_element_bytes(element), true));
}

hd_op *hd_build_func(hd_builder *b, hd_str name, hd_type type, bool is_private) {
  hd_attr_arg attrs[] = {{HD_NAME_sym_name, hd_attr_string(b->context, name)},
                         {HD_NAME_function_type, hd_attr_type(type)},
                         {HD_NAME_sym_visibility, is_private ? hd_attr_cstring(b->context, "private") : NULL}};
  hd_op *func = hd_build_op(b, HD_OP_func_func, NULL, 0, NULL, 0, attrs, 3, 1);
  hd_block *entry = hd_block_create(b->module);
  for (uint32_t i = 0; i < type->function.in_count; ++i) hd_block_add_arg(b->module, entry, type->function.ins[i]);
  hd_region_append(hd_op_region(func, 0), entry);
  return func;
}

hd_op *hd_build_for(hd_builder *b, hd_value *lower, hd_value *upper, hd_value *step, hd_value *const *inits,
                    size_t count) {
  hd_value **operands = hd_new_array(&b->module->arena, hd_value *, count + 3);
  hd_type *types = hd_new_array(&b->module->arena, hd_type, count);
  operands[0] = lower;
  operands[1] = upper;
  operands[2] = step;
  for (size_t i = 0; i < count; ++i) {
    operands[3 + i] = inits[i];
    types[i] = inits[i]->type;
  }
  hd_op *loop = hd_build_op(b, HD_OP_scf_for, operands, count + 3, types, count, NULL, 0, 1);
  hd_block *body = hd_block_create(b->module);
  hd_block_add_arg(b->module, body, lower->type);
  for (size_t i = 0; i < count; ++i) hd_block_add_arg(b->module, body, types[i]);
  hd_region_append(hd_op_region(loop, 0), body);
  return loop;
}

hd_op *hd_build_if(hd_builder *b, hd_value *condition, const hd_type *types, size_t count, bool with_else) {
  hd_op *op = hd_build_op(b, HD_OP_scf_if, &condition, 1, types, count, NULL, 0, 2);
  hd_region_append(hd_op_region(op, 0), hd_block_create(b->module));
  if (count || with_else) hd_region_append(hd_op_region(op, 1), hd_block_create(b->module));
  return op;
}

void hd_build_yield(hd_builder *b, hd_value *const *values, size_t count) {
  hd_build_op(b, HD_OP_scf_yield, values, count, NULL, 0, NULL, 0, 0);
}

void hd_build_prefetch(hd_builder *b, hd_value *memref, hd_value *at) {
  hd_context *c = b->context;
  hd_attr_arg attrs[] = {{HD_NAME_isWrite, hd_attr_bool(c, false)},
                         {HD_NAME_localityHint, hd_attr_i32(c, 3)},
                         {HD_NAME_isDataCache, hd_attr_bool(c, true)}};
  hd_value *operands[] = {memref, at};
  hd_build_op(b, HD_OP_memref_prefetch, operands, 2, NULL, 0, attrs, 3, 0);
}
