/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of dims that others are inside of: [a, rows, b] -> [a, b]. Where all dims are reduced b is 1.
 *
 *   totals   for item in [begin, end): a block of rows, a stripe of neighbours in b
 *              totals[block, stripe] = neutral
 *              for 8 rows of the block at a time:
 *                for i in stripe by vectors:  totals[block, i] = totals[block, i] o x[row, i] o ... o x[row + 7, i]
 *   join     result[i] = initial value o totals[0, i] o ... o totals[blocks - 1, i]
 *
 * Rows shorter than a vector are side by side in vectors first (column_narrow.c); what is left of them comes after.
 *
 * A stripe's totals stay in the first cache, and memory is read in runs of its length. Rows keep their order, and
 * blocks follow from the dims alone (hd_plan_columns), so the bits do not depend on threads. */
#include "codegen/emit/column_state.h"
#include "codegen/emit/generate_ops.h"

enum {
  STRIPE = 512,      /* neighbours whose totals an item keeps */
  PARALLEL = 64,     /* items that are enough for all threads; no block has fewer rows */
  ITEM = 16384,      /* elements of a block at least */
  SHORT = 12,        /* ops that are made for so many rows, and */
  MEDIUM = 32,       /* for half as many; more for one */
  JOIN_BLOCK = 2048, /* results of an item of the join */
};

/* How many items the totals have, and the elements of one, where |inner| dims are walked as one. */
static void item_sizes(hd_dim_table *t, const hd_column_plan *plan, hd_dim inner, hd_dim *out_items,
                       hd_dim *out_elements) {
  hd_dim one = hd_dim_const(t, 1), stripe = hd_dim_const(t, STRIPE);
  hd_dim lines = hd_dim_floordiv(t, plan->width, hd_dim_max(t, inner, one));
  *out_items = hd_dim_mul(t, hd_dim_mul(t, lines, plan->blocks), hd_dim_ceildiv(t, inner, stripe));
  *out_elements = hd_dim_mul(t, plan->block, hd_dim_min(t, inner, stripe));
}

bool hd_plan_columns(hd_shapes *shapes, const hd_op *reduction, hd_column_plan *out) {
  hd_dim_table *t = &shapes->table;
  hd_value *x = hd_operand(reduction, 0);
  hd_dim one = hd_dim_const(t, 1), outer = one, inner = one, stripe = hd_dim_const(t, STRIPE);
  *out = (hd_column_plan){.rows = one};
  hd_is_column_reduction(reduction, &out->begin, &out->end);
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d) {
    hd_dim *part = d < out->begin ? &outer : d < out->end ? &out->rows : &inner;
    *part = hd_dim_mul(t, *part, hd_shapes_dim(shapes, x, d));
  }
  out->width = hd_dim_mul(t, outer, inner);
  hd_dim neighbours = hd_dim_max(t, hd_dim_min(t, inner, stripe), one);
  hd_dim least = hd_dim_max(t, hd_dim_ceildiv(t, hd_dim_const(t, ITEM), neighbours), hd_dim_const(t, PARALLEL));
  hd_dim stripes = hd_dim_mul(t, outer, hd_dim_ceildiv(t, inner, stripe));
  hd_dim wanted = hd_dim_floordiv(t, hd_dim_const(t, PARALLEL), hd_dim_max(t, stripes, one));
  /* At most 64 blocks of at least 64 rows: none comes to be after the end. */
  out->blocks = hd_dim_max(t, hd_dim_min(t, hd_dim_floordiv(t, out->rows, least), wanted), one);
  out->block = hd_dim_ceildiv(t, out->rows, out->blocks);
  hd_dim items, elements;
  item_sizes(t, out, inner, &items, &elements);
  return out->blocks && out->block && items && elements;
}

uint32_t hd_column_reductions(const hd_kernel_ops *ops, hd_op **out) {
  uint32_t count = 0, begin, end;
  for (size_t i = 0; i < ops->count; ++i)
    if (hd_is_column_reduction(ops->ops[i], &begin, &end)) out[count++] = ops->ops[i];
  return count;
}

static hd_value *index_op(hd_generator *g, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build_binary(g->b, opcode, x, y);
}

static bool is_result(const hd_column_state *s, const hd_value *output) {
  for (uint32_t r = 0; r < s->count; ++r)
    if (hd_buffer_output(s->reductions[r], 0) == output) return true;
  return false;
}

static hd_index_tuple *total_at(hd_generator *g, hd_value *block, hd_lane_index i) {
  hd_index_tuple *at = hd_new_tuple(g, 2);
  at->at[0] = hd_lane_scalar(block);
  at->at[1] = i;
  return at;
}

hd_index_tuple *hd_column_total(hd_column_state *s, hd_generator *g, hd_lane_index i) {
  return total_at(g, s->block, hd_lane_add(hd_generator_lanes(g), hd_lane_scalar(s->first), i));
}

static bool clear(hd_generator *g, void *user, hd_lane_index i, hd_value **values) {
  (void)values;
  hd_column_state *s = user;
  const hd_index_tuple *to = hd_column_total(s, g, i);
  for (uint32_t r = 0; r < s->count; ++r)
    if (!hd_generate_store(g, s->totals[r], to, hd_reduction_identity(g->b, s->reductions[r], g->lanes))) return false;
  return true;
}

bool hd_column_add(hd_column_state *s, hd_generator *g, const hd_index_tuple *at, hd_element *sums) {
  hd_element value;
  for (uint32_t r = 0; r < s->count; ++r)
    if (!hd_generate(g, hd_operand(s->reductions[r], 0), at, &value) ||
        !hd_reduction_combine(g->b, s->reductions[r], sums[r], value, g->lanes, &sums[r]))
      return false;
  for (size_t o = 0; o < s->output_count; ++o)
    if (!is_result(s, s->ops->outputs[o]) &&
        (!hd_generate(g, s->ops->outputs[o], at, &value) || !hd_generate_store(g, s->ops->outputs[o], at, value)))
      return false;
  return true;
}

static bool add_row(hd_column_state *s, hd_generator *g, const hd_lane_index *row, hd_lane_index i, hd_element *sums) {
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d)
    at->at[d] = d >= s->plan.begin && d < s->plan.end ? row[d]
                : d < s->inner_first                  ? s->outer[d]
                                                      : hd_lane_const(hd_generator_lanes(g), 0);
  if (s->plan.end < s->rank) at->at[s->rank - 1] = i;
  return hd_column_add(s, g, at, sums);
}

static bool add_rows(hd_generator *g, void *user, hd_lane_index i, hd_value **values) {
  (void)values;
  hd_column_state *s = user;
  const hd_index_tuple *total = hd_column_total(s, g, i);
  hd_element *sums = hd_generator_array(g, hd_element, s->count);
  for (uint32_t r = 0; r < s->count; ++r)
    if (!hd_generate(g, s->totals[r], total, &sums[r])) return false;
  for (uint32_t k = 0; k < s->together; ++k)
    if (!add_row(s, g, s->rows[k], i, sums)) return false;
  const hd_index_tuple *to = hd_column_total(s, g, i);
  for (uint32_t r = 0; r < s->count; ++r)
    if (!hd_generate_store(g, s->totals[r], to, sums[r])) return false;
  return true;
}

/* Rows [lower, upper), |together| at a time. */
static bool row_loop(hd_column_state *s, hd_value *lower, hd_value *upper, uint32_t together) {
  hd_generator *g = &s->f.g;
  hd_builder *outer = g->b;
  hd_op *loop = hd_build_for(outer, lower, upper, hd_build_index(outer, together), NULL, 0);
  hd_builder in = hd_builder_at_end(outer->module, hd_op_region(loop, 0)->first);
  in.loc = outer->loc;
  g->b = &in;
  s->together = together;
  for (uint32_t k = 0; k < together; ++k) {
    hd_value *row = hd_op_region(loop, 0)->first->args[0];
    if (k) row = index_op(g, HD_OP_arith_addi, row, hd_build_index(&in, k));
    hd_delinearize(g, s->full, s->merged, s->plan.begin, s->plan.end, row, s->rows[k]);
  }
  bool ok = hd_vector_loop(g, s->lower, s->upper, s->inner, NULL, 0, add_rows, NULL, s);
  hd_build_yield(&in, NULL, 0);
  g->b = outer;
  return ok;
}

/* item = ((a, middle), block, stripe) */
static void open_item(hd_column_state *s, hd_value *item) {
  hd_generator *g = &s->f.g;
  hd_lanes l = hd_generator_lanes(g);
  hd_dim_table *t = &g->shapes->table;
  hd_dim stripes = hd_dim_ceildiv(t, s->inner, hd_dim_const(t, STRIPE));
  hd_lane_index by = hd_lane_scalar(hd_generate_dim(g, stripes)), rest = hd_lane_scalar(item);
  hd_value *inner = hd_generate_dim(g, s->inner), *length = hd_build_index(g->b, STRIPE);
  s->lower = index_op(g, HD_OP_arith_muli, hd_lane_rem(l, rest, by).scalar, length);
  s->upper = index_op(g, HD_OP_arith_minsi, index_op(g, HD_OP_arith_addi, s->lower, length), inner);
  rest = hd_lane_div(l, rest, by);
  by = hd_lane_scalar(hd_generate_dim(g, s->plan.blocks));
  s->block = hd_lane_rem(l, rest, by).scalar;
  rest = hd_lane_div(l, rest, by);
  s->first = index_op(g, HD_OP_arith_muli, rest.scalar, inner);
  by = hd_lane_scalar(hd_generate_dim(g, s->middle));
  hd_delinearize(g, s->full, s->merged, 0, s->plan.begin, hd_lane_div(l, rest, by).scalar, s->outer);
  hd_delinearize(g, s->full, s->merged, s->plan.end, s->inner_first, hd_lane_rem(l, rest, by).scalar, s->outer);
}

static bool emit_item(hd_column_state *s) {
  hd_generator *g = &s->f.g;
  size_t length = s->ops->count;
  uint32_t together = g->compact ? 1 : length <= SHORT ? HD_COLUMN_ROWS : length <= MEDIUM ? HD_COLUMN_ROWS / 2 : 1;
  hd_value *size = hd_generate_dim(g, s->plan.block), *begin = index_op(g, HD_OP_arith_muli, s->block, size);
  hd_value *end = index_op(g, HD_OP_arith_addi, begin, size), *rows = hd_generate_dim(g, s->plan.rows);
  end = index_op(g, HD_OP_arith_minsi, end, rows);
  if (!hd_vector_loop(g, s->lower, s->upper, s->inner, NULL, 0, clear, NULL, s)) return false;
  if (!hd_column_add_narrow(s, &begin, end)) return false;
  hd_value *rest = index_op(g, HD_OP_arith_andi, index_op(g, HD_OP_arith_subi, end, begin),
                            hd_build_index(g->b, together - 1)),
           *whole = index_op(g, HD_OP_arith_subi, end, rest);
  return row_loop(s, begin, whole, together) && (together == 1 || row_loop(s, whole, end, 1));
}

/* What both kernels know. */
static bool open_state(hd_column_state *s, hd_shapes *shapes, const hd_kernel_ops *ops, const char *name,
                       hd_arena *arena) {
  s->reductions = hd_new_array(arena, hd_op *, ops->count);
  s->count = hd_column_reductions(ops, s->reductions);
  s->full = hd_operand(s->reductions[0], 0);
  s->rank = hd_type_rank(s->full->type);
  if (s->rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(s->reductions[0], "has rank %u, expected at most %d in a kernel", s->rank, HD_COMPILED_MAX_RANK);
  s->output_count = ops->output_count - s->count;
  s->totals = ops->outputs + s->output_count;
  hd_plan_columns(shapes, s->reductions[0], &s->plan);
  hd_frame_open(&s->f, shapes, ops, name, arena);
  return true;
}

static void merge_dims(hd_column_state *s) {
  hd_generator *g = &s->f.g;
  hd_dim_table *t = &g->shapes->table;
  hd_value **roots = hd_new_array(g->arena, hd_value *, s->count + s->output_count);
  size_t count = 0;
  for (uint32_t r = 0; r < s->count; ++r) roots[count++] = hd_operand(s->reductions[r], 0);
  for (size_t o = 0; o < s->output_count; ++o)
    if (!is_result(s, s->ops->outputs[o])) roots[count++] = s->ops->outputs[o];
  hd_merge_dims(g, roots, count, s->rank, s->merged);
  if (s->plan.begin) s->merged[s->plan.begin - 1] = false;
  s->merged[s->plan.end - 1] = false;
  s->inner_first = s->plan.end < s->rank ? s->rank - 1 : s->rank;
  while (s->merged[s->inner_first - 1]) --s->inner_first; /* not beyond the reduced dims */
  s->inner = s->middle = hd_dim_const(t, 1);
  for (uint32_t d = s->plan.end; d < s->rank; ++d) {
    hd_dim *part = d < s->inner_first ? &s->middle : &s->inner;
    *part = hd_dim_mul(t, *part, hd_shapes_dim(g->shapes, s->full, d));
  }
}

bool hd_emit_column_totals_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                  hd_kernel_launch *out) {
  hd_column_state s = {.ops = ops};
  if (!open_state(&s, shapes, ops, name, arena)) return false;
  hd_generator *g = &s.f.g;
  merge_dims(&s);
  hd_dim count, elements;
  item_sizes(&shapes->table, &s.plan, s.inner, &count, &elements);
  hd_frame_divide(&s.f, count, elements, hd_grain_elements(shapes, ops, s.full), out);
  hd_op *items = hd_build_for(g->b, s.f.begin, s.f.end, hd_build_index(g->b, 1), NULL, 0);
  hd_builder in = hd_builder_at_end(g->b->module, hd_op_region(items, 0)->first);
  in.loc = g->b->loc;
  g->b = &in;
  open_item(&s, hd_op_region(items, 0)->first->args[0]);
  bool ok = emit_item(&s);
  hd_build_yield(&in, NULL, 0);
  g->b = &s.f.entry;
  ok &= hd_frame_close(&s.f, out);
  return ok;
}

static bool join_totals(hd_generator *g, void *user, hd_lane_index i, hd_value **values) {
  (void)values;
  hd_column_state *s = user;
  hd_value **sums = hd_generator_array(g, hd_value *, s->count);
  hd_element value;
  for (uint32_t r = 0; r < s->count; ++r) {
    if (!hd_generate(g, hd_operand(s->reductions[r], 1), hd_new_tuple(g, 0), &value)) return false;
    sums[r] = hd_spread_element(g, value).re;
  }
  hd_builder *outer = g->b;
  hd_op *loop = hd_build_for(outer, hd_build_index(outer, 0), hd_generate_dim(g, s->plan.blocks),
                             hd_build_index(outer, 1), sums, s->count);
  hd_block *body = hd_op_region(loop, 0)->first;
  hd_builder in = hd_builder_at_end(outer->module, body);
  in.loc = outer->loc;
  g->b = &in;
  const hd_index_tuple *at = total_at(g, body->args[0], i);
  bool ok = true;
  for (uint32_t r = 0; r < s->count && ok; ++r) {
    ok = hd_generate(g, s->totals[r], at, &value) &&
         hd_reduction_combine(g->b, s->reductions[r], (hd_element){body->args[1 + r], NULL}, value, g->lanes, &value);
    sums[r] = value.re;
  }
  hd_build_yield(&in, sums, s->count);
  g->b = outer;
  for (uint32_t r = 0; r < s->count && ok; ++r) {
    hd_value *to = hd_buffer_output(s->reductions[r], 0);
    uint32_t rank = hd_type_rank(to->type);
    hd_index_tuple *flat = hd_new_tuple(g, rank); /* whole dims: an element's place is its number */
    for (uint32_t d = 0; d < rank; ++d) flat->at[d] = d + 1 < rank ? hd_lane_const(hd_generator_lanes(g), 0) : i;
    ok = hd_generate_store(g, to, flat, (hd_element){hd_result(loop, r), NULL});
  }
  return ok;
}

bool hd_emit_column_join_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                hd_kernel_launch *out) {
  hd_column_state s = {.ops = ops};
  if (!open_state(&s, shapes, ops, name, arena)) return false;
  hd_generator *g = &s.f.g;
  hd_dim_table *t = &shapes->table;
  hd_op *items = hd_build_for(g->b, s.f.begin, s.f.end, hd_build_index(g->b, 1), NULL, 0);
  hd_builder in = hd_builder_at_end(g->b->module, hd_op_region(items, 0)->first);
  in.loc = g->b->loc;
  g->b = &in;
  hd_value *size = hd_build_index(&in, JOIN_BLOCK), *width = hd_generate_dim(g, s.plan.width);
  hd_value *lower = index_op(g, HD_OP_arith_muli, hd_op_region(items, 0)->first->args[0], size);
  hd_value *upper = index_op(g, HD_OP_arith_minsi, index_op(g, HD_OP_arith_addi, lower, size), width);
  bool ok = hd_vector_loop(g, lower, upper, s.plan.width, NULL, 0, join_totals, NULL, &s);
  hd_build_yield(&in, NULL, 0);
  g->b = &s.f.entry;
  ok &= hd_frame_close(&s.f, out);
  out->extent = hd_dim_ceildiv(t, s.plan.width, hd_dim_const(t, JOIN_BLOCK));
  out->grain = hd_dim_const(t, 4);
  return ok;
}
