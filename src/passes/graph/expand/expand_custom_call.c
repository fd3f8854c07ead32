/* SPDX-License-Identifier: Apache-2.0 */
/* Custom calls that ask for their tensors in another order of memory than row major.
 *
 *   stablehlo.custom_call @f(%a) {operand_layouts = [dense<[0, 1]>], result_layouts = [dense<[0, 1]>]}
 * becomes a call on transposed tensors, whose row-major memory is what was asked for; which dim is which is kept in
 * hd.operand_dims and hd.result_dims:
 *   %t = stablehlo.transpose %a, dims = [1, 0]
 *   %u = stablehlo.custom_call @f(%t) {hd.operand_dims = [array<i64: 1, 0>], hd.result_dims = ...}
 *   %r = stablehlo.transpose %u, dims = [1, 0] */
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"

/* |layout| lists dims from minor to major. Fills |out_order|: the buffer's dim i is the program's dim out_order[i].
 * True when that is not row major. */
static bool order_of(hd_attr layouts, uint32_t i, uint32_t rank, int64_t *out_order) {
  hd_attr layout = layouts && i < layouts->array.count ? layouts->array.items[i] : NULL;
  bool other = false;
  for (uint32_t d = 0; d < rank; ++d) {
    out_order[d] = layout && hd_attr_count(layout) == rank ? hd_attr_int_at(layout, rank - 1 - d) : d;
    other |= out_order[d] != d;
  }
  return other;
}

static void invert(const int64_t *order, uint32_t rank, int64_t *out) {
  for (uint32_t d = 0; d < rank; ++d) out[order[d]] = d;
}

static bool is_order(const int64_t *order, uint32_t rank) {
  bool seen[HD_MAX_RANK] = {false};
  for (uint32_t d = 0; d < rank; ++d) {
    if (order[d] < 0 || order[d] >= rank || seen[order[d]]) return false;
    seen[order[d]] = true;
  }
  return true;
}

static hd_attr dims_attr(hd_context *context, const int64_t *values, uint32_t rank) {
  return hd_attr_i64_array(context, values, rank);
}

bool hd_expand_layouts(hd_builder *b, hd_op *op, hd_value **results) {
  hd_attr ins = hd_stablehlo_custom_call_operand_layouts(op), outs = hd_stablehlo_custom_call_result_layouts(op);
  hd_context *context = b->context;
  hd_arena *arena = &b->module->arena;
  bool any = false;
  int64_t order[HD_MAX_RANK], inverse[HD_MAX_RANK];
  hd_value **operands = hd_new_array(arena, hd_value *, op->operand_count + 1);
  hd_attr *operand_dims = hd_new_array(arena, hd_attr, op->operand_count + 1);
  hd_attr *result_dims = hd_new_array(arena, hd_attr, op->result_count + 1);
  hd_type *types = hd_new_array(arena, hd_type, op->result_count + 1);
  for (uint32_t i = 0; i < op->operand_count + op->result_count; ++i) {
    bool is_operand = i < op->operand_count;
    uint32_t k = is_operand ? i : i - op->operand_count;
    hd_type type = is_operand ? hd_operand_type(op, k) : hd_result_type(op, k);
    if (is_operand) operands[k] = hd_operand(op, k);
    if (!is_operand) types[k] = type;
    if (type->kind != HD_TYPE_TENSOR || hd_type_rank(type) > HD_MAX_RANK) {
      (is_operand ? operand_dims : result_dims)[k] = dims_attr(context, NULL, 0);
      continue;
    }
    uint32_t rank = hd_type_rank(type);
    bool other = order_of(is_operand ? ins : outs, k, rank, order);
    if (!is_order(order, rank))
      return hd_op_error(op, "expects each layout to be a permutation of the dims, got another list");
    any |= other;
    invert(order, rank, inverse);
    (is_operand ? operand_dims : result_dims)[k] = dims_attr(context, inverse, rank);
    if (!other) continue;
    if (is_operand) {
      operands[k] = hd_hlo_transpose(b, hd_operand(op, k), order);
    } else {
      int64_t dims[HD_MAX_RANK];
      for (uint32_t d = 0; d < rank; ++d) dims[d] = hd_type_dim(type, (uint32_t)order[d]);
      types[k] = hd_type_with_dims(type, dims, rank);
    }
  }
  if (!any) return true;
  hd_attr_arg attrs[] = {{HD_NAME_call_target_name, hd_stablehlo_custom_call_call_target_name_attr(op)},
                         {HD_NAME_has_side_effect, hd_stablehlo_custom_call_has_side_effect_attr(op)},
                         {HD_NAME_backend_config, hd_stablehlo_custom_call_backend_config(op)},
                         {HD_NAME_mhlo_backend_config, hd_discardable_mhlo_backend_config(op)},
                         {HD_NAME_api_version, hd_stablehlo_custom_call_api_version_attr(op)},
                         {HD_NAME_called_computations, hd_stablehlo_custom_call_called_computations(op)},
                         {HD_NAME_indices_of_shape_operands, hd_discardable_indices_of_shape_operands(op)},
                         {HD_NAME_hd_operand_dims, hd_attr_array(context, operand_dims, op->operand_count)},
                         {HD_NAME_hd_result_dims, hd_attr_array(context, result_dims, op->result_count)}};
  hd_op *call = hd_build_op(b, HD_OP_stablehlo_custom_call, operands, op->operand_count, types, op->result_count, attrs,
                            sizeof attrs / sizeof *attrs, 0);
  for (uint32_t k = 0; k < op->result_count; ++k) {
    hd_type type = hd_result_type(op, k);
    results[k] = hd_result(call, k);
    if (types[k] == type && (type->kind != HD_TYPE_TENSOR || !order_of(outs, k, hd_type_rank(type), order))) continue;
    order_of(outs, k, hd_type_rank(type), order);
    invert(order, hd_type_rank(type), inverse);
    results[k] = hd_hlo_transpose(b, hd_result(call, k), inverse);
  }
  return true;
}
