/* SPDX-License-Identifier: Apache-2.0 */
/* The scatter schedule, after a loop that copies the operand unless the output is it already:
 *
 *   atomic      scf.parallel over the updates        { if inside: memref.atomic_rmw update, out[place] }
 *   unique      scf.parallel over the updates        { if inside: out[place] = combine(out[place], update) }
 *   in order    scf.parallel over the dims in which updates stay apart
 *                 scf.for over the other dims        { the same }
 *
 * Atomic where the hardware has the combination; unique where the program promises unique indices, and where many
 * updates replace what is there, of which any may be the last (the specification leaves the order open; few of them go
 * in order, as the host counts them); in order for all else, and for all but unique ones with |deterministic|. */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/lower.h"
#include "codegen/emit/scatter.h"
#include "ir/ops/arith.h"
#include "ir/ops/stablehlo.h"

enum { FEW = 32 }; /* few: updates that a thread makes in order rather than in any */

/* Is the result of the region its update alone? */
static bool replaces(hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  return body->first == body->last && body->last->operand_count == 1 && hd_operand(body->last, 0) == body->args[1];
}

typedef struct scatter {
  hd_gpu_frame *f;
  hd_op *op;
  uint32_t count, rank, update_rank;
  int atomic; /* its kind, or NONE */
} scatter;

/* One update of each operand at |update|. */
static bool emit_update(scatter *s, const hd_index_tuple *update) {
  hd_generator *g = &s->f->g;
  hd_builder *around = g->b, then;
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  hd_value *inside;
  if (!hd_scatter_place(g, s->op, update, at, &inside)) return false;
  if (inside) {
    hd_op *branch = hd_build_if(g->b, inside, NULL, 0, false);
    then = hd_builder_at_end(g->b->module, hd_op_region(branch, 0)->first);
    then.loc = g->b->loc;
    g->b = &then;
  }
  hd_element *arguments = hd_new_array(g->arena, hd_element, 2 * (size_t)s->count),
             *results = hd_new_array(g->arena, hd_element, s->count);
  bool ok = true;
  for (uint32_t i = 0; i < s->count && ok; ++i)
    ok = hd_generate(g, hd_operand(s->op, s->count + 1 + i), update, &arguments[s->count + i]);
  if (ok && s->atomic != HD_ARITH_ATOMIC_RMW_KIND_NONE) {
    hd_gpu_emit_atomic_at(s->f, s->atomic, hd_buffer_output(s->op, 0), at, arguments[1]);
  } else {
    for (uint32_t i = 0; i < s->count && ok; ++i) ok = hd_generate(g, hd_buffer_output(s->op, i), at, &arguments[i]);
    ok = ok && hd_generate_region(g, s->op, 0, arguments, results);
    for (uint32_t i = 0; i < s->count && ok; ++i) ok = hd_generate_store(g, hd_buffer_output(s->op, i), at, results[i]);
  }
  if (inside) hd_build_yield(&then, NULL, 0);
  g->b = around;
  return ok;
}

/* Loops over the updates: parallel over the dims that |apart| names, in order over the others. */
static bool emit_loops(scatter *s, hd_value *const *sizes, const bool *apart) {
  hd_generator *g = &s->f->g;
  hd_value *extents[HD_COMPILED_MAX_RANK] = {NULL};
  uint32_t parallel = 0;
  for (uint32_t d = 0; d < s->update_rank; ++d)
    if (apart[d]) extents[parallel++] = sizes[d];
  if (!parallel) extents[parallel++] = hd_build_index(g->b, 1);
  hd_builder *outer = g->b, inside = hd_gpu_parallel(s->f, extents, parallel, ""), steps[HD_COMPILED_MAX_RANK];
  hd_index_tuple *update = hd_new_tuple(g, s->update_rank);
  g->b = &inside;
  uint32_t first = 0; /* the outermost loop */
  while (first < s->update_rank && apart[first]) ++first;
  for (uint32_t d = 0, next = 0; d < s->update_rank; ++d) {
    if (apart[d]) {
      update->at[d] = hd_lane_scalar(inside.block->args[next++]);
      continue;
    }
    hd_value *zero = hd_build_index(g->b, 0), *one = hd_build_index(g->b, 1);
    hd_value *size = d == first ? hd_outermost_size(g->b, sizes + d, s->update_rank - d) : sizes[d];
    hd_op *loop = hd_build_for(g->b, zero, size, one, NULL, 0);
    steps[d] = hd_builder_at_end(g->b->module, hd_op_region(loop, 0)->first);
    steps[d].loc = g->b->loc;
    update->at[d] = hd_lane_scalar(steps[d].block->args[0]);
    g->b = &steps[d];
  }
  bool ok = emit_update(s, update);
  for (uint32_t d = s->update_rank; d-- > 0;)
    if (!apart[d]) hd_build_yield(&steps[d], NULL, 0);
  g->b = outer;
  return ok && !g->failed;
}

/* Few updates that may meet go in order, many in any: the host counts them, |colliding|, where the program does not. */
static bool emit_by_count(scatter *s, hd_value *const *sizes, const bool *apart, const bool *all, hd_value *colliding) {
  hd_generator *g = &s->f->g;
  hd_builder *outer = g->b;
  int64_t known;
  if (hd_value_constant_int(colliding, &known)) return emit_loops(s, sizes, known <= FEW ? apart : all);
  hd_value *few = hd_arith_cmpi(outer, HD_ARITH_CMPI_ULE, colliding, hd_build_index(outer, FEW));
  hd_op *branch = hd_build_if(outer, few, NULL, 0, true);
  bool ok = true;
  for (uint32_t r = 0; r < 2 && ok; ++r) {
    hd_builder in = hd_builder_at_end(outer->module, hd_op_region(branch, r)->first);
    in.loc = outer->loc;
    g->b = &in;
    ok = emit_loops(s, sizes, r == 0 ? apart : all);
    hd_build_yield(&in, NULL, 0);
  }
  g->b = outer;
  return ok;
}

bool hd_gpu_emit_scatter(hd_gpu_frame *f, hd_op *op, bool deterministic) {
  hd_generator *g = &f->g;
  scatter s = {.f = f,
               .op = op,
               .count = hd_buffer_output_count(op),
               .rank = hd_type_rank(hd_operand_type(op, 0)),
               .atomic = HD_ARITH_ATOMIC_RMW_KIND_NONE};
  hd_value *first = hd_operand(op, s.count + 1);
  s.update_rank = hd_type_rank(first->type);
  if (s.rank > HD_COMPILED_MAX_RANK || s.update_rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(op, "has rank %u, expected at most %d in a kernel",
                       s.rank > s.update_rank ? s.rank : s.update_rank, HD_COMPILED_MAX_RANK);
  for (uint32_t i = 0; i < s.count; ++i)
    if (!hd_gpu_emit_copy(f, hd_operand(op, i), hd_buffer_output(op, i))) return false;
  bool one_type = hd_type_element(hd_operand_type(op, 0)) == hd_type_element(first->type);
  bool unique = hd_stablehlo_scatter_unique_indices(op);
  if (s.count == 1 && !unique && !deterministic && one_type) s.atomic = hd_gpu_atomic_kind(op);

  hd_value *sizes[HD_COMPILED_MAX_RANK] = {NULL};
  bool apart[HD_COMPILED_MAX_RANK] = {false}, all[HD_COMPILED_MAX_RANK];
  hd_dim_table *t = &g->shapes->table;
  hd_dim colliding = hd_dim_const(t, 1); /* updates that may meet in one place */
  for (uint32_t d = 0; d < s.update_rank; ++d) {
    hd_dim size = hd_generator_dim_of(g, first, d);
    sizes[d] = hd_generate_dim(g, size);
    apart[d] = hd_scatter_keeps_apart(op, d);
    all[d] = true;
    if (!apart[d]) colliding = hd_dim_mul(t, colliding, size);
  }
  if (s.count == 1 && !unique && s.atomic == HD_ARITH_ATOMIC_RMW_KIND_NONE && !deterministic && replaces(op))
    return emit_by_count(&s, sizes, apart, all, hd_generate_dim(g, colliding));
  return emit_loops(&s, sizes, unique || s.atomic != HD_ARITH_ATOMIC_RMW_KIND_NONE ? all : apart);
}
