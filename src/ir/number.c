/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/number.h"

#include <math.h>
#include <string.h>

#include "ir/wide.h"

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

int64_t hd_integer_wrap(hd_type type, int64_t value) {
  if (type->kind != HD_TYPE_INTEGER || type->integer.width >= 64) return value;
  uint32_t width = type->integer.width;
  uint64_t low = (uint64_t)value & low_mask((int)width);
  if (width == 1 && type->integer.signedness == HD_SIGNLESS) return (int64_t)low;
  if (type->integer.signedness == HD_UNSIGNED) return (int64_t)low;
  return (int64_t)(low << (64 - width)) >> (64 - width);
}

double hd_float_maximum(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) ? a : b;
  if (a == b) return signbit(a) ? b : a;
  return a > b ? a : b;
}

double hd_float_minimum(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) ? a : b;
  if (a == b) return signbit(a) ? a : b;
  return a < b ? a : b;
}

int64_t hd_element_load(hd_type element, const void *memory) {
  if (hd_type_is_wide(element)) return element->kind == HD_TYPE_INTEGER ? hd_wide_integer_nearest(element, memory) : 0;
  uint64_t bits = 0;
  size_t bytes = hd_type_element_bytes(element);
  memcpy(&bits, memory, bytes < 8 ? bytes : 8); /* little endian hosts only, as all targets are */
  if (element->kind == HD_TYPE_INTEGER) return hd_integer_wrap(element, (int64_t)bits);
  return (int64_t)bits;
}

void hd_element_store(hd_type element, void *memory, int64_t value) {
  uint64_t bits = (uint64_t)value;
  if (element->kind == HD_TYPE_INTEGER) {
    uint32_t width = element->integer.width;
    /* Sub-byte integers are kept extended to their byte. */
    bits = (uint64_t)hd_integer_wrap(element, value);
    if (width == 1) bits &= 1;
  } else if (element->kind == HD_TYPE_FLOAT) {
    bits &= low_mask(hd_float_formats[element->float_kind].bits);
  }
  size_t bytes = hd_type_element_bytes(element);
  if (bytes > 8) memset(memory, value < 0 ? 0xff : 0, bytes); /* as the type has it */
  memcpy(memory, &bits, bytes < 8 ? bytes : 8);
  if (bytes > 8 && hd_type_is_wide(element)) hd_wide_trim(element, memory);
}
