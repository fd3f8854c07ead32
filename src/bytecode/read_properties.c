/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of ops, by the layout of their row. */
#include "bytecode/reader.h"

static bool put(hd_bc_reader *r, hd_bc_op_attrs *out, hd_ident name, hd_attr value) {
  hd_vec_push(&r->scratch, out, (hd_op_attr){name, value, true});
  return true;
}

/* Where the op was not known to its writer the properties are one dictionary. */
static bool read_dict(hd_bc_reader *r, hd_bc_bytes *in, hd_bc_op_attrs *out) {
  const uint8_t *where = in->at;
  hd_attr dict = hd_bc_attr_ref(r, in);
  if (!dict) return false;
  if (dict->kind != HD_ATTR_DICT) return hd_bc_fail(r, where, "expected a dictionary of properties");
  for (uint32_t i = 0; i < dict->dict.count; ++i) put(r, out, dict->dict.items[i].name, dict->dict.items[i].value);
  return true;
}

/* The number of entries; of a short array all values, else those that are not 0 with their positions. */
static bool read_segments(hd_bc_reader *r, hd_bc_bytes *in, const hd_bc_field *field, hd_bc_op_attrs *out) {
  const uint8_t *where = in->at;
  size_t items = field->items;
  uint64_t written;
  bool sparse;
  int32_t *sizes = hd_new_array(&r->scratch, int32_t, items);
  if (!hd_bc_flagged(r, in, &written, &sparse)) return false;
  if (written > items)
    return hd_bc_fail(r, where, "%llu segment sizes for %zu operands or results", (unsigned long long)written, items);
  uint64_t index_bits = 0;
  if (sparse && written && !hd_bc_varint(r, in, &index_bits)) return false; /* all are 0: nothing follows */
  if (index_bits > 8)
    return hd_bc_fail(r, where, "a position of %llu bits among segment sizes", (unsigned long long)index_bits);
  for (size_t i = 0; i < written; ++i) {
    uint64_t value, at = i;
    if (!hd_bc_varint(r, in, &value)) return false;
    if (sparse) {
      at = value & ((1ull << index_bits) - 1);
      value >>= index_bits;
    }
    if (at >= items || value > INT32_MAX)
      return hd_bc_fail(r, where, "segment size %llu at position %llu", (unsigned long long)value,
                        (unsigned long long)at);
    sizes[at] = (int32_t)value;
  }
  return put(r, out, field->name, hd_attr_i32_array(r->context, sizes, items));
}

static bool read_field(hd_bc_reader *r, const hd_bc_field *field, hd_bc_bytes *in, hd_bc_op_attrs *out) {
  const uint8_t *where = in->at;
  hd_attr value = NULL;
  uint8_t set;
  uint64_t bits;
  switch (field->kind) {
    case HD_BC_FIELD_SEGMENTS:
      return read_segments(r, in, field, out);
    case HD_BC_FIELD_REQUIRED:
      if (!(value = hd_bc_attr_ref(r, in))) return false;
      break;
    case HD_BC_FIELD_OPTIONAL:
      if (!hd_bc_optional_attr(r, in, &value)) return false;
      break;
    case HD_BC_FIELD_BOOL:
      if (!hd_bc_byte(r, in, &set)) return false;
      if (set) value = hd_attr_unit(r->context);
      break;
    case HD_BC_FIELD_NUMBER:
      if (!hd_bc_varint(r, in, &bits)) return false;
      if (bits > INT32_MAX)
        return hd_bc_fail(r, where, "'%s' is %llu, which does not fit", field->name->text, (unsigned long long)bits);
      if (bits) value = hd_attr_i32(r->context, (int64_t)bits);
      break;
  }
  return !value || put(r, out, field->name, value);
}

static bool read_by_row(hd_bc_reader *r, const hd_bc_op_name *name, hd_bc_bytes *in, hd_bc_op_attrs *out) {
  hd_bc_layout layout = hd_bc_layout_of(&r->layouts, name->opcode, r->version < HD_BC_SEGMENTS);
  for (size_t i = 0; i < layout.count; ++i)
    if (!read_field(r, &layout.fields[i], in, out)) return false;
  return true;
}

bool hd_bc_properties(hd_bc_reader *r, const hd_bc_op_name *name, hd_bc_bytes *in, hd_bc_op_attrs *out) {
  const uint8_t *where = in->at;
  uint64_t index;
  if (!hd_bc_varint(r, in, &index)) return false;
  if (index >= r->property_count)
    return hd_bc_fail(r, where, "properties %llu, but there are %zu", (unsigned long long)index, r->property_count);
  hd_bc_bytes bytes = r->properties[index];
  if (!name->registered) return read_dict(r, &bytes, out) && hd_bc_expect_end(r, &bytes, "the properties of an op");
  if (!name->opcode) return hd_bc_fail(r, where, "the properties of op '%s' are not known", name->name->text);
  if (!read_by_row(r, name, &bytes, out))
    return hd_bc_fail(r, bytes.at, "the properties of '%s' cannot be read", name->name->text);
  if (bytes.at != bytes.end) return hd_bc_fail(r, bytes.at, "'%s' has more properties than expected", name->name->text);
  return true;
}
