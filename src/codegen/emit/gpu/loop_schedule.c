/* SPDX-License-Identifier: Apache-2.0 */
/* The loop schedule:
 *
 *   scf.parallel (%i, %j) = (0, 0) to (d0, d1) { out0[%i, %j] = ...; out1[%i, %j] = ... }
 *
 * Roots of other shapes (columns that are not summed up by atomics, beside what they are made of) have loops of their
 * own. All values at an index are computed before one is stored: an output may be in an input's memory (hd.donor).
 * Where the fusion says so, the loop is marked for disc-vectorize-loops. */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/gpu/schedules.h"

/* Roots of one fusion that have one rank have one shape; their types need not say so. */
static bool has_shape_of(hd_value *output, hd_value *root) {
  return hd_type_rank(output->type) == hd_type_rank(root->type);
}

/* Stores the roots of the shape of |root|. */
static bool store_roots(hd_gpu_frame *f, hd_value *root, const hd_index_tuple *at) {
  size_t count = f->ops->output_count;
  hd_element *values = hd_new_array(f->g.arena, hd_element, count);
  for (size_t o = 0; o < count; ++o)
    if (has_shape_of(f->ops->outputs[o], root) && !hd_generate(&f->g, f->ops->outputs[o], at, &values[o])) return false;
  for (size_t o = 0; o < count; ++o)
    if (has_shape_of(f->ops->outputs[o], root) && !hd_generate_store(&f->g, f->ops->outputs[o], at, values[o]))
      return false;
  return true;
}

static bool emit_loop_of(hd_gpu_frame *f, hd_value *root, const char *suffix) {
  hd_generator *g = &f->g;
  uint32_t rank = hd_type_rank(root->type);
  if (rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(f->ops->ops[0], "has rank %u, expected at most %d in a kernel", rank, HD_COMPILED_MAX_RANK);
  hd_index_tuple *at;
  hd_builder *outer = g->b, inside = hd_gpu_over_elements(f, root, suffix, &at);
  if (rank) hd_gpu_mark_vector(f, hd_block_parent_op(inside.block));
  g->b = &inside;
  bool ok = store_roots(f, root, at);
  g->b = outer;
  return ok && !g->failed;
}

bool hd_gpu_emit_loop(hd_gpu_frame *f) {
  for (size_t o = 0; o < f->ops->output_count; ++o) {
    hd_value *root = f->ops->outputs[o];
    bool stored = false;
    for (size_t earlier = 0; earlier < o && !stored; ++earlier) stored = has_shape_of(f->ops->outputs[earlier], root);
    if (stored) continue;
    const char *suffix = o ? hd_arena_printf(f->g.arena, "_shape_%zu", o) : "";
    if (!emit_loop_of(f, root, suffix)) return false;
  }
  return true;
}

bool hd_gpu_emit_update(hd_gpu_frame *f, hd_op *update) {
  hd_generator *g = &f->g;
  hd_value *root = hd_operand(update, 1), *whole = hd_buffer_output(update, 0);
  uint32_t rank = hd_type_rank(root->type);
  if (rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(update, "has rank %u, expected at most %d in a kernel", rank, HD_COMPILED_MAX_RANK);
  hd_index_tuple *at, *to = hd_new_tuple(g, rank);
  hd_builder *outer = g->b, inside = hd_gpu_over_elements(f, root, "", &at);
  g->b = &inside;
  bool ok = true;
  for (uint32_t d = 0; d < rank && ok; ++d) {
    hd_lane_index start;
    to->at[d] = at->at[d];
    hd_dim size = hd_shapes_dim(g->shapes, root, d), all = hd_shapes_dim(g->shapes, whole, d);
    if (hd_dim_equal(&g->shapes->table, size, all)) continue;
    ok = hd_generate_clamped_start(g, hd_operand(update, 2 + d), all, size, &start);
    if (ok) to->at[d] = hd_lane_add(hd_generator_lanes(g), at->at[d], start);
  }
  hd_element value;
  ok = ok && hd_generate(g, root, at, &value) && hd_generate_store(g, whole, to, value);
  g->b = outer;
  return ok && !g->failed;
}
