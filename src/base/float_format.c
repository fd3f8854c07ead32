/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of floats, decoded and rounded. */
#include "base/float_format.h"

#include <math.h>
#include <string.h>

const hd_float_format hd_float_formats[HD_FLOAT_KIND_COUNT] = {
#define X(kind, name, bits, exponent, mantissa, bias, special) {name, bits, exponent, mantissa, bias, special},
    HD_FLOAT_KINDS(X)
#undef X
};

static uint64_t double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return bits;
}

static double bits_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

static uint64_t low_mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

/* The pattern of the largest finite value, without sign. */
static uint64_t largest_pattern(const hd_float_format *f) {
  uint64_t all = low_mask(f->exponent_bits + f->mantissa_bits);
  switch (f->special) {
    case HD_FLOAT_IEEE:
      return (low_mask(f->exponent_bits) << f->mantissa_bits) - 1;
    case HD_FLOAT_FN:
      return all - 1;
    case HD_FLOAT_E8M0:
      return 0xFE;
    case HD_FLOAT_FNUZ:
    case HD_FLOAT_FINITE_NO_NAN:
      return all;
  }
  return all;
}

static uint64_t nan_pattern(const hd_float_format *f) {
  switch (f->special) {
    case HD_FLOAT_IEEE:
      return (low_mask(f->exponent_bits) << f->mantissa_bits) | (1ull << (f->mantissa_bits - 1));
    case HD_FLOAT_FN:
      return low_mask(f->exponent_bits + f->mantissa_bits);
    case HD_FLOAT_FNUZ:
      return 1ull << (f->bits - 1);
    case HD_FLOAT_E8M0:
      return 0xFF;
    case HD_FLOAT_FINITE_NO_NAN:
      return largest_pattern(f);
  }
  return 0;
}

bool hd_float_bits_are_nan(hd_float_kind kind, uint64_t bits) {
  const hd_float_format *f = &hd_float_formats[kind];
  if (f->bits > 64) return false;
  uint64_t magnitude = bits & low_mask(f->exponent_bits + f->mantissa_bits);
  switch (f->special) {
    case HD_FLOAT_IEEE:
      return magnitude > low_mask(f->exponent_bits) << f->mantissa_bits;
    case HD_FLOAT_FN:
      return magnitude == nan_pattern(f);
    case HD_FLOAT_FNUZ:
      return (bits & low_mask(f->bits)) == nan_pattern(f);
    case HD_FLOAT_E8M0:
      return (bits & 0xFF) == 0xFF;
    case HD_FLOAT_FINITE_NO_NAN:
      return false;
  }
  return false;
}

double hd_float_decode(hd_float_kind kind, uint64_t bits) {
  const hd_float_format *f = &hd_float_formats[kind];
  if (kind == HD_F64) return bits_double(bits);
  if (f->bits > 64) return NAN;
  if (hd_float_bits_are_nan(kind, bits)) {
    if (f->special != HD_FLOAT_IEEE) return NAN;
    /* Keep the sign and the payload's top bits. */
    uint64_t payload = (bits & low_mask(f->mantissa_bits)) << (52 - f->mantissa_bits);
    uint64_t sign = (bits >> (f->bits - 1) & 1) << 63;
    return bits_double(sign | 0x7FF0000000000000ull | payload);
  }
  if (f->special == HD_FLOAT_E8M0) return ldexp(1.0, (int)(bits & 0xFF) - 127);
  double sign = bits >> (f->bits - 1) & 1 ? -1.0 : 1.0;
  uint64_t exponent = bits >> f->mantissa_bits & low_mask(f->exponent_bits);
  uint64_t mantissa = bits & low_mask(f->mantissa_bits);
  if (f->special == HD_FLOAT_IEEE && exponent == low_mask(f->exponent_bits)) return sign * INFINITY;
  if (exponent == 0) return sign * ldexp((double)mantissa, 1 - f->bias - f->mantissa_bits);
  return sign * ldexp((double)(mantissa | 1ull << f->mantissa_bits), (int)exponent - f->bias - f->mantissa_bits);
}

/* |value| >= 0 as a pattern without sign, not yet checked against the largest. */
static uint64_t round_magnitude(const hd_float_format *f, double value) {
  int exponent;
  frexp(value, &exponent); /* value = m * 2^exponent, m in [0.5, 1) */
  int unit = exponent - 1 - f->mantissa_bits;
  int smallest = 1 - f->bias - f->mantissa_bits;
  if (unit < smallest) unit = smallest;
  double scaled = ldexp(value, -unit); /* exact unless it is far below the smallest, where it rounds to 0 anyway */
  double whole = nearbyint(scaled);
  if (whole == 0) return 0;
  uint64_t mantissa = (uint64_t)whole;
  uint64_t implicit = 1ull << f->mantissa_bits;
  if (mantissa < implicit) return mantissa; /* subnormal */
  if (mantissa >= 2 * implicit) {
    mantissa >>= 1;
    ++unit;
  }
  int biased = unit + f->mantissa_bits + f->bias;
  if (biased > (1 << f->exponent_bits)) biased = 1 << f->exponent_bits; /* far above the largest */
  return ((uint64_t)biased << f->mantissa_bits) | (mantissa & (implicit - 1));
}

uint64_t hd_float_encode(hd_float_kind kind, double value) {
  const hd_float_format *f = &hd_float_formats[kind];
  if (kind == HD_F64) return double_bits(value);
  if (f->bits > 64) return 0;
  uint64_t sign = signbit(value) ? 1ull << (f->bits - 1) : 0;
  if (isnan(value)) {
    if (f->special == HD_FLOAT_IEEE) {
      uint64_t payload = double_bits(value) >> (52 - f->mantissa_bits) & low_mask(f->mantissa_bits);
      return sign | nan_pattern(f) | payload;
    }
    return f->special == HD_FLOAT_FN ? sign | nan_pattern(f) : nan_pattern(f);
  }
  if (f->special == HD_FLOAT_E8M0) {
    if (!(value > 0) || isinf(value)) return value == 0 ? 0 : 0xFF;
    int exponent;
    double mantissa = frexp(value, &exponent); /* the significand is always 1, never even: ties go up */
    int biased = exponent - 1 + 127;
    if (mantissa >= 0.75) ++biased;
    if (biased < 0) return 0;
    return biased > 254 ? 0xFF : (uint64_t)biased;
  }
  uint64_t largest = largest_pattern(f);
  uint64_t magnitude = isinf(value) ? largest + 1 : round_magnitude(f, fabs(value));
  if (magnitude > largest) {
    if (f->special == HD_FLOAT_IEEE) return sign | (low_mask(f->exponent_bits) << f->mantissa_bits);
    if (f->special == HD_FLOAT_FINITE_NO_NAN) return sign | largest;
    return f->special == HD_FLOAT_FN ? sign | nan_pattern(f) : nan_pattern(f);
  }
  if (f->special == HD_FLOAT_FNUZ && magnitude == 0) return 0;
  return sign | magnitude;
}

hd_float_kind hd_float_kind_of(const char *name, size_t size) {
  int kind = 0;
  while (kind < HD_FLOAT_KIND_COUNT &&
         (strlen(hd_float_formats[kind].name) != size || memcmp(hd_float_formats[kind].name, name, size) != 0))
    ++kind;
  return (hd_float_kind)kind;
}
