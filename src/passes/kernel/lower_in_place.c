/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that update copies of their operands: the outputs get the operands' bytes first. */
#include "passes/kernel/lowering.h"

bool hd_lower_scatter(hd_lowering *z, hd_op *op) {
  hd_kernel_set set = {0};
  hd_kernel_collect(z, op, &set);
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < hd_buffer_output_count(op); ++i)
    if (!hd_lower_build_copy(z, &b, hd_operand(op, i), hd_buffer_output(op, i), op)) return false;
  return hd_lower_by(z, op, &set, "scatter", hd_emit_scatter_kernel);
}

bool hd_lower_sort(hd_lowering *z, hd_op *op) {
  hd_kernel_set set = {0};
  hd_kernel_collect(z, op, &set);
  hd_builder b = hd_builder_before(op);
  uint32_t count = hd_buffer_output_count(op);
  for (uint32_t i = 0; i < count; ++i)
    if (!hd_lower_build_copy(z, &b, hd_operand(op, i), hd_buffer_output(op, i), op)) return false;
  if (!hd_type_rank(hd_operand_type(op, 0))) { /* one element is in order */
    hd_op_erase(op);
    return true;
  }
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *scratch = hd_scratch_like(z, op, hd_buffer_output(op, i));
    if (!scratch) return false;
    hd_vec_push(&z->pass->arena, &set.outputs, scratch);
  }
  return hd_lower_by(z, op, &set, "sort", hd_emit_sort_kernel);
}
