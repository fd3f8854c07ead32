/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions with a list per dim: windows, convolutions, pads, slices. */
#include "hlo/import.h"

/* window={size=2x2 stride=1x1 pad=0_1x0_0 lhs_dilate=.. rhs_dilate=.. rhs_reversal=..}: null where not written. */
typedef struct window {
  size_t rank;
  const int64_t *size, *stride, *padding, *base_dilation, *window_dilation, *reversal;
} window;

/* 3x4 or 0_1x2_3: numbers in groups of |columns|. */
static bool read_groups(hd_hlo_cursor *c, size_t columns, hd_hlo_ints *out) {
  do {
    for (size_t i = 0; i < columns; ++i) {
      int64_t value;
      if ((i && !hd_hlo_expect(c, '_')) || !hd_hlo_int(c, &value)) return false;
      hd_vec_push(&c->r->scratch, out, value);
    }
  } while (hd_hlo_accept(c, 'x'));
  if (out->len <= columns * HD_MAX_RANK) return true;
  return hd_hlo_fail(c->r, c->at, "expected at most %d dims, got %zu", HD_MAX_RANK, out->len / columns);
}

static bool read_field(hd_hlo_cursor *c, window *out) {
  static const struct {
    const char *name;
    size_t columns, offset;
  } fields[] = {{"size", 1, offsetof(window, size)},
                {"stride", 1, offsetof(window, stride)},
                {"pad", 2, offsetof(window, padding)},
                {"lhs_dilate", 1, offsetof(window, base_dilation)},
                {"rhs_dilate", 1, offsetof(window, window_dilation)},
                {"rhs_reversal", 1, offsetof(window, reversal)}};
  hd_hlo_more(c);
  const char *at = c->at;
  hd_str name = hd_hlo_word(c);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
    if (!hd_str_is(name, fields[i].name)) continue;
    hd_hlo_ints values = {0};
    if (!hd_hlo_expect(c, '=') || !read_groups(c, fields[i].columns, &values)) return false;
    size_t rank = values.len / fields[i].columns;
    if (out->rank && rank != out->rank)
      return hd_hlo_fail(c->r, at, "expected %zu dims in '%s', got %zu", out->rank, fields[i].name, rank);
    out->rank = rank;
    memcpy((char *)out + fields[i].offset, &values.data, sizeof values.data);
    return true;
  }
  c->at = at;
  return hd_hlo_expected(c, "size, stride, pad, lhs_dilate, rhs_dilate or rhs_reversal");
}

static bool read_window(hd_hlo_import *s, const hd_hlo_inst *inst, window *out) {
  *out = (window){0};
  hd_str text = hd_hlo_find_attr(inst, "window");
  if (!text.data) return true;
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, text);
  if (!hd_hlo_expect(&c, '{')) return false;
  while (!hd_hlo_accept(&c, '}'))
    if (!read_field(&c, out)) return false;
  return true;
}

static bool add_dims(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *attrs, hd_name name,
                     const int64_t *values, size_t count) {
  return !values || hd_hlo_add_attr(s, inst, attrs, name, hd_attr_i64_array(s->b.context, values, count));
}

static bool add_padding(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *attrs, const window *w) {
  return !w->padding ||
         hd_hlo_add_attr(s, inst, attrs, HD_NAME_padding, hd_hlo_matrix(s->b.context, w->padding, w->rank, 2));
}

bool hd_hlo_import_reduce_window(hd_hlo_import *s, const hd_hlo_inst *inst) {
  window w;
  hd_hlo_attr_args attrs;
  hd_value **values;
  uint32_t count;
  hd_hlo_computation *body = hd_hlo_find_computation(s, inst, "to_apply");
  if (!body || !read_window(s, inst, &w) || !hd_hlo_operands(s, inst, &values, &count) ||
      !hd_hlo_read_attrs(s, inst, &attrs))
    return false;
  if (!w.size && !add_dims(s, inst, &attrs, HD_NAME_window_dimensions, (int64_t[]){0}, 0)) return false;
  if (!add_dims(s, inst, &attrs, HD_NAME_window_dimensions, w.size, w.rank) ||
      !add_dims(s, inst, &attrs, HD_NAME_window_strides, w.stride, w.rank) ||
      !add_dims(s, inst, &attrs, HD_NAME_base_dilations, w.base_dilation, w.rank) ||
      !add_dims(s, inst, &attrs, HD_NAME_window_dilations, w.window_dilation, w.rank) ||
      !add_padding(s, inst, &attrs, &w))
    return false;
  hd_op *op = hd_hlo_make(s, inst, HD_OP_stablehlo_reduce_window, values, count, &attrs, 1);
  return op && hd_hlo_import_region(s, inst, body, hd_op_region(op, 0));
}

bool hd_hlo_import_select_and_scatter(hd_hlo_import *s, const hd_hlo_inst *inst) {
  window w;
  hd_hlo_attr_args attrs;
  hd_value **values;
  uint32_t count;
  hd_hlo_computation *select = hd_hlo_find_computation(s, inst, "select");
  hd_hlo_computation *scatter = select ? hd_hlo_find_computation(s, inst, "scatter") : NULL;
  if (!scatter || !read_window(s, inst, &w) || !hd_hlo_operands(s, inst, &values, &count) ||
      !hd_hlo_read_attrs(s, inst, &attrs) || !add_dims(s, inst, &attrs, HD_NAME_window_dimensions, w.size, w.rank) ||
      !add_dims(s, inst, &attrs, HD_NAME_window_strides, w.stride, w.rank) || !add_padding(s, inst, &attrs, &w))
    return false;
  hd_op *op = hd_hlo_make(s, inst, HD_OP_stablehlo_select_and_scatter, values, count, &attrs, 2);
  return op && hd_hlo_import_region(s, inst, select, hd_op_region(op, 0)) &&
         hd_hlo_import_region(s, inst, scatter, hd_op_region(op, 1));
}

/* One of the three parts of b01f_01io->b01f: where the dims |named| are and where those with numbers. */
typedef struct dim_labels {
  int64_t named[2], spatial[HD_MAX_RANK];
  size_t rank;
} dim_labels;

static bool read_labels(hd_hlo_cursor *c, const char *named, dim_labels *out) {
  const char *at = c->at;
  uint64_t seen = 0;
  int found = 0;
  int64_t position = 0;
  out->rank = 0;
  for (; c->at < c->end && *c->at != '_' && *c->at != '-'; ++c->at, ++position) {
    int64_t digit = *c->at - '0';
    if (*c->at == '?') continue;
    if (position >= HD_MAX_RANK) return hd_hlo_fail(c->r, at, "expected at most %d dims, got more", HD_MAX_RANK);
    if (digit >= 0 && digit <= 9) {
      if (seen >> digit & 1) return hd_hlo_fail(c->r, at, "expected each dim once, got a second %d", (int)digit);
      seen |= 1ull << digit;
      out->spatial[digit] = position;
      ++out->rank;
    } else if (*c->at == named[0] || *c->at == named[1]) {
      int which = *c->at == named[1];
      if (found >> which & 1) return hd_hlo_fail(c->r, at, "expected each dim once, got a second '%c'", *c->at);
      found |= 1 << which;
      out->named[which] = position;
    } else {
      return hd_hlo_fail(c->r, c->at, "expected '%c', '%c' or a digit, got '%c'", named[0], named[1], *c->at);
    }
  }
  if (found != 3 || seen != (1ull << out->rank) - 1)
    return hd_hlo_fail(c->r, at, "expected '%c', '%c' and the digits from 0 on, got '%.*s'", named[0], named[1],
                       (int)(c->at - at), at);
  return true;
}

static hd_attr read_dim_labels(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_str text = hd_hlo_find_attr(inst, "dim_labels");
  hd_context *context = s->b.context;
  dim_labels in, kernel, out;
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, text);
  if (!text.data) {
    hd_hlo_fail(s->r, inst->at, "expected 'dim_labels=', got none");
    return NULL;
  }
  if (!read_labels(&c, "bf", &in) || !hd_hlo_expect(&c, '_') || !read_labels(&c, "io", &kernel) ||
      !hd_hlo_expect(&c, '-') || !hd_hlo_expect(&c, '>') || !read_labels(&c, "bf", &out))
    return NULL;
  if (in.rank != kernel.rank || in.rank != out.rank) {
    hd_hlo_fail(s->r, text.data, "expected as many spatial dims in each part, got %zu, %zu and %zu", in.rank,
                kernel.rank, out.rank);
    return NULL;
  }
  const dim_labels *const parts[] = {&in, &kernel, &out};
  hd_attr params[9];
  for (int i = 0; i < 3; ++i) {
    params[3 * i] = hd_attr_i64(context, parts[i]->named[0]);
    params[3 * i + 1] = hd_attr_i64(context, parts[i]->named[1]);
    params[3 * i + 2] = hd_attr_i64_array(context, parts[i]->spatial, parts[i]->rank);
  }
  return hd_attr_struct(context, HD_STRUCT_stablehlo_conv, params, 9);
}

static bool add_reversal(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *attrs, const window *w) {
  bool reversed[HD_MAX_RANK];
  for (size_t i = 0; w->reversal && i < w->rank; ++i) reversed[i] = w->reversal[i] != 0;
  return !w->reversal ||
         hd_hlo_add_attr(s, inst, attrs, HD_NAME_window_reversal, hd_attr_bool_array(s->b.context, reversed, w->rank));
}

static bool add_group(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *attrs, const char *text,
                      hd_name name) {
  return hd_hlo_find_attr(inst, text).data || hd_hlo_add_attr(s, inst, attrs, name, hd_attr_i64(s->b.context, 1));
}

bool hd_hlo_import_convolution(hd_hlo_import *s, const hd_hlo_inst *inst) {
  window w;
  hd_hlo_attr_args attrs;
  hd_value **values;
  uint32_t count;
  if (!read_window(s, inst, &w) || !hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs))
    return false;
  hd_attr numbers = read_dim_labels(s, inst);
  if (!numbers || !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_dimension_numbers, numbers) ||
      !add_dims(s, inst, &attrs, HD_NAME_window_strides, w.stride, w.rank) ||
      !add_dims(s, inst, &attrs, HD_NAME_lhs_dilation, w.base_dilation, w.rank) ||
      !add_dims(s, inst, &attrs, HD_NAME_rhs_dilation, w.window_dilation, w.rank) ||
      !add_padding(s, inst, &attrs, &w) || !add_reversal(s, inst, &attrs, &w) ||
      !add_group(s, inst, &attrs, "feature_group_count", HD_NAME_feature_group_count) ||
      !add_group(s, inst, &attrs, "batch_group_count", HD_NAME_batch_group_count))
    return false;
  hd_hlo_make(s, inst, HD_OP_stablehlo_convolution, values, count, &attrs, 0);
  return true;
}

/* padding=0_1_2x-1_0: low, high and, where one is not 0, between elements. */
bool hd_hlo_import_pad(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_ints parts[3] = {{0}, {0}, {0}};
  hd_hlo_attr_args attrs;
  hd_value **values;
  uint32_t count;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, hd_hlo_find_attr(inst, "padding"));
  while (c.at && hd_hlo_more(&c)) {
    for (int i = 0; i < 3; ++i) {
      int64_t value = 0;
      if (i == 2 ? hd_hlo_accept(&c, '_') && !hd_hlo_int(&c, &value)
                 : (i && !hd_hlo_expect(&c, '_')) || !hd_hlo_int(&c, &value))
        return false;
      hd_vec_push(&s->r->scratch, &parts[i], value);
    }
    if (!hd_hlo_accept(&c, 'x')) break;
  }
  if (c.at && !hd_hlo_at_end(&c, "the padding")) return false;
  static const hd_name names[] = {HD_NAME_edge_padding_low, HD_NAME_edge_padding_high, HD_NAME_interior_padding};
  for (int i = 0; i < 3; ++i)
    if (!hd_hlo_add_attr(s, inst, &attrs, names[i], hd_attr_i64_array(s->b.context, parts[i].data, parts[i].len)))
      return false;
  hd_hlo_make(s, inst, HD_OP_stablehlo_pad, values, count, &attrs, 0);
  return true;
}

/* slice={[0:4], [2:8:3]} */
bool hd_hlo_import_slice(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_ints parts[3] = {{0}, {0}, {0}};
  hd_hlo_attr_args attrs;
  hd_value **values;
  uint32_t count;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, hd_hlo_find_attr(inst, "slice"));
  if (!c.at) return hd_hlo_fail(s->r, inst->at, "expected 'slice=', got none");
  if (!hd_hlo_expect(&c, '{')) return false;
  while (hd_hlo_accept(&c, '[')) {
    int64_t bounds[3] = {0, 0, 1};
    if (!hd_hlo_int(&c, &bounds[0]) || !hd_hlo_expect(&c, ':') || !hd_hlo_int(&c, &bounds[1]) ||
        (hd_hlo_accept(&c, ':') && !hd_hlo_int(&c, &bounds[2])) || !hd_hlo_expect(&c, ']'))
      return false;
    for (int i = 0; i < 3; ++i) hd_vec_push(&s->r->scratch, &parts[i], bounds[i]);
    if (!hd_hlo_accept(&c, ',')) break;
  }
  if (!hd_hlo_expect(&c, '}') || !hd_hlo_at_end(&c, "the slice")) return false;
  static const hd_name names[] = {HD_NAME_start_indices, HD_NAME_limit_indices, HD_NAME_strides};
  for (int i = 0; i < 3; ++i)
    if (!hd_hlo_add_attr(s, inst, &attrs, names[i], hd_attr_i64_array(s->b.context, parts[i].data, parts[i].len)))
      return false;
  hd_hlo_make(s, inst, HD_OP_stablehlo_slice, values, count, &attrs, 0);
  return true;
}
