/* SPDX-License-Identifier: Apache-2.0 */
#include "text/upgrade.h"

#include <string.h>

#include "text/defaults.h"
#include "text/format.h"

enum { MOST_SPLAT = 4096 };

/* Lists of dims and flags as dense tensors of rank 1. */
static hd_attr list_of(hd_parser *p, bool dims, hd_attr attr) {
  if (attr->kind != HD_ATTR_DENSE || hd_type_rank(attr->type) != 1 ||
      !hd_type_is_integer(hd_type_element(attr->type), dims ? 64 : 1))
    return attr;
  size_t count = hd_attr_count(attr), each = dims ? 8 : 1;
  if (!attr->dense.splat) return hd_attr_dense_array(hd_type_element(attr->type), attr->dense.data, count);
  if (count > MOST_SPLAT) return attr;
  char *data = hd_arena_alloc(&p->scratch, count * each + 1);
  for (size_t i = 0; i < count; ++i) memcpy(data + i * each, attr->dense.data, each);
  return hd_attr_dense_array(hd_type_element(attr->type), data, count);
}

static hd_attr case_of(hd_parser *p, int row, hd_attr attr) {
  int64_t value;
  if (attr->kind != HD_ATTR_STRING || !hd_enum_case_value(row, hd_ident_str(attr->string), &value)) return attr;
  return hd_attr_enum(p->context, row, value);
}

/* A dictionary of a struct's parameters, each of which it has. */
static hd_attr struct_of(hd_parser *p, int row, hd_attr attr) {
  if (attr->kind != HD_ATTR_DICT) return attr;
  const hd_signature_list *params = &hd_attr_row_format(p->context, row)->params;
  hd_attr *values = hd_new_array(&p->scratch, hd_attr, params->count + 1);
  size_t known = 0;
  for (size_t i = 0; i < params->count; ++i) {
    const hd_signature_item *item = &params->items[i];
    hd_attr value = hd_dict_get_named(attr, item->name->text);
    if (!value && (item->arity == HD_OPTIONAL || item->default_text.len)) continue;
    if (!value) return attr;
    ++known;
    value = hd_upgrade_attr(p, item->name, item->constraint, value);
    bool dims = hd_str_is(item->constraint, "dims"), number = hd_str_is(item->constraint, "i64");
    if ((dims && value->kind != HD_ATTR_DENSE_ARRAY) || (number && value->kind != HD_ATTR_INTEGER)) return attr;
    /* An empty list or a default is what an absent parameter means; one form of it is kept. */
    bool empty = item->arity == HD_OPTIONAL && dims && !value->dense.count;
    if (!empty && !(item->default_text.len && hd_default_of(p->context, item) == value)) values[i] = value;
  }
  return known == attr->dict.count ? hd_attr_struct(p->context, row, values, params->count) : attr;
}

/* The first row that |constraint|, "elements|stablehlo.gather", names; -1: none. */
static int row_of(hd_str constraint) {
  for (size_t at = 0; at < constraint.len;) {
    size_t end = at, dot = 0;
    for (; end < constraint.len && constraint.data[end] != '|'; ++end)
      if (constraint.data[end] == '.' && !dot) dot = end;
    if (dot) {
      int row = hd_attr_row_find((hd_str){constraint.data + at, dot - at},
                                 (hd_str){constraint.data + dot + 1, end - dot - 1});
      if (row >= 0) return row;
    }
    at = end + 1;
  }
  return -1;
}

hd_attr hd_upgrade_attr(hd_parser *p, hd_ident name, hd_str constraint, hd_attr attr) {
  if (!attr) return attr;
  bool dims = hd_str_is(constraint, "dims");
  if (dims || hd_str_is(constraint, "bool_array")) return list_of(p, dims, attr);
  if (attr->kind == HD_ATTR_ARRAY && !strcmp(name->text, "precision_config")) {
    size_t count = attr->array.count;
    hd_attr *items = hd_new_array(&p->scratch, hd_attr, count + 1);
    for (size_t i = 0; i < count; ++i) items[i] = case_of(p, HD_ENUM_stablehlo_precision, attr->array.items[i]);
    return hd_attr_array(p->context, items, count);
  }
  int row = attr->kind == HD_ATTR_STRING || attr->kind == HD_ATTR_DICT ? row_of(constraint) : -1;
  if (row < 0) return attr;
  return hd_attr_row_info_of(row)->is_enum ? case_of(p, row, attr) : struct_of(p, row, attr);
}

const char *hd_upgrade_op(hd_context *context, hd_str name, const char **out_attr, hd_attr *out_value) {
  static const struct {
    const char *old, *today, *distribution;
  } rows[] = {
      {"mhlo.dynamic-slice", "mhlo.dynamic_slice", NULL},
      {"mhlo.dynamic-update-slice", "mhlo.dynamic_update_slice", NULL},
      {"tt.view", "tt.reshape", NULL},
      {"mhlo.rng_uniform", "mhlo.rng", "UNIFORM"},
      {"mhlo.rng_normal", "mhlo.rng", "NORMAL"},
  };
  *out_attr = NULL;
  *out_value = NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (!hd_str_is(name, rows[i].old)) continue;
    int64_t value = 0;
    if (rows[i].distribution &&
        hd_enum_case_value(HD_ENUM_stablehlo_rng_distribution, hd_str_of(rows[i].distribution), &value)) {
      *out_attr = "rng_distribution";
      *out_value = hd_attr_enum(context, HD_ENUM_stablehlo_rng_distribution, value);
    }
    if (hd_str_is(name, "tt.view")) {
      *out_attr = "allow_reorder";
      *out_value = hd_attr_unit(context);
    }
    return rows[i].today;
  }
  return NULL;
}
