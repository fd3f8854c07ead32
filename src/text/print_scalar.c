/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, strings and names. Floats are written so that reading gives the same bits: six digits behind the point when
 * that is exact, else as many as it takes, else the pattern in hexadecimal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ir/number.h"
#include "text/parser.h"
#include "text/printer.h"

/* Decimal digits of |value| (finite, > 0), rounded half up at |precision| digits, without trailing zeros;
 * value = 0.d1d2d3... * 10^(*out_point). */
static size_t decimal(double value, int precision, char *digits, int *out_point) {
  char text[820];
  /* Enough digits that rounding of this text is rounding of the value; ties of doubles that small formats hold end
   * within 120 digits. */
  int length = snprintf(text, sizeof text, "%.120e", value);
  char *mark = memchr(text, 'e', (size_t)length);
  *out_point = atoi(mark + 1) + 1;
  size_t count = 0;
  for (char *at = text; at < mark; ++at)
    if (*at >= '0' && *at <= '9') text[count++] = *at;
  bool up = count > (size_t)precision && text[precision] >= '5';
  if (count > (size_t)precision) count = (size_t)precision;
  while (up && count && text[count - 1] == '9') --count;
  if (up && count) {
    ++text[count - 1];
  } else if (up) {
    text[count++] = '1';
    ++*out_point;
  }
  while (count > 1 && text[count - 1] == '0') --count;
  memcpy(digits, text, count);
  return count;
}

static bool reads_back(const char *text, hd_float_kind kind, uint64_t bits) {
  bool negative = *text == '-';
  double value = hd_float_literal(hd_str_of(text + negative));
  return hd_float_encode(kind, negative ? -value : value) == bits;
}

void hd_print_float(hd_strbuf *out, hd_float_kind kind, uint64_t bits) {
  double value = hd_float_decode(kind, bits);
  char text[64], digits[32];
  if (!isnan(value) && !isinf(value)) {
    bool negative = signbit(value);
    if (value == 0) {
      hd_strbuf_puts(out, negative ? "-0.000000e+00" : "0.000000e+00");
      return;
    }
    int point;
    size_t count = decimal(fabs(value), 6, digits, &point);
    int length = snprintf(text, sizeof text, "%s%c.", negative ? "-" : "", digits[0]);
    for (size_t i = 1; i < 7; ++i) text[length++] = i < count ? digits[i] : '0';
    snprintf(text + length, sizeof text - (size_t)length, "e%c%02d", point > 0 ? '+' : '-', abs(point - 1));
    if (reads_back(text, kind, bits)) {
      hd_strbuf_puts(out, text);
      return;
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
    hd_arena_init(&scratch, NULL);
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
    bool fits = plain.len > 1 && reads_back(hd_strbuf_text(&plain), kind, bits);
    if (fits) hd_strbuf_puts(out, hd_strbuf_text(&plain));
    hd_arena_free(&scratch);
    if (fits) return;
  }
  hd_strbuf_printf(out, "0x%llX", (unsigned long long)bits);
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
  if (!text.len || !((text.data[0] | 32) >= 'a' && (text.data[0] | 32) <= 'z') ) {
    if (!text.len || text.data[0] != '_') return false;
  }
  for (size_t i = 0; i < text.len; ++i) {
    char c = text.data[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.')) return false;
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
