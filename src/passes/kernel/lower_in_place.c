/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that update copies of their operands: the outputs get the operands' bytes first. */
#include "ir/ops/discardable.h"
#include "passes/kernel/lowering.h"

/* Where disc-lower-to-buffer-alias has made them one buffer, there is nothing to copy. */
static bool copy_operand(hd_lowering *z, hd_builder *b, hd_op *op, hd_op *update, uint32_t i) {
  hd_value *from = hd_operand(update, i), *to = hd_buffer_output(update, i);
  return from == to || hd_lower_build_copy(z, b, from, to, op);
}

bool hd_lower_update(hd_lowering *z, hd_op *op, const hd_kernel_set *set, hd_op *update) {
  hd_builder b = hd_builder_before(op);
  return copy_operand(z, &b, op, update, 0) && hd_lower_by(z, op, set, "update", hd_emit_update_kernel);
}

hd_op *hd_update_of(const hd_kernel_set *set) {
  hd_op *last = set->ops.len ? set->ops.data[set->ops.len - 1] : NULL;
  if (set->outputs.len != 1 || hd_buffer_opcode(last) != HD_OP_stablehlo_dynamic_update_slice ||
      set->outputs.data[0] != hd_buffer_output(last, 0))
    return NULL;
  hd_op *maker = hd_map_get(&set->writers, hd_operand(last, 0));
  bool in_memory = !maker || maker == last;
  for (size_t i = 0; in_memory && i + 1 < set->ops.len; ++i)
    if (!hd_discardable_inline(set->ops.data[i])) return NULL;
  return in_memory ? last : NULL;
}

hd_op *hd_scatter_of(const hd_kernel_set *set) {
  hd_op *last = set->ops.len ? set->ops.data[set->ops.len - 1] : NULL;
  return hd_buffer_opcode(last) == HD_OP_stablehlo_scatter ? last : NULL;
}

bool hd_lower_scatter(hd_lowering *z, hd_op *op, const hd_kernel_set *set) {
  hd_op *scatter = hd_scatter_of(set);
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < hd_buffer_output_count(scatter); ++i)
    if (!copy_operand(z, &b, op, scatter, i)) return false;
  return hd_lower_by(z, op, set, "scatter", hd_emit_scatter_kernel);
}
