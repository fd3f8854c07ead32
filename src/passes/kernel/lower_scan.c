/* SPDX-License-Identifier: Apache-2.0 */
/* mhlo.associative_scan: one kernel, after one for the totals of blocks where a line may have several
 * (codegen/emit/scan_kernel.c). */
#include "codegen/emit/scan.h"
#include "passes/kernel/routes.h"

bool hd_lower_scan(hd_lowering *ctx, hd_op *op, hd_kernel_set *set, hd_op *scan) {
  hd_arena *arena = &ctx->pass->arena;
  uint32_t count = hd_buffer_output_count(scan);
  hd_vec(hd_op *) ops = {0};
  for (size_t i = 0; i < set->ops.len; ++i)
    if (set->ops.data[i] != scan) hd_vec_push(arena, &ops, set->ops.data[i]);
  hd_vec_push(arena, &ops, scan);
  hd_scan_plan plan;
  hd_plan_scan(ctx->shapes, scan, &plan);
  hd_vec(hd_value *) outputs = {0};
  for (uint32_t i = 0; i < count; ++i) hd_vec_push(arena, &outputs, hd_buffer_output(scan, i));
  int64_t blocks;
  bool divides = !hd_dim_is_const(&ctx->shapes->table, plan.blocks, &blocks) || blocks > 1;
  for (uint32_t i = 0; divides && i < count; ++i) {
    hd_type element = hd_partial_type(hd_type_element(outputs.data[i]->type));
    hd_value *totals = hd_scratch(ctx, op, element, (hd_dim[]){plan.blocks, plan.width}, 2);
    if (!totals) return false;
    hd_vec_push(arena, &outputs, totals);
  }
  hd_builder b = hd_builder_before(op);
  hd_kernel_ops kernel = {ops.data, ops.len, outputs.data, outputs.len};
  for (int part = divides ? 0 : 1; part < 2; ++part) {
    hd_kernel_launch launch = {0};
    if (!hd_kernel_of(ctx, part ? hd_emit_scan_kernel : hd_emit_scan_totals_kernel, &kernel,
                      part ? "scan" : "scan_totals", &scan, 1, scan->loc, &launch) ||
        !hd_launch_kernel(ctx, &b, &launch, op))
      return false;
  }
  hd_op_erase(op);
  return true;
}
