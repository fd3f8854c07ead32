/* SPDX-License-Identifier: Apache-2.0 */
/* The Hurwitz zeta function by Euler and Maclaurin, and polygamma from it. The terms (q + k)^-s are added one by one
 * until the base is at least 12 and s, or until they no longer count; then the rest is a short series. */
#include "codegen/math/families.h"

/* B(2k) / (2k)! */
static const double bernoulli[] = {0x1.5555555555555p-4,   -0x1.6c16c16c16c17p-10, 0x1.1566abc011566p-15,
                                   -0x1.bbd779334ef0bp-21, 0x1.66a8f2bf70ebep-26,  -0x1.22805d644267fp-31,
                                   0x1.d6db2c4e09163p-37,  -0x1.7da4e1f79955cp-42, 0x1.355871d652e9ep-47,
                                   -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58,  -0x1.497d9033a2b5dp-63};

/* values: base, sum, last term; s and the base to reach */
static V goes_on(E *e, const V *values) {
  V counts = m_gt(e, m_abs(e, values[2]), m_mulc(e, m_abs(e, values[1]), hd_math_is64(e) ? 0x1p-56 : 0x1p-27));
  return m_both(e, m_lt(e, values[0], values[4]), counts);
}

static V power(E *e, V base, V s) {
  V args[] = {base, m_neg(e, s)};
  return hd_math_pow(e, args);
}

static void add_term(E *e, const V *values, V *results) {
  V active = goes_on(e, values), term = power(e, values[0], values[3]);
  results[0] = m_sel(e, active, m_addc(e, values[0], 1), values[0]);
  results[1] = m_sel(e, active, m_add(e, values[1], term), values[1]);
  results[2] = m_sel(e, active, term, values[2]);
}

static V is_integer(E *e, V x) { return m_eq(e, m_rint(e, x), x); }

V hd_math_zeta(E *e, const V *args) {
  V s = args[0], q = args[1], zero = m_const(e, 0), one = m_const(e, 1), nan = m_invalid(e);
  V need = m_cap(e, m_floor_at(e, s, 12), 0x1p20); /* from 2^20 on the terms of a large s vanish */
  V values[5] = {m_sel(e, m_ltc(e, q, -1000), nan, q), zero, m_const(e, m_inf()), s, need};
  hd_math_while_any(e, goes_on, add_term, values, 3, 5);
  V base = values[0], term = power(e, base, s), inverse = m_div(e, one, base), square = m_mul(e, inverse, inverse);
  V tail = m_fmac(e, term, 0.5, m_div(e, m_mul(e, term, base), m_subc(e, s, 1)));
  V factor = m_mul(e, m_mul(e, s, term), inverse);
  int terms = hd_math_is64(e) ? 12 : 5;
  for (int k = 0; k < terms; ++k) {
    tail = m_fmac(e, factor, bernoulli[k], tail);
    factor = m_mul(e, factor, m_mul(e, m_mul(e, m_addc(e, s, 2 * k + 1), m_addc(e, s, 2 * k + 2)), square));
  }
  V reached = m_cmp(e, MATH_GE, base, m_floor_at(e, s, 12));
  reached = m_both(e, reached, m_cmp(e, MATH_NE, term, zero));
  V y = m_add(e, values[1], m_sel(e, reached, tail, zero));
  y = m_sel(e, m_eqc(e, q, m_inf()), zero, y);
  /* a pole of a term: infinite for even s, where both sides agree in sign */
  V half = m_mulc(e, s, 0.5), even = m_both(e, is_integer(e, half), m_ltc(e, s, m_inf()));
  V pole = m_both(e, m_cmp(e, MATH_LE, q, zero), is_integer(e, q));
  y = m_sel(e, pole, m_sel(e, even, m_const(e, m_inf()), nan), y);
  y = m_sel(e, m_eq(e, s, one), m_const(e, m_inf()), m_sel(e, m_gt(e, s, one), y, nan));
  y = m_sel(e, m_ltc(e, q, -1000), nan, y);
  return m_sel(e, m_either(e, m_isnan(e, s), m_isnan(e, q)), nan, y);
}

/* values: factorial, k; n */
static V factor_left(E *e, const V *values) { return m_cmp(e, MATH_LE, values[1], values[2]); }
static void times_factor(E *e, const V *values, V *results) {
  V active = factor_left(e, values);
  results[0] = m_sel(e, active, m_mul(e, values[0], values[1]), values[0]);
  results[1] = m_sel(e, active, m_addc(e, values[1], 1), values[1]);
}

/* (-1)^(n + 1) n! zeta(n + 1, x); digamma for n = 0. Large n! by its logarithm. */
V hd_math_polygamma(E *e, const V *args) {
  V n = args[0], x = args[1], one = m_const(e, 1), nan = m_invalid(e);
  V next = m_addc(e, n, 1), zeta_args[] = {next, x}, zeta = hd_math_zeta(e, zeta_args);
  double largest = hd_math_is64(e) ? 170 : 34;
  V values[3] = {one, one, m_cap(e, n, largest)};
  hd_math_while_any(e, factor_left, times_factor, values, 2, 3);
  V log_sum = m_add(e, hd_math_lgamma(e, &next), hd_math_log(e, &zeta)), by_log = hd_math_exp(e, &log_sum);
  V y = m_sel(e, m_gtc(e, n, largest), by_log, m_mul(e, values[0], zeta));
  V even = m_both(e, is_integer(e, m_mulc(e, n, 0.5)), m_ltc(e, n, m_inf()));
  y = m_sel(e, even, m_neg(e, y), y);
  y = m_sel(e, m_both(e, is_integer(e, n), m_gtc(e, n, 0)), y, nan);
  return m_sel(e, m_eqc(e, n, 0), hd_math_digamma(e, &x), y);
}
