/* SPDX-License-Identifier: Apache-2.0 */
/* The vector math library through the real back end: every row of codegen/math/math.def is compiled as a vector and as
 * a scalar kernel, for f32 and f64, and run over hard points and over all exponents. f32 is compared with libm in
 * double, f64 with libm in long double (64 bits of precision, so the comparison is good to 1/1000 ulp). The error stays
 * within the row's bound, and vector and scalar agree in every bit.
 *
 *   math_test                       as a test
 *   math_test measure [NAME [BITS]] prints the largest error over 2^BITS points (default 24) and the time per element
 */
#include <float.h>

#include "base/clock.h"
#include "codegen/math/expand.h"
#include "eval/graph/special.h"
#include "ir/number.h"
#include "target/cpu/kernel_testing.h"

static double logistic(double x) { return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x)); }
static long double logisticl(long double x) { return x >= 0 ? 1 / (1 + expl(-x)) : expl(x) / (1 + expl(x)); }
static double rsqrt(double x) { return 1 / sqrt(x); }
static long double rsqrtl(long double x) { return 1 / sqrtl(x); }

/* What libm lacks is good to some ulps of f64; the bounds of the rows leave room for it. */
static long double digammal(long double x) { return hd_digamma((double)x); }
/* The power series, all of one sign, and far out the asymptotic one. */
static long double bessel_i1el(long double x) {
  long double a = fabsl(x), sum = 0, term = a / 2;
  if (a > 60) {
    if (isinf(a)) return copysignl(0, x);
    term = 1 / sqrtl(2 * 3.141592653589793238462643383279502884L * a);
    for (int k = 1; k < 40 && fabsl(term) > 1e-22L * sum; ++k) {
      sum += term;
      term *= -(4 - (2.0L * k - 1) * (2.0L * k - 1)) / (k * 8.0L * a);
    }
    return copysignl(sum, x);
  }
  for (int k = 1; term > sum * 1e-21L; ++k) {
    sum += term;
    term *= a * a / 4 / (k * (k + 1.0L));
  }
  return copysignl(sum * expl(-a), x);
}
static double bessel_i1e(double x) { return (double)bessel_i1el(x); }
static long double zetal(long double s, long double q) { return hd_zeta((double)s, (double)q); }
static long double polygammal(long double n, long double x) { return hd_polygamma((double)n, (double)x); }
static long double erf_invl(long double x) {
  long double y = hd_erf_inv((double)x);
  if (!isfinite(y) || y == 0) return y;
  for (int i = 0; i < 2; ++i) { /* Newton on whichever of erf and erfc keeps the digits */
    long double slope = 1.128379167095512573896158903121545172L * expl(-y * y), a = fabsl(y);
    long double error = a < 0.5L ? erfl(y) - x : copysignl((1 - fabsl(x)) - erfcl(a), y);
    y -= error / slope;
  }
  return y;
}

typedef struct reference {
  const char *name;
  double (*d1)(double);
  long double (*l1)(long double);
  double (*d2)(double, double);
  long double (*l2)(long double, long double);
  bool absolute; /* below 1 the error counts in units of 1 */
} reference;
static const reference references[] = {
#define ONE(name) {#name, name, name##l, NULL, NULL, false},
    ONE(exp) ONE(exp2) ONE(expm1) ONE(logistic) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(tanh) ONE(sinh) ONE(cosh)
        ONE(asinh) ONE(acosh) ONE(atanh) ONE(erf) ONE(erfc) ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan)
            ONE(cbrt) ONE(rsqrt)
#undef ONE
                {"atan2", NULL, NULL, atan2, atan2l, false},
    {"pow", NULL, NULL, pow, powl, false},
    {"remainder", NULL, NULL, fmod, fmodl, false},
    {"erf_inv", hd_erf_inv, erf_invl, NULL, NULL, false},
    {"lgamma", hd_lgamma, lgammal, NULL, NULL, true},
    {"digamma", hd_digamma, digammal, NULL, NULL, true},
    {"bessel_i1e", bessel_i1e, bessel_i1el, NULL, NULL, false},
    {"zeta", NULL, NULL, hd_zeta, zetal, false},
    {"polygamma", NULL, NULL, hd_polygamma, polygammal, false},
};

static const reference *reference_of(const char *name) {
  for (size_t i = 0; i < sizeof references / sizeof *references; ++i)
    if (!strcmp(references[i].name, name)) return &references[i];
  return NULL;
}

static long double reference_at(const reference *r, bool is64, double x, double y) {
  if (r->d1) return is64 ? r->l1(x) : r->d1(x);
  return is64 ? r->l2(x, y) : r->d2(x, y);
}

/* The distance of |got| from |want| in units in the last place of |want|'s format; overflow counts as the next power of
 * two, and a wrong NaN, sign of zero or infinity as very large. */
static double ulps(double got, long double want, bool is64, bool absolute) {
  int precision = is64 ? 53 : 24, top = is64 ? 1024 : 128, bottom = is64 ? -1021 : -125;
  if (isnan(got) || isnan(want)) return isnan(got) && isnan(want) ? 0 : 1e30;
  if (got == 0 && want == 0 && !absolute) return !signbit(got) == !signbit(want) ? 0 : 1e20;
  long double limit = ldexpl(1, top), g = isinf(got) ? copysignl(limit, got) : got;
  if (isinf(got) && fabsl(want) >= limit) return (got > 0) == (want > 0) ? 0 : 1e30;
  if (fabsl(want) > limit) want = copysignl(limit, want);
  int exponent;
  frexpl(want, &exponent);
  if (exponent < bottom) exponent = bottom;
  if (exponent > top) exponent = top;
  if (absolute && exponent < 1) exponent = 1;
  return (double)(fabsl(g - want) / ldexpl(1, exponent - precision));
}

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

static const double hard[] = {0,
                              -0.0,
                              INFINITY,
                              -INFINITY,
                              NAN,
                              1,
                              -1,
                              2,
                              -2,
                              3,
                              -3,
                              0.5,
                              -0.5,
                              1.5,
                              -1.5,
                              2.5,
                              -2.5,
                              0.1,
                              1e-40,
                              -1e-40,
                              1e30,
                              -1e30,
                              0x1p-149,
                              -0x1p-149,
                              0x1p-126,
                              -0x1p-126,
                              0x1.fffffep127,
                              -0x1.fffffep127,
                              0x1.fffffep-1,
                              -0x1.fffffep-1,
                              0x1.000002p0,
                              0x1p-1074,
                              -0x1p-1074,
                              0x1p-1022,
                              0x1.fffffffffffffp1023,
                              -0x1.fffffffffffffp1023,
                              0x1.fffffffffffffp-1,
                              0x1p24,
                              0x1p53,
                              16777215,
                              -16777215,
                              8388607.5,
                              -8388607.5,
                              9007199254740991,
                              88.72284,
                              88.72283,
                              -103.97208,
                              -87.33655,
                              709.782712893384,
                              -745.1332191019411,
                              1e300,
                              6381956970095103.0 * 0x1p797,
                              0x1.921fb6p1,
                              0x1.921fb6p0,
                              0x1.921fb54442d18p1,
                              0x1.921fb54442d18p0,
                              131072,
                              131073,
                              1e10,
                              0x1p30,
                              16367173.0 * 0x1p72,
                              5.3,
                              3.92,
                              10.1,
                              26.5,
                              0.921875,
                              0x1.5555p0,
                              0x1.5556p-1};
enum { HARD = sizeof hard / sizeof *hard, BLOCK = 8192 };

/* Points of block |block|: all pairs of hard points first, then random patterns, of which most are given exponents near
 * those where things happen. */
static void fill(const hd_math_row *row, bool is64, uint64_t block, double *x, double *y) {
  for (int i = 0; i < BLOCK; ++i) {
    uint64_t at = block * BLOCK + (uint64_t)i;
    if (at < HARD * HARD) {
      x[i] = hard[at / HARD];
      y[i] = hard[at % HARD];
    } else {
      uint64_t u = mix(at * 2 + is64), v = mix(~u);
      if (!is64) { /* random patterns of f32 */
        float f, g;
        memcpy(&f, &u, 4);
        memcpy(&g, &v, 4);
        x[i] = f, y[i] = g;
      } else {
        if (at % 4) u = (u & 0x800fffffffffffffull) | (1023 - 30 + v % 40) << 52;
        memcpy(&x[i], &u, 8);
        memcpy(&y[i], &v, 8);
      }
      if (row->operands == 2 && at % 4) { /* comparable magnitudes */
        double ratio = ldexp(1 + (double)(v >> 12) * 0x1p-52, (int)(v % 61) - 30);
        y[i] = x[i] * (v & 64 ? ratio : -ratio);
      }
      double l = (double)(u >> 11) * 0x1p-53, m = (double)(v >> 11) * 0x1p-53;
      if (!strcmp(row->name, "zeta")) x[i] = 1 + exp(8 * l - 4), y[i] = exp(8 * m - 3);
      if (!strcmp(row->name, "polygamma")) x[i] = floor(13 * l), y[i] = exp(8 * m - 3) + 2 * (x[i] == 0);
      if (row->opcode == HD_OP_chlo_lgamma || row->opcode == HD_OP_chlo_digamma)
        if (at % 4) x[i] = at % 4 == 3 ? -40 * l : 40 * l;
      if (row->opcode == HD_OP_chlo_erf_inv && at % 4) x[i] = at % 4 == 1 ? 2 * l - 1 : 1 - exp(-37 * l);
      if (!strcmp(row->name, "pow") && at % 8 < 6) { /* results within range, integers with negative bases */
        double limit = is64 ? 740 : 100;
        x[i] = exp((l - 0.5) * (at & 1 ? 1.8 * limit : 2));
        if (!is64) x[i] = (float)x[i];
        y[i] = limit / fabs(log(x[i])) * (2 * m - 1);
        if (at % 8 == 5) x[i] = -x[i], y[i] = (double)(v % 61) - 30;
      }
    }
    if (!is64) x[i] = (float)x[i], y[i] = (float)y[i];
    if (row->opcode == HD_OP_chlo_zeta || row->opcode == HD_OP_chlo_polygamma) {
      /* outside the domain of the row or of the reference; of order 0 polygamma is digamma, which has a row */
      if (x[i] == 0 || (y[i] < 0 && y[i] != floor(y[i])) || y[i] < -1000 || fabs(x[i]) > 1e6 || fabs(y[i]) > 1e6)
        x[i] = 2, y[i] = 3;
    }
  }
}

typedef struct function {
  compiled vector, scalar;
} function;

static bool compile(hd_context *c, const hd_math_row *row, hd_type element, int64_t lanes, const char *mcpu,
                    compiled *out) {
  hd_type memref = rig_memref(element), types[] = {memref, memref, memref};
  rig r = rig_begin(c, types, 3);
  hd_value *i = rig_loop(&r, lanes ? lanes : 1), *operands[2];
  for (int k = 0; k < 2; ++k) operands[k] = rig_load(&r, r.args[k], i, lanes);
  hd_value *result = hd_math_expand(&r.b, row->opcode, operands);
  if (!HD_CHECK(result != NULL)) return false;
  rig_store(&r, result, r.args[2], i);
  bool done = rig_compile(&r, mcpu, out);
  hd_module_free(r.module);
  return done;
}

static double worst_x, worst_y;

/* The largest error over |blocks| blocks; -1 when vector and scalar differ. */
static double largest_error(const hd_math_row *row, const reference *ref, bool is64, const function *f,
                            uint64_t blocks) {
  static double x[BLOCK], y[BLOCK], out[BLOCK], alone[BLOCK];
  static float xf[BLOCK], yf[BLOCK], outf[BLOCK], alonef[BLOCK];
  double worst = 0;
  for (uint64_t block = 0; block < blocks; ++block) {
    fill(row, is64, block, x, y);
    for (int i = 0; i < BLOCK; ++i) xf[i] = (float)x[i], yf[i] = (float)y[i];
    uint64_t words[] = {is64 ? WORD(x) : WORD(xf), is64 ? WORD(y) : WORD(yf), is64 ? WORD(out) : WORD(outf)};
    f->vector.fn(words, 0, BLOCK);
    words[2] = is64 ? WORD(alone) : WORD(alonef);
    f->scalar.fn(words, 0, BLOCK);
    for (int i = 0; i < BLOCK; ++i) {
      double got = is64 ? out[i] : outf[i], same = is64 ? alone[i] : alonef[i];
      if (!(isnan(got) && isnan(same)) && (got != same || !signbit(got) != !signbit(same))) {
        fprintf(stderr, "%s: at %a, %a the vector gives %a, the scalar %a\n", row->name, x[i], y[i], got, same);
        return -1;
      }
      double error = ulps(got, reference_at(ref, is64, x[i], y[i]), is64, ref->absolute);
      if (error > worst) worst = error, worst_x = x[i], worst_y = y[i];
    }
  }
  return worst;
}

/* Code for this machine's own features gives the same bits as code for x86-64-v3. */
static void test_native(hd_context *c, const hd_math_row *row, bool is64, const function *f) {
  static double x[BLOCK], y[BLOCK], out[2][BLOCK];
  static float xf[BLOCK], yf[BLOCK];
  compiled native;
  if (!compile(c, row, hd_type_float(c, is64 ? HD_F64 : HD_F32), 16, "native", &native) || !native.fn) return;
  fill(row, is64, 0, x, y);
  for (int i = 0; i < BLOCK; ++i) xf[i] = (float)x[i], yf[i] = (float)y[i];
  memset(out, 0, sizeof out);
  uint64_t words[] = {is64 ? WORD(x) : WORD(xf), is64 ? WORD(y) : WORD(yf), WORD(out[0])};
  f->vector.fn(words, 0, BLOCK);
  words[2] = WORD(out[1]);
  native.fn(words, 0, BLOCK);
  int differ = 0;
  for (int i = 0; i < BLOCK; ++i) {
    double a = is64 ? out[0][i] : ((float *)out[0])[i], b = is64 ? out[1][i] : ((float *)out[1])[i];
    differ += !(isnan(a) && isnan(b)) && (a != b || !signbit(a) != !signbit(b));
  }
  hd_test_check_(!differ, __FILE__, __LINE__, "%s f%d: %d results of the native code differ", row->name, is64 ? 64 : 32,
                 differ);
  compiled_free(&native);
}

/* All 65536 arguments of a 16-bit format: within an ulp of the exact result, nearly all correctly rounded. */
static void test_narrow(hd_context *c, const hd_math_row *row, const reference *ref, hd_float_kind kind) {
  enum { ALL = 1 << 16 };
  static uint16_t x[ALL], out[ALL];
  compiled k;
  if (row->operands != 1 || !compile(c, row, hd_type_float(c, kind), 16, "x86-64-v3", &k) || !k.fn) return;
  for (int i = 0; i < ALL; ++i) x[i] = (uint16_t)i;
  uint64_t words[] = {WORD(x), WORD(x), WORD(out)};
  k.fn(words, 0, ALL);
  int wrong = 0, off = 0, first = -1;
  for (int i = 0; i < ALL; ++i) {
    double exact = ref->d1(hd_float_decode(kind, (uint64_t)i));
    uint64_t want = hd_float_encode(kind, exact);
    if (out[i] == want || (hd_float_bits_are_nan(kind, out[i]) && hd_float_bits_are_nan(kind, want))) continue;
    ++off;
    if (llabs((long long)out[i] - (long long)want) > 1 && !(ref->absolute && fabs(exact) < 0.01) && wrong++ == 0)
      first = i;
  }
  const char *format = hd_float_formats[kind].name;
  hd_test_check_(!wrong, __FILE__, __LINE__, "%s %s: %d results are more than an ulp off, first of 0x%x", row->name,
                 format, wrong, (unsigned)first);
  hd_test_check_(off < ALL / 50, __FILE__, __LINE__, "%s %s: %d results are not correctly rounded", row->name, format,
                 off);
  compiled_free(&k);
}

/* pow with a constant exponent keeps the special cases. */
static void test_constant_power(hd_context *c, double exponent) {
  hd_type memref = rig_memref(hd_f32(c)), types[] = {memref, memref};
  rig r = rig_begin(c, types, 2);
  hd_value *i = rig_loop(&r, 8), *operands[2] = {rig_load(&r, r.args[0], i, 8), NULL};
  operands[1] = hd_build_float(&r.b, rig_vector(hd_f32(c), 8), exponent);
  rig_store(&r, hd_math_expand(&r.b, HD_OP_math_powf, operands), r.args[1], i);
  compiled k;
  static float x[BLOCK], out[BLOCK];
  for (int j = 0; j < BLOCK; ++j) {
    uint32_t bits = (uint32_t)mix((uint64_t)j);
    if (j < HARD)
      x[j] = (float)hard[j];
    else
      memcpy(&x[j], &bits, 4);
  }
  if (rig_compile(&r, "x86-64-v3", &k) && k.fn) {
    uint64_t words[] = {WORD(x), WORD(out)};
    k.fn(words, 0, BLOCK);
    for (int j = 0; j < BLOCK; ++j) {
      double error = ulps(out[j], pow(x[j], exponent), false, false);
      if (error > 1.6)
        hd_test_check_(false, __FILE__, __LINE__, "pow(%a, %g): expected %a, got %a", x[j], exponent,
                       pow(x[j], exponent), out[j]);
    }
    HD_CHECK(true);
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

/* Nanoseconds per element, arguments in (-4, 4) or (0, 4), in the L1 cache. */
static double time_per_element(const function *f, const hd_math_row *row, bool is64) {
  enum { N = 1024 };
  static double x[N], y[N], out[N];
  static float xf[N], yf[N], outf[N];
  bool positive = strchr(row->domain, '>') || !strcmp(row->name, "pow");
  double scale = strchr(row->domain, '|') ? 1 : 4, best = 1;
  for (int i = 0; i < N; ++i) {
    double u = (double)(mix((uint64_t)i) >> 11) * 0x1p-53, v = (double)(mix(~(uint64_t)i) >> 11) * 0x1p-53;
    x[i] = positive ? u * scale + 1e-3 : (2 * u - 1) * scale;
    y[i] = (2 * v - 1) * scale;
    xf[i] = (float)x[i], yf[i] = (float)y[i];
  }
  uint64_t words[] = {is64 ? WORD(x) : WORD(xf), is64 ? WORD(y) : WORD(yf), is64 ? WORD(out) : WORD(outf)};
  for (int repeat = 0; repeat < 200; ++repeat) {
    double start = hd_clock_seconds();
    for (int k = 0; k < 16; ++k) f->vector.fn(words, 0, N);
    double each = (hd_clock_seconds() - start) / (16 * N);
    if (each < best) best = each;
  }
  return best * 1e9;
}

int main(int argc, char **argv) {
  bool measure = argc > 1 && !strcmp(argv[1], "measure");
  const char *only = argc > 2 ? argv[2] : NULL;
  uint64_t blocks = (1ull << (measure ? argc > 3 ? atoi(argv[3]) : 24 : 18)) / BLOCK;
  if (measure)
    printf(
        "| function | f32 ulp | f64 ulp | f32 ns | f64 ns | f32 compile ms | f64 compile ms "
        "|\n|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; hd_math_row_at(i); ++i) {
    const hd_math_row *row = hd_math_row_at(i);
    const reference *ref = reference_of(row->name);
    if (only && *only && strcmp(only, "all") && strcmp(only, row->name)) continue;
    if (!hd_test_check_(ref != NULL, __FILE__, __LINE__, "%s has no reference", row->name)) continue;
    double errors[2] = {0}, times[2] = {0}, compile_ms[2] = {0};
    for (int is64 = 0; is64 < 2; ++is64) {
      hd_context *c;
      if (!HD_CHECK_OK(hd_context_create(0, &c))) continue;
      hd_type element = hd_type_float(c, is64 ? HD_F64 : HD_F32);
      function f = {0};
      bool compiled_both = compile(c, row, element, is64 ? 8 : 16, "x86-64-v3", &f.vector) &&
                           compile(c, row, element, 0, "x86-64-v3", &f.scalar);
      compile_ms[is64] = f.vector.object.translate_ms + f.vector.object.optimise_ms + f.vector.object.codegen_ms;
      if (compiled_both && f.vector.fn && f.scalar.fn) {
        double error = errors[is64] = largest_error(row, ref, is64, &f, blocks), bound = is64 ? row->ulp64 : row->ulp32;
        hd_test_check_(error >= 0 && error <= bound, __FILE__, __LINE__,
                       "%s f%d: expected at most %g ulp, got %g at %a, %a", row->name, is64 ? 64 : 32, bound, error,
                       worst_x, worst_y);
        if (measure)
          times[is64] = time_per_element(&f, row, is64);
        else
          test_native(c, row, is64, &f);
      }
      if (!measure) test_narrow(c, row, ref, is64 ? HD_BF16 : HD_F16);
      compiled_free(&f.vector);
      compiled_free(&f.scalar);
      hd_context_release(c);
    }
    if (measure)
      printf("| %s | %.2f | %.2f | %.2f | %.2f | %.1f | %.1f |\n", row->name, errors[0], errors[1], times[0], times[1],
             compile_ms[0], compile_ms[1]);
    fflush(stdout);
  }
  hd_context *c;
  if (!measure && HD_CHECK_OK(hd_context_create(0, &c))) {
    static const double exponents[] = {0, 1, 2, 3, 4, -1, -2, 0.5, -0.5, 0.25, INFINITY, NAN};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i) test_constant_power(c, exponents[i]);
    hd_context_release(c);
  }
  return HD_TEST_RESULT();
}
