/* SPDX-License-Identifier: Apache-2.0 */
/* Types and attributes of vhlo as what they stand for. */
#include <string.h>

#include "bytecode/encoding.h"
#include "bytecode/vhlo_wrap.h"
#include "ir/quantized.h"

typedef struct unwrap {
  hd_context *context;
  hd_arena *scratch;
  int depth;
} unwrap;

enum { NESTING = 400 };

static hd_type unwrap_type(unwrap *u, hd_type type);
static hd_attr unwrap_attr(unwrap *u, hd_attr attr);

static hd_attr param(hd_type type, uint32_t i) {
  return i < type->dialect.param_count ? type->dialect.params[i] : NULL;
}

static hd_type param_type(unwrap *u, hd_type type, uint32_t i) {
  hd_attr attr = param(type, i);
  return hd_attr_is(attr, HD_ATTR_TYPE) ? unwrap_type(u, attr->type_value) : NULL;
}

static bool param_types(unwrap *u, hd_attr list, hd_type **out, size_t *out_count) {
  if (!hd_attr_is(list, HD_ATTR_ARRAY)) return false;
  *out_count = list->array.count;
  *out = hd_new_array(u->scratch, hd_type, *out_count);
  for (size_t i = 0; i < *out_count; ++i) {
    hd_attr item = list->array.items[i];
    if (!hd_attr_is(item, HD_ATTR_TYPE) || !((*out)[i] = unwrap_type(u, item->type_value))) return false;
  }
  return true;
}

static hd_type unwrap_shaped(unwrap *u, hd_type type, bool is_buffer) {
  size_t rank;
  hd_attr shape = param(type, 0), encoding = param(type, 2);
  hd_type element = param_type(u, type, 1);
  if (!shape || !element) return NULL;
  const int64_t *dims = hd_attr_ints(u->scratch, shape, &rank);
  if (is_buffer) return hd_type_memref(element, dims, rank, NULL, NULL);
  if (encoding && encoding->kind == HD_ATTR_STRUCT && encoding->structure.row == HD_STRUCT_vhlo_type_extensions_v1)
    encoding = hd_attr_struct(u->context, HD_STRUCT_stablehlo_bounds, encoding->structure.params, 1);
  return hd_type_tensor(element, dims, rank, encoding);
}

static int64_t param_int(hd_type type, uint32_t i) {
  hd_attr attr = param(type, i);
  return hd_attr_is(attr, HD_ATTR_INTEGER) ? attr->integer : 0;
}

static hd_type unwrap_quant(unwrap *u, hd_type type, bool per_axis) {
  struct hd_type_storage quant = {.kind = HD_TYPE_QUANT, .context = u->context};
  quant.quant.storage = param_type(u, type, 0);
  quant.quant.expressed = param_type(u, type, 1);
  if (!quant.quant.storage || !quant.quant.expressed) return NULL;
  quant.quant.per_axis = per_axis;
  quant.quant.axis = per_axis ? (int32_t)param_int(type, 2) : -1;
  uint32_t rest = per_axis ? 5 : 4;
  quant.quant.storage_min = param_int(type, rest);
  quant.quant.storage_max = param_int(type, rest + 1);
  quant.quant.is_signed = param_int(type, rest + 2) & 1;
  hd_attr scale = param(type, per_axis ? 3 : 2), zero = param(type, per_axis ? 4 : 3);
  size_t count = 1, zero_count = 1;
  double *scales = hd_new_array(u->scratch, double, 1);
  const int64_t *zeros = hd_new_array(u->scratch, int64_t, 1);
  if (per_axis) {
    if (!hd_attr_is(scale, HD_ATTR_ARRAY) || !zero) return NULL;
    count = scale->array.count;
    scales = hd_new_array(u->scratch, double, count + 1);
    for (size_t i = 0; i < count; ++i) {
      if (!hd_attr_is(scale->array.items[i], HD_ATTR_FLOAT)) return NULL;
      scales[i] = scale->array.items[i]->floating.value;
    }
    zeros = hd_attr_ints(u->scratch, zero, &zero_count);
  } else {
    if (!hd_attr_is(scale, HD_ATTR_FLOAT)) return NULL;
    scales[0] = scale->floating.value;
    zeros = (int64_t *)hd_arena_copy(u->scratch, &(int64_t){param_int(type, 3)}, sizeof(int64_t));
  }
  if (count != zero_count) return NULL;
  quant.quant.count = (uint32_t)count;
  quant.quant.scales = scales;
  quant.quant.zero_points = zeros;
  hd_strbuf why;
  hd_strbuf_init(&why, u->scratch);
  return hd_quantized_element_holds(&quant, &why) ? hd_type_quant(u->context, &quant) : NULL;
}

static hd_type plain_type(unwrap *u, const char *spelled) {
#define NEW_INTEGER(width, signedness) hd_type_integer(u->context, width, signedness)
#define NEW_FLOAT(kind, zero) hd_type_float(u->context, kind)
#define NEW_DIALECT(row, zero) hd_type_dialect(u->context, row, NULL, 0)
#define NEW_INDEX(zero, none) hd_type_index(u->context)
#define NEW_NONE(zero, none) hd_type_none(u->context)
#define X(code, name, first, kind, a, b) \
  if (!strcmp(spelled, name)) return NEW_##kind(a, b);
  HD_VHLO_PLAIN_TYPES(X)
#undef X
  return NULL;
}

static hd_type unwrap_nested(unwrap *u, hd_type type) {
  const char *name = hd_type_row_info_of(type->dialect.row)->name;
  hd_type *ins, *outs, element = plain_type(u, name);
  size_t in_count, out_count;
  if (element) return element;
  switch (type->dialect.row) {
    case HD_TYPE_ROW_vhlo_complex_v1:
      return (element = param_type(u, type, 0)) ? hd_type_complex(element) : NULL;
    case HD_TYPE_ROW_vhlo_unranked_tensor_v1:
      return (element = param_type(u, type, 0)) ? hd_type_unranked_tensor(element) : NULL;
    case HD_TYPE_ROW_vhlo_tensor_v1:
      return unwrap_shaped(u, type, false);
    case HD_TYPE_ROW_vhlo_buffer_v1:
      return unwrap_shaped(u, type, true);
    case HD_TYPE_ROW_vhlo_quant_v1:
      return unwrap_quant(u, type, false);
    case HD_TYPE_ROW_vhlo_quant_per_axis_v1:
      return unwrap_quant(u, type, true);
    case HD_TYPE_ROW_vhlo_tuple_v1:
      return param_types(u, param(type, 0), &ins, &in_count) ? hd_type_tuple(u->context, ins, in_count) : NULL;
    case HD_TYPE_ROW_vhlo_func_v1:
      if (!param_types(u, param(type, 0), &ins, &in_count) || !param_types(u, param(type, 1), &outs, &out_count))
        return NULL;
      return hd_type_function(u->context, ins, in_count, outs, out_count);
    case HD_TYPE_ROW_vhlo_future_v1: {
      if (!param_types(u, param(type, 0), &ins, &in_count)) return NULL;
      hd_attr *items = hd_new_array(u->scratch, hd_attr, in_count);
      for (size_t i = 0; i < in_count; ++i) items[i] = hd_attr_type(ins[i]);
      hd_attr list = hd_attr_array(u->context, items, in_count);
      return hd_type_dialect(u->context, HD_TYPE_ROW_stablehlo_future, &list, 1);
    }
    default:
      return NULL;
  }
}

static hd_type unwrap_type(unwrap *u, hd_type type) {
  if (type->kind != HD_TYPE_DIALECT || strcmp(hd_type_row_info_of(type->dialect.row)->dialect, "vhlo") != 0)
    return type;
  if (u->depth == NESTING) return NULL;
  ++u->depth;
  hd_type made = unwrap_nested(u, type);
  --u->depth;
  return made;
}

static hd_attr unwrap_list(unwrap *u, hd_attr list) {
  if (!hd_attr_is(list, HD_ATTR_ARRAY)) return NULL;
  hd_attr *items = hd_new_array(u->scratch, hd_attr, list->array.count);
  for (uint32_t i = 0; i < list->array.count; ++i)
    if (!(items[i] = unwrap_attr(u, list->array.items[i]))) return NULL;
  return hd_attr_array(u->context, items, list->array.count);
}

static hd_attr unwrap_dict(unwrap *u, hd_attr list) {
  hd_attr flat = unwrap_list(u, list);
  if (!flat || flat->array.count % 2) return NULL;
  hd_named_attr *items = hd_new_array(u->scratch, hd_named_attr, flat->array.count / 2);
  for (uint32_t i = 0; i < flat->array.count / 2; ++i) {
    if (!hd_attr_is(flat->array.items[2 * i], HD_ATTR_STRING)) return NULL;
    items[i] = (hd_named_attr){flat->array.items[2 * i]->string, flat->array.items[2 * i + 1]};
  }
  return hd_attr_dict(u->context, items, flat->array.count / 2);
}

static hd_attr unwrap_accuracy(unwrap *u, const hd_attr *params) {
  hd_attr mode = params[3] ? unwrap_attr(u, params[3]) : NULL;
  if (!mode) return NULL;
  hd_attr made[] = {hd_attr_is(params[0], HD_ATTR_FLOAT) && params[0]->floating.value != 0 ? params[0] : NULL,
                    hd_attr_is(params[1], HD_ATTR_FLOAT) && params[1]->floating.value != 0 ? params[1] : NULL,
                    hd_attr_is(params[2], HD_ATTR_INTEGER) && params[2]->integer ? params[2] : NULL, mode};
  return hd_attr_struct(u->context, HD_STRUCT_stablehlo_result_accuracy, made, 4);
}

static hd_attr unwrap_mesh(unwrap *u, hd_attr attr) {
  hd_attr params[2] = {NULL};
  for (uint32_t i = 0; i < attr->structure.count && i < 2; ++i) {
    hd_attr param = attr->structure.params[i];
    if (param && !(params[i] = unwrap_attr(u, param))) return NULL;
  }
  return hd_vhlo_mesh_import(u->context, hd_vhlo_mesh_row(attr->structure.row, false), params);
}

static hd_attr unwrap_struct(unwrap *u, hd_attr attr) {
  const hd_attr *params = attr->structure.params;
  hd_type type;
  switch (attr->structure.row) {
    case HD_STRUCT_vhlo_bool_v1:
    case HD_STRUCT_vhlo_integer_v1:
    case HD_STRUCT_vhlo_string_v1:
    case HD_STRUCT_vhlo_tensor_v1:
      return params[0];
    case HD_STRUCT_vhlo_float_v1:
      return params[1];
    case HD_STRUCT_vhlo_array_v1:
      return unwrap_list(u, params[0]);
    case HD_STRUCT_vhlo_dict_v1:
      return unwrap_dict(u, params[0]);
    case HD_STRUCT_vhlo_type_v1:
      return hd_attr_is(params[0], HD_ATTR_TYPE) && (type = unwrap_type(u, params[0]->type_value)) ? hd_attr_type(type)
                                                                                                   : NULL;
    case HD_STRUCT_vhlo_output_operand_alias_v1:
      return hd_attr_struct(u->context, HD_STRUCT_stablehlo_output_operand_alias, params, attr->structure.count);
    case HD_STRUCT_vhlo_result_accuracy_v1:
      return unwrap_accuracy(u, params);
    case HD_STRUCT_vhlo_sub_axis_info_v1:
    case HD_STRUCT_vhlo_axis_ref_v1:
    case HD_STRUCT_vhlo_replica_group_mesh_axes_v1:
    case HD_STRUCT_vhlo_mesh_axis_v1:
    case HD_STRUCT_vhlo_mesh_v1:
      return unwrap_mesh(u, attr);
    default:
      return attr;
  }
}

static hd_attr unwrap_attr(unwrap *u, hd_attr attr) {
  if (attr->kind == HD_ATTR_ENUM) {
    int row = attr->enumerant.row;
#define X(code, enum_row, name, first)                           \
  if (row == hd_attr_row_find(HD_STR("vhlo"), HD_STR(name)))     \
    return enum_row == HD_ENUM_stablehlo_custom_call_api_version \
               ? hd_attr_i32(u->context, attr->enumerant.value)  \
               : hd_attr_enum(u->context, enum_row, attr->enumerant.value);
    HD_VHLO_ENUMS(X)
#undef X
    return attr;
  }
  if (attr->kind != HD_ATTR_STRUCT) return attr;
  if (u->depth == NESTING) return NULL;
  ++u->depth;
  hd_attr made = unwrap_struct(u, attr);
  --u->depth;
  return made;
}

hd_type hd_vhlo_unwrap_type(hd_context *context, hd_arena *scratch, hd_type type) {
  return unwrap_type(&(unwrap){context, scratch, 0}, type);
}
hd_attr hd_vhlo_unwrap_attr(hd_context *context, hd_arena *scratch, hd_attr attr) {
  return unwrap_attr(&(unwrap){context, scratch, 0}, attr);
}
