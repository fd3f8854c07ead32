/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings of the vhlo dialect, read as what they stand for: !vhlo.tensor_v1<4x!vhlo.f32_v1> is tensor<4xf32>,
 * #vhlo.bool_v1<true> is true, a symbol is a string until the op's row says what it is (vhlo.h). */
#include "bytecode/reader.h"
#include "bytecode/vhlo.h"

static hd_attr read_enum(hd_bc_reader *r, hd_bc_bytes *in, int row) {
  hd_attr value = hd_bc_enum(r, in, row);
  /* Kept as an integer by the op itself. */
  if (value && row == HD_ENUM_stablehlo_custom_call_api_version) return hd_attr_i32(r->context, value->enumerant.value);
  return value;
}

static hd_attr read_bool(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t value;
  if (!hd_bc_varint(r, in, &value)) return NULL;
  if (value > 1) {
    hd_bc_fail(r, where, "expected 0 or 1 for a boolean, got %llu", (unsigned long long)value);
    return NULL;
  }
  return hd_attr_bool(r->context, value);
}

static hd_attr read_dict(hd_bc_reader *r, hd_bc_bytes *in) {
  size_t count;
  if (!hd_bc_count(r, in, 2, &count)) return NULL;
  hd_named_attr *items = hd_new_array(&r->scratch, hd_named_attr, count);
  for (size_t i = 0; i < count; ++i) {
    const uint8_t *where = in->at;
    hd_attr name = hd_bc_attr_ref(r, in), value = name ? hd_bc_attr_ref(r, in) : NULL;
    if (!value) return NULL;
    if (name->kind != HD_ATTR_STRING) {
      hd_bc_fail(r, where, "expected a string as the name of an attribute");
      return NULL;
    }
    items[i] = (hd_named_attr){name->string, value};
  }
  return hd_attr_dict(r->context, items, count);
}

static hd_attr dims(hd_bc_reader *r, const int64_t *values, size_t count) {
  return hd_attr_i64_array(r->context, values, count);
}

static hd_attr read_alias(hd_bc_reader *r, hd_bc_bytes *in) {
  int64_t *outputs, *operands, index;
  size_t output_count, operand_count;
  if (!hd_bc_signed_list(r, in, &outputs, &output_count) || !hd_bc_signed(r, in, &index) ||
      !hd_bc_signed_list(r, in, &operands, &operand_count))
    return NULL;
  hd_attr params[] = {dims(r, outputs, output_count), hd_attr_i64(r->context, index), dims(r, operands, operand_count)};
  return hd_attr_struct(r->context, HD_STRUCT_stablehlo_output_operand_alias, params, 3);
}

static hd_attr read_accuracy(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  double atol, rtol;
  int64_t ulps;
  if (!hd_bc_double(r, in, &atol) || !hd_bc_double(r, in, &rtol) || !hd_bc_signed(r, in, &ulps)) return NULL;
  hd_attr mode = hd_bc_attr_ref(r, in);
  if (!mode) return NULL;
  if (mode->kind != HD_ATTR_ENUM || mode->enumerant.row != HD_ENUM_stablehlo_result_accuracy_mode) {
    hd_bc_fail(r, where, "expected a mode of result accuracy");
    return NULL;
  }
  hd_type f64 = hd_type_float(r->context, HD_F64);
  hd_attr params[] = {atol != 0 ? hd_attr_float(f64, atol) : NULL, rtol != 0 ? hd_attr_float(f64, rtol) : NULL,
                      ulps ? hd_attr_i64(r->context, ulps) : NULL, mode};
  return hd_attr_struct(r->context, HD_STRUCT_stablehlo_result_accuracy, params, 4);
}

static hd_attr read_tensor_attr(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_type type = hd_bc_type_ref(r, in);
  uint64_t size;
  hd_bc_bytes blob;
  if (!type || !hd_bc_varint(r, in, &size) || !hd_bc_take(r, in, size, &blob)) return NULL;
  return hd_bc_dense(r, type, blob);
}

static hd_attr read_number(hd_bc_reader *r, hd_bc_bytes *in, bool is_float) {
  const uint8_t *where = in->at;
  hd_type type = hd_bc_type_ref(r, in);
  if (!type) return NULL;
  if ((type->kind == HD_TYPE_FLOAT) == is_float) return hd_bc_number(r, in, type, where);
  hd_bc_fail(r, where, "expected %s type of a number", is_float ? "the float" : "the integer");
  return NULL;
}

static bool read_size(hd_bc_reader *r, hd_bc_bytes *in, hd_attr *out) {
  int64_t value;
  return hd_bc_signed(r, in, &value) && (*out = hd_attr_i64(r->context, value));
}

/* Struct |row| of a device mesh, as stablehlo has it. */
static hd_attr read_mesh_part(hd_bc_reader *r, hd_bc_bytes *in, int row) {
  const uint8_t *where = in->at;
  hd_attr params[2] = {NULL};
  uint64_t flag;
  bool good;
  if (row == HD_STRUCT_stablehlo_sub_axis_info)
    good = read_size(r, in, &params[0]);
  else
    good = (params[0] = hd_bc_attr_ref(r, in)) != NULL;
  if (!good) return NULL;
  switch (row) {
    case HD_STRUCT_stablehlo_axis_ref:
      good = hd_bc_varint(r, in, &flag) && (!flag || (params[1] = hd_bc_attr_ref(r, in)));
      break;
    case HD_STRUCT_stablehlo_replica_group_mesh_axes:
      good = (params[1] = hd_bc_attr_ref(r, in)) != NULL;
      break;
    case HD_STRUCT_stablehlo_mesh:
      good = hd_bc_optional_attr(r, in, &params[1]);
      break;
    default:
      good = read_size(r, in, &params[1]);
  }
  if (!good) return NULL;
  hd_attr made = hd_vhlo_mesh_import(r->context, row, params);
  if (!made) hd_bc_fail(r, where, "a parameter of %s is of another kind", hd_attr_row_info_of(row)->name);
  return made;
}

hd_attr hd_bc_vhlo_attr(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t code;
  hd_attr *items;
  int64_t *values;
  hd_type type;
  hd_str text;
  size_t count;
  if (!hd_bc_varint(r, in, &code)) return NULL;
  switch (code) {
#define X(number, row, ...) \
  case number:              \
    return read_enum(r, in, row);
    HD_VHLO_ENUMS(X)
#undef X
    case HD_VHLO_ATTR_ARRAY:
      return hd_bc_attr_list(r, in, &items, &count) ? hd_attr_array(r->context, items, count) : NULL;
    case HD_VHLO_ATTR_BOOL:
      return read_bool(r, in);
    case HD_VHLO_ATTR_DICT:
      return read_dict(r, in);
    case HD_VHLO_ATTR_FLOAT:
      return read_number(r, in, true);
    case HD_VHLO_ATTR_INTEGER:
      return read_number(r, in, false);
    case HD_VHLO_ATTR_ALIAS:
      return read_alias(r, in);
    case HD_VHLO_ATTR_STRING:
      return hd_bc_string(r, in, &text) ? hd_attr_string(r->context, text) : NULL;
    case HD_VHLO_ATTR_TENSOR:
      return read_tensor_attr(r, in);
    case HD_VHLO_ATTR_TYPE:
      return (type = hd_bc_type_ref(r, in)) ? hd_attr_type(type) : NULL;
    case HD_VHLO_ATTR_TYPE_EXTENSIONS: {
      if (!hd_bc_signed_list(r, in, &values, &count)) return NULL;
      hd_attr bounds = dims(r, values, count);
      return hd_attr_struct(r->context, HD_STRUCT_stablehlo_bounds, &bounds, 1);
    }
    case HD_VHLO_ATTR_RESULT_ACCURACY:
      return read_accuracy(r, in);
    case HD_VHLO_ATTR_SUB_AXIS:
      return read_mesh_part(r, in, HD_STRUCT_stablehlo_sub_axis_info);
    case HD_VHLO_ATTR_AXIS_REF:
      return read_mesh_part(r, in, HD_STRUCT_stablehlo_axis_ref);
    case HD_VHLO_ATTR_GROUP_MESH_AXES:
      return read_mesh_part(r, in, HD_STRUCT_stablehlo_replica_group_mesh_axes);
    case HD_VHLO_ATTR_MESH_AXIS:
      return read_mesh_part(r, in, HD_STRUCT_stablehlo_mesh_axis);
    case HD_VHLO_ATTR_MESH:
      return read_mesh_part(r, in, HD_STRUCT_stablehlo_mesh);
    default:
      hd_bc_fail(r, where, "vhlo attribute of code %llu is not known", (unsigned long long)code);
      return NULL;
  }
}

static hd_type read_complex(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  hd_type element = hd_bc_type_ref(r, in);
  if (!element) return NULL;
  if (element->kind == HD_TYPE_FLOAT || element->kind == HD_TYPE_INTEGER) return hd_type_complex(element);
  hd_bc_fail(r, where, "a complex number must have integer or float parts");
  return NULL;
}

static hd_type read_ranked(hd_bc_reader *r, hd_bc_bytes *in, bool with_encoding, bool is_buffer) {
  const uint8_t *where = in->at;
  hd_attr encoding = NULL;
  int64_t *shape;
  size_t rank;
  if (with_encoding && !(encoding = hd_bc_attr_ref(r, in))) return NULL;
  if (!hd_bc_shape(r, in, &shape, &rank)) return NULL;
  hd_type element = hd_bc_type_ref(r, in);
  if (!element || !hd_bc_check_element(r, element, where)) return NULL;
  if (is_buffer) return hd_type_memref(element, shape, rank, NULL, NULL);
  return hd_type_tensor(element, shape, rank, encoding);
}

static hd_type read_future(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_attr list = hd_bc_type_attrs(r, in);
  return list ? hd_type_dialect(r->context, HD_TYPE_ROW_stablehlo_future, &list, 1) : NULL;
}

hd_type hd_bc_vhlo_type(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t code;
  hd_type *ins, *outs, element;
  size_t in_count, out_count;
  if (!hd_bc_varint(r, in, &code)) return NULL;
  switch (code) {
#define NEW_INTEGER(width, signedness) hd_type_integer(r->context, width, signedness)
#define NEW_FLOAT(kind, zero) hd_type_float(r->context, kind)
#define NEW_DIALECT(row, zero) hd_type_dialect(r->context, row, NULL, 0)
#define NEW_INDEX(zero, none) hd_type_index(r->context)
#define NEW_NONE(zero, none) hd_type_none(r->context)
#define X(number, name, version, kind, a, b) \
  case number:                               \
    return NEW_##kind(a, b);
    HD_VHLO_PLAIN_TYPES(X)
#undef X
    case HD_VHLO_TYPE_COMPLEX:
      return read_complex(r, in);
    case HD_VHLO_TYPE_FUNCTION:
      if (!hd_bc_type_list(r, in, &ins, &in_count) || !hd_bc_type_list(r, in, &outs, &out_count)) return NULL;
      return hd_type_function(r->context, ins, in_count, outs, out_count);
    case HD_VHLO_TYPE_TENSOR:
      return read_ranked(r, in, false, false);
    case HD_VHLO_TYPE_TENSOR_WITH_ENCODING:
      return read_ranked(r, in, true, false);
    case HD_VHLO_TYPE_BUFFER:
      return read_ranked(r, in, false, true);
    case HD_VHLO_TYPE_TUPLE:
      return hd_bc_type_list(r, in, &ins, &in_count) ? hd_type_tuple(r->context, ins, in_count) : NULL;
    case HD_VHLO_TYPE_QUANT:
      return hd_bc_quant(r, in, false);
    case HD_VHLO_TYPE_QUANT_PER_AXIS:
      return hd_bc_quant(r, in, true);
    case HD_VHLO_TYPE_UNRANKED_TENSOR:
      element = hd_bc_type_ref(r, in);
      return element && hd_bc_check_element(r, element, where) ? hd_type_unranked_tensor(element) : NULL;
    case HD_VHLO_TYPE_FUTURE:
      return read_future(r, in);
    default:
      hd_bc_fail(r, where, "vhlo type of code %llu is not known", (unsigned long long)code);
      return NULL;
  }
}
