/* SPDX-License-Identifier: Apache-2.0 */
#include "pass/takes.h"

static void note(hd_type type, bool *tensors, bool *buffers) {
  *tensors |= hd_type_is_tensor(type);
  *buffers |= hd_type_is(type, HD_TYPE_MEMREF) || hd_type_is(type, HD_TYPE_UNRANKED_MEMREF);
}

/* HD_PASS_ANY for what is of either form. */
static hd_pass_takes form_of(const hd_op *op) {
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE))) return HD_PASS_ANY;
  bool tensors = false, buffers = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) note(hd_operand_type(op, i), &tensors, &buffers);
  for (uint32_t i = 0; i < op->result_count; ++i) note(hd_result_type(op, i), &tensors, &buffers);
  if (!tensors && !buffers) { /* calls without operands, say: what their dialect is of */
    buffers = op->info->derived_from != 0;
    tensors = hd_opcode_to_lmhlo(hd_opcode_get(op)) != 0;
  }
  if (tensors == buffers) return HD_PASS_ANY;
  return tensors ? HD_PASS_TENSORS : HD_PASS_BUFFERS;
}

static bool check(const hd_pass_info *info, hd_op *op) {
  hd_pass_takes form = form_of(op);
  if (form == info->takes) return true;
  if (form == HD_PASS_TENSORS)
    return hd_op_error(op, "is on tensors, but %s takes buffers: run disc-hlo-legalize-to-lhlo before it", info->name);
  if (form == HD_PASS_BUFFERS)
    return hd_op_error(op, "is on buffers, but %s takes tensors: run it before disc-hlo-legalize-to-lhlo", info->name);
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      hd_for_each_op(inner, block)
        if (!check(info, inner)) return false;
  return true;
}

bool hd_pass_check_takes(const hd_pass_info *info, hd_op *root) {
  return info->takes == HD_PASS_ANY || check(info, root);
}
