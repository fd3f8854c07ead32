/* SPDX-License-Identifier: Apache-2.0 */
/* Loop kernels.
 *
 *   for item in [begin, end):
 *     row = item / blocks, block = item % blocks
 *     for i in [block * BLOCK, min(inner, ...)) by vectors:  out[row, i] = value at (row, i)
 *
 * A few elements, whose number is known, are scalar code, each at a known place.
 *
 * Where the innermost dims are known and short (points, small matrices), rows are side by side in vectors: as many rows
 * as fill whole ones are a group, whose lanes have known places, so that operands are vectors and shuffles of them.
 *
 *   for item: for r in [item * ROWS, ...) by the rows of several groups, then of one:  vector 0, vector 1, ... of their
 *                                                                                      rows
 *             for what is left: element by element
 *
 * Bytes and elements of two bytes, moved or integers, go by vectors of 64 bytes (wide_lanes.h). What is read through a
 * transpose is read and written in squares (tile_loops.c).
 *
 * Of one vector all values are computed before one is stored: an output may be in an input's memory (hd.donor).
 *
 * The innermost dims of more than one element that every access walks together are
 * one inner dim; the others make the rows.
 *
 * An update kernel (dynamic_update_slice on a buffer that holds the operand already) walks the update's elements and
 * stores them further on in the output, by the start indices. */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/item_counter.h"
#include "codegen/emit/pieces.h"
#include "codegen/emit/tile_loops.h"
#include "codegen/emit/wide_lanes.h"

enum {
  BLOCK = 2048,    /* elements of an item */
  TINY = 4,        /* elements that are computed one by one: a vector of them would be masks around little */
  TINY_OPS = 64,   /* most ops of such a kernel, all elements together */
  SHORT = 48,      /* elements of a row that is not walked alone */
  SHORT_ALL = 64,  /* elements of all known dims that make such a row */
  GROUP_OPS = 512, /* most ops of a group of rows, all vectors together */
  COMPACT_OPS = 32 /* the same, of a compact kernel */
};

typedef struct loop_state {
  hd_frame f;
  const hd_kernel_ops *ops;
  hd_value *root;
  uint32_t rank;
  hd_lane_index outer[HD_COMPILED_MAX_RANK]; /* indices of the row */
  uint32_t inner_first, inner_last; /* dims [inner_first, inner_last] are the inner dim; those after have one element */
  hd_value *updated;                /* of an update kernel: the output, and where in it the update starts */
  hd_lane_index start[HD_COMPILED_MAX_RANK];
} loop_state;

static hd_index_tuple *index_of(hd_generator *g, const loop_state *s, hd_lane_index i) {
  if (g->pieces) g->pieces->at = i.scalar;
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d)
    at->at[d] = d < s->inner_first ? s->outer[d] : hd_lane_const(hd_generator_lanes(g), 0);
  if (s->rank) at->at[s->inner_last] = i;
  return at;
}

static bool store_update(hd_generator *g, void *user, hd_lane_index i, hd_value **values) {
  (void)values;
  loop_state *s = user;
  hd_index_tuple *at = index_of(g, s, i), *to = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d) to->at[d] = hd_lane_add(hd_generator_lanes(g), at->at[d], s->start[d]);
  hd_element value;
  return hd_generate(g, s->root, at, &value) && hd_generate_store(g, s->updated, to, value);
}

static bool store_outputs(hd_generator *g, void *user, hd_lane_index i, hd_value **values) {
  (void)values;
  loop_state *s = user;
  hd_index_tuple *at = index_of(g, s, i);
  size_t count = s->ops->output_count;
  hd_element *values_at = hd_new_array(g->arena, hd_element, count);
  for (size_t o = 0; o < count; ++o)
    if (!hd_generate(g, s->ops->outputs[o], at, &values_at[o])) return false;
  for (size_t o = 0; o < count; ++o)
    if (!hd_generate_store(g, s->ops->outputs[o], at, values_at[o])) return false;
  return true;
}

/* How many elements |s->root| has when they are few and cheap enough to be written one by one, else 0. What loops over
 * many operands for each element stays a vector, which walks them once. */
static int64_t tiny_count(loop_state *s) {
  hd_dim elements = hd_shapes_num_elements(s->f.g.shapes, s->root);
  int64_t count;
  if (!elements || !hd_dim_is_const(&s->f.g.shapes->table, elements, &count) || count < 1 || count > TINY) return 0;
  if (count == 1) return 1;
  for (size_t i = 0; i < s->ops->count; ++i)
    if (s->ops->ops[i]->region_count) return 0;
  return count * (int64_t)s->ops->count <= TINY_OPS ? count : 0;
}

/* One item: all elements of |s->root|, in scalar code. */
static bool emit_elements(loop_state *s, int64_t count, hd_vector_body store, hd_kernel_launch *out) {
  hd_generator *g = &s->f.g;
  hd_dim_table *t = &g->shapes->table;
  out->extent = hd_dim_const(t, 1);
  out->grain = hd_dim_const(t, BLOCK / count);
  hd_builder *b = &s->f.entry;
  hd_op *loop = hd_build_for(b, s->f.begin, s->f.end, hd_build_index(b, 1), NULL, 0);
  hd_builder body = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first);
  body.loc = b->loc;
  g->b = &body;
  bool ok = true;
  for (int64_t e = 0; e < count && ok; ++e) {
    int64_t rest = e, size = 1;
    hd_lane_index last = hd_lane_const(hd_generator_lanes(g), 0);
    for (uint32_t d = s->rank; d-- > 0; rest /= size) {
      if (!hd_dim_is_const(t, hd_shapes_dim(g->shapes, s->root, d), &size)) size = 1; /* of one element */
      last = hd_lane_const(hd_generator_lanes(g), rest % size);
      s->outer[d] = last;
    }
    s->inner_first = s->inner_last = s->rank ? s->rank - 1 : 0;
    ok = store(g, s, s->rank ? s->outer[s->rank - 1] : last, NULL);
  }
  hd_build_yield(&body, NULL, 0);
  g->b = b;
  ok &= hd_frame_close(&s->f, out);
  return ok;
}

/* Short rows: |row| elements of dims [first, rank), |rows| of them in a group of |vectors| vectors,
 * |together| such groups at once while there are as many. Dims [along, first) are walked as one, row by
 * row; around them is a loop over the others. */
typedef struct short_rows {
  uint32_t along, first;
  int64_t sizes[HD_COMPILED_MAX_RANK], row, rows, vectors, together;
} short_rows;

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

/* What a vector of the kernel costs, in ops. A dynamic pad divides the places of lanes by what only the run tells. */
static int64_t ops_of_vector(const loop_state *s) {
  enum { DIVISION = 32 };
  int64_t count = 0;
  for (size_t i = 0; i < s->ops->count; ++i)
    count += hd_buffer_opcode(s->ops->ops[i]) == HD_OP_stablehlo_dynamic_pad ? DIVISION : 1;
  return count;
}

/* Are the rows of |s->root| short? */
static bool find_short_rows(const loop_state *s, const bool *merged, short_rows *out) {
  hd_shapes *shapes = s->f.g.shapes;
  uint32_t first = s->rank;
  int64_t size, row = 1, run = 1;
  while (first > 1 && hd_dim_is_const(&shapes->table, hd_shapes_dim(shapes, s->root, first - 1), &size) && size > 0 &&
         row * size <= SHORT_ALL) {
    out->sizes[--first] = size;
    row *= size;
    if (!merged[first - 1] && row >= SHORT) break;
  }
  while (first < s->rank && merged[first - 1]) row /= out->sizes[first++]; /* of a run that goes on outside */
  if (s->rank < 2 || first == s->rank) return false;
  out->along = first - 1;
  while (out->along > 0 && merged[out->along - 1]) --out->along;
  for (uint32_t d = s->rank; d-- > first;) {
    run *= out->sizes[d];
    if (d && !merged[d - 1]) break;
  }
  if (row < 2 || (run % HD_LANES == 0 && row <= run)) return false;
  out->first = first;
  out->row = row;
  out->rows = HD_LANES / gcd(row, HD_LANES);
  out->vectors = row * out->rows / HD_LANES;
  /* what has an element per row is then read in whole vectors too */
  int64_t most = s->ops->compact ? COMPACT_OPS : GROUP_OPS, ops = ops_of_vector(s);
  bool wide = row <= HD_LANES / 2 && ops * row <= most;
  out->together = wide ? HD_LANES / out->rows : 1;
  return ops * out->vectors <= most;
}

/* The dims around the row. */
static void index_around(loop_state *s, const short_rows *p, hd_index_tuple *at) {
  for (uint32_t d = 0; d + 1 < p->first; ++d)
    at->at[d] = d < p->along ? s->outer[d] : hd_lane_const(hd_generator_lanes(&s->f.g), 0);
}

/* The index of element |flat| of the rows from |row| on; |flat| is per lane in vector code. */
static hd_index_tuple *short_index(loop_state *s, const short_rows *p, hd_value *row, const int64_t *flat) {
  hd_generator *g = &s->f.g;
  hd_lanes l = hd_generator_lanes(g);
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  int64_t lanes[HD_LANES], size = p->row;
  hd_value *zero = hd_build_index(g->b, 0);
  index_around(s, p, at);
  for (uint32_t i = 0; i < HD_LANES; ++i) lanes[i] = flat[i] / p->row;
  at->at[p->first - 1] = hd_lane_of_pattern(l, row, lanes);
  for (uint32_t d = p->first; d < s->rank; ++d) {
    int64_t inside = size / p->sizes[d];
    for (uint32_t i = 0; i < HD_LANES; ++i) lanes[i] = flat[i] % size / inside;
    at->at[d] = hd_lane_of_pattern(l, zero, lanes);
    size = inside;
  }
  return at;
}

static hd_index_tuple *short_index_of_element(loop_state *s, const short_rows *p, hd_value *row, hd_value *flat) {
  hd_generator *g = &s->f.g;
  hd_lanes l = hd_generator_lanes(g);
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  hd_lane_index rest = hd_lane_scalar(flat);
  for (uint32_t d = s->rank; d-- > p->first;) {
    hd_lane_index size = hd_lane_const(l, p->sizes[d]);
    at->at[d] = hd_lane_rem(l, rest, size);
    rest = hd_lane_div(l, rest, size);
  }
  at->at[p->first - 1] = hd_lane_add(l, rest, hd_lane_scalar(row));
  index_around(s, p, at);
  return at;
}

static bool store_at(loop_state *s, hd_index_tuple *at) {
  hd_generator *g = &s->f.g;
  size_t count = s->ops->output_count;
  hd_element *values = hd_new_array(g->arena, hd_element, count);
  for (size_t o = 0; o < count; ++o)
    if (!hd_generate(g, s->ops->outputs[o], at, &values[o])) return false;
  for (size_t o = 0; o < count; ++o)
    if (!hd_generate_store(g, s->ops->outputs[o], at, values[o])) return false;
  return true;
}

static hd_builder inside_of(const hd_builder *b, hd_op *loop) {
  hd_builder in = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first);
  in.loc = b->loc;
  return in;
}

/* A loop over |groups| groups at once of the rows in [|*lower|, upper), as long as there are so many:
 * |*lower| is then the first row that is left. */
static bool emit_groups(loop_state *s, const short_rows *p, int64_t groups, hd_value **lower, hd_value *upper) {
  hd_generator *g = &s->f.g;
  hd_builder *item = g->b;
  hd_value *size = hd_build_index(item, groups * p->rows);
  hd_value *left =
      hd_build_binary(item, HD_OP_arith_remui, hd_build_binary(item, HD_OP_arith_subi, upper, *lower), size);
  hd_value *end = hd_build_binary(item, HD_OP_arith_subi, upper, left);
  hd_op *loop = hd_build_for(item, *lower, end, size, NULL, 0);
  hd_builder group = inside_of(item, loop);
  bool ok = true;
  g->b = &group;
  g->lanes = HD_LANES;
  for (int64_t v = 0; v < groups * p->vectors && ok; ++v) {
    int64_t flat[HD_LANES];
    for (int64_t i = 0; i < HD_LANES; ++i) flat[i] = v * HD_LANES + i;
    ok = store_at(s, short_index(s, p, hd_op_region(loop, 0)->first->args[0], flat));
  }
  hd_build_yield(&group, NULL, 0);
  g->lanes = 0;
  g->b = item;
  *lower = end;
  return ok;
}

/* The loops over short rows, in an open frame; closes it. */
static bool emit_short_rows(loop_state *s, const bool *merged, const short_rows *p, hd_kernel_launch *out) {
  hd_generator *g = &s->f.g;
  hd_dim_table *t = &g->shapes->table;
  hd_dim rows = hd_dim_const(t, 1), around = rows;
  for (uint32_t d = 0; d < p->first; ++d) {
    hd_dim *to = d < p->along ? &around : &rows;
    *to = hd_dim_mul(t, *to, hd_shapes_dim(g->shapes, s->root, d));
  }
  int64_t elements = hd_grain_elements(s->f.g.shapes, s->ops, NULL);
  if (elements > BLOCK) elements = BLOCK;
  int64_t once = p->rows * p->together, groups = elements / (once * p->row), step = once * (groups > 0 ? groups : 1);
  hd_dim blocks = hd_dim_ceildiv(t, rows, hd_dim_const(t, step));
  out->extent = hd_dim_mul(t, around, blocks);
  out->grain = hd_dim_const(t, 1);
  if (p->along) out->grain = hd_dim_ceildiv(t, hd_dim_const(t, step), hd_dim_max(t, rows, hd_dim_const(t, 1)));
  if (!out->grain) out->grain = hd_dim_const(t, 1); /* a dim that is too long an expression already */

  hd_builder *b = &s->f.entry, *outer = g->b;
  hd_op *items = hd_build_for(b, s->f.begin, s->f.end, hd_build_index(b, 1), NULL, 0);
  hd_builder item = inside_of(b, items);
  g->b = &item;
  hd_value *all = hd_generate_dim(g, rows), *zero = hd_build_index(&item, 0);
  hd_value *block = hd_op_region(items, 0)->first->args[0];
  if (p->along) {
    hd_value *count = hd_generate_dim(g, blocks);
    hd_delinearize(g, s->root, merged, 0, p->along, hd_build_binary(&item, HD_OP_arith_divui, block, count), s->outer);
    block = hd_build_binary(&item, HD_OP_arith_remui, block, count);
  }
  hd_value *lower = hd_build_binary(&item, HD_OP_arith_muli, block, hd_build_index(&item, step));
  hd_value *upper = hd_build_binary(&item, HD_OP_arith_addi, lower, hd_build_index(&item, step));
  upper = hd_build_binary(&item, HD_OP_arith_minsi, upper, all);
  bool ok = (p->together == 1 || emit_groups(s, p, p->together, &lower, upper)) && emit_groups(s, p, 1, &lower, upper);
  if (p->rows > 1) {
    hd_value *left = hd_build_binary(&item, HD_OP_arith_subi, upper, lower);
    hd_value *count = hd_build_binary(&item, HD_OP_arith_muli, left, hd_build_index(&item, p->row));
    hd_op *rest = hd_build_for(&item, zero, count, hd_build_index(&item, 1), NULL, 0);
    hd_builder element = inside_of(&item, rest);
    g->b = &element;
    ok = ok && store_at(s, short_index_of_element(s, p, lower, hd_op_region(rest, 0)->first->args[0]));
    hd_build_yield(&element, NULL, 0);
  }
  hd_build_yield(&item, NULL, 0);
  g->b = outer;
  ok &= hd_frame_close(&s->f, out);
  return ok;
}

/* The last dim of more than one element, as far as is known. */
static uint32_t last_inner(const loop_state *s) {
  uint32_t last = s->rank ? s->rank - 1 : 0;
  int64_t one;
  while (last > 0 && hd_dim_is_const(&s->f.g.shapes->table, hd_shapes_dim(s->f.g.shapes, s->root, last), &one) &&
         one == 1)
    --last;
  return last;
}

static uint32_t first_inner(uint32_t last, const bool *merged) {
  while (last > 0 && merged[last - 1]) --last;
  return last;
}

/* Divides the loop over the inner dim, where that can be done along a dim before |end|; |merged| is then of the pieces.
 */
static void find_pieces(loop_state *s, bool *merged, uint32_t end) {
  hd_generator *g = &s->f.g;
  bool inside[HD_COMPILED_MAX_RANK];
  hd_find_pieces(g, s->ops->outputs, s->ops->output_count, s->ops->count);
  if (g->pieces && (last_inner(s) != s->rank - 1 || g->pieces->axis >= end)) g->pieces = NULL;
  if (!g->pieces) return;
  hd_merge_dims(g, s->ops->outputs, s->ops->output_count, s->rank, inside);
  if (hd_keep_pieces(g, first_inner(s->rank - 1, inside))) memcpy(merged, inside, sizeof inside);
}

/* The loop over [lower, upper) of the inner dim, which ends at |end|, piece by piece. */
static bool emit_pieces(loop_state *s, hd_value *lower, hd_value *upper, hd_value *end, hd_vector_body store) {
  hd_generator *g = &s->f.g;
  hd_open_pieces(g, end);
  bool ok = true;
  for (uint32_t i = 0; i < g->pieces->count && ok; ++i) {
    hd_value *from = hd_build_binary(g->b, HD_OP_arith_maxsi, lower, g->pieces->starts[i]),
             *to = hd_build_binary(g->b, HD_OP_arith_minsi, upper, g->pieces->starts[i + 1]);
    g->pieces->piece = i;
    ok = hd_vector_loop(g, from, hd_build_binary(g->b, HD_OP_arith_maxsi, from, to), NULL, NULL, 0, store, NULL, s);
  }
  return ok;
}

/* The last dim of more than one element, as far as is known, of those around the inner one. */
static uint32_t last_of_rows(const loop_state *s) {
  uint32_t last = s->inner_first - 1;
  int64_t one;
  while (last > 0 && hd_dim_is_const(&s->f.g.shapes->table, hd_shapes_dim(s->f.g.shapes, s->root, last), &one) &&
         one == 1)
    --last;
  return last;
}

static hd_dim size_of(const loop_state *s, uint32_t first, uint32_t end) {
  hd_dim size = hd_dim_const(&s->f.g.shapes->table, 1);
  for (uint32_t d = first; d < end; ++d)
    size = hd_dim_mul(&s->f.g.shapes->table, size, hd_shapes_dim(s->f.g.shapes, s->root, d));
  return size;
}

/* The first dim of the run of rows that is a loop inside of those over the dims around it, where the addresses of the
 * others stay: they are most of the work where rows are short. 0: there is none, or its loop would have few steps. */
static uint32_t first_around(const loop_state *s, const bool *merged) {
  enum { LEAST_ROWS = 4 };
  int64_t known;
  if (s->inner_first < 2) return 0;
  uint32_t first = first_inner(last_of_rows(s), merged);
  hd_dim size = size_of(s, first, s->inner_first);
  return !size || (hd_dim_is_const(&s->f.g.shapes->table, size, &known) && known < LEAST_ROWS) ? 0 : first;
}

/* The loop over the rows of run |run| that are among the items, |size| of which are in a run. */
static hd_op *rows_around(loop_state *s, hd_builder *b, hd_value *run, hd_value *size) {
  hd_value *before = hd_build_binary(b, HD_OP_arith_muli, run, size);
  hd_value *from = hd_build_binary(b, HD_OP_arith_subi, s->f.begin, before),
           *to = hd_build_binary(b, HD_OP_arith_subi, s->f.end, before);
  from = hd_build_binary(b, HD_OP_arith_maxsi, from, hd_build_index(b, 0));
  to = hd_build_binary(b, HD_OP_arith_minsi, to, size);
  return hd_build_for(b, from, to, hd_build_index(b, 1), NULL, 0);
}

/* The loops over the elements of |s->root|, in an open frame; closes it. |merged| says which dims are walked as one. */
static bool emit_loops(loop_state *s, const bool *merged, hd_vector_body store, hd_kernel_launch *out) {
  hd_generator *g = &s->f.g;
  hd_dim_table *t = &g->shapes->table;
  int64_t tiny = tiny_count(s);
  if (tiny) return emit_elements(s, tiny, store, out);
  s->inner_last = last_inner(s);
  s->inner_first = first_inner(s->inner_last, merged);
  hd_dim inner = hd_dim_const(t, 1), rows = hd_dim_const(t, 1);
  for (uint32_t d = 0; d < s->rank; ++d) {
    hd_dim dim = hd_shapes_dim(g->shapes, s->root, d);
    if (d < s->inner_first)
      rows = hd_dim_mul(t, rows, dim);
    else
      inner = hd_dim_mul(t, inner, dim);
  }
  int64_t known_inner = -1;
  bool one_block = hd_dim_is_const(t, inner, &known_inner) && known_inner <= 2 * BLOCK;
  hd_dim blocks = one_block ? hd_dim_const(t, known_inner > 0) : hd_dim_ceildiv(t, inner, hd_dim_const(t, BLOCK));
  out->extent = hd_dim_mul(t, rows, blocks);
  hd_dim item = hd_dim_max(t, hd_dim_min(t, inner, hd_dim_const(t, one_block ? 2 * BLOCK : BLOCK)), hd_dim_const(t, 1));
  out->grain = hd_dim_ceildiv(t, hd_dim_const(t, hd_grain_elements(s->f.g.shapes, s->ops, NULL)), item);
  if (!out->grain) out->grain = hd_dim_const(t, 1); /* a dim that is too long an expression already */

  hd_builder *b = &s->f.entry;
  g->b = b;
  uint32_t around = one_block ? first_around(s, merged) : 0;
  hd_value *size = around ? hd_generate_dim(g, size_of(s, around, s->inner_first)) : NULL;
  hd_value *begin = s->f.begin, *end = s->f.end;
  if (around) {
    hd_value *least = hd_build_binary(b, HD_OP_arith_maxsi, size, hd_build_index(b, 1)); /* 0: no items */
    hd_value *up =
        hd_build_binary(b, HD_OP_arith_addi, end, hd_build_binary(b, HD_OP_arith_subi, least, hd_build_index(b, 1)));
    begin = hd_build_binary(b, HD_OP_arith_divui, begin, least);
    end = hd_build_binary(b, HD_OP_arith_divui, up, least);
  }
  hd_item_counter at =
      hd_count_items(g, s->root, merged, around ? around : s->inner_first, one_block ? NULL : blocks, begin);
  hd_op *loop = hd_build_for(b, begin, end, hd_build_index(b, 1), at.digits, at.count);
  hd_builder body = inside_of(b, loop);
  g->b = &body;
  hd_value *lower = hd_build_index(&body, 0), *upper = hd_generate_dim(g, inner);
  for (uint32_t d = 0; d < s->inner_first; ++d) s->outer[d] = hd_lane_const(hd_generator_lanes(g), 0);
  for (uint32_t i = 0; i < at.count; ++i) {
    at.digits[i] = hd_op_region(loop, 0)->first->args[1 + i];
    if (at.dims[i] != HD_BLOCK_DIGIT) {
      s->outer[at.dims[i]] = hd_lane_scalar(at.digits[i]);
      continue;
    }
    hd_value *step = hd_build_index(&body, BLOCK);
    lower = hd_build_binary(&body, HD_OP_arith_muli, at.digits[i], step);
    upper = hd_build_binary(&body, HD_OP_arith_minsi, hd_build_binary(&body, HD_OP_arith_addi, lower, step), upper);
  }
  hd_builder row = body;
  if (around) {
    hd_op *rows_of_one = rows_around(s, &body, hd_op_region(loop, 0)->first->args[0], size);
    row = inside_of(&body, rows_of_one);
    s->outer[last_of_rows(s)] = hd_lane_scalar(hd_op_region(rows_of_one, 0)->first->args[0]);
    g->b = &row;
  }
  bool ok = g->pieces ? emit_pieces(s, lower, upper, hd_generate_dim(g, inner), store)
                      : hd_vector_loop(g, lower, upper, inner, NULL, 0, store, NULL, s);
  if (around) hd_build_yield(&row, NULL, 0);
  g->b = around ? &body : g->b;
  hd_count_on(&body, &at);
  hd_build_yield(&body, at.digits, at.count);
  g->b = b;
  ok &= hd_frame_close(&s->f, out);
  return ok;
}

static bool open_loops(loop_state *s, hd_shapes *shapes, const char *name, hd_arena *arena) {
  s->rank = hd_type_rank(s->root->type);
  if (s->rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(s->ops->ops[0], "has rank %u, expected at most %d in a kernel", s->rank, HD_COMPILED_MAX_RANK);
  hd_frame_open(&s->f, shapes, s->ops, name, arena);
  return true;
}

bool hd_emit_loop_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                         hd_kernel_launch *out) {
  loop_state s = {.ops = ops, .root = ops->outputs[0]};
  bool merged[HD_COMPILED_MAX_RANK];
  if (!open_loops(&s, shapes, name, arena)) return false;
  hd_merge_dims(&s.f.g, ops->outputs, ops->output_count, s.rank, merged);
  short_rows rows;
  hd_tile_loops tiles;
  bool tiny = tiny_count(&s) != 0, squares = !tiny && hd_find_tile_loops(&s.f, s.root, merged, &tiles);
  if (squares) return hd_emit_tile_loops(&s.f, s.root, merged, &tiles, out);
  hd_frame_stream(&s.f, ops, s.root, true);
  bool is_short = !tiny && find_short_rows(&s, merged, &rows);
  /* Along a dim of a short row its vectors know which of the operands they read. */
  if (!tiny) find_pieces(&s, merged, is_short ? rows.first : s.rank);
  if (is_short && !s.f.g.pieces) return emit_short_rows(&s, merged, &rows, out);
  s.f.g.wide = hd_wide_lanes(&s.f.g, ops);
  return emit_loops(&s, merged, store_outputs, out);
}

bool hd_emit_update_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                           hd_kernel_launch *out) {
  hd_op *update = ops->ops[ops->count - 1];
  hd_kernel_ops producers = {ops->ops, ops->count - 1, NULL, 0};
  loop_state s = {.ops = ops, .root = hd_operand(update, 1), .updated = ops->outputs[0]};
  bool merged[HD_COMPILED_MAX_RANK];
  if (!open_loops(&s, shapes, name, arena)) return false;
  hd_generator *g = &s.f.g;
  hd_generator_init(g, shapes, &s.f.entry, g->kernel, producers.ops, producers.count, arena);
  hd_merge_dims(g, &s.root, 1, s.rank, merged);
  for (uint32_t d = 0; d < s.rank; ++d) {
    hd_dim whole = hd_shapes_dim(shapes, s.updated, d), size = hd_shapes_dim(shapes, s.root, d);
    if (hd_dim_equal(&shapes->table, whole, size)) {
      s.start[d] = hd_lane_const(hd_generator_lanes(g), 0);
      continue;
    }
    if (d) merged[d - 1] = false; /* a run of dims is together in the output only where the inner ones are whole */
    if (!hd_generate_clamped_start(g, hd_operand(update, 2 + d), whole, size, &s.start[d])) return false;
  }
  return emit_loops(&s, merged, store_update, out);
}
