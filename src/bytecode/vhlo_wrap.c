/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/vhlo_wrap.h"

#include "bytecode/encoding.h"

typedef struct wrap {
  hd_context *context;
  hd_arena *scratch;
  uint32_t version;
  int depth;
} wrap;

enum { NESTING = 400 };

static bool in_version(const wrap *w, const char *first) {
  uint32_t version;
  return hd_vhlo_version_parse(first, &version) && version <= w->version;
}

static hd_type row_type(const wrap *w, const char *name, const char *first, const hd_attr *params, size_t count) {
  int row = hd_type_row_find(HD_STR("vhlo"), hd_str_of(name));
  return row >= 0 && in_version(w, first) ? hd_type_dialect(w->context, row, params, count) : NULL;
}

static hd_type wrap_type(wrap *w, hd_type type);

/* Types as a list of type attributes; null when one has no form. */
static hd_attr wrap_types(wrap *w, const hd_type *types, size_t count) {
  hd_attr *items = hd_new_array(w->scratch, hd_attr, count);
  for (size_t i = 0; i < count; ++i) {
    hd_type made = wrap_type(w, types[i]);
    if (!made) return NULL;
    items[i] = hd_attr_type(made);
  }
  return hd_attr_array(w->context, items, count);
}

static hd_type wrap_future(wrap *w, hd_type type) {
  hd_attr list = type->dialect.param_count ? type->dialect.params[0] : NULL;
  if (!hd_attr_is(list, HD_ATTR_ARRAY)) return NULL;
  hd_type *types = hd_new_array(w->scratch, hd_type, list->array.count);
  for (uint32_t i = 0; i < list->array.count; ++i) {
    if (!hd_attr_is(list->array.items[i], HD_ATTR_TYPE)) return NULL;
    types[i] = list->array.items[i]->type_value;
  }
  hd_attr param = wrap_types(w, types, list->array.count);
  return param ? row_type(w, "future_v1", "1.15.0", &param, 1) : NULL;
}

static bool is_bounds(hd_attr attr) {
  return attr->kind == HD_ATTR_STRUCT && (attr->structure.row == HD_STRUCT_stablehlo_bounds ||
                                          attr->structure.row == HD_STRUCT_stablehlo_type_extensions);
}

static hd_type wrap_shaped(wrap *w, hd_type type) {
  hd_type element = wrap_type(w, type->shaped.element);
  if (!element) return NULL;
  hd_attr params[3] = {hd_attr_i64_array(w->context, type->shaped.dims, type->shaped.rank), hd_attr_type(element),
                       NULL};
  if (type->kind == HD_TYPE_MEMREF)
    return type->shaped.layout || type->shaped.space ? NULL : row_type(w, "buffer_v1", "1.13.0", params, 3);
  hd_attr encoding = type->shaped.encoding;
  if (encoding && is_bounds(encoding))
    encoding = hd_attr_struct(w->context, HD_STRUCT_vhlo_type_extensions_v1, encoding->structure.params, 1);
  params[2] = encoding;
  return row_type(w, "tensor_v1", "0.9.0", params, 3);
}

static hd_type wrap_quant(wrap *w, hd_type type) {
  hd_context *c = w->context;
  hd_type storage = wrap_type(w, type->quant.storage), expressed = storage ? wrap_type(w, type->quant.expressed) : NULL;
  if (!expressed || type->quant.block_rank) return NULL;
  hd_type f64 = hd_type_float(c, HD_F64);
  hd_attr low = hd_attr_i64(c, type->quant.storage_min), high = hd_attr_i64(c, type->quant.storage_max);
  hd_attr flags = hd_attr_i32(c, type->quant.is_signed);
  if (!type->quant.per_axis) {
    hd_attr params[] = {hd_attr_type(storage),
                        hd_attr_type(expressed),
                        hd_attr_float(f64, type->quant.scales[0]),
                        hd_attr_i64(c, type->quant.zero_points[0]),
                        low,
                        high,
                        flags};
    return row_type(w, "quant_v1", "0.9.0", params, 7);
  }
  hd_attr *scales = hd_new_array(w->scratch, hd_attr, type->quant.count);
  for (uint32_t i = 0; i < type->quant.count; ++i) scales[i] = hd_attr_float(f64, type->quant.scales[i]);
  hd_attr params[] = {hd_attr_type(storage),
                      hd_attr_type(expressed),
                      hd_attr_i32(c, type->quant.axis),
                      hd_attr_array(c, scales, type->quant.count),
                      hd_attr_i64_array(c, type->quant.zero_points, type->quant.count),
                      low,
                      high,
                      flags};
  return row_type(w, "quant_per_axis_v1", "0.18.0", params, 8);
}

static bool plain_matches(hd_type type, hd_type_kind kind, int a, int b) {
  if (type->kind != kind) return false;
  if (kind == HD_TYPE_INTEGER)
    return type->integer.width == (uint32_t)a && type->integer.signedness == (hd_signedness)b;
  if (kind == HD_TYPE_FLOAT) return type->float_kind == (hd_float_kind)a;
  if (kind == HD_TYPE_DIALECT) return type->dialect.row == a;
  return true;
}

static hd_type wrap_nested(wrap *w, hd_type type) {
  hd_attr params[2];
  hd_type element;
  switch (type->kind) {
    case HD_TYPE_COMPLEX:
    case HD_TYPE_UNRANKED_TENSOR:
      if (!(element = wrap_type(w, type->shaped.element))) return NULL;
      params[0] = hd_attr_type(element);
      return row_type(w, type->kind == HD_TYPE_COMPLEX ? "complex_v1" : "unranked_tensor_v1", "0.9.0", params, 1);
    case HD_TYPE_TENSOR:
    case HD_TYPE_MEMREF:
      return wrap_shaped(w, type);
    case HD_TYPE_FUNCTION:
      params[0] = wrap_types(w, type->function.ins, type->function.in_count);
      params[1] = params[0] ? wrap_types(w, type->function.outs, type->function.out_count) : NULL;
      return params[1] ? row_type(w, "func_v1", "0.9.0", params, 2) : NULL;
    case HD_TYPE_TUPLE:
      params[0] = wrap_types(w, type->function.ins, type->function.in_count);
      return params[0] ? row_type(w, "tuple_v1", "0.9.0", params, 1) : NULL;
    case HD_TYPE_QUANT:
      return wrap_quant(w, type);
    case HD_TYPE_DIALECT:
      return type->dialect.row == HD_TYPE_ROW_stablehlo_future ? wrap_future(w, type) : NULL;
    default:
      return NULL;
  }
}

static hd_type wrap_type(wrap *w, hd_type type) {
#define X(code, name, first, kind, a, b) \
  if (plain_matches(type, HD_TYPE_##kind, a, b)) return row_type(w, name, first, NULL, 0);
  HD_VHLO_PLAIN_TYPES(X)
#undef X
  if (w->depth == NESTING) return NULL;
  ++w->depth;
  hd_type made = wrap_nested(w, type);
  --w->depth;
  return made;
}

static hd_attr wrap_enum(wrap *w, int row, int64_t value) {
#define X(code, enum_row, name, first)         \
  if (row == enum_row && in_version(w, first)) \
    return hd_attr_enum(w->context, hd_attr_row_find(HD_STR("vhlo"), HD_STR(name)), value);
  HD_VHLO_ENUMS(X)
#undef X
  return NULL;
}

static hd_attr wrap_one(wrap *w, int row, hd_attr value) {
  return value ? hd_attr_struct(w->context, row, &value, 1) : NULL;
}

static hd_attr wrap_attr(wrap *w, hd_attr attr);

static hd_attr wrap_list(wrap *w, hd_attr attr) {
  hd_attr *items = hd_new_array(w->scratch, hd_attr, attr->array.count);
  for (uint32_t i = 0; i < attr->array.count; ++i)
    if (!(items[i] = wrap_attr(w, attr->array.items[i]))) return NULL;
  return wrap_one(w, HD_STRUCT_vhlo_array_v1, hd_attr_array(w->context, items, attr->array.count));
}

/* Names and values by turns. */
static hd_attr wrap_dict(wrap *w, hd_attr attr) {
  hd_attr *items = hd_new_array(w->scratch, hd_attr, 2 * (size_t)attr->dict.count);
  for (uint32_t i = 0; i < attr->dict.count; ++i) {
    items[2 * i] =
        wrap_one(w, HD_STRUCT_vhlo_string_v1, hd_attr_string(w->context, hd_ident_str(attr->dict.items[i].name)));
    if (!(items[2 * i + 1] = wrap_attr(w, attr->dict.items[i].value))) return NULL;
  }
  return wrap_one(w, HD_STRUCT_vhlo_dict_v1, hd_attr_array(w->context, items, 2 * (size_t)attr->dict.count));
}

/* The parts of a device mesh, in any depth; numbers stay what they are. */
static hd_attr wrap_mesh(wrap *w, hd_attr attr) {
  int row = hd_vhlo_mesh_row(attr->structure.row, true);
  hd_attr made[2] = {NULL};
  if (row < 0 || !in_version(w, "1.16.0")) return NULL;
  for (uint32_t i = 0; i < attr->structure.count && i < 2; ++i) {
    hd_attr param = attr->structure.params[i];
    if (!param) continue;
    if (!(made[i] = param->kind == HD_ATTR_INTEGER ? param : wrap_attr(w, param))) return NULL;
  }
  return hd_attr_struct(w->context, row, made, 2);
}

static hd_attr wrap_struct(wrap *w, hd_attr attr) {
  hd_context *c = w->context;
  const hd_attr *params = attr->structure.params;
  if (attr->structure.row == HD_STRUCT_stablehlo_output_operand_alias)
    return hd_attr_struct(c, HD_STRUCT_vhlo_output_operand_alias_v1, params, attr->structure.count);
  if (attr->structure.row != HD_STRUCT_stablehlo_result_accuracy) return wrap_mesh(w, attr);
  if (!in_version(w, "1.9.0")) return NULL;
  hd_attr zero = hd_attr_float(hd_type_float(c, HD_F64), 0);
  hd_attr made[] = {params[0] ? params[0] : zero, params[1] ? params[1] : zero,
                    params[2] ? params[2] : hd_attr_i64(c, 0), params[3] ? wrap_attr(w, params[3]) : NULL};
  return made[3] ? hd_attr_struct(c, HD_STRUCT_vhlo_result_accuracy_v1, made, 4) : NULL;
}

static hd_attr wrap_nested_attr(wrap *w, hd_attr attr) {
  hd_type type;
  switch (attr->kind) {
    case HD_ATTR_INTEGER:
      if (hd_type_is_integer(attr->type, 1)) return wrap_one(w, HD_STRUCT_vhlo_bool_v1, attr);
      return wrap_type(w, attr->type) ? wrap_one(w, HD_STRUCT_vhlo_integer_v1, attr) : NULL;
    case HD_ATTR_FLOAT:
      if (!(type = wrap_type(w, attr->type))) return NULL;
      return hd_attr_struct(w->context, HD_STRUCT_vhlo_float_v1, (hd_attr[]){hd_attr_type(type), attr}, 2);
    case HD_ATTR_STRING:
      return attr->type ? NULL : wrap_one(w, HD_STRUCT_vhlo_string_v1, attr);
    case HD_ATTR_TYPE:
      return (type = wrap_type(w, attr->type_value)) ? wrap_one(w, HD_STRUCT_vhlo_type_v1, hd_attr_type(type)) : NULL;
    case HD_ATTR_SYMBOL:
      if (attr->symbol.count) return NULL;
      return wrap_one(w, HD_STRUCT_vhlo_string_v1, hd_attr_string(w->context, hd_ident_str(attr->symbol.root)));
    case HD_ATTR_ARRAY:
      return wrap_list(w, attr);
    case HD_ATTR_DICT:
      return wrap_dict(w, attr);
    case HD_ATTR_DENSE:
      return wrap_type(w, attr->type) ? wrap_one(w, HD_STRUCT_vhlo_tensor_v1, attr) : NULL;
    case HD_ATTR_ENUM:
      return wrap_enum(w, attr->enumerant.row, attr->enumerant.value);
    case HD_ATTR_STRUCT:
      return wrap_struct(w, attr);
    default:
      return attr; /* stays what it is */
  }
}

static hd_attr wrap_attr(wrap *w, hd_attr attr) {
  if (w->depth == NESTING) return NULL;
  ++w->depth;
  hd_attr made = wrap_nested_attr(w, attr);
  --w->depth;
  return made;
}

hd_type hd_vhlo_wrap_type(hd_context *context, hd_arena *scratch, hd_type type, uint32_t version) {
  return wrap_type(&(wrap){context, scratch, version, 0}, type);
}

hd_attr hd_vhlo_wrap_attr(hd_context *context, hd_arena *scratch, hd_attr attr, hd_vhlo_kind kind, uint32_t version) {
  wrap w = {context, scratch, version, 0};
  if (kind == HD_VHLO_api_version && attr->kind == HD_ATTR_INTEGER)
    return wrap_enum(&w, HD_ENUM_stablehlo_custom_call_api_version, attr->integer);
  return wrap_attr(&w, attr);
}
