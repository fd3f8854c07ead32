/* SPDX-License-Identifier: Apache-2.0 */
/* The elementwise ops of StableHLO whose results have the class of their operands. Compare, select, convert and the
 * like, which change it, are in compare_select.c and convert.c. */
#include "eval/graph/elementwise.h"

#include <math.h>
#include <string.h>

#include "ir/number.h"

enum { RUN = 256 };

hd_status hd_eval_elementwise(hd_eval_frame *frame, hd_op *op, const hd_elementwise *kernel, const hd_tensor *in,
                              hd_tensor *out) {
  if (op->operand_count < kernel->operands) return hd_make_status(HD_INVALID_ARGUMENT, "lacks operands");
  for (uint32_t i = 0; i < kernel->operands; ++i) HD_TRY(hd_eval_same_dims(&in[0], &in[i]));
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type element = hd_tensor_element(out);
  hd_number_class class = hd_class_of(element);
  for (uint32_t i = 0; i < kernel->operands; ++i)
    if (hd_class_of(hd_tensor_element(&in[i])) != class)
      return hd_make_status(HD_INVALID_ARGUMENT, "operand %u and the result differ in kind of elements", i);
  size_t count = hd_tensor_count(out);
  if ((class == HD_CLASS_INT && !kernel->ints) || (class == HD_CLASS_FLOAT && !kernel->floats) ||
      (class == HD_CLASS_COMPLEX && !kernel->complexes) || class == HD_CLASS_NONE)
    return hd_make_status(HD_INVALID_ARGUMENT, "is not defined for elements of this type");
  union {
    int64_t ints[3][RUN];
    double floats[3][RUN];
    double complex complexes[3][RUN];
  } runs;
  union {
    int64_t ints[RUN];
    double floats[RUN];
    double complex complexes[RUN];
  } result;
  for (size_t at = 0; at < count; at += RUN) {
    size_t n = count - at < RUN ? count - at : RUN;
    if ((at & 0x3fff) == 0) HD_TRY(hd_eval_poll(frame));
    for (uint32_t i = 0; i < kernel->operands; ++i) {
      hd_type type = hd_tensor_element(&in[i]);
      const char *data = (const char *)hd_tensor_data(&in[i]) + at * hd_type_element_bytes(type);
      if (class == HD_CLASS_INT) hd_load_ints(type, data, n, runs.ints[i]);
      if (class == HD_CLASS_FLOAT) hd_load_doubles(type, data, n, runs.floats[i]);
      if (class == HD_CLASS_COMPLEX) hd_load_complex(type, data, n, runs.complexes[i]);
    }
    char *to = (char *)hd_tensor_data(out) + at * hd_type_element_bytes(element);
    switch (class) {
      case HD_CLASS_INT:
        kernel->ints(n, (const int64_t *const[]){runs.ints[0], runs.ints[1], runs.ints[2]}, result.ints, element);
        hd_store_ints(element, to, n, result.ints);
        break;
      case HD_CLASS_FLOAT:
        kernel->floats(n, (const double *const[]){runs.floats[0], runs.floats[1], runs.floats[2]}, result.floats);
        hd_store_doubles(element, to, n, result.floats);
        break;
      default:
        kernel->complexes(n, (const double complex *const[]){runs.complexes[0], runs.complexes[1], runs.complexes[2]},
                          result.complexes);
        hd_store_complex(element, to, n, result.complexes);
        break;
    }
  }
  return HD_STATUS_OK;
}

void hd_elementwise_apply2(const hd_elementwise *kernel, hd_type element, const void *a, const void *b, void *out) {
  switch (hd_class_of(element)) {
    case HD_CLASS_INT: {
      int64_t x, y, z;
      hd_load_ints(element, a, 1, &x);
      hd_load_ints(element, b, 1, &y);
      kernel->ints(1, (const int64_t *const[]){&x, &y}, &z, element);
      hd_store_ints(element, out, 1, &z);
      return;
    }
    case HD_CLASS_FLOAT: {
      double x, y, z;
      hd_load_doubles(element, a, 1, &x);
      hd_load_doubles(element, b, 1, &y);
      kernel->floats(1, (const double *const[]){&x, &y}, &z);
      hd_store_doubles(element, out, 1, &z);
      return;
    }
    default: {
      double complex x, y, z;
      hd_load_complex(element, a, 1, &x);
      hd_load_complex(element, b, 1, &y);
      kernel->complexes(1, (const double complex *const[]){&x, &y}, &z);
      hd_store_complex(element, out, 1, &z);
      return;
    }
  }
}

/* ---- complex helpers ---- */

static double complex make_complex(double re, double im) { return CMPLX(re, im); }

/* By the definition of the specification, which does not recover infinities as Annex G of C does. */
static double complex complex_product(double complex x, double complex y) {
  double a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
  return make_complex(a * c - b * d, a * d + b * c);
}

static double complex complex_log1p(double complex z) {
  double x = creal(z), y = cimag(z);
  /* log|1+z| = log1p(x(2+x) + y^2)/2 where |1+z| is near 1, hypot elsewhere */
  double re;
  if (fabs(x) < 1e3 && fabs(y) < 1e3 && fabs(x * (2 + x) + y * y) < 0.5) {
    double product = x * (2 + x), square = y * y;
    double sum = product + square;
    /* the rounding errors of both parts matter where they cancel */
    double product_error = fma(x, 2 + x, -product), square_error = fma(y, y, -square);
    double big = fabs(product) > fabs(square) ? product : square,
           small = fabs(product) > fabs(square) ? square : product;
    double sum_error = small - (sum - big);
    double two = 2 + x, two_error = x - (two - 2);
    re = 0.5 * log1p(sum + (sum_error + product_error + square_error + x * two_error));
  } else {
    double length = hypot(1 + x, y); /* overflows next to the largest number, where the logarithm does not */
    re = isinf(length) && isfinite(x) && isfinite(y) ? log(hypot(x / 2, y / 2)) + log(2) : log(length);
  }
  return make_complex(re, atan2(y, 1 + x));
}

static double complex complex_expm1(double complex z) {
  double x = creal(z), y = cimag(z);
  if (y == 0) return make_complex(expm1(x), y);
  if (!isfinite(y)) return make_complex(NAN, NAN); /* of no direction */
  /* e^x cos y - 1 = expm1(x) cos y - 2 sin^2(y/2) */
  double s = sin(y / 2), c = cos(y);
  double re = x > 40 ? creal(cexp(z)) : isinf(x) ? -1 : expm1(x) * c - 2 * s * s;
  return make_complex(re, cimag(cexp(z)));
}

static double complex complex_power(double complex x, double complex y) {
  if (x == 0) {
    if (y == 0) return 1;
    if (creal(y) > 0) return 0;
  }
  if (cimag(x) == 0 && cimag(y) == 0 && (creal(x) > 0 || creal(y) == trunc(creal(y))) && isfinite(creal(x)) &&
      isfinite(creal(y)))
    return make_complex(pow(creal(x), creal(y)), 0);
  return cpow(x, y);
}

/* z / 2^(3 n), of a modulus near 1; z itself where it is infinite, NaN or 0. */
static double complex near_one(double complex z, int *out_n) {
  int exponent = 0;
  frexp(fmax(fabs(creal(z)), fabs(cimag(z))), &exponent);
  bool known = isfinite(creal(z)) && isfinite(cimag(z));
  *out_n = known ? exponent / 3 : 0;
  return make_complex(ldexp(creal(z), -3 * *out_n), ldexp(cimag(z), -3 * *out_n));
}

static double complex complex_sign(double complex x) {
  if (isnan(creal(x)) || isnan(cimag(x))) return make_complex(NAN, NAN);
  if (x == 0) return 0;
  int n;
  double complex z = near_one(x, &n);
  double length = cabs(z);
  return make_complex(creal(z) / length, cimag(z) / length);
}

static double complex complex_rsqrt(double complex x) {
  if (isinf(creal(x)) || isinf(cimag(x))) return isnan(creal(x)) || isnan(cimag(x)) ? make_complex(NAN, NAN) : 0;
  return 1 / csqrt(x);
}

static double complex complex_cbrt(double complex x) {
  if (x == 0) return x;
  int n;
  double complex z = near_one(x, &n);
  double r = ldexp(cbrt(cabs(z)), n), angle = carg(z) / 3;
  return make_complex(r * cos(angle), angle == 0 ? angle : r * sin(angle));
}

/* 1 + e^z, for a real part of at most 0. Its real part, 1 + e^a cos b, is (1 - e^a) + e^a (1 + cos b), which keeps its
 * digits next to the odd multiples of pi. */
static double complex one_plus_exp(double complex z) {
  double a = creal(z), cosine = cos(cimag(z) / 2);
  double complex e = cexp(z);
  return creal(e) < -0.5 ? make_complex(2 * exp(a) * cosine * cosine - expm1(a), cimag(e)) : 1 + e;
}

static double complex complex_logistic(double complex x) {
  return creal(x) < 0 ? cexp(x) / one_plus_exp(x) : 1 / one_plus_exp(-x);
}

/* -i log(s), s = (x + iy) / sqrt(x^2 + y^2). tan of it is y / x, so it is atan(y / x) or that and pi: which of them,
 * the argument of s says. */
static double complex complex_atan2(double complex y, double complex x) {
  long double complex a = y, b = x;
  long double complex s = (b + I * a) / csqrtl(a * a + b * b);
  bool upright = cabsl(a) > cabsl(b);
  long double complex t = upright ? acosl(0) - catanl(b / a) : catanl(a / b);
  long double pi = acosl(-1);
  return (double complex)(t + rintl((cargl(s) - creall(t)) / pi) * pi);
}

static double complex complex_tan(double complex x) { return ctan(x); }

/* The larger in lexicographic order of (real, imaginary); NaN wins. */
static bool complex_less(double complex x, double complex y) {
  return creal(x) < creal(y) || (creal(x) == creal(y) && cimag(x) < cimag(y));
}
static bool complex_nan(double complex x) { return isnan(creal(x)) || isnan(cimag(x)); }

double complex hd_complex_maximum(double complex x, double complex y) {
  return complex_nan(x) ? x : complex_nan(y) ? y : complex_less(x, y) ? y : x;
}
double complex hd_complex_minimum(double complex x, double complex y) {
  return complex_nan(x) ? x : complex_nan(y) ? y : complex_less(y, x) ? y : x;
}

/* ---- float helpers ---- */

static double float_sign(double x) { return isnan(x) || x == 0 ? x : x > 0 ? 1 : -1; }
static double float_logistic(double x) { return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); }
static double float_round_even(double x) {
  if (fabs(x) >= 0x1p52 || isnan(x)) return x;
  double down = floor(x), rest = x - down;
  double result = rest < 0.5 || (rest == 0.5 && fmod(down, 2) == 0) ? down : down + 1;
  return copysign(result, x);
}

/* ---- integer helpers; wrapping to the width happens when results are stored ---- */

static int64_t int_divide(int64_t x, int64_t y, hd_type element) {
  if (y == 0) return -1;
  if (hd_is_unsigned(element)) return (int64_t)((uint64_t)x / (uint64_t)y);
  if (y == -1) return (int64_t)(0 - (uint64_t)x);
  return x / y;
}
static int64_t int_remainder(int64_t x, int64_t y, hd_type element) {
  if (y == 0) return x;
  if (hd_is_unsigned(element)) return (int64_t)((uint64_t)x % (uint64_t)y);
  return y == -1 ? 0 : x % y;
}
static int64_t int_power(int64_t x, int64_t y, hd_type element) {
  if (!hd_is_unsigned(element) && y < 0) {
    if (x == 1) return 1;
    if (x == -1) return y & 1 ? -1 : 1;
    return 0; /* of 0 too, unlike 1 / 0 */
  }
  uint64_t result = 1, base = (uint64_t)x;
  for (uint64_t n = (uint64_t)y; n; n >>= 1, base *= base)
    if (n & 1) result *= base;
  return (int64_t)result;
}
static bool int_less(int64_t x, int64_t y, hd_type element) {
  return hd_is_unsigned(element) ? (uint64_t)x < (uint64_t)y : x < y;
}
/* The pattern of |x| in its own width. */
static uint64_t int_bits(int64_t x, hd_type element) {
  uint32_t width = hd_type_bits(element);
  return width >= 64 ? (uint64_t)x : (uint64_t)x & ((1ull << width) - 1);
}
static int64_t int_shift_left(int64_t x, int64_t y, hd_type element) {
  return int_bits(y, element) >= hd_type_bits(element) ? 0 : (int64_t)((uint64_t)x << y);
}
static int64_t int_shift_right_logical(int64_t x, int64_t y, hd_type element) {
  return int_bits(y, element) >= hd_type_bits(element) ? 0 : (int64_t)(int_bits(x, element) >> y);
}
static int64_t int_shift_right_arithmetic(int64_t x, int64_t y, hd_type element) {
  /* the sign is the top bit of the pattern, also of unsigned elements */
  uint32_t width = hd_type_bits(element);
  int64_t value = (int64_t)(int_bits(x, element) << (64 - width)) >> (64 - width);
  uint64_t amount = int_bits(y, element);
  return value >> (amount >= width ? width - 1 : amount);
}
static int64_t int_leading_zeros(int64_t x, hd_type element) {
  uint64_t bits = int_bits(x, element);
  return bits ? __builtin_clzll(bits) - 64 + (int64_t)hd_type_bits(element) : (int64_t)hd_type_bits(element);
}

/* ---- kernels ---- */

HD_FLOAT2(add_f, x + y)
HD_INT2(add_i, hd_is_bool(element) ? x | y : (int64_t)((uint64_t)x + (uint64_t)y))
HD_COMPLEX2(add_c, x + y)
HD_FLOAT2(subtract_f, x - y)
HD_INT2(subtract_i, (int64_t)((uint64_t)x - (uint64_t)y))
HD_COMPLEX2(subtract_c, x - y)
HD_FLOAT2(multiply_f, x *y)
HD_INT2(multiply_i, (int64_t)((uint64_t)x * (uint64_t)y))
HD_COMPLEX2(multiply_c, complex_product(x, y))
HD_FLOAT2(divide_f, x / y)
HD_INT2(divide_i, int_divide(x, y, element))
HD_COMPLEX2(divide_c, (double complex)((long double complex)x / y)) /* no sum of products overflows there */
HD_FLOAT2(remainder_f, fmod(x, y))
HD_INT2(remainder_i, int_remainder(x, y, element))
HD_FLOAT2(maximum_f, hd_float_maximum(x, y))
HD_INT2(maximum_i, int_less(x, y, element) ? y : x)
HD_COMPLEX2(maximum_c, hd_complex_maximum(x, y))
HD_FLOAT2(minimum_f, hd_float_minimum(x, y))
HD_INT2(minimum_i, int_less(y, x, element) ? y : x)
HD_COMPLEX2(minimum_c, hd_complex_minimum(x, y))
HD_FLOAT2(power_f, pow(x, y))
HD_INT2(power_i, int_power(x, y, element))
HD_COMPLEX2(power_c, complex_power(x, y))
HD_FLOAT2(atan2_f, atan2(x, y))
HD_COMPLEX2(atan2_c, complex_atan2(x, y))
HD_INT2(and_i, x &y)
HD_INT2(or_i, x | y)
HD_INT2(xor_i, x ^ y)
HD_INT1(not_i, ~x)
HD_INT2(shift_left_i, int_shift_left(x, y, element))
HD_INT2(shift_right_arithmetic_i, int_shift_right_arithmetic(x, y, element))
HD_INT2(shift_right_logical_i, int_shift_right_logical(x, y, element))
HD_INT1(count_leading_zeros_i, int_leading_zeros(x, element))
HD_INT1(popcnt_i, __builtin_popcountll(int_bits(x, element)))
HD_FLOAT1(abs_f, fabs(x))
HD_INT1(abs_i, !hd_is_unsigned(element) && x < 0 ? (int64_t)(0 - (uint64_t)x) : x)
HD_FLOAT1(negate_f, -x)
HD_INT1(negate_i, (int64_t)(0 - (uint64_t)x))
HD_COMPLEX1(negate_c, make_complex(-creal(x), -cimag(x)))
HD_FLOAT1(sign_f, float_sign(x))
HD_INT1(sign_i, x == 0 ? 0 : !hd_is_unsigned(element) && x < 0 ? -1 : 1)
HD_COMPLEX1(sign_c, complex_sign(x))
HD_FLOAT1(ceil_f, ceil(x))
HD_FLOAT1(floor_f, floor(x))
HD_FLOAT1(round_nearest_afz_f, round(x))
HD_FLOAT1(round_nearest_even_f, float_round_even(x))
HD_FLOAT1(cbrt_f, cbrt(x))
HD_COMPLEX1(cbrt_c, complex_cbrt(x))
HD_FLOAT1(cosine_f, cos(x))
HD_COMPLEX1(cosine_c, ccos(x))
HD_FLOAT1(sine_f, sin(x))
HD_COMPLEX1(sine_c, csin(x))
HD_FLOAT1(tan_f, tan(x))
HD_COMPLEX1(tan_c, complex_tan(x))
HD_FLOAT1(tanh_f, tanh(x))
HD_COMPLEX1(tanh_c, ctanh(x))
HD_FLOAT1(exponential_f, exp(x))
HD_COMPLEX1(exponential_c, cexp(x))
HD_FLOAT1(exponential_minus_one_f, expm1(x))
HD_COMPLEX1(exponential_minus_one_c, complex_expm1(x))
HD_FLOAT1(log_f, log(x))
HD_COMPLEX1(log_c, clog(x))
HD_FLOAT1(log_plus_one_f, log1p(x))
HD_COMPLEX1(log_plus_one_c, complex_log1p(x))
HD_FLOAT1(logistic_f, float_logistic(x))
HD_COMPLEX1(logistic_c, complex_logistic(x))
HD_FLOAT1(sqrt_f, sqrt(x))
HD_COMPLEX1(sqrt_c, csqrt(x))
HD_FLOAT1(rsqrt_f, 1 / sqrt(x))
HD_COMPLEX1(rsqrt_c, complex_rsqrt(x))

/* op, operands, and the kernels per class */
#define KERNELS(X)                                                                    \
  X(add, 2, add_f, add_i, add_c)                                                      \
  X(subtract, 2, subtract_f, subtract_i, subtract_c)                                  \
  X(multiply, 2, multiply_f, multiply_i, multiply_c)                                  \
  X(divide, 2, divide_f, divide_i, divide_c)                                          \
  X(remainder, 2, remainder_f, remainder_i, NULL)                                     \
  X(maximum, 2, maximum_f, maximum_i, maximum_c)                                      \
  X(minimum, 2, minimum_f, minimum_i, minimum_c)                                      \
  X(power, 2, power_f, power_i, power_c)                                              \
  X(atan2, 2, atan2_f, NULL, atan2_c)                                                 \
  X(and, 2, NULL, and_i, NULL)                                                        \
  X(or, 2, NULL, or_i, NULL)                                                          \
  X(xor, 2, NULL, xor_i, NULL)                                                        \
  X(not, 1, NULL, not_i, NULL)                                                        \
  X(shift_left, 2, NULL, shift_left_i, NULL)                                          \
  X(shift_right_arithmetic, 2, NULL, shift_right_arithmetic_i, NULL)                  \
  X(shift_right_logical, 2, NULL, shift_right_logical_i, NULL)                        \
  X(count_leading_zeros, 1, NULL, count_leading_zeros_i, NULL)                        \
  X(popcnt, 1, NULL, popcnt_i, NULL)                                                  \
  X(negate, 1, negate_f, negate_i, negate_c)                                          \
  X(sign, 1, sign_f, sign_i, sign_c)                                                  \
  X(ceil, 1, ceil_f, NULL, NULL)                                                      \
  X(floor, 1, floor_f, NULL, NULL)                                                    \
  X(round_nearest_afz, 1, round_nearest_afz_f, NULL, NULL)                            \
  X(round_nearest_even, 1, round_nearest_even_f, NULL, NULL)                          \
  X(cbrt, 1, cbrt_f, NULL, cbrt_c)                                                    \
  X(cosine, 1, cosine_f, NULL, cosine_c)                                              \
  X(sine, 1, sine_f, NULL, sine_c)                                                    \
  X(tan, 1, tan_f, NULL, tan_c)                                                       \
  X(tanh, 1, tanh_f, NULL, tanh_c)                                                    \
  X(exponential, 1, exponential_f, NULL, exponential_c)                               \
  X(exponential_minus_one, 1, exponential_minus_one_f, NULL, exponential_minus_one_c) \
  X(log, 1, log_f, NULL, log_c)                                                       \
  X(log_plus_one, 1, log_plus_one_f, NULL, log_plus_one_c)                            \
  X(logistic, 1, logistic_f, NULL, logistic_c)                                        \
  X(sqrt, 1, sqrt_f, NULL, sqrt_c)                                                    \
  X(rsqrt, 1, rsqrt_f, NULL, rsqrt_c)

#define X(op_name, operands, floats, ints, complexes)                                 \
  static const hd_elementwise kernel_##op_name = {operands, floats, ints, complexes}; \
  HD_EVAL_HOOK(op_name) { return hd_eval_elementwise(frame, op, &kernel_##op_name, in, out); }
KERNELS(X)
#undef X

static const hd_elementwise kernel_abs = {1, abs_f, abs_i, NULL};

HD_EVAL_HOOK(abs) {
  if (hd_class_of(hd_tensor_element(&in[0])) != HD_CLASS_COMPLEX)
    return hd_eval_elementwise(frame, op, &kernel_abs, in, out);
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  if (hd_class_of(hd_tensor_element(out)) != HD_CLASS_FLOAT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a float result for a complex operand");
  hd_type from = hd_tensor_element(&in[0]), to = hd_tensor_element(out);
  size_t from_bytes = hd_type_element_bytes(from), to_bytes = hd_type_element_bytes(to);
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i) {
    double complex z;
    hd_load_complex(from, (const char *)hd_tensor_data(&in[0]) + i * from_bytes, 1, &z);
    double length = cabs(z);
    hd_store_doubles(to, (char *)hd_tensor_data(out) + i * to_bytes, 1, &length);
  }
  return HD_STATUS_OK;
}

const hd_elementwise *hd_elementwise_by(const hd_op_info *info) {
#define X(op_name, ...) \
  if (hd_eval_hook_of(info->opcode) == hd_eval_##op_name) return &kernel_##op_name;
  KERNELS(X)
#undef X
  return hd_eval_hook_of(info->opcode) == hd_eval_abs ? &kernel_abs : NULL;
}

const hd_elementwise *hd_elementwise_of(const hd_op *op) { return hd_elementwise_by(op->info); }
