/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes: f32[4,<=8]{1,0}, (f32[], token[]), s32[]. */
#include <ctype.h>

#include "base/element_types.h"
#include "hlo/syntax.h"
#include "ir/element_types.h"

/* HLO has XLA's names in lower case, and u1, which is no element type of the runtime's. */
static bool is_name(hd_str name, const char *xla_name) {
  if (strlen(xla_name) != name.len) return false;
  for (size_t i = 0; i < name.len; ++i)
    if (tolower((unsigned char)xla_name[i]) != name.data[i]) return false;
  return true;
}

/* The element type named |name|, null when there is none. */
static hd_type element_type(hd_context *context, hd_str name) {
  if (hd_str_is(name, "u1")) return hd_type_integer(context, 1, HD_UNSIGNED);
  if (hd_str_is(name, "invalid")) return NULL;
  for (int type = 1; type < HD_ELEMENT_TYPE_LIMIT; ++type)
    if (is_name(name, hd_element_infos[type].xla_name)) return hd_type_of_element(context, (hd_element_type)type);
  return NULL;
}

hd_hlo_element_text hd_hlo_element_name(hd_type element) {
  hd_hlo_element_text name = {{0}};
  if (hd_type_is_integer(element, 1) && element->integer.signedness == HD_UNSIGNED) return (hd_hlo_element_text){"u1"};
  if (element->kind != HD_TYPE_INTEGER && element->kind != HD_TYPE_FLOAT && element->kind != HD_TYPE_COMPLEX)
    return name;
  const hd_element_info *info = hd_element_info_of(hd_element_type_of(element));
  if (!info->xla_name || info->type_class == HD_ELEMENT_CLASS_SIGNED || !strcmp(info->xla_name, "INVALID")) return name;
  for (size_t i = 0; info->xla_name[i]; ++i) name.text[i] = (char)tolower((unsigned char)info->xla_name[i]);
  return name;
}

static bool parse_tuple(hd_hlo_cursor *c, hd_hlo_shape *out) {
  const char *at = c->at;
  if (c->r->depth >= HD_HLO_NESTING)
    return hd_hlo_fail(c->r, at, "expected tuples at most %d deep, got more", HD_HLO_NESTING);
  ++c->r->depth;
  hd_vec(hd_hlo_shape) elements = {0};
  *out = (hd_hlo_shape){0};
  if (!hd_hlo_accept(c, ')')) {
    do {
      hd_hlo_shape element;
      if (!hd_hlo_parse_shape(c, &element)) return false;
      hd_vec_push(&c->r->scratch, &elements, element);
      out->leaves += element.leaves;
    } while (hd_hlo_accept(c, ','));
    if (!hd_hlo_expect(c, ')')) return false;
  }
  --c->r->depth;
  out->count = (uint32_t)elements.len;
  out->elements = elements.data;
  return true;
}

/* 4, <=4, ? or ?<=4 */
static bool parse_dim(hd_hlo_cursor *c, int64_t *out_dim, int64_t *out_bound) {
  bool unknown = hd_hlo_accept(c, '?'), bounded = hd_hlo_accept(c, '<');
  *out_dim = *out_bound = HD_DYNAMIC;
  if (bounded && !hd_hlo_expect(c, '=')) return false;
  if (unknown && !bounded) return true;
  hd_hlo_more(c);
  const char *at = c->at;
  int64_t size;
  if (!hd_hlo_int(c, &size)) return false;
  if (size < 0) return hd_hlo_fail(c->r, at, "expected a size of a dim, got %lld", (long long)size);
  *(bounded ? out_bound : out_dim) = size;
  return true;
}

/* {1,0} and what hardware adds after a colon, which says nothing here unless it is a tiling. */
static bool parse_layout(hd_hlo_cursor *c, hd_hlo_shape *out) {
  const char *at = c->at;
  hd_hlo_ints order = {0};
  ++c->at;
  while (hd_hlo_more(c) && *c->at != '}' && *c->at != ':') {
    int64_t dim;
    if ((order.len && !hd_hlo_expect(c, ',')) || !hd_hlo_int(c, &dim)) return false;
    hd_vec_push(&c->r->scratch, &order, dim);
  }
  if (hd_hlo_accept(c, ':')) {
    hd_str rest;
    hd_hlo_more(c);
    out->tiled = c->at < c->end && (*c->at == 'T' || *c->at == 'E');
    do {
      if (!hd_hlo_skip_value(c, &rest)) return false;
    } while (hd_hlo_accept(c, ','));
  }
  if (!hd_hlo_expect(c, '}')) return false;
  uint32_t rank = hd_type_rank(out->type);
  uint64_t seen = 0;
  bool usual = true;
  if (!order.len) return true;
  for (size_t i = 0; i < order.len; ++i) {
    int64_t dim = order.data[i];
    if (order.len != rank || dim < 0 || dim >= (int64_t)rank || seen >> dim & 1)
      return hd_hlo_fail(c->r, at, "expected a layout of the %u dims, each once, got %lld", rank, (long long)dim);
    seen |= 1ull << dim;
    usual &= dim == (int64_t)(rank - 1 - i);
  }
  if (!usual) out->minor_to_major = order.data;
  return true;
}

static hd_type bounded_tensor(hd_type element, const hd_hlo_ints *dims, const hd_hlo_ints *bounds, bool bounded) {
  hd_attr list = bounded ? hd_attr_i64_array(element->context, bounds->data, bounds->len) : NULL;
  hd_attr encoding = list ? hd_attr_struct(element->context, HD_STRUCT_stablehlo_bounds, &list, 1) : NULL;
  return hd_type_tensor(element, dims->data, dims->len, encoding);
}

/* The first `{` after a shape in the head of a computation begins its body, but a layout has digits. */
static bool at_layout(hd_hlo_cursor *c) {
  if (c->at == c->end || *c->at != '{') return false;
  const char *p = c->at + 1;
  while (p < c->end && *p == ' ') ++p;
  return p < c->end && ((*p >= '0' && *p <= '9') || *p == '}' || *p == ':');
}

static bool parse_array(hd_hlo_cursor *c, hd_type element, hd_hlo_shape *out) {
  hd_hlo_ints dims = {0}, bounds = {0};
  bool bounded = false;
  if (!hd_hlo_expect(c, '[')) return false;
  const char *at = c->at;
  if (!hd_hlo_accept(c, ']')) {
    do {
      int64_t dim, bound;
      if (!parse_dim(c, &dim, &bound)) return false;
      bounded |= bound != HD_DYNAMIC;
      hd_vec_push(&c->r->scratch, &dims, dim);
      hd_vec_push(&c->r->scratch, &bounds, bound);
    } while (hd_hlo_accept(c, ','));
    if (!hd_hlo_expect(c, ']')) return false;
  }
  if (dims.len > HD_MAX_RANK) return hd_hlo_fail(c->r, at, "expected at most %d dims, got %zu", HD_MAX_RANK, dims.len);
  out->type = bounded_tensor(element, &dims, &bounds, bounded);
  return !at_layout(c) || parse_layout(c, out);
}

bool hd_hlo_parse_shape(hd_hlo_cursor *c, hd_hlo_shape *out) {
  if (hd_hlo_accept(c, '(')) return parse_tuple(c, out);
  *out = (hd_hlo_shape){.leaves = 1};
  hd_hlo_more(c);
  const char *at = c->at;
  hd_str name = hd_hlo_word(c);
  if (hd_str_is(name, "token")) {
    out->type = hd_type_dialect(c->r->context, HD_TYPE_ROW_stablehlo_token, NULL, 0);
    if (!hd_hlo_expect(c, '[') || !hd_hlo_expect(c, ']')) return false;
    if (at_layout(c) && !(hd_hlo_accept(c, '{') && hd_hlo_expect(c, '}'))) return false;
    return true;
  }
  hd_type element = element_type(c->r->context, name);
  if (element) return parse_array(c, element, out);
  if (!name.len) return hd_hlo_expected(c, "a shape");
  return hd_hlo_fail(c->r, at, "expected an element type, got '%.*s'", (int)name.len, name.data);
}

/* f32[4,<=8,?] */
bool hd_hlo_put_array(hd_type type, hd_strbuf *out) {
  if (hd_type_is_token(type)) {
    hd_strbuf_puts(out, "token[]");
    return true;
  }
  if (!hd_type_is(type, HD_TYPE_TENSOR)) return false;
  hd_hlo_element_text element = hd_hlo_element_name(hd_type_element(type));
  if (!*element.text) return false;
  hd_attr encoding = type->shaped.encoding, bounds = NULL;
  if (encoding) {
    if (encoding->kind != HD_ATTR_STRUCT || encoding->structure.row != HD_STRUCT_stablehlo_bounds) return false;
    bounds = encoding->structure.params[0];
  }
  hd_strbuf_printf(out, "%s[", element.text);
  for (uint32_t i = 0; i < hd_type_rank(type); ++i) {
    int64_t dim = hd_type_dim(type, i), bound = hd_attr_int_at_or(bounds, i, HD_DYNAMIC);
    if (i) hd_strbuf_putc(out, ',');
    if (dim != HD_DYNAMIC)
      hd_strbuf_printf(out, "%lld", (long long)dim);
    else if (bound != HD_DYNAMIC)
      hd_strbuf_printf(out, "<=%lld", (long long)bound);
    else
      hd_strbuf_putc(out, '?');
  }
  hd_strbuf_putc(out, ']');
  return true;
}
