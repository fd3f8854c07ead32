/* SPDX-License-Identifier: Apache-2.0 */
/* Builtin attributes, locations and aliases; numbers with their types. Elements go to parse_dense.c, dialect attributes
 * to rows.c. */
#include "ir/number.h"
#include "ir/wide.h"
#include "text/parser.h"
#include "text/upgrade.h"

static hd_attr fail(hd_parser *p, const char *at, const char *text) {
  hd_parser_error(p, at, "%s", text);
  return NULL;
}

static hd_attr out_of_range(hd_parser *p, const char *at, hd_str literal, bool negative, hd_type type) {
  hd_parser_error(p, at, "integer constant out of range for attribute: expected a value of %s, got %s%.*s",
                  hd_parser_type_text(p, type), negative ? "-" : "", (int)literal.len, literal.data);
  return NULL;
}

static hd_attr wide_value(hd_parser *p, const char *at, hd_str literal, bool negative, hd_type type) {
  if (hd_type_bits(type) > HD_WIDE_BITS) {
    hd_parser_error(p, at, "integer attributes wider than %d bits are not supported", HD_WIDE_BITS);
    return NULL;
  }
  char *pattern = hd_arena_alloc(&p->scratch, hd_type_element_bytes(type));
  if (hd_wide_integer_read(type, literal, negative, pattern)) return hd_attr_wide(type, pattern);
  if (negative && type->integer.signedness == HD_UNSIGNED)
    return fail(p, at, "negative integer literal not valid for unsigned integer type");
  return out_of_range(p, at, literal, negative, type);
}

/* An integer literal as a value of |type|, sign and all; null when it does not fit. */
static hd_attr integer_value(hd_parser *p, const char *at, hd_str literal, bool negative, hd_type type) {
  uint64_t value;
  bool hex = literal.len > 2 && literal.data[1] == 'x';
  uint32_t width = type->kind == HD_TYPE_INDEX ? 64 : type->integer.width;
  hd_signedness sign = type->kind == HD_TYPE_INDEX ? HD_SIGNLESS : type->integer.signedness;
  if (width > 64) return wide_value(p, at, literal, negative, type);
  if (width == 0 || !hd_int_literal(literal, &value)) return out_of_range(p, at, literal, negative, type);
  uint64_t ones = width == 64 ? UINT64_MAX : (1ull << width) - 1;
  if (negative && sign == HD_UNSIGNED && value)
    return fail(p, at, "negative integer literal not valid for unsigned integer type");
  if (negative ? value > 1ull << (width - 1) : value > (sign == HD_SIGNED && !hex ? ones >> 1 : ones))
    return out_of_range(p, at, literal, negative, type);
  return hd_attr_integer(type, (int64_t)(negative ? 0 - value : value));
}

static hd_attr float_value(hd_parser *p, const char *at, hd_str literal, bool negative, hd_type type) {
  if (memchr(literal.data, 'x', literal.len)) {
    uint64_t bits;
    int width = hd_float_formats[type->float_kind].bits;
    char pattern[16];
    if (negative) return fail(p, at, "hexadecimal float literal should not have a leading minus");
    if (width > 64 && hd_wide_bits_read(type, literal, pattern)) return hd_attr_wide(type, pattern);
    if (width > 64 || !hd_int_literal(literal, &bits) || (width < 64 && bits >> width))
      return fail(p, at, "hexadecimal float constant out of range for type");
    return hd_attr_float_bits(type, bits);
  }
  double value = hd_float_literal(literal);
  return hd_attr_float(type, negative ? -value : value);
}

hd_attr hd_parse_number(hd_parser *p, hd_type type) {
  const char *at = hd_here(p);
  bool negative = hd_accept(p, TOK_MINUS);
  hd_token literal = p->tok;
  if (literal.kind != TOK_INT && literal.kind != TOK_FLOAT) {
    hd_parser_expected(p, "constant integer or floating point value");
    return NULL;
  }
  hd_advance(p);
  if (!type) {
    if (hd_accept(p, TOK_COLON)) {
      if (!(type = hd_parse_type(p))) return NULL;
    } else {
      type = literal.kind == TOK_INT ? hd_i64(p->context) : hd_type_float(p->context, HD_F64);
    }
  }
  if (type->kind == HD_TYPE_FLOAT) {
    if (literal.kind == TOK_INT && !memchr(literal.text.data, 'x', literal.text.len))
      return fail(p, at, "unexpected decimal integer literal for a floating point value");
    return float_value(p, at, literal.text, negative, type);
  }
  if (type->kind != HD_TYPE_INTEGER && type->kind != HD_TYPE_INDEX)
    return fail(p, at,
                literal.kind == TOK_INT ? "integer literal not valid for specified type"
                                        : "floating point value not valid for specified type");
  if (literal.kind == TOK_FLOAT) return fail(p, at, "floating point value not valid for specified type");
  return integer_value(p, at, literal.text, negative, type);
}

hd_attr hd_parse_symbol(hd_parser *p) {
  hd_str root;
  if (!hd_parse_at(p, &root)) return NULL;
  hd_vec(hd_ident) nested = {0};
  while (hd_at(p, TOK_COLON_COLON)) {
    hd_str part;
    hd_advance(p);
    if (!hd_parse_at(p, &part)) return NULL;
    hd_vec_push(&p->scratch, &nested, hd_ident_get(p->context, part));
  }
  return hd_attr_symbol(p->context, root, nested.data, nested.len);
}

static bool attr_item(hd_parser *p, void *user) {
  hd_attr_vec *out = user;
  hd_attr attr = hd_parse_attr(p, NULL);
  if (!attr) return false;
  hd_vec_push(&p->scratch, out, attr);
  return true;
}

static hd_attr parse_array_attr(hd_parser *p) {
  hd_attr_vec items = {0};
  if (!hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, attr_item, &items)) return NULL;
  return hd_attr_array(p->context, items.data, items.len);
}

typedef struct dict_reader {
  hd_named_attr_vec *out;
  hd_map seen; /* names of long dictionaries */
} dict_reader;

static bool dict_item(hd_parser *p, void *user) {
  dict_reader *reader = user;
  const char *at = hd_here(p);
  hd_str name;
  if (!hd_parse_word_or_string(p, "attribute name", &name)) return false;
  if (!name.len) return hd_parser_error(p, at, "expected valid attribute name");
  hd_ident ident = hd_ident_get(p->context, hd_upgrade_name(&p->scratch, name));
  bool is_new;
  hd_map_insert(&p->scratch, &reader->seen, ident, &is_new);
  if (!is_new) return hd_parser_error(p, at, "duplicate key '%s' in dictionary attribute", ident->text);
  hd_attr value = hd_accept(p, TOK_EQUAL) ? hd_parse_attr(p, NULL) : hd_attr_unit(p->context);
  if (!value) return false;
  hd_vec_push(&p->scratch, reader->out, (hd_named_attr){ident, value});
  return true;
}

bool hd_parse_dict(hd_parser *p, hd_named_attr_vec *out) {
  dict_reader reader = {.out = out};
  return hd_parse_list(p, TOK_LBRACE, TOK_RBRACE, dict_item, &reader);
}

typedef struct array_reader {
  hd_type element;
  size_t bytes;
  hd_vec(char) data;
  size_t count;
} array_reader;

static bool array_item(hd_parser *p, void *user) {
  array_reader *reader = user;
  hd_attr attr = NULL;
  if (hd_at_word(p, "true") || hd_at_word(p, "false")) {
    if (!hd_type_is_integer(reader->element, 1)) return hd_parser_expected(p, "integer or floating point literal");
    attr = hd_attr_bool(p->context, hd_at_word(p, "true"));
    hd_advance(p);
  } else if (!(attr = hd_parse_number(p, reader->element))) {
    return false;
  }
  char bits[8];
  if (!attr->wide)
    hd_element_store(reader->element, bits, attr->kind == HD_ATTR_FLOAT ? (int64_t)attr->floating.bits : attr->integer);
  hd_vec_append(&p->scratch, &reader->data, attr->wide ? attr->wide : bits, reader->bytes);
  ++reader->count;
  return true;
}

/* array<i64: 1, 2>, after the word. */
static hd_attr dense_array(hd_parser *p) {
  if (!hd_expect(p, TOK_LESS, "'<' after 'array'")) return NULL;
  const char *at = hd_here(p);
  array_reader reader = {.element = hd_parse_type(p)};
  if (!reader.element) return NULL;
  uint32_t bits = hd_type_bits(reader.element);
  if (reader.element->kind != HD_TYPE_INTEGER && reader.element->kind != HD_TYPE_FLOAT)
    return fail(p, at, "expected integer or float type");
  if (reader.element->kind == HD_TYPE_INTEGER && bits % 8 && bits != 1)
    return fail(p, at, "element type bitwidth must be a multiple of 8");
  reader.bytes = hd_type_element_bytes(reader.element);
  if (hd_accept(p, TOK_COLON) && !hd_parse_list(p, TOK_EOF, TOK_EOF, array_item, &reader)) return NULL;
  if (!hd_expect(p, TOK_GREATER, "'>' to close an array attribute")) return NULL;
  return hd_attr_dense_array(reader.element, reader.data.data, reader.count);
}

static bool stride_item(hd_parser *p, void *user) {
  hd_int_vec *out = user;
  int64_t value = HD_DYNAMIC;
  if (!hd_accept(p, TOK_QUESTION)) {
    const char *at = hd_here(p);
    if (!hd_parse_int(p, &value)) return false;
    if (value == HD_DYNAMIC) return hd_parser_error(p, at, "integer value too large");
  }
  hd_vec_push(&p->scratch, out, value);
  return true;
}

static hd_attr parse_strided(hd_parser *p) {
  hd_int_vec strides = {0}, offset = {0};
  if (!hd_expect(p, TOK_LESS, "'<' after 'strided'") ||
      !hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, stride_item, &strides))
    return NULL;
  if (hd_accept(p, TOK_COMMA) &&
      (!hd_expect_word(p, "offset") || !hd_expect(p, TOK_COLON, "':' after 'offset'") || !stride_item(p, &offset)))
    return NULL;
  if (!hd_expect(p, TOK_GREATER, "'>'")) return NULL;
  return hd_attr_strided(p->context, offset.len ? offset.data[0] : 0, strides.data, strides.len);
}

/* Locations. */

static hd_loc loc_body(hd_parser *p);

static bool loc_item(hd_parser *p, void *user) {
  hd_attr_vec *out = user;
  hd_loc loc = loc_body(p);
  if (!loc) return false;
  hd_vec_push(&p->scratch, out, loc);
  return true;
}

static hd_loc file_or_name(hd_parser *p) {
  hd_str name;
  if (!hd_parse_string(p, &name)) return NULL;
  uint32_t line, column, end_line, end_column;
  if (hd_accept(p, TOK_COLON)) {
    if (!hd_parse_u32(p, &line) || !hd_expect(p, TOK_COLON, "':'") || !hd_parse_u32(p, &column)) return NULL;
    if (!hd_accept_word(p, "to")) return hd_loc_file(p->context, name, line, column);
    end_line = line;
    if (hd_at(p, TOK_INT) && !hd_parse_u32(p, &end_line)) return NULL;
    if (!hd_expect(p, TOK_COLON, "':'") || !hd_parse_u32(p, &end_column)) return NULL;
    return hd_loc_file_range(p->context, name, line, column, end_line, end_column);
  }
  if (!hd_accept(p, TOK_LPAREN)) return hd_loc_name(p->context, name, NULL);
  hd_loc child = loc_body(p);
  return child && hd_expect(p, TOK_RPAREN, "')' after child location of NameLoc") ? hd_loc_name(p->context, name, child)
                                                                                  : NULL;
}

static hd_loc callsite(hd_parser *p) {
  if (!hd_expect(p, TOK_LPAREN, "'(' in callsite location")) return NULL;
  hd_loc callee = loc_body(p);
  if (!callee || !hd_expect_word(p, "at")) return NULL;
  hd_loc caller = loc_body(p);
  return caller && hd_expect(p, TOK_RPAREN, "')' in callsite location") ? hd_loc_callsite(callee, caller) : NULL;
}

static bool is_loc(hd_attr attr) { return attr->kind >= HD_ATTR_LOC_UNKNOWN && attr->kind <= HD_ATTR_LOC_FUSED; }

static hd_loc plain_loc(hd_parser *p) {
  if (hd_at(p, TOK_STRING)) return file_or_name(p);
  if (hd_at(p, TOK_HASH)) {
    const char *at = hd_here(p);
    hd_attr attr = hd_parse_attr(p, NULL);
    if (attr && !is_loc(attr)) return fail(p, at, "expected location, but found another attribute");
    return attr;
  }
  if (hd_accept_word(p, "unknown")) return hd_loc_unknown(p->context);
  if (hd_accept_word(p, "callsite")) return callsite(p);
  if (hd_at_word(p, "loc")) return hd_parse_loc(p);
  if (hd_accept_word(p, "fused")) {
    hd_attr metadata = NULL;
    if (hd_accept(p, TOK_LESS) &&
        (!(metadata = hd_parse_attr(p, NULL)) || !hd_expect(p, TOK_GREATER, "'>' after fused location metadata")))
      return NULL;
    hd_attr_vec parts = {0};
    if (!hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, loc_item, &parts)) return NULL;
    return hd_loc_fuse(p->context, parts.data, parts.len, metadata);
  }
  hd_parser_expected(p, "location instance");
  return NULL;
}

static hd_loc loc_body(hd_parser *p) {
  if (!hd_enter(p)) return NULL;
  uint32_t outer = p->height;
  p->height = 0;
  hd_loc loc = plain_loc(p);
  hd_leave(p);
  if (++p->height > HD_TEXT_NESTING && loc) return fail(p, hd_here(p), "locations nest too deep");
  if (p->height < outer) p->height = outer;
  return loc;
}

hd_loc hd_parse_loc(hd_parser *p) {
  if (!hd_expect_word(p, "loc") || !hd_expect(p, TOK_LPAREN, "'(' in location")) return NULL;
  hd_loc loc = loc_body(p);
  return loc && hd_expect(p, TOK_RPAREN, "')' in location") ? loc : NULL;
}

hd_loc hd_parse_optional_loc(hd_parser *p, hd_loc otherwise) {
  return hd_at_word(p, "loc") ? hd_parse_loc(p) : otherwise;
}

/* Aliases. */

static hd_attr alias_attr(hd_parser *p) {
  hd_str name = p->tok.text;
  hd_map_entry *entry = hd_map_find_bytes(&p->attr_aliases, name.data + 1, name.len - 1);
  if (!entry) {
    hd_parser_error(p, name.data, "undefined symbol alias id '%.*s'", (int)(name.len - 1), name.data + 1);
    return NULL;
  }
  hd_alias *alias = entry->value.ptr;
  if (!alias->attr) {
    if (alias->reading) return fail(p, name.data, "an alias is defined by itself");
    hd_jump(p, alias->definition);
    if (!hd_parser_read_alias(p, alias, false)) return NULL;
    hd_jump(p, name.data);
  } else if (!hd_parser_expand(p, alias)) {
    return NULL;
  }
  p->height = alias->height;
  hd_advance(p);
  return alias->attr;
}

static hd_attr typed_elements(hd_parser *p, const hd_elements *elements, hd_type type) {
  const char *at = NULL;
  if (!elements) return NULL;
  if (!type) {
    if (!hd_expect(p, TOK_COLON, "':'")) return NULL;
    at = hd_here(p);
    type = hd_parse_type(p);
  }
  return type ? hd_elements_of(p, elements, type, at) : NULL;
}

static hd_attr word_attr(hd_parser *p, hd_type type) {
  hd_context *c = p->context;
  hd_str word = p->tok.text;
  if (hd_str_is(word, "true") || hd_str_is(word, "false")) {
    hd_advance(p);
    return hd_attr_bool(c, word.data[0] == 't');
  }
  if (hd_accept_word(p, "unit")) return hd_attr_unit(c);
  if (hd_at_word(p, "loc")) return hd_parse_loc(p);
  if (hd_accept_word(p, "dense")) return typed_elements(p, hd_parse_dense(p), type);
  if (hd_accept_word(p, "sparse")) return typed_elements(p, hd_parse_sparse(p), type);
  if (hd_accept_word(p, "array")) return dense_array(p);
  if (hd_accept_word(p, "strided")) return parse_strided(p);
  if (hd_str_is(word, "affine_map") || hd_str_is(word, "affine_set")) {
    hd_advance(p);
    bool set = word.data[7] == 's';
    if (!hd_expect(p, TOK_LESS, "'<'")) return NULL;
    hd_attr attr = hd_parse_affine(p, set);
    return attr && hd_expect(p, TOK_GREATER, "'>'") ? attr : NULL;
  }
  if (hd_accept_word(p, "dense_resource")) {
    hd_str name;
    if (!hd_expect(p, TOK_LESS, "'<' after 'dense_resource'") ||
        !hd_parse_word_or_string(p, "a resource name", &name) || !hd_expect(p, TOK_GREATER, "'>'"))
      return NULL;
    if (!type && (!hd_expect(p, TOK_COLON, "':'") || !(type = hd_parse_type(p)))) return NULL;
    if (!hd_type_is_shaped(type)) return fail(p, word.data, "`dense_resource` expected a shaped type");
    return hd_attr_dense_resource(type, name);
  }
  if (hd_accept_word(p, "distinct")) {
    int64_t id;
    if (!hd_expect(p, TOK_LSQUARE, "'[' after 'distinct'") || !hd_parse_int(p, &id) ||
        !hd_expect(p, TOK_RSQUARE, "']'") || !hd_expect(p, TOK_LESS, "'<'"))
      return NULL;
    hd_attr inner = hd_at(p, TOK_GREATER) ? hd_attr_unit(c) : hd_parse_attr(p, NULL);
    return inner && hd_expect(p, TOK_GREATER, "'>'") ? hd_attr_distinct(c, id, inner) : NULL;
  }
  if (!hd_at_type(p)) {
    hd_parser_expected(p, "attribute value");
    return NULL;
  }
  hd_type value = hd_parse_type(p);
  return value ? hd_attr_type(value) : NULL;
}

static hd_attr parse_attr(hd_parser *p, hd_type type) {
  switch (p->tok.kind) {
    case TOK_LSQUARE:
      return parse_array_attr(p);
    case TOK_LBRACE: {
      hd_named_attr_vec items = {0};
      return hd_parse_dict(p, &items) ? hd_attr_dict(p->context, items.data, items.len) : NULL;
    }
    case TOK_AT:
      return hd_parse_symbol(p);
    case TOK_INT:
    case TOK_FLOAT:
    case TOK_MINUS:
      return hd_parse_number(p, type);
    case TOK_STRING: {
      hd_str text;
      if (!hd_parse_string(p, &text)) return NULL;
      if (!type && hd_accept(p, TOK_COLON) && !(type = hd_parse_type(p))) return NULL;
      return type && type->kind != HD_TYPE_NONE ? hd_attr_typed_string(text, type) : hd_attr_string(p->context, text);
    }
    case TOK_HASH: {
      hd_str name = p->tok.text;
      const char *behind = name.data + name.len;
      if (memchr(name.data, '.', name.len) || (behind < p->end && *behind == '<'))
        return hd_parse_dialect_attr(p, type);
      return alias_attr(p);
    }
    case TOK_WORD:
      return word_attr(p, type);
    case TOK_BANG:
    case TOK_LPAREN: {
      hd_type value = hd_parse_type(p);
      return value ? hd_attr_type(value) : NULL;
    }
    default:
      hd_parser_expected(p, "attribute value");
      return NULL;
  }
}

hd_attr hd_parse_attr(hd_parser *p, hd_type type) {
  if (!hd_enter(p)) return NULL;
  uint32_t outer = p->height;
  p->height = 0;
  ++p->parts;
  hd_attr attr = parse_attr(p, type);
  hd_leave(p);
  if (++p->height > HD_TEXT_NESTING && attr) return fail(p, hd_here(p), "attributes nest too deep");
  if (p->height < outer) p->height = outer;
  return attr;
}

bool hd_parser_read_alias(hd_parser *p, hd_alias *alias, bool is_type) {
  uint64_t before = p->parts;
  alias->reading = true;
  p->height = 0;
  if (is_type)
    alias->type = hd_parse_type(p);
  else
    alias->attr = hd_parse_attr(p, NULL);
  alias->height = p->height;
  alias->parts = p->parts - before;
  alias->reading = false;
  alias->stop = p->last_end;
  return is_type ? alias->type != NULL : alias->attr != NULL;
}
