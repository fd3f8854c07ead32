/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions: dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f] and window = {stride = [2, 2], ...}. */
#include <inttypes.h>

#include "text/parse_op.h"
#include "text/printer.h"

/* Parameters of stablehlo.conv by their place in the row. */
enum { IN_BATCH, IN_FEATURE, IN_SPATIAL, K_IN, K_OUT, K_SPATIAL, OUT_BATCH, OUT_FEATURE, OUT_SPATIAL, CONV_PARAMS };

/* One bracket: letters |a| and |b| once each, the numbers 0..n-1 once each. */
static bool parse_side(hd_parser *p, char a, char b, hd_attr *out_a, hd_attr *out_b, hd_attr *out_spatial) {
  const char *at = hd_here(p);
  hd_int_vec spatial = {0};
  int64_t place = 0, where[2] = {-1, -1};
  if (!hd_expect(p, TOK_LSQUARE, "'['")) return false;
  while (!hd_at(p, TOK_RSQUARE)) {
    if (place && !hd_expect(p, TOK_COMMA, "','")) return false;
    const char *item = hd_here(p);
    if (hd_accept(p, TOK_QUESTION)) {
      ++place; /* a dim without meaning */
      continue;
    }
    if (hd_at(p, TOK_WORD)) {
      char c = p->tok.text.data[0];
      if (p->tok.text.len != 1 || (c != a && c != b))
        return hd_parser_error(p, item, "unexpected dimension '%.*s', expected '%c' or '%c'", (int)p->tok.text.len,
                               item, a, b);
      if (where[c == b] >= 0) return hd_parser_error(p, item, "duplicate entries for '%c'", c);
      where[c == b] = place++;
      hd_advance(p);
      continue;
    }
    uint64_t dim;
    if (!hd_parse_uint(p, &dim)) return false;
    if (dim > 64) return hd_parser_error(p, item, "unexpected dimension %" PRIu64, dim);
    while (spatial.len <= dim) hd_vec_push(&p->scratch, &spatial, -1);
    if (spatial.data[dim] >= 0) return hd_parser_error(p, item, "duplicate entries for %" PRIu64, dim);
    spatial.data[dim] = place++;
  }
  hd_advance(p);
  for (size_t i = 0; i < spatial.len; ++i)
    if (spatial.data[i] < 0) return hd_parser_error(p, at, "expected spatial dimension %zu", i);
  if (where[0] < 0 || where[1] < 0) return hd_parser_error(p, at, "expected dimensions '%c' and '%c'", a, b);
  *out_a = hd_attr_i64(p->context, where[0]);
  *out_b = hd_attr_i64(p->context, where[1]);
  *out_spatial = hd_attr_i64_array(p->context, spatial.data, spatial.len);
  return true;
}

static bool parse_dims(hd_parser *p, hd_attr *params) {
  if (!parse_side(p, 'b', 'f', &params[IN_BATCH], &params[IN_FEATURE], &params[IN_SPATIAL])) return false;
  /* "]x[": the x may touch a bracket. */
  if (!hd_expect_word(p, "x")) return false;
  return parse_side(p, 'i', 'o', &params[K_IN], &params[K_OUT], &params[K_SPATIAL]) &&
         hd_expect(p, TOK_ARROW, "'->'") &&
         parse_side(p, 'b', 'f', &params[OUT_BATCH], &params[OUT_FEATURE], &params[OUT_SPATIAL]);
}

static void print_side(hd_printer *out, const char *letters, hd_attr a, hd_attr b, hd_attr spatial) {
  int64_t places[2] = {a ? a->integer : -1, b ? b->integer : -1}, last = -1;
  size_t count = hd_attr_count(spatial);
  for (int i = 0; i < 2; ++i)
    if (places[i] > last) last = places[i];
  for (size_t i = 0; i < count; ++i)
    if (hd_attr_int_at(spatial, i) > last) last = hd_attr_int_at(spatial, i);
  if (last > 256) last = 256;
  hd_putc(out, '[');
  for (int64_t place = 0; place <= last; ++place) {
    if (place) hd_puts(out, ", ");
    if (places[0] == place || places[1] == place) {
      hd_putc(out, letters[places[0] != place]);
      continue;
    }
    size_t i = 0;
    while (i < count && hd_attr_int_at(spatial, i) != place) ++i;
    if (i < count)
      hd_printf(out, "%zu", i);
    else
      hd_putc(out, '?');
  }
  hd_putc(out, ']');
}

static void print_dims(hd_printer *out, const hd_attr *params) {
  print_side(out, "bf", params[IN_BATCH], params[IN_FEATURE], params[IN_SPATIAL]);
  hd_putc(out, 'x');
  print_side(out, "io", params[K_IN], params[K_OUT], params[K_SPATIAL]);
  hd_puts(out, "->");
  print_side(out, "bf", params[OUT_BATCH], params[OUT_FEATURE], params[OUT_SPATIAL]);
}

/* #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, or <raw input_batch_dimension = 0, ...> in older programs. */
static bool parse_raw(hd_parser *p, const hd_row_format *row, hd_attr *params) {
  do {
    const char *at = hd_here(p);
    hd_str name;
    if (!hd_parse_word(p, "a parameter name", &name)) return false;
    size_t i = 0;
    while (i < row->params.count && !hd_str_equal(hd_ident_str(row->params.items[i].name), name)) ++i;
    if (i == row->params.count) return hd_parser_error(p, at, "unknown parameter '%.*s'", (int)name.len, name.data);
    if (!hd_expect(p, TOK_EQUAL, "'='") ||
        !(params[i] = hd_parse_by_constraint(p, row->params.items[i].constraint, name)))
      return false;
  } while (hd_accept(p, TOK_COMMA));
  return true;
}

bool hd_parse_params_ConvDimensions(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                                    hd_attr *params) {
  (void)args, (void)count;
  if (!hd_expect(p, TOK_LESS, "'<'")) return false;
  if (!(hd_accept_word(p, "raw") ? parse_raw(p, row, params) : parse_dims(p, params))) return false;
  return hd_expect(p, TOK_GREATER, "'>'");
}
void hd_print_params_ConvDimensions(struct hd_printer *out, const hd_row_format *row, const hd_format *args,
                                    size_t count, const hd_attr *params) {
  (void)row, (void)args, (void)count;
  hd_putc(out, '<');
  print_dims(out, params);
  hd_putc(out, '>');
}

bool hd_parse_hook_ConvolutionDimensions(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_attr params[CONV_PARAMS] = {0};
  if (!parse_dims(op->p, params)) return false;
  hd_op_parser_attr(op, "dimension_numbers",
                    hd_attr_struct(op->p->context, HD_STRUCT_stablehlo_conv, params, CONV_PARAMS));
  return true;
}
void hd_print_hook_ConvolutionDimensions(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  print_dims(out, hd_op_attr_get(op, HD_NAME_dimension_numbers)->structure.params);
}

static const struct {
  const char *word, *attr;
} windows[] = {{"stride", "window_strides"},
               {"pad", "padding"},
               {"lhs_dilate", "lhs_dilation"},
               {"rhs_dilate", "rhs_dilation"},
               {"reverse", "window_reversal"}};
enum { WINDOWS = 5, PAD = 1, REVERSE = 4 };

static hd_attr parse_padding(hd_parser *p) {
  hd_int_vec values = {0};
  if (!hd_expect(p, TOK_LSQUARE, "'['")) return NULL;
  while (!hd_at(p, TOK_RSQUARE)) {
    int64_t low, high;
    if (values.len && !hd_expect(p, TOK_COMMA, "','")) return NULL;
    if (!hd_expect(p, TOK_LSQUARE, "'['") || !hd_parse_int(p, &low) || !hd_expect(p, TOK_COMMA, "','") ||
        !hd_parse_int(p, &high) || !hd_expect(p, TOK_RSQUARE, "']'"))
      return NULL;
    hd_vec_push(&p->scratch, &values, low);
    hd_vec_push(&p->scratch, &values, high);
  }
  hd_advance(p);
  int64_t dims[] = {(int64_t)values.len / 2, 2};
  return hd_attr_dense(hd_type_tensor(hd_i64(p->context), dims, 2, NULL), values.len ? (const void *)values.data : "",
                       values.len * 8, false);
}

bool hd_parse_hook_WindowAttributes(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  for (bool first = true; !hd_at(p, TOK_RBRACE); first = false) {
    if (!first && !hd_expect(p, TOK_COMMA, "','")) return false;
    int which = 0;
    while (which < WINDOWS && !hd_at_word(p, windows[which].word)) ++which;
    if (which == WINDOWS)
      return hd_parser_expected(p, "attribute name 'stride', 'pad', 'lhs_dilate', 'rhs_dilate' or 'reverse'");
    if (hd_op_parser_get(op, windows[which].attr))
      return hd_parser_error(p, hd_here(p), "unexpected keyword, '%s' is given twice", windows[which].word);
    hd_advance(p);
    if (!hd_expect(p, TOK_EQUAL, "'='")) return false;
    hd_attr value = which == PAD ? parse_padding(p)
                                 : hd_parse_int_list(p, which == REVERSE ? hd_i1(p->context) : hd_i64(p->context),
                                                     TOK_LSQUARE, TOK_RSQUARE);
    if (!value) return false;
    hd_op_parser_attr(op, windows[which].attr, value);
  }
  return true;
}

static bool is_padding(hd_attr attr) {
  return hd_attr_is(attr, HD_ATTR_DENSE) && hd_type_rank(attr->type) == 2 && hd_type_dim(attr->type, 1) == 2;
}

void hd_print_hook_WindowAttributes(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  bool any = false;
  for (int i = 0; i < WINDOWS; ++i) {
    hd_attr value = hd_op_attr_get_named(op, windows[i].attr);
    if (!value) continue;
    hd_printf(out, "%s%s = ", any ? ", " : "", windows[i].word);
    any = true;
    if (i != PAD || !is_padding(value)) {
      hd_print_int_list(out, value, "[", "]");
      continue;
    }
    hd_putc(out, '[');
    for (size_t k = 0; k + 1 < hd_attr_count(value); k += 2)
      hd_printf(out, "%s[%" PRId64 ", %" PRId64 "]", k ? ", " : "", hd_attr_int_at(value, k),
                hd_attr_int_at(value, k + 1));
    hd_putc(out, ']');
  }
}
