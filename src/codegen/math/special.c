/* SPDX-License-Identifier: Apache-2.0 */
/* erf_inv and bessel_i1e. */
#include "codegen/math/families.h"

/* erf_inv(x) / x as a function of w = -log(1 - x^2): polynomials in w - c near 0 and in sqrt(w) - c beyond. */
static const double low_f32[] = {0x1.805c5ep0,   0x1.f91ec6p-3,   -0x1.11ca5p-8,  -0x1.48a6e2p-10, 0x1.ca7156p-13,
                                 -0x1.27103p-18, -0x1.d9a514p-19, 0x1.7112a8p-22, 0x1.ea4de6p-26};
static const double high_f32[] = {0x1.6a9efep1,   0x1.006db8p0,   0x1.352fb6p-7, -0x1.f3bb6p-8,  0x1.799b42p-8,
                                  -0x1.dfbe14p-9, 0x1.54d704p-10, 0x1.6935ap-14, -0x1.5aeb62p-13};
static const double low_f64[] = {
    0x1.a755e7c99ae87p0,    0x1.ebd80d9b13e23p-3,   -0x1.8b6c33114fb8ep-8,  -0x1.845769484d99ep-11,
    0x1.879c2a214423p-13,   -0x1.d1d1f7b9a6a8ep-17, -0x1.6e8a5445de69fp-20, 0x1.c6b4f5f6d8f49p-22,
    -0x1.f36cd341712a7p-26, -0x1.1a9e3e32b8f63p-28, 0x1.20f4612d5fba7p-30,  -0x1.dc575a0da5ba2p-35,
    -0x1.c88174af80361p-37, 0x1.729f378ffbea5p-39,  -0x1.6f87e8f95f4efp-44, -0x1.6d1b0db00d0c3p-45,
    0x1.df159300d1046p-48,  0x1.72d4300608024p-56,  -0x1.3559fe1cb8a23p-53, 0x1.9d1a0d9fbc302p-57,
    0x1.8647635e73765p-60,  -0x1.8faaa8865ca37p-63, -0x1.46cf6dbe74a67p-68};
static const double middle_f64[] = {
    0x1.8abcc380d5a47p1,    0x1.0158a6d641d3bp0,    0x1.5ffcfe5b7a3e2p-8,   -0x1.ebadabb8a2177p-9,
    0x1.468eeca3e2496p-9,   -0x1.ba92412fd3c24p-10, 0x1.f3cc560d97ab8p-11,  -0x1.7448a9281d0fbp-12,
    0x1.932c672f1a19p-16,   0x1.1e685986953a7p-14,  -0x1.8cee04e038c75p-15, 0x1.a298c28dbfc6cp-17,
    0x1.882b90920e48ap-19,  -0x1.0d58dc267f452p-18, 0x1.941e7c817c124p-20,  0x1.347ecbda0d853p-26,
    -0x1.2a3b1af6dcafcp-22, 0x1.864bf8d9bc487p-24,  0x1.bbcc4ecaaac0ep-29};
static const double high_f64[] = {0x1.3664ddd1ad7fbp2,    0x1.02a30d1fba0fep0,    -0x1.22ea5df038091p-13,
                                  -0x1.c2f36a9c63c43p-13, 0x1.3ebf4eafeb02ep-14,  -0x1.4a349268f3ce9p-16,
                                  0x1.2fbd2929f425p-18,   -0x1.0a8f65cc1d9e1p-20, 0x1.ebc96becb8558p-23,
                                  -0x1.225f96c56ade3p-24, 0x1.f4afe8491d807p-26,  -0x1.046952f52db75p-26,
                                  0x1.05e629e7a7d5cp-27,  -0x1.eb53ebaebecd3p-29, 0x1.9d091c9c88cc1p-30,
                                  -0x1.a0e91eaee2689p-32, -0x1.c28d4369a8ceap-36, 0x1.021ae3cda0182p-35};

V hd_math_erf_inv(E *e, const V *args) {
  V x = args[0], rest = m_fmak(e, m_neg(e, x), x, 1), w = m_neg(e, hd_math_log(e, &rest)), root = m_sqrt(e, w), y;
  if (hd_math_is64(e)) {
    V low = m_estrin(e, m_subc(e, w, 3.125), low_f64), middle = m_estrin(e, m_subc(e, root, 3.25), middle_f64);
    V high = m_estrin(e, m_subc(e, root, 5), high_f64);
    y = m_sel(e, m_ltc(e, w, 6.25), low, m_sel(e, m_ltc(e, w, 16), middle, high));
  } else {
    V low = m_estrin(e, m_subc(e, w, 2.5), low_f32), high = m_estrin(e, m_subc(e, root, 3), high_f32);
    y = m_sel(e, m_ltc(e, w, 5), low, high);
  }
  V edge = m_copysign(e, m_const(e, m_inf()), x);
  return m_sel(e, m_eqc(e, m_abs(e, x), 1), edge, m_mul(e, y, x));
}

/* I1(x) / x as a polynomial in x^2 on [0, 8]; above, sqrt(x) e^-x I1(x) as one in 16 / x - 1. */
static const double bessel_low_f32[] = {0x1p-1,         0x1.000002p-4,  0x1.555534p-9,  0x1.c71edp-15,  0x1.6c0294p-21,
                                        0x1.8518d6p-28, 0x1.23e108p-35, 0x1.6c4d6ap-43, 0x1.940ad8p-52, 0x1.95e57cp-59};
static const double bessel_low_f64[] = {0x1p-1,
                                        0x1p-4,
                                        0x1.5555555555552p-9,
                                        0x1.c71c71c71c7a1p-15,
                                        0x1.6c16c16c160bep-21,
                                        0x1.845c8a0cf7705p-28,
                                        0x1.27e4fb76585fep-35,
                                        0x1.522a4411450fbp-43,
                                        0x1.2c97573013342p-51,
                                        0x1.ab82105ba7454p-60,
                                        0x1.f17427ea5d387p-69,
                                        0x1.e2808927109a5p-78,
                                        0x1.8ad6b08b38bffp-87,
                                        0x1.1c185c0191e24p-96,
                                        0x1.26fe538db67f7p-106,
                                        0x1.17ce1d1493f52p-115};
static const double bessel_high_f32[] = {0x1.8ebe78p-2,   -0x1.3f7972p-7, -0x1.cba154p-13,
                                         -0x1.f702bap-17, -0x1.0da8dp-19, -0x1.cf3a6ep-22};
static const double bessel_high_f64[] = {
    0x1.8ebe783a8403p-2,    -0x1.3f796198ee60bp-7,  -0x1.cbc54df1d4531p-13, -0x1.f89c23093cf99p-17,
    -0x1.ec8e12613453p-20,  -0x1.7613747d79975p-22, -0x1.ad8b0d1a63429p-24, -0x1.727e73513e81ap-25,
    -0x1.91e733c9f0947p-26, -0x1.2117a9af2d2ebp-27, 0x1.d6891cc38cdd9p-28,  0x1.e02413cb08cecp-27,
    0x1.7ecf2f8e9714cp-28,  -0x1.00ea17d270da6p-27, -0x1.dcbb52d8e5e57p-28, 0x1.ae49c7e901ed5p-29,
    0x1.467078c0caf65p-28,  -0x1.2d18b94326e83p-30, -0x1.35164d9aa2f42p-29, 0x1.33ae5ae77a797p-32,
    0x1.706fcd29b4b51p-31,  -0x1.4446c6c55f582p-35, -0x1.9abb8d2abb186p-34};

#define POLY(e, x, name) (hd_math_is64(e) ? m_estrin(e, x, name##_f64) : m_estrin(e, x, name##_f32))

V hd_math_bessel_i1e(E *e, const V *args) {
  V x = args[0], a = m_abs(e, x), minus = m_neg(e, a), u = m_mul(e, x, x);
  V low = m_mul(e, m_mul(e, POLY(e, u, bessel_low), x), hd_math_exp(e, &minus));
  V v = m_subc(e, m_div(e, m_const(e, 16), a), 1);
  V high = m_copysign(e, m_div(e, POLY(e, v, bessel_high), m_sqrt(e, a)), x);
  return m_sel(e, m_gtc(e, a, 8), high, low);
}
