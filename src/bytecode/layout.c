/* SPDX-License-Identifier: Apache-2.0 */
/* How an op lays out its properties, which no file tells: the attributes of its row by name, then what MLIR keeps as
 * bools and numbers, then the segment sizes. */
#include "bytecode/layout.h"

#include <stdlib.h>
#include <string.h>

static hd_bc_field_kind kind_of(const hd_signature_item *item) {
  if (hd_str_is(item->constraint, "unit|bool")) return HD_BC_FIELD_BOOL;
  if (hd_str_is(item->constraint, "flags")) return HD_BC_FIELD_NUMBER;
  return item->arity == HD_OPTIONAL ? HD_BC_FIELD_OPTIONAL : HD_BC_FIELD_REQUIRED;
}

static bool is_attr(const hd_bc_field *field) {
  return field->kind == HD_BC_FIELD_OPTIONAL || field->kind == HD_BC_FIELD_REQUIRED;
}

static int compare(const void *a, const void *b) {
  const hd_bc_field *x = a, *y = b;
  if (is_attr(x) != is_attr(y)) return is_attr(x) ? -1 : 1;
  return strcmp(x->name->text, y->name->text);
}

static hd_bc_layout make(hd_context *context, hd_arena *arena, hd_opcode opcode, bool old_segments) {
  const hd_signature *signature = hd_signature_of(context, opcode);
  uint64_t traits = hd_op_info_of(opcode)->traits;
  hd_bc_field segments[2];
  size_t segment_count = 0, count = signature->attrs.count;
  hd_bc_field_kind kind = old_segments ? HD_BC_FIELD_REQUIRED : HD_BC_FIELD_SEGMENTS;
  if (traits & HD_TRAIT(SEGMENTED_OPERANDS))
    segments[segment_count++] =
        (hd_bc_field){hd_name_ident(context, HD_NAME_operandSegmentSizes), kind, signature->args.count};
  if (traits & HD_TRAIT(SEGMENTED_RESULTS))
    segments[segment_count++] =
        (hd_bc_field){hd_name_ident(context, HD_NAME_resultSegmentSizes), kind, signature->results.count};
  hd_bc_layout layout = {hd_new_array(arena, hd_bc_field, count + 2), count + segment_count};
  hd_bc_field *attrs = layout.fields + (old_segments ? segment_count : 0);
  for (size_t i = 0; i < count; ++i)
    attrs[i] = (hd_bc_field){signature->attrs.items[i].name, kind_of(&signature->attrs.items[i]), 0};
  if (count > 1) qsort(attrs, count, sizeof *attrs, compare);
  for (size_t i = 0; i < segment_count; ++i) layout.fields[old_segments ? i : count + i] = segments[i];
  return layout;
}

hd_bc_layout hd_bc_layout_of(hd_bc_layouts *layouts, hd_opcode opcode, bool old_segments) {
  if (!layouts->of) layouts->of = hd_new_array(layouts->arena, hd_bc_layout, HD_OPCODE_COUNT);
  hd_bc_layout *layout = &layouts->of[opcode];
  if (!layout->fields) *layout = make(layouts->context, layouts->arena, opcode, old_segments);
  return *layout;
}
