/* SPDX-License-Identifier: Apache-2.0 */
/* exp and its kin: x = n ln2 + r with |r| <= ln2 / 2, a minimax polynomial in r, and scaling by 2^n.
 *
 * n is rounded by adding 1.5 * 2^mantissa, whose low bits then hold n as an integer. r is taken off ln2 in two parts
 * (Cody and Waite); with fma both steps are exact to 2^-50 (f32). 2^n is multiplied in as two powers, so that results
 * down to the smallest denormal are rounded once and overflow gives infinity. */
#include "codegen/math/families.h"

/* e^r = 1 + r + r^2 P(r) */
static const double exp_f32[] = {0x1.fffffap-2, 0x1.555492p-3, 0x1.555a26p-5, 0x1.123982p-7, 0x1.694caap-10};
static const double exp_f64[] = {
    0x1.000000000000ap-1,  0x1.55555555554fep-3,  0x1.55555555506b5p-5,  0x1.1111111126b2ep-7,  0x1.6c16c184796c2p-10,
    0x1.a01a012ff5f49p-13, 0x1.a0199956ec6dbp-16, 0x1.71df18d21e40bp-19, 0x1.28ae0554880a7p-22, 0x1.ad932e019a85cp-26};
/* 2^r = 1 + r P(r) */
static const double exp2_f32[] = {0x1.62e43p-1,  0x1.ebfbd8p-3,  0x1.c6af74p-5,
                                  0x1.3b3096p-7, 0x1.5f0ca8p-10, 0x1.3fad5ep-13};
static const double exp2_f64[] = {0x1.62e42fefa39efp-1,  0x1.ebfbdff82c5a6p-3,  0x1.c6b08d704a12cp-5,
                                  0x1.3b2ab6fb9fd9dp-7,  0x1.5d87fe789e99p-10,  0x1.4309130f6fc36p-13,
                                  0x1.ffcbfc667754fp-17, 0x1.62bfc64f78e84p-20, 0x1.b52522db1abedp-24,
                                  0x1.e61d57b37fd08p-28, 0x1.e972f145eece9p-32};
/* e^r - 1 = r + r^2 P(r) */
static const double expm1_f32[] = {0x1.fffffep-2, 0x1.5554bp-3, 0x1.555716p-5, 0x1.122796p-7, 0x1.6b7354p-10};
static const double expm1_f64[] = {0x1p-1,
                                   0x1.5555555555559p-3,
                                   0x1.555555555554dp-5,
                                   0x1.111111110f658p-7,
                                   0x1.6c16c16c1aaffp-10,
                                   0x1.a01a01b001619p-13,
                                   0x1.a01a018e0d78ep-16,
                                   0x1.71ddf8166aaa6p-19,
                                   0x1.27e513415d426p-22,
                                   0x1.af5f1db163d1fp-26,
                                   0x1.1f1a2278dd1b1p-29};

#define POLY(e, x, name) (hd_math_is64(e) ? m_estrin(e, x, name##_f64) : m_estrin(e, x, name##_f32))

static double magic(const E *e) { return hd_math_is64(e) ? 0x1.8p52 : 0x1.8p23; }

/* n = round(x * scale), as a float and (shifted by a constant in the high bits) as an integer. */
static V round_to_multiple(E *e, V x, double scale, V *out_bits) {
  V shifted = m_fmac(e, x, scale, m_const(e, magic(e)));
  *out_bits = m_bits(e, shifted);
  return m_subc(e, shifted, magic(e));
}

/* x - n ln2 */
static V take_ln2(E *e, V x, V n) {
  if (hd_math_is64(e)) return m_fmac(e, n, -0x1.abc9e3b39803fp-56, m_fmac(e, n, -0x1.62e42fefa39efp-1, x));
  return m_fmac(e, n, 0x1.05c61p-29, m_fmac(e, n, -0x1.62e43p-1, x));
}

/* 2^n from the low bits of |n|, which may carry the magic number's bits above. */
static V power_of_two(E *e, V n) {
  return m_float(e, m_iaddc(e, m_ishlc(e, n, m_mantissa(e)), (uint64_t)m_bias(e) << m_mantissa(e)));
}

/* |bits| is n plus the magic number's bits, which are even and vanish when shifted. NaN stays NaN: p is only
 * multiplied. */
V hd_math_scale(E *e, V p, V bits) {
  V half = m_ishrc(e, bits, 1);
  return m_mul(e, m_mul(e, p, power_of_two(e, half)), power_of_two(e, m_isub(e, bits, half)));
}

/* e^(x + lo) = p 2^n, for x up to |most|. */
static V exp_split(E *e, V x, V lo, double most, V *out_n, V *out_bits) {
  x = m_floor_at(e, m_cap(e, x, most), hd_math_is64(e) ? -760 : -120);
  *out_n = round_to_multiple(e, x, 0x1.71547652b82fep0, out_bits);
  V r = take_ln2(e, x, *out_n);
  if (lo) r = m_add(e, r, lo);
  return m_addc(e, m_fma(e, POLY(e, r, exp), m_mul(e, r, r), r), 1);
}

V hd_math_exp_split(E *e, V x, V lo, V *out_bits) {
  V n;
  return exp_split(e, x, lo, hd_math_is64(e) ? 711 : 90, &n, out_bits);
}

/* Beyond |most| the product overflows with the smallest subnormal. A large power goes to the factor first, exactly. */
void hd_math_exp_times(E *e, V x, bool halved, V *factors, uint32_t count) {
  bool is64 = hd_math_is64(e);
  int share = is64 ? 1000 : 100;
  V n, bits, p = exp_split(e, x, NULL, is64 ? 1500 : 200, &n, &bits), large = m_gtc(e, n, share);
  V first = m_sel(e, large, m_const(e, is64 ? 0x1p1000 : 0x1p100), m_const(e, 1));
  V rest = m_isub(e, bits, m_isel(e, large, m_int(e, (uint64_t)share), m_int(e, 0)));
  if (halved) rest = m_isubc(e, rest, 1);
  for (uint32_t i = 0; i < count; ++i) factors[i] = hd_math_scale(e, m_mul(e, p, m_mul(e, factors[i], first)), rest);
}

V hd_math_exp(E *e, const V *args) {
  V bits, p = hd_math_exp_split(e, args[0], NULL, &bits);
  return hd_math_scale(e, p, bits);
}

V hd_math_exp2_split(E *e, V a, V b, V *out_bits) {
  V r = m_sub(e, a, round_to_multiple(e, a, 1, out_bits));
  if (b) r = m_add(e, r, b);
  return m_fmak(e, POLY(e, r, exp2), r, 1);
}

V hd_math_exp2(E *e, const V *args) {
  bool is64 = hd_math_is64(e);
  V x = m_floor_at(e, m_cap(e, args[0], is64 ? 1025 : 129), is64 ? -1080 : -152);
  V bits, p = hd_math_exp2_split(e, x, NULL, &bits);
  return hd_math_scale(e, p, bits);
}

/* e^r - 1 where x = n ln2 + r. */
static V expm1_split(E *e, V x, V *out_bits) {
  V r = take_ln2(e, x, round_to_multiple(e, x, 0x1.71547652b82fep0, out_bits));
  return m_fma(e, POLY(e, r, expm1), m_mul(e, r, r), r);
}

/* 2^n (e^r - 1) + (2^n - 1), all halved so that n = 128 does not overflow early. */
V hd_math_expm1(E *e, const V *args) {
  bool is64 = hd_math_is64(e);
  V bits, x = m_floor_at(e, m_cap(e, args[0], is64 ? 710 : 89), is64 ? -40 : -20);
  V p = expm1_split(e, x, &bits);
  V half = power_of_two(e, m_isubc(e, bits, 1));
  V y = m_fma(e, half, p, m_subc(e, half, 0.5));
  y = m_add(e, y, y);
  return m_sel(e, m_ltc(e, m_abs(e, x), is64 ? 0x1p-54 : 0x1p-25), x, y);
}

V hd_math_one_minus_exp(E *e, V x) {
  V bits, p = expm1_split(e, x, &bits), power = power_of_two(e, bits);
  return m_fnma(e, power, p, m_sub(e, m_const(e, 1), power));
}

/* With t = e^-|x|: 1 / (1 + t) on the right, t / (1 + t) on the left, so that nothing cancels or overflows. */
V hd_math_logistic(E *e, const V *args) {
  V x = args[0];
  V bits, p = hd_math_exp_split(e, m_neg(e, m_abs(e, x)), NULL, &bits);
  V t = hd_math_scale(e, p, bits);
  return m_div(e, m_sel(e, m_ltc(e, x, 0), t, m_const(e, 1)), m_addc(e, t, 1));
}
