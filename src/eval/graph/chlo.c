/* SPDX-License-Identifier: Apache-2.0 */
/* The chlo dialect: elementwise functions, and the forms of StableHLO ops whose operands broadcast together. */
#include "ir/ops/chlo.h"

#include <math.h>
#include <string.h>

#include "eval/core/broadcast.h"
#include "eval/graph/elementwise.h"
#include "eval/graph/shape_ops.h"
#include "eval/graph/special.h"

static double complex asin_acos_kernel(double complex z) {
  double x = fabs(creal(z)), y = fabs(cimag(z));
  double alpha = (hypot(x + 1, y) + hypot(x - 1, y)) / 2;
  double complex arc = casin(CMPLX(x, y));
  return CMPLX(sqrt(fmax((alpha - x) * (alpha + x), 0)), fabs(cimag(arc)));
}

static int64_t high_product(int64_t x, int64_t y, hd_type element) {
  uint32_t width = hd_type_bits(element);
  if (hd_is_unsigned(element)) return (int64_t)(uint64_t)(((unsigned __int128)(uint64_t)x * (uint64_t)y) >> width);
  return (int64_t)(((__int128)x * y) >> width);
}

HD_FLOAT1(acos_f, acos(x))
HD_COMPLEX1(acos_c, cacos(x))
HD_FLOAT1(acosh_f, acosh(x))
HD_COMPLEX1(acosh_c, cacosh(x))
HD_FLOAT1(asin_f, asin(x))
HD_COMPLEX1(asin_c, casin(x))
HD_FLOAT1(asinh_f, asinh(x))
HD_COMPLEX1(asinh_c, casinh(x))
HD_FLOAT1(atan_f, atan(x))
HD_COMPLEX1(atan_c, catan(x))
HD_FLOAT1(atanh_f, atanh(x))
HD_COMPLEX1(atanh_c, catanh(x))
HD_FLOAT1(kernel_f, sqrt((1 - x) * (1 + x)))
HD_COMPLEX1(kernel_c, asin_acos_kernel(x))
HD_FLOAT1(bessel_i1e_f, hd_bessel_i1e(x))
HD_FLOAT1(conj_f, x)
HD_INT1(conj_i, x)
HD_COMPLEX1(conj_c, conj(x))
HD_FLOAT1(cosh_f, cosh(x))
HD_COMPLEX1(cosh_c, ccosh(x))
HD_FLOAT1(sinh_f, sinh(x))
HD_COMPLEX1(sinh_c, csinh(x))
HD_FLOAT1(tan_f, tan(x))
HD_COMPLEX1(tan_c, ctan(x))
HD_FLOAT1(digamma_f, hd_digamma(x))
HD_FLOAT1(erf_f, erf(x))
HD_FLOAT1(erf_inv_f, hd_erf_inv(x))
HD_FLOAT1(erfc_f, erfc(x))
HD_FLOAT1(lgamma_f, hd_lgamma(x))
HD_FLOAT1(square_f, x *x)
HD_INT1(square_i, (int64_t)((uint64_t)x * (uint64_t)x))
/* As StableHLO decomposes it; parts of one magnitude would be 0 times infinity where their sum overflows. */
static double complex complex_square(double complex x) {
  double a = creal(x), b = cimag(x);
  return CMPLX(isfinite(a) && fabs(a) == fabs(b) ? 0 : (a - b) * (a + b), 2 * (a * b));
}
HD_COMPLEX1(square_c, complex_square(x))
HD_FLOAT2(polygamma_f, hd_polygamma(x, y))
HD_FLOAT2(zeta_f, hd_zeta(x, y))
HD_INT2(mulhi_i, high_product(x, y, element))

#define KERNELS(X)                                  \
  X(acos, 1, acos_f, NULL, acos_c)                  \
  X(acosh, 1, acosh_f, NULL, acosh_c)               \
  X(asin, 1, asin_f, NULL, asin_c)                  \
  X(asinh, 1, asinh_f, NULL, asinh_c)               \
  X(atan, 1, atan_f, NULL, atan_c)                  \
  X(atanh, 1, atanh_f, NULL, atanh_c)               \
  X(_asin_acos_kernel, 1, kernel_f, NULL, kernel_c) \
  X(bessel_i1e, 1, bessel_i1e_f, NULL, NULL)        \
  X(conj, 1, conj_f, conj_i, conj_c)                \
  X(cosh, 1, cosh_f, NULL, cosh_c)                  \
  X(sinh, 1, sinh_f, NULL, sinh_c)                  \
  X(tan, 1, tan_f, NULL, tan_c)                     \
  X(digamma, 1, digamma_f, NULL, NULL)              \
  X(erf, 1, erf_f, NULL, NULL)                      \
  X(erf_inv, 1, erf_inv_f, NULL, NULL)              \
  X(erfc, 1, erfc_f, NULL, NULL)                    \
  X(lgamma, 1, lgamma_f, NULL, NULL)                \
  X(square, 1, square_f, square_i, square_c)        \
  X(polygamma, 2, polygamma_f, NULL, NULL)          \
  X(zeta, 2, zeta_f, NULL, NULL)                    \
  X(mulhi, 2, NULL, mulhi_i, NULL)

#define X(name, operands, floats, ints, complexes)                                 \
  static const hd_elementwise kernel_##name = {operands, floats, ints, complexes}; \
  HD_EVAL_HOOK(chlo_##name) { return hd_eval_elementwise(frame, op, &kernel_##name, in, out); }
KERNELS(X)
#undef X

/* The neighbour of |bits| towards |target| in the format's own order. */
static uint64_t next_after(hd_float_kind kind, uint64_t bits, double x, double y) {
  const hd_float_format *format = &hd_float_formats[kind];
  if (isnan(y)) return hd_float_encode(kind, y);
  if (isnan(x)) return bits;
  if (x == y) return hd_float_encode(kind, y);
  if (format->special == HD_FLOAT_E8M0) return x < y ? bits + 1 : bits - 1;
  uint64_t sign = 1ull << (format->bits - 1);
  if (x == 0) return y > 0 ? 1 : sign | 1;
  bool away = (x > 0) == (y > x);
  uint64_t next = away ? bits + 1 : bits - 1;
  if (format->special == HD_FLOAT_FNUZ && next == sign) next = 0;
  return next;
}

HD_EVAL_HOOK(chlo_next_after) {
  HD_TRY(hd_eval_same_dims(&in[0], &in[1]));
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type element = hd_tensor_element(out);
  if (hd_class_of(element) != HD_CLASS_FLOAT || hd_tensor_element(&in[0]) != element ||
      hd_tensor_element(&in[1]) != element)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected floats of one type");
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i) {
    const char *from = (const char *)hd_tensor_data(&in[0]) + i * bytes;
    double x, y;
    hd_load_doubles(element, from, 1, &x);
    hd_load_doubles(element, (const char *)hd_tensor_data(&in[1]) + i * bytes, 1, &y);
    uint64_t bits = (uint64_t)hd_element_load(element, from);
    bits = next_after(element->float_kind, bits, x, y);
    memcpy((char *)hd_tensor_data(out) + i * bytes, &bits, bytes);
  }
  return HD_STATUS_OK;
}

/* A scalar attribute in the operand's shape. */
HD_EVAL_HOOK(chlo_constant_like) {
  hd_attr value = hd_chlo_constant_like_value(op);
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type element = hd_tensor_element(out);
  size_t bytes = hd_type_element_bytes(element);
  char one[16] = {0};
  if (hd_attr_is(value, HD_ATTR_INTEGER)) {
    if (hd_class_of(element) != HD_CLASS_INT)
      return hd_make_status(HD_INVALID_ARGUMENT, "value has another element type");
    hd_element_store(element, one, value->integer);
  } else if (hd_attr_is(value, HD_ATTR_FLOAT)) {
    hd_type scalar = element->kind == HD_TYPE_COMPLEX ? element->shaped.element : element;
    if (hd_class_of(scalar) != HD_CLASS_FLOAT)
      return hd_make_status(HD_INVALID_ARGUMENT, "value has another element type");
    hd_store_doubles(scalar, one, 1, &value->floating.value);
  } else if (hd_attr_is(value, HD_ATTR_DENSE) && hd_type_element(value->type) == element && hd_attr_count(value)) {
    memcpy(one, hd_attr_element_data(value, 0), bytes);
  } else if (hd_attr_is(value, HD_ATTR_ARRAY) && element->kind == HD_TYPE_COMPLEX && value->array.count == 2 &&
             hd_attr_is(value->array.items[0], HD_ATTR_FLOAT) && hd_attr_is(value->array.items[1], HD_ATTR_FLOAT)) {
    double complex z = CMPLX(value->array.items[0]->floating.value, value->array.items[1]->floating.value);
    hd_store_complex(element, one, 1, &z);
  } else {
    return hd_make_status(HD_INVALID_ARGUMENT, "value: expected a number of the result's element type");
  }
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i)
    memcpy((char *)hd_tensor_data(out) + i * bytes, one, bytes);
  return HD_STATUS_OK;
}

/* ---- operands that broadcast together ---- */

#define BROADCAST(name, base) \
  HD_EVAL_HOOK(chlo_broadcast_##name) { return hd_eval_broadcast_then(frame, op, in, out, 2, hd_eval_##base); }
BROADCAST(add, add)
BROADCAST(and, and)
BROADCAST(atan2, atan2)
BROADCAST(divide, divide)
BROADCAST(maximum, maximum)
BROADCAST(minimum, minimum)
BROADCAST(multiply, multiply)
BROADCAST(next_after, chlo_next_after)
BROADCAST(or, or)
BROADCAST(polygamma, chlo_polygamma)
BROADCAST(power, power)
BROADCAST(remainder, remainder)
BROADCAST(shift_left, shift_left)
BROADCAST(shift_right_arithmetic, shift_right_arithmetic)
BROADCAST(shift_right_logical, shift_right_logical)
BROADCAST(subtract, subtract)
BROADCAST(xor, xor)
BROADCAST(zeta, chlo_zeta)
BROADCAST(compare, compare)
BROADCAST(complex, complex)

HD_EVAL_HOOK(chlo_broadcast_select) { return hd_eval_broadcast_then(frame, op, in, out, 3, hd_eval_select); }

/* One entry of the shape may be -1. */
HD_EVAL_HOOK(chlo_dynamic_reshape) {
  hd_eval_ints shape;
  HD_TRY(hd_eval_operand_ints(frame, &in[1], "output_shape", &shape));
  if (shape.count > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the evaluator's limit");
  int64_t dims[HD_MAX_RANK], known = 1, unknown = -1, count = (int64_t)hd_tensor_count(&in[0]);
  for (size_t i = 0; i < shape.count; ++i) {
    dims[i] = shape.data[i];
    if (dims[i] == -1 && unknown < 0)
      unknown = (int64_t)i;
    else if (dims[i] < 0 || __builtin_mul_overflow(known, dims[i], &known))
      return hd_make_status(HD_INVALID_ARGUMENT, "output_shape does not describe a tensor");
  }
  if (unknown >= 0) {
    if (!known || count % known)
      return hd_make_status(HD_INVALID_ARGUMENT, "cannot reshape %lld elements to multiples of %lld", (long long)count,
                            (long long)known);
    dims[unknown] = count / known;
  }
  return hd_eval_reshaped(frame, &in[0], hd_tensor_element(&in[0]), (uint32_t)shape.count, dims, out);
}
