/* SPDX-License-Identifier: Apache-2.0 */
/* Affine maps and integer sets: (d0, d1)[s0] -> (d0 + s0 * 2, d1 floordiv 4). */
#include "text/parser.h"

typedef struct affine_reader {
  hd_map names; /* name -> expression */
  uint32_t dims, symbols;
  hd_vec(hd_affine) results;
  hd_bool_vec equality;
  bool set;
  hd_affine_names lookup;
} affine_reader;

/* Symbolic: no dim inside; both operands of what is not linear must have one that is. */
static bool is_symbolic(hd_affine e) {
  if (e->kind == HD_AFFINE_DIM) return false;
  return (!e->lhs || is_symbolic(e->lhs)) && (!e->rhs || is_symbolic(e->rhs));
}

/* Bounds the depth of what is built, whatever the parentheses. */
static bool count_op(hd_parser *p) {
  return ++p->affine_ops <= HD_TEXT_NESTING || hd_parser_error(p, hd_here(p), "affine expression is too long");
}

static bool parse_sum(hd_parser *p, const hd_affine_names *names, hd_affine *out);

static bool parse_operand(hd_parser *p, const hd_affine_names *names, hd_affine *out) {
  hd_context *c = p->context;
  if (hd_at(p, TOK_INT)) {
    const char *at = hd_here(p);
    uint64_t value;
    if (!hd_parse_uint(p, &value)) return false;
    if (value > INT64_MAX) return hd_parser_error(p, at, "constant too large for index");
    *out = hd_affine_const(c, (int64_t)value);
    return true;
  }
  if (hd_accept(p, TOK_MINUS)) {
    if (!hd_enter(p)) return false;
    hd_affine inner;
    bool ok = parse_operand(p, names, &inner);
    hd_leave(p);
    if (ok) *out = hd_affine_binary(c, HD_AFFINE_MUL, inner, hd_affine_const(c, -1));
    return ok;
  }
  if (hd_accept(p, TOK_LPAREN)) {
    if (hd_at(p, TOK_RPAREN)) return hd_parser_error(p, hd_here(p), "no expression inside parentheses");
    return hd_enter(p) && parse_sum(p, names, out) && (hd_leave(p), hd_expect(p, TOK_RPAREN, "')'"));
  }
  if (hd_at_word(p, "symbol") && names->user) {
    hd_advance(p);
    return hd_expect(p, TOK_LPAREN, "'('") && names->resolve(p, names->user, true, out) &&
           hd_expect(p, TOK_RPAREN, "')'");
  }
  if (hd_at(p, TOK_WORD) || hd_at(p, TOK_PERCENT)) return names->resolve(p, names->user, false, out);
  return hd_parser_expected(p, "affine expression");
}

static bool parse_product(hd_parser *p, const hd_affine_names *names, hd_affine *out) {
  if (!parse_operand(p, names, out)) return false;
  for (;;) {
    const char *at = hd_here(p);
    hd_affine_kind kind;
    if (hd_at(p, TOK_STAR))
      kind = HD_AFFINE_MUL;
    else if (hd_at_word(p, "floordiv"))
      kind = HD_AFFINE_FLOORDIV;
    else if (hd_at_word(p, "ceildiv"))
      kind = HD_AFFINE_CEILDIV;
    else if (hd_at_word(p, "mod"))
      kind = HD_AFFINE_MOD;
    else
      return true;
    if (!count_op(p)) return false;
    hd_advance(p);
    hd_affine rhs;
    if (!parse_operand(p, names, &rhs)) return false;
    if (kind == HD_AFFINE_MUL ? !is_symbolic(*out) && !is_symbolic(rhs) : !is_symbolic(rhs))
      return hd_parser_error(p, at, "non-affine expression: %s has to be a constant or symbolic",
                             kind == HD_AFFINE_MUL ? "at least one of the multiply operands" : "the right operand");
    if (kind != HD_AFFINE_MUL && rhs->kind == HD_AFFINE_CONST && rhs->value == 0)
      return hd_parser_error(p, at, "division by zero in an affine expression");
    *out = hd_affine_binary(p->context, kind, *out, rhs);
  }
}

static bool parse_sum(hd_parser *p, const hd_affine_names *names, hd_affine *out) {
  if (!parse_product(p, names, out)) return false;
  while (hd_at(p, TOK_PLUS) || hd_at(p, TOK_MINUS)) {
    if (!count_op(p)) return false;
    bool minus = hd_at(p, TOK_MINUS);
    hd_advance(p);
    hd_affine rhs;
    if (!parse_product(p, names, &rhs)) return false;
    if (minus) rhs = hd_affine_binary(p->context, HD_AFFINE_MUL, rhs, hd_affine_const(p->context, -1));
    *out = hd_affine_binary(p->context, HD_AFFINE_ADD, *out, rhs);
  }
  return true;
}

bool hd_parse_affine_expr(hd_parser *p, const hd_affine_names *names, hd_affine *out) {
  p->affine_ops = 0;
  return parse_sum(p, names, out);
}

static bool name_item(hd_parser *p, affine_reader *reader, bool symbol) {
  const char *at = hd_here(p);
  hd_str name;
  if (!hd_parse_word(p, "bare identifier", &name)) return false;
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(&p->scratch, &reader->names, name.data, name.len, &is_new);
  if (!is_new) return hd_parser_error(p, at, "redefinition of identifier '%.*s'", (int)name.len, name.data);
  hd_affine made = symbol ? hd_affine_symbol(p->context, reader->symbols++) : hd_affine_dim(p->context, reader->dims++);
  entry->value.ptr = (void *)made;
  return true;
}
static bool dim_item(hd_parser *p, void *user) { return name_item(p, user, false); }
static bool symbol_item(hd_parser *p, void *user) { return name_item(p, user, true); }

static bool resolve_name(hd_parser *p, void *user, bool symbol, hd_affine *out) {
  (void)symbol;
  affine_reader *reader = user;
  hd_str name = p->tok.text;
  hd_map_entry *entry = hd_at(p, TOK_WORD) ? hd_map_find_bytes(&reader->names, name.data, name.len) : NULL;
  if (!entry) return hd_parser_error(p, hd_here(p), "use of undeclared identifier '%.*s'", (int)name.len, name.data);
  hd_advance(p);
  *out = entry->value.ptr;
  return true;
}

static bool result_item(hd_parser *p, void *user) {
  affine_reader *reader = user;
  hd_affine expr;
  p->affine_ops = 0;
  if (!parse_sum(p, &reader->lookup, &expr)) return false;
  if (reader->set) {
    bool equality = hd_accept_literal(p, HD_STR("=="));
    hd_affine rhs;
    if (equality) {
      if (!parse_sum(p, &reader->lookup, &rhs)) return false;
    } else if (hd_accept_literal(p, HD_STR(">="))) {
      if (!parse_sum(p, &reader->lookup, &rhs)) return false;
    } else if (hd_accept_literal(p, HD_STR("<="))) {
      hd_affine lhs = expr;
      if (!parse_sum(p, &reader->lookup, &expr)) return false;
      rhs = lhs;
    } else {
      return hd_parser_expected(p, "'== affine-expr' or '>= affine-expr' at end of affine constraint");
    }
    hd_affine minus = hd_affine_binary(p->context, HD_AFFINE_MUL, rhs, hd_affine_const(p->context, -1));
    if (!(rhs->kind == HD_AFFINE_CONST && rhs->value == 0))
      expr = hd_affine_binary(p->context, HD_AFFINE_ADD, expr, minus);
    hd_vec_push(&p->scratch, &reader->equality, equality);
  }
  hd_vec_push(&p->scratch, &reader->results, expr);
  return true;
}

hd_attr hd_parse_affine(hd_parser *p, bool set) {
  affine_reader reader = {.set = set};
  reader.lookup = (hd_affine_names){&reader, resolve_name};
  if (!hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, dim_item, &reader)) return NULL;
  if (hd_at(p, TOK_LSQUARE) && !hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, symbol_item, &reader)) return NULL;
  if (!(set ? hd_expect(p, TOK_COLON, "':'") : hd_expect(p, TOK_ARROW, "'->'"))) return NULL;
  if (!hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, result_item, &reader)) return NULL;
  if (set && !reader.results.len) { /* no constraint is one that always holds */
    hd_vec_push(&p->scratch, &reader.results, hd_affine_const(p->context, 0));
    hd_vec_push(&p->scratch, &reader.equality, true);
  }
  if (!set) return hd_attr_affine_map(p->context, reader.dims, reader.symbols, reader.results.data, reader.results.len);
  return hd_attr_affine_set(p->context, reader.dims, reader.symbols, reader.results.data, reader.equality.data,
                            reader.results.len);
}
