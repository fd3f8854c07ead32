/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that update copies of their operands: the outputs get the operands' bytes first. */
#include "passes/kernel/routes.h"

/* Where disc-lower-to-buffer-alias has made them one buffer, there is nothing to copy. */
static bool copy_operand(hd_lowering *ctx, hd_builder *b, hd_op *op, hd_op *update, uint32_t i) {
  hd_value *from = hd_operand(update, i), *to = hd_buffer_output(update, i);
  return from == to || hd_lower_build_copy(ctx, b, from, to, op);
}

bool hd_lower_update(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set, hd_op *update) {
  hd_builder b = hd_builder_before(op);
  return copy_operand(ctx, &b, op, update, 0) && hd_lower_by(ctx, op, set, "update", hd_emit_update_kernel);
}

bool hd_lower_scatter(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set) {
  hd_op *scatter = hd_scatter_of(set);
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < hd_buffer_output_count(scatter); ++i)
    if (!copy_operand(ctx, &b, op, scatter, i)) return false;
  return hd_lower_by(ctx, op, set, "scatter", hd_emit_scatter_kernel);
}
