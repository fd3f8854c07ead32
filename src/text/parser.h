/* SPDX-License-Identifier: Apache-2.0 */
/* The reader's state and its parts. Functions that parse return false or null after reporting an error; the first error
 * ends reading. A hd_parser lives during one call of text.h. */
#ifndef HD_TEXT_PARSER_H_
#define HD_TEXT_PARSER_H_

#include "base/vec.h"
#include "text/lexer.h"
#include "text/text.h"

/* How deep attributes, types and regions may nest: recursion here and in all that walks them stays bounded. */
enum { HD_TEXT_NESTING = 512 };

typedef hd_vec(int64_t) hd_int_vec;
typedef hd_vec(bool) hd_bool_vec;
typedef hd_vec(hd_type) hd_type_vec;
typedef hd_vec(hd_attr) hd_attr_vec;
typedef hd_vec(hd_named_attr) hd_named_attr_vec;

/* #name = ... or !name = ...: read when first used, wherever it is. */
typedef struct hd_alias {
  const char *name, *definition; /* the name, and what follows the '=' */
  const char *stop;              /* after the definition, once it is read */
  bool reading;
  uint32_t height;
  uint64_t parts; /* attributes and types in it, written out */
  hd_attr attr;
  hd_type type;
} hd_alias;

struct hd_scopes; /* parse_op.h */

typedef struct hd_parser {
  hd_context *context;
  hd_module *module; /* null while a single attribute or type is read */
  hd_arena scratch;
  hd_str source;
  const char *end;
  hd_ident file;
  hd_token tok;         /* the current token */
  const char *problem;  /* of a TOK_ERROR */
  const char *last_end; /* after the last consumed token */
  bool failed;
  uint32_t depth;      /* of the recursion */
  uint32_t height;     /* of the attribute or type read last */
  uint64_t parts;      /* attributes and types read so far, aliases written out */
  uint32_t affine_ops; /* in the affine expression being read */
  hd_map attr_aliases, type_aliases;
  /* A position whose line is known, from which the next ones are found. */
  const char *line_at;
  uint32_t line_number;
  const char *line_start;
  struct hd_scopes *scopes;
  hd_str default_dialect; /* of op names without a dialect, in the region being read */
} hd_parser;

void hd_parser_init(hd_parser *p, hd_context *context, hd_str source, const char *file_name);
void hd_parser_free(hd_parser *p);

/* Errors and places */
bool hd_parser_error(hd_parser *p, const char *at, const char *format, ...) HD_PRINTF(3, 4);
/* "expected X", naming the current token; or the lexer's complaint about it. */
bool hd_parser_expected(hd_parser *p, const char *what);
hd_loc hd_parser_loc(hd_parser *p, const char *at);
const char *hd_parser_type_text(hd_parser *p, hd_type type); /* for errors */

/* Tokens */
void hd_advance(hd_parser *p);
void hd_jump(hd_parser *p, const char *at); /* makes the token at |at| the current one */
static inline bool hd_at(const hd_parser *p, hd_token_kind kind) { return p->tok.kind == kind; }
static inline const char *hd_here(const hd_parser *p) { return p->tok.text.data; }
static inline bool hd_at_word(const hd_parser *p, const char *word) {
  return p->tok.kind == TOK_WORD && hd_str_is(p->tok.text, word);
}
bool hd_accept(hd_parser *p, hd_token_kind kind);
bool hd_accept_word(hd_parser *p, const char *word);
bool hd_expect(hd_parser *p, hd_token_kind kind, const char *what); /* what: "'('" */
bool hd_expect_word(hd_parser *p, const char *word);
/* Accepts or expects a literal of an assembly format: a keyword, an operator or punctuation, possibly several tokens
 * long ("->", "::"); keywords with punctuation inside ("a-b") do not exist. */
bool hd_accept_literal(hd_parser *p, hd_str literal);
bool hd_expect_literal(hd_parser *p, hd_str literal);
/* Guards recursion; hd_leave must follow a true. */
bool hd_enter(hd_parser *p);
static inline void hd_leave(hd_parser *p) { --p->depth; }
/* Reads the definition of |alias| at the current token. */
bool hd_parser_read_alias(hd_parser *p, hd_alias *alias, bool is_type);
/* Counts the parts of |alias|, used again at the current token: aliases of aliases make attributes of any size written
 * out, which is how they are printed. False, with an error, beyond a fixed number for each byte of the source. */
bool hd_parser_expand(hd_parser *p, const hd_alias *alias);

/* Scalars */
/* The bytes of a string token, unescaped, in scratch. */
hd_str hd_unescape(hd_parser *p, hd_str token);
bool hd_parse_string(hd_parser *p, hd_str *out);
bool hd_parse_word(hd_parser *p, const char *what, hd_str *out);
bool hd_parse_word_or_string(hd_parser *p, const char *what, hd_str *out);
bool hd_parse_at(hd_parser *p, hd_str *out); /* @name */
bool hd_parse_uint(hd_parser *p, uint64_t *out);
bool hd_parse_int(hd_parser *p, int64_t *out); /* with an optional '-' */
bool hd_parse_u32(hd_parser *p, uint32_t *out);

/* |item| between |open| and |close|, separated by commas; the list may be empty. TOK_EOF for no brackets: at least one.
 */
typedef bool (*hd_parse_item)(hd_parser *p, void *user);
bool hd_parse_list(hd_parser *p, hd_token_kind open, hd_token_kind close, hd_parse_item item, void *user);

/* Types */
hd_type hd_parse_type(hd_parser *p);
bool hd_at_type(const hd_parser *p); /* the current token can begin a type */
/* (t, t) -> (t, t) or -> t */
bool hd_parse_function_type(hd_parser *p, hd_type_vec *ins, hd_type_vec *outs);
bool hd_parse_type_list(hd_parser *p, hd_type_vec *out); /* t, t, without brackets */
/* Dims of a shaped type up to and including the last 'x': "4x?x". |scalable| may be null. */
bool hd_parse_dims(hd_parser *p, hd_int_vec *dims, hd_bool_vec *scalable);

/* |type|, of which ir/layouts.h must accept the layout; null after an error at |at|. */
hd_type hd_parser_tile_type(hd_parser *p, const char *at, hd_type type);

/* Attributes. |type|: what the attribute's type is when the text leaves it out; null: it must say it. */
hd_attr hd_parse_attr(hd_parser *p, hd_type type);
bool hd_parse_dict(hd_parser *p, hd_named_attr_vec *out); /* {a = 1, b} */
hd_attr hd_parse_number(hd_parser *p, hd_type type);
/* dense<...> and sparse<...> after these words, whose type may come after them; in scratch, null after an error. */
typedef struct hd_elements hd_elements;
hd_elements *hd_parse_dense(hd_parser *p);
hd_elements *hd_parse_sparse(hd_parser *p);
/* The attribute that they are of |type|, which stands at |at|; null: it is what the text leaves out. */
hd_attr hd_elements_of(hd_parser *p, const hd_elements *elements, hd_type type, const char *at);
/* The bytes of a string token "0x...", in scratch. */
bool hd_text_hex_bytes(hd_parser *p, hd_str string, char **out, size_t *out_size);
hd_attr hd_parse_symbol(hd_parser *p);
hd_attr hd_parse_affine(hd_parser *p, bool set); /* what is between < and > */
/* The map of `[%i + 1, symbol(%n)]`-like operands is affine's hooks': names in |dims| and |symbols| by position. */
typedef struct hd_affine_names {
  void *user;
  bool (*resolve)(hd_parser *p, void *user, bool symbol, hd_affine *out); /* at a '%' token */
} hd_affine_names;
bool hd_parse_affine_expr(hd_parser *p, const hd_affine_names *names, hd_affine *out);
hd_loc hd_parse_loc(hd_parser *p);                            /* loc(...) */
hd_loc hd_parse_optional_loc(hd_parser *p, hd_loc otherwise); /* null on error */

/* Rows */
hd_type hd_parse_dialect_type(hd_parser *p);
hd_attr hd_parse_dialect_attr(hd_parser *p, hd_type type);
/* What follows the name of the row: its body by its format. */
hd_attr hd_parse_attr_row(hd_parser *p, int row);
hd_type hd_parse_type_row(hd_parser *p, int row);
hd_attr hd_parse_enum_case(hd_parser *p, int row);
bool hd_at_enum_case(const hd_parser *p, int row); /* as formats write it, without its #dialect */

#endif
