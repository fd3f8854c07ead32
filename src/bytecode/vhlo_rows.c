/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of vhlo ops, versions and kinds. */
#include <stdio.h>
#include <string.h>

#include "bytecode/vhlo.h"

static const struct {
  hd_opcode opcode;
  const char *target, *first, *last, *attrs;
} table[] = {
#define VHLO(code, target, first, last, attrs) {HD_OP_vhlo_##code, target, first, last, attrs},
#include "bytecode/vhlo_ops.def"
};

enum { ROWS = sizeof table / sizeof *table };

enum {
#define VHLO(code, ...) ROW_##code,
#include "bytecode/vhlo_ops.def"
};

/* 1 + the row of an op. */
static const uint8_t row_of[HD_OPCODE_COUNT] = {
#define VHLO(code, ...) [HD_OP_vhlo_##code] = ROW_##code + 1,
#include "bytecode/vhlo_ops.def"
};

bool hd_vhlo_version_parse(const char *text, uint32_t *out) {
  uint32_t parts[3];
  for (int i = 0; i < 3; ++i) {
    uint32_t value = 0;
    int digits = 0;
    for (; *text >= '0' && *text <= '9' && digits < 4; ++text, ++digits) value = value * 10 + (uint32_t)(*text - '0');
    if (!digits || value > 1023 || *text != (i < 2 ? '.' : '\0')) return false;
    parts[i] = value;
    ++text;
  }
  *out = HD_VHLO_VERSION(parts[0], parts[1], parts[2]);
  return true;
}

static hd_vhlo_row make_row(hd_context *context, int i) {
  const char *name = hd_op_info_of(table[i].opcode)->name;
  hd_vhlo_row row = {
      table[i].opcode, name, table[i].target, table[i].attrs, hd_opcode_of(context, hd_str_of(table[i].target)), 0,
      UINT32_MAX};
  hd_vhlo_version_parse(table[i].first, &row.first);
  /* A last version of 1.4.0 means all 1.4.x. */
  if (*table[i].last && hd_vhlo_version_parse(table[i].last, &row.last)) row.last |= 1023;
  return row;
}

bool hd_vhlo_row_of(hd_context *context, hd_opcode opcode, hd_vhlo_row *out) {
  if ((unsigned)opcode >= HD_OPCODE_COUNT || !row_of[opcode]) return false;
  *out = make_row(context, row_of[opcode] - 1);
  return true;
}

bool hd_vhlo_row_for(hd_context *context, hd_opcode target, uint32_t version, hd_vhlo_row *out) {
  const char *name = hd_op_info_of(target)->name;
  for (int i = 0; i < ROWS; ++i) {
    if (strcmp(table[i].target, name) != 0) continue;
    *out = make_row(context, i);
    if (out->first <= version && version <= out->last) return true;
  }
  return false;
}

static hd_vhlo_kind kind_of(hd_str kind) {
  static const char *const names[] = {
      "",
#define KIND(name, doc) #name,
#include "bytecode/vhlo_kinds.def"
  };
  for (size_t i = 1; i < sizeof names / sizeof *names; ++i)
    if (hd_str_is(kind, names[i])) return (hd_vhlo_kind)i;
  return HD_VHLO_SAME;
}

/* "name: kind, ..." */
size_t hd_vhlo_items(hd_context *context, const hd_vhlo_row *row, hd_vhlo_item *out) {
  size_t count = 0;
  for (const char *at = row->attrs; *at && count < HD_VHLO_MAX_ITEMS;) {
    at += strspn(at, " ");
    hd_str name = {at, strcspn(at, ":,")};
    at += name.len;
    hd_str kind = {at, 0};
    if (*at == ':') {
      at += strspn(at, ": ");
      kind = (hd_str){at, strcspn(at, " ,")};
      at += kind.len;
    }
    out[count++] = (hd_vhlo_item){hd_ident_get(context, name), kind.len ? kind_of(kind) : HD_VHLO_SAME};
    if (*at) ++at;
  }
  return count;
}

const hd_vhlo_struct *hd_vhlo_struct_of(hd_vhlo_kind kind) {
  static const hd_vhlo_struct structs[] = {
      {HD_VHLO_dot, HD_STRUCT_stablehlo_dot, "dot_dimension_numbers"},
      {HD_VHLO_gather, HD_STRUCT_stablehlo_gather, "dimension_numbers"},
      {HD_VHLO_scatter, HD_STRUCT_stablehlo_scatter, "scatter_dimension_numbers"},
      {HD_VHLO_conv, HD_STRUCT_stablehlo_conv, "dimension_numbers"},
      {HD_VHLO_handle, HD_STRUCT_stablehlo_channel_handle, "channel_handle"},
      {HD_VHLO_algorithm, HD_STRUCT_stablehlo_dot_algorithm, "algorithm"},
  };
  for (size_t i = 0; i < sizeof structs / sizeof *structs; ++i)
    if (structs[i].kind == kind) return &structs[i];
  return NULL;
}

/* "name?: kind = default, ..." */
int hd_vhlo_part(int row, hd_str name, hd_str *out_kind, bool *out_optional) {
  const char *at = hd_attr_row_info_of(row)->params;
  if (row == HD_STRUCT_stablehlo_channel_handle)
    name = hd_str_is(name, "channel_id") ? HD_STR("handle") : HD_STR("type");
  for (int i = 0; *at; ++i) {
    at += strspn(at, " ");
    hd_str part = {at, strcspn(at, "?:")};
    at += part.len;
    *out_optional = *at == '?';
    at += strspn(at, "?: ");
    *out_kind = (hd_str){at, strcspn(at, " ,=")};
    at += strcspn(at, ",");
    if (*at) ++at;
    if (hd_str_equal(part, name)) return i;
  }
  return -1;
}

static bool all_ints(hd_attr attr, int64_t value) {
  if (attr->kind != HD_ATTR_DENSE && attr->kind != HD_ATTR_DENSE_ARRAY) return false;
  if (attr->kind == HD_ATTR_DENSE && hd_type_element(attr->type)->kind != HD_TYPE_INTEGER) return false;
  size_t count = hd_attr_count(attr);
  for (size_t i = 0; i < count; ++i)
    if (hd_attr_int_at(attr, i) != value) return false;
  return count > 0;
}

static bool is_enum(hd_attr attr, int row, int64_t value) {
  return attr->kind == HD_ATTR_ENUM && attr->enumerant.row == row && attr->enumerant.value == value;
}

static bool is_integer(hd_attr attr, int64_t value) { return attr->kind == HD_ATTR_INTEGER && attr->integer == value; }
static bool is_empty_array(hd_attr attr) { return attr->kind == HD_ATTR_ARRAY && !attr->array.count; }
static bool is_empty_dict(hd_attr attr) { return attr->kind == HD_ATTR_DICT && !attr->dict.count; }

bool hd_vhlo_is_default(hd_vhlo_kind kind, hd_attr attr) {
  switch (kind) {
    case HD_VHLO_ints_ones:
      return all_ints(attr, 1);
    case HD_VHLO_bools_false:
    case HD_VHLO_padding:
      return all_ints(attr, 0);
    case HD_VHLO_ints_empty:
    case HD_VHLO_elements_empty:
      return (attr->kind == HD_ATTR_DENSE || attr->kind == HD_ATTR_DENSE_ARRAY) && !hd_attr_count(attr);
    case HD_VHLO_bool_false:
    case HD_VHLO_flag:
    case HD_VHLO_channel:
    case HD_VHLO_int_0:
      return is_integer(attr, 0);
    case HD_VHLO_int_m1:
      return is_integer(attr, -1);
    case HD_VHLO_string:
      return (attr->kind == HD_ATTR_STRING && !attr->string->len) || is_empty_dict(attr);
    case HD_VHLO_layouts:
    case HD_VHLO_symbols:
    case HD_VHLO_array:
      return is_empty_array(attr);
    case HD_VHLO_dict:
      return is_empty_dict(attr);
    case HD_VHLO_dicts:
      for (uint32_t i = 0; attr->kind == HD_ATTR_ARRAY && i < attr->array.count; ++i)
        if (!is_empty_dict(attr->array.items[i])) return false;
      return attr->kind == HD_ATTR_ARRAY;
    case HD_VHLO_compare_type:
      return is_enum(attr, HD_ENUM_stablehlo_comparison_type, 0);
    case HD_VHLO_api_version:
      return is_integer(attr, 1);
    case HD_VHLO_precision:
      if (attr->kind != HD_ATTR_ARRAY) return false;
      for (uint32_t i = 0; i < attr->array.count; ++i)
        if (!is_enum(attr->array.items[i], HD_ENUM_stablehlo_precision, 0)) return false;
      return true;
    case HD_VHLO_accuracy: {
      if (attr->kind != HD_ATTR_STRUCT || attr->structure.row != HD_STRUCT_stablehlo_result_accuracy) return false;
      for (uint32_t i = 0; i < 2; ++i)
        if (attr->structure.params[i] && attr->structure.params[i]->floating.value != 0) return false;
      if (attr->structure.params[2] && attr->structure.params[2]->integer) return false;
      return attr->structure.params[3] && is_enum(attr->structure.params[3], HD_ENUM_stablehlo_result_accuracy_mode, 0);
    }
    default:
      return false;
  }
}
