/* SPDX-License-Identifier: Apache-2.0 */
#include "shape/annotate.h"

#include <string.h>

#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

hd_attr hd_shapes_dim_text(hd_shapes *s, hd_dim dim) {
  hd_strbuf text;
  hd_strbuf_init(&text, s->arena);
  hd_dim_print(&text, dim);
  return hd_attr_cstring(s->context, hd_strbuf_text(&text));
}

bool hd_shapes_has_unknown_dims(hd_type type) {
  bool shaped = hd_type_is(type, HD_TYPE_TENSOR) || hd_type_is(type, HD_TYPE_MEMREF);
  return shaped && !hd_type_is_static(type);
}

/* The symbol of a quotient in |dim| = divisor * quotient + constant, which the analysis made of a divisor; else null.
 */
static const hd_dim_term *quotient_in(hd_dim dim) {
  if (!dim || dim->term_count != 1 || dim->terms[0].coefficient < 2 || dim->terms[0].atom_count != 1) return NULL;
  const hd_atom *atom = dim->terms[0].atoms[0];
  const hd_symbol_origin *origin = atom->kind == HD_ATOM_SYMBOL ? atom->origin : NULL;
  return origin && origin->kind == HD_SYMBOL_QUOTIENT ? &dim->terms[0] : NULL;
}

/* An argument's dim as hd.dims names it: its symbol, or "2*n+1" where that names the quotient. */
static hd_attr name_of(hd_shapes *s, hd_dim symbol) {
  hd_dim now = hd_dim_resolve(&s->table, symbol);
  if (!quotient_in(now)) return hd_attr_cstring(s->context, symbol->terms[0].atoms[0]->name);
  hd_str text = hd_ident_str(hd_shapes_dim_text(s, now)->string);
  char *tight = hd_arena_zalloc(s->arena, text.len + 1), *to = tight;
  for (size_t i = 0; i < text.len; ++i)
    if (text.data[i] != ' ') *to++ = text.data[i];
  return hd_attr_cstring(s->context, tight);
}

hd_attr hd_shapes_dims_text(hd_shapes *s, hd_value *value) {
  uint32_t rank = hd_type_rank(value->type);
  hd_attr *entries = hd_new_array(s->arena, hd_attr, rank + 1);
  for (uint32_t d = 0; d < rank; ++d) entries[d] = hd_shapes_dim_text(s, hd_shapes_dim(s, value, d));
  return hd_attr_array(s->context, entries, rank);
}

static hd_attr names_of(hd_shapes *s, hd_value *argument) {
  uint32_t rank = hd_type_rank(argument->type);
  hd_attr *entries = hd_new_array(s->arena, hd_attr, rank + 1);
  const hd_value_shape *shape = hd_shapes_get(s, argument);
  for (uint32_t d = 0; d < rank; ++d)
    entries[d] =
        hd_type_dim(argument->type, d) != HD_DYNAMIC ? hd_attr_cstring(s->context, "") : name_of(s, shape->dims[d]);
  return hd_attr_array(s->context, entries, rank);
}

void hd_shapes_name_arguments(hd_shapes *s) {
  hd_block *entry = hd_op_region(s->func, 0)->first;
  hd_attr old = hd_function_like_arg_attrs(s->func), *all = hd_new_array(s->arena, hd_attr, entry->arg_count + 1);
  bool any = false;
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    all[i] = old ? old->array.items[i] : hd_attr_dict(s->context, NULL, 0);
    if (!hd_shapes_has_unknown_dims(entry->args[i]->type)) continue;
    hd_attr names = names_of(s, entry->args[i]);
    uint32_t count = all[i]->dict.count;
    hd_named_attr *items = hd_new_array(s->arena, hd_named_attr, count + 1);
    for (uint32_t k = 0; k < count; ++k) items[k] = all[i]->dict.items[k];
    items[count] = (hd_named_attr){hd_name_ident(s->context, HD_NAME_hd_dims), names};
    all[i] = hd_attr_dict(s->context, items, count + 1);
    any = true;
  }
  if (any) hd_function_like_set_arg_attrs(s->func, hd_attr_array(s->context, all, entry->arg_count));
}

typedef struct texts {
  hd_shapes *shapes;
  bool arguments;
  hd_vec(hd_attr) all;
} texts;

/* Does |text| say the same where the arguments' symbols alone are known? Two may have one name. */
static bool reads_back(texts *t, const char *text, hd_dim lhs, hd_dim rhs) {
  const char *at = text;
  if (lhs->data_dependent || rhs->data_dependent || hd_dim_read(&t->shapes->table, &at) != lhs) return false;
  at += strspn(at, " =%>");
  return hd_dim_read(&t->shapes->table, &at) == rhs;
}

static void add(texts *t, hd_dim lhs, const char *relation, hd_dim rhs, const char *rest) {
  hd_strbuf text;
  hd_strbuf_init(&text, t->shapes->arena);
  hd_dim_print(&text, lhs);
  hd_strbuf_puts(&text, relation);
  hd_dim_print(&text, rhs);
  hd_strbuf_puts(&text, rest);
  if (t->arguments && !reads_back(t, hd_strbuf_text(&text), lhs, rhs)) return;
  hd_attr attr = hd_attr_cstring(t->shapes->context, hd_strbuf_text(&text));
  for (size_t i = 0; i < t->all.len; ++i)
    if (t->all.data[i] == attr) return;
  hd_vec_push(t->shapes->arena, &t->all, attr);
}

static void write_symbols(texts *t) {
  hd_dim_table *table = &t->shapes->table;
  for (size_t i = 0; i < table->atoms.len; ++i) {
    hd_atom *atom = table->atoms.data[i];
    if (atom->kind != HD_ATOM_SYMBOL) continue;
    hd_dim symbol = hd_dim_of_symbol(table, atom);
    if (atom->replacement) {
      hd_dim now = hd_dim_resolve(table, atom->replacement);
      const hd_dim_term *multiple = quotient_in(now);
      if (multiple)
        add(t, hd_dim_sub(table, symbol, hd_dim_const(table, now->constant)), " % ",
            hd_dim_const(table, multiple->coefficient), " == 0");
      else
        add(t, symbol, " == ", now, "");
      continue;
    }
    if (atom->divisor > 1) add(t, symbol, " % ", hd_dim_const(table, atom->divisor), " == 0");
    if (atom->lower > 0) add(t, symbol, " >= ", hd_dim_const(table, atom->lower), "");
  }
}

/* What gave no symbol. */
static void write_guards(texts *t) {
  hd_dim_table *table = &t->shapes->table;
  for (size_t i = 0; i < t->shapes->guards.len; ++i) {
    hd_shape_guard guard = t->shapes->guards.data[i];
    if (guard.op == t->shapes->func || guard.conditional || guard.relation != HD_SHAPE_EQUAL || !guard.lhs ||
        !guard.rhs || hd_dim_equal(table, guard.lhs, guard.rhs))
      continue;
    add(t, hd_dim_resolve(table, guard.lhs), " == ", hd_dim_resolve(table, guard.rhs), "");
  }
}

/* Equalities of products that were given. */
static void write_given(texts *t, hd_attr given) {
  hd_dim_table *table = &t->shapes->table;
  for (uint32_t i = 0; given && i < given->array.count; ++i) {
    hd_dim lhs, rhs;
    const char *text = given->array.items[i]->string->text;
    if (hd_shapes_read_constraint(t->shapes, text, &lhs, &rhs) && !hd_dim_equal(table, lhs, rhs) &&
        strstr(text, " == ") && !strchr(text, '%'))
      add(t, hd_dim_resolve(table, lhs), " == ", hd_dim_resolve(table, rhs), "");
  }
}

hd_attr hd_shapes_write_constraints(hd_shapes *s, bool arguments) {
  texts t = {.shapes = s, .arguments = arguments};
  write_symbols(&t);
  write_guards(&t);
  write_given(&t, hd_discardable_constraint(s->func));
  if (!t.all.len) return NULL;
  hd_attr all = hd_attr_array(s->context, t.all.data, t.all.len);
  hd_discardable_set_constraint(s->func, all);
  return all;
}
