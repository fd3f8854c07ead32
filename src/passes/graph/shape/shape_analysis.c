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
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/analyses.h"
#include "passes/passes.h"
#include "shape/annotate.h"

typedef struct writer {
  hd_pass *pass;
  hd_shapes *shapes;
  bool ok;
} writer;

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

static bool write_op(hd_op *op, void *user) {
  writer *w = user;
  bool any = false;
  if (op == w->shapes->func) return true;
  for (uint32_t i = 0; i < op->result_count; ++i) any |= hd_shapes_has_unknown_dims(hd_result_type(op, i));
  if (!any) return true;
  hd_attr *results = hd_new_array(&w->pass->arena, hd_attr, op->result_count + 1), said = hd_discardable_dims(op);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *result = hd_result(op, i);
    hd_attr before = hd_attr_is(said, HD_ATTR_ARRAY) && i < said->array.count ? said->array.items[i] : NULL;
    bool shaped = hd_type_has_rank(result->type) && hd_type_is_shaped(result->type);
    for (uint32_t d = 0; shaped && d < hd_type_rank(result->type); ++d)
      if (!agrees(w, before, d, hd_shapes_dim(w->shapes, result, d)))
        w->ok = hd_op_error(op, "disc-shape-analysis: hd.dims of result #%u contradicts the program: dim %u is %s", i,
                            d, hd_shapes_dim_text(w->shapes, hd_shapes_dim(w->shapes, result, d))->string->text);
    results[i] = shaped ? hd_shapes_dims_text(w->shapes, result) : hd_attr_array(w->pass->context, NULL, 0);
  }
  hd_discardable_set_dims(op, hd_attr_array(w->pass->context, results, op->result_count));
  return true;
}

bool hd_pass_shape_analysis(hd_pass *pass, hd_op *func) {
  writer w = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .ok = true};
  if (!hd_shapes_check_constraints(w.shapes)) return false;
  hd_walk_pre(func, write_op, &w);
  if (!w.ok) return false;
  hd_shapes_name_arguments(w.shapes);
  hd_attr constraints = hd_shapes_write_constraints(w.shapes, false);
  if (hd_option_bool(pass, "print")) {
    hd_strbuf text;
    hd_strbuf_init(&text, &pass->arena);
    for (uint32_t i = 0; constraints && i < constraints->array.count; ++i)
      hd_strbuf_printf(&text, "%s\n", constraints->array.items[i]->string->text);
    hd_shapes_print(w.shapes, &text);
    hd_report(pass->context, HD_REMARK, func->loc, "shapes of '%.*s':\n%s", (int)hd_symbol_name(func).len,
              hd_symbol_name(func).data, hd_strbuf_text(&text));
  }
  pass->changed = true;
  return true;
}
