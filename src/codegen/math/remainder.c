/* SPDX-License-Identifier: Apache-2.0 */
/* The remainder of truncated division (C's fmod, arith.remf, stablehlo.remainder), exact for all magnitudes.
 *
 * While the quotient is below 2^22 (f32) or 2^51 (f64), x - trunc(x / y) y is exact with fma, and the rounded quotient
 * is at most one too large. Larger quotients are taken down in steps: x modulo y 2^k, k chosen from the exponents so
 * that each quotient is below that limit, until x < y. Blocks without a large quotient never enter the loop. */
#include "codegen/math/families.h"

static int digits(const E *e) { return hd_math_is64(e) ? 50 : 21; } /* bits of quotient in one step */
static double limit(const E *e) { return hd_math_is64(e) ? 0x1p51 : 0x1p22; }

/* r - trunc(r / y) y in [0, y) for a quotient below the limit. */
static V step(E *e, V r, V y) {
  V rest = m_fnma(e, m_trunc(e, m_div(e, r, y)), y, r);
  return m_sel(e, m_ltc(e, rest, 0), m_add(e, rest, y), rest);
}

/* values: r, y, and of y its mantissa bits and exponent field (below 1 for denormals), as if normalised. */
static V unfinished(E *e, const V *values) { return m_cmp(e, MATH_GE, values[0], values[1]); }

static void reduce(E *e, const V *values, V *results) {
  V r = values[0], y = values[1], mantissa = values[2], field = values[3], zero = m_int(e, 0);
  V target = m_isubc(e, m_ishrc(e, m_bits(e, r), m_mantissa(e)), digits(e));
  V least = m_isel(e, m_cmp(e, MATH_IGT, field, zero), field, zero);
  V composed = m_float(e, m_ior(e, mantissa, m_ishlc(e, target, m_mantissa(e))));
  V shifted = m_mulc(e, y, limit(e)); /* exact: y is denormal or nearly where it matters */
  V divisor = m_sel(e, m_cmp(e, MATH_GE, r, shifted), shifted, y);
  divisor = m_sel(e, m_cmp(e, MATH_IGT, target, least), composed, divisor);
  results[0] = m_sel(e, unfinished(e, values), step(e, r, divisor), r);
}

/* args: the result so far, |x|, |y| */
static void rare(E *e, const V *args, V *results) {
  bool is64 = hd_math_is64(e);
  V x = args[1], y = args[2];
  V need = m_both(e, m_ltc(e, x, m_inf()), m_gtc(e, y, 0));
  V tiny = m_ltc(e, y, is64 ? 0x1p-1022 : 0x1p-126);
  V bits = m_bits(e, m_sel(e, tiny, m_mulc(e, y, is64 ? 0x1p54 : 0x1p24), y));
  V field = m_isub(e, m_ishrc(e, bits, m_mantissa(e)), m_isel(e, tiny, m_int(e, is64 ? 54 : 24), m_int(e, 0)));
  V values[4] = {m_sel(e, need, x, m_const(e, 0)), y, m_iandc(e, bits, (1ull << m_mantissa(e)) - 1), field};
  hd_math_while_any(e, unfinished, reduce, values, 1, 4);
  results[0] = m_sel(e, need, values[0], args[0]);
  results[1] = x;
  results[2] = y;
}

V hd_math_remainder(E *e, const V *args) {
  V x = m_abs(e, args[0]), y = m_abs(e, args[1]);
  V quotient = m_div(e, x, y);
  V r = m_sel(e, m_lt(e, x, y), x, step(e, x, y));
  V state[3] = {r, x, y}, results[3];
  hd_math_if_any(e, m_cmp(e, MATH_GE, quotient, m_const(e, limit(e))), rare, state, 3, results);
  V given = m_cmp(e, MATH_UNO, args[0], args[1]); /* a NaN that is given goes on with its sign */
  V none = m_sel(e, given, m_add(e, args[0], args[1]), m_invalid(e));
  return m_sel(e, m_isnan(e, results[0]), none, m_copysign(e, results[0], args[0]));
}
