/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens, places, scalars: what every part of the reader uses. */
#include "text/parser.h"

#include <errno.h>

#include "base/strbuf.h"

void hd_parser_init(hd_parser *p, hd_context *context, hd_str source, const char *file_name) {
  *p = (hd_parser){.context = context, .source = source, .end = source.data + source.len};
  hd_arena_init(&p->scratch, &context->budget);
  p->file = hd_ident_cstr(context, file_name);
  p->line_at = p->line_start = source.data;
  p->line_number = 1;
  p->last_end = source.data;
  hd_jump(p, source.data);
}

void hd_parser_free(hd_parser *p) { hd_arena_free(&p->scratch); }

hd_loc hd_parser_loc(hd_parser *p, const char *at) {
  if (at < p->line_at) { /* backwards: from the start of the line, or of everything */
    if (at < p->line_start) {
      p->line_start = p->source.data;
      p->line_number = 1;
    }
    p->line_at = p->line_start;
  }
  for (const char *newline; (newline = memchr(p->line_at, '\n', (size_t)(at - p->line_at)));) {
    p->line_at = p->line_start = newline + 1;
    ++p->line_number;
  }
  p->line_at = at;
  return hd_loc_file(p->context, hd_ident_str(p->file), p->line_number, (uint32_t)(at - p->line_start) + 1);
}

bool hd_parser_error(hd_parser *p, const char *at, const char *format, ...) {
  if (p->failed) return false;
  p->failed = true;
  hd_strbuf text;
  hd_strbuf_init(&text, &p->scratch);
  va_list args;
  va_start(args, format);
  hd_strbuf_vprintf(&text, format, args);
  va_end(args);
  hd_error(p->context, hd_parser_loc(p, at), "%s", hd_strbuf_text(&text));
  return false;
}

bool hd_parser_expected(hd_parser *p, const char *what) {
  if (hd_at(p, TOK_ERROR)) return hd_parser_error(p, hd_here(p), "%s", p->problem);
  if (hd_at(p, TOK_EOF)) return hd_parser_error(p, hd_here(p), "expected %s, got the end of the input", what);
  int length = p->tok.text.len > 40 ? 40 : (int)p->tok.text.len;
  return hd_parser_error(p, hd_here(p), "expected %s, got '%.*s'%s", what, length, hd_here(p),
                         p->tok.text.len > 40 ? "..." : "");
}

void hd_jump(hd_parser *p, const char *at) { p->tok = hd_lex(at, p->end, &p->problem); }

void hd_advance(hd_parser *p) {
  if (hd_at(p, TOK_ERROR) || hd_at(p, TOK_EOF)) return;
  p->last_end = p->tok.text.data + p->tok.text.len;
  hd_jump(p, p->last_end);
}

bool hd_accept(hd_parser *p, hd_token_kind kind) {
  if (!hd_at(p, kind)) return false;
  hd_advance(p);
  return true;
}

bool hd_accept_word(hd_parser *p, const char *word) {
  if (!hd_at_word(p, word)) return false;
  hd_advance(p);
  return true;
}

bool hd_expect(hd_parser *p, hd_token_kind kind, const char *what) {
  return hd_accept(p, kind) || hd_parser_expected(p, what);
}

bool hd_expect_word(hd_parser *p, const char *word) {
  return hd_accept_word(p, word) || hd_parser_expected(p, hd_arena_printf(&p->scratch, "'%s'", word));
}

bool hd_accept_literal(hd_parser *p, hd_str literal) {
  if (hd_at(p, TOK_ERROR) || hd_at(p, TOK_EOF)) return false;
  const char *at = hd_here(p);
  if (hd_str_equal(p->tok.text, literal)) {
    hd_advance(p);
    return true;
  }
  /* A literal may be several tokens ("=="), never a part of a word. */
  if (p->tok.kind == TOK_WORD || p->tok.text.len > literal.len || (size_t)(p->end - at) < literal.len ||
      memcmp(at, literal.data, literal.len) != 0)
    return false;
  hd_jump(p, at + literal.len);
  p->last_end = at + literal.len;
  return true;
}

bool hd_expect_literal(hd_parser *p, hd_str literal) {
  return hd_accept_literal(p, literal) ||
         hd_parser_expected(p, hd_arena_printf(&p->scratch, "'%.*s'", (int)literal.len, literal.data));
}

const char *hd_parser_type_text(hd_parser *p, hd_type type) {
  hd_strbuf text;
  hd_strbuf_init(&text, &p->scratch);
  if (p->context->print_type) p->context->print_type(&text, type);
  return hd_strbuf_text(&text);
}

bool hd_enter(hd_parser *p) {
  if (p->depth >= HD_TEXT_NESTING) return hd_parser_error(p, hd_here(p), "nesting is deeper than %d", HD_TEXT_NESTING);
  ++p->depth;
  return true;
}

bool hd_parser_expand(hd_parser *p, const hd_alias *alias) {
  enum { PARTS = 1 << 20, PARTS_PER_BYTE = 64 };
  p->parts += alias->parts;
  if (p->parts <= PARTS + PARTS_PER_BYTE * (uint64_t)p->source.len) return true;
  return hd_parser_error(p, hd_here(p), "the aliases of this file hold too many attributes and types when written out");
}

hd_str hd_unescape(hd_parser *p, hd_str token) {
  const char *at = token.data + 1, *stop = token.data + token.len - 1;
  if (!memchr(at, '\\', (size_t)(stop - at))) return (hd_str){at, (size_t)(stop - at)};
  char *out = hd_arena_alloc(&p->scratch, token.len), *to = out;
  while (at < stop) {
    char c = *at++;
    if (c != '\\') {
      *to++ = c;
      continue;
    }
    c = *at++;
    if (c == '"' || c == '\\')
      *to++ = c;
    else if (c == 'n')
      *to++ = '\n';
    else if (c == 't')
      *to++ = '\t';
    else
      *to++ = (char)(hd_hex_digit(c) * 16 + hd_hex_digit(*at++));
  }
  return (hd_str){out, (size_t)(to - out)};
}

bool hd_parse_string(hd_parser *p, hd_str *out) {
  if (!hd_at(p, TOK_STRING)) return hd_parser_expected(p, "string");
  *out = hd_unescape(p, p->tok.text);
  hd_advance(p);
  return true;
}

bool hd_parse_word(hd_parser *p, const char *what, hd_str *out) {
  if (!hd_at(p, TOK_WORD)) return hd_parser_expected(p, what);
  *out = p->tok.text;
  hd_advance(p);
  return true;
}

bool hd_parse_word_or_string(hd_parser *p, const char *what, hd_str *out) {
  return hd_at(p, TOK_STRING) ? hd_parse_string(p, out) : hd_parse_word(p, what, out);
}

bool hd_parse_at(hd_parser *p, hd_str *out) {
  if (!hd_at(p, TOK_AT)) return hd_parser_expected(p, "a symbol name");
  hd_str text = {hd_here(p) + 1, p->tok.text.len - 1};
  *out = text.data[0] == '"' ? hd_unescape(p, text) : text;
  if (!out->len) return hd_parser_error(p, hd_here(p), "expected valid, non-empty symbol name");
  hd_advance(p);
  return true;
}

bool hd_parse_uint(hd_parser *p, uint64_t *out) {
  if (!hd_at(p, TOK_INT)) return hd_parser_expected(p, "integer value");
  if (!hd_int_literal(p->tok.text, out)) return hd_parser_error(p, hd_here(p), "integer value too large");
  hd_advance(p);
  return true;
}

bool hd_parse_int(hd_parser *p, int64_t *out) {
  const char *at = hd_here(p);
  bool negative = hd_accept(p, TOK_MINUS);
  uint64_t value;
  if (!hd_parse_uint(p, &value)) return false;
  if (value > (uint64_t)INT64_MAX + negative) return hd_parser_error(p, at, "integer value too large");
  *out = negative ? (int64_t)(0 - value) : (int64_t)value;
  return true;
}

bool hd_parse_u32(hd_parser *p, uint32_t *out) {
  const char *at = hd_here(p);
  uint64_t value;
  if (!hd_parse_uint(p, &value)) return false;
  if (value > UINT32_MAX) return hd_parser_error(p, at, "integer value too large");
  *out = (uint32_t)value;
  return true;
}

static const char *token_name(hd_token_kind kind) {
  switch (kind) {
    case TOK_LPAREN:
      return "'('";
    case TOK_RPAREN:
      return "')'";
    case TOK_LSQUARE:
      return "'['";
    case TOK_RSQUARE:
      return "']'";
    case TOK_LESS:
      return "'<'";
    case TOK_GREATER:
      return "'>'";
    case TOK_LBRACE:
      return "'{'";
    case TOK_RBRACE:
      return "'}'";
    default:
      return "a token";
  }
}

bool hd_parse_list(hd_parser *p, hd_token_kind open, hd_token_kind close, hd_parse_item item, void *user) {
  if (open != TOK_EOF) {
    if (!hd_expect(p, open, token_name(open))) return false;
    if (hd_accept(p, close)) return true;
  }
  do {
    if (!item(p, user)) return false;
  } while (hd_accept(p, TOK_COMMA));
  if (open == TOK_EOF) return true;
  return hd_accept(p, close) || hd_parser_expected(p, hd_arena_printf(&p->scratch, "',' or %s", token_name(close)));
}
