/* SPDX-License-Identifier: Apache-2.0 */
/* What only the writer of a portable artifact needed: sharding ops and the casts around them vanish, a composite named
 * after a chlo op that has a row becomes that op, and decompositions that nobody names any more are erased. */
#include "bytecode/reader.h"
#include "ir/constraints.h"

typedef struct tidy {
  hd_bc_reader *r;
  hd_vec(hd_op *) shardings, composites;
} tidy;

static bool collect(hd_op *op, void *user) {
  tidy *t = user;
  hd_str name = hd_ident_str(op->name);
  bool cast = hd_op_is(op, HD_OP_builtin_unrealized_conversion_cast) && op->operand_count == 1 &&
              op->result_count == 1 && hd_operand_type(op, 0) == hd_result_type(op, 0);
  if (cast || hd_str_is(name, "sdy.mesh") || hd_str_is(name, "sdy.sharding_constraint"))
    hd_vec_push(&t->r->scratch, &t->shardings, op);
  if (hd_op_is(op, HD_OP_stablehlo_composite)) hd_vec_push(&t->r->scratch, &t->composites, op);
  return true;
}

static bool erase_sharding(hd_bc_reader *r, hd_op *op) {
  if (op->result_count) {
    if (op->operand_count != 1 || op->result_count != 1 || hd_operand(op, 0) == hd_result(op, 0) ||
        hd_operand_type(op, 0) != hd_result_type(op, 0))
      return hd_bc_fail(r, NULL, "'%s' must have one operand and a result of its type", op->name->text);
    hd_value_replace_uses(hd_result(op, 0), hd_operand(op, 0));
  }
  hd_op_erase(op);
  return true;
}

/* The attributes of the composite that are the op's own, each one that it needs. */
static bool has_attrs(const hd_signature *signature, hd_attr attrs) {
  uint32_t known = 0;
  for (size_t i = 0; i < signature->attrs.count; ++i) {
    const hd_signature_item *item = &signature->attrs.items[i];
    hd_attr value = hd_dict_get(attrs, item->name->text);
    if (!value && item->arity != HD_OPTIONAL) return false;
    if (value && !hd_attr_satisfies(item->constraint, value)) return false;
    known += value != NULL;
  }
  return !attrs || known == attrs->dict.count;
}

static void replace_composite(tidy *t, hd_op *op) {
  hd_context *context = t->r->context;
  hd_str name = hd_op_string_attr(op, "name");
  hd_attr attrs = hd_op_attr_get(op, "composite_attributes");
  if (!hd_str_starts(name, "chlo.") || (attrs && attrs->kind != HD_ATTR_DICT) || op->region_count) return;
  hd_opcode opcode = hd_opcode_of(context, name);
  if (!opcode) return;
  const hd_signature *signature = hd_signature_of(context, opcode);
  if (signature->args.variable || signature->results.variable || signature->args.count != op->operand_count ||
      signature->results.count != op->result_count || !has_attrs(signature, attrs))
    return;
  hd_bc_op_attrs made = {0};
  for (uint32_t i = 0; attrs && i < attrs->dict.count; ++i)
    hd_vec_push(&t->r->scratch, &made, (hd_op_attr){attrs->dict.items[i].name, attrs->dict.items[i].value, true});
  for (uint32_t i = 0; i < op->attr_count; ++i)
    if (!op->attrs[i].inherent) hd_vec_push(&t->r->scratch, &made, op->attrs[i]);
  hd_value **operands = hd_new_array(&t->r->scratch, hd_value *, op->operand_count);
  hd_type *types = hd_new_array(&t->r->scratch, hd_type, op->result_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_operand(op, i);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_result_type(op, i);
  hd_op_state state = {.context = context,
                       .loc = op->loc,
                       .opcode = opcode,
                       .operands = operands,
                       .operand_count = op->operand_count,
                       .result_types = types,
                       .result_count = op->result_count,
                       .attrs = made.data,
                       .attr_count = made.len};
  hd_op *chlo = hd_op_create(t->r->module, &state);
  hd_op_insert_before(chlo, op);
  hd_value **results = hd_new_array(&t->r->scratch, hd_value *, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) results[i] = hd_result(chlo, i);
  hd_op_replace(op, results);
}

/* Symbols that something names, in attributes of ops. */
static void note_symbols(hd_arena *scratch, hd_map *used, hd_attr attr, int depth) {
  if (!attr || depth > HD_BC_NESTING) return;
  if (attr->kind == HD_ATTR_SYMBOL) hd_map_insert(scratch, used, attr->symbol.root, NULL);
  for (uint32_t i = 0; attr->kind == HD_ATTR_ARRAY && i < attr->array.count; ++i)
    note_symbols(scratch, used, attr->array.items[i], depth + 1);
  for (uint32_t i = 0; attr->kind == HD_ATTR_DICT && i < attr->dict.count; ++i)
    note_symbols(scratch, used, attr->dict.items[i].value, depth + 1);
}

typedef struct uses {
  hd_arena *scratch;
  hd_map used;
} uses;

static bool note_op(hd_op *op, void *user) {
  uses *u = user;
  for (uint32_t i = 0; i < op->attr_count; ++i) note_symbols(u->scratch, &u->used, op->attrs[i].value, 0);
  return true;
}

/* Decompositions may name others, so until nothing changes: as many rounds as they nest. */
static void erase_unused(tidy *t, const hd_map *decompositions) {
  for (bool changed = true; changed;) {
    uses u = {&t->r->scratch, {0}};
    changed = false;
    hd_walk_pre(t->r->module->op, note_op, &u);
    hd_for_each_op_safe(op, hd_module_body(t->r->module)) {
      hd_str name = hd_symbol_name(op);
      if (!name.len || !hd_symbol_is_private(op)) continue;
      hd_ident ident = hd_ident_get(t->r->context, name);
      if (!hd_map_find(decompositions, ident) || hd_map_find(&u.used, ident)) continue;
      hd_op_erase(op);
      changed = true;
    }
  }
}

bool hd_bc_tidy(hd_bc_reader *r) {
  tidy t = {.r = r};
  hd_walk_pre(r->module->op, collect, &t);
  for (size_t i = 0; i < t.shardings.len; ++i)
    if (!erase_sharding(r, t.shardings.data[i])) return false;
  hd_map decompositions = {0};
  for (size_t i = 0; i < t.composites.len; ++i) {
    hd_attr decomposition = hd_op_attr_get(t.composites.data[i], "decomposition");
    hd_str name = hd_op_string_attr(t.composites.data[i], "name");
    if (hd_attr_is(decomposition, HD_ATTR_SYMBOL) && hd_str_starts(name, "chlo."))
      hd_map_insert(&r->scratch, &decompositions, decomposition->symbol.root, NULL);
    replace_composite(&t, t.composites.data[i]);
  }
  if (decompositions.live) erase_unused(&t, &decompositions);
  return true;
}
