/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings of the builtin dialect. */
#include "bytecode/reader.h"

static bool string_attr(hd_bc_reader *r, hd_bc_bytes *in, hd_str *out) {
  const uint8_t *where = in->at;
  hd_attr attr = hd_bc_attr_ref(r, in);
  if (!attr) return false;
  if (attr->kind != HD_ATTR_STRING) return hd_bc_fail(r, where, "expected a string attribute");
  *out = hd_ident_str(attr->string);
  return true;
}

static hd_attr read_dict(hd_bc_reader *r, hd_bc_bytes *in) {
  size_t count;
  if (!hd_bc_count(r, in, 2, &count)) return NULL;
  hd_named_attr *items = hd_new_array(&r->scratch, hd_named_attr, count);
  for (size_t i = 0; i < count; ++i) {
    hd_str name;
    if (!string_attr(r, in, &name)) return NULL;
    hd_attr value = hd_bc_attr_ref(r, in);
    if (!value) return NULL;
    items[i] = (hd_named_attr){hd_ident_get(r->context, name), value};
  }
  return hd_attr_dict(r->context, items, count);
}

static hd_attr read_symbol(hd_bc_reader *r, hd_bc_bytes *in, bool nested) {
  hd_str root;
  size_t count = 0;
  hd_ident *parts = NULL;
  if (!string_attr(r, in, &root)) return NULL;
  if (nested) {
    const uint8_t *where = in->at;
    hd_attr *items;
    if (!hd_bc_attr_list(r, in, &items, &count)) return NULL;
    parts = hd_new_array(&r->scratch, hd_ident, count);
    for (size_t i = 0; i < count; ++i) {
      if (items[i]->kind != HD_ATTR_SYMBOL || items[i]->symbol.count) {
        hd_bc_fail(r, where, "expected symbols without nested ones");
        return NULL;
      }
      parts[i] = items[i]->symbol.root;
    }
  }
  return hd_attr_symbol(r->context, root, parts, count);
}

static hd_attr read_fused(hd_bc_reader *r, hd_bc_bytes *in, bool with_metadata) {
  size_t count;
  if (!hd_bc_count(r, in, 1, &count)) return NULL;
  hd_loc *parts = hd_new_array(&r->scratch, hd_loc, count);
  for (size_t i = 0; i < count; ++i)
    if (!(parts[i] = hd_bc_loc_ref(r, in))) return NULL;
  hd_attr metadata = NULL;
  if (with_metadata && !(metadata = hd_bc_attr_ref(r, in))) return NULL;
  return hd_loc_fused(r->context, parts, count, metadata);
}

static uint32_t narrow(uint64_t value) { return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX; }

/* A file, and up to four numbers: line; column; end column; or end line and end column. */
static hd_attr read_file_range(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_str file;
  size_t count;
  uint64_t n[4] = {0};
  const uint8_t *where = in->at;
  if (!string_attr(r, in, &file) || !hd_bc_count(r, in, 1, &count)) return NULL;
  if (count > 4) {
    hd_bc_fail(r, where, "expected at most 4 numbers in a file location, got %zu", count);
    return NULL;
  }
  for (size_t i = 0; i < count; ++i)
    if (!hd_bc_varint(r, in, &n[i])) return NULL;
  uint32_t line = narrow(n[0]), column = narrow(n[1]);
  if (count <= 2) return hd_loc_file(r->context, file, line, column);
  if (count == 3) return hd_loc_file_range(r->context, file, line, column, line, narrow(n[2]));
  return hd_loc_file_range(r->context, file, line, column, narrow(n[2]), narrow(n[3]));
}

static hd_attr read_file_loc(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_str file;
  uint64_t line, column;
  if (!string_attr(r, in, &file) || !hd_bc_varint(r, in, &line) || !hd_bc_varint(r, in, &column)) return NULL;
  return hd_loc_file(r->context, file, narrow(line), narrow(column));
}

static hd_attr read_resource(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_type type = hd_bc_type_ref(r, in);
  const uint8_t *where = in->at;
  uint64_t index;
  if (!type || !hd_bc_varint(r, in, &index)) return NULL;
  if (!hd_type_is_shaped(type) || index >= r->resources.len) {
    hd_bc_fail(r, where, "expected one of %zu resources for a tensor, got number %llu", r->resources.len,
               (unsigned long long)index);
    return NULL;
  }
  return hd_attr_dense_resource(type, r->resources.data[index]);
}

static hd_attr read_dense_array(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_type element = hd_bc_type_ref(r, in);
  const uint8_t *where = in->at;
  uint64_t count, size;
  hd_bc_bytes blob;
  if (!element || !hd_bc_varint(r, in, &count) || !hd_bc_varint(r, in, &size) || !hd_bc_take(r, in, size, &blob))
    return NULL;
  bool number = element->kind == HD_TYPE_INTEGER || element->kind == HD_TYPE_FLOAT;
  size_t bytes = number ? hd_type_element_bytes(element) : 0;
  bool whole = number && (hd_type_bits(element) == 8 * bytes || hd_type_is_integer(element, 1));
  if (!bytes || !whole || size / bytes != count || size % bytes) {
    hd_bc_fail(r, where, "an array of %llu elements does not fill %llu bytes", (unsigned long long)count,
               (unsigned long long)size);
    return NULL;
  }
  char *data = hd_arena_copy(&r->scratch, blob.at, (size_t)size);
  if (hd_type_is_integer(element, 1))
    for (size_t i = 0; i < size; ++i) data[i] = data[i] != 0;
  return hd_attr_dense_array(element, data, (size_t)count);
}

static hd_attr read_dense(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_type type = hd_bc_type_ref(r, in);
  uint64_t size;
  hd_bc_bytes blob;
  if (!type || !hd_bc_varint(r, in, &size) || !hd_bc_take(r, in, size, &blob)) return NULL;
  return hd_bc_dense(r, type, blob);
}

static hd_attr read_dense_strings(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  hd_type type = hd_bc_type_ref(r, in);
  uint64_t splat;
  if (!type || !hd_bc_varint(r, in, &splat)) return NULL;
  int64_t count = hd_type_is_shaped(type) && hd_type_is_static(type) ? hd_type_num_elements(type) : -1;
  if (count >= 0 && splat) count = count ? 1 : 0;
  if (count < 0 || (uint64_t)count > hd_bc_left(in)) {
    hd_bc_fail(r, where, "strings do not fill the tensor");
    return NULL;
  }
  hd_attr *items = hd_new_array(&r->scratch, hd_attr, count);
  for (int64_t i = 0; i < count; ++i) {
    hd_str text;
    if (!hd_bc_string(r, in, &text)) return NULL;
    items[i] = hd_attr_string(r->context, text);
  }
  return hd_attr_dense_strings(type, items, (size_t)count);
}

static hd_attr read_sparse(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  hd_type type = hd_bc_type_ref(r, in);
  hd_attr indices = type ? hd_bc_attr_ref(r, in) : NULL, values = indices ? hd_bc_attr_ref(r, in) : NULL;
  if (!values) return NULL;
  if (!hd_type_is_shaped(type) || indices->kind != HD_ATTR_DENSE || values->kind != HD_ATTR_DENSE) {
    hd_bc_fail(r, where, "expected a tensor with dense indices and values");
    return NULL;
  }
  return hd_attr_sparse(type, indices, values);
}

static hd_attr read_typed_string(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_str text;
  if (!hd_bc_string(r, in, &text)) return NULL;
  hd_type type = hd_bc_type_ref(r, in);
  return type ? hd_attr_typed_string(text, type) : NULL;
}

hd_attr hd_bc_builtin_attr(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t code;
  hd_str text;
  hd_attr *items, attr;
  hd_type type;
  size_t count;
  if (!hd_bc_varint(r, in, &code)) return NULL;
  switch (code) {
    case HD_BC_ATTR_ARRAY:
      return hd_bc_attr_list(r, in, &items, &count) ? hd_attr_array(r->context, items, count) : NULL;
    case HD_BC_ATTR_DICT:
      return read_dict(r, in);
    case HD_BC_ATTR_STRING:
      return hd_bc_string(r, in, &text) ? hd_attr_string(r->context, text) : NULL;
    case HD_BC_ATTR_TYPED_STRING:
      return read_typed_string(r, in);
    case HD_BC_ATTR_FLAT_SYMBOL:
      return read_symbol(r, in, false);
    case HD_BC_ATTR_SYMBOL:
      return read_symbol(r, in, true);
    case HD_BC_ATTR_TYPE:
      return (type = hd_bc_type_ref(r, in)) ? hd_attr_type(type) : NULL;
    case HD_BC_ATTR_UNIT:
      return hd_attr_unit(r->context);
    case HD_BC_ATTR_INTEGER:
    case HD_BC_ATTR_FLOAT:
      return (type = hd_bc_type_ref(r, in)) ? hd_bc_number(r, in, type, where) : NULL;
    case HD_BC_ATTR_CALLSITE_LOC: {
      hd_loc callee = hd_bc_loc_ref(r, in), caller = callee ? hd_bc_loc_ref(r, in) : NULL;
      return caller ? hd_loc_callsite(callee, caller) : NULL;
    }
    case HD_BC_ATTR_FILE_LOC:
      return read_file_loc(r, in);
    case HD_BC_ATTR_FILE_RANGE_LOC:
      return read_file_range(r, in);
    case HD_BC_ATTR_FUSED_LOC:
      return read_fused(r, in, false);
    case HD_BC_ATTR_FUSED_LOC_WITH_METADATA:
      return read_fused(r, in, true);
    case HD_BC_ATTR_NAME_LOC: {
      hd_loc child = string_attr(r, in, &text) ? hd_bc_loc_ref(r, in) : NULL;
      return child ? hd_loc_name(r->context, text, child->kind == HD_ATTR_LOC_UNKNOWN ? NULL : child) : NULL;
    }
    case HD_BC_ATTR_UNKNOWN_LOC:
      return hd_loc_unknown(r->context);
    case HD_BC_ATTR_DENSE_RESOURCE:
      return read_resource(r, in);
    case HD_BC_ATTR_DENSE_ARRAY:
      return read_dense_array(r, in);
    case HD_BC_ATTR_DENSE:
      return read_dense(r, in);
    case HD_BC_ATTR_DENSE_STRINGS:
      return read_dense_strings(r, in);
    case HD_BC_ATTR_SPARSE:
      return read_sparse(r, in);
    case HD_BC_ATTR_DISTINCT:
      /* Each entry of the table is a distinct attribute of its own. */
      return (attr = hd_bc_attr_ref(r, in)) ? hd_attr_distinct(r->context, (int64_t)(where - r->data), attr) : NULL;
    default:
      hd_bc_fail(r, where, "builtin attribute of code %llu is not known", (unsigned long long)code);
      return NULL;
  }
}

static hd_type read_integer(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t value;
  if (!hd_bc_varint(r, in, &value)) return NULL;
  uint64_t width = value >> 2, signedness = value & 3;
  if (!width || width >= 1 << 24 || signedness > HD_UNSIGNED) {
    hd_bc_fail(r, where, "an integer type of %llu bits and signedness %d", (unsigned long long)width, (int)signedness);
    return NULL;
  }
  return hd_type_integer(r->context, (uint32_t)width, (hd_signedness)signedness);
}

static hd_type element_ref(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  hd_type type = hd_bc_type_ref(r, in);
  return type && hd_bc_check_element(r, type, where) ? type : NULL;
}

static hd_type read_complex(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  hd_type element = hd_bc_type_ref(r, in);
  if (!element) return NULL;
  if (element->kind == HD_TYPE_INTEGER || element->kind == HD_TYPE_FLOAT) return hd_type_complex(element);
  hd_bc_fail(r, where, "a complex number must have integer or float parts");
  return NULL;
}

static hd_type read_tensor(hd_bc_reader *r, hd_bc_bytes *in, bool with_encoding) {
  hd_attr encoding = NULL;
  int64_t *dims;
  size_t rank;
  if (with_encoding && !(encoding = hd_bc_attr_ref(r, in))) return NULL;
  if (!hd_bc_shape(r, in, &dims, &rank)) return NULL;
  hd_type element = element_ref(r, in);
  return element ? hd_type_tensor(element, dims, rank, encoding) : NULL;
}

/* The identity is null. */
static bool is_identity(hd_attr map, size_t rank) {
  if (map->kind != HD_ATTR_AFFINE_MAP || map->affine.dims != rank || map->affine.symbols || map->affine.count != rank)
    return false;
  for (uint32_t i = 0; i < rank; ++i)
    if (map->affine.results[i]->kind != HD_AFFINE_DIM || map->affine.results[i]->value != i) return false;
  return true;
}

static hd_type read_memref(hd_bc_reader *r, hd_bc_bytes *in, bool with_space) {
  const uint8_t *where = in->at;
  hd_attr space = NULL, layout;
  int64_t *dims;
  size_t rank;
  if (with_space && !(space = hd_bc_attr_ref(r, in))) return NULL;
  if (!hd_bc_shape(r, in, &dims, &rank)) return NULL;
  hd_type element = element_ref(r, in);
  if (!element || !(layout = hd_bc_attr_ref(r, in))) return NULL;
  if (layout->kind != HD_ATTR_AFFINE_MAP && layout->kind != HD_ATTR_STRIDED) {
    hd_bc_fail(r, where, "the layout of a memref must be an affine map or strides");
    return NULL;
  }
  return hd_type_memref(element, dims, rank, is_identity(layout, rank) ? NULL : layout, space);
}

static hd_type read_unranked_memref(hd_bc_reader *r, hd_bc_bytes *in, bool with_space) {
  hd_attr space = NULL;
  if (with_space && !(space = hd_bc_attr_ref(r, in))) return NULL;
  hd_type element = element_ref(r, in);
  return element ? hd_type_unranked_memref(element, space) : NULL;
}

static hd_type read_vector(hd_bc_reader *r, hd_bc_bytes *in, bool with_scalable) {
  const uint8_t *where = in->at;
  bool *scalable = NULL;
  int64_t *dims;
  size_t rank, flags = 0;
  if (with_scalable) {
    if (!hd_bc_count(r, in, 1, &flags)) return NULL;
    scalable = hd_new_array(&r->scratch, bool, flags + 1);
    for (size_t i = 0; i < flags; ++i) {
      uint8_t flag;
      if (!hd_bc_byte(r, in, &flag)) return NULL;
      scalable[i] = flag != 0;
    }
  }
  if (!hd_bc_shape(r, in, &dims, &rank)) return NULL;
  hd_type element = element_ref(r, in);
  if (!element) return NULL;
  bool good = !with_scalable || flags == rank;
  for (size_t i = 0; i < rank; ++i) good &= dims[i] > 0;
  if (good) return hd_type_vector(element, dims, rank, scalable);
  hd_bc_fail(r, where, "a vector must have known dims above 0, and as many flags as dims");
  return NULL;
}

static hd_type read_function(hd_bc_reader *r, hd_bc_bytes *in) {
  hd_type *ins, *outs;
  size_t in_count, out_count;
  if (!hd_bc_type_list(r, in, &ins, &in_count) || !hd_bc_type_list(r, in, &outs, &out_count)) return NULL;
  return hd_type_function(r->context, ins, in_count, outs, out_count);
}

hd_type hd_bc_builtin_type(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t code;
  hd_type *items, element;
  size_t count;
  if (!hd_bc_varint(r, in, &code)) return NULL;
  switch (code) {
    case HD_BC_TYPE_INTEGER:
      return read_integer(r, in);
    case HD_BC_TYPE_INDEX:
      return hd_type_index(r->context);
    case HD_BC_TYPE_FUNCTION:
      return read_function(r, in);
#define X(kind)           \
  case HD_BC_TYPE_##kind: \
    return hd_type_float(r->context, HD_##kind);
      HD_BC_FLOATS(X)
      HD_BC_NEWER_FLOATS(X)
#undef X
    case HD_BC_TYPE_COMPLEX:
      return read_complex(r, in);
    case HD_BC_TYPE_MEMREF:
      return read_memref(r, in, false);
    case HD_BC_TYPE_MEMREF_WITH_SPACE:
      return read_memref(r, in, true);
    case HD_BC_TYPE_NONE:
      return hd_type_none(r->context);
    case HD_BC_TYPE_TENSOR:
      return read_tensor(r, in, false);
    case HD_BC_TYPE_TENSOR_WITH_ENCODING:
      return read_tensor(r, in, true);
    case HD_BC_TYPE_TUPLE:
      return hd_bc_type_list(r, in, &items, &count) ? hd_type_tuple(r->context, items, count) : NULL;
    case HD_BC_TYPE_UNRANKED_MEMREF:
      return read_unranked_memref(r, in, false);
    case HD_BC_TYPE_UNRANKED_MEMREF_WITH_SPACE:
      return read_unranked_memref(r, in, true);
    case HD_BC_TYPE_UNRANKED_TENSOR:
      return (element = element_ref(r, in)) ? hd_type_unranked_tensor(element) : NULL;
    case HD_BC_TYPE_VECTOR:
      return read_vector(r, in, false);
    case HD_BC_TYPE_SCALABLE_VECTOR:
      return read_vector(r, in, true);
    default:
      hd_bc_fail(r, where, "builtin type of code %llu is not known", (unsigned long long)code);
      return NULL;
  }
}
