/* SPDX-License-Identifier: Apache-2.0 */
/* Loop kernels.
 *
 *   for item in [begin, end):
 *     row = item / blocks, block = item % blocks
 *     for i in [block * BLOCK, min(inner, ...)) by vectors:  out[row, i] = value at (row, i)
 *
 * A few elements, whose number is known, are scalar code, each at a known place.
 *
 * Of one vector all values are computed before one is stored: an output may lie in an input's memory (hd.donor).
 *
 * The innermost dims that every access walks together are one inner dim; the others make the rows.
 *
 * An update kernel (dynamic_update_slice on a buffer that holds the operand already) walks the update's elements and
 * stores them further on in the output, by the start indices. */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"

enum {
  BLOCK = 2048, /* elements: about 1 us of simple work */
  TINY = 4,     /* elements that are computed one by one: a vector of them would be masks around little */
  TINY_OPS = 64 /* most ops of such a kernel, all elements together */
};

typedef struct loop_state {
  hd_frame f;
  const hd_kernel_ops *ops;
  hd_value *root;
  uint32_t rank;
  hd_lane_index outer[HD_COMPILED_MAX_RANK]; /* indices of the row */
  uint32_t inner_first;                      /* dims [inner_first, rank) are the inner dim */
  hd_value *updated;                         /* of an update kernel: the output, and where in it the update starts */
  hd_lane_index start[HD_COMPILED_MAX_RANK];
} loop_state;

static hd_index_tuple *index_of(hd_generator *g, const loop_state *s, hd_lane_index i) {
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d)
    at->at[d] = d < s->inner_first ? s->outer[d] : hd_lane_const(hd_generator_lanes(g), 0);
  if (s->rank) at->at[s->rank - 1] = i;
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
    s->inner_first = s->rank ? s->rank - 1 : 0;
    ok = store(g, s, s->rank ? s->outer[s->rank - 1] : last, NULL);
  }
  hd_build_yield(&body, NULL, 0);
  g->b = b;
  ok &= hd_frame_close(&s->f, out);
  return ok;
}

/* The loops over the elements of |s->root|, in an open frame; closes it. |merged| says which dims are walked as one. */
static bool emit_loops(loop_state *s, const bool *merged, hd_vector_body store, hd_kernel_launch *out) {
  hd_generator *g = &s->f.g;
  hd_dim_table *t = &g->shapes->table;
  int64_t tiny = tiny_count(s);
  if (tiny) return emit_elements(s, tiny, store, out);
  s->inner_first = s->rank ? s->rank - 1 : 0;
  while (s->inner_first > 0 && merged[s->inner_first - 1]) --s->inner_first;
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
  out->grain = hd_dim_ceildiv(t, hd_dim_const(t, BLOCK), hd_dim_max(t, inner, hd_dim_const(t, 1)));

  hd_builder *b = &s->f.entry;
  hd_op *loop = hd_build_for(b, s->f.begin, s->f.end, hd_build_index(b, 1), NULL, 0);
  hd_builder body = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first);
  body.loc = b->loc;
  g->b = &body;
  hd_value *item = hd_op_region(loop, 0)->first->args[0], *row = item, *lower = hd_build_index(&body, 0),
           *upper = hd_generate_dim(g, inner);
  if (!one_block) {
    hd_value *count = hd_generate_dim(g, blocks), *size = hd_build_index(&body, BLOCK);
    hd_value *block = item;
    if (s->inner_first) {
      row = hd_build_binary(&body, HD_OP_arith_divui, item, count);
      block = hd_build_binary(&body, HD_OP_arith_remui, item, count);
    }
    lower = hd_build_binary(&body, HD_OP_arith_muli, block, size);
    upper = hd_build_binary(&body, HD_OP_arith_minsi, hd_build_binary(&body, HD_OP_arith_addi, lower, size), upper);
  }
  hd_delinearize(g, s->root, merged, 0, s->inner_first, row, s->outer);
  bool ok = hd_vector_loop(g, lower, upper, inner, NULL, 0, store, NULL, s);
  hd_build_yield(&body, NULL, 0);
  g->b = b;
  ok &= hd_frame_close(&s->f, out);
  return ok;
}

static bool open_loops(loop_state *s, hd_shapes *shapes, const char *name, hd_arena *arena) {
  s->rank = hd_type_rank(s->root->type);
  if (s->rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(s->ops->ops[0], "has rank %u, and kernels have at most %d", s->rank, HD_COMPILED_MAX_RANK);
  hd_frame_open(&s->f, shapes, s->ops, name, arena);
  return true;
}

bool hd_emit_loop_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                         hd_kernel_launch *out) {
  loop_state s = {.ops = ops, .root = ops->outputs[0]};
  bool merged[HD_COMPILED_MAX_RANK];
  if (!open_loops(&s, shapes, name, arena)) return false;
  hd_frame_stream(&s.f, ops, s.root, true);
  hd_merge_dims(&s.f.g, ops->outputs, ops->output_count, s.rank, merged);
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
    if (d) merged[d - 1] = false; /* a run of dims lies together in the output only where the inner ones are whole */
    if (!hd_generate_clamped_start(g, hd_operand(update, 2 + d), whole, size, &s.start[d])) return false;
  }
  return emit_loops(&s, merged, store_update, out);
}
