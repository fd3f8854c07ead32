/* SPDX-License-Identifier: Apache-2.0 */
/* The math dialect on scalars and vectors, by the functions of C in double precision, rounded once. */
#include <math.h>

#include "eval/core/scalar.h"
#include "eval/machine/arith_ops.h"

static uint32_t width_of(hd_type element) { return element->kind == HD_TYPE_INTEGER ? element->integer.width : 64; }
static uint64_t bits_of(int64_t x, hd_type element) {
  uint32_t width = width_of(element);
  return width >= 64 ? (uint64_t)x : (uint64_t)x & ((1ull << width) - 1);
}
static int64_t leading_zeros(int64_t x, hd_type element) {
  uint64_t bits = bits_of(x, element);
  return bits ? __builtin_clzll(bits) - 64 + (int64_t)width_of(element) : (int64_t)width_of(element);
}
static int64_t trailing_zeros(int64_t x, hd_type element) {
  uint64_t bits = bits_of(x, element);
  return bits ? __builtin_ctzll(bits) : (int64_t)width_of(element);
}
static int64_t integer_power(int64_t x, int64_t y) {
  if (y < 0) return x == 1 ? 1 : x == -1 ? (y & 1 ? -1 : 1) : 0;
  uint64_t result = 1, base = (uint64_t)x;
  for (uint64_t n = (uint64_t)y; n; n >>= 1, base *= base)
    if (n & 1) result *= base;
  return (int64_t)result;
}

HD_FLOAT1(absf, fabs(x))
HD_FLOAT1(acos_, acos(x))
HD_FLOAT1(acosh_, acosh(x))
HD_FLOAT1(asin_, asin(x))
HD_FLOAT1(asinh_, asinh(x))
HD_FLOAT1(atan_, atan(x))
HD_FLOAT1(atanh_, atanh(x))
HD_FLOAT1(cbrt_, cbrt(x))
HD_FLOAT1(ceil_, ceil(x))
HD_FLOAT1(cos_, cos(x))
HD_FLOAT1(cosh_, cosh(x))
HD_FLOAT1(erf_, erf(x))
HD_FLOAT1(erfc_, erfc(x))
HD_FLOAT1(exp_, exp(x))
HD_FLOAT1(exp2_, exp2(x))
HD_FLOAT1(expm1_, expm1(x))
HD_FLOAT1(floor_, floor(x))
HD_FLOAT1(log_, log(x))
HD_FLOAT1(log10_, log10(x))
HD_FLOAT1(log1p_, log1p(x))
HD_FLOAT1(log2_, log2(x))
HD_FLOAT1(round_, round(x))
HD_FLOAT1(roundeven_, nearbyint(x)) /* in the default rounding mode */
HD_FLOAT1(rsqrt_, 1 / sqrt(x))
HD_FLOAT1(sin_, sin(x))
HD_FLOAT1(sinh_, sinh(x))
HD_FLOAT1(sqrt_, sqrt(x))
HD_FLOAT1(tan_, tan(x))
HD_FLOAT1(tanh_, tanh(x))
HD_FLOAT1(trunc_, trunc(x))
HD_FLOAT2(atan2_, atan2(x, y))
HD_FLOAT2(copysign_, copysign(x, y))
HD_FLOAT2(powf_, pow(x, y))
HD_INT1(absi, x < 0 ? (int64_t)(0 - (uint64_t)x) : x)
HD_INT1(ctlz, leading_zeros(x, element))
HD_INT1(cttz, trailing_zeros(x, element))
HD_INT1(ctpop, __builtin_popcountll(bits_of(x, element)))
HD_INT2(ipowi, integer_power(x, y))

#define KERNEL(name, operands, floats, ints)                             \
  HD_EVAL_HOOK(math_##name) {                                            \
    static const hd_elementwise kernel = {operands, floats, ints, NULL}; \
    return hd_eval_lanes(frame, op, &kernel, in, out);                   \
  }
KERNEL(absf, 1, absf, NULL)
KERNEL(acos, 1, acos_, NULL)
KERNEL(acosh, 1, acosh_, NULL)
KERNEL(asin, 1, asin_, NULL)
KERNEL(asinh, 1, asinh_, NULL)
KERNEL(atan, 1, atan_, NULL)
KERNEL(atanh, 1, atanh_, NULL)
KERNEL(cbrt, 1, cbrt_, NULL)
KERNEL(ceil, 1, ceil_, NULL)
KERNEL(cos, 1, cos_, NULL)
KERNEL(cosh, 1, cosh_, NULL)
KERNEL(erf, 1, erf_, NULL)
KERNEL(erfc, 1, erfc_, NULL)
KERNEL(exp, 1, exp_, NULL)
KERNEL(exp2, 1, exp2_, NULL)
KERNEL(expm1, 1, expm1_, NULL)
KERNEL(floor, 1, floor_, NULL)
KERNEL(log, 1, log_, NULL)
KERNEL(log10, 1, log10_, NULL)
KERNEL(log1p, 1, log1p_, NULL)
KERNEL(log2, 1, log2_, NULL)
KERNEL(round, 1, round_, NULL)
KERNEL(roundeven, 1, roundeven_, NULL)
KERNEL(rsqrt, 1, rsqrt_, NULL)
KERNEL(sin, 1, sin_, NULL)
KERNEL(sinh, 1, sinh_, NULL)
KERNEL(sqrt, 1, sqrt_, NULL)
KERNEL(tan, 1, tan_, NULL)
KERNEL(tanh, 1, tanh_, NULL)
KERNEL(trunc, 1, trunc_, NULL)
KERNEL(atan2, 2, atan2_, NULL)
KERNEL(copysign, 2, copysign_, NULL)
KERNEL(powf, 2, powf_, NULL)
KERNEL(absi, 1, NULL, absi)
KERNEL(ctlz, 1, NULL, ctlz)
KERNEL(cttz, 1, NULL, cttz)
KERNEL(ctpop, 1, NULL, ctpop)
KERNEL(ipowi, 2, NULL, ipowi)
#undef KERNEL

/* One rounding, in the element type. */
HD_EVAL_HOOK(math_fma) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  hd_type element = hd_type_element(out->type);
  size_t bytes = hd_type_element_bytes(element);
  bool single = hd_type_is_float(element, HD_F32);
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) {
    double x[3];
    for (int k = 0; k < 3; ++k) hd_load_doubles(element, (char *)hd_tensor_data(&in[k]) + i * bytes, 1, &x[k]);
    double result = single ? (double)fmaf((float)x[0], (float)x[1], (float)x[2]) : fma(x[0], x[1], x[2]);
    hd_store_doubles(element, (char *)hd_tensor_data(out) + i * bytes, 1, &result);
  }
  return HD_STATUS_OK;
}

/* The greater, or, by |sign| -1, the lesser: a NaN of either comes out, and -0 is below +0. */
static double extremum(double x, double y, double sign) {
  if (isnan(x) || isnan(y)) return isnan(x) ? x : y;
  if (x == y) return (signbit(x) != 0) == (sign < 0) ? x : y;
  return sign * x > sign * y ? x : y;
}

/* minimumf(maximumf(x, low), high) */
HD_EVAL_HOOK(math_clampf) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  hd_type element = hd_type_element(out->type);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) {
    double x[3];
    for (int k = 0; k < 3; ++k) hd_load_doubles(element, (char *)hd_tensor_data(&in[k]) + i * bytes, 1, &x[k]);
    double made = extremum(extremum(x[0], x[1], 1), x[2], -1);
    hd_store_doubles(element, (char *)hd_tensor_data(out) + i * bytes, 1, &made);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(math_sincos) {
  hd_type element = hd_type_element(in[0].type);
  size_t bytes = hd_type_element_bytes(element);
  for (uint32_t r = 0; r < 2; ++r) {
    HD_TRY(hd_eval_value_like(frame, op, r, &in[0], &out[r]));
    for (size_t i = 0; i < hd_lanes_of(out[r].type); ++i) {
      double x;
      hd_load_doubles(element, (char *)hd_tensor_data(&in[0]) + i * bytes, 1, &x);
      x = r ? cos(x) : sin(x);
      hd_store_doubles(element, (char *)hd_tensor_data(&out[r]) + i * bytes, 1, &x);
    }
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(math_fpowi) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  hd_type element = hd_type_element(out->type), power = hd_type_element(in[1].type);
  size_t bytes = hd_type_element_bytes(element), step = hd_type_element_bytes(power);
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) {
    double x;
    hd_load_doubles(element, (char *)hd_tensor_data(&in[0]) + i * bytes, 1, &x);
    x = pow(x, (double)hd_element_load(power, (char *)hd_tensor_data(&in[1]) + i * step));
    hd_store_doubles(element, (char *)hd_tensor_data(out) + i * bytes, 1, &x);
  }
  return HD_STATUS_OK;
}

/* The smallest normal number: its pattern is the exponent's lowest bit. */
static double least_normal(hd_type element) {
  return hd_float_decode(element->float_kind, 1ull << hd_float_formats[element->float_kind].mantissa_bits);
}

/* |what| names the test: FP_NORMAL whether it is finite, FP_SUBNORMAL whether it is normal. */
static hd_status classify(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, int what) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  hd_type element = hd_type_element(in[0].type);
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) {
    double x;
    hd_load_doubles(element, (char *)hd_tensor_data(&in[0]) + i * bytes, 1, &x);
    ((char *)hd_tensor_data(out))[i] = what == FP_NAN         ? isnan(x) != 0
                                       : what == FP_INFINITE  ? isinf(x) != 0
                                       : what == FP_SUBNORMAL ? isfinite(x) && fabs(x) >= least_normal(element)
                                                              : isfinite(x) != 0;
  }
  return HD_STATUS_OK;
}
HD_EVAL_HOOK(math_isnan) { return classify(frame, op, in, out, FP_NAN); }
HD_EVAL_HOOK(math_isinf) { return classify(frame, op, in, out, FP_INFINITE); }
HD_EVAL_HOOK(math_isnormal) { return classify(frame, op, in, out, FP_SUBNORMAL); }
HD_EVAL_HOOK(math_isfinite) { return classify(frame, op, in, out, FP_NORMAL); }
