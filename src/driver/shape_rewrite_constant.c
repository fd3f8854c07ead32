/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of a general program:
 *
 *   the same in all forms                  a constant, broadcast to its size where that varies
 *   a whole number that symbols explain    arithmetic on symbols
 *   anything else                          an argument, one for equal constants */
#include "driver/shape_rewriter.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

static const hd_form_constant *sample_of(const hd_rewriter *w, size_t form, size_t constant) {
  return &w->samples->forms[form]->constants[constant];
}

/* The constant of the first sample that has elements; of the last when none has. */
static const hd_form_constant *some_sample(const hd_rewriter *w, size_t constant) {
  size_t i = 0;
  while (i + 1 < w->samples->count && sample_of(w, i, constant)->empty) ++i;
  return sample_of(w, i, constant);
}

static bool is_whole(const hd_rewriter *w, size_t constant) {
  for (size_t i = 0; i < w->samples->count; ++i)
    if (w->samples->forms[i]->numbers[sample_of(w, i, constant)->whole] == HD_NOT_WHOLE) return false;
  return true;
}

/* What the general program takes for constant |k|, whose dims vary as |dims_vary| says. */
static void decide_constant(hd_rewriter *w, size_t k, bool dims_vary) {
  const hd_form_constant *some = some_sample(w, k);
  hd_constant_rule *r = &w->rule->constants[k];
  bool same = true, splat = true;
  for (size_t i = 0; i < w->samples->count; ++i) {
    const hd_form_constant *c = sample_of(w, i, k);
    splat &= c->splat || c->empty;
    same &= c->empty || (c->splat == some->splat && hd_hash128_equal(&c->content, &some->content));
  }
  *r = (hd_constant_rule){.kind = HD_CONSTANT_FED, .splat = splat && !some->empty, .content = some->content};
  if (same && (r->splat || !dims_vary))
    r->kind = HD_CONSTANT_FIXED;
  else if (is_whole(w, k) && hd_shape_explain(w->samples, some->whole, &r->expr))
    r->kind = HD_CONSTANT_COMPUTED;
}

/* The earlier constant that is lifted and was the same in all samples. */
static bool find_equal(const hd_rewriter *w, size_t k, hd_type type, size_t *out) {
  for (size_t f = 0; f < w->rule->lifted_count; ++f) {
    *out = w->rule->lifted[f];
    bool same = hd_type_element(w->lifted[f]->type) == hd_type_element(type) &&
                w->rule->constants[*out].splat == w->rule->constants[k].splat;
    for (size_t i = 0; same && i < w->samples->count; ++i)
      same = hd_form_constants_equal(w->samples->forms[i], k, *out);
    if (same) return true;
  }
  return false;
}

static hd_value *input_for(hd_rewriter *w, size_t k, hd_type type, size_t dims) {
  size_t other;
  hd_constant_rule *r = &w->rule->constants[k];
  if (find_equal(w, k, type, &other)) {
    r->kind = HD_CONSTANT_EQUAL;
    r->other = other;
    for (size_t f = 0; f < w->rule->lifted_count; ++f)
      if (w->rule->lifted[f] == other) return w->lifted[f];
  }
  hd_context *context = w->module->context;
  hd_block *block = hd_op_region(w->func, 0)->first;
  hd_value *input = hd_block_add_arg(w->module, block, type);
  hd_attr list = hd_function_like_arg_attrs(w->func);
  if (list) {
    hd_attr *items = hd_new_array(w->arena, hd_attr, block->arg_count);
    for (uint32_t i = 0; i < block->arg_count; ++i)
      items[i] = i < list->array.count ? list->array.items[i] : hd_attr_dict(context, NULL, 0);
    hd_function_like_set_arg_attrs(w->func, hd_attr_array(context, items, block->arg_count));
  }
  for (uint32_t d = 0; d < hd_type_rank(type); ++d)
    if (hd_rewriter_varies(w, dims + d) && hd_rewriter_explains(w, dims + d)) {
      hd_type wide = hd_rewriter_scalar(w);
      hd_rewriter_assert_equal(w, hd_rewriter_number(w, dims + d),
                               hd_stablehlo_convert(&w->entry, wide, hd_rewriter_size_of(w, input, d)));
    }
  w->lifted[w->rule->lifted_count] = input;
  w->rule->lifted[w->rule->lifted_count++] = k;
  return input;
}

bool hd_rewrite_constant(hd_rewriter *w, hd_op *op) {
  size_t dims = hd_form_start(&w->places->values, hd_result(op, 0));
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = hd_type_rank(type);
  size_t k = hd_form_start(&w->places->constants, op);
  hd_constant_rule *r = &w->rule->constants[k];
  bool dims_vary = hd_rewriter_any_varies(w, dims, rank);
  decide_constant(w, k, dims_vary);
  if (r->kind == HD_CONSTANT_FIXED && !dims_vary) return true;
  if (!some_sample(w, k)->data) return hd_rewriter_fail(w, op, "has elements that differ, in a resource");
  bool table = r->kind == HD_CONSTANT_FED && !r->splat;
  if (!table && !hd_rewriter_need(w, op, dims, rank)) return false;
  hd_type element = hd_type_element(type), scalar = hd_type_tensor(element, NULL, 0, NULL);
  hd_value *value;
  if (r->kind == HD_CONSTANT_FED)
    value = input_for(w, k, table ? type : scalar, dims);
  else if (r->kind == HD_CONSTANT_COMPUTED)
    value = hd_stablehlo_convert(&w->entry, scalar, hd_rewriter_value(w, &r->expr));
  else
    value = hd_build_hlo_constant(&w->entry,
                                  hd_attr_dense(scalar, some_sample(w, k)->data, hd_type_element_bytes(element), true));
  if (table || !rank) return hd_rewriter_replace(op, value);
  /* The broadcast stays where the constant was, so that it is not alive for longer. */
  hd_value *shape = hd_rewriter_vector(w, dims, rank);
  hd_builder here = hd_builder_before(op);
  hd_attr_arg none = {HD_NAME_broadcast_dimensions, hd_attr_i64_array(w->module->context, NULL, 0)};
  hd_value *operands[] = {value, shape};
  return hd_rewriter_replace(
      op, hd_build_one_(&here, HD_OP_stablehlo_dynamic_broadcast_in_dim, type, operands, 2, &none, 1));
}
