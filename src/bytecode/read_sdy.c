/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings of the sdy dialect: how tensors are on a mesh of devices. */
#include "bytecode/reader.h"

enum {
  SDY_MANUAL_AXES,
  SDY_MESH_AXIS,
  SDY_MESH,
  SDY_SUB_AXIS,
  SDY_AXIS_REF,
  SDY_DIMENSION,
  SDY_SHARDING,
  SDY_SHARDING_PER_VALUE,
  SDY_UNREDUCED_SHARDING = 15,
  SDY_UNREDUCED_SHARDING_PER_VALUE,
};

/* A list of attributes that all are of |row|, or strings for -1. */
static hd_attr read_list(hd_bc_reader *r, hd_bc_bytes *in, int row) {
  const uint8_t *where = in->at;
  hd_attr *items;
  size_t count;
  if (!hd_bc_attr_list(r, in, &items, &count)) return NULL;
  for (size_t i = 0; i < count; ++i)
    if (row < 0 ? items[i]->kind != HD_ATTR_STRING
                : items[i]->kind != HD_ATTR_STRUCT || items[i]->structure.row != row) {
      hd_bc_fail(r, where, "expected a list of %s", row < 0 ? "strings" : hd_attr_row_info_of(row)->name);
      return NULL;
    }
  return hd_attr_array(r->context, items, count);
}

static hd_attr read_number(hd_bc_reader *r, hd_bc_bytes *in) {
  int64_t value;
  return hd_bc_signed(r, in, &value) ? hd_attr_i64(r->context, value) : NULL;
}

static hd_attr read_name(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_str name;
  return hd_bc_string(r, in, &name) ? hd_attr_string(r->context, name) : NULL;
}

static hd_attr read_mesh(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_attr params[2] = {read_list(r, in, HD_STRUCT_sdy_mesh_axis)};
  int64_t *ids;
  size_t count;
  if (!params[0] || !hd_bc_signed_list(r, in, &ids, &count)) return NULL;
  if (count) params[1] = hd_attr_i64_array(r->context, ids, count);
  return hd_attr_struct(r->context, HD_STRUCT_sdy_mesh, params, 2);
}

/* A sub-axis is a list of its two numbers until the axis takes them. */
static hd_attr read_sub_axis(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_attr before = read_number(r, in), size = before ? read_number(r, in) : NULL;
  return size ? hd_attr_array(r->context, (hd_attr[]){before, size}, 2) : NULL;
}

static hd_attr read_axis_ref(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  hd_attr part, params[3] = {read_name(r, in)};
  if (!params[0] || !hd_bc_optional_attr(r, in, &part)) return NULL;
  if (part) {
    if (part->kind != HD_ATTR_ARRAY || part->array.count != 2 || part->array.items[0]->kind != HD_ATTR_INTEGER ||
        part->array.items[1]->kind != HD_ATTR_INTEGER) {
      hd_bc_fail(r, where, "expected the numbers of a sub-axis");
      return NULL;
    }
    params[1] = part->array.items[0];
    params[2] = part->array.items[1];
  }
  return hd_attr_struct(r->context, HD_STRUCT_sdy_axis_ref, params, 3);
}

static hd_attr read_dimension(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_attr params[3] = {read_list(r, in, HD_STRUCT_sdy_axis_ref)};
  uint8_t closed;
  uint64_t priority;
  bool has_priority;
  if (!params[0] || !hd_bc_byte(r, in, &closed) || !hd_bc_flagged(r, in, &priority, &has_priority)) return NULL;
  params[1] = hd_attr_bool(r->context, closed != 0);
  if (has_priority) params[2] = hd_attr_i64(r->context, (int64_t)(priority & INT32_MAX));
  return hd_attr_struct(r->context, HD_STRUCT_sdy_dimension_sharding, params, 3);
}

static hd_attr read_sharding(hd_bc_reader *r, hd_bc_bytes *in, bool unreduced) {
  const uint8_t *where = in->at;
  hd_attr params[4] = {hd_bc_attr_ref(r, in)};
  if (!params[0]) return NULL;
  if (params[0]->kind != HD_ATTR_SYMBOL &&
      !(params[0]->kind == HD_ATTR_STRUCT && params[0]->structure.row == HD_STRUCT_sdy_mesh)) {
    hd_bc_fail(r, where, "expected a mesh or the name of one");
    return NULL;
  }
  if (!(params[1] = read_list(r, in, HD_STRUCT_sdy_dimension_sharding))) return NULL;
  for (int i = 2; i < (unreduced ? 4 : 3); ++i) {
    hd_attr axes = read_list(r, in, HD_STRUCT_sdy_axis_ref);
    if (!axes) return NULL;
    if (axes->array.count) params[i] = axes;
  }
  return hd_attr_struct(r->context, HD_STRUCT_sdy_sharding, params, 4);
}

hd_attr hd_bc_sdy_attr(hd_bc_reader *r, hd_bc_bytes *in) {
  uint64_t code;
  hd_attr list;
  if (!hd_bc_varint(r, in, &code)) return NULL;
  switch (code) {
    case SDY_MANUAL_AXES:
      return (list = read_list(r, in, -1)) ? hd_attr_struct(r->context, HD_STRUCT_sdy_manual_axes, &list, 1) : NULL;
    case SDY_MESH_AXIS: {
      hd_attr name = read_name(r, in), size = name ? read_number(r, in) : NULL;
      return size ? hd_attr_struct(r->context, HD_STRUCT_sdy_mesh_axis, (hd_attr[]){name, size}, 2) : NULL;
    }
    case SDY_MESH:
      return read_mesh(r, in);
    case SDY_SUB_AXIS:
      return read_sub_axis(r, in);
    case SDY_AXIS_REF:
      return read_axis_ref(r, in);
    case SDY_DIMENSION:
      return read_dimension(r, in);
    case SDY_SHARDING:
    case SDY_UNREDUCED_SHARDING:
      return read_sharding(r, in, code == SDY_UNREDUCED_SHARDING);
    case SDY_SHARDING_PER_VALUE:
    case SDY_UNREDUCED_SHARDING_PER_VALUE:
      list = read_list(r, in, HD_STRUCT_sdy_sharding);
      return list ? hd_attr_struct(r->context, HD_STRUCT_sdy_sharding_per_value, &list, 1) : NULL;
    default: /* rules of ops and parameters of its own collectives: nothing here asks for them */
      in->at = in->end;
      return hd_attr_opaque(r->context, HD_STR("sdy"),
                            hd_str_of(hd_arena_printf(&r->scratch, ".attribute_%d", (int)code)));
  }
}
