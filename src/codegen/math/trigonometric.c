/* SPDX-License-Identifier: Apache-2.0 */
/* sin, cos and tan: reduction to one polynomial each. */
#include "codegen/math/families.h"

/* sin x = x + x^3 P(x^2) on [0, pi/2] */
static const double sin_f32[] = {-0x1.55554cp-3, 0x1.110edap-7, -0x1.9f70eep-13, 0x1.5dc8c4p-19};
static const double sin_f64[] = {-0x1.5555555555555p-3, 0x1.11111111110ddp-7,   -0x1.a01a01a01707ap-13,
                                 0x1.71de3a540904cp-19, -0x1.ae6455c174ee4p-26, 0x1.612424a56a24fp-33,
                                 -0x1.ae685e93fd9d8p-41, 0x1.906f5d2e585f5p-49, -0x1.851852ee267a5p-58};
/* tan x = x + x^3 P(x^2) on [0, pi/4] */
static const double tan_f32[] = {0x1.55556p-2,  0x1.110d9ep-3,  0x1.bad9c4p-5, 0x1.5cc0a6p-6,
                                 0x1.62cca4p-7, 0x1.9ad1aap-14, 0x1.1e94c8p-8};
static const double tan_f64[] = {0x1.55555555554f1p-2,  0x1.11111111183cbp-3,   0x1.ba1ba1b460508p-5,
                                 0x1.664f49aa78621p-6,  0x1.226e12217d8f9p-7,   0x1.d6d93bafa1d33p-9,
                                 0x1.7d5afc529d8e4p-10, 0x1.37fdb1b4319d8p-11,  0x1.d24bb9b142c53p-13,
                                 0x1.1e75482603bbbp-13, -0x1.bc52e990ced26p-16, 0x1.77921af4da4a5p-14,
                                 -0x1.78dddaaafbbccp-15, 0x1.5e3a888641b06p-16};

/* r + r^3 P(r^2) */
static V odd(E *e, V r, V u, V p) { return m_fma(e, m_mul(e, p, u), r, r); }

static V sine(E *e, V r, V parity, uint64_t flip) {
  V u = m_mul(e, r, r);
  V y = odd(e, r, u, hd_math_is64(e) ? m_estrin(e, u, sin_f64) : m_horner(e, u, sin_f32));
  if (flip) parity = m_ixorc(e, parity, 1);
  V sign = m_ishlc(e, parity, hd_math_is64(e) ? 63 : 31);
  return m_float(e, m_ixor(e, m_bits(e, y), sign));
}

V hd_math_sin(E *e, const V *args) {
  V parity, r = hd_math_reduce(e, args[0], HD_MATH_PI, &parity);
  return m_sel(e, m_eqc(e, args[0], 0), args[0], sine(e, r, parity, 0)); /* -0 stays -0 */
}

/* cos x = -(-1)^n sin r where x = (n + 1/2) pi + r */
V hd_math_cos(E *e, const V *args) {
  V parity, r = hd_math_reduce(e, args[0], HD_MATH_PI_CENTRED, &parity);
  return sine(e, r, parity, 1);
}

V hd_math_tan(E *e, const V *args) {
  V parity, r = hd_math_reduce(e, args[0], HD_MATH_HALF_PI, &parity), u = m_mul(e, r, r);
  V t = odd(e, r, u, hd_math_is64(e) ? m_estrin(e, u, tan_f64) : m_estrin(e, u, tan_f32));
  V flip = m_cmp(e, MATH_INE, m_iandc(e, parity, 1), m_int(e, 0));
  return m_div(e, m_sel(e, flip, m_const(e, -1), t), m_sel(e, flip, t, m_const(e, 1)));
}
