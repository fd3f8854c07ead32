/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/buffer_op.h"

#include "analysis/buffer_deps.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

hd_opcode hd_buffer_opcode(const hd_op *op) {
  return op->info->derived_from ? op->info->derived_from : op->info->opcode;
}

uint32_t hd_buffer_output_count(const hd_op *op) { return (uint32_t)hd_discardable_outputs(op); }

uint32_t hd_buffer_input_count(const hd_op *op) { return hd_op_buffer_count(op) - hd_buffer_output_count(op); }

hd_value *hd_buffer_output(const hd_op *op, uint32_t i) { return hd_operand(op, hd_buffer_input_count(op) + i); }

bool hd_buffer_reads_own_output(const hd_op *op) {
  if (!op->info->derived_from || op->region_count > 1 || hd_op_is(op, HD_OP_lmhlo_fusion) || hd_op_updates_in_place(op))
    return false;
  uint32_t inputs = hd_buffer_input_count(op);
  for (uint32_t i = 0; i < inputs; ++i)
    for (uint32_t o = 0; o < hd_buffer_output_count(op); ++o)
      if (hd_buffer_root(hd_operand(op, i)) == hd_buffer_root(hd_buffer_output(op, o))) return true;
  return false;
}

uint32_t hd_buffer_capture_count(const hd_op *op) { return (uint32_t)hd_discardable_captures(op); }

hd_value *hd_buffer_capture(const hd_op *op, uint32_t i) {
  return hd_operand(op, hd_buffer_input_count(op) - hd_buffer_capture_count(op) + i);
}

bool hd_buffer_holds_constant(hd_value *buffer) {
  hd_for_each_use(use, buffer) {
    if (hd_buffer_opcode(use->owner) != HD_OP_stablehlo_constant) continue;
    hd_attr elements = hd_stablehlo_constant_value(use->owner);
    if (!hd_attr_is(elements, HD_ATTR_DENSE) || !elements->dense.splat) return true;
  }
  return false;
}

bool hd_only_moves_indices(const hd_op *op) {
  return hd_op_has_trait(op, HD_TRAIT(MOVES_ELEMENTS)) || hd_is_iota_like(op);
}
