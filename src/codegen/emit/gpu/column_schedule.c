/* SPDX-License-Identifier: Apache-2.0 */
/* The column schedule: reductions of leading dims, with elementwise roots of the operand's shape.
 *
 *   scf.parallel (%c...) = 0 to (columns...)              { out[%c] = initial value }
 *   scf.parallel (%group, %c...) = 0 to (groups, columns...) {
 *     %sum = scf.for %r = %group to rows step groups      { neighbouring threads read neighbouring columns }
 *     memref.atomic_rmw %sum, out[%c]
 *   } */
#include "codegen/emit/frame.h"
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/reduction.h"

bool hd_gpu_emit_columns(hd_gpu_frame *f) {
  hd_generator *g = &f->g;
  hd_dim_table *t = &g->shapes->table;
  hd_op **reductions = hd_new_array(g->arena, hd_op *, f->ops->count + 1);
  uint32_t count = 0;
  for (size_t i = 0; i < f->ops->count; ++i) {
    if (!hd_is_atomic_reduction(f->ops->ops[i])) continue;
    reductions[count++] = f->ops->ops[i];
  }
  hd_value *full = hd_operand(reductions[0], 0), *extents[HD_COMPILED_MAX_RANK + 1];
  uint32_t rank = hd_type_rank(full->type), reduced = rank - hd_type_rank(hd_buffer_output(reductions[0], 0)->type);
  if (rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(reductions[0], "has rank %u, and kernels have at most %d", rank, HD_COMPILED_MAX_RANK);
  for (uint32_t r = 0; r < count; ++r)
    if (!hd_gpu_emit_initialiser(f, reductions[r])) return false;
  hd_dim rows = hd_dim_const(t, 1);
  for (uint32_t d = 0; d < reduced; ++d) rows = hd_dim_mul(t, rows, hd_shapes_dim(g->shapes, full, d));
  hd_value *row_count = hd_generate_dim(g, rows);
  extents[0] = hd_generate_dim(g, hd_dim_ceildiv(t, rows, hd_dim_const(t, f->target->rows_per_thread)));
  for (uint32_t d = reduced; d < rank; ++d)
    extents[1 + d - reduced] = hd_generate_dim(g, hd_shapes_dim(g->shapes, full, d));

  hd_builder *outer = g->b, inside = hd_gpu_parallel(f, extents, 1 + rank - reduced, "");
  g->b = &inside;
  hd_value **values = hd_new_array(g->arena, hd_value *, count + 1), **ids = inside.block->args;
  for (uint32_t r = 0; r < count; ++r) values[r] = hd_reduction_identity(&inside, reductions[r], 0).re;
  hd_op *loop = hd_build_for(&inside, ids[0], row_count, extents[0], values, count);
  hd_block *block = hd_op_region(loop, 0)->first;
  hd_builder body = hd_builder_at_end(inside.module, block);
  body.loc = inside.loc;
  g->b = &body;
  hd_index_tuple *at = hd_new_tuple(g, rank);
  hd_gpu_delinearize(f, full, 0, reduced, block->args[0], at->at);
  for (uint32_t d = reduced; d < rank; ++d) at->at[d] = hd_lane_scalar(ids[1 + d - reduced]);
  bool ok = true;
  for (uint32_t r = 0; r < count && ok; ++r) {
    hd_element value;
    ok = hd_generate(g, hd_operand(reductions[r], 0), at, &value) &&
         hd_reduction_combine(&body, reductions[r], (hd_element){block->args[1 + r], NULL}, value, 0, &value);
    if (ok) values[r] = value.re;
  }
  for (size_t o = 0; o < f->ops->output_count && ok; ++o) { /* roots of the operand's shape */
    hd_value *output = f->ops->outputs[o];
    if (hd_type_rank(output->type) != rank || !hd_shapes_same(g->shapes, output, full)) continue;
    hd_element value;
    ok = hd_generate(g, output, at, &value) && hd_generate_store(g, output, at, value);
  }
  if (ok) hd_build_yield(&body, values, count);
  g->b = &inside;
  for (uint32_t r = 0; r < count && ok; ++r)
    hd_gpu_emit_atomic(f, reductions[r], at, (hd_element){hd_result(loop, r), NULL});
  g->b = outer;
  return ok && !g->failed;
}
