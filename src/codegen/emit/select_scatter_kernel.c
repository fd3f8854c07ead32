/* SPDX-License-Identifier: Apache-2.0 */
/* select_and_scatter: an item is a place in the dims that the windows do not leave (batch and channel of a pooling), so
 * items write apart from each other. Within an item, in row-major order of the source, as the specification has it:
 *
 *   out = init
 *   for source index s:  best = the first element of the window at s; each next one takes its place unless
 *                        select(best, next)
 *     if there was one:  out[place of best] = scatter(out[place of best], source[s]) */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"

#define L hd_generator_lanes(g) /* at the place of code that g->b is now */

/* Carried through the loops over a window: the best element, whether there is one, its place. */
enum { MAX_CARRIED = HD_MAX_RANK + 3 };

typedef struct pooling {
  hd_frame f;
  hd_op *op;
  hd_value *operand, *source, *init, *out;
  hd_attr window, strides, padding;
  uint32_t rank;
  bool apart[HD_MAX_RANK]; /* the window does not leave this dim */
  hd_lane_index item[HD_MAX_RANK];
} pooling;

static hd_op *open_loop(hd_generator *g, hd_builder *inside, hd_value *upper, hd_value **values, size_t count) {
  hd_op *loop = hd_build_for(g->b, hd_build_index(g->b, 0), upper, hd_build_index(g->b, 1), values, count);
  hd_block *body = hd_op_region(loop, 0)->first;
  *inside = hd_builder_at_end(g->b->module, body);
  inside->loc = g->b->loc;
  for (size_t i = 0; i < count; ++i) values[i] = body->args[1 + i];
  g->b = inside;
  return loop;
}

static void close_loop(hd_generator *g, hd_op *loop, hd_builder *inside, hd_builder *outer, hd_value **values,
                       size_t count) {
  hd_build_yield(inside, values, count);
  for (size_t i = 0; i < count; ++i) values[i] = hd_result(loop, (uint32_t)i);
  g->b = outer;
}

/* Runs |body| for every index of |buffer|'s dims that are not the item's. */
static bool for_each(pooling *p, hd_value *buffer, bool (*body)(pooling *p, const hd_index_tuple *at)) {
  hd_generator *g = &p->f.g;
  hd_builder builders[HD_MAX_RANK], *outer[HD_MAX_RANK];
  hd_op *loops[HD_MAX_RANK];
  hd_index_tuple *at = hd_new_tuple(g, p->rank);
  for (uint32_t d = 0; d < p->rank; ++d) {
    at->at[d] = p->item[d];
    if (p->apart[d]) continue;
    outer[d] = g->b;
    hd_value *size = hd_generate_dim(g, hd_generator_dim_of(g, buffer, d));
    loops[d] = open_loop(g, &builders[d], size, NULL, 0);
    at->at[d] = hd_lane_scalar(hd_op_region(loops[d], 0)->first->args[0]);
  }
  bool ok = body(p, at);
  for (uint32_t d = p->rank; d-- > 0;)
    if (!p->apart[d]) close_loop(g, loops[d], &builders[d], outer[d], NULL, 0);
  return ok;
}

static bool fill(pooling *p, const hd_index_tuple *at) {
  hd_element value;
  return hd_generate(&p->f.g, p->init, hd_new_tuple(&p->f.g, 0), &value) &&
         hd_generate_store(&p->f.g, p->out, at, value);
}

static hd_value *logic(hd_generator *g, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build(g->b, opcode, x->type, x, y);
}

/* One element of the window against the best so far; |values| are the carried ones. */
static bool tap(pooling *p, const hd_index_tuple *at, bool complex, hd_value **values) {
  hd_generator *g = &p->f.g;
  uint32_t parts = complex ? 2 : 1;
  hd_element arguments[2] = {{values[0], complex ? values[1] : NULL}}, keep;
  if (!hd_generate(g, p->operand, at, &arguments[1]) ||
      !hd_emit_region(g->b, hd_op_region(p->op, 0), arguments, 0, g->arena, &keep))
    return false;
  hd_value *stays = logic(g, HD_OP_arith_andi, values[parts], keep.re);
  hd_element best = hd_emit_select(g->b, stays, arguments[0], arguments[1]);
  values[0] = best.re;
  if (complex) values[1] = best.im;
  values[parts] = hd_build_int(g->b, hd_i1(g->b->context), 1);
  for (uint32_t d = 0; d < p->rank; ++d)
    values[parts + 1 + d] =
        hd_build(g->b, HD_OP_arith_select, at->at[d].scalar->type, stays, values[parts + 1 + d], at->at[d].scalar);
  return true;
}

static bool scatter(pooling *p, const hd_index_tuple *source) {
  hd_generator *g = &p->f.g;
  char zero_bytes[16] = {0};
  hd_element zero = hd_emit_constant(g->b, hd_type_element(p->operand->type), zero_bytes, 0);
  bool complex = zero.im != NULL;
  uint32_t parts = complex ? 2 : 1, count = parts + 1 + p->rank;
  hd_value *values[MAX_CARRIED] = {zero.re, zero.im};
  values[parts] = hd_build_int(g->b, hd_i1(g->b->context), 0);
  for (uint32_t d = 0; d < p->rank; ++d) values[parts + 1 + d] = hd_build_index(g->b, 0);
  hd_builder builders[HD_MAX_RANK], *outer[HD_MAX_RANK];
  hd_op *loops[HD_MAX_RANK];
  hd_index_tuple *at = hd_new_tuple(g, p->rank);
  hd_value *inside = NULL;
  for (uint32_t d = 0; d < p->rank; ++d) {
    at->at[d] = source->at[d];
    if (p->apart[d]) continue;
    outer[d] = g->b;
    loops[d] = open_loop(g, &builders[d], hd_build_index(g->b, hd_attr_int_at_or(p->window, d, 1)), values, count);
    hd_lane_index step = hd_lane_mul(L, source->at[d], hd_lane_const(L, hd_attr_int_at_or(p->strides, d, 1)));
    at->at[d] = hd_lane_sub(L, hd_lane_add(L, step, hd_lane_scalar(hd_op_region(loops[d], 0)->first->args[0])),
                            hd_lane_const(L, hd_attr_int_at_or(p->padding, 2 * d, 0)));
    hd_lane_index size = hd_lane_scalar(hd_generate_dim(g, hd_generator_dim_of(g, p->operand, d)));
    inside = hd_generate_and(g, inside, hd_lane_less(L, hd_lane_const(L, -1), at->at[d]));
    inside = hd_generate_and(g, inside, hd_lane_less(L, at->at[d], size));
  }
  bool ok;
  if (inside) {
    hd_type types[MAX_CARRIED];
    for (uint32_t i = 0; i < count; ++i) types[i] = values[i]->type;
    hd_op *branch = hd_build_if(g->b, inside, types, count, true);
    hd_builder *around = g->b, then = hd_builder_at_end(g->b->module, hd_op_region(branch, 0)->first),
               other = hd_builder_at_end(g->b->module, hd_op_region(branch, 1)->first);
    then.loc = other.loc = around->loc;
    hd_build_yield(&other, values, count);
    g->b = &then;
    ok = tap(p, at, complex, values);
    hd_build_yield(&then, values, count);
    g->b = around;
    for (uint32_t i = 0; i < count; ++i) values[i] = hd_result(branch, i);
  } else {
    ok = tap(p, at, complex, values);
  }
  for (uint32_t d = p->rank; d-- > 0;)
    if (!p->apart[d]) close_loop(g, loops[d], &builders[d], outer[d], values, count);
  if (!ok) return false;
  hd_op *branch = hd_build_if(g->b, values[parts], NULL, 0, false);
  hd_builder *around = g->b, then = hd_builder_at_end(g->b->module, hd_op_region(branch, 0)->first);
  then.loc = around->loc;
  g->b = &then;
  hd_index_tuple *to = hd_new_tuple(g, p->rank);
  for (uint32_t d = 0; d < p->rank; ++d) to->at[d] = hd_lane_scalar(values[parts + 1 + d]);
  hd_element arguments[2], result;
  ok = hd_generate(g, p->out, to, &arguments[0]) && hd_generate(g, p->source, source, &arguments[1]) &&
       hd_emit_region(g->b, hd_op_region(p->op, 1), arguments, 0, g->arena, &result) &&
       hd_generate_store(g, p->out, to, result);
  hd_build_yield(&then, NULL, 0);
  g->b = around;
  return ok;
}

bool hd_emit_select_and_scatter_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                       hd_kernel_launch *out) {
  hd_op *op = ops->ops[0];
  pooling p = {.op = op,
               .operand = hd_operand(op, 0),
               .source = hd_operand(op, 1),
               .init = hd_operand(op, 2),
               .out = hd_buffer_output(op, 0),
               .window = hd_op_attr_get(op, "window_dimensions"),
               .strides = hd_op_attr_get(op, "window_strides"),
               .padding = hd_op_attr_get(op, "padding"),
               .rank = hd_type_rank(hd_operand_type(op, 0))};
  if (p.rank > HD_MAX_RANK) return hd_op_error(op, "is too large for a kernel");
  hd_kernel_ops none = {ops->ops, ops->count, NULL, 0};
  hd_frame_open(&p.f, shapes, &none, name, arena);
  hd_generator *g = &p.f.g;
  g->writers = (hd_map){0}; /* what it writes it also reads, from memory */
  hd_op *items = hd_build_for(g->b, p.f.begin, p.f.end, hd_build_index(g->b, 1), NULL, 0);
  hd_builder item = hd_builder_at_end(g->b->module, hd_op_region(items, 0)->first);
  item.loc = g->b->loc;
  g->b = &item;
  hd_dim count = hd_dim_const(&shapes->table, 1);
  hd_lane_index rest = hd_lane_scalar(hd_op_region(items, 0)->first->args[0]);
  for (uint32_t d = p.rank; d-- > 0;) {
    p.apart[d] = hd_attr_int_at_or(p.window, d, 1) == 1 && hd_attr_int_at_or(p.strides, d, 1) == 1 &&
                 hd_attr_int_at_or(p.padding, 2 * d, 0) == 0 && hd_attr_int_at_or(p.padding, 2 * d + 1, 0) == 0;
    if (!p.apart[d]) continue;
    hd_dim dim = hd_generator_dim_of(g, p.operand, d);
    hd_lane_index size = hd_lane_scalar(hd_generate_dim(g, dim));
    p.item[d] = hd_lane_rem(L, rest, size);
    rest = hd_lane_div(L, rest, size);
    count = hd_dim_mul(&shapes->table, count, dim);
  }
  bool ok = for_each(&p, p.out, fill) && for_each(&p, p.source, scatter);
  hd_build_yield(&item, NULL, 0);
  g->b = &p.f.entry;
  hd_frame_close(&p.f, out);
  out->extent = count;
  out->grain = hd_dim_const(&shapes->table, 1);
  return ok;
}
