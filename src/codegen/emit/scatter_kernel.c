/* SPDX-License-Identifier: Apache-2.0 */
/* Scatter: the outputs hold copies of the operands; updates are combined into them one after the other, in row-major
 * order of the update index, so the result does not depend on threads.
 *
 *   for update index u:  r = start(indices, u) + window(u)
 *     if r inside:       out[r] = combine(out[r], updates[u]) */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/scatter.h"
#include "ir/ops/stablehlo.h"

typedef struct scatter_dims {
  hd_attr window, inserted, input_batching, index_batching, to_operand;
  uint32_t vector_dim;
} scatter_dims;

static scatter_dims dims_of(hd_op *op) {
  hd_attr n = hd_stablehlo_scatter_scatter_dimension_numbers(op), vector = hd_struct_get(n, HD_NAME_index_vector_dim);
  return (scatter_dims){
      hd_struct_get(n, HD_NAME_update_window_dims),           hd_struct_get(n, HD_NAME_inserted_window_dims),
      hd_struct_get(n, HD_NAME_input_batching_dims),          hd_struct_get(n, HD_NAME_scatter_indices_batching_dims),
      hd_struct_get(n, HD_NAME_scatter_dims_to_operand_dims), vector ? (uint32_t)vector->integer : 0};
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
    *inside = hd_generate_and(g, *inside, hd_lane_less(l, hd_lane_const(l, -1), out->at[d]));
    *inside = hd_generate_and(g, *inside, hd_lane_less(l, out->at[d], size));
  }
  return true;
}

bool hd_emit_scatter_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                            hd_kernel_launch *out) {
  hd_op *op = ops->ops[0];
  uint32_t count = hd_buffer_output_count(op);
  hd_value *first_update = hd_operand(op, count + 1);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0)), update_rank = hd_type_rank(first_update->type);
  if (rank > HD_COMPILED_MAX_RANK || update_rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(op, "has rank %u, and kernels have at most %d", rank > update_rank ? rank : update_rank,
                       HD_COMPILED_MAX_RANK);
  hd_frame f;
  hd_kernel_ops none = {ops->ops, ops->count, NULL, 0};
  hd_frame_open(&f, shapes, &none, name, arena);
  hd_generator *g = &f.g;
  g->writers = (hd_map){0}; /* what it writes it also reads, from memory */
  hd_builder builders[HD_COMPILED_MAX_RANK + 2];
  hd_builder *b = &f.entry;
  hd_index_tuple *update = hd_new_tuple(g, update_rank);
  hd_op *once = hd_build_for(b, f.begin, f.end, hd_build_index(b, 1), NULL, 0);
  builders[0] = hd_builder_at_end(b->module, hd_op_region(once, 0)->first);
  builders[0].loc = b->loc;
  g->b = &builders[0];
  for (uint32_t d = 0; d < update_rank; ++d) {
    hd_value *zero = hd_build_index(g->b, 0), *one = hd_build_index(g->b, 1);
    hd_op *loop = hd_build_for(g->b, zero, hd_generate_dim(g, hd_generator_dim_of(g, first_update, d)), one, NULL, 0);
    update->at[d] = hd_lane_scalar(hd_op_region(loop, 0)->first->args[0]);
    builders[d + 1] = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first);
    builders[d + 1].loc = b->loc;
    g->b = &builders[d + 1];
  }
  hd_index_tuple *at = hd_new_tuple(g, rank);
  hd_value *inside;
  bool ok = hd_scatter_place(g, op, update, at, &inside);
  hd_builder then;
  if (ok && inside) {
    hd_op *branch = hd_build_if(g->b, inside, NULL, 0, false);
    then = hd_builder_at_end(b->module, hd_op_region(branch, 0)->first);
    then.loc = b->loc;
    g->b = &then;
  }
  hd_element *arguments = hd_new_array(arena, hd_element, 2 * (size_t)count),
             *results = hd_new_array(arena, hd_element, count);
  for (uint32_t i = 0; i < count && ok; ++i) {
    hd_index_tuple *from = hd_new_tuple(g, rank); /* a tuple of its own: memory changes between updates */
    for (uint32_t d = 0; d < rank; ++d) from->at[d] = at->at[d];
    ok = hd_generate(g, hd_buffer_output(op, i), from, &arguments[i]) &&
         hd_generate(g, hd_operand(op, count + 1 + i), update, &arguments[count + i]);
  }
  ok = ok && hd_generate_region(g, op, 0, arguments, results);
  for (uint32_t i = 0; i < count && ok; ++i) ok = hd_generate_store(g, hd_buffer_output(op, i), at, results[i]);
  if (ok && inside) hd_build_yield(&then, NULL, 0);
  for (uint32_t d = update_rank + 1; d-- > 0;) hd_build_yield(&builders[d], NULL, 0);
  g->b = b;
  ok &= hd_frame_close(&f, out);
  out->extent = out->grain = hd_dim_const(&shapes->table, 1);
  return ok;
}
