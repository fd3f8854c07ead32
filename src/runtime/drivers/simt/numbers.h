/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of a lane: what the machine form says where C says nothing. */
#ifndef HD_RUNTIME_DRIVERS_SIMT_NUMBERS_H_
#define HD_RUNTIME_DRIVERS_SIMT_NUMBERS_H_

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t hd_simt_bits32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline float hd_simt_float(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static inline uint64_t hd_simt_bits64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline double hd_simt_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Divisions by 0 are 0, as the evaluator's; the least number by -1 wraps. */
#define HD_SIMT_DIVISIONS(S, U, bits)                                                                          \
  static inline U hd_simt_sdiv##bits(U x, U y) { return !y ? 0 : y == (U) - 1 ? (U)0 - x : (U)((S)x / (S)y); } \
  static inline U hd_simt_srem##bits(U x, U y) { return !y || y == (U) - 1 ? 0 : (U)((S)x % (S)y); }           \
  static inline U hd_simt_udiv##bits(U x, U y) { return y ? x / y : 0; }                                       \
  static inline U hd_simt_urem##bits(U x, U y) { return y ? x % y : 0; }
HD_SIMT_DIVISIONS(int32_t, uint32_t, 32)
HD_SIMT_DIVISIONS(int64_t, uint64_t, 64)

/* NaN where one is, +0 above -0. */
#define HD_SIMT_EXTREMES(T, U, bits, from, to)                                                        \
  static inline T hd_simt_maximum##bits(T x, T y) {                                                   \
    T equal = from(to(x) & to(y)), other = x > y ? x : y, nan = x + y;                                \
    return x != x || y != y ? nan : x == y ? equal : other;                                           \
  }                                                                                                   \
  static inline T hd_simt_minimum##bits(T x, T y) {                                                   \
    T equal = from(to(x) | to(y)), other = x < y ? x : y, nan = x + y;                                \
    return x != x || y != y ? nan : x == y ? equal : other;                                           \
  }                                                                                                   \
  static inline T hd_simt_maxnum##bits(T x, T y) { return x != x ? y : y != y ? x : x >= y ? x : y; } \
  static inline T hd_simt_minnum##bits(T x, T y) { return x != x ? y : y != y ? x : x <= y ? x : y; }
HD_SIMT_EXTREMES(float, uint32_t, _f32, hd_simt_float, hd_simt_bits32)
HD_SIMT_EXTREMES(double, uint64_t, _f64, hd_simt_double, hd_simt_bits64)

/* ---- floats of 16 bits ---- */

static inline uint32_t hd_simt_to_bf16(float x) {
  uint32_t bits = hd_simt_bits32(x), rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16, nan = bits >> 16 | 0x40;
  return x != x ? nan : rounded;
}

static inline float hd_simt_from_f16(uint32_t half) {
  uint32_t sign = (half & 0x8000) << 16, rest = half & 0x7fff;
  float small = (float)rest * 0x1p-24f; /* exact */
  uint32_t normal = (rest << 13) + ((127 - 15) << 23), special = rest << 13 | 0x7f800000;
  uint32_t bits = rest < 0x400 ? hd_simt_bits32(small) : rest >= 0x7c00 ? special : normal;
  return hd_simt_float(bits | sign);
}

static inline uint32_t hd_simt_to_f16(float x) {
  uint32_t bits = hd_simt_bits32(x), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
  /* adding 0.5 leaves the subnormal's bits, rounded, at the end of the fraction */
  uint32_t small = hd_simt_bits32(hd_simt_float(rest) + 0.5f) - 0x3f000000;
  uint32_t normal = (rest - ((127 - 15) << 23) + 0xfff + (rest >> 13 & 1)) >> 13;
  uint32_t nan = 0x7e00 | (rest >> 13 & 0x3ff);
  uint32_t half = rest > 0x7f800000 ? nan : rest >= 0x477ff000 ? 0x7c00 : rest < 0x38800000 ? small : normal;
  return half | sign;
}

/* Rounded to odd: another rounding, to fewer bits, gives what one alone would. */
static inline float hd_simt_to_odd(double x) {
  float y = (float)x;
  uint32_t bits = hd_simt_bits32(y);
  if (x != x || (double)y == x) return y;
  if (fabs((double)y) > fabs(x)) --bits;
  return hd_simt_float(bits | 1);
}

/* ---- integers and floats ---- */

static inline double hd_simt_odd_of_u64(uint64_t x) {
  if (x >> 53) x = (x & ~0xfffull) | ((x & 0xfff) != 0) << 12; /* 52 bits and what the others were */
  return (double)x;
}
static inline double hd_simt_odd_of_s64(int64_t x) {
  return x < 0 ? -hd_simt_odd_of_u64(0 - (uint64_t)x) : hd_simt_odd_of_u64((uint64_t)x);
}

static inline uint64_t hd_simt_to_signed(double x, uint32_t width) {
  double limit = ldexp(1, (int)width - 1);
  uint64_t most = (1ull << (width - 1)) - 1;
  int64_t whole = x != x ? 0 : x >= limit ? (int64_t)most : x < -limit ? -(int64_t)most - 1 : (int64_t)x;
  return width == 64 ? (uint64_t)whole : (uint64_t)whole & ((1ull << width) - 1);
}
static inline uint64_t hd_simt_to_unsigned(double x, uint32_t width) {
  uint64_t most = width == 64 ? UINT64_MAX : (1ull << width) - 1;
  return x != x || x <= 0 ? 0 : x >= ldexp(1, (int)width) ? most : (uint64_t)x;
}

#endif
