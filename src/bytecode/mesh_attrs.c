/* SPDX-License-Identifier: Apache-2.0 */
/* The attributes of device meshes: as portable artifacts have them (vhlo), and as programs do (stablehlo). */
#include "bytecode/vhlo.h"

static bool is_struct(hd_attr attr, int row) { return hd_attr_is(attr, HD_ATTR_STRUCT) && attr->structure.row == row; }

static bool is_list_of(hd_attr attr, int row) {
  if (!hd_attr_is(attr, HD_ATTR_ARRAY)) return false;
  for (uint32_t i = 0; i < attr->array.count; ++i)
    if (!is_struct(attr->array.items[i], row)) return false;
  return true;
}

/* Is parameter |i| of struct |row| of the kind that printing and what reads meshes count on? */
static bool fits(int row, size_t i, hd_attr param) {
  switch (row) {
    case HD_STRUCT_stablehlo_axis_ref:
      return i ? !param || is_struct(param, HD_STRUCT_stablehlo_sub_axis_info) : hd_attr_is(param, HD_ATTR_STRING);
    case HD_STRUCT_stablehlo_mesh_axis:
      return hd_attr_is(param, i ? HD_ATTR_INTEGER : HD_ATTR_STRING);
    case HD_STRUCT_stablehlo_mesh:
      return i ? !param || hd_attr_is(param, HD_ATTR_DENSE) : is_list_of(param, HD_STRUCT_stablehlo_mesh_axis);
    case HD_STRUCT_stablehlo_replica_group_mesh_axes:
      return i ? is_list_of(param, HD_STRUCT_stablehlo_axis_ref)
               : hd_attr_is(param, HD_ATTR_SYMBOL) || is_struct(param, HD_STRUCT_stablehlo_mesh);
    case HD_STRUCT_stablehlo_result_accuracy:
      return i < 3 ||
             (hd_attr_is(param, HD_ATTR_ENUM) && param->enumerant.row == HD_ENUM_stablehlo_result_accuracy_mode);
    default:
      return true;
  }
}

hd_attr hd_stablehlo_struct(hd_context *context, int row, const hd_attr *params, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!fits(row, i, params[i])) return NULL;
  return hd_attr_struct(context, row, params, count);
}

int hd_vhlo_mesh_row(int row, bool portable) {
  static const int rows[][2] = {
      {HD_STRUCT_stablehlo_sub_axis_info, HD_STRUCT_vhlo_sub_axis_info_v1},
      {HD_STRUCT_stablehlo_axis_ref, HD_STRUCT_vhlo_axis_ref_v1},
      {HD_STRUCT_stablehlo_replica_group_mesh_axes, HD_STRUCT_vhlo_replica_group_mesh_axes_v1},
      {HD_STRUCT_stablehlo_mesh_axis, HD_STRUCT_vhlo_mesh_axis_v1},
      {HD_STRUCT_stablehlo_mesh, HD_STRUCT_vhlo_mesh_v1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i][!portable] == row) return rows[i][portable];
  return -1;
}

hd_attr hd_vhlo_mesh_import(hd_context *context, int row, const hd_attr *params) {
  hd_attr made[2] = {params[0], params[1]};
  if (row == HD_STRUCT_stablehlo_replica_group_mesh_axes && hd_attr_is(made[0], HD_ATTR_STRING))
    made[0] = hd_attr_symbol(context, hd_ident_str(made[0]->string), NULL, 0); /* a name is text there */
  return hd_stablehlo_struct(context, row, made, 2);
}
