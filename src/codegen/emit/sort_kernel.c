/* SPDX-License-Identifier: Apache-2.0 */
/* Sort: the outputs hold copies of the operands; a line along the sorted dim is one item. A bottom-up merge sort, which
 * is stable, so an inconsistent comparator gives some order and never an access outside of the line.
 *
 *   for pass p, width = 2^p < n:
 *     for low in [0, n) by 2 * width:
 *       a = low, b = middle
 *       for to in [low, high):  scratch[to] = right ? out[b++] : out[a++]
 *                               where right = a has reached middle, or b is below high and less(out[b], out[a])
 *     out = scratch */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"
#include "ir/ops/stablehlo.h"

enum { MAX_PASSES = 40 };

typedef struct sort_state {
  hd_frame f;
  hd_op *op;
  hd_value *const *out, *const *scratch;
  uint32_t count, rank, axis;
  hd_lane_index line[HD_COMPILED_MAX_RANK];
} sort_state;

static hd_value *less(hd_generator *g, hd_value *x, hd_value *y) {
  return hd_lane_less(hd_generator_lanes(g), hd_lane_scalar(x), hd_lane_scalar(y));
}

static hd_index_tuple *line_at(sort_state *s, hd_value *i) {
  hd_index_tuple *at = hd_new_tuple(&s->f.g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d) at->at[d] = d == s->axis ? hd_lane_scalar(i) : s->line[d];
  return at;
}

static hd_op *open_loop(hd_generator *g, hd_builder *inside, hd_value *lower, hd_value *upper, hd_value *step,
                        hd_value **values, size_t count) {
  hd_op *loop = hd_build_for(g->b, lower, upper, step, values, count);
  *inside = hd_builder_at_end(g->b->module, hd_op_region(loop, 0)->first);
  inside->loc = g->b->loc;
  g->b = inside;
  return loop;
}

static hd_value *variable(hd_op *loop, uint32_t i) { return hd_op_region(loop, 0)->first->args[i]; }

/* One step of a merge: the smaller of the heads of [a, middle) and [b, high) goes to |to|. */
static bool merge_step(sort_state *s, hd_value *to, hd_value *middle, hd_value *high, hd_value *last,
                       hd_value **heads) {
  hd_generator *g = &s->f.g;
  hd_type i1 = hd_i1(g->b->context);
  /* A run that is used up has its head outside; what is loaded in its place is not used. */
  hd_index_tuple *a = line_at(s, hd_build_binary(g->b, HD_OP_arith_minsi, heads[0], last)),
                 *b = line_at(s, hd_build_binary(g->b, HD_OP_arith_minsi, heads[1], last));
  hd_element *arguments = hd_new_array(g->arena, hd_element, 2 * s->count), before;
  for (uint32_t i = 0; i < s->count; ++i)
    if (!hd_generate(g, s->out[i], b, &arguments[2 * i]) || !hd_generate(g, s->out[i], a, &arguments[2 * i + 1]))
      return false;
  if (!hd_generate_region(g, s->op, 0, arguments, &before)) return false;
  hd_value *has_left = less(g, heads[0], middle), *has_right = less(g, heads[1], high);
  hd_value *no_left = hd_build(g->b, HD_OP_arith_xori, i1, has_left, hd_build_int(g->b, i1, 1));
  hd_value *right =
      hd_build(g->b, HD_OP_arith_ori, i1, no_left, hd_build(g->b, HD_OP_arith_andi, i1, has_right, before.re));
  hd_index_tuple *target = line_at(s, to);
  for (uint32_t i = 0; i < s->count; ++i)
    if (!hd_generate_store(g, s->scratch[i], target,
                           hd_emit_select(g->b, right, arguments[2 * i], arguments[2 * i + 1])))
      return false;
  hd_value *zero = hd_build_index(g->b, 0), *one = hd_build_index(g->b, 1);
  heads[0] = hd_build_binary(g->b, HD_OP_arith_addi, heads[0],
                             hd_build(g->b, HD_OP_arith_select, zero->type, right, zero, one));
  heads[1] = hd_build_binary(g->b, HD_OP_arith_addi, heads[1],
                             hd_build(g->b, HD_OP_arith_select, zero->type, right, one, zero));
  return true;
}

static bool sort_line(sort_state *s) {
  hd_generator *g = &s->f.g;
  hd_builder *outer = g->b, pass, merge, step, copy;
  hd_value *n = hd_generate_dim(g, hd_generator_dim_of(g, s->out[0], s->axis)), *zero = hd_build_index(outer, 0),
           *one = hd_build_index(outer, 1);
  hd_value *last = hd_build_binary(outer, HD_OP_arith_subi, n, one);
  hd_op *passes = open_loop(g, &pass, zero, hd_build_index(outer, MAX_PASSES), one, NULL, 0);
  hd_value *width = hd_build_binary(&pass, HD_OP_arith_shli, one, variable(passes, 0)),
           *pair = hd_build_binary(&pass, HD_OP_arith_addi, width, width);
  hd_value *end =
      hd_build(&pass, HD_OP_arith_select, n->type, less(g, width, n), n, zero); /* passes beyond the last do nothing */
  hd_op *merges = open_loop(g, &merge, zero, end, pair, NULL, 0);
  hd_value *low = variable(merges, 0);
  hd_value *middle =
      hd_build_binary(&merge, HD_OP_arith_minsi, hd_build_binary(&merge, HD_OP_arith_addi, low, width), n);
  hd_value *high = hd_build_binary(&merge, HD_OP_arith_minsi, hd_build_binary(&merge, HD_OP_arith_addi, low, pair), n),
           *heads[2] = {low, middle};
  hd_op *steps = open_loop(g, &step, low, high, one, heads, 2);
  heads[0] = variable(steps, 1);
  heads[1] = variable(steps, 2);
  if (!merge_step(s, variable(steps, 0), middle, high, last, heads)) return false;
  hd_build_yield(&step, heads, 2);
  hd_build_yield(&merge, NULL, 0);
  g->b = &pass;
  hd_op *copies = open_loop(g, &copy, zero, end, one, NULL, 0);
  hd_index_tuple *at = line_at(s, variable(copies, 0));
  for (uint32_t i = 0; i < s->count; ++i) {
    hd_element value;
    if (!hd_generate(g, s->scratch[i], at, &value) || !hd_generate_store(g, s->out[i], at, value)) return false;
  }
  hd_build_yield(&copy, NULL, 0);
  hd_build_yield(&pass, NULL, 0);
  g->b = outer;
  return true;
}

bool hd_emit_sort_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                         hd_kernel_launch *out) {
  hd_op *op = ops->ops[0];
  sort_state s = {
      .op = op, .out = ops->outputs, .count = hd_buffer_output_count(op), .rank = hd_type_rank(hd_operand_type(op, 0))};
  s.scratch = s.out + s.count;
  if (s.rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(op, "has rank %u, expected at most %d in a kernel", s.rank, HD_COMPILED_MAX_RANK);
  int64_t axis = hd_stablehlo_sort_dimension(op);
  s.axis = (uint32_t)(axis < 0 ? axis + s.rank : axis);
  hd_kernel_ops none = {ops->ops, ops->count, NULL, 0};
  hd_frame_open(&s.f, shapes, &none, name, arena);
  hd_generator *g = &s.f.g;
  g->writers = (hd_map){0}; /* what it writes it also reads, from memory */
  hd_builder item;
  hd_op *items = open_loop(g, &item, s.f.begin, s.f.end, hd_build_index(g->b, 1), NULL, 0);
  hd_dim lines = hd_dim_const(&shapes->table, 1);
  hd_lane_index rest = hd_lane_scalar(variable(items, 0));
  for (uint32_t d = s.rank; d-- > 0;) {
    if (d == s.axis) continue;
    hd_dim dim = hd_generator_dim_of(g, s.out[0], d);
    hd_lane_index size = hd_lane_scalar(hd_generate_dim(g, dim));
    s.line[d] = hd_lane_rem(hd_generator_lanes(g), rest, size);
    rest = hd_lane_div(hd_generator_lanes(g), rest, size);
    lines = hd_dim_mul(&shapes->table, lines, dim);
  }
  bool ok = sort_line(&s);
  hd_build_yield(&item, NULL, 0);
  g->b = &s.f.entry;
  ok &= hd_frame_close(&s.f, out);
  out->extent = lines;
  out->grain = hd_dim_const(&shapes->table, 1);
  return ok;
}
