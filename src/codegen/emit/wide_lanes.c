/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of narrow elements, which need not be as many to a vector as those of floats. */
#include "codegen/emit/wide_lanes.h"

#include "codegen/emit/lower.h"
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

/* One, two: a bool, an integer of so many bytes; 0: something else. */
static int64_t narrow_bytes(hd_type element) {
  if (element->kind != HD_TYPE_INTEGER) return 0;
  uint32_t width = element->integer.width;
  return width == 1 || width == 8 ? 1 : width == 16 ? 2 : 0;
}

/* Does |op| compute with elements of up to two bytes alone, by instructions that there are for vectors of them? */
static bool computes_narrow(const hd_op *op) {
  if (!hd_is_elementwise(op) || hd_lowering_of(hd_buffer_opcode(op))->is_expensive) return false;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i)
    if (!narrow_bytes(hd_type_element(hd_operand_type(op, i)))) return false;
  hd_opcode opcode = hd_buffer_opcode(op);
  if (opcode == HD_OP_stablehlo_divide || opcode == HD_OP_stablehlo_remainder) return false;
  return narrow_bytes(hd_type_element(hd_buffer_output(op, 0)->type)) != 0;
}

uint32_t hd_wide_lanes(hd_generator *g, const hd_kernel_ops *ops) {
  enum { WIDE_BYTES = 64 };
  int64_t most = 1;
  for (size_t i = 0; i < ops->count; ++i) {
    hd_op *op = ops->ops[i];
    hd_type element = hd_type_element(hd_buffer_output(op, 0)->type);
    int64_t bytes = (int64_t)hd_type_element_bytes(element);
    bool moves = moves_neighbours(g, op) && (narrow_bytes(element) || (int64_t)hd_type_bits(element) == 8 * bytes);
    if (!moves && !computes_narrow(op)) return 0;
    if (bytes > most) most = bytes;
  }
  return most * HD_LANES < WIDE_BYTES ? WIDE_BYTES / (uint32_t)most : 0;
}
