/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions with a list per dim, and custom calls with their layouts. */
#include "hlo/import.h"
#include "hlo/print.h"

/* " name=1x2", |columns| numbers in each group. */
static void put_field(hd_strbuf *out, const char *name, hd_attr values, size_t columns) {
  size_t count = values ? hd_attr_count(values) : 0;
  if (!count) return;
  if (out->data[out->len - 1] != '{') hd_strbuf_putc(out, ' ');
  hd_strbuf_printf(out, "%s=", name);
  for (size_t i = 0; i < count; ++i)
    hd_strbuf_printf(out, "%s%lld", !i ? "" : i % columns ? "_" : "x", (long long)hd_attr_int_at(values, i));
}

static void put_window(hd_hlo_printer *p, hd_op *op, hd_attr size, hd_name stride, hd_name base, hd_name window) {
  hd_strbuf_puts(&p->text, ", window={");
  put_field(&p->text, "size", size, 1);
  put_field(&p->text, "stride", hd_op_attr_get(op, stride), 1);
  put_field(&p->text, "pad", hd_op_attr_get(op, HD_NAME_padding), 2);
  put_field(&p->text, "lhs_dilate", base ? hd_op_attr_get(op, base) : NULL, 1);
  put_field(&p->text, "rhs_dilate", window ? hd_op_attr_get(op, window) : NULL, 1);
  if (hd_op_is(op, HD_OP_stablehlo_convolution))
    put_field(&p->text, "rhs_reversal", hd_op_attr_get(op, HD_NAME_window_reversal), 1);
  hd_strbuf_putc(&p->text, '}');
}

bool hd_hlo_print_reduce_window(hd_hlo_printer *p, hd_op *op) {
  const char *body = hd_hlo_print_region(p, op, 0, "region");
  if (!body || !hd_hlo_begin(p, op, "reduce-window")) return false;
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  put_window(p, op, hd_op_attr_get(op, HD_NAME_window_dimensions), HD_NAME_window_strides, HD_NAME_base_dilations,
             HD_NAME_window_dilations);
  hd_strbuf_printf(&p->text, ", to_apply=%%%s", body);
  return hd_hlo_end(p, op);
}

bool hd_hlo_print_select_and_scatter(hd_hlo_printer *p, hd_op *op) {
  const char *select = hd_hlo_print_region(p, op, 0, "select");
  const char *scatter = select ? hd_hlo_print_region(p, op, 1, "scatter") : NULL;
  if (!scatter || !hd_hlo_begin(p, op, "select-and-scatter")) return false;
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  put_window(p, op, hd_op_attr_get(op, HD_NAME_window_dimensions), HD_NAME_window_strides, HD_NAME_NONE, HD_NAME_NONE);
  hd_strbuf_printf(&p->text, ", select=%%%s, scatter=%%%s", select, scatter);
  return hd_hlo_end(p, op);
}

/* b01f: letters at the places of |a| and |b|, digits at those of |spatial|. */
static void put_labels(hd_strbuf *out, const char *letters, hd_attr a, hd_attr b, hd_attr spatial) {
  size_t rank = hd_attr_count(spatial) + 2;
  for (size_t i = 0; i < rank; ++i) {
    int64_t digit = hd_attr_find_int(spatial, (int64_t)i);
    char label = hd_attr_int_or(a, -1) == (int64_t)i   ? letters[0]
                 : hd_attr_int_or(b, -1) == (int64_t)i ? letters[1]
                                                       : '?';
    hd_strbuf_putc(out, digit >= 0 ? (char)('0' + digit) : label);
  }
}

/* The sizes of the kernel's spatial dims are the window's. */
static hd_attr kernel_size(hd_op *op, hd_attr spatial) {
  int64_t sizes[HD_MAX_RANK];
  size_t rank = hd_attr_count(spatial);
  hd_type kernel = hd_operand_type(op, 1);
  for (size_t i = 0; i < rank; ++i) {
    int64_t dim = hd_attr_int_at(spatial, i);
    sizes[i] = hd_type_dim(kernel, (uint32_t)dim);
    if (sizes[i] == HD_DYNAMIC) return NULL;
  }
  return hd_attr_i64_array(hd_op_context(op), sizes, rank);
}

bool hd_hlo_print_convolution(hd_hlo_printer *p, hd_op *op) {
  const hd_attr *n = hd_op_attr_get(op, HD_NAME_dimension_numbers)->structure.params;
  size_t rank = hd_attr_count(n[2]);
  hd_attr size = kernel_size(op, n[5]);
  if (!size || rank > 10) return hd_hlo_cannot(p, op, size ? "more than ten spatial dims" : "a kernel of unknown size");
  if (!hd_hlo_begin(p, op, "convolution") || !hd_hlo_put_operands(p, op, 0, 2)) return false;
  put_window(p, op, size, HD_NAME_window_strides, HD_NAME_lhs_dilation, HD_NAME_rhs_dilation);
  hd_strbuf_puts(&p->text, ", dim_labels=");
  put_labels(&p->text, "bf", n[0], n[1], n[2]);
  hd_strbuf_putc(&p->text, '_');
  put_labels(&p->text, "io", n[3], n[4], n[5]);
  hd_strbuf_puts(&p->text, "->");
  put_labels(&p->text, "bf", n[6], n[7], n[8]);
  return hd_hlo_end(p, op);
}

bool hd_hlo_print_pad(hd_hlo_printer *p, hd_op *op) {
  hd_attr low = hd_op_attr_get(op, HD_NAME_edge_padding_low), high = hd_op_attr_get(op, HD_NAME_edge_padding_high);
  hd_attr inside = hd_op_attr_get(op, HD_NAME_interior_padding);
  if (!hd_hlo_begin(p, op, "pad") || !hd_hlo_put_operands(p, op, 0, 2)) return false;
  size_t rank = hd_attr_count(low);
  if (rank) hd_strbuf_puts(&p->text, ", padding=");
  for (size_t i = 0; i < rank; ++i) {
    int64_t between = hd_attr_int_at(inside, i);
    hd_strbuf_printf(&p->text, "%s%lld_%lld", i ? "x" : "", (long long)hd_attr_int_at(low, i),
                     (long long)hd_attr_int_at(high, i));
    if (between) hd_strbuf_printf(&p->text, "_%lld", (long long)between);
  }
  return hd_hlo_end(p, op);
}

bool hd_hlo_print_slice(hd_hlo_printer *p, hd_op *op) {
  hd_attr start = hd_op_attr_get(op, HD_NAME_start_indices), limit = hd_op_attr_get(op, HD_NAME_limit_indices);
  hd_attr strides = hd_op_attr_get(op, HD_NAME_strides);
  if (!hd_hlo_begin(p, op, "slice") || !hd_hlo_put_operands(p, op, 0, 1)) return false;
  hd_strbuf_puts(&p->text, ", slice={");
  for (size_t i = 0; i < hd_attr_count(start); ++i) {
    int64_t stride = hd_attr_int_at(strides, i);
    hd_strbuf_printf(&p->text, "%s[%lld:%lld", i ? ", " : "", (long long)hd_attr_int_at(start, i),
                     (long long)hd_attr_int_at(limit, i));
    if (stride != 1) hd_strbuf_printf(&p->text, ":%lld", (long long)stride);
    hd_strbuf_putc(&p->text, ']');
  }
  hd_strbuf_putc(&p->text, '}');
  return hd_hlo_end(p, op);
}

static bool put_type_with_layout(hd_hlo_printer *p, hd_type type, hd_attr layouts, uint32_t i) {
  if (!hd_hlo_put_type(p, type)) return false;
  bool known = hd_attr_is(layouts, HD_ATTR_ARRAY) && i < layouts->array.count && hd_type_is_tensor(type);
  if (known && hd_type_rank(type)) hd_hlo_put_dims(&p->text, layouts->array.items[i]);
  return true;
}

static bool put_custom_call_head(hd_hlo_printer *p, hd_op *op, hd_attr layouts) {
  const char *name = hd_hlo_name_op(p, op, "custom-call");
  hd_hlo_put_line(p, op->result_count == 1 ? hd_result(op, 0) : NULL, name);
  if (op->result_count != 1) hd_strbuf_putc(&p->text, '(');
  for (uint32_t i = 0; i < op->result_count; ++i) {
    if (i) hd_strbuf_puts(&p->text, ", ");
    if (!put_type_with_layout(p, hd_result_type(op, i), layouts, i))
      return hd_hlo_cannot(p, op, "a type of its results");
  }
  hd_strbuf_puts(&p->text, op->result_count != 1 ? ") custom-call(" : " custom-call(");
  return true;
}

static bool put_called(hd_hlo_printer *p, hd_op *op, hd_attr called, hd_strbuf *out) {
  for (uint32_t i = 0; hd_attr_is(called, HD_ATTR_ARRAY) && i < called->array.count; ++i) {
    hd_op *func = hd_symbol_resolve(op, called->array.items[i]);
    const char *name = func ? hd_hlo_print_function(p, op, func) : NULL;
    if (!name) return hd_hlo_cannot(p, op, "a computation that it calls");
    hd_strbuf_printf(out, "%s%%%s", i ? ", " : ", called_computations={", name);
  }
  if (out->len) hd_strbuf_putc(out, '}');
  return true;
}

static void put_config(hd_hlo_printer *p, hd_attr config) {
  if (hd_attr_is(config, HD_ATTR_DICT)) {
    hd_strbuf_puts(&p->text, ", backend_config=");
    p->w->context->print_attr(&p->text, config);
  } else if (hd_attr_text(config).len) {
    hd_strbuf_puts(&p->text, ", backend_config=");
    hd_hlo_put_quoted(&p->text, hd_attr_text(config));
  }
}

bool hd_hlo_print_custom_call(hd_hlo_printer *p, hd_op *op) {
  hd_attr ins = hd_op_attr_get(op, HD_NAME_operand_layouts), outs = hd_op_attr_get(op, HD_NAME_result_layouts);
  if (hd_hlo_is_ragged_all_to_all(op)) return hd_hlo_print_ragged_all_to_all(p, op);
  hd_strbuf called;
  hd_strbuf_init(&called, &p->w->scratch);
  if (!put_called(p, op, hd_op_attr_get(op, HD_NAME_called_computations), &called)) return false;
  if (!put_custom_call_head(p, op, outs)) return false;
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  if (hd_attr_is(ins, HD_ATTR_ARRAY)) {
    hd_strbuf_puts(&p->text, ", operand_layout_constraints={");
    for (uint32_t i = 0; i < op->operand_count; ++i) {
      if (i) hd_strbuf_puts(&p->text, ", ");
      if (!put_type_with_layout(p, hd_operand_type(op, i), ins, i))
        return hd_hlo_cannot(p, op, "a type of its operands");
    }
    hd_strbuf_putc(&p->text, '}');
  }
  hd_strbuf_put(&p->text, called.data, called.len);
  put_config(p, hd_op_attr_get(op, HD_NAME_backend_config));
  return hd_hlo_end(p, op);
}
