/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of ops: by the layout of their row; of an op without a row one dictionary. */
#include "bytecode/layout.h"
#include "bytecode/writer.h"

static hd_bc_layout layout_of(hd_bw *w, const hd_op *op) {
  return hd_bc_layout_of(&w->layouts, op->info->opcode, w->version < HD_BC_SEGMENTS);
}

static bool is_property(hd_bw *w, const hd_op *op, const hd_attr_cursor *attr) {
  if (w->version < HD_BC_PROPERTIES) return false;
  if (!op->info->opcode) return attr->inherent;
  hd_bc_layout layout = layout_of(w, op);
  for (size_t i = 0; i < layout.count; ++i)
    if (layout.fields[i].name == attr->name) return true;
  return false;
}

void hd_bw_split_attrs(hd_bw *w, const hd_op *op, hd_attr *out_dict, hd_attr *out_properties) {
  uint32_t room = hd_row_names(op->info->opcode)->count + op->attr_count, front = 0, back = room;
  hd_named_attr *items = hd_new_array(w->scratch, hd_named_attr, room);
  hd_for_each_attr(attr, op)
    items[is_property(w, op, &attr) ? --back : front++] = (hd_named_attr){attr.name, attr.value};
  *out_dict = front ? hd_attr_dict(w->context, items, front) : NULL;
  *out_properties = back < room ? hd_attr_dict(w->context, items + back, room - back) : NULL;
}

/* An attribute is there; numbers stand for themselves. */
static bool is_written(const hd_bc_field *field, hd_attr value) {
  return value && (field->kind == HD_BC_FIELD_REQUIRED || field->kind == HD_BC_FIELD_OPTIONAL);
}

void hd_bw_note_properties(hd_bw *w, const hd_op *op, hd_attr own) {
  if (!op->info->opcode) {
    hd_bw_note_attr(w, own);
    return;
  }
  hd_bc_layout layout = layout_of(w, op);
  for (size_t i = 0; i < layout.count; ++i) {
    hd_attr value = hd_dict_get_named(own, layout.fields[i].name->text);
    if (is_written(&layout.fields[i], value)) hd_bw_note_attr(w, value);
  }
}

static bool is_set(hd_attr value) {
  return value && (value->kind == HD_ATTR_UNIT || (value->kind == HD_ATTR_INTEGER && value->integer));
}

static void write_segments(hd_strbuf *out, hd_attr sizes) {
  size_t count = hd_attr_count(sizes);
  hd_bw_flagged(out, count, false);
  for (size_t i = 0; i < count; ++i) hd_bw_varint(out, (uint64_t)hd_attr_int_at(sizes, i));
}

static void write_field(hd_bw *w, const hd_op *op, const hd_bc_field *field, hd_attr value, hd_strbuf *out) {
  switch (field->kind) {
    case HD_BC_FIELD_REQUIRED:
      if (value)
        hd_bw_varint(out, hd_bw_attr(w, value));
      else
        hd_bw_fail(w, "'%s' has no attribute '%s', which bytecode must hold", op->name->text, field->name->text);
      break;
    case HD_BC_FIELD_OPTIONAL:
      hd_bw_flagged(out, value ? hd_bw_attr(w, value) : 0, value != NULL);
      break;
    case HD_BC_FIELD_BOOL:
      hd_strbuf_putc(out, is_set(value));
      break;
    case HD_BC_FIELD_NUMBER:
      hd_bw_varint(out, hd_attr_is(value, HD_ATTR_INTEGER) ? (uint32_t)value->integer : 0);
      break;
    case HD_BC_FIELD_SEGMENTS:
      write_segments(out, value);
      break;
  }
}

void hd_bw_write_properties(hd_bw *w, const hd_op *op, hd_attr own, hd_strbuf *out) {
  hd_strbuf bytes;
  hd_strbuf_init(&bytes, w->scratch);
  if (!op->info->opcode) {
    hd_bw_varint(&bytes, hd_bw_attr(w, own));
  } else {
    hd_bc_layout layout = layout_of(w, op);
    for (size_t i = 0; i < layout.count; ++i)
      write_field(w, op, &layout.fields[i], hd_dict_get_named(own, layout.fields[i].name->text), &bytes);
  }
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(w->scratch, &w->properties, hd_strbuf_text(&bytes), bytes.len, &is_new);
  if (is_new) {
    entry->value.i64 = (int64_t)w->property_list.len;
    hd_vec_push(w->scratch, &w->property_list, (hd_str){hd_strbuf_text(&bytes), bytes.len});
  }
  hd_bw_varint(out, (uint64_t)entry->value.i64);
}
