/* SPDX-License-Identifier: Apache-2.0 */
/* Scatter: the outputs hold copies of the operands; updates are combined into them one after the other, in row-major
 * order of the update index, so the result does not depend on threads.
 *
 *   for update index u:  r = start(indices, u) + window(u)
 *     if r inside:       out[r] = combine(out[r], updates[u])
 *
 * Where the innermost dim of the updates is that of the operand, and no index moves it, an element of it stays in its
 * column: items are then stripes of columns, and lanes are columns. Else, where updates of different places of the
 * outermost dim go to different elements (a batch), its places are the items. */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/scatter.h"
#include "ir/ops/stablehlo.h"

typedef struct scatter_dims {
  hd_attr window, inserted, input_batching, index_batching, to_operand;
  uint32_t vector_dim;
} scatter_dims;

static scatter_dims dims_of(hd_op *op) {
  hd_attr n = hd_stablehlo_scatter_scatter_dimension_numbers(op);
  return (scatter_dims){hd_attr_stablehlo_scatter_update_window_dims(n),
                        hd_attr_stablehlo_scatter_inserted_window_dims(n),
                        hd_attr_stablehlo_scatter_input_batching_dims(n),
                        hd_attr_stablehlo_scatter_scatter_indices_batching_dims(n),
                        hd_attr_stablehlo_scatter_scatter_dims_to_operand_dims(n),
                        (uint32_t)hd_attr_stablehlo_scatter_index_vector_dim(n)};
}

bool hd_scatter_keeps_apart(hd_op *op, uint32_t d) {
  scatter_dims s = dims_of(op);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  int64_t window = hd_attr_find_int(s.window, d);
  if (window >= 0) { /* of a dim of the operand that no index moves */
    for (uint32_t k = 0, next = 0; k < rank; ++k) {
      if (hd_attr_find_int(s.inserted, k) >= 0 || hd_attr_find_int(s.input_batching, k) >= 0) continue;
      if (next++ == window) return hd_attr_find_int(s.to_operand, k) < 0;
    }
    return false;
  }
  uint32_t batch = 0;
  for (uint32_t k = 0; k < d; ++k) batch += hd_attr_find_int(s.window, k) < 0;
  return hd_attr_find_int(s.index_batching, batch + (batch >= s.vector_dim)) >= 0;
}

bool hd_scatter_place(hd_generator *g, hd_op *op, const hd_index_tuple *update, hd_index_tuple *out,
                      hd_value **inside) {
  uint32_t count = hd_buffer_output_count(op);
  hd_value *operand = hd_operand(op, 0), *indices = hd_operand(op, count);
  scatter_dims dims = dims_of(op), *s = &dims;
  hd_lanes l = hd_generator_lanes(g);
  hd_lane_index batch[HD_COMPILED_MAX_RANK], window[HD_COMPILED_MAX_RANK];
  uint32_t batches = 0, windows = 0;
  int64_t position;
  for (uint32_t d = 0; d < update->rank; ++d)
    if (hd_attr_find_int(s->window, d) >= 0)
      window[windows++] = update->at[d];
    else
      batch[batches++] = update->at[d];
  uint32_t next = 0, index_rank = hd_type_rank(indices->type);
  hd_type index_element = hd_type_element(indices->type);
  *inside = NULL;
  for (uint32_t d = 0; d < out->rank; ++d) {
    if ((position = hd_attr_find_int(s->input_batching, d)) >= 0) {
      int64_t from = hd_attr_int_at(s->index_batching, (size_t)position);
      out->at[d] = batch[from - (from > s->vector_dim ? 1 : 0)];
      continue;
    }
    out->at[d] = hd_attr_find_int(s->inserted, d) >= 0 ? hd_lane_const(l, 0) : window[next++];
    if ((position = hd_attr_find_int(s->to_operand, d)) < 0) continue;
    hd_index_tuple *at = hd_new_tuple(g, index_rank);
    for (uint32_t i = 0, b = 0; i < index_rank; ++i)
      at->at[i] = i == s->vector_dim ? hd_lane_const(l, position) : batch[b++];
    hd_element start;
    if (!hd_generate(g, indices, at, &start)) return false;
    hd_value *cast = hd_generate_index_cast(g, start.re, index_element);
    out->at[d] = hd_lane_add(l, out->at[d], hd_lane_scalar(cast));
    hd_lane_index size = hd_lane_scalar(hd_generate_dim(g, hd_generator_dim_of(g, operand, d)));
    *inside = hd_generate_and(g, *inside, hd_lane_inside(l, out->at[d], size));
  }
  return true;
}

enum { MOST_STRIPES = 8, LEAST_STRIPE = 256, GRAIN = 8192, SHORT_ROW = 4 * HD_LANES, GRAIN_OF_ELEMENTS = 1024 };

typedef struct scatter_state {
  hd_frame f;
  hd_op *op;
  uint32_t count, rank, update_rank;
  bool columns;                /* items are stripes of them */
  bool apart;                  /* items are places of the outermost dim */
  hd_value *lower, *upper;     /* the stripe */
  hd_index_tuple *update, *at; /* of the update, of its place; the last dim is the body's where |columns| */
} scatter_state;

static bool has_columns(hd_op *op, uint32_t rank, uint32_t update_rank) {
  scatter_dims s = dims_of(op);
  return rank && update_rank && hd_attr_find_int(s.window, update_rank - 1) >= 0 &&
         hd_attr_find_int(s.inserted, rank - 1) < 0 && hd_attr_find_int(s.input_batching, rank - 1) < 0 &&
         hd_scatter_keeps_apart(op, update_rank - 1);
}

static hd_builder inside_of(hd_builder *outer, hd_op *op) {
  hd_builder in = hd_builder_at_end(outer->module, hd_op_region(op, 0)->first);
  in.loc = outer->loc;
  return in;
}

/* out[at] = combine(out[at], updates[update]), in the lanes of |i| where there are columns. */
static bool combine(hd_generator *g, void *user, hd_lane_index i, hd_value **values) {
  (void)values;
  scatter_state *s = user;
  hd_op *op = s->op;
  hd_element *arguments = hd_new_array(g->arena, hd_element, 2 * (size_t)s->count),
             *results = hd_new_array(g->arena, hd_element, s->count);
  hd_index_tuple *update = hd_new_tuple(g, s->update_rank), *to = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->update_rank; ++d) update->at[d] = s->update->at[d];
  for (uint32_t d = 0; d < s->rank; ++d) to->at[d] = s->at->at[d];
  if (s->columns) update->at[s->update_rank - 1] = to->at[s->rank - 1] = i;
  for (uint32_t k = 0; k < s->count; ++k) {
    hd_index_tuple *from = hd_new_tuple(g, s->rank); /* a tuple of its own: memory changes between updates */
    for (uint32_t d = 0; d < s->rank; ++d) from->at[d] = to->at[d];
    if (!hd_generate(g, hd_buffer_output(op, k), from, &arguments[k]) ||
        !hd_generate(g, hd_operand(op, s->count + 1 + k), update, &arguments[s->count + k]))
      return false;
  }
  if (!hd_generate_region(g, op, 0, arguments, results)) return false;
  for (uint32_t k = 0; k < s->count; ++k)
    if (!hd_generate_store(g, hd_buffer_output(op, k), to, results[k])) return false;
  return true;
}

/* A row of known size that is below a few vectors, in parts of whole vectors and then of half as many lanes each time:
 * no mask, behind whose store the load of an equal place would wait. */
static bool combine_short_row(scatter_state *s, int64_t size) {
  hd_generator *g = &s->f.g;
  uint32_t outer = g->lanes, lanes = HD_LANES;
  bool ok = true;
  for (int64_t at = 0; ok && at < size; at += lanes) {
    while (lanes > size - at) lanes /= 2;
    hd_value *first = hd_build_binary(g->b, HD_OP_arith_addi, s->lower, hd_build_index(g->b, at));
    g->lanes = lanes > 1 ? lanes : 0;
    ok = combine(g, s, (hd_lane_index){.scalar = first, .step = lanes > 1, .whole = true}, NULL);
  }
  g->lanes = outer;
  return ok;
}

/* One update, or one row of it. */
static bool place_update(scatter_state *s, hd_dim inner) {
  hd_generator *g = &s->f.g;
  hd_builder *outer = g->b, then;
  hd_value *inside;
  if (!hd_scatter_place(g, s->op, s->update, s->at, &inside)) return false;
  if (inside) {
    then = inside_of(outer, hd_build_if(outer, inside, NULL, 0, false));
    g->b = &then;
  }
  int64_t size;
  bool is_short = s->columns && hd_dim_is_const(&g->shapes->table, inner, &size) && size < SHORT_ROW;
  bool ok = is_short     ? combine_short_row(s, size)
            : s->columns ? hd_vector_loop(g, s->lower, s->upper, inner, NULL, 0, combine, NULL, s)
                         : combine(g, s, (hd_lane_index){0}, NULL);
  if (inside) hd_build_yield(&then, NULL, 0);
  g->b = outer;
  return ok;
}

static uint32_t loops_of(const scatter_state *s) { return s->update_rank - (s->columns ? 1 : 0); }

static bool walk_updates(scatter_state *s, hd_value *const *sizes, uint32_t d, hd_dim inner);

/* The updates of [lower, upper) in dim |d|, |each| one after the other in a step of the loop. */
static bool walk_range(scatter_state *s, hd_value *const *sizes, uint32_t d, hd_dim inner, hd_value *lower,
                       hd_value *upper, uint32_t each) {
  hd_generator *g = &s->f.g;
  hd_builder *outer = g->b;
  hd_op *loop = hd_build_for(outer, lower, upper, hd_build_index(outer, each), NULL, 0);
  hd_builder in = inside_of(outer, loop);
  hd_lane_index first = hd_lane_scalar(hd_op_region(loop, 0)->first->args[0]);
  bool ok = true;
  g->b = &in;
  for (uint32_t i = 0; ok && i < each; ++i) {
    hd_lanes l = hd_generator_lanes(g);
    hd_index_tuple *update = hd_new_tuple(g, s->update_rank); /* a tuple of its own, as it is another index */
    for (uint32_t k = 0; k < s->update_rank; ++k) update->at[k] = s->update->at[k];
    update->at[d] = hd_lane_add(l, first, hd_lane_const(l, i));
    s->update = update;
    ok = walk_updates(s, sizes, d + 1, inner);
  }
  hd_build_yield(&in, NULL, 0);
  g->b = outer;
  return ok;
}

/* The updates in order, from dim |d| on, of the |sizes| of all. Single elements come several to a step: what one takes
 * is less than a step of a loop. */
static bool walk_updates(scatter_state *s, hd_value *const *sizes, uint32_t d, hd_dim inner) {
  enum { EACH = 4 };
  hd_builder *b = s->f.g.b;
  if (d == loops_of(s)) return place_update(s, inner);
  hd_value *zero = hd_build_index(b, 0);
  if (s->columns || d + 1 < loops_of(s)) return walk_range(s, sizes, d, inner, zero, sizes[d], 1);
  hd_value *rest = hd_build_binary(b, HD_OP_arith_remsi, sizes[d], hd_build_index(b, EACH)),
           *whole = hd_build_binary(b, HD_OP_arith_subi, sizes[d], rest);
  return walk_range(s, sizes, d, inner, zero, whole, EACH) && walk_range(s, sizes, d, inner, whole, sizes[d], 1);
}

/* Columns of an item: whole vectors. Runs of less than a kilobyte would wait for memory: 64 columns of rows of 128 take
 * twice the time of all 128. */
static hd_dim stripe_of(hd_dim_table *t, hd_dim inner) {
  hd_dim lanes = hd_dim_const(t, HD_LANES), part = hd_dim_ceildiv(t, inner, hd_dim_const(t, MOST_STRIPES));
  return hd_dim_mul(t, hd_dim_ceildiv(t, hd_dim_max(t, part, hd_dim_const(t, LEAST_STRIPE)), lanes), lanes);
}

bool hd_emit_scatter_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                            hd_kernel_launch *out) {
  hd_op *op = ops->ops[ops->count - 1];
  scatter_state s = {.op = op, .count = hd_buffer_output_count(op)};
  hd_value *updates = hd_operand(op, s.count + 1);
  s.rank = hd_type_rank(hd_operand_type(op, 0));
  s.update_rank = hd_type_rank(updates->type);
  if (s.rank > HD_COMPILED_MAX_RANK || s.update_rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(op, "has rank %u, expected at most %d in a kernel",
                       s.rank > s.update_rank ? s.rank : s.update_rank, HD_COMPILED_MAX_RANK);
  s.columns = has_columns(op, s.rank, s.update_rank);
  s.apart = !s.columns && s.update_rank && hd_scatter_keeps_apart(op, 0);
  hd_kernel_ops none = {ops->ops, ops->count, NULL, 0};
  hd_frame_open(&s.f, shapes, &none, name, arena);
  hd_generator *g = &s.f.g;
  for (uint32_t k = 0; k < s.count; ++k) /* what it writes it also reads, from memory */
    hd_map_set(g->arena, &g->writers, hd_buffer_output(op, k), NULL);
  s.update = hd_new_tuple(g, s.update_rank);
  s.at = hd_new_tuple(g, s.rank);
  hd_dim_table *t = &shapes->table;
  hd_dim one = hd_dim_const(t, 1), inner = one, stripe = one;
  hd_builder *entry = g->b;
  out->extent = out->grain = one;
  if (s.columns) {
    inner = hd_generator_dim_of(g, updates, s.update_rank - 1);
    stripe = stripe_of(t, inner);
    hd_dim all = hd_shapes_num_elements(shapes, updates),
           rows = all ? hd_dim_floordiv(t, all, hd_dim_max(t, inner, one)) : one;
    hd_frame_divide(&s.f, hd_dim_ceildiv(t, inner, stripe), hd_dim_mul(t, rows, stripe), GRAIN, out);
  }
  if (s.apart) {
    hd_dim size = hd_generator_dim_of(g, updates, 0), each = one;
    for (uint32_t d = 1; d < s.update_rank; ++d) each = hd_dim_mul(t, each, hd_generator_dim_of(g, updates, d));
    hd_frame_divide(&s.f, size, each, GRAIN_OF_ELEMENTS, out);
  }
  hd_op *items = hd_build_for(entry, s.f.begin, s.f.end, hd_build_index(entry, 1), NULL, 0);
  hd_builder in = inside_of(entry, items);
  g->b = &in;
  if (s.columns) {
    hd_value *size = hd_generate_dim(g, stripe);
    s.lower = hd_build_binary(&in, HD_OP_arith_muli, hd_op_region(items, 0)->first->args[0], size);
    s.upper = hd_build_binary(&in, HD_OP_arith_minsi, hd_build_binary(&in, HD_OP_arith_addi, s.lower, size),
                              hd_generate_dim(g, inner));
    s.update->at[s.update_rank - 1] = hd_lane_const(hd_generator_lanes(g), 0);
  }
  if (s.apart) s.update->at[0] = hd_lane_scalar(hd_op_region(items, 0)->first->args[0]);
  hd_value *sizes[HD_COMPILED_MAX_RANK];
  uint32_t first = s.apart ? 1 : 0, loops = loops_of(&s);
  for (uint32_t d = first; d < loops; ++d) sizes[d] = hd_generate_dim(g, hd_generator_dim_of(g, updates, d));
  if (first < loops) sizes[first] = hd_outermost_size(g->b, sizes + first, loops - first);
  bool ok = walk_updates(&s, sizes, first, inner);
  hd_build_yield(&in, NULL, 0);
  g->b = entry;
  return ok & hd_frame_close(&s.f, out);
}
