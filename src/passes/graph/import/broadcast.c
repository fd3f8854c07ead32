/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/graph/import/broadcast.h"

#include "ir/ops/stablehlo.h"
#include "passes/graph/hlo_build.h"

/* Where each dim of operand |k| is in the result: as broadcast_dimensions says for the one of lower rank, else at the
 * right. */
static bool axes_of(hd_op *op, uint32_t k, uint32_t rank, int64_t *axes) {
  uint32_t own = hd_type_rank(hd_operand_type(op, k));
  hd_attr given = hd_op_attr_get(op, HD_NAME_broadcast_dimensions);
  bool placed = given && hd_attr_count(given) == own && own < rank;
  for (uint32_t i = 0; i < own; ++i) {
    axes[i] = placed ? hd_attr_int_at(given, i) : (int64_t)(rank - own + i);
    if (axes[i] < 0 || axes[i] >= (int64_t)rank || (i && axes[i] <= axes[i - 1]))
      return hd_op_error(op, "broadcast_dimensions: expected increasing dims in [0, %u), got %lld", rank,
                         (long long)axes[i]);
  }
  return true;
}

bool hd_broadcast_operands(hd_builder *b, hd_op *op, hd_value **values) {
  uint32_t rank = 0;
  bool known = true, same = true;
  for (uint32_t k = 0; k < op->operand_count; ++k) {
    hd_type type = hd_operand_type(op, k);
    if (!hd_type_has_rank(type)) return hd_op_error(op, "expects operands of known rank, got one of unknown rank");
    if (hd_type_rank(type) > rank) rank = hd_type_rank(type);
    known = known && hd_type_is_static(type);
    same = same && hd_type_rank(type) == 0;
    values[k] = hd_operand(op, k);
  }
  if (rank > HD_MAX_RANK) return hd_op_error(op, "has rank %u, expected at most %u", rank, HD_MAX_RANK);
  if (same) return true;
  int64_t axes[HD_BROADCAST_MAX_OPERANDS][HD_MAX_RANK], dims[HD_MAX_RANK];
  hd_value *sizes[HD_MAX_RANK] = {0};
  for (uint32_t i = 0; i < rank; ++i) dims[i] = 1;
  for (uint32_t k = 0; k < op->operand_count; ++k) {
    hd_type type = values[k]->type;
    if (!axes_of(op, k, rank, axes[k])) return false;
    for (uint32_t i = 0; i < hd_type_rank(type); ++i) {
      int64_t axis = axes[k][i], dim = hd_type_dim(type, i);
      if (!known) {
        hd_value *size = hd_hlo_size_of(b, values[k], i);
        if (sizes[axis] && dim != 1) { /* of 1 and another size the other */
          hd_value *is_one = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, sizes[axis], hd_hlo_size(b, 1));
          size = hd_stablehlo_select(b, is_one, size, sizes[axis]);
        }
        if (!sizes[axis] || dim != 1) sizes[axis] = size;
      }
      if (dim == 1) continue;
      if (dims[axis] == 1 || dims[axis] == HD_DYNAMIC)
        dims[axis] = dim;
      else if (dim != HD_DYNAMIC && dim != dims[axis])
        return hd_op_error(op, "operands do not broadcast: dim %lld is %lld and %lld", (long long)axis,
                           (long long)dims[axis], (long long)dim);
    }
  }
  hd_value *shape = NULL;
  if (!known) {
    for (uint32_t i = 0; i < rank; ++i)
      if (!sizes[i]) sizes[i] = hd_hlo_size(b, 1);
    shape = hd_hlo_shape(b, sizes, rank);
  }
  hd_type type = hd_type_tensor(hd_type_element(values[0]->type), dims, rank, NULL);
  for (uint32_t k = 0; k < op->operand_count; ++k) values[k] = hd_hlo_broadcast(b, values[k], type, axes[k], shape);
  return true;
}
