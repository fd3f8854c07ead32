/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/scalar.h"

#include "ir/number.h"

hd_status hd_eval_value(hd_eval_frame *frame, hd_type type, hd_tensor *out) {
  *out = (hd_tensor){0};
  if (hd_type_is(type, HD_TYPE_TENSOR)) return hd_tensor_create(hd_frame_heap(frame), type, out);
  hd_type element = hd_type_element(type);
  bool wide = hd_type_is(type, HD_TYPE_VECTOR);
  int64_t count = wide ? hd_type_num_elements(type) : 1;
  size_t bytes = hd_type_element_bytes(element);
  if (wide && type->shaped.rank > HD_MAX_RANK)
    return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the evaluator's limit of %d", type->shaped.rank,
                          HD_MAX_RANK);
  if (wide && count == 0) return hd_make_status(HD_UNIMPLEMENTED, "the evaluator has no vectors without lanes");
  if (!wide && hd_type_is_shaped(type)) return hd_make_status(HD_UNIMPLEMENTED, "expected a scalar, vector or tensor");
  if (!bytes || bytes > 16 || element->kind == HD_TYPE_QUANT || !hd_is_element(element))
    return hd_no_elements_of(element);
  if (count < 0 || (uint64_t)count > SIZE_MAX / 4 / bytes)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "the number of lanes of a vector overflows");
  HD_TRY(hd_tensor_buffer_create(hd_frame_heap(frame), (size_t)count * bytes, &out->buffer));
  out->type = type;
  return HD_STATUS_OK;
}

hd_status hd_eval_value_like(hd_eval_frame *frame, hd_op *op, uint32_t i, const hd_tensor *like, hd_tensor *out) {
  hd_type type = hd_result_type(op, i);
  if (hd_type_is(type, HD_TYPE_TENSOR) && !hd_type_is_static(type) && hd_tensor_is_tensor(like))
    type = hd_type_tensor(type->shaped.element, hd_tensor_dims(like), hd_tensor_rank(like), NULL);
  return hd_eval_value(frame, type, out);
}

int64_t hd_eval_int(const hd_tensor *value) {
  return hd_element_load(hd_type_element(value->type), hd_tensor_data(value));
}

hd_status hd_eval_int_result(hd_eval_frame *frame, hd_op *op, uint32_t i, int64_t value, hd_tensor *out) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, i), out));
  hd_element_store(out->type, hd_tensor_data(out), value);
  return HD_STATUS_OK;
}

hd_status hd_eval_sizes(hd_eval_frame *frame, hd_type type, const hd_tensor *dynamic, uint32_t count, int64_t **out) {
  uint32_t used = 0, rank = type->shaped.rank;
  HD_TRY(hd_eval_temp(frame, rank + 1, sizeof **out, out));
  for (uint32_t i = 0; i < rank; ++i) {
    (*out)[i] = type->shaped.dims[i];
    if ((*out)[i] != HD_DYNAMIC) continue;
    if (used == count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks a size");
    (*out)[i] = hd_eval_int(&dynamic[used++]);
  }
  return HD_STATUS_OK;
}

hd_status hd_eval_mixed(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, size_t item, hd_name name, int64_t **out,
                        size_t *out_count) {
  hd_attr list = hd_op_attr_get(op, name);
  uint32_t first, count, used = 0;
  hd_op_operand_range(op, item, &first, &count);
  *out_count = hd_attr_count(list);
  HD_TRY(hd_eval_temp(frame, *out_count + 1, sizeof **out, out));
  for (size_t i = 0; i < *out_count; ++i) {
    (*out)[i] = hd_attr_int_at(list, i);
    if ((*out)[i] != HD_DYNAMIC) continue;
    if (used == count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks an operand for '%s'", hd_name_text(name));
    (*out)[i] = hd_eval_int(&in[first + used++]);
  }
  return HD_STATUS_OK;
}
