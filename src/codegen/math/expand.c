/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/math/expand.h"

#include "codegen/math/emitter.h"
#include "codegen/math/families.h"

enum { STRAIGHT, BRANCHES };

static const struct {
  hd_math_row row;
  hd_math_family family;
  bool branches;
} rows[] = {
#define ROW(name, operands, opcode, control, ulp32, ulp64, domain, method) \
  {{#name, domain, method, HD_OP_##opcode, operands, ulp32, ulp64}, hd_math_##name, control},
#include "codegen/math/math.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

const hd_math_row *hd_math_row_at(size_t index) { return index < ROW_COUNT ? &rows[index].row : NULL; }

static int find(hd_opcode opcode) {
  for (int i = 0; i < ROW_COUNT; ++i)
    if (rows[i].row.opcode == opcode) return i;
  return -1;
}

bool hd_math_can_expand(hd_opcode opcode) { return find(opcode) >= 0; }

bool hd_math_branches(hd_opcode opcode) {
  int row = find(opcode);
  return row >= 0 && rows[row].branches;
}

V hd_math_emit(hd_builder *b, hd_math_family family, V const *operands, int count, bool instructions) {
  hd_type type = operands[0]->type, element = hd_type_element(type);
  if (element->kind != HD_TYPE_FLOAT || (hd_type_is_shaped(type) && type->kind != HD_TYPE_VECTOR)) return NULL;
  bool is64 = element->float_kind == HD_F64, wide = is64 || element->float_kind == HD_F32;
  if (!wide && hd_float_formats[element->float_kind].bits > 16) return NULL; /* tf32 is no type of values */
  hd_type f32 = hd_f32(b->context), computed = type;
  if (!wide) computed = hd_type_is_shaped(type) ? hd_type_with_element(type, f32) : f32;
  V args[2];
  for (int i = 0; i < count; ++i) args[i] = wide ? operands[i] : hd_build(b, HD_OP_arith_extf, computed, operands[i]);
  E e;
  hd_math_emitter_init(&e, b, computed);
  e.instructions = instructions;
  V result = family(&e, args);
  return wide ? result : hd_build(b, HD_OP_arith_truncf, type, result);
}

hd_value *hd_math_expand(hd_builder *b, hd_opcode opcode, hd_value *const *operands) {
  int row = find(opcode);
  return row < 0 ? NULL : hd_math_emit(b, rows[row].family, operands, rows[row].row.operands, false);
}
