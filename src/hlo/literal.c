/* SPDX-License-Identifier: Apache-2.0 */
/* Constants: true, -1, 0.5, nan(0x1), (1, -2), { {1, 2}, {3, 4} }. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hlo/syntax.h"
#include "ir/number.h"

typedef struct literal {
  hd_hlo_cursor c;
  hd_type element;
  size_t bytes, filled, capacity;
  char *data;
} literal;

static bool wrong(literal *l, const char *at) {
  size_t len = 0;
  while (at + len < l->c.end && len < 24 && !strchr(",{}() \n", at[len])) ++len;
  if (!len && at < l->c.end) len = 1;
  return hd_hlo_fail(l->c.r, at, "expected a literal of %s, got '%.*s'", hd_hlo_element_name(l->element).text, (int)len,
                     at);
}

static bool read_integer(literal *l, hd_type type, hd_str word, uint64_t *out) {
  if (hd_str_is(word, "true") || hd_str_is(word, "false")) {
    *out = hd_str_is(word, "true");
    return true;
  }
  bool negative = word.data[0] == '-';
  uint64_t value = 0, limit = negative ? 1ull << 63 : UINT64_MAX;
  if (word.len == negative) return wrong(l, word.data);
  for (size_t i = negative; i < word.len; ++i) {
    unsigned digit = (unsigned)(unsigned char)word.data[i] - '0';
    if (digit > 9 || value > (limit - digit) / 10) return wrong(l, word.data);
    value = value * 10 + digit;
  }
  value = negative ? 0 - value : value;
  bool is_unsigned = type->integer.signedness == HD_UNSIGNED || type->integer.width == 1;
  uint64_t kept = (uint64_t)hd_integer_wrap(type, (int64_t)value);
  bool fits = kept == value && !(negative && is_unsigned && value) && (negative || is_unsigned || !(value >> 63));
  if (!fits) return wrong(l, word.data);
  *out = value;
  return true;
}

/* nan, -nan, nan(0x1): the sign and the mantissa's bits. */
static bool read_nan(literal *l, hd_float_kind kind, bool negative, uint64_t *out) {
  const hd_float_format *format = &hd_float_formats[kind];
  *out = hd_float_encode(kind, negative ? -NAN : NAN);
  if (!hd_float_bits_are_nan(kind, *out)) return false;
  if (format->special == HD_FLOAT_IEEE && negative) *out |= 1ull << (format->bits - 1);
  if (l->c.at == l->c.end || *l->c.at != '(') return true;
  const char *digits = l->c.at + 1;
  uint64_t payload = 0;
  if (l->c.end - digits < 3 || digits[0] != '0' || digits[1] != 'x') return false;
  for (digits += 2; digits < l->c.end && *digits != ')'; ++digits) {
    const char *hex = "0123456789abcdef", *found = *digits ? strchr(hex, *digits) : NULL;
    if (!found || payload >> 60) return false;
    payload = payload << 4 | (uint64_t)(found - hex);
  }
  if (digits == l->c.end || !payload || payload >> format->mantissa_bits) return false;
  l->c.at = digits + 1;
  uint64_t exponent = ((1ull << format->exponent_bits) - 1) << format->mantissa_bits;
  *out = exponent | payload | (negative ? 1ull << (format->bits - 1) : 0);
  return hd_float_bits_are_nan(kind, *out);
}

static bool read_float(literal *l, hd_type type, hd_str word, uint64_t *out) {
  char text[512];
  char *end;
  bool negative = word.data[0] == '-';
  hd_str bare = {word.data + negative, word.len - negative};
  if (hd_str_is(bare, "nan")) return read_nan(l, type->float_kind, negative, out) || wrong(l, word.data);
  if (word.len >= sizeof text) return wrong(l, word.data);
  memcpy(text, word.data, word.len);
  text[word.len] = 0;
  double value = strtod(text, &end);
  bool named = hd_str_is(bare, "inf") || hd_str_is(bare, "infinity");
  bool number = bare.len && ((bare.data[0] >= '0' && bare.data[0] <= '9') || bare.data[0] == '.');
  if (*end || !(named || number)) return wrong(l, word.data);
  *out = hd_float_encode(type->float_kind, value);
  /* As in XLA, what the type cannot hold is an error: infinity is written by its name. */
  return named || isfinite(hd_float_decode(type->float_kind, *out)) || wrong(l, word.data);
}

/* One number into |to|. Letters, digits, signs and dots belong to it. */
static bool read_number(literal *l, hd_type type, char *to) {
  if (!hd_hlo_more(&l->c)) return hd_hlo_expected(&l->c, "a literal");
  const char *start = l->c.at;
  while (l->c.at < l->c.end && !strchr(",{}() \t\r\n/", *l->c.at)) ++l->c.at;
  hd_str word = {start, (size_t)(l->c.at - start)};
  if (!word.len) return wrong(l, start);
  uint64_t bits;
  if (type->kind == HD_TYPE_INTEGER ? !read_integer(l, type, word, &bits) : !read_float(l, type, word, &bits))
    return false;
  hd_element_store(type, to, (int64_t)bits);
  return true;
}

static bool read_element(literal *l) {
  if (l->filled == l->capacity)
    return hd_hlo_expected(&l->c,
                           hd_arena_printf(&l->c.r->scratch, "%lld elements and no more", (long long)l->capacity));
  char *to = l->data + l->filled++ * l->bytes;
  if (l->element->kind != HD_TYPE_COMPLEX) return read_number(l, l->element, to);
  hd_type part = l->element->shaped.element;
  return hd_hlo_expect(&l->c, '(') && read_number(l, part, to) && hd_hlo_expect(&l->c, ',') &&
         read_number(l, part, to + l->bytes / 2) && hd_hlo_expect(&l->c, ')');
}

/* The lists: |count[d]| items of the innermost open list of depth d were read. */
static bool read_lists(literal *l, hd_type type) {
  uint32_t rank = hd_type_rank(type), depth = 0;
  int64_t count[HD_MAX_RANK + 1] = {0};
  do {
    bool first = !depth || !count[depth];
    if (depth && hd_hlo_next_is(&l->c, '}')) {
      if (count[depth] != hd_type_dim(type, depth - 1))
        return hd_hlo_fail(l->c.r, l->c.at, "expected a list of %lld items, got %lld",
                           (long long)hd_type_dim(type, depth - 1), (long long)count[depth]);
      ++l->c.at;
      --depth;
      continue;
    }
    if (!first && !hd_hlo_expect(&l->c, ',')) return false;
    ++count[depth];
    if (depth == rank) {
      if (!read_element(l)) return false;
    } else {
      if (!hd_hlo_expect(&l->c, '{')) return false;
      count[++depth] = 0;
    }
  } while (depth);
  return true;
}

static bool is_elided(hd_hlo_cursor c) {
  return hd_hlo_accept(&c, '{') && hd_hlo_more(&c) && c.end - c.at >= 3 && !memcmp(c.at, "...", 3);
}

hd_attr hd_hlo_literal(hd_hlo_reader *r, hd_type type, hd_str text) {
  literal l = {.c = hd_hlo_cursor_of(r, text), .element = hd_type_element(type)};
  int64_t elements = hd_type_num_elements(type);
  if (is_elided(l.c)) {
    hd_hlo_fail(r, text.data,
                "expected the elements of this constant, got '...': they were left out when the program was printed "
                "(XLA writes them with print_large_constants)");
    return NULL;
  }
  /* An element is at least one character. */
  if (elements < 0 || (uint64_t)elements > text.len) {
    hd_hlo_fail(r, text.data, "expected %s elements, as many as the shape has, got a text of %zu characters",
                elements < 0 ? "a known number of" : hd_arena_printf(&r->scratch, "%lld", (long long)elements),
                text.len);
    return NULL;
  }
  l.bytes = hd_type_element_bytes(l.element);
  l.capacity = (size_t)elements;
  l.data = hd_new_array(&r->scratch, char, (l.capacity + 1) * l.bytes);
  if (!read_lists(&l, type) || !hd_hlo_at_end(&l.c, "the literal")) return NULL;
  return hd_attr_dense(type, l.data, l.capacity * l.bytes, false);
}

static void print_float(hd_float_kind kind, uint64_t bits, hd_strbuf *out) {
  const hd_float_format *format = &hd_float_formats[kind];
  bool negative = bits >> (format->bits - 1) & 1;
  if (hd_float_bits_are_nan(kind, bits)) {
    uint64_t mantissa = bits & ((1ull << format->mantissa_bits) - 1);
    bool ieee = format->special == HD_FLOAT_IEEE;
    hd_strbuf_puts(out, ieee && negative ? "-nan" : "nan");
    if (ieee && mantissa != 1ull << (format->mantissa_bits - 1))
      hd_strbuf_printf(out, "(0x%llx)", (unsigned long long)mantissa);
    return;
  }
  double value = hd_float_decode(kind, bits);
  if (isinf(value)) {
    hd_strbuf_puts(out, negative ? "-inf" : "inf");
    return;
  }
  char text[64];
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (hd_float_encode(kind, strtod(text, NULL)) == bits) break;
  }
  hd_strbuf_puts(out, text);
}

static void print_number(hd_type type, const void *data, hd_strbuf *out) {
  int64_t value = hd_element_load(type, data);
  if (type->kind == HD_TYPE_FLOAT)
    print_float(type->float_kind, (uint64_t)value, out);
  else if (type->integer.signedness == HD_UNSIGNED)
    hd_strbuf_printf(out, "%llu", (unsigned long long)value);
  else
    hd_strbuf_printf(out, "%lld", (long long)value);
}

static void print_element(hd_type element, const char *data, hd_strbuf *out) {
  if (element->kind != HD_TYPE_COMPLEX) {
    print_number(element, data, out);
    return;
  }
  hd_type part = element->shaped.element;
  hd_strbuf_putc(out, '(');
  print_number(part, data, out);
  hd_strbuf_puts(out, ", ");
  print_number(part, data + hd_type_element_bytes(part), out);
  hd_strbuf_putc(out, ')');
}

bool hd_hlo_print_literal(hd_attr value, hd_strbuf *out) {
  if (!hd_attr_is(value, HD_ATTR_DENSE) || !*hd_hlo_element_name(hd_type_element(value->type)).text) return false;
  hd_type type = value->type, element = hd_type_element(type);
  uint32_t rank = hd_type_rank(type), depth = 0;
  int64_t count[HD_MAX_RANK + 1] = {0};
  size_t next = 0;
  if (!rank && hd_type_is_integer(element, 1) && element->integer.signedness == HD_SIGNLESS) {
    hd_strbuf_puts(out, hd_element_load(element, hd_attr_element_data(value, 0)) ? "true" : "false");
    return true;
  }
  do {
    if (depth && count[depth] == hd_type_dim(type, depth - 1)) {
      hd_strbuf_putc(out, '}');
      --depth;
      continue;
    }
    if (depth && count[depth]) hd_strbuf_puts(out, ", ");
    ++count[depth];
    if (depth == rank) {
      print_element(element, hd_attr_element_data(value, next++), out);
    } else {
      hd_strbuf_putc(out, '{');
      count[++depth] = 0;
    }
  } while (depth);
  return true;
}
