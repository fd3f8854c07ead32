/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings of the stablehlo and chlo dialects, for bytecode that is no portable artifact, and of attributes that a
 * portable one leaves as they are. A struct is its parameters in the order of its row, one letter each:
 *
 *   s i64   S i64 that 0 leaves out   d list of i64   D the same that is left out when empty   t type
 *   f f64 that 0 leaves out   b bool   n name   a attribute   o flag, attribute   l list of attributes */
#include "bytecode/reader.h"
#include "bytecode/vhlo.h"

typedef struct encoding {
  int row;            /* 0: none */
  const char *params; /* null for an enum */
} encoding;

static const encoding stablehlo_codes[] = {
    [1] = {HD_STRUCT_stablehlo_channel_handle, "ss"},
    [2] = {HD_ENUM_stablehlo_comparison_direction, NULL},
    [3] = {HD_ENUM_stablehlo_comparison_type, NULL},
    [4] = {HD_STRUCT_stablehlo_conv, "ssdssdssd"},
    [5] = {HD_STRUCT_stablehlo_dot, "DDDD"},
    [6] = {HD_ENUM_stablehlo_fft_type, NULL},
    [7] = {HD_STRUCT_stablehlo_gather, "DDDDDS"},
    [8] = {HD_ENUM_stablehlo_precision, NULL},
    [9] = {HD_ENUM_stablehlo_rng_algorithm, NULL},
    [10] = {HD_ENUM_stablehlo_rng_distribution, NULL},
    [11] = {HD_STRUCT_stablehlo_scatter, "DDDDDS"},
    [12] = {HD_ENUM_stablehlo_transpose, NULL},
    [13] = {HD_STRUCT_stablehlo_bounds, "d"},
    [14] = {HD_STRUCT_stablehlo_output_operand_alias, "dsd"},
    [15] = {HD_STRUCT_stablehlo_dot_algorithm, "tttsssb"},
    [16] = {HD_ENUM_stablehlo_result_accuracy_mode, NULL},
    [17] = {HD_STRUCT_stablehlo_result_accuracy, "ffSa"},
    [18] = {HD_STRUCT_stablehlo_replica_group_mesh_axes, "al"},
    [19] = {HD_STRUCT_stablehlo_sub_axis_info, "ss"},
    [20] = {HD_STRUCT_stablehlo_axis_ref, "no"},
    [21] = {HD_STRUCT_stablehlo_mesh_axis, "ns"},
    [22] = {HD_STRUCT_stablehlo_mesh, "ao"},
};

static const encoding chlo_codes[] = {
    [0] = {HD_ENUM_chlo_comparison_direction, NULL},
    [1] = {HD_ENUM_chlo_comparison_type, NULL},
};

hd_attr hd_bc_enum(hd_bc_reader *r, hd_bc_bytes *in, int row) {
  const uint8_t *where = in->at;
  uint64_t value;
  if (!hd_bc_varint(r, in, &value)) return NULL;
  if (value <= INT32_MAX && hd_enum_case_name(row, (int64_t)value).len)
    return hd_attr_enum(r->context, row, (int64_t)value);
  hd_bc_fail(r, where, "no %s is numbered %llu", hd_attr_row_info_of(row)->name, (unsigned long long)value);
  return NULL;
}

/* False after an error; a parameter that is left out is null. */
static bool read_param(hd_bc_reader *r, hd_bc_bytes *in, char kind, hd_attr *out) {
  int64_t number, *numbers;
  size_t count;
  double value;
  uint8_t flag;
  hd_attr *items;
  hd_type type;
  hd_str text;
  *out = NULL;
  switch (kind) {
    case 's':
    case 'S':
      if (!hd_bc_signed(r, in, &number)) return false;
      if (number || kind == 's') *out = hd_attr_i64(r->context, number);
      return true;
    case 'd':
    case 'D':
      if (!hd_bc_signed_list(r, in, &numbers, &count)) return false;
      if (count || kind == 'd') *out = hd_attr_i64_array(r->context, numbers, count);
      return true;
    case 'f':
      if (!hd_bc_double(r, in, &value)) return false;
      if (value != 0) *out = hd_attr_float(hd_type_float(r->context, HD_F64), value);
      return true;
    case 't':
      return (type = hd_bc_type_ref(r, in)) && (*out = hd_attr_type(type));
    case 'b':
      return hd_bc_byte(r, in, &flag) && (*out = hd_attr_bool(r->context, flag != 0));
    case 'n':
      return hd_bc_string(r, in, &text) && (*out = hd_attr_string(r->context, text));
    case 'a':
      return (*out = hd_bc_attr_ref(r, in)) != NULL;
    case 'o':
      return hd_bc_byte(r, in, &flag) && (!flag || (*out = hd_bc_attr_ref(r, in)));
    default:
      return hd_bc_attr_list(r, in, &items, &count) && (*out = hd_attr_array(r->context, items, count));
  }
}

static hd_attr read_struct(hd_bc_reader *r, hd_bc_bytes *in, const encoding *e) {
  const uint8_t *where = in->at;
  hd_attr params[16] = {NULL};
  size_t count = 0;
  for (; e->params[count]; ++count)
    if (!read_param(r, in, e->params[count], &params[count])) return NULL;
  hd_attr made = hd_stablehlo_struct(r->context, e->row, params, count);
  if (!made) hd_bc_fail(r, where, "a parameter of %s is of another kind", hd_attr_row_info_of(e->row)->name);
  return made;
}

static hd_attr read_coded(hd_bc_reader *r, hd_bc_bytes *in, const encoding *codes, size_t count, const char *dialect) {
  const uint8_t *where = in->at;
  uint64_t code;
  if (!hd_bc_varint(r, in, &code)) return NULL;
  const encoding *e = code < count ? &codes[code] : NULL;
  if (e && e->params) return read_struct(r, in, e);
  if (e && hd_attr_row_info_of(e->row)->is_enum) return hd_bc_enum(r, in, e->row);
  hd_bc_fail(r, where, "attribute %llu of dialect '%s' is not known", (unsigned long long)code, dialect);
  return NULL;
}

hd_attr hd_bc_stablehlo_attr(hd_bc_reader *r, hd_bc_bytes *in) {
  return read_coded(r, in, stablehlo_codes, sizeof stablehlo_codes / sizeof *stablehlo_codes, "stablehlo");
}

hd_attr hd_bc_chlo_attr(hd_bc_reader *r, hd_bc_bytes *in) {
  return read_coded(r, in, chlo_codes, sizeof chlo_codes / sizeof *chlo_codes, "chlo");
}

hd_attr hd_bc_type_attrs(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_type *types;
  size_t count;
  if (!hd_bc_type_list(r, in, &types, &count)) return NULL;
  hd_attr *items = hd_new_array(&r->scratch, hd_attr, count);
  for (size_t i = 0; i < count; ++i) items[i] = hd_attr_type(types[i]);
  return hd_attr_array(r->context, items, count);
}

hd_type hd_bc_stablehlo_type(hd_bc_reader *r, hd_bc_bytes *in) {
  enum { TOKEN, FUTURE };
  const uint8_t *where = in->at;
  uint64_t code;
  hd_attr list;
  if (!hd_bc_varint(r, in, &code)) return NULL;
  if (code == TOKEN) return hd_type_dialect(r->context, HD_TYPE_ROW_stablehlo_token, NULL, 0);
  if (code == FUTURE)
    return (list = hd_bc_type_attrs(r, in)) ? hd_type_dialect(r->context, HD_TYPE_ROW_stablehlo_future, &list, 1)
                                            : NULL;
  hd_bc_fail(r, where, "type %llu of dialect 'stablehlo' is not known", (unsigned long long)code);
  return NULL;
}
