/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of a vhlo op as those of the op that it stands for. Older versions of an op have fewer attributes; what
 * they lack is what the op means without it. */
#include <string.h>

#include "bytecode/vhlo.h"

typedef struct import {
  hd_context *context;
  hd_arena *scratch;
  const hd_vhlo_row *row;
  const hd_op_attr *attrs;
  size_t count;
  hd_vhlo_attrs *out;
  hd_strbuf *problem;
} import;

static bool wrong(import *m, hd_ident name, const char *expected) {
  hd_strbuf_printf(m->problem, "attribute '%s' of '%s' must be %s", name->text, m->row->name, expected);
  return false;
}

static void put(import *m, hd_ident name, hd_attr value) {
  hd_vec_push(m->scratch, m->out, (hd_op_attr){name, value, false});
}

static hd_attr find(const import *m, hd_ident name) {
  for (size_t i = 0; i < m->count; ++i)
    if (m->attrs[i].name == name) return m->attrs[i].value;
  return NULL;
}

/* array<i64> of a tensor; null when it is none. */
static hd_attr int_list(const import *m, hd_attr attr) {
  if (attr->kind == HD_ATTR_DENSE_ARRAY && hd_type_is_integer(attr->dense.element, 64)) return attr;
  if (attr->kind != HD_ATTR_DENSE || !hd_type_is_integer(hd_type_element(attr->type), 64) ||
      !hd_type_has_rank(attr->type) || hd_type_rank(attr->type) != 1)
    return NULL;
  size_t count;
  const int64_t *values = hd_attr_ints(m->scratch, attr, &count);
  return hd_attr_i64_array(m->context, values, count);
}

static hd_attr bool_list(const import *m, hd_attr attr) {
  if (attr->kind == HD_ATTR_DENSE_ARRAY && hd_type_is_integer(attr->dense.element, 1)) return attr;
  if (attr->kind != HD_ATTR_DENSE || !hd_type_is_integer(hd_type_element(attr->type), 1)) return NULL;
  size_t count = hd_attr_count(attr);
  bool *values = hd_new_array(m->scratch, bool, count);
  for (size_t i = 0; i < count; ++i) values[i] = hd_attr_int_at(attr, i) != 0;
  return hd_attr_bool_array(m->context, values, count);
}

static hd_attr symbol(const import *m, hd_attr attr) {
  return attr->kind == HD_ATTR_STRING ? hd_attr_symbol(m->context, hd_ident_str(attr->string), NULL, 0) : NULL;
}

static hd_attr symbols(const import *m, hd_attr attr) {
  if (attr->kind != HD_ATTR_ARRAY) return NULL;
  hd_attr *items = hd_new_array(m->scratch, hd_attr, attr->array.count);
  for (uint32_t i = 0; i < attr->array.count; ++i)
    if (!(items[i] = symbol(m, attr->array.items[i]))) return NULL;
  return hd_attr_array(m->context, items, attr->array.count);
}

static bool is_none(hd_attr attr) { return attr->kind == HD_ATTR_TYPE && attr->type_value->kind == HD_TYPE_NONE; }

/* One part of a struct, by its kind in the struct's row; |*out| is null where an optional one says nothing. */
static bool import_part(import *m, const hd_vhlo_item *item, hd_attr value, hd_str kind, bool optional, hd_attr *out) {
  *out = value;
  if (hd_str_is(kind, "dims")) {
    if (!(*out = int_list(m, value))) return wrong(m, item->name, "a tensor of i64 with one dim");
    if (optional && !(*out)->dense.count) *out = NULL;
    return true;
  }
  if (hd_str_is(kind, "type")) return value->kind == HD_ATTR_TYPE || wrong(m, item->name, "a type");
  if (value->kind != HD_ATTR_INTEGER) return wrong(m, item->name, "an integer");
  if (hd_str_is(kind, "i64")) *out = optional && !value->integer ? NULL : hd_attr_i64(m->context, value->integer);
  return true;
}

/* All parts of one struct, made when its first part is met. */
static bool import_struct(import *m, const hd_vhlo_item *items, size_t item_count, const hd_vhlo_struct *made) {
  hd_attr params[16] = {0};
  size_t count = 0;
  for (const char *at = hd_attr_row_info_of(made->row)->params; at; at = strchr(at + 1, ',')) ++count;
  for (size_t i = 0; i < item_count; ++i) {
    const hd_vhlo_item *item = &items[i];
    if (item->kind != made->kind) continue;
    hd_attr value = find(m, item->name);
    if (!value) return wrong(m, item->name, "there");
    if (made->kind == HD_VHLO_algorithm && is_none(value)) return true;
    hd_str kind;
    bool optional;
    int at = hd_vhlo_part(made->row, hd_ident_str(item->name), &kind, &optional);
    if (at < 0 || at >= 16) return wrong(m, item->name, "a part of a known attribute");
    if (!import_part(m, item, value, kind, optional, &params[at])) return false;
  }
  put(m, hd_ident_cstr(m->context, made->attr), hd_attr_struct(m->context, made->row, params, count));
  return true;
}

static bool is_first_part(const hd_vhlo_item *items, size_t at) {
  for (size_t i = 0; i < at; ++i)
    if (items[i].kind == items[at].kind) return false;
  return true;
}

static bool import_channel(import *m, hd_ident name, hd_attr value) {
  if (value->kind != HD_ATTR_INTEGER) return wrong(m, name, "an integer");
  hd_attr params[] = {hd_attr_i64(m->context, value->integer), hd_attr_i64(m->context, 0)};
  put(m, hd_name_ident(m->context, HD_NAME_channel_handle),
      hd_attr_struct(m->context, HD_STRUCT_stablehlo_channel_handle, params, 2));
  return true;
}

static bool import_attr(import *m, const hd_vhlo_item *item, hd_attr value) {
  hd_attr made = value;
  const char *expected = "";
  switch (item->kind) {
    case HD_VHLO_ints:
    case HD_VHLO_ints_ones:
    case HD_VHLO_ints_empty:
      made = int_list(m, value);
      expected = "a tensor of i64 with one dim";
      break;
    case HD_VHLO_bools_false:
      made = bool_list(m, value);
      expected = "a tensor of i1";
      break;
    case HD_VHLO_symbol:
      made = symbol(m, value);
      expected = "a string";
      break;
    case HD_VHLO_symbols:
      made = symbols(m, value);
      expected = "an array of strings";
      break;
    case HD_VHLO_flag:
      made = is_none(value) || value->kind != HD_ATTR_INTEGER ? NULL : hd_attr_unit(m->context);
      expected = "a boolean";
      break;
    case HD_VHLO_channel:
      return import_channel(m, item->name, value);
    default:
      break;
  }
  if (!made) return wrong(m, item->name, expected);
  put(m, item->name, made);
  return true;
}

/* The two lists of layouts are left out together. */
static bool layouts_are_empty(import *m) {
  hd_attr operands = find(m, hd_name_ident(m->context, HD_NAME_operand_layouts)),
          results = find(m, hd_name_ident(m->context, HD_NAME_result_layouts));
  return (!operands || hd_vhlo_is_default(HD_VHLO_layouts, operands)) &&
         (!results || hd_vhlo_is_default(HD_VHLO_layouts, results));
}

bool hd_vhlo_import(hd_context *context, hd_arena *scratch, const hd_vhlo_row *row, const hd_op_attr *attrs,
                    size_t count, hd_vhlo_attrs *out, hd_strbuf *problem) {
import m = {context, scratch, row, attrs, count, out, problem };
  hd_vhlo_item items[HD_VHLO_MAX_ITEMS];
  size_t item_count = hd_vhlo_items(context, row, items);
  for (size_t i = 0; i < item_count; ++i) {
    const hd_vhlo_item *item = &items[i];
    hd_vhlo_kind kind = item->kind;
    hd_attr value = find(&m, item->name);
    const hd_vhlo_struct *part = hd_vhlo_struct_of(kind);
    if (part) {
      if (is_first_part(items, i) && !import_struct(&m, items, item_count, part)) return false;
      continue;
    }
    if (!value || kind == HD_VHLO_no_padding) continue;
    if (kind == HD_VHLO_layouts ? layouts_are_empty(&m) : hd_vhlo_is_default(kind, value)) continue;
    if (!import_attr(&m, item, value)) return false;
  }
  for (size_t i = 0; i < count; ++i) {
    bool known = false;
    for (size_t k = 0; k < item_count; ++k) known |= items[k].name == attrs[i].name;
    if (!known) put(&m, attrs[i].name, attrs[i].value);
  }
  return true;
}
