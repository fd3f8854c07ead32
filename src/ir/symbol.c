/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols: their names, looking them up in symbol tables, resolving references to them from inside an op, and tables
 * for who makes or looks up many. */
#include "ir/op.h"

hd_str hd_symbol_name(const hd_op *op) { return hd_attr_text(hd_op_attr_get(op, HD_NAME_sym_name)); }

bool hd_symbol_is_private(const hd_op *op) {
  return hd_str_is(hd_attr_text(hd_op_attr_get(op, HD_NAME_sym_visibility)), "private");
}

hd_op *hd_symbol_lookup(hd_op *table, hd_str name) {
  if (!table->region_count || !name.len) return NULL;
  hd_for_each_block(block, &table->regions[0])
    hd_for_each_op(op, block) {
      hd_attr attr = hd_op_attr_get(op, HD_NAME_sym_name);
      if (hd_attr_is(attr, HD_ATTR_STRING) && hd_str_equal(hd_ident_str(attr->string), name)) return op;
    }
  return NULL;
}

/* By the verifier's table where it still holds, so that a program of many functions is not searched for each call. */
static hd_op *lookup_root(hd_op *table, hd_ident name) {
  if (table != table->module->op) return hd_symbol_lookup(table, hd_ident_str(name));
  hd_op *known = hd_map_get(&table->module->symbols, name);
  bool holds = known && known->block && hd_block_parent_op(known->block) == table &&
               hd_str_equal(hd_symbol_name(known), hd_ident_str(name));
  return holds ? known : hd_symbol_lookup(table, hd_ident_str(name));
}

hd_op *hd_symbol_resolve(hd_op *from, hd_attr symbol) {
  if (!hd_attr_is(symbol, HD_ATTR_SYMBOL)) return NULL;
  for (hd_op *table = from; table; table = hd_op_parent(table)) {
    if (!hd_op_has_trait(table, HD_TRAIT(SYMBOL_TABLE))) continue;
    hd_op *found = lookup_root(table, symbol->symbol.root);
    for (uint32_t i = 0; found && i < symbol->symbol.count; ++i)
      found = hd_symbol_lookup(found, hd_ident_str(symbol->symbol.nested[i]));
    if (found) return found;
  }
  return NULL;
}

void hd_symbol_table_init(hd_symbol_table *table, hd_arena *arena, hd_op *op) {
  *table = (hd_symbol_table){.arena = arena};
  if (!op->region_count) return;
  hd_for_each_block(block, &op->regions[0])
    hd_for_each_op(each, block) hd_symbol_table_insert(table, each);
}

hd_op *hd_symbol_table_lookup(const hd_symbol_table *table, hd_str name) {
  hd_map_entry *entry = hd_map_find_bytes(&table->ops, name.data, name.len);
  return entry ? entry->value.ptr : NULL;
}

void hd_symbol_table_insert(hd_symbol_table *table, hd_op *op) {
  hd_str name = hd_symbol_name(op);
  if (!name.len) return;
  hd_map_entry *entry = hd_map_insert_bytes(table->arena, &table->ops, name.data, name.len, NULL);
  if (!entry->value.ptr) entry->value.ptr = op;
}

void hd_symbol_table_remove(hd_symbol_table *table, hd_op *op) {
  hd_str name = hd_symbol_name(op);
  hd_map_entry *entry = hd_map_find_bytes(&table->ops, name.data, name.len);
  if (entry && entry->value.ptr == op) entry->value.ptr = NULL;
}

hd_ident hd_symbol_table_unique(const hd_symbol_table *table, hd_context *context, hd_str base) {
  if (!hd_symbol_table_lookup(table, base)) return hd_ident_get(context, base);
  for (unsigned i = 0;; ++i) {
    hd_str name = hd_str_of(hd_arena_printf(table->arena, "%.*s_%u", (int)base.len, base.data, i));
    if (!hd_symbol_table_lookup(table, name)) return hd_ident_get(context, name);
  }
}

static void each_symbol(hd_op *op, hd_attr attr, void (*visit)(hd_op *, hd_attr, void *), void *user) {
  if (!attr) return;
  if (attr->kind == HD_ATTR_SYMBOL) visit(op, attr, user);
  if (attr->kind == HD_ATTR_ARRAY)
    for (uint32_t i = 0; i < attr->array.count; ++i) each_symbol(op, attr->array.items[i], visit, user);
  if (attr->kind == HD_ATTR_DICT)
    for (uint32_t i = 0; i < attr->dict.count; ++i) each_symbol(op, attr->dict.items[i].value, visit, user);
}

void hd_op_each_symbol(hd_op *op, void (*visit)(hd_op *op, hd_attr symbol, void *user), void *user) {
  hd_for_each_attr(attr, op) each_symbol(op, attr.value, visit, user);
}
