/* SPDX-License-Identifier: Apache-2.0 */
/* The cursor of the reader of HLO text: white space and comments, words, integers, strings and lists of integers, and
 * errors at the line and column where the text stopped making sense. */
#include <stdarg.h>

#include "hlo/syntax.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

hd_loc hd_hlo_place(hd_hlo_reader *r, const char *at) {
  uint32_t line = 1;
  const char *start = r->source.data;
  for (const char *p = start; p < at; ++p)
    if (*p == '\n') {
      ++line;
      start = p + 1;
    }
  return hd_loc_file(r->context, r->file, line, (uint32_t)(at - start) + 1);
}

bool hd_hlo_fail(hd_hlo_reader *r, const char *at, const char *format, ...) {
  if (r->failed) return false;
  r->failed = true;
  hd_strbuf text;
  hd_strbuf_init(&text, &r->scratch);
  va_list args;
  va_start(args, format);
  hd_strbuf_vprintf(&text, format, args);
  va_end(args);
  hd_error(r->context, hd_hlo_place(r, at), "%s", hd_strbuf_text(&text));
  return false;
}

bool hd_hlo_expected(hd_hlo_cursor *c, const char *what) {
  if (!hd_hlo_more(c)) return hd_hlo_fail(c->r, c->at, "expected %s, got the end of the text", what);
  hd_hlo_cursor look = *c;
  hd_str word = hd_hlo_word(&look);
  if (!word.len) word = (hd_str){c->at, 1};
  if (word.len > 40) word.len = 40;
  return hd_hlo_fail(c->r, c->at, "expected %s, got '%.*s'", what, (int)word.len, word.data);
}

static bool too_long(hd_hlo_cursor *c, const char *start) {
  const char *end = start + 1;
  while (end < c->end && is_digit(*end) && end - start < 40) ++end;
  return hd_hlo_fail(c->r, start, "expected an integer of 64 bits, got '%.*s'", (int)(end - start), start);
}

static const char *comment_end(const char *at, const char *end) {
  if (end - at < 2 || at[0] != '/') return NULL;
  if (at[1] == '/') {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return stop ? stop : end;
  }
  if (at[1] != '*') return NULL;
  for (at += 2; end - at >= 2; ++at)
    if (at[0] == '*' && at[1] == '/') return at + 2;
  return end;
}

bool hd_hlo_more(hd_hlo_cursor *c) {
  while (c->at < c->end) {
    char next = *c->at;
    const char *stop;
    if (next == ' ' || next == '\n' || next == '\t' || next == '\r')
      ++c->at;
    else if (next == '/' && (stop = comment_end(c->at, c->end)))
      c->at = stop;
    else
      return true;
  }
  return false;
}

bool hd_hlo_next_is(hd_hlo_cursor *c, char text) { return hd_hlo_more(c) && *c->at == text; }

bool hd_hlo_accept(hd_hlo_cursor *c, char text) {
  if (!hd_hlo_next_is(c, text)) return false;
  ++c->at;
  return true;
}

bool hd_hlo_expect(hd_hlo_cursor *c, char text) {
  char quoted[] = {'\'', text, '\'', 0};
  return hd_hlo_accept(c, text) || hd_hlo_expected(c, quoted);
}

bool hd_hlo_at_end(hd_hlo_cursor *c, const char *what) {
  return !hd_hlo_more(c) || hd_hlo_expected(c, hd_arena_printf(&c->r->scratch, "nothing after %s", what));
}

hd_str hd_hlo_word(hd_hlo_cursor *c) {
  hd_hlo_more(c);
  const char *start = c->at;
  while (c->at < c->end && hd_hlo_in_word(*c->at)) {
    if (*c->at == '-' && c->end - c->at > 1 && c->at[1] == '>') break; /* an arrow */
    ++c->at;
  }
  return (hd_str){start, (size_t)(c->at - start)};
}

bool hd_hlo_name(hd_hlo_cursor *c, const char *what, hd_str *out) {
  hd_hlo_accept(c, '%');
  hd_hlo_more(c);
  const char *start = c->at;
  *out = hd_hlo_word(c);
  if (!out->len) return hd_hlo_expected(c, what);
  return hd_hlo_begins_name(*start) ||
         hd_hlo_fail(c->r, start, "expected %s, whose name begins with a letter, got '%.*s'", what,
                     (int)(out->len < 40 ? out->len : 40), out->data);
}

bool hd_hlo_int(hd_hlo_cursor *c, int64_t *out) {
  hd_hlo_more(c);
  const char *start = c->at;
  bool negative = c->at < c->end && *c->at == '-';
  c->at += negative;
  const char *digits = c->at;
  uint64_t value = 0;
  for (; c->at < c->end && is_digit(*c->at); ++c->at) {
    if (value > (uint64_t)INT64_MAX / 10) return too_long(c, start);
    value = value * 10 + (uint64_t)(*c->at - '0');
  }
  if (c->at == digits) {
    c->at = start;
    return hd_hlo_expected(c, "an integer");
  }
  if (value > (uint64_t)INT64_MAX) return too_long(c, start);
  *out = negative ? -(int64_t)value : (int64_t)value;
  return true;
}

bool hd_hlo_string(hd_hlo_cursor *c, hd_str *out) {
  if (!hd_hlo_next_is(c, '"')) return hd_hlo_expected(c, "a string");
  const char *start = c->at++;
  hd_strbuf text;
  hd_strbuf_init(&text, &c->r->scratch);
  for (; c->at < c->end; ++c->at) {
    char next = *c->at;
    if (next == '"') {
      ++c->at;
      *out = (hd_str){hd_strbuf_text(&text), text.len};
      return true;
    }
    if (next == '\\' && c->end - c->at > 1) {
      next = *++c->at;
      next = (char)(next == 'n' ? '\n' : next == 't' ? '\t' : next);
    }
    hd_strbuf_putc(&text, next);
  }
  return hd_hlo_fail(c->r, start, "expected '\"' at the end of this string, got the end of the text");
}

/* The end of the string that begins at |at|. */
static const char *string_end(const char *at, const char *end) {
  for (++at; at < end && *at != '"'; ++at)
    if (*at == '\\' && end - at > 1) ++at;
  return at < end ? at + 1 : NULL;
}

bool hd_hlo_skip_value(hd_hlo_cursor *c, hd_str *out) {
  hd_hlo_more(c);
  const char *start = c->at;
  size_t depth = 0;
  while (c->at < c->end) {
    char next = *c->at;
    if (next == '"') {
      const char *stop = string_end(c->at, c->end);
      if (!stop) return hd_hlo_fail(c->r, c->at, "expected '\"' at the end of this string, got the end of the text");
      c->at = stop;
      continue;
    }
    bool closes = next == '}' || next == ')' || next == ']';
    bool space = next == ' ' || next == '\t' || next == '\r' || next == '\n'; /* another instruction may follow */
    if (!depth && (closes || next == ',' || space)) break;
    depth += next == '{' || next == '(' || next == '[';
    depth -= closes;
    ++c->at;
  }
  if (depth) return hd_hlo_fail(c->r, start, "expected a bracket that closes this value, got the end of the text");
  *out = (hd_str){start, (size_t)(c->at - start)};
  return out->len || hd_hlo_expected(c, "a value");
}

bool hd_hlo_int_list(hd_hlo_cursor *c, hd_hlo_ints *out) {
  *out = (hd_hlo_ints){0};
  if (!hd_hlo_expect(c, '{')) return false;
  if (hd_hlo_accept(c, '}')) return true;
  do {
    int64_t value;
    if (!hd_hlo_int(c, &value)) return false;
    hd_vec_push(&c->r->scratch, out, value);
  } while (hd_hlo_accept(c, ','));
  return hd_hlo_expect(c, '}');
}
