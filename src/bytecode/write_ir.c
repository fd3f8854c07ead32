/* SPDX-License-Identifier: Apache-2.0 */
/* Ops, blocks and regions. Values are numbered within the nearest isolated region: those of a region before those of
 * the regions inside, whose numbers are used again once they end. */
#include <string.h>

#include "bytecode/writer.h"

typedef struct ir {
  hd_bw *w;
  hd_map values; /* value -> number */
} ir;

static bool is_isolated(const hd_op *op) { return hd_op_has_trait(op, HD_TRAIT(ISOLATED)); }

static void note_name(hd_bw *w, const hd_op *op) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert(w->scratch, &w->op_names, op->name, &is_new);
  if (!is_new) return;
  hd_str full = hd_ident_str(op->name);
  const char *dot = memchr(full.data, '.', full.len);
  size_t left = dot ? (size_t)(dot - full.data) : full.len;
  hd_str rest = dot ? (hd_str){dot + 1, full.len - left - 1} : (hd_str){"", 0};
  entry->value.i64 = (int64_t)w->name_list.len;
  hd_vec_push(
      w->scratch, &w->name_list,
      (hd_bw_name){rest, hd_bw_dialect(w, (hd_str){full.data, left}), 0, op->info->opcode != HD_OP_UNREGISTERED});
}

void hd_bw_note_op(hd_bw *w, hd_op *op) {
  note_name(w, op);
  hd_bw_note_attr(w, op->loc);
  hd_attr dict, own;
  hd_bw_split_attrs(w, op, &dict, &own);
  if (dict) hd_bw_note_attr(w, dict);
  if (own) hd_bw_note_properties(w, op, own);
  for (uint32_t i = 0; i < op->result_count; ++i) hd_bw_note_type(w, hd_result_type(op, i));
  for (uint32_t k = 0; k < op->region_count; ++k)
    hd_for_each_block(block, &op->regions[k]) {
      for (uint32_t i = 0; i < block->arg_count; ++i) {
        hd_bw_note_type(w, block->args[i]->type);
        hd_bw_note_attr(w, hd_value_loc(block->args[i]));
      }
      hd_for_each_op(inner, block) hd_bw_note_op(w, inner);
    }
}

static void define(ir *s, hd_value *value, size_t *next) {
  hd_map_insert(s->w->scratch, &s->values, value, NULL)->value.i64 = (int64_t)(*next)++;
}

static void write_op(ir *s, hd_op *op, hd_strbuf *out, size_t values);

static void write_block(ir *s, hd_block *block, hd_strbuf *out, size_t values) {
  hd_bw *w = s->w;
  size_t count = 0;
  hd_for_each_op(op, block) ++count;
  hd_bw_flagged(out, count, block->arg_count != 0);
  if (block->arg_count) {
    hd_bw_varint(out, block->arg_count);
    for (uint32_t i = 0; i < block->arg_count; ++i) {
      uint32_t type = hd_bw_type(w, block->args[i]->type);
      hd_loc loc = hd_value_loc(block->args[i]);
      bool has_loc = loc->kind != HD_ATTR_LOC_UNKNOWN || w->version < HD_BC_SHORT_ARG_LOCS;
      if (w->version < HD_BC_SHORT_ARG_LOCS)
        hd_bw_varint(out, type);
      else
        hd_bw_flagged(out, type, has_loc);
      if (has_loc) hd_bw_varint(out, hd_bw_attr(w, loc));
    }
    if (w->version >= HD_BC_USE_LISTS) hd_strbuf_putc(out, 0);
  }
  hd_for_each_op(op, block) write_op(s, op, out, values);
}

/* |values| are numbered already around the region. */
static void write_region(ir *s, hd_region *region, hd_strbuf *out, size_t values) {
  size_t blocks = 0, next = values;
  uint32_t id = 0;
  hd_for_each_block(block, region) ++blocks;
  hd_bw_varint(out, blocks);
  if (!blocks) return;
  hd_for_each_block(block, region) {
    block->id = id++;
    for (uint32_t i = 0; i < block->arg_count; ++i) define(s, block->args[i], &next);
    hd_for_each_op(op, block)
      for (uint32_t i = 0; i < op->result_count; ++i) define(s, hd_result(op, i), &next);
  }
  hd_bw_varint(out, next - values);
  hd_for_each_block(block, region) write_block(s, block, out, next);
}

static void write_op(ir *s, hd_op *op, hd_strbuf *out, size_t values) {
  hd_bw *w = s->w;
  hd_attr dict, own;
  hd_bw_split_attrs(w, op, &dict, &own);
  uint8_t mask = (dict ? HD_BC_HAS_ATTRS : 0) | (op->result_count ? HD_BC_HAS_RESULTS : 0) |
                 (op->operand_count ? HD_BC_HAS_OPERANDS : 0) | (op->successor_count ? HD_BC_HAS_SUCCESSORS : 0) |
                 (op->region_count ? HD_BC_HAS_REGIONS : 0) | (own ? HD_BC_HAS_PROPERTIES : 0);
  hd_bw_varint(out, w->name_list.data[hd_map_find(&w->op_names, op->name)->value.i64].number);
  hd_strbuf_putc(out, (char)mask);
  hd_bw_varint(out, hd_bw_attr(w, op->loc));
  if (dict) hd_bw_varint(out, hd_bw_attr(w, dict));
  if (own) hd_bw_write_properties(w, op, own, out);
  if (op->result_count) {
    hd_bw_varint(out, op->result_count);
    for (uint32_t i = 0; i < op->result_count; ++i) hd_bw_varint(out, hd_bw_type(w, hd_result_type(op, i)));
  }
  if (op->operand_count) {
    hd_bw_varint(out, op->operand_count);
    for (uint32_t i = 0; i < op->operand_count; ++i)
      hd_bw_varint(out, (uint64_t)hd_map_find(&s->values, hd_operand(op, i))->value.i64);
  }
  if (op->successor_count) {
    hd_bw_varint(out, op->successor_count);
    for (uint32_t i = 0; i < op->successor_count; ++i) hd_bw_varint(out, op->successors[i]->id);
  }
  if (!op->region_count) return;
  bool isolated = is_isolated(op);
  hd_bw_flagged(out, op->region_count, isolated);
  if (!isolated || w->version < HD_BC_REGION_SECTIONS) {
    for (uint32_t i = 0; i < op->region_count; ++i) write_region(s, &op->regions[i], out, isolated ? 0 : values);
    return;
  }
  hd_strbuf section;
  hd_strbuf_init(&section, w->scratch);
  for (uint32_t i = 0; i < op->region_count; ++i) write_region(s, &op->regions[i], &section, 0);
  hd_bw_section(out, HD_BC_IR, &section, 1);
}

void hd_bw_write_top(hd_bw *w, hd_op *op, hd_strbuf *out) {
  ir s = {.w = w};
  hd_bw_flagged(out, 1, false);
  write_op(&s, op, out, 0);
}
