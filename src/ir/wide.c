/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/wide.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Magnitudes are words of 32 bits, low first, with room for one more bit than the widest type. */
enum { MOST_WORDS = HD_WIDE_BITS / 32 + 1, DECIMAL_CHUNK = 1000000000 };

typedef struct magnitude {
  uint32_t words[MOST_WORDS];
  size_t count; /* without leading zeros */
} magnitude;

bool hd_type_is_wide(hd_type type) {
  return (type->kind == HD_TYPE_INTEGER || type->kind == HD_TYPE_FLOAT) && hd_type_bits(type) > 64;
}

/* m = m * factor + added; false when there is no room. */
static bool multiply_add(magnitude *m, uint32_t factor, uint32_t added) {
  uint64_t carry = added;
  for (size_t i = 0; i < m->count; ++i) {
    carry += (uint64_t)m->words[i] * factor;
    m->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (!carry) return true;
  if (m->count == MOST_WORDS) return false;
  m->words[m->count++] = (uint32_t)carry;
  return true;
}

static uint32_t divide(magnitude *m, uint32_t divisor) {
  uint64_t rest = 0;
  for (size_t i = m->count; i-- > 0;) {
    rest = rest << 32 | m->words[i];
    m->words[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  while (m->count && !m->words[m->count - 1]) --m->count;
  return (uint32_t)rest;
}

static bool is_hex(hd_str literal) { return literal.len > 2 && literal.data[1] == 'x'; }

static uint32_t hex_digit(char c) { return (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10); }

static bool read_magnitude(hd_str literal, magnitude *m) {
  m->count = 0;
  size_t i = is_hex(literal) ? 2 : 0;
  while (i < literal.len) {
    uint32_t factor = 1, added = 0;
    if (is_hex(literal)) {
      for (size_t k = 0; k < 7 && i < literal.len; ++k, ++i)
        factor *= 16, added = added * 16 + hex_digit(literal.data[i]);
    } else {
      for (size_t k = 0; k < 9 && i < literal.len; ++k, ++i)
        factor *= 10, added = added * 10 + (uint32_t)(literal.data[i] - '0');
    }
    if (!multiply_add(m, factor, added)) return false;
  }
  return true;
}

static uint32_t bits_of(const magnitude *m) {
  return m->count ? (uint32_t)m->count * 32 - (uint32_t)__builtin_clz(m->words[m->count - 1]) : 0;
}

static bool is_power_of_two(const magnitude *m) {
  for (size_t i = 0; i + 1 < m->count; ++i)
    if (m->words[i]) return false;
  return m->count && !(m->words[m->count - 1] & (m->words[m->count - 1] - 1));
}

static void store(const magnitude *m, hd_type type, char *out) {
  size_t bytes = hd_type_element_bytes(type), have = m->count * 4;
  memset(out, 0, bytes);
  memcpy(out, m->words, have < bytes ? have : bytes); /* little endian hosts only, as all targets are */
}

static void load(magnitude *m, hd_type type, const char *pattern) {
  size_t bytes = hd_type_element_bytes(type);
  m->count = (bytes + 3) / 4;
  m->words[m->count - 1] = 0;
  memcpy(m->words, pattern, bytes);
  while (m->count && !m->words[m->count - 1]) --m->count;
}

void hd_wide_trim(hd_type type, char *pattern) {
  uint32_t used = hd_type_bits(type) % 8;
  if (used) pattern[hd_type_element_bytes(type) - 1] &= (char)((1u << used) - 1);
}

/* Two's complement. */
static void negate(hd_type type, char *pattern) {
  unsigned carry = 1;
  for (size_t i = 0, n = hd_type_element_bytes(type); i < n; ++i) {
    carry += (unsigned char)~pattern[i];
    pattern[i] = (char)carry;
    carry >>= 8;
  }
  hd_wide_trim(type, pattern);
}

static bool is_negative(hd_type type, const char *pattern) {
  uint32_t top = hd_type_bits(type) - 1;
  return type->integer.signedness != HD_UNSIGNED && pattern[top / 8] >> (top % 8) & 1;
}

bool hd_wide_integer_read(hd_type type, hd_str literal, bool negative, char *out) {
  magnitude m;
  uint32_t width = type->integer.width;
  if (width > HD_WIDE_BITS || !read_magnitude(literal, &m)) return false;
  uint32_t bits = bits_of(&m);
  bool is_signed = type->integer.signedness == HD_SIGNED && !is_hex(literal);
  if (negative && type->integer.signedness == HD_UNSIGNED && bits) return false;
  if (negative ? bits > width || (bits == width && !is_power_of_two(&m)) : bits > width - is_signed) return false;
  store(&m, type, out);
  if (negative) negate(type, out);
  return true;
}

void hd_wide_integer_print(hd_type type, const char *pattern, hd_strbuf *out) {
  magnitude m;
  load(&m, type, pattern);
  if (is_negative(type, pattern)) {
    hd_strbuf_putc(out, '-');
    /* The magnitude: complement and add one within the width. */
    uint32_t width = type->integer.width, words = (width + 31) / 32;
    while (m.count < words) m.words[m.count++] = 0;
    for (size_t i = 0; i < words; ++i) m.words[i] = ~m.words[i];
    if (width % 32) m.words[words - 1] &= (1u << width % 32) - 1;
    uint64_t carry = 1;
    for (size_t i = 0; i < words && carry; ++i) {
      carry += m.words[i];
      m.words[i] = (uint32_t)carry;
      carry >>= 32;
    }
    while (m.count && !m.words[m.count - 1]) --m.count;
  }
  uint32_t chunks[MOST_WORDS * 32 / 29 + 1];
  size_t count = 0;
  do chunks[count++] = divide(&m, DECIMAL_CHUNK);
  while (m.count);
  hd_strbuf_printf(out, "%" PRIu32, chunks[--count]);
  while (count) hd_strbuf_printf(out, "%09" PRIu32, chunks[--count]);
}

int64_t hd_wide_integer_nearest(hd_type type, const char *pattern) {
  uint64_t low;
  memcpy(&low, pattern, 8);
  bool negative = is_negative(type, pattern);
  size_t bytes = hd_type_element_bytes(type);
  uint32_t used = type->integer.width % 8;
  bool fits = (int64_t)low < 0 ? negative : !negative;
  for (size_t i = 8; i < bytes && fits; ++i) {
    unsigned char all = i + 1 == bytes && used ? (unsigned char)((1u << used) - 1) : 0xff;
    fits = (unsigned char)pattern[i] == (negative ? all : 0);
  }
  if (fits) return (int64_t)low;
  return negative ? INT64_MIN : INT64_MAX;
}

bool hd_wide_bits_read(hd_type type, hd_str literal, char *out) {
  magnitude m;
  if (!read_magnitude(literal, &m) || bits_of(&m) > hd_type_bits(type)) return false;
  store(&m, type, out);
  return true;
}

void hd_wide_bits_print(hd_type type, const char *pattern, hd_strbuf *out) {
  magnitude m;
  load(&m, type, pattern);
  hd_strbuf_printf(out, "0x%" PRIX32, m.count ? m.words[m.count - 1] : 0);
  for (size_t i = m.count; i-- > 1;) hd_strbuf_printf(out, "%08" PRIX32, m.words[i - 1]);
}

/* f80 is sign, 15 bits of exponent and 64 of significand, whose highest is the integer; f128 is sign, 15 and 112 after
 * an integer that is not written. */
enum { EXPONENT_BIAS = 16383, EXPONENT_ONES = 0x7fff };

void hd_wide_float_encode(hd_float_kind kind, double value, char *out) {
  uint64_t bits, fraction, sign = signbit(value) != 0, exponent = 0;
  memcpy(&bits, &value, 8);
  fraction = bits & ((1ull << 52) - 1);
  bool integer = value != 0;
  if (isnan(value) || isinf(value)) {
    exponent = EXPONENT_ONES;
  } else if (value != 0) {
    int power;
    double half = frexp(fabs(value), &power); /* in [0.5, 1): subnormal doubles are normal here */
    exponent = (uint64_t)(power - 1 + EXPONENT_BIAS);
    fraction = (uint64_t)ldexp(half, 53) & ((1ull << 52) - 1);
  }
  uint64_t low, high;
  if (kind == HD_F80) {
    low = (uint64_t)integer << 63 | fraction << 11;
    high = sign << 15 | exponent;
    memcpy(out + 8, &high, 2);
  } else {
    low = fraction << 60;
    high = sign << 63 | exponent << 48 | fraction >> 4;
    memcpy(out + 8, &high, 8);
  }
  memcpy(out, &low, 8);
}

double hd_wide_float_decode(hd_float_kind kind, const char *pattern, bool *out_exact) {
  uint64_t low, high = 0;
  double value;
  size_t bytes = kind == HD_F80 ? 10 : 16;
  memcpy(&low, pattern, 8);
  memcpy(&high, pattern + 8, bytes - 8);
  int shift = kind == HD_F80 ? 0 : 48;
  bool negative = high >> (shift + 15) & 1;
  int exponent = (int)(high >> shift & EXPONENT_ONES);
  uint64_t top = high & ((1ull << shift) - 1);
  if (exponent == EXPONENT_ONES) {
    bool infinite = kind == HD_F80 ? low << 1 == 0 : !low && !top;
    uint64_t fraction = kind == HD_F80 ? low << 1 >> 12 : top << 4 | low >> 60;
    uint64_t bits = 0x7ff0000000000000u | (infinite ? 0 : fraction ? fraction : 1);
    memcpy(&value, &bits, 8);
  } else if (kind == HD_F80) {
    value = ldexp((double)low, (exponent ? exponent : 1) - EXPONENT_BIAS - 63);
  } else {
    if (exponent) top |= 1ull << 48;
    value = ldexp((double)top + ldexp((double)low, -64), (exponent ? exponent : 1) - EXPONENT_BIAS - 48);
  }
  if (negative) value = -value;
  char same[16];
  hd_wide_float_encode(kind, value, same);
  *out_exact = !memcmp(same, pattern, bytes);
  return value;
}
