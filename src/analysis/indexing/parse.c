/* SPDX-License-Identifier: Apache-2.0 */
/* Maps from text:
 *
 *   map      = "(" names ")" ["[" names "]"] ["{" names "}"] ["<" names ">"] "->" "(" exprs ")" ["," "domain" ":"
 *            items]
 *   item     = expr "in" "[" integer "," (integer | expr over sizes) "]"
 *   text     = map | string {string} | "#" name "<" text ">"
 *
 * A name without an item has no bounds. An item whose expression is a name is that variable's range, the second one of
 * a name a constraint; of a size it is its bounds. */
#include "analysis/indexing/map.h"
#include "text/parser.h"

typedef struct map_reader {
  hd_indexing *in;
  hd_map names; /* name -> expression */
  hd_vec(hd_index_variable) variables;
  uint32_t counts[3]; /* dims, ranges, runtime variables */
  uint32_t group;
  hd_vec(hd_affine) results;
  hd_vec(hd_index_constraint) constraints;
  hd_map ranged; /* expressions that have a range */
  hd_affine_names lookup;
} map_reader;

static bool declare(hd_parser *p, map_reader *r, hd_affine expr, const char *at, hd_str name) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(&p->scratch, &r->names, name.data, name.len, &is_new);
  if (!is_new) return hd_parser_error(p, at, "redefinition of identifier '%.*s'", (int)name.len, name.data);
  entry->value.ptr = (void *)expr;
  return true;
}

/* d0, s0, rt0 at their own place need no name. */
static const char *own_name(map_reader *r, hd_str name) {
  static const char *const letters[] = {"d", "s", "rt"};
  const char *usual = hd_arena_printf(r->in->arena, "%s%u", letters[r->group], r->counts[r->group]);
  return hd_str_is(name, usual) ? NULL : hd_arena_copy(r->in->arena, name.data, name.len);
}

static bool name_item(hd_parser *p, void *user) {
  map_reader *r = user;
  const char *at = hd_here(p);
  hd_str name;
  if (!hd_parse_word(p, "a variable's name", &name)) return false;
  if (r->variables.len == HD_INDEX_MAX_VARIABLES)
    return hd_parser_error(p, at, "expected at most %d variables", HD_INDEX_MAX_VARIABLES);
  uint32_t symbol = r->counts[1] + r->counts[2];
  hd_affine expr = r->group ? hd_affine_symbol(p->context, symbol) : hd_affine_dim(p->context, r->counts[0]);
  hd_vec_push(&p->scratch, &r->variables,
              (hd_index_variable){.name = own_name(r, name), .range = {INT64_MIN, INT64_MAX}});
  ++r->counts[r->group];
  return declare(p, r, expr, at, name);
}

static bool size_item(hd_parser *p, void *user) {
  map_reader *r = user;
  const char *at = hd_here(p);
  hd_str name;
  if (!hd_parse_word(p, "a size's name", &name)) return false;
  const char *text = hd_arena_copy(r->in->arena, name.data, name.len);
  hd_dim size = hd_dim_symbol(r->in->table, text, 0, INT64_MAX, NULL, false);
  return declare(p, r, hd_index_of_dim(r->in, size), at, name);
}

static bool resolve(hd_parser *p, void *user, bool symbol, hd_affine *out) {
  (void)symbol;
  map_reader *r = user;
  hd_str name = p->tok.text;
  hd_map_entry *entry = hd_at(p, TOK_WORD) ? hd_map_find_bytes(&r->names, name.data, name.len) : NULL;
  if (!entry) return hd_parser_error(p, hd_here(p), "use of undeclared identifier '%.*s'", (int)name.len, name.data);
  hd_advance(p);
  *out = entry->value.ptr;
  return true;
}

static bool parse_expr(hd_parser *p, map_reader *r, hd_affine *out) {
  const char *at = hd_here(p);
  if (!hd_parse_affine_expr(p, &r->lookup, out)) return false;
  return hd_index_parts(*out) <= HD_INDEX_MAX_PARTS || hd_parser_error(p, at, "expression is too long");
}

static bool result_item(hd_parser *p, void *user) {
  map_reader *r = user;
  hd_affine expr;
  if (!parse_expr(p, r, &expr)) return false;
  hd_vec_push(&p->scratch, &r->results, expr);
  return true;
}

/* An integer, or an expression over sizes (|*limit|: that plus one). */
static bool parse_upper(hd_parser *p, map_reader *r, int64_t *upper, hd_affine *limit) {
  const char *at = hd_here(p);
  hd_token next = p->tok;
  if (hd_at(p, TOK_MINUS)) {
    hd_advance(p);
    next = p->tok;
    hd_jump(p, at);
  }
  const char *problem;
  bool is_number = next.kind == TOK_INT && hd_lex(next.text.data + next.text.len, p->end, &problem).kind == TOK_RSQUARE;
  *limit = NULL;
  *upper = INT64_MAX;
  if (is_number) return hd_parse_int(p, upper);
  hd_affine expr;
  if (!parse_expr(p, r, &expr)) return false;
  hd_dim dim = hd_index_to_dim(r->in, expr);
  if (!dim) return hd_parser_error(p, at, "expected an upper bound of numbers and sizes");
  if (hd_dim_is_const(r->in->table, dim, upper)) return true;
  *limit = hd_index_offset(r->in, expr, 1);
  int64_t most = hd_dim_upper(dim);
  *upper = most;
  return true;
}

static bool set_size(hd_parser *p, map_reader *r, const char *at, hd_affine expr, hd_index_range range,
                     hd_affine limit) {
  hd_atom *size = (hd_atom *)r->in->sizes.data[expr->value - HD_INDEX_SIZE];
  if (limit || range.lower > range.upper || range.lower < 0)
    return hd_parser_error(p, at, "expected a range of numbers from 0 on for a size");
  size->lower = range.lower;
  size->upper = range.upper;
  ++r->in->table->learnt;
  return true;
}

static bool domain_item(hd_parser *p, map_reader *r) {
  const char *at = hd_here(p);
  hd_affine expr, limit;
  hd_index_range range;
  if (!parse_expr(p, r, &expr) || !hd_expect_word(p, "in") || !hd_expect(p, TOK_LSQUARE, "'['") ||
      !hd_parse_int(p, &range.lower) || !hd_expect(p, TOK_COMMA, "','") || !parse_upper(p, r, &range.upper, &limit) ||
      !hd_expect(p, TOK_RSQUARE, "']'"))
    return false;
  bool is_first;
  hd_map_insert(&p->scratch, &r->ranged, expr, &is_first);
  if (expr->kind == HD_AFFINE_SYMBOL && expr->value >= HD_INDEX_SIZE) return set_size(p, r, at, expr, range, limit);
  bool is_variable = expr->kind == HD_AFFINE_DIM || expr->kind == HD_AFFINE_SYMBOL;
  if (is_variable && is_first) {
    hd_index_variable *v = &r->variables.data[expr->value + (expr->kind == HD_AFFINE_SYMBOL ? r->counts[0] : 0)];
    v->range = range;
    v->limit = limit;
    return true;
  }
  if (limit) return hd_parser_error(p, at, "expected a range of numbers for a constraint");
  hd_vec_push(&p->scratch, &r->constraints, (hd_index_constraint){expr, range});
  return true;
}

static bool parse_map(hd_parser *p, map_reader *r) {
  static const struct {
    hd_token_kind open, close;
  } groups[] = {{TOK_LPAREN, TOK_RPAREN}, {TOK_LSQUARE, TOK_RSQUARE}, {TOK_LBRACE, TOK_RBRACE}};
  for (r->group = 0; r->group < 3; ++r->group)
    if ((!r->group || hd_at(p, groups[r->group].open)) &&
        !hd_parse_list(p, groups[r->group].open, groups[r->group].close, name_item, r))
      return false;
  if (hd_at(p, TOK_LESS) && !hd_parse_list(p, TOK_LESS, TOK_GREATER, size_item, r)) return false;
  if (!hd_expect(p, TOK_ARROW, "'->'") || !hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, result_item, r)) return false;
  if (!hd_accept(p, TOK_COMMA)) return true;
  if (!hd_expect_word(p, "domain") || !hd_expect(p, TOK_COLON, "':'")) return false;
  do
    if (!domain_item(p, r)) return false;
  while (hd_accept(p, TOK_COMMA));
  return true;
}

static hd_index_map *build(const map_reader *r) {
  hd_index_map *map = hd_index_map_create(r->in, r->counts[0], r->counts[1], r->counts[2], (uint32_t)r->results.len);
  if (r->variables.len) memcpy(map->variables, r->variables.data, r->variables.len * sizeof *r->variables.data);
  if (r->results.len) memcpy(map->results, r->results.data, r->results.len * sizeof *r->results.data);
  map->constraints = hd_new_array(r->in->arena, hd_index_constraint, r->constraints.len);
  for (size_t i = 0; i < r->constraints.len; ++i) map->constraints[map->constraint_count++] = r->constraints.data[i];
  return map;
}

/* Adjacent literals as one text: what is around their contents becomes blanks, so places stay what they are. False,
 * with |*at| where no literal is. */
static bool join_literals(char *text, const char **at) {
  char *c = text + strspn(text, " \t\r\n");
  if (*c == '#') { /* #xla_gpu.indexing_map< ... > */
    char *open = c + strcspn(c, "<\"(");
    if (*open != '<') return true;
    memset(c, ' ', (size_t)(open + 1 - c));
    char *close = strrchr(text, '>');
    if (!close || close[1 + strspn(close + 1, " \t\r\n")]) return *at = text + strlen(text), false;
    *close = ' ';
    c = open + strspn(open, " \t\r\n");
  }
  if (*c != '"') return true;
  while (*c) {
    if (*c != '"') return *at = c, false;
    char *end = strpbrk(c + 1, "\"\\\n");
    if (!end || *end != '"') return *at = end ? end : c + strlen(c), false;
    *c = *end = ' ';
    c = end + strspn(end, " \t\r\n");
  }
  return true;
}

hd_index_map *hd_index_map_parse(hd_indexing *in, hd_str text, const char *file_name) {
  char *source = hd_arena_copy(in->arena, text.data, text.len);
  const char *at = NULL;
  size_t length = strlen(source); /* a NUL ends it */
  bool joined = length == text.len && join_literals(source, &at);
  if (!at) at = source + length;
  hd_parser p;
  map_reader r = {.in = in};
  r.lookup = (hd_affine_names){&r, resolve};
  hd_parser_init(&p, in->context, (hd_str){source, length}, file_name);
  hd_index_map *map = NULL;
  if (!joined)
    hd_parser_error(&p, at, "expected string literals and nothing else");
  else if (parse_map(&p, &r) && hd_expect(&p, TOK_EOF, "the end of the map"))
    map = build(&r);
  hd_parser_free(&p);
  return map;
}
