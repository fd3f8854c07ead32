/* SPDX-License-Identifier: Apache-2.0 */
/* Composites that are named after an op: what a portable artifact makes of ops that it has no form for.
 *
 *   stablehlo.composite "chlo.erf" %x {decomposition = @f}   ->   chlo.erf %x
 *
 * The op must take what the composite takes, and its attributes; others are inlined as their decomposition says. */
#include "base/vec.h"
#include "ir/constraints.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/import/inline_calls.h"

/* The attributes of the composite are the op's own, each one that it needs. */
static bool has_attrs(const hd_signature *signature, hd_attr attrs) {
  uint32_t known = 0;
  for (size_t i = 0; i < signature->attrs.count; ++i) {
    const hd_signature_item *item = &signature->attrs.items[i];
    hd_attr value = attrs ? hd_dict_get_named(attrs, item->name->text) : NULL;
    if (!value && item->arity != HD_OPTIONAL) return false;
    if (value && !hd_attr_satisfies(item->constraint, value)) return false;
    known += value != NULL;
  }
  return !attrs || known == attrs->dict.count;
}

bool hd_replace_composite(hd_module *module, hd_op *op) {
  hd_context *context = module->context;
  hd_arena *arena = &module->arena;
  hd_str name = hd_stablehlo_composite_name(op);
  hd_attr attrs = hd_stablehlo_composite_composite_attributes(op);
  if (!hd_str_starts(name, "chlo.") || (attrs && attrs->kind != HD_ATTR_DICT) || op->region_count) return false;
  hd_opcode opcode = hd_opcode_of(context, name);
  if (!opcode) return false;
  const hd_signature *signature = hd_signature_of(context, opcode);
  if (signature->args.variable || signature->results.variable || signature->args.count != op->operand_count ||
      signature->results.count != op->result_count || !has_attrs(signature, attrs))
    return false;
  hd_vec(hd_op_attr) made = {0};
  for (uint32_t i = 0; attrs && i < attrs->dict.count; ++i)
    hd_vec_push(arena, &made, (hd_op_attr){attrs->dict.items[i].name, attrs->dict.items[i].value, true});
  for (uint32_t i = 0; i < op->attr_count; ++i) hd_vec_push(arena, &made, op->attrs[i]);
  hd_value **values = hd_new_array(arena, hd_value *, op->operand_count + op->result_count + 1);
  hd_type *types = hd_new_array(arena, hd_type, op->result_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) values[i] = hd_operand(op, i);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_result_type(op, i);
  hd_op_state state = {.context = context,
                       .loc = op->loc,
                       .opcode = opcode,
                       .operands = values,
                       .operand_count = op->operand_count,
                       .result_types = types,
                       .result_count = op->result_count,
                       .attrs = made.data,
                       .attr_count = made.len};
  hd_op *chlo = hd_op_create(module, &state);
  hd_op_insert_before(chlo, op);
  for (uint32_t i = 0; i < op->result_count; ++i) values[i] = hd_result(chlo, i);
  hd_op_replace(op, values);
  return true;
}
