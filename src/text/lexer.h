/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of MLIR's textual form. The lexer only moves forward over the bytes of the source and holds no memory. */
#ifndef HD_TEXT_LEXER_H_
#define HD_TEXT_LEXER_H_

#include "base/strbuf.h"

typedef enum hd_token_kind {
  TOK_EOF,
  TOK_ERROR,
  TOK_WORD,    /* bare identifier or keyword: arith.addi, func, i32, true */
  TOK_AT,      /* @name or @"name" */
  TOK_HASH,    /* #name */
  TOK_PERCENT, /* %name */
  TOK_CARET,   /* ^name */
  TOK_BANG,    /* !name */
  TOK_INT,     /* 12 or 0x1F */
  TOK_FLOAT,   /* 1.5e+3 */
  TOK_STRING,  /* "text", quotes included */
  TOK_ARROW,
  TOK_LBRACE,
  TOK_RBRACE,
  TOK_LPAREN,
  TOK_RPAREN,
  TOK_LSQUARE,
  TOK_RSQUARE,
  TOK_LESS,
  TOK_GREATER,
  TOK_COMMA,
  TOK_COLON,
  TOK_COLON_COLON,
  TOK_EQUAL,
  TOK_QUESTION,
  TOK_STAR,
  TOK_PLUS,
  TOK_MINUS,
  TOK_BAR,
  TOK_SLASH,
  TOK_ELLIPSIS,
  TOK_META_BEGIN, /* {-# */
  TOK_META_END,   /* #-} */
} hd_token_kind;

typedef struct hd_token {
  hd_token_kind kind;
  hd_str text; /* as in the source */
} hd_token;

/* The token at or after |at|, skipping blanks and comments. A TOK_ERROR's |*out_problem| says what is wrong. */
hd_token hd_lex(const char *at, const char *end, const char **out_problem);

/* The value of a hexadecimal digit; -1 when |c| is none. */
static inline int hd_hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
/* An integer literal's value; false when it does not fit. */
bool hd_int_literal(hd_str text, uint64_t *out);
double hd_float_literal(hd_str text);

#endif
