/* SPDX-License-Identifier: Apache-2.0 */
/* sinh, cosh and tanh. */
#include "codegen/math/families.h"

/* sinh x = x + x^3 P(x^2) on [0, 1] */
static const double sinh_f32[] = {0x1.555556p-3, 0x1.1110eap-7, 0x1.a01c22p-13, 0x1.76771ep-19};
static const double sinh_f64[] = {0x1.5555555555555p-3,  0x1.111111111117cp-7,  0x1.a01a01a00db3ap-13,
                                  0x1.71de3a60a9f7dp-19, 0x1.ae644b32db998p-26, 0x1.612abe6b5d71ep-33,
                                  0x1.aab9951a7065bp-41, 0x1.409579384599ap-48};

/* With t = 1 - e^-2|x|, in [0, 1): tanh |x| = t / (2 - t). */
V hd_math_tanh(E *e, const V *args) {
  V x = args[0], a = m_cap(e, m_abs(e, x), hd_math_is64(e) ? 20 : 10);
  V t = hd_math_one_minus_exp(e, m_mulc(e, a, -2));
  return m_signed(e, m_div(e, t, m_sub(e, m_const(e, 2), t)), x);
}

/* e^|x| / 2 */
static V half_exp(E *e, V x) {
  V bits, p = hd_math_exp_split(e, m_abs(e, x), NULL, &bits);
  return hd_math_scale(e, p, m_isubc(e, bits, 1));
}

V hd_math_cosh(E *e, const V *args) {
  V h = half_exp(e, args[0]);
  return m_add(e, h, m_div(e, m_const(e, 0.25), h));
}

V hd_math_sinh(E *e, const V *args) {
  V x = args[0], u = m_mul(e, x, x);
  V p = hd_math_is64(e) ? m_estrin(e, u, sinh_f64) : m_estrin(e, u, sinh_f32);
  V small = m_fma(e, m_mul(e, p, u), x, x);
  V h = half_exp(e, x);
  V large = m_signed(e, m_sub(e, h, m_div(e, m_const(e, 0.25), h)), x);
  return m_sel(e, m_ltc(e, m_abs(e, x), 1), small, large);
}
