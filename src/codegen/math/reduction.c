/* SPDX-License-Identifier: Apache-2.0 */
/* x = n step + r with step pi or pi/2 and |r| <= step / 2, for every x.
 *
 * Up to 2^17 (f32) or 2^30 (f64): Cody and Waite with three parts of the step and fma; the first subtraction is exact
 * and the others lose an ulp of r. Beyond: Payne and Hanek. With |x| = m 2^e, the bits of 1/pi (or 2/pi) above weight
 * 2^-e give multiples of 2 in n and are skipped; of the product of m and the following bits, the top one is the parity
 * of n and the rest the fraction. A window of the constant is chosen by a tree of selects (a shift by 16, 8, 4, 2, 1
 * words), so no lane loads from memory. Only blocks that hold a large argument take this path. */
#include "codegen/math/families.h"

/* 1 / pi after 32 zero bits. */
static const uint32_t inverse_pi[] = {
    0x00000000, 0x517cc1b7, 0x27220a94, 0xfe13abe8, 0xfa9a6ee0, 0x6db14acc, 0x9e21c820, 0xff28b1d5, 0xef5de2b0, 0xdb92371d,
    0x2126e970, 0x03249775, 0x04e8c90e, 0x7f0ef58e, 0x5894d39f, 0x74411afa, 0x975da242, 0x74ce3813, 0x5a2fbf20, 0x9cc8eb1c,
    0xc1a99cfa, 0x4e422fc5, 0xdefc941d, 0x8ffc4bff, 0xef02cc07, 0xf79788c5, 0xad05368f, 0xb69b3f67, 0x93e584db, 0xa7a31fb3,
    0x4f2ff516, 0xba93dd63, 0xf5f2f8bd, 0x9e839cfb, 0xc5294975, 0x35fdafd8, 0x8fc6ae84, 0x2b019823, 0x7e3db5d5, 0xf867de10};

/* The |count| words of inverse_pi from bit |position| on, as W values of 32 bits; |levels| bits of the word number. */
static void window(E *e, V position, int levels, int count, V *out) {
  enum { MAX = sizeof inverse_pi / sizeof *inverse_pi };
  V words[MAX], word = m_wshrc(e, position, 5), shift = m_wandc(e, position, 31);
  int n = count + (1 << levels) + 1;
  if (n > MAX) n = MAX;
  for (int i = 0; i < n; ++i) words[i] = m_wide(e, inverse_pi[i]);
  for (int level = levels; level-- > 0;) {
    int by = 1 << level, need = count + by; /* words that the lower levels can still reach */
    V zero = m_wide(e, 0), taken = m_cmp(e, MATH_INE, m_wandc(e, word, by), zero);
    for (int i = 0; i < need && i < n; ++i) words[i] = m_wsel(e, taken, i + by < n ? words[i + by] : zero, words[i]);
  }
  V back = m_wsub(e, m_wide(e, 32), shift);
  for (int i = 0; i < count; ++i) {
    V joined = m_wor(e, m_wshl(e, words[i], shift), m_wshr(e, words[i + 1], back));
    out[i] = m_wandc(e, joined, 0xffffffff);
  }
}

/* The top 64 bits (*high) and the next (*low, null in f32) of |x| / step mod 2, where bit 63 is the parity. */
static V fraction(E *e, V x, bool half_pi, V *low) {
  int mantissa = m_mantissa(e);
  V bits = m_iandc(e, m_bits(e, x), ~0ull >> (hd_math_is64(e) ? 1 : 33));
  V m = m_widen(e, m_iorc(e, m_iandc(e, bits, (1ull << mantissa) - 1), 1ull << mantissa));
  V position = m_widen(e, m_iaddc(e, m_ishrc(e, bits, mantissa), 31 - m_bias(e) - mantissa + half_pi));
  if (!hd_math_is64(e)) {
    V w[3];
    window(e, position, 3, 3, w);
    V first = m_wor(e, m_wshlc(e, w[0], 32), w[1]);
    *low = NULL;
    return m_wadd(e, m_wmul(e, m, first), m_wshrc(e, m_wmul(e, m, w[2]), 32));
  }
  V w[6], limbs[6], m0 = m_wandc(e, m, 0xffffffff), m1 = m_wshrc(e, m, 32);
  window(e, position, 5, 6, w);
  V carry = m_wide(e, 0);
  for (int k = 1; k < 6; ++k) { /* limb k of (m0 + m1 2^32) * w, the least significant left out */
    V a = m_wadd(e, m_wmul(e, m0, w[5 - k]), carry);
    V b = m_wadd(e, m_wmul(e, m1, w[6 - k]), m_wandc(e, a, 0xffffffff));
    limbs[k] = m_wandc(e, b, 0xffffffff);
    carry = m_wadd(e, m_wshrc(e, a, 32), m_wshrc(e, b, 32));
  }
  *low = m_wor(e, m_wshlc(e, limbs[3], 32), limbs[2]);
  return m_wor(e, m_wshlc(e, limbs[5], 32), limbs[4]);
}

static V times(E *e, V x, double high, double low) { return m_fmac(e, x, high, m_mulc(e, x, low)); }

/* args: r, the bits of n, x. What |rare| needs beside them. */
typedef struct { bool half_pi, centred; } kind;

static void payne_hanek(E *e, const V *args, V *results, kind which) {
  bool is64 = hd_math_is64(e);
  V x = args[2], low, high = fraction(e, x, which.half_pi, &low);
  if (which.centred) high = m_wsubc(e, high, 1ull << 62);
  V n = m_wshrc(e, m_waddc(e, high, 1ull << 62), 63);
  V left = m_wshlc(e, high, 1); /* the distance from the nearest integer, signed, times 2^64 */
  double scale = which.half_pi ? 0x1p-65 : 0x1p-64;
  double step = scale * (is64 ? 0x1.921fb54442d18p1 : 0x1.921fb6p1);
  double step_low = scale * (is64 ? 0x1.1a62633145c07p-53 : -0x1.777a5cp-24);
  V r;
  if (!is64) {
    r = times(e, m_to_float(e, left), step, step_low);
  } else {
    left = m_wor(e, left, m_wshrc(e, low, 63));
    low = m_wshlc(e, low, 1);
    V negative = m_cmp(e, MATH_ILT, left, m_wide(e, 0)), flip = m_wsel(e, negative, m_wide(e, ~0ull), m_wide(e, 0));
    left = m_wxor(e, left, flip);
    low = m_wxor(e, low, flip);
    V a = m_to_float(e, m_wshrc(e, left, 32)), b = m_to_float(e, m_wandc(e, left, 0xffffffff));
    V c = m_to_float(e, m_wshrc(e, low, 32)), d = m_to_float(e, m_wandc(e, low, 0xffffffff));
    b = m_fmac(e, m_fmac(e, d, 0x1p-32, c), 0x1p-32, b);
    r = times(e, m_fmac(e, a, 0x1p32, b), step, step_low);
    r = m_sel(e, negative, m_neg(e, r), r);
  }
  V sign = m_iandc(e, m_bits(e, x), is64 ? 1ull << 63 : 1ull << 31);
  if (!which.centred) r = m_float(e, m_ixor(e, m_bits(e, r), sign)); /* centred: the function is even */
  V finite = m_ltc(e, m_abs(e, x), m_inf()), large = m_gtc(e, m_abs(e, x), is64 ? 0x1p30 : 0x1p17);
  V use = m_both(e, finite, large);
  results[0] = m_sel(e, use, r, args[0]);
  results[1] = m_isel(e, use, m_narrow(e, n), args[1]);
  results[2] = x;
}
static void rare_pi(E *e, const V *args, V *results) { payne_hanek(e, args, results, (kind){false, false}); }
static void rare_centred(E *e, const V *args, V *results) { payne_hanek(e, args, results, (kind){false, true}); }
static void rare_half_pi(E *e, const V *args, V *results) { payne_hanek(e, args, results, (kind){true, false}); }

V hd_math_reduce(E *e, V x, hd_math_step step, V *out_parity) {
  bool is64 = hd_math_is64(e), half = step == HD_MATH_HALF_PI, centred = step == HD_MATH_PI_CENTRED;
  double magic = is64 ? 0x1.8p52 : 0x1.8p23, scale = half ? 0.5 : 1;
  V inverse = m_const(e, 0x1.45f306dc9c883p-2 / scale);
  V shifted = centred ? m_addc(e, m_fmak(e, x, inverse, -0.5), magic) : m_fmak(e, x, inverse, magic);
  V n = m_subc(e, shifted, magic);
  if (centred) n = m_addc(e, n, 0.5);
  /* all of one sign, so that -0 stays -0 */
  static const double parts_f32[] = {-0x1.921fb4p+1, -0x1.4442dp-23, -0x1.846988p-47};
  static const double parts_f64[] = {-0x1.921fb54442d18p+1, -0x1.1a62633145c06p-53, -0x1.c1cd129024e08p-106};
  const double *parts = is64 ? parts_f64 : parts_f32;
  V r = x;
  for (int i = 0; i < 3; ++i) r = m_fmac(e, n, parts[i] * scale, r);
  V args[3] = {r, m_bits(e, shifted), x}, results[3];
  math_body rare = half ? rare_half_pi : centred ? rare_centred : rare_pi;
  hd_math_if_any(e, m_gtc(e, m_abs(e, x), is64 ? 0x1p30 : 0x1p17), rare, args, 3, results);
  *out_parity = results[1];
  return results[0];
}
