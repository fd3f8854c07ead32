/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of an instruction, by the kinds of its row. */
#include "hlo/import.h"
#include "hlo/print.h"

void hd_hlo_put_dims(hd_strbuf *out, hd_attr dims) {
  size_t count = dims ? hd_attr_count(dims) : 0;
  hd_strbuf_putc(out, '{');
  for (size_t i = 0; i < count; ++i) hd_strbuf_printf(out, "%s%lld", i ? "," : "", (long long)hd_attr_int_at(dims, i));
  hd_strbuf_putc(out, '}');
}

void hd_hlo_put_quoted(hd_strbuf *out, hd_str text) {
  hd_strbuf_putc(out, '"');
  for (size_t i = 0; i < text.len; ++i) {
    char c = text.data[i];
    if (c == '"' || c == '\\') hd_strbuf_putc(out, '\\');
    if (c == '\n')
      hd_strbuf_puts(out, "\\n");
    else
      hd_strbuf_putc(out, c);
  }
  hd_strbuf_putc(out, '"');
}

static void put_enum(hd_strbuf *out, hd_attr attr, const hd_hlo_attr_row *row) {
  hd_str name = hd_enum_case_name(row->row, hd_attr_int_or(attr, 0));
  bool lower = row->prefix && row->prefix[0];
  if (lower) hd_strbuf_puts(out, row->prefix);
  for (size_t i = 0; i < name.len; ++i)
    hd_strbuf_putc(out, lower && name.data[i] >= 'A' && name.data[i] <= 'Z' ? (char)(name.data[i] | 32) : name.data[i]);
}

static void put_precision(hd_strbuf *out, hd_attr attr) {
  for (uint32_t i = 0; i < attr->array.count; ++i) {
    hd_str name = hd_enum_case_name(HD_ENUM_stablehlo_precision, hd_attr_int_or(attr->array.items[i], 0));
    hd_strbuf_putc(out, i ? ',' : '{');
    for (size_t k = 0; k < name.len; ++k) hd_strbuf_putc(out, name.data[k] == '_' ? '_' : (char)(name.data[k] | 32));
  }
  hd_strbuf_putc(out, '}');
}

/* Rows without what fills them. */
bool hd_hlo_put_lists(hd_strbuf *out, hd_attr attr) {
  if (!hd_attr_is(attr, HD_ATTR_DENSE) || hd_type_rank(attr->type) != 2) return false;
  int64_t rows = hd_type_dim(attr->type, 0), columns = hd_type_dim(attr->type, 1);
  hd_strbuf_putc(out, '{');
  for (int64_t i = 0; i < rows; ++i) {
    hd_strbuf_puts(out, i ? ",{" : "{");
    for (int64_t k = 0; k < columns; ++k) {
      int64_t value = hd_attr_int_at(attr, (size_t)(i * columns + k));
      if (value >= 0) hd_strbuf_printf(out, "%s%lld", k ? "," : "", (long long)value);
    }
    hd_strbuf_putc(out, '}');
  }
  hd_strbuf_putc(out, '}');
  return true;
}

static void put_aliases(hd_strbuf *out, hd_attr attr) {
  hd_strbuf_putc(out, '{');
  for (uint32_t i = 0; i < attr->array.count; ++i) {
    const hd_attr *params = attr->array.items[i]->structure.params;
    if (i) hd_strbuf_puts(out, ", ");
    hd_hlo_put_dims(out, params[0]);
    hd_strbuf_printf(out, ": (%lld, ", (long long)hd_attr_int_or(params[1], 0));
    hd_hlo_put_dims(out, params[2]);
    hd_strbuf_putc(out, ')');
  }
  hd_strbuf_putc(out, '}');
}

static bool put_value(hd_strbuf *out, const hd_hlo_attr_row *row, hd_attr attr) {
  switch (row->kind) {
    case HD_HLO_DIMS:
      hd_hlo_put_dims(out, attr);
      return true;
    case HD_HLO_DIM:
      hd_strbuf_printf(out, "{%lld}", (long long)hd_attr_int_or(attr, 0));
      return true;
    case HD_HLO_I64:
    case HD_HLO_I32:
      hd_strbuf_printf(out, "%lld", (long long)hd_attr_int_or(attr, 0));
      return true;
    case HD_HLO_BOOL:
      hd_strbuf_puts(out, hd_attr_bool_or(attr, false) ? "true" : "false");
      return true;
    case HD_HLO_UNIT:
      hd_strbuf_puts(out, "true");
      return true;
    case HD_HLO_FLOAT:
      hd_strbuf_printf(out, "%.9g", hd_attr_is(attr, HD_ATTR_FLOAT) ? attr->floating.value : 0);
      return true;
    case HD_HLO_ENUM:
      put_enum(out, attr, row);
      return true;
    case HD_HLO_STRING:
      hd_hlo_put_quoted(out, hd_attr_text(attr));
      return true;
    case HD_HLO_PRECISION:
      put_precision(out, attr);
      return true;
    case HD_HLO_GROUPS:
    case HD_HLO_PAIRS:
      return hd_hlo_put_lists(out, attr);
    case HD_HLO_CHANNEL:
      hd_strbuf_printf(out, "%lld", (long long)hd_attr_int_or(attr->structure.params[0], 0));
      return true;
    case HD_HLO_ALIASES:
      put_aliases(out, attr);
      return true;
    case HD_HLO_ALGORITHM:
      return hd_hlo_put_algorithm(out, attr);
    case HD_HLO_ACCURACY:
      return hd_hlo_put_accuracy(out, attr);
    case HD_HLO_RAW:
      hd_strbuf_put_str(out, hd_attr_text(attr));
      return true;
    default:
      return false;
  }
}

/* Is the value what a missing attribute means? */
static bool is_default(const hd_hlo_attr_row *row, hd_attr attr) {
  if (!attr) return !row->always && (row->param < 0 || row->kind != HD_HLO_DIMS);
  if (row->kind == HD_HLO_BOOL && !row->always) return !hd_attr_bool_or(attr, false);
  if (row->kind == HD_HLO_STRING || row->kind == HD_HLO_ALIASES)
    return row->kind == HD_HLO_STRING ? !hd_attr_text(attr).len : !attr->array.count;
  return false;
}

static bool put_row(hd_hlo_printer *p, hd_op *op, const hd_hlo_attr_row *row) {
  if (row->kind == HD_HLO_OTHER || row->kind == HD_HLO_DROPPED) return true;
  hd_attr attr = hd_op_attr_get(op, row->attr);
  if (row->param >= 0) attr = attr ? attr->structure.params[row->param] : NULL;
  if (is_default(row, attr)) return true;
  if (!attr && row->kind != HD_HLO_DIMS && row->kind != HD_HLO_I64 && row->kind != HD_HLO_BOOL)
    return hd_hlo_cannot(p, op, row->name);
  hd_strbuf_printf(&p->text, ", %s=", row->name);
  return put_value(&p->text, row, attr) || hd_hlo_cannot(p, op, row->name);
}

/* A text that was read as a value, and is as it was. */
static void put_raw(hd_hlo_printer *p, const char *name, hd_str text) {
  if (!text.len) return;
  hd_strbuf_printf(&p->text, ", %s=", name);
  hd_strbuf_put_str(&p->text, text);
}

void hd_hlo_put_frontend_attributes(hd_strbuf *out, hd_attr dict) {
  if (!hd_attr_is(dict, HD_ATTR_DICT) || !dict->dict.count) return;
  hd_strbuf_puts(out, ", frontend_attributes={");
  for (uint32_t i = 0; i < dict->dict.count; ++i) {
    hd_str name = hd_ident_str(dict->dict.items[i].name);
    hd_strbuf_printf(out, "%s%.*s=", i ? "," : "", (int)name.len, name.data);
    hd_hlo_put_quoted(out, hd_attr_text(dict->dict.items[i].value));
  }
  hd_strbuf_putc(out, '}');
}

void hd_hlo_put_common_attrs(hd_hlo_printer *p, hd_op *op) {
  put_raw(p, "sharding", hd_op_string_attr(op, HD_NAME_mhlo_sharding));
  put_raw(p, "sharding", hd_op_string_attr(op, HD_NAME_hd_spmd_sharding));
  put_raw(p, "backend_config", hd_op_string_attr(op, HD_NAME_mhlo_backend_config));
  hd_hlo_put_frontend_attributes(&p->text, hd_op_is(op, HD_OP_stablehlo_composite)
                                               ? hd_hlo_composite_attributes(p, op)
                                               : hd_op_attr_get(op, HD_NAME_mhlo_frontend_attributes));
}

bool hd_hlo_put_attrs(hd_hlo_printer *p, hd_op *op) {
  const hd_hlo_row *row = hd_hlo_row_of_op(hd_opcode_get(op));
  for (const hd_hlo_attr_row *item = row->attrs; item->name; ++item)
    if (!put_row(p, op, item)) return false;
  hd_hlo_put_common_attrs(p, op);
  return true;
}

void hd_hlo_put_metadata(hd_hlo_printer *p, hd_loc loc) {
  if (!loc || loc->kind != HD_ATTR_LOC_FUSED) return;
  hd_str text = hd_attr_text(loc->loc.metadata);
  if (text.len && text.data[0] == '{') put_raw(p, "metadata", text);
}

bool hd_hlo_end(hd_hlo_printer *p, hd_op *op) {
  if (!hd_hlo_put_attrs(p, op)) return false;
  hd_hlo_put_metadata(p, op->loc);
  hd_strbuf_putc(&p->text, '\n');
  hd_hlo_put_elements(p, op);
  return true;
}
