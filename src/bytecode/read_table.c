/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes and types of the table, read when first asked for, and the pieces that their encodings share. */
#include <string.h>

#include "bytecode/reader.h"
#include "ir/number.h"
#include "text/text.h"

static bool read_text(hd_bc_reader *r, hd_bc_entry *entry, hd_bc_bytes *in, bool is_type) {
  hd_str text;
  const uint8_t *where = in->at;
  if (!hd_bc_cstring(r, in, &text)) return false;
  if (is_type)
    entry->type = hd_text_parse_type(r->context, text);
  else
    entry->attr = hd_text_parse_attr(r->context, "<attribute>", text);
  if (entry->type || entry->attr) return true;
  return hd_bc_fail(r, where, "expected %s in text", is_type ? "a type" : "an attribute");
}

static bool read_custom(hd_bc_reader *r, hd_bc_entry *entry, hd_bc_bytes *in, bool is_type) {
  hd_str dialect = entry->dialect->name;
  if (hd_str_is(dialect, "builtin")) {
    if (is_type)
      entry->type = hd_bc_builtin_type(r, in);
    else
      entry->attr = hd_bc_builtin_attr(r, in);
  } else if (hd_str_is(dialect, "vhlo")) {
    if (is_type)
      entry->type = hd_bc_vhlo_type(r, in);
    else
      entry->attr = hd_bc_vhlo_attr(r, in);
  } else if (hd_str_is(dialect, "sdy") && !is_type) {
    entry->attr = hd_bc_sdy_attr(r, in);
  } else if (hd_str_is(dialect, "stablehlo")) {
    if (is_type)
      entry->type = hd_bc_stablehlo_type(r, in);
    else
      entry->attr = hd_bc_stablehlo_attr(r, in);
  } else if (hd_str_is(dialect, "quant") && is_type) {
    entry->type = hd_bc_quant_type(r, in);
  } else if (hd_str_is(dialect, "chlo") && !is_type) {
    entry->attr = hd_bc_chlo_attr(r, in);
  } else {
    return hd_bc_fail(r, in->at, "the encoding of %s of dialect '%.*s' is not known", is_type ? "types" : "attributes",
                      (int)dialect.len, dialect.data);
  }
  return entry->type || entry->attr;
}

static bool read_entry(hd_bc_reader *r, hd_bc_entry *entries, size_t count, uint64_t index, const uint8_t *where,
                       bool is_type) {
  if (r->failed) return false;
  const char *what = is_type ? "type" : "attribute";
  if (index >= count) return hd_bc_fail(r, where, "%s %llu, but there are %zu", what, (unsigned long long)index, count);
  hd_bc_entry *entry = &entries[index];
  if (entry->state == HD_BC_READING)
    return hd_bc_fail(r, where, "%s %llu is a part of itself", what, (unsigned long long)index);
  if (entry->state == HD_BC_UNREAD) {
    if (r->depth >= HD_BC_NESTING)
      return hd_bc_fail(r, where, "attributes and types nest deeper than %d", HD_BC_NESTING);
    uint64_t outer = r->weight;
    hd_bc_bytes in = entry->bytes;
    ++r->depth;
    r->weight = 1;
    entry->state = HD_BC_READING;
    bool good = entry->custom ? read_custom(r, entry, &in, is_type) : read_text(r, entry, &in, is_type);
    if (!good || !hd_bc_expect_end(r, &in, what)) return hd_bc_fail(r, entry->bytes.at, "this %s cannot be read", what);
    entry->state = HD_BC_READ;
    entry->weight = (uint32_t)r->weight;
    --r->depth;
    r->weight = outer;
  }
  r->weight += entry->weight;
  if (r->weight > HD_BC_WEIGHT && r->depth)
    return hd_bc_fail(r, where, "an attribute or type has more than %d parts", HD_BC_WEIGHT);
  return true;
}

static hd_attr attr_at(hd_bc_reader *r, uint64_t index, const uint8_t *where) {
  return read_entry(r, r->attrs, r->attr_count, index, where, false) ? r->attrs[index].attr : NULL;
}

hd_type hd_bc_type_at(hd_bc_reader *r, uint64_t index, const uint8_t *where) {
  return read_entry(r, r->types, r->type_count, index, where, true) ? r->types[index].type : NULL;
}

hd_attr hd_bc_attr_ref(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t index;
  return hd_bc_varint(r, in, &index) ? attr_at(r, index, where) : NULL;
}

hd_type hd_bc_type_ref(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t index;
  return hd_bc_varint(r, in, &index) ? hd_bc_type_at(r, index, where) : NULL;
}

bool hd_bc_optional_attr(hd_bc_reader *r, hd_bc_bytes *in, hd_attr *out) {
  const uint8_t *where = in->at;
  uint64_t index;
  bool there;
  *out = NULL;
  if (!hd_bc_flagged(r, in, &index, &there)) return false;
  if (there) *out = attr_at(r, index, where);
  return !there || *out;
}

hd_loc hd_bc_loc_ref(hd_bc_reader *r, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  hd_attr attr = hd_bc_attr_ref(r, in);
  if (!attr || (attr->kind >= HD_ATTR_LOC_UNKNOWN && attr->kind <= HD_ATTR_LOC_FUSED)) return attr;
  hd_bc_fail(r, where, "expected a location");
  return NULL;
}

bool hd_bc_attr_list(hd_bc_reader *r, hd_bc_bytes *in, hd_attr **out, size_t *out_count) {
  if (!hd_bc_count(r, in, 1, out_count)) return false;
  *out = hd_new_array(&r->scratch, hd_attr, *out_count);
  for (size_t i = 0; i < *out_count; ++i)
    if (!((*out)[i] = hd_bc_attr_ref(r, in))) return false;
  return true;
}

bool hd_bc_type_list(hd_bc_reader *r, hd_bc_bytes *in, hd_type **out, size_t *out_count) {
  if (!hd_bc_count(r, in, 1, out_count)) return false;
  *out = hd_new_array(&r->scratch, hd_type, *out_count);
  for (size_t i = 0; i < *out_count; ++i)
    if (!((*out)[i] = hd_bc_type_ref(r, in))) return false;
  return true;
}

bool hd_bc_signed_list(hd_bc_reader *r, hd_bc_bytes *in, int64_t **out, size_t *out_count) {
  if (!hd_bc_count(r, in, 1, out_count)) return false;
  *out = hd_new_array(&r->scratch, int64_t, *out_count);
  for (size_t i = 0; i < *out_count; ++i)
    if (!hd_bc_signed(r, in, &(*out)[i])) return false;
  return true;
}

/* An integer of |width| bits, in the low bits of the result. */
static bool int_of_width(hd_bc_reader *r, hd_bc_bytes *in, uint32_t width, uint64_t *out) {
  if (width <= 8) {
    uint8_t byte;
    if (!hd_bc_byte(r, in, &byte)) return false;
    *out = byte;
    return true;
  }
  if (width > 64) return hd_bc_fail(r, in->at, "integers of %u bits are not supported, at most 64", width);
  int64_t value;
  if (!hd_bc_signed(r, in, &value)) return false;
  *out = (uint64_t)value;
  return true;
}

bool hd_bc_double(hd_bc_reader *r, hd_bc_bytes *in, double *out) {
  uint64_t bits;
  if (!int_of_width(r, in, 64, &bits)) return false;
  memcpy(out, &bits, sizeof bits);
  return true;
}

/* The value of an integer or float attribute. */
static hd_attr wide_number(hd_bc_reader *r, hd_bc_bytes *in, hd_type type, const uint8_t *where) {
  if (hd_type_bits(type) > HD_WIDE_BITS) {
    hd_bc_fail(r, where, "numbers of %u bits are not supported, at most %d", hd_type_bits(type), HD_WIDE_BITS);
    return NULL;
  }
  uint64_t count;
  size_t bytes = hd_type_element_bytes(type), words = (bytes + 7) / 8;
  if (!hd_bc_varint(r, in, &count)) return NULL;
  if (!count || count > words) {
    hd_bc_fail(r, where, "%llu words for a number of %u bits", (unsigned long long)count, hd_type_bits(type));
    return NULL;
  }
  int64_t *pattern = hd_new_array(&r->scratch, int64_t, words); /* high words that are zero are left out */
  for (uint64_t i = 0; i < count; ++i)
    if (!hd_bc_signed(r, in, &pattern[i])) return NULL;
  hd_wide_trim(type, (char *)pattern);
  return hd_attr_wide(type, (const char *)pattern);
}

hd_attr hd_bc_number(hd_bc_reader *r, hd_bc_bytes *in, hd_type type, const uint8_t *where) {
  uint64_t bits;
  if (hd_type_is_wide(type)) return wide_number(r, in, type, where);
  if (type->kind == HD_TYPE_INTEGER || type->kind == HD_TYPE_INDEX) {
    uint32_t width = type->kind == HD_TYPE_INDEX ? 64 : type->integer.width;
    return int_of_width(r, in, width, &bits) ? hd_attr_integer(type, (int64_t)bits) : NULL;
  }
  if (type->kind == HD_TYPE_FLOAT) {
    int width = hd_float_formats[type->float_kind].bits;
    if (!int_of_width(r, in, (uint32_t)width, &bits)) return NULL;
    return hd_attr_float_bits(type, width < 64 ? bits & ((1ull << width) - 1) : bits);
  }
  hd_bc_fail(r, where, "a number must have an integer, index or float type");
  return NULL;
}

bool hd_bc_check_element(hd_bc_reader *r, hd_type type, const uint8_t *where) {
  switch (type->kind) {
    case HD_TYPE_FUNCTION:
    case HD_TYPE_TUPLE:
    case HD_TYPE_TENSOR:
    case HD_TYPE_UNRANKED_TENSOR:
    case HD_TYPE_NONE:
      return hd_bc_fail(r, where, "this type cannot be an element");
    default:
      return true;
  }
}

bool hd_bc_shape(hd_bc_reader *r, hd_bc_bytes *in, int64_t **out_dims, size_t *out_rank) {
  const uint8_t *where = in->at;
  if (!hd_bc_signed_list(r, in, out_dims, out_rank)) return false;
  for (size_t i = 0; i < *out_rank; ++i)
    if ((*out_dims)[i] < 0 && (*out_dims)[i] != HD_DYNAMIC) {
      /* Before the format fixed it, -1 stood for an unknown dim. */
      if ((*out_dims)[i] != -1)
        return hd_bc_fail(r, where, "a dim must not be negative, got %lld", (long long)(*out_dims)[i]);
      (*out_dims)[i] = HD_DYNAMIC;
    }
  return true;
}

/* Bytes of an element in the layout of MLIR: whole bytes, low first, complex numbers as two. */
static size_t packed_bytes(hd_type element) {
  if (element->kind == HD_TYPE_COMPLEX) return 2 * packed_bytes(element->shaped.element);
  if (element->kind == HD_TYPE_INDEX) return 8;
  if (element->kind == HD_TYPE_INTEGER)
    return element->integer.width <= HD_WIDE_BITS ? (element->integer.width + 7) / 8 : 0;
  if (element->kind == HD_TYPE_FLOAT) return (size_t)(hd_float_formats[element->float_kind].bits + 7) / 8;
  return 0;
}

static void copy_element(hd_type element, char *to, const uint8_t *from) {
  if (element->kind == HD_TYPE_COMPLEX) {
    hd_type part = element->shaped.element;
    copy_element(part, to, from);
    copy_element(part, to + hd_type_element_bytes(part), from + packed_bytes(part));
    return;
  }
  if (hd_type_is_wide(element)) {
    memcpy(to, from, packed_bytes(element));
    hd_wide_trim(element, to);
    return;
  }
  uint64_t value = 0;
  for (size_t i = packed_bytes(element); i-- > 0;) value = value << 8 | from[i];
  if (element->kind == HD_TYPE_FLOAT) {
    int bits = hd_float_formats[element->float_kind].bits;
    if (bits < 64) value &= (1ull << bits) - 1;
  }
  hd_element_store(element, to, (int64_t)value);
}

static hd_attr dense_bools(hd_bc_reader *r, hd_type type, hd_bc_bytes blob, size_t count) {
  size_t size = hd_bc_left(&blob);
  if (size == 1 && (count != 1 || blob.at[0] > 1) && (blob.at[0] == 0xff || blob.at[0] == 0)) {
    char value = blob.at[0] != 0;
    return hd_attr_dense(type, &value, count ? 1 : 0, count != 0);
  }
  char *data = hd_arena_zalloc(&r->scratch, count + 1);
  if (size == (count + 7) / 8 && size != count) {
    for (size_t i = 0; i < count; ++i) data[i] = blob.at[i / 8] >> (i % 8) & 1;
  } else if (size == count) {
    for (size_t i = 0; i < count; ++i) data[i] = blob.at[i] & 1;
  } else {
    hd_bc_fail(r, blob.at, "%zu bytes for %zu booleans", size, count);
    return NULL;
  }
  return hd_attr_dense(type, data, count, false);
}

hd_attr hd_bc_dense(hd_bc_reader *r, hd_type type, hd_bc_bytes blob) {
  int64_t count = hd_type_is_shaped(type) && hd_type_is_static(type) ? hd_type_num_elements(type) : -1;
  if (count < 0) {
    hd_bc_fail(r, blob.at, "elements of a type without a fixed shape");
    return NULL;
  }
  hd_type element = hd_type_element(type);
  size_t size = hd_bc_left(&blob);
  if (hd_type_is_integer(element, 1)) {
    if ((uint64_t)count > 8ull * size && size != 1) {
      hd_bc_fail(r, blob.at, "%zu bytes for %lld booleans", size, (long long)count);
      return NULL;
    }
    return dense_bools(r, type, blob, (size_t)count);
  }
  size_t packed = packed_bytes(element), stored = hd_type_element_bytes(element);
  if (!packed || !stored) {
    hd_bc_fail(r, blob.at, "elements of this type are not supported");
    return NULL;
  }
  bool splat = size == packed && count != 1;
  if (!splat && (size % packed || size / packed != (uint64_t)count)) {
    hd_bc_fail(r, blob.at, "%zu bytes for %lld elements of %zu", size, (long long)count, packed);
    return NULL;
  }
  size_t items = count ? size / packed : 0;
  bool direct = packed == stored && hd_type_bits(element) == 8 * stored;
  const char *data = (const char *)blob.at;
  if (!direct) {
    char *copy = hd_arena_calloc(&r->scratch, items + 1, stored);
    for (size_t i = 0; i < items; ++i) copy_element(element, copy + i * stored, blob.at + i * packed);
    data = copy;
  }
  return hd_attr_dense(type, data, items * stored, splat && count);
}
