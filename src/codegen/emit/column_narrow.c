/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of rows that are known to be shorter than a vector, three colours or two coordinates: as many rows as fill
 * whole vectors are a group, so that no lane is idle.
 *
 *   x0 y0 z0 x1 y1 z1 ... z4 x5 | y5 z5 x6 ... | ... z15      a group of 16 rows is 3 vectors
 *
 *   sums[v] = neutral
 *   for the rows of a few groups at a time:  sums[v] = sums[v] o vector v of them
 *   sums of the groups are joined in order; then the second half of a group's rows is added to the first, down to one
 *
 * Which lane an element is added in follows from the place of its row in the block alone. */
#include "codegen/emit/column_state.h"
#include "codegen/emit/generate_ops.h"
#include "ir/ops/arith.h"

enum {
  LEAST_VECTORS = 4, /* that are added to at once: one alone would wait for its own sums */
  MOST_OPS = 256     /* of a step, all vectors together */
};

typedef struct narrow {
  int64_t sizes[HD_COMPILED_MAX_RANK]; /* of dims [end, rank) */
  int64_t row, rows, vectors, groups;  /* elements of a row; rows and vectors of a group; groups of a step */
} narrow;

static bool find_narrow(const hd_column_state *s, narrow *out) {
  hd_shapes *shapes = s->f.g.shapes;
  int64_t middle;
  if (!hd_dim_is_const(&shapes->table, s->middle, &middle) || middle != 1) return false;
  for (uint32_t d = s->plan.begin; d + 1 < s->plan.end; ++d)
    if (!s->merged[d]) return false; /* a row's number would have to be divided in each lane */
  out->row = 1;
  for (uint32_t d = s->plan.end; d < s->rank; ++d) {
    int64_t size;
    if (!hd_dim_is_const(&shapes->table, hd_shapes_dim(shapes, s->full, d), &size) || size < 1) return false;
    if (size >= HD_LANES || (out->row *= size) >= HD_LANES) return false;
    out->sizes[d] = size;
  }
  out->rows = HD_LANES;
  while (out->rows % 2 == 0 && out->rows / 2 * out->row % HD_LANES == 0) out->rows /= 2;
  out->vectors = out->rows * out->row / HD_LANES;
  out->groups = (LEAST_VECTORS + out->vectors - 1) / out->vectors;
  return (int64_t)s->ops->count * out->vectors * out->groups <= MOST_OPS;
}

/* Vector |v| of the groups from |row| on. */
static const hd_index_tuple *vector_at(hd_column_state *s, const narrow *n, hd_value *row, int64_t v) {
  hd_generator *g = &s->f.g;
  hd_lanes l = hd_generator_lanes(g);
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  int64_t lanes[HD_LANES], size = n->row;
  hd_value *zero = hd_build_index(g->b, 0);
  for (uint32_t d = 0; d < s->plan.end; ++d) at->at[d] = d < s->plan.begin ? s->outer[d] : hd_lane_const(l, 0);
  for (int64_t i = 0; i < HD_LANES; ++i) lanes[i] = (v * HD_LANES + i) / n->row;
  at->at[s->plan.end - 1] = hd_lane_of_pattern(l, row, lanes);
  for (uint32_t d = s->plan.end; d < s->rank; ++d) {
    int64_t inside = size / n->sizes[d];
    for (int64_t i = 0; i < HD_LANES; ++i) lanes[i] = (v * HD_LANES + i) % size / inside;
    at->at[d] = hd_lane_of_pattern(l, zero, lanes);
    size = inside;
  }
  return at;
}

/* The sums of rows [lower, upper), whole steps: those of reduction r and vector
 * v of a step at |sums[v * count + r]|. */
static bool sum_groups(hd_column_state *s, const narrow *n, hd_value *lower, hd_value *upper, hd_value **sums) {
  hd_generator *g = &s->f.g;
  hd_builder *outer = g->b;
  uint32_t vectors = (uint32_t)(n->vectors * n->groups), count = vectors * s->count;
  for (uint32_t i = 0; i < count; ++i) sums[i] = hd_reduction_identity(outer, s->reductions[i % s->count], HD_LANES).re;
  hd_op *loop = hd_build_for(outer, lower, upper, hd_build_index(outer, n->rows * n->groups), sums, count);
  hd_block *body = hd_op_region(loop, 0)->first;
  hd_builder in = hd_builder_at_end(outer->module, body);
  in.loc = outer->loc;
  g->b = &in;
  hd_element *values = hd_generator_array(g, hd_element, s->count);
  bool ok = true;
  for (uint32_t v = 0; v < vectors && ok; ++v) {
    for (uint32_t r = 0; r < s->count; ++r) values[r] = (hd_element){body->args[1 + v * s->count + r], NULL};
    ok = hd_column_add(s, g, vector_at(s, n, body->args[0], v), values);
    for (uint32_t r = 0; r < s->count; ++r) sums[v * s->count + r] = values[r].re;
  }
  hd_build_yield(&in, sums, count);
  g->b = outer;
  for (uint32_t i = 0; i < count; ++i) sums[i] = hd_result(loop, i);
  return ok;
}

/* Elements [from, from + HD_LANES) of a group's |vectors|, of which those before |end| count. */
static hd_value *elements_from(hd_builder *b, hd_value *const *vectors, uint32_t stride, int64_t from, int64_t end) {
  int64_t lanes[HD_LANES], first = from / HD_LANES, last = (end - 1) / HD_LANES;
  hd_value *a = vectors[first * stride], *z = vectors[(first < last ? first + 1 : first) * stride];
  if (from % HD_LANES == 0) return a;
  for (int64_t i = 0; i < HD_LANES; ++i) lanes[i] = from + i < end ? from % HD_LANES + i : 0;
  hd_attr_arg mask = {HD_NAME_mask, hd_attr_i64_array(b->context, lanes, HD_LANES)};
  return hd_build_one_(b, HD_OP_vector_shuffle, a->type, (hd_value *[]){a, z}, 2, &mask, 1);
}

static bool add_to(hd_builder *b, hd_op *op, hd_value **sum, hd_value *value) {
  hd_element out;
  if (!hd_reduction_combine(b, op, (hd_element){*sum, NULL}, (hd_element){value, NULL}, HD_LANES, &out)) return false;
  *sum = out.re;
  return true;
}

/* Makes one sum of each reduction's vectors, in the first lanes of |sums[r]|. */
static bool fold(hd_column_state *s, const narrow *n, hd_value **sums) {
  hd_builder *b = s->f.g.b;
  uint32_t count = s->count;
  for (uint32_t r = 0; r < count; ++r) {
    for (int64_t v = n->vectors; v < n->vectors * n->groups; ++v)
      if (!add_to(b, s->reductions[r], &sums[v % n->vectors * count + r], sums[v * count + r])) return false;
    for (int64_t rows = n->rows; rows > 1; rows /= 2) {
      int64_t half = rows / 2 * n->row;
      for (int64_t at = 0; at < half; at += HD_LANES) {
        hd_value *other = elements_from(b, sums + r, count, half + at, 2 * half);
        if (!add_to(b, s->reductions[r], &sums[at / HD_LANES * count + r], other)) return false;
      }
    }
  }
  return true;
}

typedef struct folded {
  hd_column_state *s;
  hd_value *const *sums;
} folded;

static bool store_sums(hd_generator *g, void *user, hd_lane_index i, hd_value **values) {
  (void)values;
  const folded *f = user;
  const hd_index_tuple *to = hd_column_total(f->s, g, i);
  for (uint32_t r = 0; r < f->s->count; ++r)
    if (!hd_generate_store(g, f->s->totals[r], to, (hd_element){f->sums[r], NULL})) return false;
  return true;
}

bool hd_column_add_narrow(hd_column_state *s, hd_value **begin, hd_value *end) {
  narrow n = {0};
  if (!find_narrow(s, &n)) return true;
  hd_generator *g = &s->f.g;
  hd_builder *outer = g->b;
  hd_value *rows = hd_build_binary(outer, HD_OP_arith_subi, end, *begin);
  hd_value *left = hd_build_binary(outer, HD_OP_arith_remui, rows, hd_build_index(outer, n.rows * n.groups));
  hd_value *whole = hd_build_binary(outer, HD_OP_arith_subi, end, left);
  hd_op *any = hd_build_if(outer, hd_arith_cmpi(outer, HD_ARITH_CMPI_NE, *begin, whole), NULL, 0, false);
  hd_builder in = hd_builder_at_end(outer->module, hd_op_region(any, 0)->first);
  in.loc = outer->loc;
  g->b = &in;
  g->lanes = HD_LANES;
  hd_value **sums = hd_generator_array(g, hd_value *, (size_t)(n.vectors * n.groups) * s->count);
  bool ok = sum_groups(s, &n, *begin, whole, sums) && fold(s, &n, sums);
  g->lanes = 0;
  ok = ok && hd_vector_loop(g, s->lower, s->upper, s->inner, NULL, 0, store_sums, NULL, &(folded){s, sums});
  hd_build_yield(&in, NULL, 0);
  g->b = outer;
  *begin = whole;
  return ok;
}
