/* SPDX-License-Identifier: Apache-2.0 */
/* Builtin types, aliases and quantized types; dialect types go to rows.c. */
#include "text/parser.h"

static hd_type builtin_word(hd_parser *p, hd_str word) {
  hd_context *c = p->context;
  if (hd_str_is(word, "index")) return hd_type_index(c);
  if (hd_str_is(word, "none")) return hd_type_none(c);
  hd_float_kind kind = hd_float_kind_of(word.data, word.len);
  if (kind != HD_FLOAT_KIND_COUNT) return hd_type_float(c, kind);
  hd_signedness sign = HD_SIGNLESS;
  size_t at = 0;
  if (word.len > 2 && (word.data[0] == 's' || word.data[0] == 'u'))
    sign = word.data[at++] == 's' ? HD_SIGNED : HD_UNSIGNED;
  if (at + 1 >= word.len || word.data[at++] != 'i' || word.data[at] == '0') return NULL;
  uint64_t width = 0;
  for (; at < word.len; ++at) {
    if (word.data[at] < '0' || word.data[at] > '9' || width > 1u << 28) return NULL;
    width = width * 10 + (uint64_t)(word.data[at] - '0');
  }
  if (width > (1u << 24) - 1) {
    hd_parser_error(p, word.data, "integer bitwidth is limited to %u bits", (1u << 24) - 1);
    return NULL;
  }
  return hd_type_integer(c, (uint32_t)width, sign);
}

static const char *const shaped_words[] = {"tensor", "memref", "vector", "complex", "tuple"};

static int shaped_word(hd_str word) {
  for (int i = 0; i < 5; ++i)
    if (hd_str_is(word, shaped_words[i])) return i;
  return -1;
}

bool hd_at_type(const hd_parser *p) {
  if (hd_at(p, TOK_BANG) || hd_at(p, TOK_LPAREN)) return true;
  if (!hd_at(p, TOK_WORD)) return false;
  hd_str word = p->tok.text;
  if (shaped_word(word) >= 0 || hd_str_is(word, "index") || hd_str_is(word, "none")) return true;
  if (hd_float_kind_of(word.data, word.len) != HD_FLOAT_KIND_COUNT) return true;
  size_t at = word.len > 2 && (word.data[0] == 's' || word.data[0] == 'u');
  if (word.len < at + 2 || word.data[at++] != 'i') return false;
  for (; at < word.len; ++at)
    if (word.data[at] < '0' || word.data[at] > '9') return false;
  return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Works on characters: "4x0x8xf32" is no sequence of tokens. */
bool hd_parse_dims(hd_parser *p, hd_int_vec *dims, hd_bool_vec *scalable) {
  while (hd_at(p, TOK_INT) || hd_at(p, TOK_QUESTION) || (scalable && hd_at(p, TOK_LSQUARE))) {
    const char *at = hd_here(p);
    bool scales = *at == '[';
    if (scales) {
      hd_advance(p);
      at = hd_here(p);
    }
    int64_t dim = HD_DYNAMIC;
    if (at < p->end && *at == '?') {
      ++at;
    } else if (at < p->end && is_digit(*at)) {
      for (dim = 0; at < p->end && is_digit(*at); ++at)
        if (__builtin_mul_overflow(dim, 10, &dim) || __builtin_add_overflow(dim, *at - '0', &dim))
          return hd_parser_error(p, hd_here(p), "integer dimension is too large");
    } else {
      return hd_parser_expected(p, "a dimension");
    }
    if (scales) {
      hd_jump(p, at);
      if (!hd_at(p, TOK_RSQUARE)) return hd_parser_expected(p, "']' after a scalable dimension");
      at = hd_here(p) + 1;
    }
    hd_vec_push(&p->scratch, dims, dim);
    if (scalable) hd_vec_push(&p->scratch, scalable, scales);
    if (at >= p->end || *at != 'x') {
      hd_jump(p, at);
      return hd_parser_expected(p, "'x' in dimension list");
    }
    hd_jump(p, at + 1);
  }
  return true;
}

static bool element_fits(hd_type t) {
  switch (t->kind) {
    case HD_TYPE_INDEX:
    case HD_TYPE_INTEGER:
    case HD_TYPE_FLOAT:
    case HD_TYPE_DIALECT:
    case HD_TYPE_OPAQUE:
      return true;
    case HD_TYPE_COMPLEX:
    case HD_TYPE_VECTOR:
    case HD_TYPE_QUANT:
    case HD_TYPE_MEMREF:
    case HD_TYPE_UNRANKED_MEMREF:
      return true;
    default:
      return false;
  }
}

static hd_type parse_element(hd_parser *p, bool tensor) {
  const char *at = hd_here(p);
  hd_type element = hd_parse_type(p);
  if (!element) return NULL;
  if (!element_fits(element)) {
    hd_parser_error(p, at, "invalid %s element type", tensor ? "tensor" : "memref");
    return NULL;
  }
  return element;
}

static bool valid_space(hd_attr attr) {
  return attr->kind == HD_ATTR_INTEGER || attr->kind == HD_ATTR_STRING || attr->kind == HD_ATTR_DICT ||
         attr->kind == HD_ATTR_ENUM || attr->kind == HD_ATTR_STRUCT || attr->kind == HD_ATTR_OPAQUE;
}

/* The default layouts are written by leaving them out. */
static bool is_identity(hd_attr layout, size_t rank) {
  if (layout->kind != HD_ATTR_AFFINE_MAP || layout->affine.symbols || layout->affine.count != rank) return false;
  for (uint32_t i = 0; i < layout->affine.count; ++i)
    if (layout->affine.results[i]->kind != HD_AFFINE_DIM || layout->affine.results[i]->value != i) return false;
  return layout->affine.dims == rank;
}

/* The dims of an unranked type: *x */
static bool skip_star(hd_parser *p) {
  const char *at = hd_here(p) + 1;
  bool good = at < p->end && *at == 'x';
  hd_jump(p, good ? at + 1 : at);
  return good || hd_parser_expected(p, "'x' in dimension list");
}

static hd_type memref_type(hd_parser *p) {
  hd_int_vec dims = {0};
  if (!hd_expect(p, TOK_LESS, "'<'")) return NULL;
  bool unranked = hd_at(p, TOK_STAR);
  if (unranked ? !skip_star(p) : !hd_parse_dims(p, &dims, NULL)) return NULL;
  hd_type element = parse_element(p, false);
  if (!element) return NULL;
  hd_attr layout = NULL, space = NULL;
  while (hd_accept(p, TOK_COMMA)) {
    const char *at = hd_here(p);
    hd_attr attr = hd_parse_attr(p, NULL);
    if (!attr) return NULL;
    if (!unranked && !layout && !space && (attr->kind == HD_ATTR_AFFINE_MAP || attr->kind == HD_ATTR_STRIDED)) {
      size_t rank = attr->kind == HD_ATTR_STRIDED ? attr->strided.rank : attr->affine.dims;
      if (rank != dims.len) {
        hd_parser_error(p, at, "memref layout mismatch between rank and affine map: %zu != %zu", dims.len, rank);
        return NULL;
      }
      layout = attr;
    } else if (!space && valid_space(attr)) {
      space = attr;
    } else {
      hd_parser_error(p, at, "expected a layout or a memory space");
      return NULL;
    }
  }
  if (!hd_expect(p, TOK_GREATER, "'>'")) return NULL;
  if (space && space->kind == HD_ATTR_INTEGER && space->integer == 0) space = NULL;
  if (unranked) return hd_type_unranked_memref(element, space);
  if (layout && is_identity(layout, dims.len)) layout = NULL;
  return hd_type_memref(element, dims.data, dims.len, layout, space);
}

static hd_type tensor_type(hd_parser *p) {
  hd_int_vec dims = {0};
  if (!hd_expect(p, TOK_LESS, "'<'")) return NULL;
  if (hd_at(p, TOK_STAR)) {
    if (!skip_star(p)) return NULL;
    hd_type element = parse_element(p, true);
    return element && hd_expect(p, TOK_GREATER, "'>'") ? hd_type_unranked_tensor(element) : NULL;
  }
  if (!hd_parse_dims(p, &dims, NULL)) return NULL;
  hd_type element = parse_element(p, true);
  if (!element) return NULL;
  hd_attr encoding = NULL;
  bool encoded = hd_accept(p, TOK_COMMA);
  const char *at = hd_here(p);
  if (encoded && !(encoding = hd_parse_attr(p, NULL))) return NULL;
  if (!hd_expect(p, TOK_GREATER, "'>'")) return NULL;
  return hd_parser_tile_type(p, at, hd_type_tensor(element, dims.data, dims.len, encoding));
}

static hd_type vector_type(hd_parser *p) {
  hd_int_vec dims = {0};
  hd_bool_vec scalable = {0};
  if (!hd_expect(p, TOK_LESS, "'<'") || !hd_parse_dims(p, &dims, &scalable)) return NULL;
  for (size_t i = 0; i < dims.len; ++i)
    if (dims.data[i] <= 0) {
      hd_parser_error(p, hd_here(p), "vector types must have positive constant sizes but got %s",
                      dims.data[i] == 0 ? "0" : "?");
      return NULL;
    }
  const char *at = hd_here(p);
  hd_type element = hd_parse_type(p);
  if (!element) return NULL;
  if (element->kind != HD_TYPE_INTEGER && element->kind != HD_TYPE_INDEX && element->kind != HD_TYPE_FLOAT &&
      element->kind != HD_TYPE_DIALECT && element->kind != HD_TYPE_OPAQUE) {
    hd_parser_error(p, at, "vector elements must be int/index/float type");
    return NULL;
  }
  return hd_expect(p, TOK_GREATER, "'>'") ? hd_type_vector(element, dims.data, dims.len, scalable.data) : NULL;
}

static hd_type complex_type(hd_parser *p) {
  if (!hd_expect(p, TOK_LESS, "'<'")) return NULL;
  const char *at = hd_here(p);
  hd_type element = hd_parse_type(p);
  if (!element) return NULL;
  if (element->kind != HD_TYPE_FLOAT && element->kind != HD_TYPE_INTEGER) {
    hd_parser_error(p, at, "invalid element type for complex");
    return NULL;
  }
  return hd_expect(p, TOK_GREATER, "'>'") ? hd_type_complex(element) : NULL;
}

static bool type_item(hd_parser *p, void *user) {
  hd_type_vec *out = user;
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  hd_vec_push(&p->scratch, out, type);
  return true;
}

bool hd_parse_type_list(hd_parser *p, hd_type_vec *out) { return hd_parse_list(p, TOK_EOF, TOK_EOF, type_item, out); }

bool hd_parse_function_type(hd_parser *p, hd_type_vec *ins, hd_type_vec *outs) {
  if (!hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, type_item, ins) || !hd_expect(p, TOK_ARROW, "'->'")) return false;
  if (hd_at(p, TOK_LPAREN)) return hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, type_item, outs);
  return type_item(p, outs);
}

static hd_type alias_type(hd_parser *p) {
  hd_str name = p->tok.text;
  hd_map_entry *entry = hd_map_find_bytes(&p->type_aliases, name.data + 1, name.len - 1);
  if (!entry) {
    hd_parser_error(p, name.data, "undefined symbol alias id '%.*s'", (int)(name.len - 1), name.data + 1);
    return NULL;
  }
  hd_alias *alias = entry->value.ptr;
  if (!alias->type) {
    if (alias->reading) {
      hd_parser_error(p, name.data, "the alias '%.*s' is defined by itself", (int)name.len, name.data);
      return NULL;
    }
    hd_jump(p, alias->definition);
    if (!hd_parser_read_alias(p, alias, true)) return NULL;
    hd_jump(p, name.data);
  } else if (!hd_parser_expand(p, alias)) {
    return NULL;
  }
  p->height = alias->height;
  hd_advance(p);
  return alias->type;
}

static hd_type parse_type(hd_parser *p) {
  if (hd_at(p, TOK_LPAREN)) {
    hd_type_vec ins = {0}, outs = {0};
    if (!hd_parse_function_type(p, &ins, &outs)) return NULL;
    return hd_type_function(p->context, ins.data, ins.len, outs.data, outs.len);
  }
  if (hd_at(p, TOK_BANG)) {
    /* Dialect types have a dot or an immediate '<'; all else are aliases. */
    hd_str name = p->tok.text;
    const char *behind = name.data + name.len;
    if (memchr(name.data, '.', name.len) || (behind < p->end && *behind == '<')) return hd_parse_dialect_type(p);
    return alias_type(p);
  }
  if (!hd_at(p, TOK_WORD)) {
    hd_parser_expected(p, "type");
    return NULL;
  }
  hd_str word = p->tok.text;
  int which = shaped_word(word);
  if (which >= 0) hd_advance(p);
  switch (which) {
    case 0:
      return tensor_type(p);
    case 1:
      return memref_type(p);
    case 2:
      return vector_type(p);
    case 3:
      return complex_type(p);
    case 4: {
      hd_type_vec items = {0};
      if (!hd_parse_list(p, TOK_LESS, TOK_GREATER, type_item, &items)) return NULL;
      return hd_type_tuple(p->context, items.data, items.len);
    }
    default:
      break;
  }
  hd_type type = builtin_word(p, word);
  if (!type) {
    hd_parser_expected(p, "type");
    return NULL;
  }
  hd_advance(p);
  return type;
}

hd_type hd_parse_type(hd_parser *p) {
  if (!hd_enter(p)) return NULL;
  uint32_t outer = p->height;
  p->height = 0;
  ++p->parts;
  hd_type type = parse_type(p);
  hd_leave(p);
  if (++p->height > HD_TEXT_NESTING && type) {
    hd_parser_error(p, hd_here(p), "nesting is deeper than %d", HD_TEXT_NESTING);
    return NULL;
  }
  if (p->height < outer) p->height = outer;
  return type;
}
