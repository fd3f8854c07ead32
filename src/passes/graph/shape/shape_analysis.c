/* SPDX-License-Identifier: Apache-2.0 */
/* disc-shape-analysis: what the shape analysis knows, as attributes that it reads again.
 *
 *   func.func @f(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>)
 *   ->
 *   func.func @f(%x: tensor<?x4xf32> {hd.dims = ["d0", ""]}, %y: tensor<?x4xf32> {hd.dims = ["d1", ""]})
 *       attributes {hd.constraint = ["d1 == d0", "d0 % 8 == 0"]}
 *     %0 = stablehlo.add %x, %y {hd.dims = [["d0", "4"]]}
 *
 * hd.dims names the unknown dims of arguments and gives those of results as expressions. hd.constraint holds equalities
 * of symbols, equalities of products that give no symbol, divisors and lower bounds. Constraints that stand there
 * before are assumed by every analysis of the function, with a guard on the host. An error: a constraint that cannot be
 * read, and a constraint or hd.dims of an op that contradicts what follows from the program. `print` reports all as a
 * remark. */
#include <string.h>

#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/analyses.h"
#include "passes/passes.h"
#include "shape/shapes.h"

typedef struct writer {
  hd_pass *pass;
  hd_shapes *shapes;
  hd_vec(hd_attr) constraints;
  bool ok;
} writer;

static hd_attr text_of(writer *w, hd_dim dim) {
  hd_strbuf text;
  hd_strbuf_init(&text, &w->pass->arena);
  hd_dim_print(&text, dim);
  return hd_attr_cstring(w->pass->context, hd_strbuf_text(&text));
}

static bool has_unknown_dims(hd_type type) {
  bool shaped = hd_type_is(type, HD_TYPE_TENSOR) || hd_type_is(type, HD_TYPE_MEMREF);
  return shaped && !hd_type_is_static(type);
}

/* Checks ---------------------------------------------------------------------------------------------------------- */

/* Entry |d| of what an op says already. */
static bool agrees(writer *w, hd_attr said, uint32_t d, hd_dim known) {
  hd_attr entry = hd_attr_is(said, HD_ATTR_ARRAY) && d < said->array.count ? said->array.items[d] : NULL;
  if (!hd_attr_is(entry, HD_ATTR_STRING)) return true;
  const char *at = entry->string->text;
  hd_dim dim = hd_dim_read(&w->shapes->table, &at);
  return !dim || !hd_dim_known_different(&w->shapes->table, dim, known);
}

/* Writing --------------------------------------------------------------------------------------------------------- */

/* The symbol of a quotient in |dim| = divisor * quotient + constant, which the analysis made of a divisor; else null.
 */
static const hd_dim_term *quotient_in(hd_dim dim) {
  if (!dim || dim->term_count != 1 || dim->terms[0].coefficient < 2 || dim->terms[0].atom_count != 1) return NULL;
  const hd_atom *atom = dim->terms[0].atoms[0];
  const hd_symbol_origin *origin = atom->kind == HD_ATOM_SYMBOL ? atom->origin : NULL;
  return origin && origin->kind == HD_SYMBOL_QUOTIENT ? &dim->terms[0] : NULL;
}

/* An argument's dim as hd.dims names it: its symbol, or "2*n+1" where that names the quotient. */
static hd_attr name_of(writer *w, hd_dim symbol) {
  hd_dim now = hd_dim_resolve(&w->shapes->table, symbol);
  if (!quotient_in(now)) return hd_attr_cstring(w->pass->context, symbol->terms[0].atoms[0]->name);
  hd_str text = hd_ident_str(text_of(w, now)->string);
  char *tight = hd_arena_zalloc(&w->pass->arena, text.len + 1), *to = tight;
  for (size_t i = 0; i < text.len; ++i)
    if (text.data[i] != ' ') *to++ = text.data[i];
  return hd_attr_cstring(w->pass->context, tight);
}

static hd_attr dims_of(writer *w, hd_value *value, bool names) {
  uint32_t rank = hd_type_rank(value->type);
  hd_attr *entries = hd_new_array(&w->pass->arena, hd_attr, rank + 1);
  const hd_value_shape *shape = hd_shapes_get(w->shapes, value);
  for (uint32_t d = 0; d < rank; ++d) {
    bool known = hd_type_dim(value->type, d) != HD_DYNAMIC;
    entries[d] = names && known ? hd_attr_cstring(w->pass->context, "")
                 : names        ? name_of(w, shape->dims[d])
                                : text_of(w, hd_shapes_dim(w->shapes, value, d));
  }
  return hd_attr_array(w->pass->context, entries, rank);
}

static bool write_op(hd_op *op, void *user) {
  writer *w = user;
  bool any = false;
  if (op == w->shapes->func) return true;
  for (uint32_t i = 0; i < op->result_count; ++i) any |= has_unknown_dims(hd_result_type(op, i));
  if (!any) return true;
  hd_attr *results = hd_new_array(&w->pass->arena, hd_attr, op->result_count + 1), said = hd_discardable_dims(op);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *result = hd_result(op, i);
    hd_attr before = hd_attr_is(said, HD_ATTR_ARRAY) && i < said->array.count ? said->array.items[i] : NULL;
    bool shaped = hd_type_has_rank(result->type) && hd_type_is_shaped(result->type);
    for (uint32_t d = 0; shaped && d < hd_type_rank(result->type); ++d)
      if (!agrees(w, before, d, hd_shapes_dim(w->shapes, result, d)))
        w->ok = hd_op_error(op, "disc-shape-analysis: hd.dims of result #%u contradicts the program: dim %u is %s", i,
                            d, text_of(w, hd_shapes_dim(w->shapes, result, d))->string->text);
    results[i] = shaped ? dims_of(w, result, false) : hd_attr_array(w->pass->context, NULL, 0);
  }
  hd_discardable_set_dims(op, hd_attr_array(w->pass->context, results, op->result_count));
  return true;
}

static void write_arguments(writer *w, hd_op *func) {
  hd_context *context = w->pass->context;
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_attr old = hd_function_like_arg_attrs(func), *all = hd_new_array(&w->pass->arena, hd_attr, entry->arg_count + 1);
  bool any = false;
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    all[i] = old ? old->array.items[i] : hd_attr_dict(context, NULL, 0);
    if (!has_unknown_dims(entry->args[i]->type)) continue;
    hd_attr names = dims_of(w, entry->args[i], true);
    uint32_t count = all[i]->dict.count;
    hd_named_attr *items = hd_new_array(&w->pass->arena, hd_named_attr, count + 1);
    for (uint32_t k = 0; k < count; ++k) items[k] = all[i]->dict.items[k];
    items[count] = (hd_named_attr){hd_name_ident(context, HD_NAME_hd_dims), names};
    all[i] = hd_attr_dict(context, items, count + 1);
    any = true;
  }
  if (any) hd_function_like_set_arg_attrs(func, hd_attr_array(context, all, entry->arg_count));
}

static void add(writer *w, hd_dim lhs, const char *relation, hd_dim rhs, const char *rest) {
  hd_strbuf text;
  hd_strbuf_init(&text, &w->pass->arena);
  hd_dim_print(&text, lhs);
  hd_strbuf_puts(&text, relation);
  hd_dim_print(&text, rhs);
  hd_strbuf_puts(&text, rest);
  hd_attr attr = hd_attr_cstring(w->pass->context, hd_strbuf_text(&text));
  for (size_t i = 0; i < w->constraints.len; ++i)
    if (w->constraints.data[i] == attr) return;
  hd_vec_push(&w->pass->arena, &w->constraints, attr);
}

static void write_constraints(writer *w, hd_op *func) {
  hd_dim_table *table = &w->shapes->table;
  for (size_t i = 0; i < table->atoms.len; ++i) {
    hd_atom *atom = table->atoms.data[i];
    if (atom->kind != HD_ATOM_SYMBOL) continue;
    hd_dim symbol = hd_dim_of_symbol(table, atom);
    if (atom->replacement) {
      hd_dim now = hd_dim_resolve(table, atom->replacement);
      const hd_dim_term *multiple = quotient_in(now);
      if (multiple)
        add(w, hd_dim_sub(table, symbol, hd_dim_const(table, now->constant)), " % ",
            hd_dim_const(table, multiple->coefficient), " == 0");
      else
        add(w, symbol, " == ", now, "");
      continue;
    }
    if (atom->divisor > 1) add(w, symbol, " % ", hd_dim_const(table, atom->divisor), " == 0");
    if (atom->lower > 0) add(w, symbol, " >= ", hd_dim_const(table, atom->lower), "");
  }
  for (size_t i = 0; i < w->shapes->guards.len; ++i) { /* what gave no symbol */
    hd_shape_guard guard = w->shapes->guards.data[i];
    if (guard.op == func || guard.conditional || guard.relation != HD_SHAPE_EQUAL || !guard.lhs || !guard.rhs ||
        hd_dim_equal(table, guard.lhs, guard.rhs))
      continue;
    add(w, hd_dim_resolve(table, guard.lhs), " == ", hd_dim_resolve(table, guard.rhs), "");
  }
  hd_attr before = hd_discardable_constraint(func);
  for (uint32_t i = 0; before && i < before->array.count; ++i) { /* equalities of products that were given */
    hd_dim lhs, rhs;
    if (hd_shapes_read_constraint(w->shapes, before->array.items[i]->string->text, &lhs, &rhs) &&
        !hd_dim_equal(table, lhs, rhs) && strstr(before->array.items[i]->string->text, " == ") &&
        !strchr(before->array.items[i]->string->text, '%'))
      add(w, hd_dim_resolve(table, lhs), " == ", hd_dim_resolve(table, rhs), "");
  }
  if (w->constraints.len)
    hd_discardable_set_constraint(func, hd_attr_array(w->pass->context, w->constraints.data, w->constraints.len));
}

bool hd_pass_shape_analysis(hd_pass *pass, hd_op *func) {
  writer w = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .ok = true};
  if (!hd_shapes_check_constraints(w.shapes)) return false;
  hd_walk_pre(func, write_op, &w);
  if (!w.ok) return false;
  write_arguments(&w, func);
  write_constraints(&w, func);
  if (hd_option_bool(pass, "print")) {
    hd_strbuf text;
    hd_strbuf_init(&text, &pass->arena);
    for (size_t i = 0; i < w.constraints.len; ++i) hd_strbuf_printf(&text, "%s\n", w.constraints.data[i]->string->text);
    hd_shapes_print(w.shapes, &text);
    hd_report(pass->context, HD_REMARK, func->loc, "shapes of '%.*s':\n%s", (int)hd_symbol_name(func).len,
              hd_symbol_name(func).data, hd_strbuf_text(&text));
  }
  pass->changed = true;
  return true;
}
