/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that only move elements, which need not be as many to a vector as those that compute with them. */
#include "codegen/emit/moves.h"

#include "codegen/emit/pieces.h"
#include "ir/ops/stablehlo.h"

/* Does |op| only move elements, neighbours to neighbours? */
static bool moves_neighbours(hd_generator *g, hd_op *op) {
  hd_shapes *shapes = g->shapes;
  uint32_t rank = hd_type_rank(hd_buffer_output(op, 0)->type);
  int64_t stride;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_broadcast_in_dim:
    case HD_OP_stablehlo_dynamic_broadcast_in_dim:
    case HD_OP_stablehlo_reverse:
    case HD_OP_stablehlo_dynamic_slice:
      return true;
    case HD_OP_stablehlo_transpose:
      return rank && hd_attr_int_at(hd_stablehlo_transpose_permutation(op), rank - 1) == rank - 1;
    case HD_OP_stablehlo_concatenate:
    case HD_OP_stablehlo_pad:
    case HD_OP_stablehlo_dynamic_pad:
      return g->pieces && g->pieces->op == op;
    case HD_OP_stablehlo_constant:
      return true;
    case HD_OP_stablehlo_slice:
      return !rank || hd_attr_int_at(hd_stablehlo_slice_strides(op), rank - 1) == 1;
    case HD_OP_stablehlo_real_dynamic_slice: {
      hd_dim by = rank ? hd_shapes_element(shapes, hd_operand(op, 1 + 2 * rank), 0) : NULL;
      return by && hd_dim_is_const(&shapes->table, by, &stride) && stride == 1;
    }
    default:
      return false;
  }
}

uint32_t hd_moved_lanes(hd_generator *g, const hd_kernel_ops *ops, hd_value *root) {
  enum { WIDE_BYTES = 64 };
  int64_t bytes = (int64_t)hd_type_element_bytes(hd_type_element(root->type));
  if (bytes * HD_LANES >= WIDE_BYTES) return 0;
  for (size_t i = 0; i < ops->count; ++i) {
    if (!moves_neighbours(g, ops->ops[i])) return 0;
    hd_type element = hd_type_element(hd_buffer_output(ops->ops[i], 0)->type);
    if ((int64_t)hd_type_bits(element) != 8 * bytes) return 0;
  }
  return WIDE_BYTES / (uint32_t)bytes;
}
