/* SPDX-License-Identifier: Apache-2.0 */
/* atan, atan2, asin and acos: an odd polynomial on a reduced argument, then k pi/2 ± it with pi/2 in two parts. */
#include "codegen/math/families.h"

/* atan x = x + x^3 P(x^2) on [0, 1] */
static const double atan_f32[] = {-0x1.5554dcp-2, 0x1.9978eep-3, -0x1.230abp-3,  0x1.b4dfdcp-4,
                                  -0x1.3553f4p-4, 0x1.61f756p-5, -0x1.0c23fep-6, 0x1.7ec1c4p-9};
static const double atan_f64[] = {
    -0x1.5555555555526p-2, 0x1.99999999955b4p-3,  -0x1.249249237f57dp-3, 0x1.c71c717fcf76dp-4,   -0x1.745d11ae74c7ap-4,
    0x1.3b13669a2a047p-4,  -0x1.110e5126fd02dp-4, 0x1.e1bba66c1a4b8p-5,  -0x1.ae5e72c0e6984p-5,  0x1.82dad79d1736p-5,
    -0x1.59a3ff2ac6667p-5, 0x1.2c2e5ccfd4e26p-5,  -0x1.e9fa0da6643e9p-6, 0x1.683cc98472e13p-6,   -0x1.c78fcd542af16p-7,
    0x1.d7b927bbdceedp-8,  -0x1.7a399ad4364a2p-9, 0x1.b3facbcd7bb8ap-11, -0x1.3f364d4b9695cp-13, 0x1.bbed9f7b04237p-17};
/* asin x = x + x^3 P(x^2) on [0, 0.5] */
static const double asin_f32[] = {0x1.5555c8p-3, 0x1.3301fep-4, 0x1.747cbep-5, 0x1.8c30b4p-6, 0x1.596a7ep-5};
static const double asin_f64[] = {0x1.555555555538ep-3, 0x1.333333336ec3dp-4,  0x1.6db6db424bab2p-5,
                                  0x1.f1c72c48e69cdp-6, 0x1.6e89f2b076866p-6,  0x1.1c6bfa1bc576fp-6,
                                  0x1.c6fbce60e362fp-7, 0x1.8ed02b0530406p-7,  0x1.ab5a5a0be9b4fp-8,
                                  0x1.4046a166cabe5p-6, -0x1.0a569c41a2ee7p-6, 0x1.059b65564d3e5p-5};

#define POLY(e, x, name) (hd_math_is64(e) ? m_estrin(e, x, name##_f64) : m_estrin(e, x, name##_f32))

/* k pi/2 + p */
static V from_axis(E *e, V k, V p) {
  double high = hd_math_is64(e) ? 0x1.921fb54442d18p0 : 0x1.921fb6p0;
  double low = hd_math_is64(e) ? 0x1.1a62633145c07p-54 : -0x1.777a5cp-25;
  return m_fmac(e, k, high, m_fmac(e, k, low, p));
}

static V atan_unit(E *e, V t) {
  V u = m_mul(e, t, t);
  return m_fma(e, m_mul(e, POLY(e, u, atan), u), t, t);
}

/* a with its sign changed where |flip|. */
static V flipped(E *e, V a, V flip) { return m_sel(e, flip, m_neg(e, a), a); }

V hd_math_atan(E *e, const V *args) {
  V x = args[0], a = m_abs(e, x), one = m_const(e, 1), above = m_gt(e, a, one);
  V p = atan_unit(e, m_div(e, m_sel(e, above, m_const(e, -1), a), m_sel(e, above, a, one)));
  return m_copysign(e, from_axis(e, m_sel(e, above, one, m_const(e, 0)), p), x);
}

/* atan2(y, x). Of the smaller and the larger magnitude the quotient is taken; equal ones (infinities, zeros) apart. */
V hd_math_atan2(E *e, const V *args) {
  V y = args[0], x = args[1], b = m_abs(e, y), a = m_abs(e, x), zero = m_const(e, 0), one = m_const(e, 1);
  V steep = m_gt(e, b, a), smaller = m_sel(e, steep, a, b), larger = m_sel(e, steep, b, a);
  V same = m_sel(e, m_eq(e, larger, zero), zero, one);
  V t = m_sel(e, m_eq(e, smaller, larger), same, m_div(e, smaller, larger));
  V left = m_cmp(e, MATH_ILT, m_bits(e, x), m_int(e, 0));
  V k = m_sel(e, steep, one, m_sel(e, left, m_const(e, 2), zero));
  return m_copysign(e, from_axis(e, k, flipped(e, atan_unit(e, t), m_differ(e, steep, left))), y);
}

/* asin of |x| up to 1/2, else asin(sqrt((1 - |x|) / 2)): then asin |x| = pi/2 - 2p. */
static V asin_reduced(E *e, V a, V *out_above) {
  *out_above = m_gtc(e, a, 0.5);
  V z = m_sel(e, *out_above, m_fmac(e, a, -0.5, m_const(e, 0.5)), m_mul(e, a, a));
  V s = m_sel(e, *out_above, m_sqrt(e, z), a);
  return m_fma(e, m_mul(e, POLY(e, z, asin), z), s, s);
}

V hd_math_asin(E *e, const V *args) {
  V above, x = args[0], p = asin_reduced(e, m_abs(e, x), &above);
  V high = from_axis(e, m_const(e, 1), m_mulc(e, p, -2));
  return m_copysign(e, m_sel(e, above, high, p), x);
}

V hd_math_acos(E *e, const V *args) {
  V above, x = args[0], p = asin_reduced(e, m_abs(e, x), &above), negative = m_ltc(e, x, 0);
  V q = m_sel(e, above, m_add(e, p, p), p);
  V far = m_sel(e, negative, m_const(e, 2), m_const(e, 0));
  V plus = m_differ(e, above, negative);
  return from_axis(e, m_sel(e, above, far, m_const(e, 1)), m_sel(e, plus, q, m_neg(e, q)));
}
