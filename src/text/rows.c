/* SPDX-License-Identifier: Apache-2.0 */
/* Reads attributes and types of dialects: by their rows, or as opaque text where unknown dialects are allowed. Also how
 * an attribute is written inside a format, which follows from its constraint. */
#include "text/rows.h"

#include <stdio.h>

#include "ir/layouts.h"
#include "ir/number.h"
#include "text/defaults.h"
#include "text/upgrade.h"

static hd_attr fail(hd_parser *p, const char *at, const char *text) {
  hd_parser_error(p, at, "%s", text);
  return NULL;
}

bool hd_at_enum_case(const hd_parser *p, int row) {
  int64_t value;
  if (hd_enum_style_of(row).angles) return hd_at(p, TOK_LESS);
  return hd_at(p, TOK_WORD) && hd_enum_case_value(row, p->tok.text, &value);
}

hd_attr hd_parse_enum_case(hd_parser *p, int row) {
  hd_enum_style style = hd_enum_style_of(row);
  const char *at = hd_here(p);
  int64_t value = 0, part;
  bool angles = style.angles || hd_at(p, TOK_LESS); /* older programs: #mhlo.rng_algorithm<PHILOX> */
  if (angles && !hd_expect(p, TOK_LESS, "'<'")) return NULL;
  do {
    hd_str name;
    at = hd_here(p);
    /* Cases may begin with a digit or be strings; a keyword in general. */
    if (hd_at(p, TOK_STRING)) {
      if (!hd_parse_string(p, &name)) return NULL;
    } else {
      char what[96];
      snprintf(what, sizeof what, "keyword of %s.%s", hd_attr_row_info_of(row)->dialect,
               hd_attr_row_info_of(row)->name);
      if (!hd_parse_word(p, hd_arena_copy(&p->scratch, what, strlen(what)), &name)) return NULL;
    }
    if (!hd_enum_case_value(row, name, &part)) {
      hd_parser_error(p, at, "invalid %s.%s: '%.*s', expected one of: %s", hd_attr_row_info_of(row)->dialect,
                      hd_attr_row_info_of(row)->name, (int)name.len, name.data, hd_attr_row_info_of(row)->params);
      return NULL;
    }
    value |= part;
  } while (style.bits && (hd_accept(p, TOK_COMMA) || hd_accept(p, TOK_BAR)));
  if (angles && !hd_expect(p, TOK_GREATER, "'>'")) return NULL;
  if (style.integer) return hd_attr_integer(hd_type_integer(p->context, style.width, HD_SIGNLESS), value);
  return hd_attr_enum(p->context, row, value);
}

typedef struct number_list {
  hd_type element;
  hd_vec(char) data;
  size_t count;
} number_list;

static bool number_item(hd_parser *p, void *user) {
  number_list *list = user;
  int64_t value;
  if (hd_at_word(p, "true") || hd_at_word(p, "false")) {
    value = hd_at_word(p, "true");
    hd_advance(p);
  } else {
    const char *at = hd_here(p);
    if (!hd_parse_int(p, &value)) return false;
    if (hd_type_is_integer(list->element, 32) && value != (int32_t)value)
      return hd_parser_error(p, at, "integer value too large");
  }
  char bytes[8];
  hd_element_store(list->element, bytes, value);
  hd_vec_append(&p->scratch, &list->data, bytes, hd_type_element_bytes(list->element));
  ++list->count;
  return true;
}

hd_attr hd_parse_int_list(hd_parser *p, hd_type element, hd_token_kind open, hd_token_kind close) {
  number_list list = {.element = element};
  /* array<i64: 1, 2> and dense<...> are in older programs where [1, 2] is today. */
  if (open == TOK_LSQUARE && (hd_at_word(p, "array") || hd_at_word(p, "dense") || hd_at(p, TOK_HASH)))
    return hd_parse_attr(p, NULL);
  if (!hd_parse_list(p, open, close, number_item, &list)) return NULL;
  return hd_attr_dense_array(element, list.data.data, list.count);
}

hd_attr hd_parse_by_constraint(hd_parser *p, hd_str constraint, hd_str name) {
  hd_context *c = p->context;
  const char *at = hd_here(p);
  hd_type number = hd_constraint_number(c, constraint);
  if (number && !hd_at(p, TOK_HASH)) return hd_parse_number(p, number);
  if (hd_str_starts(constraint, "unit")) return hd_attr_unit(c);
  if (hd_str_is(constraint, "bool") || hd_str_is(constraint, "i1")) {
    if (hd_accept_word(p, "true")) return hd_attr_bool(c, true);
    if (hd_accept_word(p, "false")) return hd_attr_bool(c, false);
    return hd_parse_number(p, hd_i1(c));
  }
  if (hd_str_is(constraint, "string") || hd_str_is(constraint, "symbol_name")) {
    hd_str text;
    if (hd_str_is(name, "sym_name") || constraint.len > 6)
      return hd_parse_at(p, &text) ? hd_attr_string(c, text) : NULL;
    hd_attr attr = hd_parse_attr(p, hd_type_none(c));
    return attr && attr->kind != HD_ATTR_STRING ? fail(p, at, "expected string") : attr;
  }
  if (hd_str_is(constraint, "symbol")) {
    if (!hd_at(p, TOK_AT)) {
      hd_parser_expected(p, "symbol reference");
      return NULL;
    }
    return hd_parse_symbol(p);
  }
  if (hd_str_is(constraint, "type")) {
    hd_type type = hd_parse_type(p);
    return type ? hd_attr_type(type) : NULL;
  }
  if (hd_str_is(constraint, "dims") || hd_str_is(constraint, "i64_array"))
    return hd_parse_int_list(p, hd_i64(c), TOK_LSQUARE, TOK_RSQUARE);
  if (hd_str_is(constraint, "i32_array")) return hd_parse_int_list(p, hd_i32(c), TOK_LSQUARE, TOK_RSQUARE);
  if (hd_str_is(constraint, "bool_array")) return hd_parse_int_list(p, hd_i1(c), TOK_LSQUARE, TOK_RSQUARE);
  int row = memchr(constraint.data, '|', constraint.len) ? -1 : hd_constraint_row(constraint);
  if (row >= 0 && !hd_at(p, TOK_HASH)) return hd_parse_attr_row(p, row);
  if (constraint.len && constraint.data[0] == '!') { /* a type parameter of a row: !llvm.ptr */
    hd_type type = hd_parse_type(p);
    return type ? hd_attr_type(type) : NULL;
  }
  return hd_parse_attr(p, NULL);
}

/* Parameters by the row's format. */

typedef struct row_reader {
  hd_parser *p;
  const hd_row_format *row;
  int index; /* of an attribute's row, -1 of a type's */
  hd_attr *params;
  bool leading_offset; /* an older layout says so */
} row_reader;

static bool read_items(row_reader *r, const hd_format *items, size_t count);

static bool read_param(row_reader *r, int index) {
  const hd_signature_item *item = &r->row->params.items[index];
  hd_attr value = hd_parse_by_constraint(r->p, item->constraint, hd_ident_str(item->name));
  if (!value) return false;
  /* An empty list or a default is what an absent parameter means; one form of it is kept. */
  bool empty = item->arity == HD_OPTIONAL && value->kind == HD_ATTR_DENSE_ARRAY && !value->dense.count;
  empty |= item->default_text.len && hd_default_of(r->p->context, item) == value;
  r->params[index] = empty ? NULL : value;
  return true;
}

static bool in_struct(const hd_format *f, size_t index) {
  if (!f->arg_count) return true;
  for (size_t i = 0; i < f->arg_count; ++i)
    if ((size_t)f->args[i].index == index) return true;
  return false;
}

static bool read_struct(row_reader *r, const hd_format *f) {
  const hd_signature_list *params = &r->row->params;
  if (hd_at(r->p, TOK_WORD)) {
    do {
      const char *at = hd_here(r->p);
      hd_str name;
      if (!hd_parse_word(r->p, "a parameter name", &name)) return false;
      size_t i = 0;
      while (i < params->count && !(in_struct(f, i) && hd_str_equal(hd_ident_str(params->items[i].name), name))) ++i;
      if (i == params->count && hd_upgrade_knows(r->index, name)) {
        hd_attr value = hd_expect(r->p, TOK_EQUAL, "'='") ? hd_parse_attr(r->p, NULL) : NULL;
        if (!value || !hd_upgrade_param(r->p, r->index, name, value, &r->leading_offset)) return false;
        continue;
      }
      if (i == params->count)
        return hd_parser_error(r->p, at, "duplicate or unknown struct parameter name: %.*s", (int)name.len, name.data);
      if (r->params[i])
        return hd_parser_error(r->p, at, "duplicate or unknown struct parameter name: %.*s", (int)name.len, name.data);
      if (!hd_expect(r->p, TOK_EQUAL, "'='") || !read_param(r, (int)i)) return false;
    } while (hd_accept(r->p, TOK_COMMA));
  }
  return true;
}

static bool at_param(row_reader *r, const hd_signature_item *item) {
  hd_parser *p = r->p;
  if (hd_at(p, TOK_GREATER) || hd_at(p, TOK_EOF) || hd_at(p, TOK_COMMA) || hd_at(p, TOK_RPAREN) ||
      hd_at(p, TOK_RSQUARE))
    return false;
  if (hd_constraint_number(p->context, item->constraint))
    return hd_at(p, TOK_INT) || hd_at(p, TOK_MINUS) || hd_at(p, TOK_FLOAT);
  int row = hd_constraint_row(item->constraint);
  return row < 0 || !hd_attr_row_info_of(row)->is_enum || hd_at_enum_case(p, row);
}

static bool read_group(row_reader *r, const hd_format *f) {
  const hd_format *first = f->arg_count ? &f->args[0] : NULL;
  while (first && (first->kind == HD_FORMAT_SPACE || first->kind == HD_FORMAT_NO_SPACE)) ++first;
  bool present = false;
  if (first && first->kind == HD_FORMAT_LITERAL) {
    /* A comma or bracket may be followed by something else than this group only when that is known by its word. */
    present = hd_str_equal(r->p->tok.text, first->text) ||
              (r->p->tok.kind != TOK_WORD && (size_t)(r->p->end - hd_here(r->p)) >= first->text.len &&
               memcmp(hd_here(r->p), first->text.data, first->text.len) == 0);
  } else if (first && first->kind == HD_FORMAT_ATTR) {
    present = at_param(r, &r->row->params.items[first->index]);
  } else if (first && first->kind == HD_FORMAT_STRUCT) {
    present = hd_at(r->p, TOK_WORD);
  } else if (first && first->kind == HD_FORMAT_CUSTOM) {
    present = !hd_at(r->p, TOK_GREATER);
  }
  if (present) {
    if (!read_items(r, f->args, f->arg_count)) return false;
    const hd_format *anchor = &f->args[f->anchor];
    bool unit = anchor->kind == HD_FORMAT_ATTR && hd_str_starts(r->row->params.items[anchor->index].constraint, "unit");
    if (unit && !r->params[anchor->index]) r->params[anchor->index] = hd_attr_unit(r->p->context);
    return true;
  }
  return read_items(r, f->otherwise, f->otherwise_count);
}

static bool read_items(row_reader *r, const hd_format *items, size_t count) {
  hd_parser *p = r->p;
  for (size_t i = 0; i < count; ++i) {
    const hd_format *f = &items[i];
    bool ok = true;
    switch (f->kind) {
      case HD_FORMAT_LITERAL:
        ok = hd_expect_literal(p, f->text);
        break;
      case HD_FORMAT_ATTR:
        ok = read_param(r, f->index);
        break;
      case HD_FORMAT_STRUCT:
        ok = read_struct(r, f);
        break;
      case HD_FORMAT_PARAMS:
        for (size_t k = 0; ok && k < r->row->params.count; ++k)
          ok = (k == 0 || hd_expect(p, TOK_COMMA, "','")) && read_param(r, (int)k);
        break;
      case HD_FORMAT_GROUP:
        ok = read_group(r, f);
        break;
      case HD_FORMAT_CUSTOM:
        ok = f->hook->parse_params ? f->hook->parse_params(p, r->row, f->args, f->arg_count, r->params)
                                   : hd_parser_error(p, hd_here(p), "the row's hook is for ops");
        break;
      case HD_FORMAT_SPACE:
      case HD_FORMAT_NO_SPACE:
      case HD_FORMAT_NEWLINE:
        break;
      default:
        ok = hd_parser_error(p, hd_here(p), "the row's format has a directive for ops");
        break;
    }
    if (!ok) return false;
  }
  return true;
}

static hd_attr *read_row(hd_parser *p, const hd_row_format *row, int index, bool *out_leading_offset) {
  if (row->format.problem) {
    hd_parser_error(p, hd_here(p), "the row's format is wrong: %s", row->format.problem);
    return NULL;
  }
  const char *at = hd_here(p);
  row_reader r = {p, row, index, hd_new_array(&p->scratch, hd_attr, row->params.count + 1), false};
  if (!read_items(&r, row->format.items, row->format.count)) return NULL;
  for (size_t i = 0; i < row->params.count; ++i) {
    const hd_signature_item *item = &row->params.items[i];
    if (r.params[i] || item->arity == HD_OPTIONAL || item->default_text.len) continue;
    if (index >= 0 && (r.params[i] = hd_upgrade_missing(p->context, index, r.params, i))) continue;
    hd_parser_error(p, at, "expected parameter '%s'", item->name->text);
    return NULL;
  }
  *out_leading_offset = r.leading_offset;
  return r.params;
}

hd_attr hd_parse_attr_row(hd_parser *p, int row) {
  if (hd_attr_row_info_of(row)->is_enum) return hd_parse_enum_case(p, row);
  const hd_row_format *format = hd_attr_row_format(p->context, row);
  const char *at = hd_here(p);
  bool leading_offset = false;
  hd_attr *params = read_row(p, format, row, &leading_offset);
  if (!params) return NULL;
  hd_attr attr = hd_attr_struct(p->context, row, params, format->params.count);
  hd_strbuf why;
  hd_strbuf_init(&why, &p->scratch);
  if (hd_layout_holds(attr, &why)) return leading_offset ? hd_upgrade_leading_offset(p, at, attr) : attr;
  hd_parser_error(p, at, "the layout %s", hd_strbuf_text(&why));
  return NULL;
}

hd_type hd_parser_tile_type(hd_parser *p, const char *at, hd_type type) {
  hd_strbuf why;
  hd_strbuf_init(&why, &p->scratch);
  if (hd_tile_type_holds(type, &why)) return type;
  hd_parser_error(p, at, "the type %s", hd_strbuf_text(&why));
  return NULL;
}

hd_type hd_parse_type_row(hd_parser *p, int row) {
  const hd_row_format *format = hd_type_row_format(p->context, row);
  const char *at = hd_here(p);
  hd_attr *params = read_row(p, format, -1, &(bool){false});
  return params ? hd_parser_tile_type(p, at, hd_type_dialect(p->context, row, params, format->params.count)) : NULL;
}

/* The end of balanced <...> at |at|, null when it is not closed. Brackets nest, strings count as one. */
static const char *balanced(const char *at, const char *end) {
  char stack[HD_TEXT_NESTING];
  size_t depth = 0;
  for (; at < end; ++at) {
    switch (*at) {
      case '<':
      case '(':
      case '[':
      case '{':
        if (depth == sizeof stack) return NULL;
        stack[depth++] = *at;
        break;
      case '>':
      case ')':
      case ']':
      case '}': {
        if (*at == '>' && at[-1] == '-') break; /* -> */
        char open = *at == '>' ? '<' : *at == ')' ? '(' : *at == ']' ? '[' : '{';
        if (!depth || stack[--depth] != open) return NULL;
        if (!depth) return at + 1;
        break;
      }
      case '"':
        for (++at; at < end && *at != '"' && *at != '\n'; ++at)
          if (*at == '\\') ++at;
        if (at >= end || *at != '"') return NULL;
        break;
      case 0:
        return NULL;
      default:
        break;
    }
  }
  return NULL;
}

/* #dialect.name or #dialect<name ...>: the dialect, the name, and the parser is after the name. |*out_wrapped|:
 * the second form, a '>' closes it. */
static bool read_name(hd_parser *p, hd_str *dialect, hd_str *name, bool *out_wrapped) {
  hd_str text = {hd_here(p) + 1, p->tok.text.len - 1};
  const char *dot = memchr(text.data, '.', text.len);
  *out_wrapped = !dot;
  if (dot) {
    *dialect = (hd_str){text.data, (size_t)(dot - text.data)};
    *name = (hd_str){dot + 1, text.len - dialect->len - 1};
    hd_advance(p);
    return true;
  }
  *dialect = text;
  hd_advance(p);
  if (!hd_expect(p, TOK_LESS, "'<'")) return false;
  *name = hd_at(p, TOK_WORD) ? p->tok.text : HD_STR("");
  if (name->len) hd_advance(p);
  return true;
}

/* Dialects whose ops, types or attributes have rows. */
static bool is_known(hd_str dialect) {
  if (hd_dialect_is_known(dialect)) return true;
  for (int i = 0; i < HD_ATTR_ROW_COUNT; ++i)
    if (hd_str_is(dialect, hd_attr_row_info_of(i)->dialect)) return true;
  for (int i = 0; i < HD_TYPE_ROW_COUNT; ++i)
    if (hd_str_is(dialect, hd_type_row_info_of(i)->dialect)) return true;
  return false;
}

/* The verbatim text of an unknown attribute or type; |mark| is its first character. */
static bool read_opaque(hd_parser *p, const char *mark, hd_str dialect, const char *what, hd_str *out) {
  bool advice = hd_str_is(dialect, "sdy"); /* its rules of ops are kept as they are: nothing asks for them */
  if (is_known(dialect) && !advice) {
    hd_str text = {mark + 1, 0};
    while (mark + 1 + text.len < p->end &&
           strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$", text.data[text.len]) &&
           text.data[text.len])
      ++text.len;
    return hd_parser_error(p, mark, "unknown %s `%.*s` in dialect `%.*s`", what, (int)text.len, text.data,
                           (int)dialect.len, dialect.data);
  }
  if (!p->context->allow_unregistered && !advice)
    return hd_parser_error(p, mark, "#%.*s<...>: unregistered dialect in %s", (int)dialect.len, dialect.data, what);
  const char *start = dialect.data + dialect.len, *stop = start;
  while (stop < p->end && (*stop == '.' || *stop == '_' || *stop == '$' || (*stop >= '0' && *stop <= '9') ||
                           ((*stop | 32) >= 'a' && (*stop | 32) <= 'z')))
    ++stop;
  if (stop < p->end && *stop == '<' && !(stop = balanced(stop, p->end)))
    return hd_parser_error(p, mark, "unbalanced brackets in a dialect %s", what);
  *out = (hd_str){start, (size_t)(stop - start)};
  hd_jump(p, stop);
  p->last_end = stop;
  return true;
}

hd_attr hd_parse_dialect_attr(hd_parser *p, hd_type type) {
  const char *mark = hd_here(p);
  hd_str dialect, name, text;
  bool wrapped;
  if (!read_name(p, &dialect, &name, &wrapped)) return NULL;
  hd_str today = hd_upgrade_dialect(dialect);
  int row = hd_attr_row_find(today, hd_upgrade_row(today, name));
  if (row < 0 && hd_str_is(dialect, "mhlo")) row = hd_attr_row_find(HD_STR("stablehlo"), name);
  if (row >= 0) {
    hd_attr attr = hd_parse_attr_row(p, row);
    if (attr && wrapped && !hd_expect(p, TOK_GREATER, "'>'")) return NULL;
    return attr;
  }
  if (!read_opaque(p, mark, dialect, "attribute", &text)) return NULL;
  if (!type && hd_at(p, TOK_COLON)) { /* a typed opaque attribute keeps its type in the text */
    hd_advance(p);
    if (!hd_parse_type(p)) return NULL;
    text.len = (size_t)(p->last_end - text.data);
  }
  return hd_attr_opaque(p->context, dialect, text);
}

hd_type hd_parse_dialect_type(hd_parser *p) {
  const char *mark = hd_here(p);
  hd_str dialect, name, text;
  bool wrapped;
  if (!read_name(p, &dialect, &name, &wrapped)) return NULL;
  if (hd_str_is(dialect, "quant")) {
    hd_type type = hd_parse_quant(p, name);
    return type && (!wrapped || hd_expect(p, TOK_GREATER, "'>'")) ? type : NULL;
  }
  int row = hd_type_row_find(hd_upgrade_dialect(dialect), name);
  if (row < 0 && hd_str_is(dialect, "mhlo")) row = hd_type_row_find(HD_STR("stablehlo"), name);
  if (row >= 0) {
    hd_type type = hd_parse_type_row(p, row);
    if (type && wrapped && !hd_expect(p, TOK_GREATER, "'>'")) return NULL;
    return type;
  }
  if (!read_opaque(p, mark, dialect, "type", &text)) return NULL;
  return hd_type_opaque(p->context, dialect, text);
}
