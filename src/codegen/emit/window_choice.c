/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/window_choice.h"

#include "codegen/emit/generate_ops.h"
#include "ir/ops/interfaces.h"

#define L hd_generator_lanes(g) /* at the place of code that g->b is now */

/* Carried through the loops over a window: the best element, whether there is one, its place. */
enum { MAX_CARRIED = HD_COMPILED_MAX_RANK + 3 };

bool hd_window_op_of(hd_op *op, hd_window_op *out) {
  *out = (hd_window_op){.op = op,
                        .operand = hd_operand(op, 0),
                        .source = hd_operand(op, 1),
                        .init = hd_operand(op, 2),
                        .out = hd_buffer_output(op, 0),
                        .window = hd_window_like_window_dimensions(op),
                        .strides = hd_window_like_window_strides(op),
                        .padding = hd_window_like_padding(op),
                        .rank = hd_type_rank(hd_operand_type(op, 0))};
  if (out->rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(op, "has rank %u, expected at most %d in a kernel", out->rank, HD_COMPILED_MAX_RANK);
  for (uint32_t d = 0; d < out->rank; ++d)
    out->apart[d] = hd_attr_int_at_or(out->window, d, 1) == 1 && hd_attr_int_at_or(out->strides, d, 1) == 1 &&
                    hd_attr_int_at_or(out->padding, 2 * d, 0) == 0 &&
                    hd_attr_int_at_or(out->padding, 2 * d + 1, 0) == 0;
  return true;
}

hd_op *hd_open_carried(hd_generator *g, hd_builder *inside, hd_value *upper, hd_value **values, size_t count) {
  hd_op *loop = hd_build_for(g->b, hd_build_index(g->b, 0), upper, hd_build_index(g->b, 1), values, count);
  hd_block *body = hd_op_region(loop, 0)->first;
  *inside = hd_builder_at_end(g->b->module, body);
  inside->loc = g->b->loc;
  for (size_t i = 0; i < count; ++i) values[i] = body->args[1 + i];
  g->b = inside;
  return loop;
}

void hd_close_carried(hd_generator *g, hd_op *loop, hd_builder *inside, hd_builder *outer, hd_value **values,
                      size_t count) {
  hd_build_yield(inside, values, count);
  for (size_t i = 0; i < count; ++i) values[i] = hd_result(loop, (uint32_t)i);
  g->b = outer;
}

bool hd_carry_where(hd_generator *g, hd_value *inside, hd_value **values, size_t count, hd_carried_fn body,
                    void *user) {
  if (!inside) return body(g, user, values);
  hd_type types[MAX_CARRIED];
  for (size_t i = 0; i < count; ++i) types[i] = values[i]->type;
  hd_op *branch = hd_build_if(g->b, inside, types, count, true);
  hd_builder *around = g->b, then = hd_builder_at_end(g->b->module, hd_op_region(branch, 0)->first),
             other = hd_builder_at_end(g->b->module, hd_op_region(branch, 1)->first);
  then.loc = other.loc = around->loc;
  hd_build_yield(&other, values, count);
  g->b = &then;
  bool ok = body(g, user, values);
  hd_build_yield(&then, values, count);
  g->b = around;
  for (size_t i = 0; i < count; ++i) values[i] = hd_result(branch, (uint32_t)i);
  return ok;
}

typedef struct tap_place {
  const hd_window_op *p;
  const hd_index_tuple *at;
  bool complex;
} tap_place;

/* One element of the window against the best so far; |values| are the carried ones. */
static bool tap(hd_generator *g, void *user, hd_value **values) {
  const tap_place *t = user;
  const hd_window_op *p = t->p;
  const hd_index_tuple *at = t->at;
  bool complex = t->complex;
  uint32_t parts = complex ? 2 : 1;
  hd_element arguments[2] = {{values[0], complex ? values[1] : NULL}}, keep;
  if (!hd_generate(g, p->operand, at, &arguments[1]) || !hd_generate_region(g, p->op, 0, arguments, &keep))
    return false;
  hd_value *stays = hd_build_binary(g->b, HD_OP_arith_andi, values[parts], keep.re);
  hd_element best = hd_emit_select(g->b, stays, arguments[0], arguments[1]);
  values[0] = best.re;
  if (complex) values[1] = best.im;
  values[parts] = hd_build_int(g->b, hd_i1(g->b->context), 1);
  for (uint32_t d = 0; d < p->rank; ++d)
    values[parts + 1 + d] =
        hd_build(g->b, HD_OP_arith_select, at->at[d].scalar->type, stays, values[parts + 1 + d], at->at[d].scalar);
  return true;
}

bool hd_choose_in_window(hd_generator *g, const hd_window_op *p, const hd_index_tuple *source, hd_window_choice *out) {
  char zero_bytes[16] = {0};
  hd_element zero = hd_emit_constant(g->b, hd_type_element(p->operand->type), zero_bytes, 0);
  bool complex = zero.im != NULL;
  uint32_t parts = complex ? 2 : 1, count = parts + 1 + p->rank;
  hd_value *values[MAX_CARRIED] = {zero.re, zero.im};
  values[parts] = hd_build_int(g->b, hd_i1(g->b->context), 0);
  for (uint32_t d = 0; d < p->rank; ++d) values[parts + 1 + d] = hd_build_index(g->b, 0);
  hd_builder builders[HD_COMPILED_MAX_RANK], *outer[HD_COMPILED_MAX_RANK];
  hd_op *loops[HD_COMPILED_MAX_RANK];
  hd_index_tuple *at = hd_new_tuple(g, p->rank);
  hd_value *inside = NULL;
  for (uint32_t d = 0; d < p->rank; ++d) {
    at->at[d] = source->at[d];
    if (p->apart[d]) continue;
    outer[d] = g->b;
    loops[d] =
        hd_open_carried(g, &builders[d], hd_build_index(g->b, hd_attr_int_at_or(p->window, d, 1)), values, count);
    hd_lane_index step = hd_lane_mul(L, source->at[d], hd_lane_const(L, hd_attr_int_at_or(p->strides, d, 1)));
    at->at[d] = hd_lane_sub(L, hd_lane_add(L, step, hd_lane_scalar(hd_op_region(loops[d], 0)->first->args[0])),
                            hd_lane_const(L, hd_attr_int_at_or(p->padding, 2 * d, 0)));
    hd_lane_index size = hd_lane_scalar(hd_generate_dim(g, hd_generator_dim_of(g, p->operand, d)));
    inside = hd_generate_and(g, inside, hd_lane_less(L, hd_lane_const(L, -1), at->at[d]));
    inside = hd_generate_and(g, inside, hd_lane_less(L, at->at[d], size));
  }
  bool ok = hd_carry_where(g, inside, values, count, tap, &(tap_place){p, at, complex});
  for (uint32_t d = p->rank; d-- > 0;)
    if (!p->apart[d]) hd_close_carried(g, loops[d], &builders[d], outer[d], values, count);
  out->found = values[parts];
  for (uint32_t d = 0; d < p->rank; ++d) out->place[d] = values[parts + 1 + d];
  return ok;
}

bool hd_scatter_in_window(hd_generator *g, const hd_window_op *p, hd_element now, const hd_index_tuple *from,
                          hd_element *out) {
  hd_element arguments[2] = {now};
  return hd_generate(g, p->source, from, &arguments[1]) && hd_generate_region(g, p->op, 1, arguments, out);
}
