/* SPDX-License-Identifier: Apache-2.0 */
/* Inline assembly of the form `name $0, $1[, $2];`: one instruction on 32-bit registers, by a table of those whose
 * meaning is known. */
#include <string.h>

#include "eval/core/scalar.h"
#include "ir/ops/tt.h"

static uint32_t move(uint32_t x, uint32_t y) {
  (void)y;
  return x;
}

/* To 10 bits of mantissa, ties away from zero. */
static uint32_t round_to_tf32(uint32_t x, uint32_t y) {
  (void)y;
  bool finite = (x & 0x7f800000u) != 0x7f800000u;
  return finite ? (x + 0x1000u) & ~0x1fffu : x;
}

static float number(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
static uint32_t bits(float value) {
  uint32_t result;
  memcpy(&result, &value, 4);
  return result;
}
static uint32_t add(uint32_t x, uint32_t y) { return bits(number(x) + number(y)); }
static uint32_t multiply(uint32_t x, uint32_t y) { return bits(number(x) * number(y)); }
static uint32_t both(uint32_t x, uint32_t y) { return x & y; }
static uint32_t either(uint32_t x, uint32_t y) { return x | y; }
static uint32_t differ(uint32_t x, uint32_t y) { return x ^ y; }

typedef struct instruction {
  const char *name;
  uint32_t operands;
  uint32_t (*run)(uint32_t x, uint32_t y);
} instruction;

static const instruction instructions[] = {
    {"mov.b32", 1, move},   {"cvt.rna.tf32.f32", 1, round_to_tf32},
    {"add.f32", 2, add},    {"mul.f32", 2, multiply},
    {"and.b32", 2, both},   {"or.b32", 2, either},
    {"xor.b32", 2, differ},
};

/* The text without |prefix| and the blanks around it; false: it begins otherwise. */
static bool take(hd_str *text, const char *prefix) {
  while (text->len && (*text->data == ' ' || *text->data == '\t' || *text->data == '\n')) ++text->data, --text->len;
  size_t n = strlen(prefix);
  if (text->len < n || memcmp(text->data, prefix, n) != 0) return false;
  text->data += n;
  text->len -= n;
  return true;
}

/* Null: another text. */
static const instruction *instruction_of(hd_str text, uint32_t operands) {
  static const char *const registers[] = {"$0", "$1", "$2"};
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; ++i) {
    hd_str rest = text;
    if (instructions[i].operands != operands || !take(&rest, instructions[i].name) || !rest.len || *rest.data != ' ')
      continue;
    bool same = true;
    for (uint32_t k = 0; k <= operands && same; ++k) same = (!k || take(&rest, ",")) && take(&rest, registers[k]);
    if (same && take(&rest, ";") && take(&rest, "") && !rest.len) return &instructions[i];
  }
  return NULL;
}

HD_EVAL_HOOK(tt_elementwise_inline_asm) {
  hd_str text = hd_tt_elementwise_inline_asm_asm_string(op);
  const instruction *known = instruction_of(text, op->operand_count);
  bool registers = op->result_count == 1 && hd_tt_elementwise_inline_asm_packed_element(op) == 1;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    registers &= hd_type_bits(hd_type_element(in[i].type)) == 32 &&
                 hd_lanes_of(in[i].type) == hd_lanes_of(hd_result_type(op, 0));
  if (!known || !registers || hd_type_bits(hd_type_element(hd_result_type(op, 0))) != 32)
    return hd_make_status(HD_UNIMPLEMENTED, "has instructions that the evaluator does not know: '%.*s'", (int)text.len,
                          text.data);
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) {
    uint32_t x, y = 0, result;
    memcpy(&x, (const char *)hd_tensor_data(&in[0]) + 4 * i, 4);
    if (op->operand_count > 1) memcpy(&y, (const char *)hd_tensor_data(&in[1]) + 4 * i, 4);
    result = known->run(x, y);
    memcpy((char *)hd_tensor_data(out) + 4 * i, &result, 4);
  }
  return HD_STATUS_OK;
}
