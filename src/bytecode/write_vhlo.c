/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings of the vhlo dialect. As in write_builtin.c each function runs twice. */
#include <string.h>

#include "bytecode/writer.h"

static void put_list(hd_bw *w, hd_strbuf *out, hd_attr list) {
  hd_bw_put_varint(out, list->array.count);
  for (uint32_t i = 0; i < list->array.count; ++i) hd_bw_put_attr(w, out, list->array.items[i]);
}

static void put_dims(hd_bw *w, hd_strbuf *out, hd_attr dims) {
  size_t count;
  const int64_t *values = hd_attr_ints(w->scratch, dims, &count);
  hd_bw_put_signed_list(out, values, count);
}

static void put_signed(hd_strbuf *out, int64_t value) {
  if (out) hd_bw_signed(out, value);
}

/* The attribute's index with a flag below it; 0 for none. */
static void put_optional(hd_bw *w, hd_strbuf *out, hd_attr attr) {
  if (!out && attr)
    hd_bw_put_attr(w, out, attr); /* notes it */
  else if (out)
    hd_bw_flagged(out, attr ? hd_bw_attr(w, attr) : 0, attr != NULL);
}

static void put_dense(hd_bw *w, hd_strbuf *out, hd_attr attr) { hd_bw_put_dense(w, out, attr); }

/* Within an attribute of vhlo, types are vhlo's too; the row of an integer, float or tensor holds the builtin
 * attribute. */
static hd_type vhlo_type_of(hd_bw *w, hd_type type);

static hd_type row_type(hd_bw *w, const char *name, const hd_attr *params, size_t count) {
  return hd_type_dialect(w->context, hd_type_row_find(HD_STR("vhlo"), hd_str_of(name)), params, count);
}

static hd_type vhlo_type_of(hd_bw *w, hd_type type) {
#define MATCHES_INTEGER(w_, s_) \
  (type->kind == HD_TYPE_INTEGER && type->integer.width == (w_) && type->integer.signedness == (s_))
#define MATCHES_FLOAT(k_, z_) (type->kind == HD_TYPE_FLOAT && type->float_kind == (k_))
#define MATCHES_DIALECT(r_, z_) (type->kind == HD_TYPE_DIALECT && type->dialect.row == (int)(r_))
#define MATCHES_INDEX(z_, y_) (type->kind == HD_TYPE_INDEX)
#define MATCHES_NONE(z_, y_) (type->kind == HD_TYPE_NONE)
#define X(code, name, first, kind, a, b) \
  if (MATCHES_##kind(a, b)) return row_type(w, name, NULL, 0);
  HD_VHLO_PLAIN_TYPES(X)
#undef X
  if (type->kind == HD_TYPE_COMPLEX) {
    hd_attr element = hd_attr_type(vhlo_type_of(w, type->shaped.element));
    return row_type(w, "complex_v1", &element, 1);
  }
  if (type->kind == HD_TYPE_TENSOR) {
    hd_attr params[] = {hd_attr_i64_array(w->context, type->shaped.dims, type->shaped.rank),
                        hd_attr_type(vhlo_type_of(w, type->shaped.element)), NULL};
    return row_type(w, "tensor_v1", params, 3);
  }
  return type;
}

static bool encode_enum(hd_attr attr, hd_strbuf *out) {
#define X(code, enum_row, name, first)                                         \
  if (attr->enumerant.row == hd_attr_row_find(HD_STR("vhlo"), HD_STR(name))) { \
    hd_bw_put_varint(out, code);                                               \
    hd_bw_put_varint(out, (uint64_t)attr->enumerant.value);                    \
    return true;                                                               \
  }
  HD_VHLO_ENUMS(X)
#undef X
  return false;
}

static void put_number(hd_bw *w, hd_strbuf *out, hd_vhlo_attr code, hd_attr value) {
  hd_bw_put_varint(out, code);
  hd_bw_put_type(w, out, vhlo_type_of(w, value->type));
  hd_bw_put_number(out, value);
}

bool hd_bw_encode_vhlo_attr(hd_bw *w, hd_attr attr, hd_strbuf *out) {
  if (attr->kind == HD_ATTR_ENUM) return encode_enum(attr, out);
  const hd_attr *params = attr->structure.params;
  switch (attr->structure.row) {
    case HD_STRUCT_vhlo_array_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_ARRAY);
      put_list(w, out, params[0]);
      return true;
    case HD_STRUCT_vhlo_bool_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_BOOL);
      hd_bw_put_varint(out, params[0]->integer != 0);
      return true;
    case HD_STRUCT_vhlo_dict_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_DICT);
      hd_bw_put_varint(out, params[0]->array.count / 2);
      for (uint32_t i = 0; i < params[0]->array.count; ++i) hd_bw_put_attr(w, out, params[0]->array.items[i]);
      return true;
    case HD_STRUCT_vhlo_float_v1:
      put_number(w, out, HD_VHLO_ATTR_FLOAT, params[1]);
      return true;
    case HD_STRUCT_vhlo_integer_v1:
      put_number(w, out, HD_VHLO_ATTR_INTEGER, params[0]);
      return true;
    case HD_STRUCT_vhlo_string_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_STRING);
      hd_bw_put_string(w, out, hd_ident_str(params[0]->string));
      return true;
    case HD_STRUCT_vhlo_tensor_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_TENSOR);
      hd_bw_put_type(w, out, vhlo_type_of(w, params[0]->type));
      put_dense(w, out, params[0]);
      return true;
    case HD_STRUCT_vhlo_type_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_TYPE);
      hd_bw_put_type(w, out, params[0]->type_value);
      return true;
    case HD_STRUCT_vhlo_type_extensions_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_TYPE_EXTENSIONS);
      put_dims(w, out, params[0]);
      return true;
    case HD_STRUCT_vhlo_output_operand_alias_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_ALIAS);
      put_dims(w, out, params[0]);
      put_signed(out, params[1]->integer);
      put_dims(w, out, params[2]);
      return true;
    case HD_STRUCT_vhlo_result_accuracy_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_RESULT_ACCURACY);
      hd_bw_put_number(out, params[0]);
      hd_bw_put_number(out, params[1]);
      put_signed(out, params[2]->integer);
      hd_bw_put_attr(w, out, params[3]);
      return true;
    case HD_STRUCT_vhlo_sub_axis_info_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_SUB_AXIS);
      put_signed(out, params[0]->integer);
      put_signed(out, params[1]->integer);
      return true;
    case HD_STRUCT_vhlo_axis_ref_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_AXIS_REF);
      hd_bw_put_attr(w, out, params[0]);
      hd_bw_put_varint(out, params[1] != NULL);
      if (params[1]) hd_bw_put_attr(w, out, params[1]);
      return true;
    case HD_STRUCT_vhlo_replica_group_mesh_axes_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_GROUP_MESH_AXES);
      hd_bw_put_attr(w, out, params[0]);
      hd_bw_put_attr(w, out, params[1]);
      return true;
    case HD_STRUCT_vhlo_mesh_axis_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_MESH_AXIS);
      hd_bw_put_attr(w, out, params[0]);
      put_signed(out, params[1]->integer);
      return true;
    case HD_STRUCT_vhlo_mesh_v1:
      hd_bw_put_varint(out, HD_VHLO_ATTR_MESH);
      hd_bw_put_attr(w, out, params[0]);
      put_optional(w, out, params[1]);
      return true;
    default:
      return false;
  }
}

static void put_type_list(hd_bw *w, hd_strbuf *out, hd_attr list) {
  hd_bw_put_varint(out, list->array.count);
  for (uint32_t i = 0; i < list->array.count; ++i) hd_bw_put_type(w, out, list->array.items[i]->type_value);
}

static void put_double(hd_strbuf *out, hd_attr value) { hd_bw_put_number(out, value); }

static void put_quant(hd_bw *w, hd_strbuf *out, const hd_attr *p) {
  hd_bw_put_varint(out, HD_VHLO_TYPE_QUANT);
  hd_bw_put_varint(out, (uint64_t)p[6]->integer);
  hd_bw_put_type(w, out, p[0]->type_value);
  hd_bw_put_type(w, out, p[1]->type_value);
  put_double(out, p[2]);
  for (int i = 3; i < 6; ++i) put_signed(out, p[i]->integer);
}

static void put_quant_per_axis(hd_bw *w, hd_strbuf *out, const hd_attr *p) {
  hd_bw_put_varint(out, HD_VHLO_TYPE_QUANT_PER_AXIS);
  hd_bw_put_varint(out, (uint64_t)p[7]->integer);
  hd_bw_put_type(w, out, p[0]->type_value);
  hd_bw_put_type(w, out, p[1]->type_value);
  hd_bw_put_varint(out, (uint64_t)p[2]->integer);
  put_signed(out, p[5]->integer);
  put_signed(out, p[6]->integer);
  hd_bw_put_varint(out, p[3]->array.count);
  for (uint32_t i = 0; i < p[3]->array.count; ++i) put_double(out, p[3]->array.items[i]);
  put_dims(w, out, p[4]);
}

bool hd_bw_encode_vhlo_type(hd_bw *w, hd_type type, hd_strbuf *out) {
  const char *spelled = hd_type_row_info_of(type->dialect.row)->name;
  const hd_attr *p = type->dialect.params;
#define X(code, name, ...)       \
  if (!strcmp(spelled, name)) {  \
    hd_bw_put_varint(out, code); \
    return true;                 \
  }
  HD_VHLO_PLAIN_TYPES(X)
#undef X
  switch (type->dialect.row) {
    case HD_TYPE_ROW_vhlo_complex_v1:
    case HD_TYPE_ROW_vhlo_unranked_tensor_v1:
      hd_bw_put_varint(
          out, type->dialect.row == HD_TYPE_ROW_vhlo_complex_v1 ? HD_VHLO_TYPE_COMPLEX : HD_VHLO_TYPE_UNRANKED_TENSOR);
      hd_bw_put_type(w, out, p[0]->type_value);
      return true;
    case HD_TYPE_ROW_vhlo_tensor_v1:
      hd_bw_put_varint(out, p[2] ? HD_VHLO_TYPE_TENSOR_WITH_ENCODING : HD_VHLO_TYPE_TENSOR);
      if (p[2]) hd_bw_put_attr(w, out, p[2]);
      put_dims(w, out, p[0]);
      hd_bw_put_type(w, out, p[1]->type_value);
      return true;
    case HD_TYPE_ROW_vhlo_buffer_v1:
      hd_bw_put_varint(out, HD_VHLO_TYPE_BUFFER);
      put_dims(w, out, p[0]);
      hd_bw_put_type(w, out, p[1]->type_value);
      return true;
    case HD_TYPE_ROW_vhlo_tuple_v1:
    case HD_TYPE_ROW_vhlo_future_v1:
      hd_bw_put_varint(out, type->dialect.row == HD_TYPE_ROW_vhlo_tuple_v1 ? HD_VHLO_TYPE_TUPLE : HD_VHLO_TYPE_FUTURE);
      put_type_list(w, out, p[0]);
      return true;
    case HD_TYPE_ROW_vhlo_func_v1:
      hd_bw_put_varint(out, HD_VHLO_TYPE_FUNCTION);
      put_type_list(w, out, p[0]);
      put_type_list(w, out, p[1]);
      return true;
    case HD_TYPE_ROW_vhlo_quant_v1:
      put_quant(w, out, p);
      return true;
    case HD_TYPE_ROW_vhlo_quant_per_axis_v1:
      put_quant_per_axis(w, out, p);
      return true;
    default:
      return false;
  }
}
