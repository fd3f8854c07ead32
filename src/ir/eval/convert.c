/* SPDX-License-Identifier: Apache-2.0 */
/* convert, bitcast_convert, reduce_precision. */
#include <string.h>

#include "ir/eval/frame.h"

HD_EVAL_HOOK(convert) {
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_convert_elements(hd_tensor_element(&in[0]), hd_tensor_data(&in[0]), hd_tensor_element(out), hd_tensor_data(out),
                      hd_tensor_count(out));
  return HD_STATUS_OK;
}

/* Bits of an element: complex numbers are two parts in memory order. */
static uint64_t load_bits(const char *data, size_t bytes, uint32_t width) {
  uint64_t bits = 0;
  memcpy(&bits, data, bytes);
  return width >= 64 ? bits : bits & ((1ull << width) - 1);
}

static void store_bits(hd_type element, char *data, size_t bytes, uint64_t bits) {
  if (element->kind == HD_TYPE_INTEGER)
    hd_element_store(element, data, hd_integer_wrap(element, (int64_t)bits)); /* kept extended to its byte */
  else
    memcpy(data, &bits, bytes);
}

/* Elements of a narrow type are consecutive bits of a wide one, the first in the low bits. */
HD_EVAL_HOOK(bitcast_convert) {
  hd_type from = hd_tensor_element(&in[0]);
  hd_type result_type = hd_result_type(op, 0);
  if (!hd_type_is_tensor(result_type)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a tensor result");
  hd_type to = result_type->shaped.element;
  uint32_t from_bits = hd_type_bits(from), to_bits = hd_type_bits(to), rank = hd_tensor_rank(&in[0]);
  int64_t dims[HD_TENSOR_MAX_RANK + 1];
  memcpy(dims, hd_tensor_dims(&in[0]), rank * sizeof *dims);
  if (!from_bits || !to_bits) return hd_make_status(HD_UNIMPLEMENTED, "element type has no bits to cast");
  size_t from_bytes = hd_type_element_bytes(from), to_bytes = hd_type_element_bytes(to);
  if (from_bits == to_bits) {
    HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
    const char *source = hd_tensor_data(&in[0]);
    char *target = hd_tensor_data(out);
    if (from_bits > 64) {
      memcpy(target, source, out->buffer->size);
      return HD_STATUS_OK;
    }
    for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i)
      store_bits(to, target + i * to_bytes, to_bytes, load_bits(source + i * from_bytes, from_bytes, from_bits));
    return HD_STATUS_OK;
  }
  bool narrows = from_bits > to_bits;
  uint32_t wide = narrows ? from_bits : to_bits, narrow = narrows ? to_bits : from_bits;
  uint32_t ratio = wide / narrow;
  if (wide % narrow) return hd_make_status(HD_INVALID_ARGUMENT, "element widths %u and %u do not divide", wide, narrow);
  if (narrows) {
    dims[rank++] = ratio;
  } else {
    if (!rank || dims[rank - 1] != (int64_t)ratio)
      return hd_make_status(HD_INVALID_ARGUMENT, "expected a last dim of %u, got %lld", ratio,
                            (long long)(rank ? dims[rank - 1] : 1));
    --rank;
  }
  HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
  size_t wide_bytes = narrows ? from_bytes : to_bytes, narrow_bytes = narrows ? to_bytes : from_bytes;
  hd_type wide_type = narrows ? from : to, narrow_type = narrows ? to : from;
  size_t wide_count = narrows ? hd_tensor_count(&in[0]) : hd_tensor_count(out);
  for (size_t i = 0; i < wide_count; ++i) {
    if (narrow >= 8) { /* whole bytes: the memory itself */
      const char *source = (const char *)hd_tensor_data(&in[0]) + i * wide_bytes;
      memcpy((char *)hd_tensor_data(out) + i * wide_bytes, source, wide_bytes);
    } else if (narrows) {
      uint64_t bits = load_bits((const char *)hd_tensor_data(&in[0]) + i * wide_bytes, wide_bytes, wide);
      for (uint32_t k = 0; k < ratio; ++k)
        store_bits(narrow_type, (char *)hd_tensor_data(out) + (i * ratio + k) * narrow_bytes, narrow_bytes,
                   bits >> (k * narrow) & ((1ull << narrow) - 1));
    } else {
      uint64_t bits = 0;
      for (uint32_t k = 0; k < ratio; ++k)
        bits |= load_bits((const char *)hd_tensor_data(&in[0]) + (i * ratio + k) * narrow_bytes, narrow_bytes, narrow)
                << (k * narrow);
      store_bits(wide_type, (char *)hd_tensor_data(out) + i * wide_bytes, wide_bytes, bits);
    }
  }
  return HD_STATUS_OK;
}

/* The pattern |bits| of |format| rounded to |mantissa_bits|, ties to even, at the place where the mantissa stands (so
 * subnormals keep fewer bits); then what |exponent_bits| cannot hold becomes infinity, and what is below their smallest
 * normal number zero, as XLA has it. */
static uint64_t reduce(const hd_float_format *format, uint64_t bits, int64_t exponent_bits, int64_t mantissa_bits) {
  uint64_t sign = bits & 1ull << (format->bits - 1), magnitude = bits ^ sign;
  int drop =
      format->mantissa_bits - (int)(mantissa_bits < format->mantissa_bits ? mantissa_bits : format->mantissa_bits);
  uint64_t infinity = ((1ull << format->exponent_bits) - 1) << format->mantissa_bits;
  if (magnitude == infinity) return bits;
  if (drop) {
    uint64_t unit = 1ull << drop;
    magnitude += unit / 2 - 1 + (magnitude >> drop & 1);
    magnitude &= ~(unit - 1);
  }
  if (exponent_bits < format->exponent_bits) {
    int64_t bias = (1ll << (exponent_bits - 1)) - 1,
            exponent = (int64_t)(magnitude >> format->mantissa_bits) - format->bias;
    if (exponent > bias)
      magnitude = infinity;
    else if (exponent < 1 - bias)
      magnitude = 0;
  }
  return sign | magnitude;
}

HD_EVAL_HOOK(reduce_precision) {
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type element = hd_tensor_element(&in[0]);
  int64_t exponent_bits = hd_op_int_attr(op, "exponent_bits", 0),
          mantissa_bits = hd_op_int_attr(op, "mantissa_bits", -1);
  if (hd_class_of(element) != HD_CLASS_FLOAT || hd_tensor_element(out) != element)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected floats");
  if (exponent_bits < 1 || mantissa_bits < 0)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected exponent_bits of 1 or more and mantissa_bits of 0 or more");
  const hd_float_format *format = &hd_float_formats[element->float_kind];
  if (format->special != HD_FLOAT_IEEE)
    return hd_make_status(HD_UNIMPLEMENTED, "expected a float type with infinities, got %s", format->name);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)hd_tensor_data(&in[0]) + i * bytes, bytes);
    if (!hd_float_bits_are_nan(element->float_kind, bits)) bits = reduce(format, bits, exponent_bits, mantissa_bits);
    memcpy((char *)hd_tensor_data(out) + i * bytes, &bits, bytes);
  }
  return HD_STATUS_OK;
}
