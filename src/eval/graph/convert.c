/* SPDX-License-Identifier: Apache-2.0 */
/* convert, bitcast_convert, reduce_precision, stochastic_convert. */
#include <math.h>
#include <string.h>

#include "eval/core/frame.h"
#include "ir/ops/stablehlo.h"
#include "ir/quantized.h"

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

/* Copies the bits of |from| to |to|, whose elements are as much wider or narrower as there are fewer or more of them:
 * elements of a narrow type are consecutive bits of a wide one, the first in the low bits. */
static void copy_bits(const hd_tensor *from, const hd_tensor *to) {
  hd_type from_type = hd_tensor_element(from), to_type = hd_tensor_element(to);
  if (hd_type_is(to_type, HD_TYPE_QUANT)) to_type = hd_quantized_storage(to_type);
  uint32_t from_bits = hd_type_bits(from_type), to_bits = hd_type_bits(to_type);
  size_t from_bytes = hd_type_element_bytes(from_type), to_bytes = hd_type_element_bytes(to_type);
  const char *source = hd_tensor_data(from);
  char *target = hd_tensor_data(to);
  uint32_t wide = from_bits > to_bits ? from_bits : to_bits, narrow = from_bits > to_bits ? to_bits : from_bits;
  if (wide == narrow && wide <= 64) {
    for (size_t i = 0, count = hd_tensor_count(to); i < count; ++i)
      store_bits(to_type, target + i * to_bytes, to_bytes, load_bits(source + i * from_bytes, from_bytes, from_bits));
    return;
  }
  if (narrow >= 8) { /* whole bytes: the memory itself */
    if (to->buffer->size) memcpy(target, source, to->buffer->size);
    return;
  }
  uint32_t ratio = wide / narrow;
  for (size_t i = 0, count = from_bits > to_bits ? hd_tensor_count(from) : hd_tensor_count(to); i < count; ++i) {
    uint64_t bits = from_bits > to_bits ? load_bits(source + i * from_bytes, from_bytes, wide) : 0;
    for (uint32_t k = 0; k < ratio; ++k)
      if (from_bits > to_bits)
        store_bits(to_type, target + (i * ratio + k) * to_bytes, to_bytes,
                   bits >> (k * narrow) & ((1ull << narrow) - 1));
      else
        bits |= load_bits(source + (i * ratio + k) * from_bytes, from_bytes, narrow) << (k * narrow);
    if (from_bits < to_bits) store_bits(to_type, target + i * to_bytes, to_bytes, bits);
  }
}

HD_EVAL_HOOK(bitcast_convert) {
  hd_type from = hd_tensor_element(&in[0]);
  hd_type result_type = hd_result_type(op, 0);
  if (!hd_type_is_tensor(result_type)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a tensor result");
  hd_type to = result_type->shaped.element;
  uint32_t from_bits = hd_type_bits(from), to_bits = hd_type_bits(to), rank = hd_tensor_rank(&in[0]);
  int64_t dims[HD_MAX_RANK + 1];
  memcpy(dims, hd_tensor_dims(&in[0]), rank * sizeof *dims);
  if (!from_bits || !to_bits) return hd_make_status(HD_UNIMPLEMENTED, "element type has no bits to cast");
  if (from_bits == to_bits) {
    HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
    copy_bits(&in[0], out);
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
  copy_bits(&in[0], out);
  return HD_STATUS_OK;
}

/* The same bytes in another shape. */
HD_EVAL_HOOK(bitcast) {
  hd_type type = hd_result_type(op, 0);
  hd_type same = hd_type_is_tensor(type) ? hd_type_with_element(hd_operand_type(op, 0), type->shaped.element) : NULL;
  uint32_t from_bits = hd_type_bits(hd_tensor_element(&in[0])), to_bits = same ? hd_type_bits(type->shaped.element) : 0;
  bool copies_dims = same == type && from_bits == to_bits;
  if (!from_bits || !to_bits || (!copies_dims && !hd_type_is_static(type)))
    return hd_make_status(HD_UNIMPLEMENTED,
                          "expects a result of known dims, or the operand's dims and width of elements");
  if (copies_dims)
    HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  else
    HD_TRY(hd_eval_result(frame, op, 0, type->shaped.rank, type->shaped.dims, out));
  uint64_t from = hd_tensor_count(&in[0]) * (uint64_t)from_bits, to = hd_tensor_count(out) * (uint64_t)to_bits;
  if (from != to || (from_bits % to_bits && to_bits % from_bits))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %llu bits, got %llu", (unsigned long long)to,
                          (unsigned long long)from);
  copy_bits(&in[0], out);
  return HD_STATUS_OK;
}

/* The pattern |bits| of |format| rounded to |mantissa_bits|, ties to even, at the place where the mantissa is (so
 * subnormals keep fewer bits); then what |exponent_bits| cannot hold becomes infinity, and what is below their smallest
 * normal number zero, as XLA has it. Formats without infinities have the number, or NaN, of its pattern. */
static uint64_t reduce(const hd_float_format *format, uint64_t bits, int64_t exponent_bits, int64_t mantissa_bits) {
  uint64_t sign = format->special == HD_FLOAT_E8M0 ? 0 : bits & 1ull << (format->bits - 1), magnitude = bits ^ sign;
  int drop =
      format->mantissa_bits - (int)(mantissa_bits < format->mantissa_bits ? mantissa_bits : format->mantissa_bits);
  uint64_t infinity = ((1ull << format->exponent_bits) - 1) << format->mantissa_bits;
  if (format->special == HD_FLOAT_IEEE && magnitude == infinity) return bits;
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
  return magnitude == 0 && format->special == HD_FLOAT_FNUZ ? 0 : sign | magnitude;
}

HD_EVAL_HOOK(reduce_precision) {
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type element = hd_tensor_element(&in[0]);
  int64_t exponent_bits = hd_stablehlo_reduce_precision_exponent_bits(op),
          mantissa_bits = hd_stablehlo_reduce_precision_mantissa_bits(op);
  if (hd_class_of(element) != HD_CLASS_FLOAT || hd_tensor_element(out) != element)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected floats");
  if (exponent_bits < 1 || mantissa_bits < 0)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected exponent_bits of 1 or more and mantissa_bits of 0 or more");
  const hd_float_format *format = &hd_float_formats[element->float_kind];
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)hd_tensor_data(&in[0]) + i * bytes, bytes);
    if (!hd_float_bits_are_nan(element->float_kind, bits)) bits = reduce(format, bits, exponent_bits, mantissa_bits);
    memcpy((char *)hd_tensor_data(out) + i * bytes, &bits, bytes);
  }
  return HD_STATUS_OK;
}

/* |x| as an integer of |bits|: towards zero, or one further where its fraction, of |random_bits|, is above |random|. */
static int64_t round_at_random(double x, uint64_t random, uint32_t random_bits, uint32_t bits) {
  int64_t most = INT64_MAX >> (64 - bits), least = -most - 1;
  if (isnan(x)) return 0;
  if (x >= (double)most) return most;
  if (x <= (double)least) return least;
  double size = fabs(x);
  int64_t whole = (int64_t)size;
  double fraction = size - (double)whole;
  if (random < (uint64_t)ldexp(fraction, (int)random_bits)) ++whole;
  return x < 0 ? -whole : whole;
}

HD_EVAL_HOOK(stochastic_convert) {
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type from = hd_tensor_element(&in[0]), random = hd_tensor_element(&in[1]), to = hd_tensor_element(out);
  uint32_t bits = to->kind == HD_TYPE_INTEGER ? hd_type_bits(to) : 0;
  if (bits < 2 || bits > 64 || to->integer.signedness == HD_UNSIGNED)
    return hd_make_status(HD_UNIMPLEMENTED, "expected signed integers as result");
  if (hd_tensor_count(&in[1]) != hd_tensor_count(&in[0]))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected operands of one shape");
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i) {
    double x;
    hd_load_doubles(from, (const char *)hd_tensor_data(&in[0]) + i * hd_type_element_bytes(from), 1, &x);
    uint64_t bits_given = (uint64_t)hd_int_at(random, hd_tensor_data(&in[1]), i);
    int64_t value = round_at_random(x, bits_given, hd_type_bits(random), bits);
    hd_store_ints(to, (char *)hd_tensor_data(out) + i * hd_type_element_bytes(to), 1, &value);
  }
  return HD_STATUS_OK;
}
