/* SPDX-License-Identifier: Apache-2.0 */
/* Column reductions: a kernel for the totals of blocks of rows, then one that joins them
 * (codegen/emit/column_kernel.c).
 */
#include "codegen/emit/columns.h"
#include "passes/kernel/routes.h"

bool hd_lower_columns(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set) {
  hd_arena *arena = &ctx->pass->arena;
  hd_kernel_ops ops = {set->ops.data, set->ops.len, set->outputs.data, set->outputs.len};
  hd_op **reductions = hd_new_array(arena, hd_op *, ops.count);
  uint32_t count = hd_column_reductions(&ops, reductions);
  hd_column_plan plan;
  if (!hd_plan_columns(ctx->shapes, reductions[0], &plan))
    return hd_op_error(op, "has columns of a size that no expression holds");
  hd_vec(hd_value *) outputs = {0};
  for (size_t i = 0; i < set->outputs.len; ++i) hd_vec_push(arena, &outputs, set->outputs.data[i]);
  for (uint32_t r = 0; r < count; ++r) {
    hd_type element = hd_partial_type(hd_type_element(hd_operand_type(reductions[r], 0)));
    hd_value *totals = hd_scratch(ctx, op, element, (hd_dim[]){plan.blocks, plan.width}, 2);
    if (!totals) return false;
    hd_vec_push(arena, &outputs, totals);
  }
  ops.outputs = outputs.data;
  ops.output_count = outputs.len;
  hd_builder b = hd_builder_before(op);
  for (int part = 0; part < 2; ++part) {
    hd_kernel_launch launch = {0};
    if (!hd_kernel_of(ctx, part ? hd_emit_column_join_kernel : hd_emit_column_totals_kernel, &ops,
                      part ? "column_join" : "column", part ? reductions : set->ops.data, part ? count : set->ops.len,
                      op->loc, &launch) ||
        !hd_launch_kernel(ctx, &b, &launch, op))
      return false;
  }
  hd_op_erase(op);
  return true;
}
