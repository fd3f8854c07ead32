/* SPDX-License-Identifier: Apache-2.0 */
/* Logarithms: x = 2^k (1 + f) with 1 + f in [2/3, 4/3), and a minimax polynomial for log(1 + f) (f32) or the series
 * in s = f / (2 + f) with the leading terms kept apart (f64, the form of fdlibm's e_log). Denormals are scaled up. */
#include "codegen/math/families.h"

/* f32: log(1 + f) = f - f^2 / 2 + f^3 P(f) */
static const double log_f32[] = {0x1.555506p-2, -0x1.fffefp-3,  0x1.99d05ep-3, -0x1.559de4p-3,
                                 0x1.1ed422p-3, -0x1.f30e34p-4, 0x1.1e73b8p-3, -0x1.080caap-3};
/* f64: 2 atanh(s) = 2 s + s^3 P(s^2) */
static const double log_f64[] = {0x1.555555555554fp-1, 0x1.999999999c148p-2, 0x1.24924921e8b1ap-2,
                                 0x1.c71c748b175b2p-3, 0x1.745c4c101f0d2p-3, 0x1.3b3596e98ccc1p-3,
                                 0x1.0dce738c442c9p-3, 0x1.1b6d9a245961fp-3};

enum { TWO_THIRDS, ROOT_HALF }; /* where 1 + f begins */

/* k such that x 2^-k is in [begin, 2 begin), for a normal positive x: as a float and shifted into the exponent field.
 */
static V exponent_of(E *e, V x, int begin, V *out_field) {
  int mantissa = m_mantissa(e), bias = m_bias(e);
  uint64_t bits = hd_math_is64(e) ? 0x3fe5555555555555ull : 0x3f2aaaabull;
  if (begin == ROOT_HALF) bits = hd_math_is64(e) ? 0x3fe6a09e667f3bcdull : 0x3f3504f3ull;
  V biased = m_ishrc(e, m_iaddc(e, m_bits(e, x), ((uint64_t)bias << mantissa) - bits), mantissa);
  *out_field = m_ishlc(e, m_isubc(e, biased, bias), mantissa);
  if (!hd_math_is64(e)) return m_to_float(e, m_isubc(e, biased, bias));
  return m_subc(e, m_float(e, m_iorc(e, biased, 0x4330000000000000ull)), 0x1p52 + bias);
}

static V split(E *e, V x, int begin, V *out_k) {
  bool is64 = hd_math_is64(e);
  V tiny = m_ltc(e, x, is64 ? 0x1p-1022 : 0x1p-126), field;
  x = m_sel(e, tiny, m_mulc(e, x, is64 ? 0x1p54 : 0x1p25), x);
  V k = exponent_of(e, x, begin, &field);
  *out_k = m_add(e, k, m_sel(e, tiny, m_const(e, is64 ? -54 : -25), m_const(e, 0)));
  return m_subc(e, m_float(e, m_isub(e, m_bits(e, x), field)), 1);
}

V hd_math_log_split(E *e, V x, V *out_k) { return split(e, x, ROOT_HALF, out_k); }

/* log(1 + f) - f */
static V log_tail(E *e, V f) {
  if (!hd_math_is64(e)) return m_mul(e, m_fmak(e, m_estrin(e, f, log_f32), f, -0.5), m_mul(e, f, f));
  V s = m_div(e, f, m_addc(e, f, 2)), z = m_mul(e, s, s);
  V half_square = m_mul(e, m_mulc(e, f, 0.5), f);
  V r = m_mul(e, m_estrin(e, z, log_f64), z);
  return m_sub(e, m_mul(e, s, m_add(e, half_square, r)), half_square);
}

/* k ln2 + log(1 + f) */
static V log_sum(E *e, V k, V f) {
  V tail = log_tail(e, f);
  if (hd_math_is64(e)) tail = m_fmac(e, k, 0x1.abc9e3b39803fp-56, tail);
  return m_fmac(e, k, 0x1.62e42fefa39efp-1, m_add(e, f, tail));
}

/* The values of a logarithm outside its open domain (low, +inf): -inf at |low|, NaN below, +inf at +inf; a NaN goes on
 * with its sign. */
static V at_edges(E *e, V x, double low, V y) {
  V edge = m_sel(e, m_eqc(e, x, low), m_const(e, -m_inf()), m_invalid(e));
  y = m_sel(e, m_gtc(e, x, low), y, edge);
  return m_sel(e, m_ltc(e, x, m_inf()), y, x);
}

V hd_math_log(E *e, const V *args) {
  V k, f = split(e, args[0], TWO_THIRDS, &k);
  return at_edges(e, args[0], 0, log_sum(e, k, f));
}

/* scale * (f + tail) with the scale in two parts. */
static V scaled(E *e, V f, double high, double low, V extra) {
  V rest = m_fmac(e, log_tail(e, f), high, m_mulc(e, f, low));
  if (extra) rest = m_add(e, rest, extra);
  return m_fmac(e, f, high, rest);
}

V hd_math_log2(E *e, const V *args) {
  bool is64 = hd_math_is64(e);
  V k, f = split(e, args[0], TWO_THIRDS, &k);
  double high = is64 ? 0x1.71547652b82fep0 : 0x1.715476p0, low = is64 ? 0x1.777d0ffda0d24p-56 : 0x1.4ae0cp-26;
  return at_edges(e, args[0], 0, m_add(e, k, scaled(e, f, high, low, NULL)));
}

V hd_math_log10(E *e, const V *args) {
  bool is64 = hd_math_is64(e);
  V k, f = split(e, args[0], TWO_THIRDS, &k);
  double high = is64 ? 0x1.bcb7b1526e50ep-2 : 0x1.bcb7b2p-2, low = is64 ? 0x1.95355baaafad3p-57 : -0x1.5b235ep-27;
  double k_high = is64 ? 0x1.34413509f79ffp-2 : 0x1.344136p-2, k_low = is64 ? -0x1.9dc1da994fd21p-59 : -0x1.ec10cp-27;
  V y = scaled(e, f, high, low, m_mulc(e, k, k_low));
  return at_edges(e, args[0], 0, m_fmac(e, k, k_high, y));
}

/* f = x 2^-k + (2^-k - 1) with k taken from 1 + x: both terms are exact, so what 1 + x loses does not matter. */
V hd_math_log1p(E *e, const V *args) {
  V x = args[0], field, k = exponent_of(e, m_addc(e, x, 1), TWO_THIRDS, &field);
  V four = m_bits(e, m_const(e, 4));
  V power = m_fmac(e, m_float(e, m_isub(e, four, field)), 0.25, m_const(e, -1));
  V f = m_add(e, m_float(e, m_isub(e, m_bits(e, x), field)), power);
  V y = at_edges(e, x, -1, log_sum(e, k, f));
  return m_sel(e, m_eqc(e, x, 0), x, y);
}

/* log1p(a + a^2 / (1 + sqrt(a^2 + 1))); for large a, log(a) + ln2. */
V hd_math_asinh(E *e, const V *args) {
  V x = args[0], a = m_abs(e, x), large = m_gtc(e, a, hd_math_is64(e) ? 0x1p60 : 0x1p30);
  V square = m_mul(e, a, a);
  V z = m_add(e, a, m_div(e, square, m_addc(e, m_sqrt(e, m_addc(e, square, 1)), 1)));
  z = m_sel(e, large, a, z);
  V y = hd_math_log1p(e, &z);
  return m_copysign(e, m_add(e, y, m_sel(e, large, m_const(e, 0x1.62e42fefa39efp-1), m_const(e, 0))), x);
}

V hd_math_acosh(E *e, const V *args) {
  V x = args[0], large = m_gtc(e, x, hd_math_is64(e) ? 0x1p60 : 0x1p30), t = m_subc(e, x, 1);
  V z = m_sel(e, large, x, m_add(e, t, m_sqrt(e, m_mul(e, t, m_addc(e, x, 1)))));
  V y = hd_math_log1p(e, &z);
  y = m_add(e, y, m_sel(e, large, m_const(e, 0x1.62e42fefa39efp-1), m_const(e, 0)));
  return m_sel(e, m_ltc(e, x, 1), m_invalid(e), y);
}

V hd_math_atanh(E *e, const V *args) {
  V x = args[0], a = m_abs(e, x);
  V z = m_div(e, m_add(e, a, a), m_sub(e, m_const(e, 1), a));
  return m_copysign(e, m_mulc(e, hd_math_log1p(e, &z), 0.5), x);
}
