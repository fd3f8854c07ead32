/* SPDX-License-Identifier: Apache-2.0 */
/* Quantized types: !quant.uniform<i8<-8:7>:f32, 0.5:3>, per axis <i8:f32:1, {0.5:3, 0.25}>, by blocks
 * <i8:f32:{0:1, 1:4}, {{0.5:3, 0.25}, {1.0, 2.0}}>. */
#include "text/rows.h"

typedef hd_vec(double) double_vec;

typedef struct quant_reader {
  double_vec scales;
  hd_int_vec zeros, axes, sizes, dims;
} quant_reader;

static bool scale_item(hd_parser *p, void *user) {
  quant_reader *r = user;
  const char *at = hd_here(p);
  if (!hd_at(p, TOK_FLOAT)) return hd_parser_expected(p, "a floating-point scale");
  double scale = hd_float_literal(p->tok.text);
  hd_advance(p);
  int64_t zero = 0;
  if (hd_accept(p, TOK_COLON) && !hd_parse_int(p, &zero)) return false;
  if (!(scale > 0) || scale > 1e300) return hd_parser_error(p, at, "illegal scale: %g", scale);
  hd_vec_push(&p->scratch, &r->scales, scale);
  hd_vec_push(&p->scratch, &r->zeros, zero);
  return true;
}

static bool block_item(hd_parser *p, void *user) {
  quant_reader *r = user;
  int64_t axis, size;
  if (!hd_parse_int(p, &axis) || !hd_expect(p, TOK_COLON, "':'") || !hd_parse_int(p, &size)) return false;
  hd_vec_push(&p->scratch, &r->axes, axis);
  hd_vec_push(&p->scratch, &r->sizes, size);
  return true;
}

/* Nested lists of scales; the first one of a level fixes its length. */
static bool scale_tensor(hd_parser *p, quant_reader *r, size_t level) {
  const char *at = hd_here(p);
  int64_t count = 0;
  bool first = level == r->dims.len;
  if (!hd_expect(p, TOK_LBRACE, "'{'") || !hd_enter(p)) return false;
  if (first) hd_vec_push(&p->scratch, &r->dims, -1);
  do {
    if (hd_at(p, TOK_LBRACE) ? !scale_tensor(p, r, level + 1) : level + 1 != r->dims.len || !scale_item(p, r))
      return hd_parser_error(p, at, "scales are no tensor");
    ++count;
  } while (hd_accept(p, TOK_COMMA));
  hd_leave(p);
  if (r->dims.data[level] >= 0 && r->dims.data[level] != count) return hd_parser_error(p, at, "scales are no tensor");
  r->dims.data[level] = count;
  return hd_expect(p, TOK_RBRACE, "'}'");
}

static bool storage(hd_parser *p, struct hd_type_storage *out) {
  const char *at = hd_here(p);
  hd_str word;
  if (!hd_parse_word(p, "a storage type such as i8 or u8", &word)) return false;
  uint64_t width;
  size_t skip = word.len > 2 && word.data[1] == 'i' ? 2 : 1;
  if (word.len <= skip || (word.data[0] != 'i' && word.data[0] != 'u' && word.data[0] != 's') ||
      !hd_int_literal((hd_str){word.data + skip, word.len - skip}, &width) || width < 1 || width > 32)
    return hd_parser_error(p, at, "illegal quantized storage type alias '%.*s'", (int)word.len, word.data);
  for (size_t i = skip; i < word.len; ++i)
    if (word.data[i] < '0' || word.data[i] > '9') return hd_parser_error(p, at, "illegal quantized storage type");
  out->quant.is_signed = word.data[0] != 'u';
  out->quant.storage = hd_type_integer(p->context, (uint32_t)width, HD_SIGNLESS);
  int64_t low = out->quant.is_signed ? -(1ll << (width - 1)) : 0;
  int64_t high = out->quant.is_signed ? (1ll << (width - 1)) - 1 : (1ll << width) - 1;
  out->quant.storage_min = low;
  out->quant.storage_max = high;
  if (!hd_accept(p, TOK_LESS)) return true;
  at = hd_here(p);
  if (!hd_parse_int(p, &out->quant.storage_min) || !hd_expect(p, TOK_COLON, "':'") ||
      !hd_parse_int(p, &out->quant.storage_max) || !hd_expect(p, TOK_GREATER, "'>'"))
    return false;
  if (out->quant.storage_min >= low && out->quant.storage_max <= high &&
      out->quant.storage_min < out->quant.storage_max)
    return true;
  return hd_parser_error(p, at, "illegal storage minimum or maximum");
}

hd_type hd_parse_quant(hd_parser *p, hd_str name) {
  struct hd_type_storage type = {.quant = {.axis = -1, .count = 1}};
  quant_reader r = {0};
  if (!hd_str_is(name, "uniform")) {
    hd_parser_error(p, name.data, "unknown quantized type 'quant.%.*s', expected 'quant.uniform'", (int)name.len,
                    name.data);
    return NULL;
  }
  const char *at = hd_here(p);
  if (!hd_expect(p, TOK_LESS, "'<'") || !storage(p, &type)) return NULL;
  if (!hd_expect(p, TOK_COLON, "':'")) return NULL;
  const char *expressed = hd_here(p);
  if (!(type.quant.expressed = hd_parse_type(p))) return NULL;
  if (type.quant.expressed->kind != HD_TYPE_FLOAT) {
    hd_parser_error(p, expressed, "expressed type must be floating point");
    return NULL;
  }
  bool blocks = false;
  if (hd_accept(p, TOK_COLON)) {
    type.quant.per_axis = true;
    if (hd_at(p, TOK_LBRACE)) {
      blocks = true;
      if (!hd_parse_list(p, TOK_LBRACE, TOK_RBRACE, block_item, &r)) return NULL;
    } else {
      int64_t axis;
      if (!hd_parse_int(p, &axis)) return NULL;
      if (axis < 0 || axis > 1024) {
        hd_parser_error(p, at, "illegal quantized dimension: %lld", (long long)axis);
        return NULL;
      }
      type.quant.axis = (int32_t)axis;
    }
  }
  if (!hd_expect(p, TOK_COMMA, "','")) return NULL;
  if (type.quant.per_axis ? !scale_tensor(p, &r, 0) : !scale_item(p, &r)) return NULL;
  if (!hd_expect(p, TOK_GREATER, "'>'")) return NULL;
  if (!blocks && r.dims.len > 1) {
    hd_parser_error(p, at, "scales of one axis are a flat list");
    return NULL;
  }
  type.quant.count = (uint32_t)r.scales.len;
  type.quant.scales = r.scales.data;
  type.quant.zero_points = r.zeros.data;
  type.quant.block_rank = (uint32_t)r.axes.len;
  type.quant.block_axes = r.axes.data;
  type.quant.block_sizes = r.sizes.data;
  type.quant.scale_rank = blocks ? (uint32_t)r.dims.len : 0;
  type.quant.scale_dims = r.dims.data;
  if (blocks && r.dims.len < r.axes.len) {
    hd_parser_error(p, at, "scales have %zu dims, expected at least %zu", r.dims.len, r.axes.len);
    return NULL;
  }
  return hd_type_quant(p->context, &type);
}
