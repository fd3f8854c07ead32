/* SPDX-License-Identifier: Apache-2.0 */
/* What only the writer of a portable artifact needed: casts vanish, with the shardings of a program for one device; a
 * composite named after a chlo op that has a row becomes that op, and decompositions that nobody names any more are
 * erased. */
#include "bytecode/reader.h"
#include "ir/constraints.h"

typedef struct tidy {
  hd_bc_reader *r;
  bool one_device;
  hd_vec(hd_op *) vanishing, composites;
} tidy;

/* Without the entries that are sdy's. */
static hd_attr without_shardings(hd_bc_reader *r, hd_attr dict) {
  if (dict->kind != HD_ATTR_DICT) return dict;
  hd_named_attr *items = hd_new_array(&r->scratch, hd_named_attr, dict->dict.count);
  size_t kept = 0;
  for (uint32_t i = 0; i < dict->dict.count; ++i)
    if (!hd_str_starts(hd_ident_str(dict->dict.items[i].name), "sdy.")) items[kept++] = dict->dict.items[i];
  return kept == dict->dict.count ? dict : hd_attr_dict(r->context, items, kept);
}

static void strip_shardings(hd_bc_reader *r, hd_op *op) {
  for (uint32_t i = op->attr_count; i-- > 0;)
    if (!op->attrs[i].inherent && hd_str_starts(hd_ident_str(op->attrs[i].name), "sdy."))
      hd_op_attr_set(op, op->attrs[i].name->text, NULL);
  static const char *const lists[] = {"arg_attrs", "res_attrs"};
  for (int k = 0; k < 2; ++k) {
    hd_attr list = hd_op_attr_get(op, lists[k]);
    if (!hd_attr_is(list, HD_ATTR_ARRAY)) continue;
    hd_attr *items = hd_new_array(&r->scratch, hd_attr, list->array.count);
    for (uint32_t i = 0; i < list->array.count; ++i) items[i] = without_shardings(r, list->array.items[i]);
    hd_op_attr_set(op, lists[k], hd_attr_array(r->context, items, list->array.count));
  }
}

static bool collect(hd_op *op, void *user) {
  tidy *t = user;
  bool cast = hd_op_is(op, HD_OP_builtin_unrealized_conversion_cast) && op->operand_count == 1 &&
              op->result_count == 1 && hd_operand_type(op, 0) == hd_result_type(op, 0);
  bool sharding = hd_op_is(op, HD_OP_sdy_mesh) || hd_op_is(op, HD_OP_sdy_sharding_constraint) ||
                  hd_op_is(op, HD_OP_sdy_reshard) || hd_op_is(op, HD_OP_sdy_sharding_group) ||
                  hd_op_is(op, HD_OP_sdy_propagation_barrier);
  if (cast || (sharding && t->one_device)) hd_vec_push(&t->r->scratch, &t->vanishing, op);
  if (hd_op_is(op, HD_OP_stablehlo_composite)) hd_vec_push(&t->r->scratch, &t->composites, op);
  if (t->one_device) strip_shardings(t->r, op);
  return true;
}

static bool erase_identity(hd_bc_reader *r, hd_op *op) {
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
  int64_t partitions = hd_op_int_attr(r->module->op, "mhlo.num_partitions", 1);
  tidy t = {.r = r, .one_device = partitions <= 1};
  hd_walk_pre(r->module->op, collect, &t);
  for (size_t i = 0; i < t.vanishing.len; ++i)
    if (!erase_identity(r, t.vanishing.data[i])) return false;
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
