/* SPDX-License-Identifier: Apache-2.0 */
/* x = n pi/2 + r with |r| <= pi/4, for every x.
 *
 * Up to 2^17 (f32) or 2^30 (f64): Cody and Waite with three parts of pi/2 and fma; the first subtraction is exact and
 * the others lose an ulp of r. Beyond: Payne and Hanek. With |x| = m 2^e, the bits of 1/pi above weight 2^-e give
 * multiples of 4 in n and are skipped; of the product of m and the following bits, the top two are n mod 4 and the rest
 * the fraction. A window of the constant is chosen by a tree of selects (a shift by 16, 8, 4, 2, 1 words), so no lane
 * loads from memory. Only blocks that hold a large argument take this path. */
#include "codegen/math/families.h"

/* 1 / pi after 32 zero bits. */
static const uint32_t inverse_pi[] = {
    0x00000000, 0x517cc1b7, 0x27220a94, 0xfe13abe8, 0xfa9a6ee0, 0x6db14acc, 0x9e21c820, 0xff28b1d5,
    0xef5de2b0, 0xdb92371d, 0x2126e970, 0x03249775, 0x04e8c90e, 0x7f0ef58e, 0x5894d39f, 0x74411afa,
    0x975da242, 0x74ce3813, 0x5a2fbf20, 0x9cc8eb1c, 0xc1a99cfa, 0x4e422fc5, 0xdefc941d, 0x8ffc4bff,
    0xef02cc07, 0xf79788c5, 0xad05368f, 0xb69b3f67, 0x93e584db, 0xa7a31fb3, 0x4f2ff516, 0xba93dd63,
    0xf5f2f8bd, 0x9e839cfb, 0xc5294975, 0x35fdafd8, 0x8fc6ae84, 0x2b019823, 0x7e3db5d5, 0xf867de10};

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

/* |x| / pi mod 2 as 1 + 63 bits, and the 64 bits that follow in |*out_low| (f64 alone). */
static V fraction(E *e, V x, V *out_low) {
  int mantissa = m_mantissa(e);
  V bits = m_iandc(e, m_bits(e, x), ~0ull >> (hd_math_is64(e) ? 1 : 33));
  V m = m_widen(e, m_iorc(e, m_iandc(e, bits, (1ull << mantissa) - 1), 1ull << mantissa));
  V position = m_widen(e, m_iaddc(e, m_ishrc(e, bits, mantissa), 31 - m_bias(e) - mantissa));
  if (!hd_math_is64(e)) {
    V w[3];
    window(e, position, 3, 3, w);
    V first = m_wor(e, m_wshlc(e, w[0], 32), w[1]);
    *out_low = NULL;
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
  *out_low = m_wor(e, m_wshlc(e, limbs[3], 32), limbs[2]);
  return m_wor(e, m_wshlc(e, limbs[5], 32), limbs[4]);
}

/* (x + rest) (high + low), rounded once and a little */
static V times(E *e, V x, V rest, double high, double low) {
  return m_fmac(e, x, high, m_fmac(e, x, low, m_mulc(e, rest, high)));
}

static double limit(const E *e) { return hd_math_is64(e) ? 0x1p30 : 0x1p17; }

/* args and results: r, n, x */
static void payne_hanek(E *e, const V *args, V *results) {
  bool is64 = hd_math_is64(e);
  V x = args[2], low, high = fraction(e, x, &low);
  V n = m_wshrc(e, m_waddc(e, high, 1ull << 61), 62);
  V left = m_wshlc(e, high, 2), r; /* the distance from n, signed, times 2^64 */
  if (!is64) {
    left = m_wsarc(e, left, 1); /* room for rounding up */
    V a = m_to_float(e, left),
      rest = m_to_float(e, m_wsub(e, left, hd_math_prim(e, MATH_FPTOSI, MATH_W, a, NULL, NULL)));
    r = times(e, a, rest, 0x1.921fb6p-63, -0x1.777a5cp-88);
  } else {
    left = m_wor(e, left, m_wshrc(e, low, 62));
    low = m_wshlc(e, low, 2);
    V negative = m_cmp(e, MATH_ILT, left, m_wide(e, 0)), flip = m_wsel(e, negative, m_wide(e, ~0ull), m_wide(e, 0));
    left = m_wxor(e, left, flip); /* of magnitudes the float sum below cancels nothing */
    low = m_wxor(e, low, flip);
    V a = m_to_float(e, m_wshrc(e, left, 32)), b = m_to_float(e, m_wandc(e, left, 0xffffffff));
    V c = m_to_float(e, m_wshrc(e, low, 32)), d = m_to_float(e, m_wandc(e, low, 0xffffffff));
    b = m_fmac(e, m_fmac(e, d, 0x1p-32, c), 0x1p-32, b);
    a = m_mulc(e, a, 0x1p32);
    V sum = m_add(e, a, b), rest = m_sub(e, b, m_sub(e, sum, a));
    r = times(e, sum, rest, 0x1.921fb54442d18p-64, 0x1.1a62633145c07p-118);
    r = m_sel(e, negative, m_neg(e, r), r);
  }
  /* of a negative x both change sign */
  V minus = m_ltc(e, x, 0), small = m_narrow(e, n);
  r = m_sel(e, minus, m_neg(e, r), r);
  small = m_isel(e, minus, m_isub(e, m_int(e, 0), small), small);
  V a = m_abs(e, x), use = m_both(e, m_ltc(e, a, m_inf()), m_gtc(e, a, limit(e)));
  results[0] = m_sel(e, use, r, args[0]);
  results[1] = m_isel(e, use, small, args[1]);
  results[2] = x;
}

V hd_math_reduce(E *e, V x, V *out_n) {
  bool is64 = hd_math_is64(e);
  double magic = is64 ? 0x1.8p52 : 0x1.8p23; /* its integer is a multiple of 4 */
  V shifted = m_fmac(e, x, 0x1.45f306dc9c883p-1, m_const(e, magic));
  V n = m_subc(e, shifted, magic), r = x;
  /* all of one sign, so that -0 stays -0 */
  static const double parts_f32[] = {-0x1.921fb4p+0, -0x1.4442dp-24, -0x1.846988p-48};
  static const double parts_f64[] = {-0x1.921fb54442d18p+0, -0x1.1a62633145c06p-54, -0x1.c1cd129024e08p-107};
  for (int i = 0; i < 3; ++i) r = m_fmac(e, n, is64 ? parts_f64[i] : parts_f32[i], r);
  V args[3] = {r, m_bits(e, shifted), x}, results[3];
  hd_math_if_any_each(e, m_gtc(e, m_abs(e, x), limit(e)), payne_hanek, args, 3, results);
  *out_n = results[1];
  return results[0];
}
