/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings of the builtin dialect. Each function runs twice: without output to note what it refers to, then to
 * write. */
#include <string.h>

#include "bytecode/writer.h"
#include "ir/number.h"

void hd_bw_put_attr(hd_bw *w, hd_strbuf *out, hd_attr attr) {
  if (out)
    hd_bw_varint(out, hd_bw_attr(w, attr));
  else
    hd_bw_note_attr(w, attr);
}

void hd_bw_put_type(hd_bw *w, hd_strbuf *out, hd_type type) {
  if (out)
    hd_bw_varint(out, hd_bw_type(w, type));
  else
    hd_bw_note_type(w, type);
}

void hd_bw_put_varint(hd_strbuf *out, uint64_t value) {
  if (out) hd_bw_varint(out, value);
}

void hd_bw_put_string(hd_bw *w, hd_strbuf *out, hd_str text) {
  if (out) hd_bw_varint(out, hd_bw_string(w, text));
}

void hd_bw_put_signed_list(hd_strbuf *out, const int64_t *values, size_t count) {
  if (!out) return;
  hd_bw_varint(out, count);
  for (size_t i = 0; i < count; ++i) hd_bw_signed(out, values[i]);
}

static void put_int(hd_strbuf *out, uint32_t width, uint64_t bits) {
  if (!out) return;
  if (width < 64) bits &= (1ull << width) - 1;
  if (width <= 8)
    hd_strbuf_putc(out, (char)bits);
  else
    hd_bw_signed(out, (int64_t)bits);
}

/* The words up to the highest that is not zero. */
static void put_wide(hd_strbuf *out, hd_attr attr) {
  size_t bytes = hd_type_element_bytes(attr->type), used = bytes;
  while (used > 1 && !attr->wide[used - 1]) --used;
  size_t words = (used + 7) / 8;
  hd_bw_varint(out, words);
  for (size_t i = 0; i < words; ++i) {
    int64_t word = 0;
    memcpy(&word, attr->wide + 8 * i, bytes - 8 * i < 8 ? bytes - 8 * i : 8);
    hd_bw_signed(out, word);
  }
}

void hd_bw_put_number(hd_strbuf *out, hd_attr attr) {
  if (attr->wide) {
    if (out) put_wide(out, attr);
    return;
  }
  if (attr->kind == HD_ATTR_FLOAT)
    put_int(out, (uint32_t)hd_float_formats[attr->type->float_kind].bits, attr->floating.bits);
  else
    put_int(out, attr->type->kind == HD_TYPE_INDEX ? 64 : attr->type->integer.width, (uint64_t)attr->integer);
}

static void put_string_attr(hd_bw *w, hd_strbuf *out, hd_ident text) {
  hd_bw_put_attr(w, out, hd_attr_string(w->context, hd_ident_str(text)));
}

static size_t packed_bytes(hd_type element) {
  if (element->kind == HD_TYPE_INDEX) return 8;
  if (element->kind == HD_TYPE_INTEGER) return (element->integer.width + 7) / 8;
  return (size_t)(hd_float_formats[element->float_kind].bits + 7) / 8;
}

static void put_element(hd_strbuf *out, hd_type element, const char *from) {
  if (element->kind == HD_TYPE_COMPLEX) {
    hd_type part = element->shaped.element;
    put_element(out, part, from);
    put_element(out, part, from + hd_type_element_bytes(part));
    return;
  }
  if (hd_type_is_wide(element)) {
    hd_strbuf_put(out, from, packed_bytes(element));
    return;
  }
  uint64_t bits = (uint64_t)hd_element_load(element, from);
  uint32_t width = hd_type_bits(element);
  if (width < 64) bits &= (1ull << width) - 1;
  for (size_t i = 0, n = packed_bytes(element); i < n; ++i) hd_strbuf_putc(out, (char)(bits >> (8 * i)));
}

static void put_bools(hd_strbuf *out, hd_attr attr) {
  size_t count = attr->dense.size;
  int64_t elements = hd_type_num_elements(attr->type);
  if (attr->dense.splat && elements != 1) {
    hd_strbuf_putc(out, attr->dense.data[0] ? (char)0xff : 0);
    return;
  }
  for (size_t i = 0; i < count; i += 8) {
    uint8_t byte = 0;
    for (size_t k = 0; k < 8 && i + k < count; ++k) byte |= (uint8_t)((attr->dense.data[i + k] & 1) << k);
    hd_strbuf_putc(out, (char)byte);
  }
}

void hd_bw_put_dense(hd_bw *w, hd_strbuf *out, hd_attr attr) {
  if (!out) return;
  hd_type element = hd_type_element(attr->type);
  hd_strbuf data;
  hd_strbuf_init(&data, w->scratch);
  size_t stored = hd_type_element_bytes(element);
  if (hd_type_is_integer(element, 1)) {
    put_bools(&data, attr);
  } else if (hd_type_bits(element) == 8 * stored && (element->kind != HD_TYPE_COMPLEX)) {
    hd_strbuf_put(&data, attr->dense.data, attr->dense.size);
  } else {
    for (size_t at = 0; stored && at < attr->dense.size; at += stored)
      put_element(&data, element, attr->dense.data + at);
  }
  hd_bw_varint(out, data.len);
  hd_strbuf_put(out, hd_strbuf_text(&data), data.len);
}

static void put_list(hd_bw *w, hd_strbuf *out, const hd_attr *items, size_t count) {
  hd_bw_put_varint(out, count);
  for (size_t i = 0; i < count; ++i) hd_bw_put_attr(w, out, items[i]);
}

static void put_dict(hd_bw *w, hd_strbuf *out, hd_attr attr) {
  hd_bw_put_varint(out, attr->dict.count);
  for (uint32_t i = 0; i < attr->dict.count; ++i) {
    put_string_attr(w, out, attr->dict.items[i].name);
    hd_bw_put_attr(w, out, attr->dict.items[i].value);
  }
}

static void put_symbol(hd_bw *w, hd_strbuf *out, hd_attr attr) {
  hd_bw_put_varint(out, attr->symbol.count ? HD_BC_ATTR_SYMBOL : HD_BC_ATTR_FLAT_SYMBOL);
  put_string_attr(w, out, attr->symbol.root);
  if (!attr->symbol.count) return;
  hd_bw_put_varint(out, attr->symbol.count);
  for (uint32_t i = 0; i < attr->symbol.count; ++i)
    hd_bw_put_attr(w, out, hd_attr_symbol(w->context, hd_ident_str(attr->symbol.nested[i]), NULL, 0));
}

static void put_file(hd_bw *w, hd_strbuf *out, hd_attr attr) {
  bool range = attr->loc.end_line || attr->loc.end_column;
  hd_bw_put_varint(out, range ? HD_BC_ATTR_FILE_RANGE_LOC : HD_BC_ATTR_FILE_LOC);
  put_string_attr(w, out, attr->loc.name);
  bool one_line = attr->loc.line == attr->loc.end_line;
  if (range) hd_bw_put_varint(out, one_line ? 3 : 4);
  hd_bw_put_varint(out, attr->loc.line);
  hd_bw_put_varint(out, attr->loc.column);
  if (range && !one_line) hd_bw_put_varint(out, attr->loc.end_line);
  if (range) hd_bw_put_varint(out, attr->loc.end_column);
}

static void put_loc(hd_bw *w, hd_strbuf *out, hd_attr attr) {
  switch (attr->kind) {
    case HD_ATTR_LOC_FILE:
      put_file(w, out, attr);
      return;
    case HD_ATTR_LOC_NAME:
      hd_bw_put_varint(out, HD_BC_ATTR_NAME_LOC);
      put_string_attr(w, out, attr->loc.name);
      hd_bw_put_attr(w, out, attr->loc.count ? attr->loc.children[0] : hd_loc_unknown(w->context));
      return;
    case HD_ATTR_LOC_CALLSITE:
      hd_bw_put_varint(out, HD_BC_ATTR_CALLSITE_LOC);
      hd_bw_put_attr(w, out, attr->loc.children[0]);
      hd_bw_put_attr(w, out, attr->loc.children[1]);
      return;
    case HD_ATTR_LOC_FUSED:
      hd_bw_put_varint(out, attr->loc.metadata ? HD_BC_ATTR_FUSED_LOC_WITH_METADATA : HD_BC_ATTR_FUSED_LOC);
      put_list(w, out, attr->loc.children, attr->loc.count);
      if (attr->loc.metadata) hd_bw_put_attr(w, out, attr->loc.metadata);
      return;
    default:
      hd_bw_put_varint(out, HD_BC_ATTR_UNKNOWN_LOC);
      return;
  }
}

static void put_dense_array(hd_bw *w, hd_strbuf *out, hd_attr attr) {
  hd_bw_put_varint(out, HD_BC_ATTR_DENSE_ARRAY);
  hd_bw_put_type(w, out, attr->dense.element);
  hd_bw_put_varint(out, attr->dense.count);
  hd_bw_put_varint(out, attr->dense.size);
  if (out) hd_strbuf_put(out, attr->dense.data, attr->dense.size);
}

static void put_dense_strings(hd_bw *w, hd_strbuf *out, hd_attr attr) {
  hd_bw_put_varint(out, HD_BC_ATTR_DENSE_STRINGS);
  hd_bw_put_type(w, out, attr->type);
  hd_bw_put_varint(out, attr->array.count == 1);
  for (uint32_t i = 0; i < attr->array.count; ++i) hd_bw_put_string(w, out, hd_ident_str(attr->array.items[i]->string));
}

bool hd_bw_encode_attr(hd_bw *w, hd_attr attr, hd_strbuf *out) {
  switch (attr->kind) {
    case HD_ATTR_UNIT:
      hd_bw_put_varint(out, HD_BC_ATTR_UNIT);
      return true;
    case HD_ATTR_INTEGER:
    case HD_ATTR_FLOAT:
      hd_bw_put_varint(out, attr->kind == HD_ATTR_FLOAT ? HD_BC_ATTR_FLOAT : HD_BC_ATTR_INTEGER);
      hd_bw_put_type(w, out, attr->type);
      hd_bw_put_number(out, attr);
      return true;
    case HD_ATTR_STRING:
      hd_bw_put_varint(out, attr->type ? HD_BC_ATTR_TYPED_STRING : HD_BC_ATTR_STRING);
      hd_bw_put_string(w, out, hd_ident_str(attr->string));
      if (attr->type) hd_bw_put_type(w, out, attr->type);
      return true;
    case HD_ATTR_TYPE:
      hd_bw_put_varint(out, HD_BC_ATTR_TYPE);
      hd_bw_put_type(w, out, attr->type_value);
      return true;
    case HD_ATTR_SYMBOL:
      put_symbol(w, out, attr);
      return true;
    case HD_ATTR_ARRAY:
      hd_bw_put_varint(out, HD_BC_ATTR_ARRAY);
      put_list(w, out, attr->array.items, attr->array.count);
      return true;
    case HD_ATTR_DICT:
      hd_bw_put_varint(out, HD_BC_ATTR_DICT);
      put_dict(w, out, attr);
      return true;
    case HD_ATTR_DENSE:
      hd_bw_put_varint(out, HD_BC_ATTR_DENSE);
      hd_bw_put_type(w, out, attr->type);
      hd_bw_put_dense(w, out, attr);
      return true;
    case HD_ATTR_DENSE_ARRAY:
      put_dense_array(w, out, attr);
      return true;
    case HD_ATTR_DENSE_STRINGS:
      put_dense_strings(w, out, attr);
      return true;
    case HD_ATTR_DENSE_RESOURCE:
      hd_bw_put_varint(out, HD_BC_ATTR_DENSE_RESOURCE);
      hd_bw_put_type(w, out, attr->type);
      hd_bw_put_varint(out, hd_bw_resource(w, attr->resource));
      return true;
    case HD_ATTR_SPARSE:
      hd_bw_put_varint(out, HD_BC_ATTR_SPARSE);
      hd_bw_put_type(w, out, attr->type);
      hd_bw_put_attr(w, out, attr->sparse.indices);
      hd_bw_put_attr(w, out, attr->sparse.values);
      return true;
    case HD_ATTR_DISTINCT:
      hd_bw_put_varint(out, HD_BC_ATTR_DISTINCT);
      hd_bw_put_attr(w, out, attr->distinct.inner);
      return true;
    case HD_ATTR_LOC_UNKNOWN:
    case HD_ATTR_LOC_FILE:
    case HD_ATTR_LOC_NAME:
    case HD_ATTR_LOC_CALLSITE:
    case HD_ATTR_LOC_FUSED:
      put_loc(w, out, attr);
      return true;
    case HD_ATTR_STRUCT:
    case HD_ATTR_ENUM:
      return hd_str_is(hd_bw_attr_dialect(attr), "vhlo") && hd_bw_encode_vhlo_attr(w, attr, out);
    default:
      return false;
  }
}

static void put_types(hd_bw *w, hd_strbuf *out, const hd_type *types, size_t count) {
  hd_bw_put_varint(out, count);
  for (size_t i = 0; i < count; ++i) hd_bw_put_type(w, out, types[i]);
}

static void put_memref(hd_bw *w, hd_strbuf *out, hd_type type) {
  hd_attr layout = type->shaped.layout;
  hd_bw_put_varint(out, type->shaped.space ? HD_BC_TYPE_MEMREF_WITH_SPACE : HD_BC_TYPE_MEMREF);
  if (type->shaped.space) hd_bw_put_attr(w, out, type->shaped.space);
  hd_bw_put_signed_list(out, type->shaped.dims, type->shaped.rank);
  hd_bw_put_type(w, out, type->shaped.element);
  if (!layout) {
    hd_affine *dims = hd_new_array(w->scratch, hd_affine, type->shaped.rank);
    for (uint32_t i = 0; i < type->shaped.rank; ++i) dims[i] = hd_affine_dim(w->context, i);
    layout = hd_attr_affine_map(w->context, type->shaped.rank, 0, dims, type->shaped.rank);
  }
  hd_bw_put_attr(w, out, layout);
}

static void put_vector(hd_bw *w, hd_strbuf *out, hd_type type) {
  hd_bw_put_varint(out, type->shaped.scalable ? HD_BC_TYPE_SCALABLE_VECTOR : HD_BC_TYPE_VECTOR);
  if (type->shaped.scalable) {
    hd_bw_put_varint(out, type->shaped.rank);
    for (uint32_t i = 0; out && i < type->shaped.rank; ++i) hd_strbuf_putc(out, type->shaped.scalable[i]);
  }
  hd_bw_put_signed_list(out, type->shaped.dims, type->shaped.rank);
  hd_bw_put_type(w, out, type->shaped.element);
}

static bool put_float(hd_strbuf *out, hd_float_kind kind) {
  switch (kind) {
#define X(kind)                               \
  case HD_##kind:                             \
    hd_bw_put_varint(out, HD_BC_TYPE_##kind); \
    return true;
    HD_BC_FLOATS(X)
#undef X
    default:
      return false;
  }
}

bool hd_bw_encode_type(hd_bw *w, hd_type type, hd_strbuf *out) {
  switch (type->kind) {
    case HD_TYPE_NONE:
      hd_bw_put_varint(out, HD_BC_TYPE_NONE);
      return true;
    case HD_TYPE_INDEX:
      hd_bw_put_varint(out, HD_BC_TYPE_INDEX);
      return true;
    case HD_TYPE_INTEGER:
      hd_bw_put_varint(out, HD_BC_TYPE_INTEGER);
      hd_bw_put_varint(out, (uint64_t)type->integer.width << 2 | type->integer.signedness);
      return true;
    case HD_TYPE_FLOAT:
      return put_float(out, type->float_kind);
    case HD_TYPE_COMPLEX:
      hd_bw_put_varint(out, HD_BC_TYPE_COMPLEX);
      hd_bw_put_type(w, out, type->shaped.element);
      return true;
    case HD_TYPE_FUNCTION:
      hd_bw_put_varint(out, HD_BC_TYPE_FUNCTION);
      put_types(w, out, type->function.ins, type->function.in_count);
      put_types(w, out, type->function.outs, type->function.out_count);
      return true;
    case HD_TYPE_TUPLE:
      hd_bw_put_varint(out, HD_BC_TYPE_TUPLE);
      put_types(w, out, type->function.ins, type->function.in_count);
      return true;
    case HD_TYPE_VECTOR:
      put_vector(w, out, type);
      return true;
    case HD_TYPE_TENSOR:
      hd_bw_put_varint(out, type->shaped.encoding ? HD_BC_TYPE_TENSOR_WITH_ENCODING : HD_BC_TYPE_TENSOR);
      if (type->shaped.encoding) hd_bw_put_attr(w, out, type->shaped.encoding);
      hd_bw_put_signed_list(out, type->shaped.dims, type->shaped.rank);
      hd_bw_put_type(w, out, type->shaped.element);
      return true;
    case HD_TYPE_UNRANKED_TENSOR:
      hd_bw_put_varint(out, HD_BC_TYPE_UNRANKED_TENSOR);
      hd_bw_put_type(w, out, type->shaped.element);
      return true;
    case HD_TYPE_MEMREF:
      put_memref(w, out, type);
      return true;
    case HD_TYPE_UNRANKED_MEMREF:
      hd_bw_put_varint(out, type->shaped.space ? HD_BC_TYPE_UNRANKED_MEMREF_WITH_SPACE : HD_BC_TYPE_UNRANKED_MEMREF);
      if (type->shaped.space) hd_bw_put_attr(w, out, type->shaped.space);
      hd_bw_put_type(w, out, type->shaped.element);
      return true;
    case HD_TYPE_DIALECT:
      return hd_str_is(hd_bw_type_dialect(type), "vhlo") && hd_bw_encode_vhlo_type(w, type, out);
    default:
      return false;
  }
}

hd_str hd_bw_attr_dialect(hd_attr attr) {
  if (attr->kind == HD_ATTR_ENUM) return hd_str_of(hd_attr_row_info_of(attr->enumerant.row)->dialect);
  if (attr->kind == HD_ATTR_STRUCT) return hd_str_of(hd_attr_row_info_of(attr->structure.row)->dialect);
  if (attr->kind == HD_ATTR_OPAQUE) return hd_ident_str(attr->opaque.dialect);
  return HD_STR("builtin");
}

hd_str hd_bw_type_dialect(hd_type type) {
  if (type->kind == HD_TYPE_DIALECT) return hd_str_of(hd_type_row_info_of(type->dialect.row)->dialect);
  if (type->kind == HD_TYPE_OPAQUE) return hd_ident_str(type->opaque.dialect);
  if (type->kind == HD_TYPE_QUANT) return HD_STR("quant");
  return HD_STR("builtin");
}
