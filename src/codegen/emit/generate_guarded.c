/* SPDX-License-Identifier: Apache-2.0 */
/* Reading at indices that data give: what an element is as an index, and elements that are read only where a condition
 * holds. */
#include "codegen/emit/generate_ops.h"

#define L hd_generator_lanes(g)

hd_value *hd_generate_index_cast(hd_generator *g, hd_value *value, hd_type element) {
  bool no_sign = element->kind == HD_TYPE_INTEGER && element->integer.signedness == HD_UNSIGNED;
  hd_type index = hd_type_index(g->b->context);
  if (hd_type_is(value->type, HD_TYPE_VECTOR)) index = hd_type_with_element(value->type, index);
  if (no_sign && element->integer.width == 64)
    value = hd_build(g->b, HD_OP_arith_minui, value->type, value, hd_build_int(g->b, value->type, INT64_MAX));
  return hd_build(g->b, no_sign ? HD_OP_arith_index_castui : HD_OP_arith_index_cast, index, value);
}

/* The integer value of scalar |buffer| as an index, in scalar code (dynamic slice starts); a vector of them where it is
 * an element that differs by lane (in a region, generate_region.c). */
static bool scalar_index(hd_generator *g, hd_value *buffer, hd_value **out) {
  uint32_t lanes = g->lanes;
  hd_value *mask = g->mask;
  g->lanes = 0;
  g->mask = NULL;
  hd_element value;
  bool ok = hd_generate(g, buffer, hd_new_tuple(g, 0), &value);
  g->lanes = lanes;
  g->mask = mask;
  if (!ok) return false;
  *out = hd_generate_index_cast(g, value.re, hd_type_element(buffer->type));
  return true;
}

bool hd_generate_clamped_start(hd_generator *g, hd_value *start, hd_dim whole, hd_dim size, hd_lane_index *out) {
  hd_value *value;
  if (!scalar_index(g, start, &value)) return false;
  hd_lane_index most = hd_lane_scalar(hd_generate_dim(g, hd_dim_sub(&g->shapes->table, whole, size))),
                at = hd_lane_scalar(value);
  if (hd_type_is(value->type, HD_TYPE_VECTOR)) at = (hd_lane_index){.vector = value}; /* a scalar of each lane */
  *out = hd_lane_max(L, hd_lane_min(L, at, most), hd_lane_const(L, 0));
  return true;
}

hd_value *hd_generate_and(hd_generator *g, hd_value *a, hd_value *b) {
  return a ? hd_build(g->b, HD_OP_arith_andi, b->type, a, b) : b;
}

void hd_guard_add(hd_generator *g, hd_guard *guard, hd_value *condition) {
  hd_value **to = condition->type->kind == HD_TYPE_VECTOR ? &guard->lanes : &guard->all;
  *to = hd_generate_and(g, *to, condition);
}

/* What is made under a mask or in a branch is not for outside: it gets a tuple of its own. */
static hd_index_tuple *own_tuple(hd_generator *g, const hd_index_tuple *at) {
  hd_index_tuple *own = hd_new_tuple(g, at->rank);
  for (uint32_t d = 0; d < at->rank; ++d) own->at[d] = at->at[d];
  return own;
}

static bool generate_masked(hd_generator *g, hd_value *lanes, hd_value *buffer, const hd_index_tuple *at,
                            hd_element otherwise, hd_element *out) {
  if (!lanes) return hd_generate(g, buffer, own_tuple(g, at), out);
  hd_value *outer = g->mask, *whole = g->whole;
  g->mask = outer ? hd_build(g->b, HD_OP_arith_andi, lanes->type, outer, lanes) : lanes;
  g->whole = NULL; /* it speaks of the outer mask */
  bool ok = hd_generate(g, buffer, own_tuple(g, at), out);
  g->mask = outer;
  g->whole = whole;
  if (ok) *out = hd_emit_select(g->b, lanes, *out, otherwise);
  return ok;
}

bool hd_generate_guarded(hd_generator *g, hd_guard guard, hd_value *buffer, const hd_index_tuple *at,
                         hd_element otherwise, hd_element *out) {
  if (!guard.all && !guard.lanes) return hd_generate(g, buffer, at, out);
  otherwise = hd_spread_element(g, otherwise);
  if (!guard.all) return generate_masked(g, guard.lanes, buffer, at, otherwise, out);
  hd_type types[2] = {otherwise.re->type, otherwise.im ? otherwise.im->type : NULL};
  size_t parts = otherwise.im ? 2 : 1;
  hd_op *branch = hd_build_if(g->b, guard.all, types, parts, true);
  hd_builder *outer = g->b;
  hd_builder then = hd_builder_at_end(outer->module, hd_op_region(branch, 0)->first),
             other = hd_builder_at_end(outer->module, hd_op_region(branch, 1)->first);
  then.loc = other.loc = outer->loc;
  g->b = &then;
  hd_element value;
  bool ok = generate_masked(g, guard.lanes, buffer, at, otherwise, &value);
  if (ok) hd_build_yield(&then, (hd_value *[]){value.re, value.im}, parts);
  hd_build_yield(&other, (hd_value *[]){otherwise.re, otherwise.im}, parts);
  g->b = outer;
  *out = (hd_element){hd_result(branch, 0), parts == 2 ? hd_result(branch, 1) : NULL};
  return ok;
}
