/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, strings and names. Floats are written so that reading gives the same bits: six digits after the point when
 * that is exact, else as many as it takes, else the pattern in hexadecimal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ir/number.h"
#include "ir/wide.h"
#include "text/lexer.h"
#include "text/printer.h"

enum { LIMBS = 128 }; /* enough for the smallest double as an integer times a power of ten */

typedef struct big {
  uint32_t limbs[LIMBS];
  int count;
} big;

static void multiply(big *n, uint32_t factor) {
  uint64_t carry = 0;
  for (int i = 0; i < n->count; ++i) {
    carry += (uint64_t)n->limbs[i] * factor;
    n->limbs[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) n->limbs[n->count++] = (uint32_t)carry;
}

static uint32_t divide(big *n, uint32_t divisor) {
  uint64_t rest = 0;
  for (int i = n->count; i-- > 0;) {
    rest = rest << 32 | n->limbs[i];
    n->limbs[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  while (n->count && !n->limbs[n->count - 1]) --n->count;
  return (uint32_t)rest;
}

static int bit_count(const big *n) { return n->count ? 32 * n->count - __builtin_clz(n->limbs[n->count - 1]) : 0; }

/* Decimal digits of |value| (finite, > 0) without trailing zeros; value = 0.d1d2d3... * 10^(*out_point). Follows LLVM:
 * the integer is first cut, not rounded, to little more than |precision| digits and only then rounded half up. */
static size_t decimal(double value, int precision, char *digits, int *out_point) {
  int binary;
  uint64_t significand = (uint64_t)ldexp(frexp(value, &binary), 53);
  binary -= 53;
  int zeros = __builtin_ctzll(significand), exponent = 0;
  significand >>= zeros;
  binary += zeros;
  big n = {{(uint32_t)significand, (uint32_t)(significand >> 32)}, significand >> 32 ? 2 : 1};
  for (int left = binary; left > 0; left -= 16) multiply(&n, 1u << (left < 16 ? left : 16));
  for (int left = -binary; left > 0; --left) multiply(&n, 5);
  if (binary < 0) exponent = binary;
  int required = (precision * 196 + 58) / 59, cut = (bit_count(&n) - required) * 59 / 196;
  if (cut > 0) exponent += cut;
  for (; cut > 0; --cut) divide(&n, 10);
  char text[LIMBS * 10];
  size_t count = 0;
  bool trailing = true;
  while (n.count) {
    uint32_t digit = divide(&n, 10);
    if (trailing && !digit) {
      ++exponent;
    } else {
      text[count++] = (char)('0' + digit); /* the last digit first */
      trailing = false;
    }
  }
  size_t first = 0;
  if (count > (size_t)precision) {
    first = count - (size_t)precision;
    if (text[first - 1] < '5') {
      while (first < count && text[first] == '0') ++first;
    } else {
      while (first < count && text[first] == '9') ++first;
      if (first == count)
        text[--first] = '1', ++exponent;
      else
        ++text[first];
    }
  }
  exponent += (int)first;
  count -= first;
  for (size_t i = 0; i < count; ++i) digits[i] = text[first + count - 1 - i];
  *out_point = exponent + (int)count;
  return count;
}

/* Is |value|, which has a pattern of |kind|, what |text| gives for that type? Formats wider than a double see more of a
 * short decimal number than a double does: it must be the value itself. */
static bool reads_back(const char *text, hd_float_kind kind, double value, bool is_exact) {
  bool negative = *text == '-';
  double got = hd_float_literal(hd_str_of(text + negative));
  if (negative) got = -got;
  if (hd_float_formats[kind].bits > 64) return is_exact && got == value;
  return hd_float_encode(kind, got) == hd_float_encode(kind, value);
}

/* False when no decimal number of a fair length gives |value| back. */
static bool print_decimal(hd_strbuf *out, hd_float_kind kind, double value) {
  char text[64], digits[48];
  if (!isnan(value) && !isinf(value)) {
    bool negative = signbit(value);
    if (value == 0) {
      hd_strbuf_puts(out, negative ? "-0.000000e+00" : "0.000000e+00");
      return true;
    }
    int point;
    bool short_one = hd_float_formats[kind].bits <= 64 || decimal(fabs(value), sizeof digits - 1, digits, &point) <= 7;
    size_t count = decimal(fabs(value), 6, digits, &point);
    int length = snprintf(text, sizeof text, "%s%c.", negative ? "-" : "", digits[0]);
    for (size_t i = 1; i < 7; ++i) text[length++] = i < count ? digits[i] : '0';
    snprintf(text + length, sizeof text - (size_t)length, "e%c%02d", point > 0 ? '+' : '-', abs(point - 1));
    if (reads_back(text, kind, value, short_one)) {
      hd_strbuf_puts(out, text);
      return true;
    }
    /* As many digits as bring the value back; close to one without an exponent. */
    int precision = 2 + (hd_float_formats[kind].mantissa_bits + 1) * 59 / 196;
    count = decimal(fabs(value), precision, digits, &point);
    int exponent = point - (int)count; /* value = digits * 10^exponent */
    bool scientific;
    if (exponent >= 0)
      scientific = exponent > 3 || (int)count + exponent > precision;
    else
      scientific = point - 1 < 0 && -(point - 1) > 3;
    hd_strbuf plain;
    hd_arena scratch;
    hd_scratch_init(&scratch, NULL);
    hd_strbuf_init(&plain, &scratch);
    if (negative) hd_strbuf_putc(&plain, '-');
    if (scientific) {
      hd_strbuf_printf(&plain, "%c.", digits[0]);
      if (count == 1) hd_strbuf_putc(&plain, '0');
      hd_strbuf_put(&plain, digits + 1, count - 1);
      hd_strbuf_printf(&plain, "E%c%d", point > 0 ? '+' : '-', abs(point - 1));
    } else if (exponent < 0) {
      if (point > 0)
        hd_strbuf_put(&plain, digits, (size_t)point);
      else
        hd_strbuf_putc(&plain, '0');
      hd_strbuf_putc(&plain, '.');
      for (int i = point; i < 0; ++i) hd_strbuf_putc(&plain, '0');
      size_t from = point > 0 ? (size_t)point : 0;
      hd_strbuf_put(&plain, digits + from, count - from);
    }
    bool fits = plain.len > 1 && reads_back(hd_strbuf_text(&plain), kind, value, true);
    if (fits) hd_strbuf_puts(out, hd_strbuf_text(&plain));
    hd_arena_free(&scratch);
    return fits;
  }
  return false;
}

void hd_print_float(hd_strbuf *out, hd_float_kind kind, uint64_t bits) {
  if (!print_decimal(out, kind, hd_float_decode(kind, bits))) hd_strbuf_printf(out, "0x%llX", (unsigned long long)bits);
}

/* Decimal literals are read as doubles: what no double holds is written as its bits. */
void hd_print_wide_float(hd_strbuf *out, hd_type type, const char *pattern) {
  bool exact;
  double value = hd_wide_float_decode(type->float_kind, pattern, &exact);
  if (!exact || !print_decimal(out, type->float_kind, value)) hd_wide_bits_print(type, pattern, out);
}

void hd_print_escaped(hd_strbuf *out, hd_str text) {
  static const char hex[] = "0123456789ABCDEF";
  hd_strbuf_putc(out, '"');
  size_t from = 0;
  for (size_t i = 0; i < text.len; ++i) {
    unsigned char c = (unsigned char)text.data[i];
    if (c >= ' ' && c < 127 && c != '"' && c != '\\') continue;
    hd_strbuf_put(out, text.data + from, i - from);
    from = i + 1;
    hd_strbuf_putc(out, '\\');
    if (c == '\\') {
      hd_strbuf_putc(out, '\\');
    } else {
      hd_strbuf_putc(out, hex[c >> 4]);
      hd_strbuf_putc(out, hex[c & 15]);
    }
  }
  hd_strbuf_put(out, text.data + from, text.len - from);
  hd_strbuf_putc(out, '"');
}

bool hd_is_bare_word(hd_str text) {
  if (!text.len || !((text.data[0] | 32) >= 'a' && (text.data[0] | 32) <= 'z')) {
    if (!text.len || text.data[0] != '_') return false;
  }
  for (size_t i = 0; i < text.len; ++i) {
    char c = text.data[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
          c == '.'))
      return false;
  }
  return true;
}

void hd_print_word_or_string(hd_strbuf *out, hd_str text) {
  if (hd_is_bare_word(text))
    hd_strbuf_put_str(out, text);
  else
    hd_print_escaped(out, text);
}

void hd_print_symbol_name(hd_strbuf *out, hd_str name) {
  hd_strbuf_putc(out, '@');
  hd_print_word_or_string(out, name);
}
