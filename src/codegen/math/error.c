/* SPDX-License-Identifier: Apache-2.0 */
/* erf and erfc. */
#include "codegen/math/families.h"

/* f32, |x| < 0.921875: erf x = x + x P(x^2); above: 1 - 2^Q(|x|), Q fitted to log2(erfc) with the weight erfc;
 * 2^r = 1 + r R(r) for it needs less precision than exp2. */
static const double erf_small_f32[] = {0x1.06eba6p-3,  -0x1.8126e8p-2, 0x1.ce1ab4p-4,
                                       -0x1.b68e66p-6, 0x1.474a0ep-8,  -0x1.3a48e2p-11};
static const double erf_large_f32[] = {-0x1.3d90f4p-12, -0x1.a0764ep0,  -0x1.d6bccap-1, -0x1.32ce6cp-3,
                                       0x1.0626dap-5,   -0x1.1ea1e4p-8, 0x1.269692p-12};
static const double exp2_low_f32[] = {0x1.62e42ap-1, 0x1.ebf9bap-3, 0x1.c6b69cp-5, 0x1.3ceb06p-7, 0x1.5bfc72p-10};
/* erf x = x P(x^2) on [0, 1] */
static const double erf_f64[] = {0x1.20dd750429b6dp0,   -0x1.812746b0379b2p-2,  0x1.ce2f21a0408d1p-4,
                                 -0x1.b82ce311ee09bp-6, 0x1.565bccf7e2856p-8,   -0x1.c02db0149d904p-11,
                                 0x1.f9a2b75531772p-14, -0x1.f4ca204c771c5p-17, 0x1.b97e44280cfb9p-20,
                                 -0x1.5bfe76384472p-23, 0x1.d6e3ddfeb1f49p-27,  -0x1.ab15c51d2ebebp-31};
/* (1 + 2a) e^(a^2) erfc(a) as a polynomial in (a - 2) / (a + 2) (f32) or (a - 4) / (a + 4) (f64), as Shepherd and
 * Laframboise do. */
static const double erfcx_f32[] = {0x1.46e80ep0,   -0x1.7bf618p-4, -0x1.5407fep-3, 0x1.4ffc66p-3,   -0x1.bc133cp-5,
                                   -0x1.082f96p-7, 0x1.1b343cp-7,  0x1.5a5bc4p-10, -0x1.450106p-10, -0x1.ac67c2p-12};
static const double erfcx_f64[] = {
    0x1.3ba5916e9fd7fp0,    -0x1.1df1ad154a29bp-3,  0x1.f7f5df66fcb71p-7,   0x1.16ecefcfa5f55p-4,
    -0x1.9ddb23c3e596ep-4,  0x1.7fee004df8e99p-4,   -0x1.0fb06dfe87795p-4,  0x1.3079edf9aa46bp-5,
    -0x1.0962387a632d9p-6,  0x1.49c671a979044p-8,   -0x1.8d4aa3b0058e5p-11, -0x1.a1de94aede687p-13,
    0x1.3be1002e01833p-13,  -0x1.9967fec937589p-16, -0x1.78ad91b0854f4p-17, 0x1.7f9e6d79290f9p-18,
    0x1.44d89e6bf386p-22,   -0x1.bf3a55ca7975bp-21, 0x1.0b36d1c4b4f4p-24,   0x1.e84b1ced5d86ep-24,
    -0x1.107b720865a97p-27, -0x1.c2ea3b99b38aap-27, -0x1.bc0badd3a9565p-30};

/* erfc(a) for a >= 0. e^(-a^2) uses what the square loses; the powers of two come last, so denormals round once. */
static V erfc_positive(E *e, V a) {
  bool is64 = hd_math_is64(e);
  a = m_cap(e, a, is64 ? 28 : 11);
  V t = m_div(e, m_addc(e, a, is64 ? -4 : -2), m_addc(e, a, is64 ? 4 : 2));
  V p = is64 ? m_estrin(e, t, erfcx_f64) : m_estrin(e, t, erfcx_f32);
  V square = m_mul(e, a, a), lost = m_fms(e, a, a, square);
  V bits, power = hd_math_exp_split(e, m_neg(e, square), m_neg(e, lost), &bits);
  V d = m_fmak(e, a, m_const(e, 2), 1), inverse = m_div(e, m_const(e, 1), d);
  V product = m_mul(e, p, power), y = m_mul(e, product, inverse);
  V rest = m_add(e, m_fnma(e, y, d, product), m_fms(e, p, power, product)); /* what both roundings lost */
  return hd_math_scale(e, m_fma(e, rest, inverse, y), bits);
}

/* erf x for |x| <= 1 (f64) or 0.92 (f32) */
static V erf_small(E *e, V x) {
  V u = m_mul(e, x, x);
  if (hd_math_is64(e)) return m_mul(e, x, m_estrin(e, u, erf_f64));
  return m_fma(e, m_estrin(e, u, erf_small_f32), x, x);
}

V hd_math_erfc(E *e, const V *args) {
  V x = args[0], a = m_abs(e, x), y = erfc_positive(e, a);
  y = m_sel(e, m_ltc(e, x, 0), m_sub(e, m_const(e, 2), y), y);
  return m_sel(e, m_ltc(e, a, 0.5), m_sub(e, m_const(e, 1), erf_small(e, x)), y);
}

/* 1 - erf(a) for a in [0.92, 4] */
static V erfc_rough(E *e, V a) {
  V q = m_estrin(e, a, erf_large_f32);
  V shifted = m_addc(e, q, 0x1.8p23);
  V r = m_sub(e, q, m_subc(e, shifted, 0x1.8p23));
  V p = m_fmak(e, m_estrin(e, r, exp2_low_f32), r, 1);
  return m_float(e, m_iadd(e, m_bits(e, p), m_ishlc(e, m_bits(e, shifted), 23)));
}

V hd_math_erf(E *e, const V *args) {
  V x = args[0], a = m_abs(e, x);
  V rest = hd_math_is64(e) ? erfc_positive(e, a) : erfc_rough(e, m_cap(e, a, 4));
  V large = m_signed(e, m_sub(e, m_const(e, 1), rest), x);
  return m_sel(e, m_cmp(e, MATH_GE, a, m_const(e, hd_math_is64(e) ? 1 : 0.921875)), large, erf_small(e, x));
}
