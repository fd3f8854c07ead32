/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/quantized.h"

#include "ir/quantized.h"

/* Which scale belongs to element |i|. */
typedef struct scales {
  hd_type type;
  size_t stride, size;
} scales;

static hd_status scales_of(hd_type type, uint32_t rank, const int64_t *dims, scales *out) {
  *out = (scales){type, 1, 1};
  if (type->quant.block_rank) return hd_make_status(HD_UNIMPLEMENTED, "sub-channel quantization has no evaluator");
  if (!type->quant.per_axis) return HD_STATUS_OK;
  int64_t strides[HD_MAX_RANK];
  if (type->quant.axis < 0 || (uint32_t)type->quant.axis >= rank ||
      dims[type->quant.axis] != (int64_t)type->quant.count)
    return hd_make_status(HD_INVALID_ARGUMENT, "quantized along dim %d with %u scales, which does not fit %s",
                          type->quant.axis, type->quant.count, hd_dims_text(rank, dims));
  hd_strides_of(rank, dims, strides);
  *out = (scales){type, (size_t)strides[type->quant.axis], (size_t)dims[type->quant.axis]};
  return HD_STATUS_OK;
}

static size_t scale_index(const scales *s, size_t i) { return s->type->quant.per_axis ? i / s->stride % s->size : 0; }

hd_status hd_eval_dequantized(hd_eval_frame *frame, const hd_tensor *tensor, hd_tensor *out) {
  hd_type type = hd_tensor_element(tensor);
  scales s;
  HD_TRY(scales_of(type, hd_tensor_rank(tensor), hd_tensor_dims(tensor), &s));
  HD_TRY(hd_eval_tensor(frame, type->quant.expressed, hd_tensor_rank(tensor), hd_tensor_dims(tensor), out));
  size_t bytes = hd_type_element_bytes(type), to_bytes = hd_tensor_element_bytes(out);
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i) {
    size_t k = scale_index(&s, i);
    double value = hd_dequantize(type, k, (const char *)hd_tensor_data(tensor) + i * bytes);
    hd_store_doubles(type->quant.expressed, (char *)hd_tensor_data(out) + i * to_bytes, 1, &value);
  }
  return HD_STATUS_OK;
}

hd_status hd_eval_quantized(hd_eval_frame *frame, const hd_tensor *tensor, hd_type element, hd_tensor *out) {
  scales s;
  hd_type from = hd_tensor_element(tensor);
  if (hd_class_of(from) != HD_CLASS_FLOAT) return hd_make_status(HD_INVALID_ARGUMENT, "expected floats to quantize");
  HD_TRY(scales_of(element, hd_tensor_rank(tensor), hd_tensor_dims(tensor), &s));
  HD_TRY(hd_eval_tensor(frame, element, hd_tensor_rank(tensor), hd_tensor_dims(tensor), out));
  size_t bytes = hd_type_element_bytes(from), to_bytes = hd_type_element_bytes(element);
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i) {
    double value;
    hd_load_doubles(from, (const char *)hd_tensor_data(tensor) + i * bytes, 1, &value);
    hd_quantize(element, scale_index(&s, i), value, (char *)hd_tensor_data(out) + i * to_bytes);
  }
  return HD_STATUS_OK;
}

hd_status hd_eval_as_stored(hd_eval_frame *frame, hd_tensor *tensor, hd_type element) {
  hd_type written = hd_tensor_is_tensor(tensor) ? hd_tensor_element(tensor) : NULL;
  if (!element || !written || written == element || hd_type_bits(written) != hd_type_bits(element)) return HD_STATUS_OK;
  hd_tensor stored = {0};
  HD_TRY(hd_eval_tensor(frame, element, hd_tensor_rank(tensor), hd_tensor_dims(tensor), &stored));
  size_t bytes = hd_type_element_bytes(element), count = hd_tensor_count(tensor);
  for (size_t i = 0; i < count; ++i) {
    int64_t value = hd_element_load(written, (const char *)hd_tensor_data(tensor) + i * bytes);
    hd_element_store(hd_quantized_storage(element), (char *)hd_tensor_data(&stored) + i * bytes,
                     hd_integer_wrap(hd_quantized_storage(element), value));
  }
  hd_tensor_release(tensor);
  *tensor = stored;
  return HD_STATUS_OK;
}
