/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/broadcast.h"

hd_status hd_eval_broadcast_to(hd_eval_frame *frame, const hd_tensor *operand, const hd_eval_ints *axes, uint32_t rank,
                               const int64_t *dims, hd_tensor *out) {
  uint32_t from_rank = hd_tensor_rank(operand);
  if (rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the evaluator's limit", rank);
  if (axes->count != from_rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "broadcast_dimensions: expected %u entries, got %zu", from_rank,
                          axes->count);
  HD_TRY(hd_eval_check_axes(axes, rank, hd_name_text(HD_NAME_broadcast_dimensions)));
  int64_t from_strides[HD_MAX_RANK], strides[HD_MAX_RANK] = {0}, to_strides[HD_MAX_RANK];
  hd_strides_of(from_rank, hd_tensor_dims(operand), from_strides);
  for (uint32_t i = 0; i < from_rank; ++i) {
    int64_t from = hd_tensor_dims(operand)[i], to = dims[axes->data[i]];
    if (from != 1 && from != to)
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %u of the operand is %lld, expected 1 or %lld", i,
                            (long long)from, (long long)to);
    strides[axes->data[i]] = from == 1 ? 0 : from_strides[i];
  }
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(operand), rank, dims, out));
  hd_strides_of(rank, dims, to_strides);
  hd_tensor_copy_strided(rank, dims, hd_tensor_element_bytes(operand), hd_tensor_data(out), to_strides,
                         hd_tensor_data(operand), strides);
  return HD_STATUS_OK;
}

/* Dims are aligned at the right, or as broadcast_dimensions places the operand of lower rank; a 1 is repeated. */
static hd_status broadcast_dims(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, uint32_t n, uint32_t *out_rank,
                                int64_t *dims, int64_t axes[3][HD_MAX_RANK]) {
  uint32_t rank = 0;
  hd_eval_ints given;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_broadcast_dimensions, &given));
  for (uint32_t k = 0; k < n; ++k)
    if (hd_tensor_rank(&in[k]) > rank) rank = hd_tensor_rank(&in[k]);
  for (uint32_t i = 0; i < rank; ++i) dims[i] = 1;
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t own = hd_tensor_rank(&in[k]);
    bool placed = hd_op_attr_get(op, HD_NAME_broadcast_dimensions) && given.count == own && own < rank;
    for (uint32_t i = 0; i < own; ++i) {
      int64_t axis = placed ? given.data[i] : (int64_t)(rank - own + i), size = hd_tensor_dims(&in[k])[i];
      if (axis < 0 || axis >= (int64_t)rank)
        return hd_make_status(HD_INVALID_ARGUMENT, "broadcast_dimensions: expected dims in [0, %u)", rank);
      axes[k][i] = axis;
      if (size == 1) continue;
      if (dims[axis] != 1 && dims[axis] != size)
        return hd_make_status(HD_INVALID_ARGUMENT, "operands do not broadcast: dim %lld is %lld and %lld",
                              (long long)axis, (long long)dims[axis], (long long)size);
      dims[axis] = size;
    }
  }
  *out_rank = rank;
  return HD_STATUS_OK;
}

hd_status hd_eval_broadcast_then(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, uint32_t n,
                                 hd_eval_hook then) {
  int64_t dims[HD_MAX_RANK], axes[HD_BROADCAST_MAX_OPERANDS][HD_MAX_RANK];
  uint32_t rank = 0;
  hd_tensor wide[HD_BROADCAST_MAX_OPERANDS] = {0};
  HD_TRY(broadcast_dims(frame, op, in, n, &rank, dims, axes));
  hd_status status = HD_STATUS_OK;
  for (uint32_t k = 0; k < n && hd_is_ok(status); ++k)
    status =
        hd_eval_broadcast_to(frame, &in[k], &(hd_eval_ints){hd_tensor_rank(&in[k]), axes[k]}, rank, dims, &wide[k]);
  if (hd_is_ok(status)) status = then(frame, op, wide, out);
  for (uint32_t k = 0; k < n; ++k) hd_tensor_release(&wide[k]);
  return status;
}
