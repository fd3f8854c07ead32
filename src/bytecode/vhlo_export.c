/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of an op as those of the vhlo op that stands for it: defaults are written out, structs are taken apart.
 * What the version at hand cannot say must be what it means anyway. */
#include <string.h>

#include "bytecode/vhlo.h"

typedef struct export {
  hd_context *context;
  hd_arena *scratch;
  hd_op *op;
  const hd_vhlo_row *row;
  hd_vhlo_attrs *out;
  hd_strbuf *problem;
} export;

static bool wrong(export *e, const char *name, const char *what) {
  hd_strbuf_printf(e->problem, "attribute '%s' %s", name, what);
  return false;
}

static hd_type tensor_of(hd_type element, const int64_t *dims, size_t rank) {
  return hd_type_tensor(element, dims, rank, NULL);
}

static hd_attr int_tensor(export *e, const int64_t *values, size_t count) {
  int64_t dims[] = {(int64_t)count};
  return hd_attr_dense(tensor_of(hd_i64(e->context), dims, 1), values, count * sizeof *values, false);
}

static hd_attr bool_tensor(export *e, const bool *values, size_t count) {
  int64_t dims[] = {(int64_t)count};
  return hd_attr_dense(tensor_of(hd_i1(e->context), dims, 1), values, count, false);
}

/* Dims of the window of a convolution or of a windowed op. */
static size_t window_rank(export *e) {
  hd_attr window = hd_op_attr_get(e->op, HD_NAME_window_dimensions),
          numbers = hd_op_attr_get(e->op, HD_NAME_dimension_numbers);
  if (numbers && numbers->kind == HD_ATTR_STRUCT) window = hd_struct_get(numbers, HD_NAME_input_spatial_dimensions);
  return window ? hd_attr_count(window) : 0;
}

static hd_attr filled(export *e, int64_t value) {
  size_t count = window_rank(e);
  int64_t *values = hd_new_array(e->scratch, int64_t, count + 1);
  for (size_t i = 0; i < count; ++i) values[i] = value;
  return int_tensor(e, values, count);
}

static hd_attr zero_padding(export *e) {
  int64_t dims[] = {(int64_t)window_rank(e), 2}, zero = 0;
  return hd_attr_dense(tensor_of(hd_i64(e->context), dims, 2), &zero, dims[0] ? sizeof zero : 0, dims[0] != 0);
}

static hd_attr default_accuracy(export *e) {
  hd_attr params[] = {NULL, NULL, NULL, hd_attr_enum(e->context, HD_ENUM_stablehlo_result_accuracy_mode, 0)};
  return hd_attr_struct(e->context, HD_STRUCT_stablehlo_result_accuracy, params, 4);
}

/* What an absent attribute means; null where it has to be there. */
static hd_attr default_of(export *e, hd_vhlo_kind kind) {
  hd_context *c = e->context;
  hd_attr precision;
  switch (kind) {
    case HD_VHLO_ints_ones:
      return filled(e, 1);
    case HD_VHLO_bools_false:
      return bool_tensor(e, hd_new_array(e->scratch, bool, window_rank(e) + 1), window_rank(e));
    case HD_VHLO_ints_empty:
    case HD_VHLO_elements_empty:
      return int_tensor(e, NULL, 0);
    case HD_VHLO_padding:
    case HD_VHLO_no_padding:
      return zero_padding(e);
    case HD_VHLO_bool_false:
      return hd_attr_bool(c, false);
    case HD_VHLO_int_0:
      return hd_attr_i64(c, 0);
    case HD_VHLO_int_m1:
      return hd_attr_i64(c, -1);
    case HD_VHLO_config:
    case HD_VHLO_string:
      return hd_attr_cstring(c, "");
    case HD_VHLO_array:
    case HD_VHLO_dicts:
    case HD_VHLO_layouts:
    case HD_VHLO_symbols:
      return hd_attr_array(c, NULL, 0);
    case HD_VHLO_dict:
      return hd_attr_dict(c, NULL, 0);
    case HD_VHLO_compare_type:
      return hd_attr_enum(c, HD_ENUM_stablehlo_comparison_type, 0);
    case HD_VHLO_api_version:
      return hd_attr_i32(c, 1);
    case HD_VHLO_precision:
      precision = hd_attr_enum(c, HD_ENUM_stablehlo_precision, 0);
      return hd_attr_array(c, (hd_attr[]){precision, precision}, 2);
    case HD_VHLO_accuracy:
      return default_accuracy(e);
    default:
      return NULL;
  }
}

static hd_attr list_to_tensor(export *e, hd_attr attr) {
  if (attr->kind != HD_ATTR_DENSE_ARRAY) return attr;
  size_t count = hd_attr_count(attr);
  if (hd_type_is_integer(attr->dense.element, 1)) {
    bool *values = hd_new_array(e->scratch, bool, count + 1);
    for (size_t i = 0; i < count; ++i) values[i] = hd_attr_int_at(attr, i) != 0;
    return bool_tensor(e, values, count);
  }
  const int64_t *values = hd_attr_ints(e->scratch, attr, &count);
  return int_tensor(e, values, count);
}

static hd_attr symbol_to_string(export *e, hd_attr attr) {
  return attr->kind == HD_ATTR_SYMBOL && !attr->symbol.count
             ? hd_attr_string(e->context, hd_ident_str(attr->symbol.root))
             : attr;
}

static hd_attr symbols_to_strings(export *e, hd_attr attr) {
  if (attr->kind != HD_ATTR_ARRAY) return attr;
  hd_attr *items = hd_new_array(e->scratch, hd_attr, attr->array.count);
  for (uint32_t i = 0; i < attr->array.count; ++i) items[i] = symbol_to_string(e, attr->array.items[i]);
  return hd_attr_array(e->context, items, attr->array.count);
}

/* A part of a struct, null with a problem when the struct is something else. */
static hd_attr part_of(export *e, const hd_vhlo_item *item, const hd_vhlo_struct *made) {
  hd_attr whole = hd_op_attr_get_named(e->op, made->attr);
  if (!whole && made->kind == HD_VHLO_algorithm) return hd_attr_type(hd_type_none(e->context));
  if (!whole || whole->kind != HD_ATTR_STRUCT || whole->structure.row != made->row) {
    wrong(e, made->attr, "is missing or of another kind");
    return NULL;
  }
  hd_str kind;
  bool optional;
  int at = hd_vhlo_part(made->row, hd_ident_str(item->name), &kind, &optional);
  hd_attr value = at >= 0 && (uint32_t)at < whole->structure.count ? whole->structure.params[at] : NULL;
  if (hd_str_is(kind, "dims")) return value ? list_to_tensor(e, value) : int_tensor(e, NULL, 0);
  return value ? value : hd_attr_i64(e->context, 0);
}

static hd_attr export_attr(export *e, const hd_vhlo_item *item) {
  const hd_vhlo_struct *made = hd_vhlo_struct_of(item->kind);
  if (made) return part_of(e, item, made);
  hd_attr value = hd_op_attr_get_ident(e->op, item->name);
  if (item->kind == HD_VHLO_channel) {
    value = hd_op_attr_get(e->op, HD_NAME_channel_handle);
    hd_attr handle = value && value->kind == HD_ATTR_STRUCT ? hd_struct_get(value, HD_NAME_handle) : NULL;
    return handle ? handle : hd_attr_i64(e->context, 0);
  }
  if (item->kind == HD_VHLO_flag) return hd_attr_bool(e->context, value != NULL);
  if (item->kind == HD_VHLO_no_padding) value = NULL;
  if (!value) value = default_of(e, item->kind);
  if (!value) {
    wrong(e, item->name->text, "is missing");
    return NULL;
  }
  if (item->kind == HD_VHLO_symbol) return symbol_to_string(e, value);
  if (item->kind == HD_VHLO_symbols) return symbols_to_strings(e, value);
  return list_to_tensor(e, value);
}

/* Every part that the struct has is one of the row, or says nothing. */
static bool parts_are_known(hd_attr whole, const hd_vhlo_item *items, size_t count) {
  bool known[16] = {false};
  for (size_t i = 0; i < count; ++i) {
    const hd_vhlo_struct *made = hd_vhlo_struct_of(items[i].kind);
    hd_str kind;
    bool optional;
    int at = made && made->row == whole->structure.row
                 ? hd_vhlo_part(made->row, hd_ident_str(items[i].name), &kind, &optional)
                 : -1;
    if (at >= 0 && at < 16) known[at] = true;
  }
  for (uint32_t i = 0; i < whole->structure.count && i < 16; ++i) {
    hd_attr value = whole->structure.params[i];
    if (!known[i] && value && !(value->kind == HD_ATTR_DENSE_ARRAY && !value->dense.count)) return false;
  }
  return true;
}

static const hd_vhlo_item *find_item(const hd_vhlo_item *items, size_t count, const hd_op_attr *attr) {
  for (size_t i = 0; i < count; ++i) {
    const hd_vhlo_struct *made = hd_vhlo_struct_of(items[i].kind);
    if (items[i].name == attr->name && !made) return &items[i];
    if (made && !strcmp(made->attr, attr->name->text)) return &items[i];
    if (items[i].kind == HD_VHLO_channel && !strcmp(attr->name->text, "channel_handle")) return &items[i];
  }
  return NULL;
}

/* An attribute of the op: expressed by the row, without meaning, discardable, or beyond the version. */
static bool export_other(export *e, const hd_op_attr *attr, const hd_vhlo_item *items, size_t count) {
  const hd_vhlo_item *item = find_item(items, count, attr);
  if (item) {
    if (!hd_vhlo_struct_of(item->kind) || attr->value->kind != HD_ATTR_STRUCT ||
        parts_are_known(attr->value, items, count))
      return true;
    return wrong(e, attr->name->text, "has parts that the target version does not know");
  }
  if (!attr->inherent) {
    hd_vec_push(e->scratch, e->out, (hd_op_attr){attr->name, attr->value, false});
    return true;
  }
  hd_vhlo_row newest;
  hd_vhlo_item known[HD_VHLO_MAX_ITEMS];
  size_t known_count = hd_vhlo_row_for(e->context, e->row->target, HD_VHLO_CURRENT, &newest)
                           ? hd_vhlo_items(e->context, &newest, known)
                           : 0;
  item = find_item(known, known_count, attr);
  if (item && hd_vhlo_is_default(item->kind, attr->value)) return true;
  return wrong(e, attr->name->text, "is not known in the target version");
}

bool hd_vhlo_export(hd_op *op, hd_arena *scratch, const hd_vhlo_row *row, hd_vhlo_attrs *out, hd_strbuf *problem) {
  export e = {hd_op_context(op), scratch, op, row, out, problem};
  hd_vhlo_item items[HD_VHLO_MAX_ITEMS];
  size_t count = hd_vhlo_items(e.context, row, items);
  for (size_t i = 0; i < count; ++i) {
    hd_attr value = export_attr(&e, &items[i]);
    if (!value) return false;
    hd_vec_push(scratch, out, (hd_op_attr){items[i].name, value, true});
  }
  hd_op_attr_list attrs = hd_op_all_attrs(op, scratch);
  for (size_t i = 0; i < attrs.len; ++i)
    if (!export_other(&e, &attrs.data[i], items, count)) return false;
  return true;
}
