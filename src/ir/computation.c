/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/computation.h"

hd_computation hd_computation_of(const hd_op *op, uint32_t operand) {
  enum { OTHER, COMBINES };
  int64_t i = operand, n = op ? op->operand_count : 0, results = op ? op->result_count : 0, in = 0, at = -1;
  hd_computation c = {0};
  if (!n) return c;
  switch (hd_opcode_get(op)) {
#define COMPUTATION(opcode, kind, of, region, index)  \
  case HD_OP_##opcode:                                \
    c = (hd_computation){of, NULL, kind == COMBINES}; \
    in = region, at = index;                          \
    break;
#include "ir/ops/computations.def"
    default:
      return c;
  }
  hd_block *block = in < op->region_count ? hd_op_region(op, (uint32_t)in)->first : NULL;
  if (block && at >= 0 && at < block->arg_count) c.argument = block->args[at];
  return c;
}
