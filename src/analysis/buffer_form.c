/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/buffer_form.h"

#include <string.h>

bool hd_buffer_form_of(hd_op *op, hd_arena *arena, hd_buffer_form *out) {
  *out = (hd_buffer_form){.opcode = hd_opcode_to_lmhlo(hd_opcode_get(op))};
  /* A fusion of tensors has arguments; lmhlo.fusion is what disc-fusion makes of buffer ops, and has none. */
  if (!out->opcode || hd_op_is(op, HD_OP_mhlo_fusion)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_op_is_shape_operand(op, i)) hd_vec_push(arena, &out->inputs, hd_operand(op, i));
  if (hd_has_element_regions(op)) hd_captures_find(op, arena, &out->captures);
  for (size_t i = 0; i < out->captures.len; ++i) hd_vec_push(arena, &out->inputs, out->captures.data[i]);
  return true;
}

hd_op *hd_buffer_form_build(const hd_buffer_form *form, hd_builder *b, hd_op *op, hd_arena *arena,
                            hd_value *const *operands, size_t count) {
  hd_captures_bind(op, &form->captures);
  hd_region **regions = hd_new_array(arena, hd_region *, op->region_count + 1);
  for (uint32_t i = 0; i < op->region_count; ++i) regions[i] = hd_op_region(op, i);
  hd_op_attr *attrs = hd_new_array(arena, hd_op_attr, op->attr_count + 2);
  if (op->attr_count) memcpy(attrs, op->attrs, op->attr_count * sizeof *attrs);
  size_t attr_count = op->attr_count;
  if (op->result_count != 1)
    attrs[attr_count++] =
        (hd_op_attr){hd_name_ident(b->context, HD_NAME_hd_outputs), hd_attr_i64(b->context, op->result_count), false};
  if (form->captures.len)
    attrs[attr_count++] = (hd_op_attr){hd_name_ident(b->context, HD_NAME_hd_captures),
                                       hd_attr_i64(b->context, (int64_t)form->captures.len), false};
  return hd_build_state(b, &(hd_op_state){.opcode = form->opcode,
                                          .loc = op->loc,
                                          .operands = operands,
                                          .operand_count = count,
                                          .properties = op->properties,
                                          .attrs = attrs,
                                          .attr_count = attr_count,
                                          .region_count = op->region_count,
                                          .regions = regions});
}
