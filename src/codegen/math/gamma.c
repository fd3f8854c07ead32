/* SPDX-License-Identifier: Apache-2.0 */
/* lgamma and digamma: recurrences into a range with a polynomial or an asymptotic series, reflection for x < 0.
 * Their errors are relative where the result is above 1 and absolute below, since each has zeros on both axes. */
#include "codegen/math/families.h"

/* lgamma(2 + d) = d P(d) on [-1/2, 1/2] */
static const double lgamma_f32[] = {0x1.b0ee6p-2,  0x1.4a34ccp-2,   -0x1.13dffcp-4, 0x1.5131dap-6,   -0x1.e40f32p-8,
                                    0x1.7b0696p-9, -0x1.36e3f6p-10, 0x1.06edfcp-11, -0x1.09f41ep-12, 0x1.00ac76p-13};
static const double lgamma_f64[] = {0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa6p-2,   -0x1.13e001a557606p-4,
                                    0x1.51322ac7d849ap-6,   -0x1.e404fc218f863p-8,  0x1.7add6eadb2e5fp-9,
                                    -0x1.38ac5c2bd80bdp-10, 0x1.0b36af88a0601p-11,  -0x1.d3fd4c931c45ep-13,
                                    0x1.a127af4e5dce7p-14,  -0x1.78de54bedf1f2p-15, 0x1.580e247b5f40dp-16,
                                    -0x1.3cbdb156dfd57p-17, 0x1.258cbb510b8ecp-18,  -0x1.1196c97bfe3bfp-19,
                                    0x1.014414e16b985p-20,  -0x1.e5ecd5bfbc588p-22, 0x1.b1c9c8161c9d2p-23,
                                    -0x1.8c7cda5278112p-24, 0x1.15c7bf7200b4fp-24,  -0x1.1f87dfd757f57p-25};
/* lgamma(x) = (x - 1/2) log x - x + log(2 pi) / 2 + S(1/x^2) / x for x >= 8 */
static const double stirling_f32[] = {0x1.555556p-4, -0x1.6c141cp-9, 0x1.98f994p-11};
static const double stirling_f64[] = {0x1.5555555555555p-4,   -0x1.6c16c16c14af7p-9, 0x1.a01a017e8967bp-11,
                                      -0x1.38134e143dab9p-11, 0x1.b92c925f941a9p-11, -0x1.ef97e94b7c7d2p-10,
                                      0x1.4c376e27dd409p-8};
/* digamma(x) = log x - 1/2x + S(1/x^2) / x^2 for x >= 6 (f32), 10 (f64) */
static const double digamma_f32[] = {-0x1.555554p-4, 0x1.11030ep-7, -0x1.f2a5bep-9};
static const double digamma_f64[] = {-0x1.5555555555555p-4, 0x1.11111111107c3p-7,  -0x1.041040fcb8aefp-8,
                                     0x1.1110ffa85ef69p-8,  -0x1.f06861e19350cp-8, 0x1.56af97bbf041fp-6,
                                     -0x1.1e06a89e7d01dp-4};
/* sin(pi r) / pi = r + r^3 P(r^2), cos(pi r) = (1 - 4 r^2) Q(r^2) on [0, 1/2] */
static const double sin_pi_f32[] = {-0x1.a51a66p0, 0x1.9f9cb2p-1, -0x1.86a7f2p-3, 0x1.ac13f8p-6, -0x1.27828cp-9};
static const double sin_pi_f64[] = {-0x1.a51a6625307d3p0,   0x1.9f9cb402bc45cp-1,  -0x1.86a8e4720c699p-3,
                                    0x1.ac6805cdead18p-6,   -0x1.33816a0332e4bp-9, 0x1.3746c46696f07p-13,
                                    -0x1.d3f2292765debp-18, 0x1.080652a7c6817p-22};
static const double cos_pi_f32[] = {0x1p0, -0x1.de9e5ep-1, 0x1.472a56p-2, -0x1.d474e4p-5, 0x1.8bbdbep-8};
static const double cos_pi_f64[] = {0x1p0,
                                    -0x1.de9e64df22ef3p-1,
                                    0x1.472be122434a5p-2,
                                    -0x1.d4fcd83116a8fp-5,
                                    0x1.9f05cb009eb4dp-8,
                                    -0x1.f309e857d354p-12,
                                    0x1.b26876d3abad6p-16,
                                    -0x1.1e75ab313759dp-20,
                                    0x1.2803b21f661e9p-25,
                                    -0x1.dfb7ac564f967p-31};

#define POLY(e, x, name) (hd_math_is64(e) ? m_estrin(e, x, name##_f64) : m_estrin(e, x, name##_f32))

/* sin(pi r) / pi for |r| <= 1/2 */
static V sin_pi(E *e, V r) {
  V u = m_mul(e, r, r);
  return m_fma(e, m_mul(e, POLY(e, u, sin_pi), u), r, r);
}

/* lgamma(x) for x >= 0. Below 8 the argument is moved into [1.5, 2.5] and the log of the factors passed is added. */
static V lgamma_positive(E *e, V x) {
  V one = m_const(e, 1), half = m_ltc(e, x, 0.5), below = m_ltc(e, x, 1.5), large = m_cmp(e, MATH_GE, x, m_const(e, 8));
  V factors = m_sel(e, half, m_fma(e, x, x, x), m_sel(e, below, x, one)), y = x;
  for (int i = 0; i < 6; ++i) {
    V over = m_gtc(e, y, 2.5), less = m_subc(e, y, 1);
    y = m_sel(e, over, less, y);
    factors = m_sel(e, over, m_mul(e, factors, less), factors);
  }
  V d = m_sel(e, half, x, m_sel(e, below, m_subc(e, x, 1), m_subc(e, y, 2)));
  V near = m_mul(e, d, POLY(e, d, lgamma));
  V inverse = m_div(e, one, x), tail = POLY(e, m_mul(e, inverse, inverse), stirling);
  V far = m_sub(e, m_fmak(e, tail, inverse, 0x1.d67f1c864beb5p-1), x);
  V argument = m_sel(e, large, x, factors), l = hd_math_log(e, &argument);
  V weight = m_sel(e, large, m_subc(e, x, 0.5), m_sel(e, below, m_const(e, -1), one));
  V result = m_fma(e, weight, l, m_sel(e, large, far, near));
  return m_sel(e, m_eqc(e, x, m_inf()), x, result);
}

/* lgamma(-a) = -log(a sin(pi a) / pi) - lgamma(a); next to zero that is lgamma(a). */
V hd_math_lgamma(E *e, const V *args) {
  V x = args[0], a = m_abs(e, x), positive = lgamma_positive(e, a);
  V r = m_sub(e, a, m_rint(e, a)), product = m_mul(e, a, m_abs(e, sin_pi(e, r)));
  V mirrored = m_sub(e, m_neg(e, hd_math_log(e, &product)), positive);
  V pole = m_either(e, m_eqc(e, r, 0), m_eqc(e, a, m_inf()));
  mirrored = m_sel(e, pole, m_const(e, m_inf()), mirrored);
  return m_sel(e, m_ltc(e, x, hd_math_is64(e) ? -0x1p-55 : -0x1p-26), mirrored, positive);
}

/* digamma(x) = digamma(1 - x) - pi / tan(pi x) for x <= 0 */
V hd_math_digamma(E *e, const V *args) {
  bool is64 = hd_math_is64(e);
  int shift = is64 ? 10 : 6;
  V x = args[0], zero = m_const(e, 0), one = m_const(e, 1), mirror = m_cmp(e, MATH_LE, x, zero);
  V y = m_sel(e, mirror, m_sub(e, one, x), x), numerator = zero, denominator = one;
  for (int i = 0; i < shift; ++i) { /* the sum of 1 / (y + i) as one fraction */
    V low = m_ltc(e, y, shift);
    numerator = m_sel(e, low, m_fma(e, numerator, y, denominator), numerator);
    denominator = m_sel(e, low, m_mul(e, denominator, y), denominator);
    y = m_sel(e, low, m_addc(e, y, 1), y);
  }
  V inverse = m_div(e, one, y), z = m_mul(e, inverse, inverse);
  V series = m_fma(e, POLY(e, z, digamma), z, m_fmac(e, inverse, -0.5, hd_math_log(e, &y)));
  V result = m_sub(e, series, m_div(e, numerator, denominator));
  V r = m_sub(e, x, m_rint(e, x)), u = m_mul(e, r, r);
  V cosine = m_mul(e, m_fma(e, m_mulc(e, r, -4), r, one), POLY(e, u, cos_pi));
  V mirrored = m_sub(e, result, m_div(e, cosine, sin_pi(e, r)));
  mirrored = m_sel(e, m_eq(e, r, zero), m_invalid(e), mirrored);
  return m_sel(e, mirror, mirrored, result);
}
