/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of complex numbers through the CPU back end, against libm's in long double. The error counts in units of
 * the result's magnitude; products and quotients of rounded parts allow no more. */
#include <complex.h>
#include <float.h>

#include "codegen/math/complex.h"
#include "target/cpu/kernel_testing.h"

typedef long double complex wide;

/* re + im i, also where one of them is infinite; CMPLXL is not everywhere. */
static wide make_wide(long double re, long double im) {
  union {
    long double parts[2];
    wide z;
  } u = {{re, im}};
  return u.z;
}

static wide logistic(
    wide z) { /* 1 + e^z = (1 - e^a) + 2 e^a cos^2(b / 2) + i e^a sin b keeps its digits at the poles */
  bool left = creall(z) < 0;
  wide t = left ? z : -z;
  long double a = creall(t), half = cosl(cimagl(t) / 2), ea = expl(a);
  wide over = make_wide(2 * ea * half * half - expm1l(a), ea * sinl(cimagl(t)));
  return left ? cexpl(z) / over : 1 / over;
}
static wide rsqrt(wide z) { return 1 / csqrtl(z); }
static wide sign(wide z) { return z == 0 ? 0 : z / cabsl(z); }
static wide cube_root(wide z) { return cbrtl(cabsl(z)) * cexpl(I * cargl(z) / 3); }
static wide expm1_(wide z) {
  long double half = sinl(cimagl(z) / 2);
  return make_wide(expm1l(creall(z)) * cosl(cimagl(z)) - 2 * half * half, expl(creall(z)) * sinl(cimagl(z)));
}
static wide log_(wide z) { /* glibc's is right near the unit circle */ return clogl(z); }
static wide log1p_(wide z) {
  long double a = creall(z), b = cimagl(z);
  if (fabsl(a) + fabsl(b) > 0.5) return clogl(1 + z);
  return make_wide(log1pl(a * (2 + a) + b * b) / 2, atan2l(b, 1 + a));
}

/* atan(y / x), or that and a multiple of pi: the argument of (x + iy) / sqrt(x^2 + y^2) says which. */
static wide angle(wide y, wide x) {
  wide turn = (x + I * y) / csqrtl(x * x + y * y);
  bool upright = cabsl(y) > cabsl(x);
  wide t = upright ? acosl(0) - catanl(x / y) : catanl(y / x);
  long double pi = acosl(-1);
  return make_wide(creall(t) + pi * rintl((cargl(turn) - creall(t)) / pi), cimagl(t));
}

static const struct {
  hd_complex_function *function;
  const char *name;
  wide (*of)(wide);
  double units; /* of 2^-24 or 2^-53 of |result| */
  double limit; /* arguments up to this magnitude */
} functions[] = {
    {hd_complex_exponential, "exponential", cexpl, 4, 80},
    {hd_complex_exponential_minus_one, "exponential_minus_one", expm1_, 6, 80},
    {hd_complex_logarithm, "log", log_, 6, 1e30},
    {hd_complex_log_plus_one, "log_plus_one", log1p_, 6, 1e30},
    {hd_complex_logistic, "logistic", logistic, 8, 80},
    {hd_complex_square_root, "sqrt", csqrtl, 6, 1e37},
    {hd_complex_inverse_root, "rsqrt", rsqrt, 10, 1e37},
    {hd_complex_cube_root, "cbrt", cube_root, 8, 1e30},
    {hd_complex_sine, "sine", csinl, 6, 80},
    {hd_complex_cosine, "cosine", ccosl, 6, 80},
    {hd_complex_tangent, "tan", ctanl, 10, 80},
    {hd_complex_tangent_h, "tanh", ctanhl, 10, 80},
    {hd_complex_sign, "sign", sign, 6, 1e30},
    {hd_complex_arc_cosine, "acos", cacosl, 24, 1e8},
    {hd_complex_arc_cosine_h, "acosh", cacoshl, 24, 1e8},
    {hd_complex_arc_sine, "asin", casinl, 24, 1e8},
    {hd_complex_arc_sine_h, "asinh", casinhl, 24, 1e8},
    {hd_complex_arc_tangent, "atan", catanl, 24, 1e8},
    {hd_complex_arc_tangent_h, "atanh", catanhl, 24, 1e8},
    {hd_complex_cosine_h, "cosh", ccoshl, 6, 80},
    {hd_complex_sine_h, "sinh", csinhl, 6, 80},
    {hd_complex_power, "power", NULL, 64, 8},
    {hd_complex_angle, "atan2", NULL, 24, 1e8},
};

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
static double uniform(uint64_t i) { return (double)(mix(i) >> 11) * 0x1p-52 - 1; }

enum { N = 4096 };

/* Part |p| of argument |j|: by thirds up to 3, 1e-3 and the function's limit, some on the unit circle. */
static double within_limit(size_t which, int j, int p) {
  double u = uniform((uint64_t)(j * 4 + p) + 77 * which);
  if (j % 8 == 5 && p < 2) return p ? sin(u * 3) : cos(u * 3);
  return u * (j % 4 == 3 ? functions[which].limit : j % 4 == 2 ? 1e-3 : 3);
}

/* Parts next to the largest number, whose modulus overflows, subnormal ones, whose modulus has few digits, and those
 * next to multiples of pi / 2, where poles and zeros are. */
static double at_the_ends(size_t which, int j, int p, bool is64) {
  uint64_t bits = mix((uint64_t)(j * 4 + p) + 77 * which);
  double u = uniform(bits), largest = is64 ? DBL_MAX : FLT_MAX, smallest = is64 ? DBL_MIN : FLT_MIN;
  switch (mix(bits) % 6) {
    case 0:
      return bits % 2 ? largest : -largest;
    case 1:
      return u * largest;
    case 2:
      return u * smallest;
    case 3:
      return smallest * (is64 ? 0x1p-52 : 0x1p-23) * (double)(bits % 7);
    case 4:
      return (double)(int)(u * 6) * 1.57079632679489661923;
    default:
      return u * 1e-10;
  }
}

static void test(hd_context *c, size_t which, bool is64, bool ends) {
  static double x[4][N], out[2][N];
  static float xf[4][N], outf[2][N];
  hd_type element = hd_type_float(c, is64 ? HD_F64 : HD_F32), memref = rig_memref(element);
  hd_type types[] = {memref, memref, memref, memref, memref, memref};
  rig r = rig_begin(c, types, 6);
  hd_value *i = rig_loop(&r, 8);
  hd_complex_parts operands[2], result;
  for (int k = 0; k < 2; ++k)
    operands[k] = (hd_complex_parts){rig_load(&r, r.args[2 * k], i, 8), rig_load(&r, r.args[2 * k + 1], i, 8)};
  if (!HD_CHECK(hd_math_expand_complex(&r.b, functions[which].function, operands, &result))) return;
  rig_store(&r, result.re, r.args[4], i);
  rig_store(&r, result.im, r.args[5], i);
  compiled k;
  bool done = rig_compile(&r, "x86-64-v3", &k);
  for (int j = 0; j < N; ++j)
    for (int p = 0; p < 4; ++p) {
      double value = ends ? at_the_ends(which, j, p, is64) : within_limit(which, j, p);
      xf[p][j] = (float)value;
      x[p][j] = is64 && ends ? value : xf[p][j];
    }
  if (done && k.fn) {
    uint64_t words[6];
    for (int p = 0; p < 4; ++p) words[p] = is64 ? WORD(x[p]) : WORD(xf[p]);
    for (int p = 0; p < 2; ++p) words[4 + p] = is64 ? WORD(out[p]) : WORD(outf[p]);
    k.fn(words, 0, N);
    double worst = 0, smallest = is64 ? DBL_MIN : FLT_MIN;
    int at = 0;
    for (int j = 0; j < N; ++j) {
      wide z = make_wide(x[0][j], x[1][j]), w = make_wide(x[2][j], x[3][j]);
      wide want = functions[which].of                             ? functions[which].of(z)
                  : functions[which].function == hd_complex_angle ? angle(z, w)
                                                                  : cpowl(z, w);
      wide got = make_wide(is64 ? out[0][j] : outf[0][j], is64 ? out[1][j] : outf[1][j]);
      long double size = cabsl(want);
      if (functions[which].function == hd_complex_angle && fabsl(cimagl(want)) > 1.5L)
        continue; /* the poles, y = ±ix */
      if (!(size < (is64 ? DBL_MAX : FLT_MAX) / 2) || size < (ends ? smallest : 1e-30)) continue;
      double error = (double)(cabsl(got - want) / size) * (is64 ? 0x1p53 : 0x1p24);
      if (!(error <= worst)) worst = isnan(error) ? 1e300 : error, at = j;
    }
    hd_test_check_(worst <= functions[which].units, __FILE__, __LINE__,
                   "%s f%d: expected at most %g units, got %g at (%a, %a) (%a, %a)", functions[which].name,
                   is64 ? 64 : 32, functions[which].units, worst, x[0][at], x[1][at], x[2][at], x[3][at]);
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

/* Where e^a overflows and the result, or a part of it, does not: part by part. */
static const struct {
  hd_complex_function *function;
  const char *name;
  wide (*of)(wide);
  bool upright; /* it grows with the imaginary part */
} growing[] = {
    {hd_complex_exponential, "exponential", cexpl, false},
    {hd_complex_exponential_minus_one, "exponential_minus_one", expm1_, false},
    {hd_complex_sine, "sine", csinl, true},
    {hd_complex_cosine, "cosine", ccosl, true},
    {hd_complex_sine_h, "sinh", csinhl, false},
    {hd_complex_cosine_h, "cosh", ccoshl, false},
};

/* |got| overflows where |want| does, and is within |units| of it elsewhere; next to the largest number either may be.
 */
static void check_part(const char *name, bool is64, double a, double b, double got, long double want) {
  long double largest = is64 ? DBL_MAX : FLT_MAX, smallest = is64 ? DBL_MIN : FLT_MIN, size = fabsl(want);
  bool ok = size > largest ? isinf(got) || fabsl(got) > largest * 0.999L
                           : (isinf(got) && size > largest * 0.999999L) ||
                                 fabsl(got - want) <= 12 * (is64 ? 0x1p-53L : 0x1p-24L) * fmaxl(size, smallest);
  ok = ok && (signbit(got) != 0) == (signbit(want) != 0);
  hd_test_check_(ok, __FILE__, __LINE__, "%s f%d of (%.17g, %.17g): expected %Lg, got %g", name, is64 ? 64 : 32, a, b,
                 want, got);
}

static void test_growth(hd_context *c, size_t which, bool is64) {
  static double x[2][N], out[2][N];
  static float xf[2][N], outf[2][N];
  hd_type memref = rig_memref(hd_type_float(c, is64 ? HD_F64 : HD_F32)), types[] = {memref, memref, memref, memref};
  rig r = rig_begin(c, types, 4);
  hd_value *i = rig_loop(&r, 8);
  hd_complex_parts operand = {rig_load(&r, r.args[0], i, 8), rig_load(&r, r.args[1], i, 8)}, result;
  if (!HD_CHECK(hd_math_expand_complex(&r.b, growing[which].function, &operand, &result))) return;
  rig_store(&r, result.re, r.args[2], i);
  rig_store(&r, result.im, r.args[3], i);
  compiled k;
  bool done = rig_compile(&r, "x86-64-v3", &k);
  double from = is64 ? 700 : 80, to = is64 ? 740 : 110;
  bool up = growing[which].upright;
  for (int j = 0; j < N; ++j) {
    double large = from + (to - from) * fabs(uniform((uint64_t)j)), turn = 4 * uniform((uint64_t)j + N);
    if (j % 4 == 3) turn = ldexp(turn, -(int)(mix((uint64_t)j) % (is64 ? 1060 : 140))); /* of which a part is small */
    if (j % 4 == 2 && growing[which].function != hd_complex_exponential &&
        growing[which].function != hd_complex_exponential_minus_one)
      large = -large;
    x[up][j] = xf[up][j] = (float)large;
    x[!up][j] = turn, xf[!up][j] = (float)turn;
  }
  if (done && k.fn) {
    uint64_t words[4];
    for (int p = 0; p < 2; ++p) words[p] = is64 ? WORD(x[p]) : WORD(xf[p]);
    for (int p = 0; p < 2; ++p) words[2 + p] = is64 ? WORD(out[p]) : WORD(outf[p]);
    k.fn(words, 0, N);
    for (int j = 0; j < N; ++j) {
      double a = is64 ? x[0][j] : xf[0][j], b = is64 ? x[1][j] : xf[1][j];
      wide want = growing[which].of(make_wide(a, b));
      check_part(growing[which].name, is64, a, b, is64 ? out[0][j] : outf[0][j], creall(want));
      check_part(growing[which].name, is64, a, b, is64 ? out[1][j] : outf[1][j], cimagl(want));
    }
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

int main(void) {
  hd_context *c;
  if (!HD_CHECK_OK(hd_context_create(0, &c))) return HD_TEST_RESULT();
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    for (int is64 = 0; is64 < 2; ++is64) {
      test(c, i, is64, false);
      if (functions[i].of) test(c, i, is64, true); /* of two operands, which side of the cut is a matter of underflow */
    }
  }
  for (size_t i = 0; i < 2 * (sizeof growing / sizeof *growing); ++i) test_growth(c, i / 2, i % 2);
  hd_context_release(c);
  return HD_TEST_RESULT();
}
