/* SPDX-License-Identifier: Apache-2.0 */
/* The ops of tt that make, move and choose elements without computing. */
#include <string.h>

#include "eval/core/scalar.h"
#include "ir/ops/tt.h"

HD_EVAL_HOOK(tt_make_range) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  int64_t start = hd_tt_make_range_start(op);
  for (size_t i = 0; i < hd_tensor_count(out); ++i)
    hd_element_store(hd_tensor_element(out), (char *)hd_tensor_data(out) + i * hd_tensor_element_bytes(out),
                     start + (int64_t)i);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_splat) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  size_t bytes = hd_tensor_element_bytes(out);
  for (size_t i = 0; i < hd_tensor_count(out); ++i)
    memcpy((char *)hd_tensor_data(out) + i * bytes, hd_tensor_data(&in[0]), bytes);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_unsplat) {
  *out = hd_tensor_retain(in[0]);
  out->type = hd_result_type(op, 0);
  return HD_STATUS_OK;
}

/* |in| by its strides, one per dim of the result, from element |offset| on. */
static hd_status strided(hd_eval_frame *frame, hd_type type, const hd_tensor *in, const int64_t *strides,
                         int64_t offset, hd_tensor *out) {
  int64_t dense[HD_MAX_RANK];
  HD_TRY(hd_eval_value(frame, type, out));
  size_t bytes = hd_tensor_element_bytes(out);
  uint32_t rank = hd_tensor_rank(out);
  hd_strides_of(rank, hd_tensor_dims(out), dense);
  hd_tensor_copy_strided(rank, hd_tensor_dims(out), bytes, hd_tensor_data(out), dense,
                         (const char *)hd_tensor_data(in) + offset * (int64_t)bytes, strides);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_broadcast) {
  int64_t strides[HD_MAX_RANK];
  uint32_t rank = hd_tensor_rank(&in[0]);
  hd_strides_of(rank, hd_tensor_dims(&in[0]), strides);
  for (uint32_t i = 0; i < rank; ++i)
    if (hd_tensor_dims(&in[0])[i] == 1) strides[i] = 0;
  return strided(frame, hd_result_type(op, 0), &in[0], strides, 0, out);
}

HD_EVAL_HOOK(tt_trans) {
  int64_t strides[HD_MAX_RANK], moved[HD_MAX_RANK];
  hd_eval_ints order;
  uint32_t rank = hd_tensor_rank(&in[0]);
  HD_TRY(hd_eval_ints_of(frame, hd_tt_trans_order(op), &order));
  HD_TRY(hd_eval_check_axes(&order, rank, "order"));
  hd_strides_of(rank, hd_tensor_dims(&in[0]), strides);
  for (uint32_t i = 0; i < rank && i < order.count; ++i) moved[i] = strides[order.data[i]];
  return strided(frame, hd_result_type(op, 0), &in[0], moved, 0, out);
}

/* The same elements in the same order, in the result's shape. */
static hd_status reshaped(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  hd_type type = hd_result_type(op, 0);
  return hd_eval_reshaped(frame, &in[0], type->shaped.element, type->shaped.rank, type->shaped.dims, out);
}
HD_EVAL_HOOK(tt_expand_dims) { return reshaped(frame, op, in, out); }
HD_EVAL_HOOK(tt_reshape) { return reshaped(frame, op, in, out); } /* any order would do where one is allowed */
HD_EVAL_HOOK(ttg_convert_layout) { return reshaped(frame, op, in, out); }

/* lhs, then rhs: any order would do. */
HD_EVAL_HOOK(tt_cat) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  size_t size = in[0].buffer->size;
  if (size + in[1].buffer->size != out->buffer->size)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives as many elements as both operands have, expected %zu",
                          hd_tensor_count(out));
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[0]), size);
  memcpy((char *)hd_tensor_data(out) + size, hd_tensor_data(&in[1]), in[1].buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_join) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  size_t bytes = hd_tensor_element_bytes(out);
  for (size_t i = 0; i < hd_tensor_count(out); ++i)
    memcpy((char *)hd_tensor_data(out) + i * bytes, (const char *)hd_tensor_data(&in[i % 2]) + i / 2 * bytes, bytes);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_split) {
  for (uint32_t k = 0; k < 2; ++k) {
    HD_TRY(hd_eval_value(frame, hd_result_type(op, k), &out[k]));
    size_t bytes = hd_tensor_element_bytes(&out[k]);
    for (size_t i = 0; i < hd_tensor_count(&out[k]); ++i)
      memcpy((char *)hd_tensor_data(&out[k]) + i * bytes, (const char *)hd_tensor_data(&in[0]) + (2 * i + k) * bytes,
             bytes);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_gather) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  uint32_t rank = hd_tensor_rank(out);
  int64_t axis = hd_tt_gather_axis(op), index[HD_MAX_RANK] = {0}, strides[HD_MAX_RANK];
  if (axis < 0 || axis >= (int64_t)rank || hd_tensor_rank(&in[0]) != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an axis in [0, %u), got %lld", rank, (long long)axis);
  size_t bytes = hd_tensor_element_bytes(out), step = hd_tensor_element_bytes(&in[1]), at = 0;
  hd_strides_of(rank, hd_tensor_dims(&in[0]), strides);
  do {
    int64_t chosen = hd_element_load(hd_tensor_element(&in[1]), (const char *)hd_tensor_data(&in[1]) + at * step),
            size = hd_tensor_dims(&in[0])[axis], from = 0;
    if (chosen < 0 || chosen >= size)
      return hd_make_status(HD_INVALID_ARGUMENT, "index %lld of element %zu is not in [0, %lld)", (long long)chosen, at,
                            (long long)size);
    for (uint32_t i = 0; i < rank; ++i) from += (i == axis ? chosen : index[i]) * strides[i];
    memcpy((char *)hd_tensor_data(out) + at++ * bytes, (const char *)hd_tensor_data(&in[0]) + (size_t)from * bytes,
           bytes);
  } while (hd_index_next(rank, hd_tensor_dims(out), index));
  return HD_STATUS_OK;
}

/* Numbers outside of the bins are counted nowhere. */
HD_EVAL_HOOK(tt_histogram) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  const hd_tensor *mask = op->operand_count > 1 ? &in[1] : NULL;
  hd_type element = hd_tensor_element(out);
  size_t bins = hd_tensor_count(out), bytes = hd_tensor_element_bytes(out), step = hd_tensor_element_bytes(&in[0]);
  if (mask && hd_tensor_count(mask) != hd_tensor_count(&in[0]))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a mask of its operand's shape");
  memset(hd_tensor_data(out), 0, out->buffer->size);
  for (size_t i = 0; i < hd_tensor_count(&in[0]); ++i) {
    int64_t bin = hd_element_load(hd_tensor_element(&in[0]), (const char *)hd_tensor_data(&in[0]) + i * step);
    if ((mask && !((const char *)hd_tensor_data(mask))[i]) || bin < 0 || (size_t)bin >= bins) continue;
    char *to = (char *)hd_tensor_data(out) + (size_t)bin * bytes;
    hd_element_store(element, to, hd_element_load(element, to) + 1);
  }
  return HD_STATUS_OK;
}
