/* SPDX-License-Identifier: Apache-2.0 */
/* dense<...> and sparse<...>. The type comes after the elements, so these are gathered as tokens with their shape and
 * get their meaning when the type is known. */
#include "ir/number.h"
#include "ir/wide.h"
#include "text/parser.h"

/* A short literal stands for many bytes where elements are wide: what a program may ask for is bounded. */
enum { MOST_WIDE_BYTES = 1 << 26 };

typedef struct literal {
  hd_token_kind kind; /* TOK_INT, TOK_FLOAT, TOK_STRING, TOK_WORD for true and false */
  bool negative;
  hd_str text;
} literal;

typedef struct elements {
  hd_vec(literal) items;
  hd_int_vec shape;
  bool lists;   /* written with brackets (or empty), not one value for all */
  bool complex; /* items come in pairs (re, im) */
  bool hex;     /* one string with all bytes */
} elements;

static bool read_scalar(hd_parser *p, elements *out) {
  literal item = {p->tok.kind, hd_at(p, TOK_MINUS), p->tok.text};
  if (item.negative) {
    hd_advance(p);
    item.kind = p->tok.kind;
    item.text = p->tok.text;
  }
  bool number = item.kind == TOK_INT || item.kind == TOK_FLOAT;
  bool other = item.kind == TOK_STRING || (item.kind == TOK_WORD && (hd_at_word(p, "true") || hd_at_word(p, "false")));
  if (!number && (item.negative || !other)) return hd_parser_expected(p, "element literal of primitive type");
  hd_advance(p);
  hd_vec_push(&p->scratch, &out->items, item);
  return true;
}

static bool read_element(hd_parser *p, elements *out) {
  const char *at = hd_here(p);
  bool pair = hd_accept(p, TOK_LPAREN);
  if (out->items.len && pair != out->complex) return hd_parser_error(p, at, "elements are partly complex");
  out->complex = pair;
  if (!pair) return read_scalar(p, out);
  return read_scalar(p, out) && hd_expect(p, TOK_COMMA, "','") && read_scalar(p, out) &&
         hd_expect(p, TOK_RPAREN, "')'");
}

/* One bracketed list at |level|; the first list of a level fixes its length. */
static bool read_list(hd_parser *p, elements *out, size_t level) {
  const char *at = hd_here(p);
  if (!hd_enter(p)) return false;
  hd_advance(p);
  bool first = level == out->shape.len;
  if (first) hd_vec_push(&p->scratch, &out->shape, -1);
  int64_t count = 0;
  bool nested = false;
  if (!hd_at(p, TOK_RSQUARE)) {
    do {
      bool list = hd_at(p, TOK_LSQUARE);
      if (count && list != nested)
        return hd_parser_error(p, hd_here(p), "tensor literal is invalid; ranks are not consistent between elements");
      nested = list;
      if (!list && level + 1 != out->shape.len)
        return hd_parser_error(p, hd_here(p), "tensor literal is invalid; ranks are not consistent between elements");
      if (list ? !read_list(p, out, level + 1) : !read_element(p, out)) return false;
      ++count;
    } while (hd_accept(p, TOK_COMMA));
  } else if (level + 1 != out->shape.len) {
    return hd_parser_error(p, at, "tensor literal is invalid; ranks are not consistent between elements");
  }
  if (!hd_expect(p, TOK_RSQUARE, "',' or ']'")) return false;
  hd_leave(p);
  if (out->shape.data[level] < 0)
    out->shape.data[level] = count;
  else if (out->shape.data[level] != count)
    return hd_parser_error(p, at, "tensor literal is invalid; ranks are not consistent between elements");
  return true;
}

static bool read_elements(hd_parser *p, elements *out) {
  if (!hd_expect(p, TOK_LESS, "'<' after 'dense'")) return false;
  if (hd_accept(p, TOK_GREATER)) {
    out->lists = true;
    return true;
  }
  if (hd_at(p, TOK_LSQUARE)) {
    out->lists = true;
    if (!read_list(p, out, 0)) return false;
  } else {
    if (!read_element(p, out)) return false;
    literal *only = &out->items.data[0];
    out->hex = only->kind == TOK_STRING && only->text.len >= 4 && memcmp(only->text.data, "\"0x", 3) == 0;
  }
  return hd_expect(p, TOK_GREATER, "'>'");
}

static bool bad(hd_parser *p, const literal *item, const char *text) {
  return hd_parser_error(p, item->text.data, "%s", text);
}

/* |item| as an element of |type|, which has more than 64 bits. */
static bool wide_element(hd_parser *p, const literal *item, hd_type type, char *out) {
  bool hex = item->kind == TOK_INT && item->text.len > 2 && item->text.data[1] == 'x';
  if (type->kind == HD_TYPE_FLOAT) {
    if (item->kind == TOK_FLOAT) {
      double value = hd_float_literal(item->text);
      hd_wide_float_encode(type->float_kind, item->negative ? -value : value, out);
      return true;
    }
    if (item->kind == TOK_WORD || item->kind == TOK_STRING)
      return bad(p, item, "expected floating-point elements, but parsed a bool or a string");
    if (!hex) return bad(p, item, "expected floating-point elements, but parsed integer");
    if (item->negative) return bad(p, item, "hexadecimal float literal should not have a leading minus");
    return hd_wide_bits_read(type, item->text, out) || bad(p, item, "hexadecimal float constant out of range for type");
  }
  if (item->kind == TOK_WORD) return bad(p, item, "expected i1 type for 'true' or 'false' values");
  if (item->kind != TOK_INT) return bad(p, item, "expected integer elements, but parsed floating-point or a string");
  if (hd_wide_integer_read(type, item->text, item->negative, out)) return true;
  return bad(p, item,
             item->negative && type->integer.signedness == HD_UNSIGNED
                 ? "expected unsigned integer elements, but parsed negative value"
                 : "integer constant out of range for type");
}

/* The bits of |item| as an element of |type|. */
static bool element_bits(hd_parser *p, const literal *item, hd_type type, uint64_t *out) {
  hd_str text = item->text;
  bool hex = item->kind == TOK_INT && text.len > 2 && text.data[1] == 'x';
  if (type->kind == HD_TYPE_FLOAT) {
    if (item->kind == TOK_FLOAT) {
      double value = hd_float_literal(text);
      *out = hd_float_encode(type->float_kind, item->negative ? -value : value);
      return true;
    }
    if (item->kind == TOK_WORD || item->kind == TOK_STRING)
      return bad(p, item, "expected floating-point elements, but parsed a bool or a string");
    if (!hex) return bad(p, item, "expected floating-point elements, but parsed integer");
    int width = hd_float_formats[type->float_kind].bits;
    if (item->negative) return bad(p, item, "hexadecimal float literal should not have a leading minus");
    if (!hd_int_literal(text, out) || (width < 64 && *out >> width))
      return bad(p, item, "hexadecimal float constant out of range for type");
    return true;
  }
  uint32_t width = type->kind == HD_TYPE_INDEX ? 64 : type->integer.width;
  if (item->kind == TOK_WORD) {
    if (width != 1) return bad(p, item, "expected i1 type for 'true' or 'false' values");
    *out = text.data[0] == 't';
    return true;
  }
  if (item->kind != TOK_INT) return bad(p, item, "expected integer elements, but parsed floating-point or a string");
  uint64_t value;
  if (!hd_int_literal(text, &value)) return bad(p, item, "integer constant out of range for type");
  bool is_unsigned = type->kind == HD_TYPE_INTEGER && type->integer.signedness == HD_UNSIGNED;
  bool is_signed = type->kind == HD_TYPE_INTEGER && type->integer.signedness == HD_SIGNED;
  if (item->negative && is_unsigned)
    return bad(p, item, "expected unsigned integer elements, but parsed negative value");
  uint64_t ones = width == 64 ? UINT64_MAX : (1ull << width) - 1;
  if (item->negative ? value > 1ull << (width - 1) : value > (is_signed && !hex ? ones >> 1 : ones))
    return bad(p, item, "integer constant out of range for type");
  *out = item->negative ? 0 - value : value;
  return true;
}

bool hd_text_hex_bytes(hd_parser *p, hd_str string, char **out, size_t *out_size) {
  /* string: "0x..." with its quotes */
  hd_str digits = {string.data + 3, string.len - 4};
  if (digits.len % 2) return hd_parser_error(p, string.data, "elements hex string has an odd number of digits");
  char *bytes = hd_arena_alloc(&p->scratch, digits.len / 2 + 1);
  for (size_t i = 0; i < digits.len; i += 2) {
    int high = hd_hex_digit(digits.data[i]), low = hd_hex_digit(digits.data[i + 1]);
    if (high < 0 || low < 0) return hd_parser_error(p, string.data, "elements hex string only contains hex digits");
    bytes[i / 2] = (char)(high * 16 + low);
  }
  *out = bytes;
  *out_size = digits.len / 2;
  return true;
}

/* The scalar of which an element consists: the number type, also inside complex. Null: not a type of elements. */
static hd_type scalar_of(hd_type element) {
  hd_type scalar = element->kind == HD_TYPE_COMPLEX ? element->shaped.element : element;
  bool fits = scalar->kind == HD_TYPE_INDEX || scalar->kind == HD_TYPE_FLOAT ||
              (scalar->kind == HD_TYPE_INTEGER && scalar->integer.width >= 1 && scalar->integer.width <= HD_WIDE_BITS);
  return fits ? scalar : NULL;
}

static hd_attr hex_elements(hd_parser *p, const elements *in, hd_type type, int64_t count, const char *at) {
  hd_type element = hd_type_element(type);
  char *bytes;
  size_t size, each = hd_type_element_bytes(element);
  if (!hd_text_hex_bytes(p, in->items.data[0].text, &bytes, &size)) return NULL;
  if (hd_type_is_integer(element, 1)) { /* packed, eight to a byte */
    size_t packed = ((size_t)count + 7) / 8;
    bool splat =
        size == 1 && count != 0 && ((unsigned char)bytes[0] == 0xff || bytes[0] == 0 || (count > 8 && bytes[0] == 1));
    if (!splat && size != packed && size != (size_t)count) goto mismatch;
    if (splat) {
      char value = bytes[0] != 0;
      return hd_attr_dense(type, &value, 1, true);
    }
    if (size == (size_t)count && size != packed) return hd_attr_dense(type, bytes, size, false);
    char *wide = hd_arena_alloc(&p->scratch, (size_t)count + 1);
    for (size_t i = 0; i < (size_t)count; ++i) wide[i] = (char)((unsigned char)bytes[i / 8] >> (i % 8) & 1);
    return hd_attr_dense(type, wide, (size_t)count, false);
  }
  if (size == each && count != 0) {
    if (hd_type_is_wide(element)) hd_wide_trim(element, bytes);
    return hd_attr_dense(type, bytes, size, count != 1);
  }
  size_t wanted;
  if (__builtin_mul_overflow(each, (size_t)count, &wanted) || size != wanted) goto mismatch;
  /* Sub-byte integers come sign-extended or not; storage is one form. */
  if (hd_type_is_wide(element))
    for (size_t i = 0; i < (size_t)count; ++i) hd_wide_trim(element, bytes + i * each);
  else if (element->kind == HD_TYPE_INTEGER && element->integer.width % 8)
    for (size_t i = 0; i < (size_t)count; ++i)
      hd_element_store(element, bytes + i * each, hd_element_load(element, bytes + i * each));
  return hd_attr_dense(type, bytes, size, false);
mismatch:
  hd_parser_error(p, at, "elements hex data size is invalid for provided type");
  return NULL;
}

static hd_attr string_elements(hd_parser *p, const elements *in, hd_type type) {
  hd_attr_vec strings = {0};
  for (size_t i = 0; i < in->items.len; ++i) {
    if (in->items.data[i].kind != TOK_STRING) {
      bad(p, &in->items.data[i], "expected string literal");
      return NULL;
    }
    hd_vec_push(&p->scratch, &strings, hd_attr_string(p->context, hd_unescape(p, in->items.data[i].text)));
  }
  return hd_attr_dense_strings(type, strings.data, strings.len);
}

static bool check_shape(hd_parser *p, const elements *in, hd_type type, const char *at) {
  bool same = in->shape.len == type->shaped.rank;
  for (size_t i = 0; same && i < in->shape.len; ++i) same = in->shape.data[i] == type->shaped.dims[i];
  if (same) return true;
  hd_strbuf text;
  hd_strbuf_init(&text, &p->scratch);
  hd_strbuf_puts(&text, "inferred shape of elements literal ([");
  for (size_t i = 0; i < in->shape.len; ++i)
    hd_strbuf_printf(&text, "%s%lld", i ? ", " : "", (long long)in->shape.data[i]);
  hd_strbuf_puts(&text, "]) does not match type ([");
  for (uint32_t i = 0; i < type->shaped.rank; ++i)
    hd_strbuf_printf(&text, "%s%lld", i ? ", " : "", (long long)type->shaped.dims[i]);
  return hd_parser_error(p, at, "%s])", hd_strbuf_text(&text));
}

static hd_attr make_dense(hd_parser *p, const elements *in, hd_type type, const char *at) {
  if (type->kind != HD_TYPE_TENSOR && type->kind != HD_TYPE_VECTOR) {
    hd_parser_error(p, at, "elements literal must be a ranked tensor or vector type");
    return NULL;
  }
  int64_t count = hd_type_num_elements(type);
  if (count < 0) {
    hd_parser_error(p, at, "elements literal type must have static shape");
    return NULL;
  }
  hd_type element = hd_type_element(type);
  if (element->kind == HD_TYPE_QUANT) element = element->quant.storage;
  hd_type scalar = scalar_of(element);
  if (in->lists && in->items.len == 0) {
    if (count != 0) {
      if (in->shape.len) return check_shape(p, in, type, at) ? hd_attr_dense(type, "", 0, false) : NULL;
      hd_parser_error(p, at, "parsed zero elements, but type has at least 1");
      return NULL;
    }
    return scalar ? hd_attr_dense(type, "", 0, false) : hd_attr_dense_strings(type, NULL, 0);
  }
  if (in->hex && scalar) return hex_elements(p, in, type, count, at);
  if (in->lists && !check_shape(p, in, type, at)) return NULL;
  if (!scalar) {
    if (in->items.data[0].kind != TOK_STRING) {
      hd_parser_error(p, at, "expected string literals for an element type that is no number");
      return NULL;
    }
    return string_elements(p, in, type);
  }
  bool complex = element->kind == HD_TYPE_COMPLEX;
  if (complex != in->complex) {
    hd_parser_error(
        p, at, complex ? "expected complex elements, written (re, im)" : "unexpected complex elements for the type");
    return NULL;
  }
  size_t each = hd_type_element_bytes(scalar), total = in->items.len;
  if (hd_type_is_wide(scalar) && total > MOST_WIDE_BYTES / each) {
    hd_parser_error(p, at, "%zu elements of %s take more than %d bytes", total, hd_parser_type_text(p, scalar),
                    MOST_WIDE_BYTES);
    return NULL;
  }
  char *bytes = hd_arena_calloc(&p->scratch, total + 1, each);
  for (size_t i = 0; i < total; ++i) {
    uint64_t bits;
    if (hd_type_is_wide(scalar)) {
      if (!wide_element(p, &in->items.data[i], scalar, bytes + i * each)) return NULL;
      continue;
    }
    if (!element_bits(p, &in->items.data[i], scalar, &bits)) return NULL;
    hd_element_store(scalar, bytes + i * each, (int64_t)bits);
  }
  if (count == 0) return hd_attr_dense(type, "", 0, false);
  return hd_attr_dense(type, bytes, total * each, !in->lists);
}

struct hd_elements {
  bool is_sparse, is_empty;
  const char *at;           /* of sparse, what it is */
  elements values, indices; /* |indices| of sparse */
};

hd_elements *hd_parse_dense(hd_parser *p) {
  hd_elements *made = hd_new(&p->scratch, hd_elements);
  made->at = p->last_end;
  return read_elements(p, &made->values) ? made : NULL;
}

hd_elements *hd_parse_sparse(hd_parser *p) {
  hd_elements *made = hd_new(&p->scratch, hd_elements);
  *made = (hd_elements){.is_sparse = true, .at = hd_here(p)};
  if (!hd_expect(p, TOK_LESS, "'<' after 'sparse'")) return NULL;
  made->is_empty = hd_accept(p, TOK_GREATER);
  if (made->is_empty) return made;
  elements *both[] = {&made->indices, &made->values};
  for (int i = 0; i < 2; ++i) {
    if (i && !hd_expect(p, TOK_COMMA, "','")) return NULL;
    both[i]->lists = hd_at(p, TOK_LSQUARE);
    if (both[i]->lists ? !read_list(p, both[i], 0) : !read_element(p, both[i])) return NULL;
  }
  return hd_expect(p, TOK_GREATER, "'>'") ? made : NULL;
}

static hd_attr make_sparse(hd_parser *p, const hd_elements *in, hd_type type) {
  const char *at = in->at;
  elements indices = in->indices, values = in->values;
  if (type->kind != HD_TYPE_TENSOR && type->kind != HD_TYPE_VECTOR) {
    hd_parser_error(p, at, "sparse elements need a ranked tensor or vector type");
    return NULL;
  }
  hd_type i64 = hd_i64(p->context);
  int64_t rank = type->shaped.rank, count = 0;
  if (in->is_empty) {
    int64_t none[] = {0, rank};
    return hd_attr_sparse(type, hd_attr_dense(hd_type_tensor(i64, none, 2, NULL), "", 0, false),
                          hd_attr_dense(hd_type_tensor(hd_type_element(type), none, 1, NULL), "", 0, false));
  }
  /* A single position may be written without brackets: sparse<0, 1>, sparse<[0, 2], 1>. */
  count = indices.shape.len == 2                   ? indices.shape.data[0]
          : indices.shape.len == 1 && values.lists ? indices.shape.data[0]
                                                   : 1;
  int64_t index_dims[] = {count, rank}, value_dims[] = {count};
  if (indices.lists && indices.shape.len < 2) { /* read a list of rank-1 positions, or one position, as a matrix */
    hd_int_vec shape = {0};
    hd_vec_push(&p->scratch, &shape, count);
    hd_vec_push(&p->scratch, &shape, rank);
    if ((int64_t)indices.items.len != count * rank) {
      hd_parser_error(p, at, "sparse index has %zu values, expected %lld", indices.items.len,
                      (long long)(count * rank));
      return NULL;
    }
    indices.shape = shape;
  }
  hd_attr index_attr = make_dense(p, &indices, hd_type_tensor(i64, index_dims, 2, NULL), at);
  if (!index_attr) return NULL;
  hd_attr value_attr = make_dense(p, &values, hd_type_tensor(hd_type_element(type), value_dims, 1, NULL), at);
  if (!value_attr) return NULL;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t d = 0; d < rank; ++d) {
      int64_t position = hd_attr_int_at(index_attr, (size_t)(i * rank + d));
      if (position < 0 || position >= type->shaped.dims[d]) {
        hd_parser_error(p, at, "sparse index #%lld is not contained within the value shape", (long long)i);
        return NULL;
      }
    }
  return hd_attr_sparse(type, index_attr, value_attr);
}

hd_attr hd_elements_of(hd_parser *p, const hd_elements *elements, hd_type type, const char *at) {
  return elements->is_sparse ? make_sparse(p, elements, type)
                             : make_dense(p, &elements->values, type, at ? at : elements->at);
}
