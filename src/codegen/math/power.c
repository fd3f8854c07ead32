/* SPDX-License-Identifier: Apache-2.0 */
/* pow, cbrt and rsqrt.
 *
 * pow is 2^(y log2 |x|) with the logarithm in two parts, about 11 bits more than the format: with x = 2^k (1 + f) and
 * s = f / (2 + f), log2(1 + f) = 2/ln2 (s + s^3/3 + s^5 Q(s^2)), of which s and the cubic term are kept in two parts
 * each. Signs, integers and infinities are put right afterwards. */
#include "codegen/math/families.h"

/* atanh(s) = s + s^3 / 3 + s^5 Q(s^2) on [0, 0.2]; |s| is at most 0.172 */
static const double atanh_f32[] = {0x1.99999ap-3, 0x1.24927ep-3, 0x1.c6a0fap-4, 0x1.8c2136p-4};
static const double atanh_f64[] = {0x1.999999999999ap-3, 0x1.24924924922a7p-3, 0x1.c71c71c772d23p-4,
                                   0x1.745d170edd2b1p-4, 0x1.3b13c3fbf6313p-4, 0x1.110d5e3a31459p-4,
                                   0x1.e2bdcfdd64923p-5, 0x1.a09e77fe2db35p-5, 0x1.011651f7434cp-4};

typedef struct {
  V high, low;
} pair; /* high + low, |low| at most an ulp of high */

/* a b + low */
static pair product(E *e, V a, V b, V low) {
  V high = m_mul(e, a, b);
  V lost = m_fms(e, a, b, high);
  return (pair){high, low ? m_add(e, lost, low) : lost};
}

/* a + b + low (or null) for |a| >= |b| or a = 0 */
static pair sum(E *e, V a, V b, V low) {
  V high = m_add(e, a, b), lost = m_add(e, m_sub(e, a, high), b);
  return (pair){high, low ? m_add(e, lost, low) : lost};
}

/* log2(x) for positive finite x, relative error 2^-34 (f32), 2^-64 (f64). */
static pair log2_pair(E *e, V x) {
  bool is64 = hd_math_is64(e);
  double third = is64 ? 0x1.5555555555555p-2 : 0x1.555556p-2,
         third_low = is64 ? 0x1.5555555555555p-56 : -0x1.555556p-27;
  double c = is64 ? 0x1.71547652b82fep1 : 0x1.715476p1, c_low = is64 ? 0x1.777d0ffda0d24p-55 : 0x1.4ae0cp-25;
  V k, f = hd_math_log_split(e, x, &k), two = m_const(e, 2);
  V d = m_add(e, f, two), d_low = m_sub(e, f, m_sub(e, d, two));
  V inverse = m_div(e, m_const(e, 1), d), s = m_mul(e, f, inverse);
  V rest = m_fnma(e, s, d_low, m_fnma(e, s, d, f)), s_low = m_mul(e, rest, inverse);
  pair z = product(e, s, s, m_mul(e, m_add(e, s, s), s_low));
  V q = is64 ? m_estrin(e, z.high, atanh_f64) : m_horner(e, z.high, atanh_f32);
  V w_low = m_fmac(e, z.high, third_low, m_fmac(e, z.low, third, m_mul(e, m_mul(e, z.high, z.high), q)));
  pair w = product(e, z.high, m_const(e, third), w_low);
  w = sum(e, w.high, w.low, NULL);
  pair cubic = product(e, s, w.high, m_fma(e, s, w.low, m_mul(e, s_low, w.high)));
  pair h = sum(e, s, cubic.high, m_add(e, s_low, cubic.low));
  pair l = product(e, h.high, m_const(e, c), m_fmac(e, h.high, c_low, m_mulc(e, h.low, c)));
  return sum(e, k, l.high, l.low);
}

/* Exponents that are constants and cheap: null for others. */
static V simple_power(E *e, V x, double y) {
  V one = m_const(e, 1);
  if (y == 1) return x;
  if (y == 2) return m_mul(e, x, x);
  if (y == 3) return m_mul(e, m_mul(e, x, x), x);
  if (y == -1) return m_div(e, one, x);
  if (y != 0.5 && y != -0.5) return NULL;
  V root = m_sqrt(e, m_addc(e, x, 0)); /* -0 counts as 0, -inf as inf */
  root = m_sel(e, m_eqc(e, x, -m_inf()), m_const(e, m_inf()), root);
  return y > 0 ? root : m_div(e, one, root);
}

V hd_math_pow(E *e, const V *args) {
  double exponent;
  V simple = hd_math_is_splat(args[1], &exponent) ? simple_power(e, args[0], exponent) : NULL;
  if (simple) return simple;
  bool is64 = hd_math_is64(e);
  V x = args[0], y = args[1], a = m_abs(e, x);
  V zero = m_const(e, 0), one = m_const(e, 1), nan = m_invalid(e);
  pair l = log2_pair(e, a);
  V finite = m_ltc(e, a, m_inf());
  l.high = m_sel(e, finite, l.high, a); /* infinity and NaN */
  l.high = m_sel(e, m_eq(e, a, zero), m_const(e, -m_inf()), l.high);
  pair t = product(e, y, l.high, m_mul(e, y, l.low));
  double limit = is64 ? 1100 : 200;
  V low = m_sel(e, m_ltc(e, m_abs(e, t.high), limit), t.low, zero);
  V bits, p = hd_math_exp2_split(e, m_floor_at(e, m_cap(e, t.high, limit), -limit), low, &bits);
  p = m_sel(e, m_eq(e, a, one), one, hd_math_scale(e, p, bits));
  V half = m_mulc(e, y, 0.5);
  V integer = m_eq(e, m_rint(e, y), y), odd = m_both(e, integer, m_cmp(e, MATH_NE, m_rint(e, half), half));
  V sign = m_iandc(e, m_bits(e, x), is64 ? 1ull << 63 : 1ull << 31);
  p = m_float(e, m_ixor(e, m_bits(e, p), m_isel(e, odd, sign, m_int(e, 0))));
  V negative = m_both(e, m_lt(e, x, zero), finite);
  p = m_sel(e, negative, m_sel(e, integer, p, nan), p);
  V given = m_both(e, m_cmp(e, MATH_UNO, x, y), m_cmp(e, MATH_NE, x, one)); /* a NaN goes on with its sign */
  p = m_sel(e, given, m_add(e, x, y), p);
  return m_sel(e, m_eq(e, y, zero), one, p);
}

/* x^(-1/3) to 3.5 %: the bits of x, as a number, divided by -3; only the upper mantissa bits take part. */
static V inverse_cube_guess(E *e, V x) {
  bool is64 = hd_math_is64(e);
  int shift = is64 ? 12 : 9;
  double magic = is64 ? 0x1p52 : 0x1p23, offset = is64 ? 1499659027917483.0 : 2773242.0;
  V top = m_float(e, m_iorc(e, m_ishrc(e, m_bits(e, x), shift), is64 ? 0x4330000000000000ull : 0x4b000000ull));
  V guess = m_fmak(e, m_subc(e, top, magic), m_const(e, -1.0 / 3), magic + offset);
  return m_float(e, m_ishlc(e, m_bits(e, guess), shift));
}

/* r = x^(-1/3) by steps r += r (d/3 + 2/9 d^2 + ...) with d = 1 - x r^3, then y = x r^2 corrected by its residual. */
V hd_math_cbrt(E *e, const V *args) {
  bool is64 = hd_math_is64(e);
  V x = args[0], a = m_abs(e, x), one = m_const(e, 1);
  V tiny = m_ltc(e, a, is64 ? 0x1p-1022 : 0x1p-126);
  V m = m_sel(e, tiny, m_mulc(e, a, is64 ? 0x1p54 : 0x1p24), a);
  V r = inverse_cube_guess(e, m);
  static const double series[] = {1.0 / 3, 2.0 / 9, 14.0 / 81};
  for (int step = 0; step < (is64 ? 2 : 1); ++step) {
    V d = m_fnma(e, m_mul(e, m, r), m_mul(e, r, r), one);
    r = m_fma(e, m_mul(e, r, d), hd_math_horner(e, d, series, 3 - step), r);
  }
  V y = m_mul(e, m_mul(e, m, r), r), square = m_mul(e, y, y);
  V residual = m_fma(e, m_fms(e, y, y, square), y, m_fms(e, square, y, m));
  y = m_fnma(e, m_mul(e, residual, m_mul(e, r, r)), m_const(e, 1.0 / 3), y);
  y = m_mul(e, y, m_sel(e, tiny, m_const(e, is64 ? 0x1p-18 : 0x1p-8), one));
  V usual = m_both(e, m_gtc(e, a, 0), m_ltc(e, a, m_inf()));
  return m_sel(e, usual, m_copysign(e, y, x), x);
}

V hd_math_rsqrt(E *e, const V *args) { return m_div(e, m_const(e, 1), m_sqrt(e, args[0])); }
