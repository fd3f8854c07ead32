/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "ir/op.h"

hd_str hd_symbol_name(const hd_op *op) { return hd_op_string_attr(op, "sym_name"); }

bool hd_symbol_is_private(const hd_op *op) { return hd_str_is(hd_op_string_attr(op, "sym_visibility"), "private"); }

hd_op *hd_symbol_lookup(hd_op *table, hd_str name) {
  if (!table->region_count || !name.len) return NULL;
  hd_for_each_block(block, &table->regions[0]) hd_for_each_op(op, block) {
    hd_attr attr = hd_op_attr_get(op, "sym_name");
    if (hd_attr_is(attr, HD_ATTR_STRING) && hd_str_equal(hd_ident_str(attr->string), name)) return op;
  }
  return NULL;
}

hd_op *hd_symbol_resolve(hd_op *from, hd_attr symbol) {
  if (!hd_attr_is(symbol, HD_ATTR_SYMBOL)) return NULL;
  for (hd_op *table = from; table; table = hd_op_parent(table)) {
    if (!hd_op_has_trait(table, HD_TRAIT(SYMBOL_TABLE))) continue;
    hd_op *found = hd_symbol_lookup(table, hd_ident_str(symbol->symbol.root));
    for (uint32_t i = 0; found && i < symbol->symbol.count; ++i)
      found = hd_symbol_lookup(found, hd_ident_str(symbol->symbol.nested[i]));
    if (found) return found;
  }
  return NULL;
}

hd_ident hd_symbol_unique(hd_op *table, hd_str base) {
  hd_context *context = hd_op_context(table);
  if (!hd_symbol_lookup(table, base)) return hd_ident_get(context, base);
  for (unsigned i = 0;; ++i) {
    char suffix[16];
    int length = snprintf(suffix, sizeof suffix, "_%u", i);
    hd_strbuf name;
    hd_strbuf_init(&name, &table->module->arena);
    hd_strbuf_put_str(&name, base);
    hd_strbuf_put(&name, suffix, (size_t)length);
    if (!hd_symbol_lookup(table, (hd_str){name.data, name.len}))
      return hd_ident_get(context, (hd_str){name.data, name.len});
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
  for (uint32_t i = 0; i < op->attr_count; ++i) each_symbol(op, op->attrs[i].value, visit, user);
}
