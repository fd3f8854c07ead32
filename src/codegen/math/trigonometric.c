/* SPDX-License-Identifier: Apache-2.0 */
/* sin, cos and tan: reduction to one polynomial each. */
#include "codegen/math/families.h"

/* sin x = x + x^3 P(x^2), cos x = 1 - x^2 / 2 + x^4 Q(x^2), tan x = x + x^3 P(x^2) on [0, pi/4] */
static const double sin_f32[] = {-0x1.555546p-3, 0x1.110778p-7, -0x1.9953f4p-13};
static const double sin_f64[] = {-0x1.5555555555548p-3, 0x1.111111110f75bp-7,   -0x1.a01a019bf1b83p-13,
                                 0x1.71de355e8d576p-19, -0x1.ae5e5402e8afap-26, 0x1.5d8e10c326fc7p-33};
static const double cos_f32[] = {0x1.55554ap-5, -0x1.6c0c2ap-10, 0x1.99e90cp-16};
static const double cos_f64[] = {0x1.555555555554bp-5,   -0x1.6c16c16c15014p-10, 0x1.a01a019c8ee9ap-16,
                                 -0x1.27e4f7f14c56ap-22, 0x1.1ee9db8f44131p-29,  -0x1.8fa65b619cf42p-37};
static const double tan_f32[] = {0x1.55556p-2,  0x1.110d9ep-3,  0x1.bad9c4p-5, 0x1.5cc0a6p-6,
                                 0x1.62cca4p-7, 0x1.9ad1aap-14, 0x1.1e94c8p-8};
static const double tan_f64[] = {
    0x1.55555555554f1p-2,   0x1.11111111183cbp-3,  0x1.ba1ba1b460508p-5,   0x1.664f49aa78621p-6,  0x1.226e12217d8f9p-7,
    0x1.d6d93bafa1d33p-9,   0x1.7d5afc529d8e4p-10, 0x1.37fdb1b4319d8p-11,  0x1.d24bb9b142c53p-13, 0x1.1e75482603bbbp-13,
    -0x1.bc52e990ced26p-16, 0x1.77921af4da4a5p-14, -0x1.78dddaaafbbccp-15, 0x1.5e3a888641b06p-16};

/* r + r^3 P(r^2) */
static V odd(E *e, V r, V u, V p) { return m_fma(e, m_mul(e, p, u), r, r); }

static V is_odd(E *e, V n) { return m_cmp(e, MATH_INE, m_iandc(e, n, 1), m_int(e, 0)); }

/* sin(n pi/2 + r) */
static V sine(E *e, V r, V n) {
  V u = m_mul(e, r, r);
  V s = odd(e, r, u, hd_math_is64(e) ? m_estrin(e, u, sin_f64) : m_horner(e, u, sin_f32));
  V q = hd_math_is64(e) ? m_estrin(e, u, cos_f64) : m_horner(e, u, cos_f32);
  V c = m_fma(e, m_mul(e, q, u), u, m_fmak(e, u, m_const(e, -0.5), 1));
  V sign = m_ishlc(e, m_iandc(e, n, 2), hd_math_is64(e) ? 62 : 30);
  return m_float(e, m_ixor(e, m_bits(e, m_sel(e, is_odd(e, n), c, s)), sign));
}

V hd_math_sin(E *e, const V *args) {
  V n, r = hd_math_reduce(e, args[0], &n);
  return m_sel(e, m_eqc(e, args[0], 0), args[0], sine(e, r, n)); /* -0 stays -0 */
}

V hd_math_cos(E *e, const V *args) {
  V n, r = hd_math_reduce(e, args[0], &n);
  return sine(e, r, m_iaddc(e, n, 1));
}

V hd_math_tan(E *e, const V *args) {
  V n, r = hd_math_reduce(e, args[0], &n), u = m_mul(e, r, r);
  V t = odd(e, r, u, hd_math_is64(e) ? m_estrin(e, u, tan_f64) : m_estrin(e, u, tan_f32)), flip = is_odd(e, n);
  return m_div(e, m_sel(e, flip, m_const(e, -1), t), m_sel(e, flip, t, m_const(e, 1)));
}
