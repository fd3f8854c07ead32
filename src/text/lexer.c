/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* strtod_l */
#include "text/lexer.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Character classes; not isalpha, which depends on the locale. */
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '.'; }
static bool is_suffix(char c) { return is_word(c) || c == '-'; }

static hd_token make(hd_token_kind kind, const char *start, const char *stop) {
  return (hd_token){kind, {start, (size_t)(stop - start)}};
}

static hd_token problem(const char *start, const char *stop, const char *text, const char **out_problem) {
  *out_problem = text;
  return make(TOK_ERROR, start, stop);
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end) {
    if (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r') {
      ++at;
    } else if (*at == '/' && end - at > 1 && at[1] == '/') {
      const char *stop = memchr(at, '\n', (size_t)(end - at));
      at = stop ? stop : end;
    } else {
      break;
    }
  }
  return at;
}

static hd_token lex_string(const char *start, const char *quote, const char *end, hd_token_kind kind,
                           const char **out) {
  for (const char *at = quote + 1; at < end; ++at) {
    if (*at == '"') return make(kind, start, at + 1);
    if (*at == '\n' || *at == '\v' || *at == '\f') return problem(start, at, "expected '\"' in string literal", out);
    if (*at != '\\') continue;
    if (++at == end) break;
    if (*at == '"' || *at == '\\' || *at == 'n' || *at == 't') continue;
    if (end - at > 1 && is_hex(at[0]) && is_hex(at[1])) {
      ++at;
      continue;
    }
    return problem(start, at, "unknown escape in string literal", out);
  }
  return problem(start, end, "expected '\"' in string literal", out);
}

/* #foo, %foo, ^foo, !foo: a number, or a letter or one of $._- and then any of them. */
static hd_token lex_prefixed(const char *start, const char *end, hd_token_kind kind, const char *what,
                             const char **out) {
  const char *at = start + 1;
  if (at < end && is_digit(*at)) {
    while (at < end && is_digit(*at)) ++at;
    return make(kind, start, at);
  }
  if (at == end || !(is_letter(*at) || *at == '_' || *at == '$' || *at == '.' || *at == '-'))
    return problem(start, at, what, out);
  while (at < end && is_suffix(*at)) ++at;
  /* `%x->` would swallow the arrow's dash. */
  if (at < end && *at == '>' && at[-1] == '-' && at - start > 2) --at;
  return make(kind, start, at);
}

static hd_token lex_number(const char *start, const char *end) {
  const char *at = start + 1;
  if (*start == '0' && at < end && *at == 'x' && end - at > 1 && is_hex(at[1])) {
    for (++at; at < end && is_hex(*at);) ++at;
    return make(TOK_INT, start, at);
  }
  while (at < end && is_digit(*at)) ++at;
  if (at == end || *at != '.') return make(TOK_INT, start, at);
  for (++at; at < end && is_digit(*at);) ++at;
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char *mark = at + 1;
    if (mark < end && (*mark == '+' || *mark == '-')) ++mark;
    if (mark < end && is_digit(*mark)) {
      while (mark < end && is_digit(*mark)) ++mark;
      at = mark;
    }
  }
  return make(TOK_FLOAT, start, at);
}

hd_token hd_lex(const char *from, const char *end, const char **out_problem) {
  const char *start = skip_blanks(from, end), *at = start + 1;
  if (start == end) return make(TOK_EOF, start, start);
  switch (*start) {
    case '{':
      if (end - start > 2 && at[0] == '-' && at[1] == '#') return make(TOK_META_BEGIN, start, start + 3);
      return make(TOK_LBRACE, start, at);
    case '}':
      return make(TOK_RBRACE, start, at);
    case '(':
      return make(TOK_LPAREN, start, at);
    case ')':
      return make(TOK_RPAREN, start, at);
    case '[':
      return make(TOK_LSQUARE, start, at);
    case ']':
      return make(TOK_RSQUARE, start, at);
    case '<':
      return make(TOK_LESS, start, at);
    case '>':
      return make(TOK_GREATER, start, at);
    case ',':
      return make(TOK_COMMA, start, at);
    case '=':
      return make(TOK_EQUAL, start, at);
    case '?':
      return make(TOK_QUESTION, start, at);
    case '*':
      return make(TOK_STAR, start, at);
    case '+':
      return make(TOK_PLUS, start, at);
    case '|':
      return make(TOK_BAR, start, at);
    case '/':
      return make(TOK_SLASH, start, at);
    case ':':
      if (at < end && *at == ':') return make(TOK_COLON_COLON, start, at + 1);
      return make(TOK_COLON, start, at);
    case '-':
      if (at < end && *at == '>') return make(TOK_ARROW, start, at + 1);
      return make(TOK_MINUS, start, at);
    case '.':
      if (end - start > 2 && at[0] == '.' && at[1] == '.') return make(TOK_ELLIPSIS, start, start + 3);
      return problem(start, at, "unexpected character", out_problem);
    case '"':
      return lex_string(start, start, end, TOK_STRING, out_problem);
    case '@':
      if (at < end && *at == '"') return lex_string(start, at, end, TOK_AT, out_problem);
      if (at == end || !(is_letter(*at) || *at == '_'))
        return problem(start, at, "@ identifier expected to start with letter or '_'", out_problem);
      while (at < end && is_word(*at)) ++at;
      return make(TOK_AT, start, at);
    case '#':
      if (end - start > 2 && at[0] == '-' && at[1] == '}') return make(TOK_META_END, start, start + 3);
      return lex_prefixed(start, end, TOK_HASH, "invalid attribute name", out_problem);
    case '%':
      return lex_prefixed(start, end, TOK_PERCENT, "invalid SSA name", out_problem);
    case '^':
      return lex_prefixed(start, end, TOK_CARET, "invalid block name", out_problem);
    case '!':
      return lex_prefixed(start, end, TOK_BANG, "invalid type identifier", out_problem);
    default:
      break;
  }
  if (is_digit(*start)) return lex_number(start, end);
  if (is_letter(*start) || *start == '_') {
    while (at < end && is_word(*at)) ++at;
    return make(TOK_WORD, start, at);
  }
  return problem(start, at, "unexpected character", out_problem);
}

bool hd_int_literal(hd_str text, uint64_t *out) {
  uint64_t value = 0;
  if (text.len > 2 && text.data[1] == 'x') {
    for (size_t i = 2; i < text.len; ++i) {
      if (value >> 60) return false;
      value = value << 4 | (uint64_t)hd_hex_digit(text.data[i]);
    }
  } else {
    for (size_t i = 0; i < text.len; ++i)
      if (__builtin_mul_overflow(value, 10u, &value) ||
          __builtin_add_overflow(value, (uint64_t)(text.data[i] - '0'), &value))
        return false;
  }
  *out = value;
  return true;
}

/* strtod reads the process's locale; text is always "C". */
static locale_t c_locale;
static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", NULL); }

double hd_float_literal(hd_str text) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_locale);
  char small[64];
  if (text.len < sizeof small) {
    memcpy(small, text.data, text.len);
    small[text.len] = 0;
    return c_locale ? strtod_l(small, NULL, c_locale) : strtod(small, NULL);
  }
  /* Digits far after the point change nothing that a double can hold: the sticky last one stands for them. */
  char big[1200];
  size_t mark = 0, kept = 0;
  while (mark < text.len && (text.data[mark] | 32) != 'e') ++mark;
  const char *point = memchr(text.data, '.', mark);
  size_t whole = point ? (size_t)(point - text.data) : mark;
  if (whole > 400) return __builtin_inf();
  for (size_t i = 0; i < mark && kept < 1180; ++i) big[kept++] = text.data[i];
  for (size_t i = mark; i < text.len && kept < sizeof big - 1; ++i) big[kept++] = text.data[i];
  big[kept] = 0;
  return c_locale ? strtod_l(big, NULL, c_locale) : strtod(big, NULL);
}
