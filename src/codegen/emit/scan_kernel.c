/* SPDX-License-Identifier: Apache-2.0 */
/* mhlo.associative_scan: two kernels over (line, block of the line), launched one after the other.
 *
 *   totals   totals[block] = x[first] o ... o x[last] of every block but the last of its line
 *   scan     gathered = init o totals[0] o ... o totals[block - 1]
 *            for i in block: out[i] = gathered = gathered o x[i]
 *
 * How a line is divided follows from the dims alone (hd_plan_scan), so the bits do not depend on threads. A line that
 * is one block is read once. o need only be associative; the initial value counts once.
 *
 * Along a dim with others inside of it, a line is 64 neighbours, each in a lane. Along the innermost one it is a row,
 * and a vector v of it becomes its own scan in four steps: v[l] = v[l - 2^k] o v[l] where l >= 2^k.
 *
 * A body that rounds (reduce_precision) is no associative one: a line is one block
 * then, and takes one lane after the other. */
#include <string.h>

#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/scan.h"
#include "ir/ops/interfaces.h"

enum { TILE = 64, VECTORS = TILE / HD_LANES, GRAIN = 2048, PARALLEL = 64, ROW_BLOCK = 8192, COLUMN_BLOCK = 512 };

void hd_plan_scan(hd_shapes *shapes, hd_op *op, hd_scan_plan *out) {
  hd_dim_table *t = &shapes->table;
  hd_value *x = hd_operand(op, 0);
  hd_dim one = hd_dim_const(t, 1);
  *out = (hd_scan_plan){.axis = (uint32_t)hd_scan_like_dimension(op), .outer = one, .inner = one};
  out->in_order = hd_regions_round(op);
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d) {
    hd_dim *side = d < out->axis ? &out->outer : &out->inner;
    if (d != out->axis) *side = hd_dim_mul(t, *side, hd_shapes_dim(shapes, x, d));
  }
  int64_t inner;
  out->length = hd_shapes_dim(shapes, x, out->axis);
  out->is_row = hd_dim_is_const(t, out->inner, &inner) && inner == 1;
  out->tiles = out->is_row ? one : hd_dim_ceildiv(t, out->inner, hd_dim_const(t, TILE));
  out->lines = hd_dim_mul(t, out->outer, out->tiles);
  hd_dim least = hd_dim_const(t, out->is_row ? ROW_BLOCK : COLUMN_BLOCK);
  hd_dim wanted = hd_dim_floordiv(t, hd_dim_const(t, PARALLEL), hd_dim_max(t, out->lines, one));
  out->blocks = hd_dim_max(t, hd_dim_min(t, hd_dim_floordiv(t, out->length, least), wanted), one);
  if (out->in_order) out->blocks = one;
  /* Whole vectors: at 64 blocks of at least 8192 elements no block comes to be after the end. */
  hd_dim unit = hd_dim_const(t, out->is_row ? HD_LANES : 1);
  out->block = hd_dim_mul(t, hd_dim_ceildiv(t, hd_dim_ceildiv(t, out->length, out->blocks), unit), unit);
  out->width = hd_dim_mul(t, out->outer, out->inner);
}

typedef struct scan_state {
  hd_frame f;
  hd_op *op;
  hd_scan_plan plan;
  uint32_t count, rank;
  bool reverse, writes; /* writes: the scan, not the totals */
  hd_value *const *out, *const *totals;
  hd_element *init;
  uint32_t flat;                                 /* values that a loop carries */
  hd_value *line, *outer, *column, *begin, *end; /* of the item; column: of its first lane */
  hd_lane_index outer_at[HD_COMPILED_MAX_RANK];
} scan_state;

static hd_builder inside_of(hd_builder *outer, hd_op *op, uint32_t r) {
  hd_builder in = hd_builder_at_end(outer->module, hd_op_region(op, r)->first);
  in.loc = outer->loc;
  return in;
}

static hd_value *index_op(hd_generator *g, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build_binary(g->b, opcode, x, y);
}

/* gathered o x, both of |count| elements, into |out|, which may be either. */
static bool combine(scan_state *s, const hd_element *gathered, const hd_element *x, hd_element *out) {
  hd_element *arguments = hd_generator_array(&s->f.g, hd_element, 2 * (size_t)s->count);
  for (uint32_t i = 0; i < s->count; ++i) {
    arguments[i] = gathered[i];
    arguments[s->count + i] = x[i];
  }
  return hd_generate_region(&s->f.g, s->op, 0, arguments, out);
}

/* The place of element |i| of the line in scan order, |lane| in the dims inside. */
static hd_index_tuple *place(scan_state *s, hd_lane_index i, hd_lane_index lane) {
  hd_generator *g = &s->f.g;
  hd_lanes l = hd_generator_lanes(g);
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  if (s->reverse) {
    hd_value *last = index_op(g, HD_OP_arith_subi, hd_generate_dim(g, s->plan.length), hd_build_index(g->b, 1));
    i = hd_lane_sub(l, hd_lane_scalar(last), i);
  }
  for (uint32_t d = 0; d < s->rank; ++d)
    at->at[d] = d < s->plan.axis ? s->outer_at[d] : d == s->plan.axis ? i : hd_lane_const(l, 0);
  if (!s->plan.is_row) at->at[s->rank - 1] = lane;
  return at;
}

static bool load(scan_state *s, const hd_index_tuple *at, hd_element *out) {
  for (uint32_t i = 0; i < s->count; ++i)
    if (!hd_generate(&s->f.g, hd_operand(s->op, i), at, &out[i])) return false;
  return true;
}

static bool store(scan_state *s, hd_value *const *buffers, const hd_index_tuple *at, const hd_element *values) {
  for (uint32_t i = 0; i < s->count; ++i)
    if (!hd_generate_store(&s->f.g, buffers[i], at, values[i])) return false;
  return true;
}

static hd_index_tuple *total_place(scan_state *s, hd_value *block, hd_lane_index lane) {
  hd_generator *g = &s->f.g;
  hd_lanes l = hd_generator_lanes(g);
  hd_index_tuple *at = hd_new_tuple(g, 2);
  at->at[0] = hd_lane_scalar(block);
  hd_value *first =
      s->plan.is_row ? s->outer : index_op(g, HD_OP_arith_muli, s->outer, hd_generate_dim(g, s->plan.inner));
  at->at[1] = s->plan.is_row ? hd_lane_scalar(first) : hd_lane_add(l, hd_lane_scalar(first), lane);
  return at;
}

typedef bool (*step_fn)(scan_state *s, hd_value *i, hd_element *gathered, void *user);

/* for (i = lower; i < upper; i += step): gathered = body(i, gathered) */
static bool carry(scan_state *s, hd_value *lower, hd_value *upper, int64_t step, hd_element *gathered, uint32_t count,
                  step_fn body, void *user) {
  hd_generator *g = &s->f.g;
  hd_builder *outer = g->b;
  hd_element *like = hd_generator_array(g, hd_element, count);
  for (uint32_t i = 0; i < count; ++i) like[i] = gathered[i];
  hd_value **flat = hd_generator_array(g, hd_value *, 2 * (size_t)count);
  uint32_t n = hd_flatten_elements(gathered, count, flat);
  hd_op *loop = hd_build_for(outer, lower, upper, hd_build_index(outer, step), flat, n);
  hd_builder in = inside_of(outer, loop, 0);
  hd_block *block = hd_op_region(loop, 0)->first;
  g->b = &in;
  hd_unflatten_elements(block->args + 1, count, like, gathered);
  bool ok = body(s, block->args[0], gathered, user);
  if (ok) hd_flatten_elements(gathered, count, flat);
  hd_build_yield(&in, flat, n);
  g->b = outer;
  for (uint32_t i = 0; i < n; ++i) flat[i] = hd_result(loop, i);
  hd_unflatten_elements(flat, count, like, gathered);
  return ok;
}

static bool take_total(scan_state *s, hd_value *block, hd_element *gathered, void *user) {
  hd_generator *g = &s->f.g;
  const hd_index_tuple *at = total_place(s, block, user ? *(hd_lane_index *)user : (hd_lane_index){0});
  hd_element *x = hd_generator_array(g, hd_element, s->count);
  for (uint32_t i = 0; i < s->count; ++i)
    if (!hd_generate(g, s->totals[i], at, &x[i])) return false;
  return combine(s, gathered, x, gathered);
}

/* What comes before the item's block: the initial value and the totals of the blocks before. */
static bool gathered_before(scan_state *s, hd_value *block, hd_lane_index *lane, hd_element *gathered) {
  hd_generator *g = &s->f.g;
  for (uint32_t i = 0; i < s->count; ++i) gathered[i] = hd_spread_element(g, s->init[i]);
  if (!s->totals) return true;
  return carry(s, hd_build_index(g->b, 0), block, 1, gathered, s->count, take_total, lane);
}

/* Rows ------------------------------------------------------------------------------------------------------------- */

static hd_value *shuffled(hd_builder *b, hd_value *v, const int64_t *lanes) {
  hd_attr_arg mask = {HD_NAME_mask, hd_attr_i64_array(b->context, lanes, HD_LANES)};
  return hd_build_one_(b, HD_OP_vector_shuffle, v->type, (hd_value *[]){v, v}, 2, &mask, 1);
}

static void shuffle_all(scan_state *s, const hd_element *in, const int64_t *lanes, hd_element *out) {
  for (uint32_t i = 0; i < s->count; ++i)
    out[i] = (hd_element){shuffled(s->f.g.b, in[i].re, lanes), in[i].im ? shuffled(s->f.g.b, in[i].im, lanes) : NULL};
}

/* v[l] = v[0] o ... o v[l]. Lanes after the end of a line may hold anything: no lane before them reads them. */
static bool scan_vector(scan_state *s, hd_element *v) {
  hd_generator *g = &s->f.g;
  hd_type i1 = hd_lanes_type(hd_i1(g->b->context), HD_LANES);
  hd_element *moved = hd_generator_array(g, hd_element, s->count), *next = hd_generator_array(g, hd_element, s->count);
  for (int64_t by = 1; by < HD_LANES; by *= 2) {
    int64_t lanes[HD_LANES];
    for (int64_t l = 0; l < HD_LANES; ++l) lanes[l] = l < by ? l : l - by;
    shuffle_all(s, v, lanes, moved);
    if (!combine(s, moved, v, next)) return false;
    hd_value *first = hd_build(g->b, HD_OP_vector_create_mask, i1, hd_build_index(g->b, by));
    for (uint32_t i = 0; i < s->count; ++i) v[i] = hd_emit_select(g->b, first, v[i], next[i]);
  }
  return true;
}

/* v[l] = gathered o v[0] o ... o v[l], one after the other. */
static bool scan_lanes(scan_state *s, hd_element *gathered, hd_element *v) {
  hd_generator *g = &s->f.g;
  hd_type i1 = hd_lanes_type(hd_i1(g->b->context), HD_LANES);
  hd_element *next = hd_generator_array(g, hd_element, s->count), *made = hd_generator_array(g, hd_element, s->count);
  for (int64_t l = 0; l < HD_LANES; ++l) {
    int64_t lanes[HD_LANES];
    for (int64_t k = 0; k < HD_LANES; ++k) lanes[k] = l;
    if (!combine(s, gathered, v, next)) return false;
    hd_value *before = l ? hd_build(g->b, HD_OP_vector_create_mask, i1, hd_build_index(g->b, l)) : NULL;
    for (uint32_t i = 0; i < s->count; ++i) made[i] = l ? hd_emit_select(g->b, before, made[i], next[i]) : next[i];
    shuffle_all(s, next, lanes, gathered);
  }
  memcpy(v, made, s->count * sizeof *v);
  return true;
}

static bool scan_step(scan_state *s, hd_value *i, hd_element *gathered, void *user) {
  hd_generator *g = &s->f.g;
  bool *first = user;
  hd_lane_index at = {.scalar = i, .step = 1, .whole = true};
  const hd_index_tuple *here = place(s, at, (hd_lane_index){0});
  hd_element *v = hd_generator_array(g, hd_element, s->count);
  if (!load(s, here, v)) return false;
  if (s->plan.in_order) return scan_lanes(s, gathered, v) && (!s->writes || store(s, s->out, here, v));
  if (!scan_vector(s, v)) return false;
  if (!first && !combine(s, gathered, v, v)) return false;
  if (s->writes && !store(s, s->out, here, v)) return false;
  int64_t last[HD_LANES];
  for (int64_t l = 0; l < HD_LANES; ++l) last[l] = HD_LANES - 1;
  shuffle_all(s, v, last, gathered);
  return true;
}

/* The last, partial vector of a row. */
static bool scan_rest(scan_state *s, hd_value *whole, hd_value *rest, hd_element *gathered) {
  hd_generator *g = &s->f.g;
  hd_builder *outer = g->b;
  hd_value *zero = hd_build_index(outer, 0);
  hd_value *some = hd_build_binary(outer, HD_OP_arith_minsi, rest, hd_build_index(outer, 1));
  hd_op *once = hd_build_for(outer, zero, some, hd_build_index(outer, 1), NULL, 0);
  hd_builder in = inside_of(outer, once, 0);
  g->b = &in;
  g->mask = hd_build(&in, HD_OP_vector_create_mask, hd_lanes_type(hd_i1(in.context), HD_LANES), rest);
  bool ok = scan_step(s, whole, gathered, NULL);
  g->mask = NULL;
  hd_build_yield(&in, NULL, 0);
  g->b = outer;
  return ok;
}

static bool row_item(scan_state *s, hd_value *block) {
  hd_generator *g = &s->f.g;
  hd_element *gathered = hd_generator_array(g, hd_element, s->count);
  g->lanes = HD_LANES;
  bool ok;
  if (s->writes) {
    hd_value *length = index_op(g, HD_OP_arith_subi, s->end, s->begin);
    hd_value *rest = index_op(g, HD_OP_arith_andi, length, hd_build_index(g->b, HD_LANES - 1));
    hd_value *whole = index_op(g, HD_OP_arith_subi, s->end, rest);
    ok = gathered_before(s, block, NULL, gathered) &&
         carry(s, s->begin, whole, HD_LANES, gathered, s->count, scan_step, NULL) &&
         scan_rest(s, whole, rest, gathered);
  } else { /* whole vectors, of which there is one at least */
    bool first = true;
    hd_value *second = index_op(g, HD_OP_arith_addi, s->begin, hd_build_index(g->b, HD_LANES));
    ok = scan_step(s, s->begin, gathered, &first) &&
         carry(s, second, s->end, HD_LANES, gathered, s->count, scan_step, NULL);
    for (uint32_t i = 0; ok && i < s->count; ++i) {
      hd_type part = hd_type_element(gathered[i].re->type);
      hd_attr_arg at = {HD_NAME_static_position, hd_attr_i64_array(g->b->context, (int64_t[]){0}, 1)};
      gathered[i].re = hd_build_one_(g->b, HD_OP_vector_extract, part, &gathered[i].re, 1, &at, 1);
      if (gathered[i].im) gathered[i].im = hd_build_one_(g->b, HD_OP_vector_extract, part, &gathered[i].im, 1, &at, 1);
    }
    g->lanes = 0;
    ok = ok && store(s, s->totals, total_place(s, block, (hd_lane_index){0}), gathered);
  }
  g->lanes = 0;
  return ok;
}

/* Columns ---------------------------------------------------------------------------------------------------------- */

typedef struct columns {
  hd_lane_index lane[VECTORS];
  uint32_t vectors;
} columns;

static bool column_step(scan_state *s, hd_value *i, hd_element *gathered, void *user) {
  const columns *c = user;
  hd_generator *g = &s->f.g;
  hd_element *x = hd_generator_array(g, hd_element, s->count);
  for (uint32_t v = 0; v < c->vectors; ++v) {
    const hd_index_tuple *here = place(s, hd_lane_scalar(i), c->lane[v]);
    hd_element *to = gathered + (size_t)v * s->count;
    if (!load(s, here, x) || !combine(s, to, x, to)) return false;
    if (s->writes && !store(s, s->out, here, to)) return false;
  }
  return true;
}

/* |vectors| vectors of columns from |column| on, under the generator's mask. */
static bool some_columns(scan_state *s, hd_value *block, hd_value *column, uint32_t vectors) {
  hd_generator *g = &s->f.g;
  columns c = {.vectors = vectors};
  uint32_t count = vectors * s->count;
  hd_element *gathered = hd_generator_array(g, hd_element, count);
  for (uint32_t v = 0; v < vectors; ++v) {
    hd_value *at = index_op(g, HD_OP_arith_addi, column, hd_build_index(g->b, (int64_t)v * HD_LANES));
    c.lane[v] = (hd_lane_index){.scalar = at, .step = 1, .whole = true};
    hd_element *to = gathered + (size_t)v * s->count;
    if (s->writes ? !gathered_before(s, block, &c.lane[v], to)
                  : !load(s, place(s, hd_lane_scalar(s->begin), c.lane[v]), to))
      return false;
  }
  hd_value *from = s->writes ? s->begin : index_op(g, HD_OP_arith_addi, s->begin, hd_build_index(g->b, 1));
  if (!carry(s, from, s->end, 1, gathered, count, column_step, &c)) return false;
  for (uint32_t v = 0; v < vectors && !s->writes; ++v)
    if (!store(s, s->totals, total_place(s, block, c.lane[v]), gathered + (size_t)v * s->count)) return false;
  return true;
}

/* A whole tile at once; what is left of the last one vector by vector. */
static bool column_item(scan_state *s, hd_value *block) {
  hd_generator *g = &s->f.g;
  hd_builder *outer = g->b;
  hd_type i1 = hd_lanes_type(hd_i1(outer->context), HD_LANES);
  hd_value *inner = hd_generate_dim(g, s->plan.inner), *tile = hd_build_index(outer, TILE);
  hd_value *left = index_op(g, HD_OP_arith_subi, inner, s->column);
  left = index_op(g, HD_OP_arith_minsi, left, tile);
  hd_value *end = index_op(g, HD_OP_arith_addi, s->column, left);
  hd_value *whole =
      hd_build_binary(outer, HD_OP_arith_muli, hd_build_binary(outer, HD_OP_arith_divui, left, tile), tile);
  hd_value *middle = index_op(g, HD_OP_arith_addi, s->column, whole);
  bool ok = true;
  for (int part = 0; part < 2 && ok; ++part) {
    hd_op *loop = hd_build_for(outer, part ? middle : s->column, part ? end : middle,
                               hd_build_index(outer, part ? HD_LANES : TILE), NULL, 0);
    hd_builder in = inside_of(outer, loop, 0);
    hd_value *column = hd_op_region(loop, 0)->first->args[0];
    g->b = &in;
    g->lanes = HD_LANES;
    if (part)
      g->mask = hd_build(&in, HD_OP_vector_create_mask, i1, hd_build_binary(&in, HD_OP_arith_subi, end, column));
    ok = some_columns(s, block, column, part ? 1 : VECTORS);
    g->mask = NULL;
    g->lanes = 0;
    hd_build_yield(&in, NULL, 0);
    g->b = outer;
  }
  return ok;
}

/* The item's line and block. */
static hd_value *open_item(scan_state *s, hd_value *item) {
  hd_generator *g = &s->f.g;
  hd_lanes l = hd_generator_lanes(g);
  hd_dim_table *t = &g->shapes->table;
  hd_dim blocks = s->writes ? s->plan.blocks : hd_dim_sub(t, s->plan.blocks, hd_dim_const(t, 1));
  hd_lane_index by = hd_lane_scalar(hd_generate_dim(g, blocks)), at = hd_lane_scalar(item);
  hd_value *block = hd_lane_rem(l, at, by).scalar;
  s->line = hd_lane_div(l, at, by).scalar;
  hd_lane_index tiles = hd_lane_scalar(hd_generate_dim(g, s->plan.tiles)), line = hd_lane_scalar(s->line);
  s->outer = hd_lane_div(l, line, tiles).scalar;
  s->column = index_op(g, HD_OP_arith_muli, hd_lane_rem(l, line, tiles).scalar, hd_build_index(g->b, TILE));
  hd_value *size = hd_generate_dim(g, s->plan.block);
  s->begin = index_op(g, HD_OP_arith_muli, block, size);
  s->end =
      index_op(g, HD_OP_arith_minsi, index_op(g, HD_OP_arith_addi, s->begin, size), hd_generate_dim(g, s->plan.length));
  hd_lane_index rest = hd_lane_scalar(s->outer);
  for (uint32_t d = s->plan.axis; d-- > 0;) {
    hd_lane_index dim = hd_lane_scalar(hd_generate_dim(g, hd_generator_dim_of(g, hd_operand(s->op, 0), d)));
    s->outer_at[d] = d ? hd_lane_rem(l, rest, dim) : rest;
    rest = hd_lane_div(l, rest, dim);
  }
  return block;
}

static bool emit(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena, bool writes,
                 hd_kernel_launch *out) {
  hd_op *op = ops->ops[ops->count - 1];
  hd_kernel_ops producers = {ops->ops, ops->count - 1, NULL, 0};
  scan_state s = {.op = op, .count = hd_buffer_output_count(op), .rank = hd_type_rank(hd_operand_type(op, 0))};
  if (s.rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(op, "has rank %u, expected at most %d in a kernel", s.rank, HD_COMPILED_MAX_RANK);
  s.out = ops->outputs;
  s.totals = ops->output_count > s.count ? ops->outputs + s.count : NULL;
  s.reverse = hd_scan_like_is_reverse(op);
  s.writes = writes;
  hd_plan_scan(shapes, op, &s.plan);
  hd_frame_open(&s.f, shapes, ops, name, arena);
  hd_generator *g = &s.f.g;
  hd_generator_init(g, shapes, &s.f.entry, g->kernel, producers.ops, producers.count, arena);
  s.init = hd_generator_array(g, hd_element, s.count);
  for (uint32_t i = 0; i < s.count; ++i)
    if (!hd_generate(g, hd_operand(op, s.count + i), hd_new_tuple(g, 0), &s.init[i])) return false;
  hd_dim_table *t = &shapes->table;
  hd_dim count = hd_dim_mul(t, s.plan.lines, writes ? s.plan.blocks : hd_dim_sub(t, s.plan.blocks, hd_dim_const(t, 1)));
  hd_dim elements = hd_dim_mul(t, s.plan.block, hd_dim_const(t, s.plan.is_row ? 1 : TILE));
  hd_frame_divide(&s.f, count, elements, GRAIN, out);
  hd_op *items = hd_build_for(g->b, s.f.begin, s.f.end, hd_build_index(g->b, 1), NULL, 0);
  hd_builder in = inside_of(g->b, items, 0);
  g->b = &in;
  hd_value *block = open_item(&s, hd_op_region(items, 0)->first->args[0]);
  bool ok = s.plan.is_row ? row_item(&s, block) : column_item(&s, block);
  hd_build_yield(&in, NULL, 0);
  g->b = &s.f.entry;
  return ok & hd_frame_close(&s.f, out);
}

bool hd_emit_scan_totals_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                hd_kernel_launch *out) {
  return emit(shapes, ops, name, arena, false, out);
}

bool hd_emit_scan_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                         hd_kernel_launch *out) {
  return emit(shapes, ops, name, arena, true, out);
}
