/* SPDX-License-Identifier: Apache-2.0 */
/* Ops on integers, floats and vectors of them, part by part. Integers of any width are zero-extended in 32 or 64 bits;
 * floats of 16 bits are computed in f32, which rounds them as they would be: it has more than twice their digits. */
#include "ir/ops/llvm.h"
#include "target/simt/encoder.h"

#define NONE HD_SIMT_NO_REGISTER
#define EMIT2(op, a, b) hd_simt_emit(e, op, a, b, NONE)
#define EMIT1(op, a) hd_simt_emit(e, op, a, NONE, NONE)
/* |name| of 32 or 64 bits, as |s| says. */
#define SIZED(name, s) ((s)->slots == 2 ? HD_SIMT_##name##64 : HD_SIMT_##name##32)
#define FLOATING(name, is_wide) ((is_wide) ? HD_SIMT_##name##_f64 : HD_SIMT_##name##_f32)

/* ---- integers ---- */

enum { SIGNED_X = 1, SIGNED_Y = 2, SIGNED = SIGNED_X | SIGNED_Y, WRAPS = 4 };

/* The op's instruction, which |code| is of the width. */
static int32_t integer(hd_simt_encoder *e, hd_simt_opcode code, int flags, const hd_simt_scalar *s, int32_t x,
                       int32_t y) {
  if (flags & SIGNED_X) x = hd_simt_sign_extend(e, x, s->bits);
  if (flags & SIGNED_Y) y = hd_simt_sign_extend(e, y, s->bits);
  int32_t made = EMIT2(code, x, y);
  return flags & WRAPS ? hd_simt_zero_extend(e, made, s->bits) : made;
}

static int32_t compare_integers(hd_simt_encoder *e, int64_t predicate, const hd_simt_scalar *s, int32_t x, int32_t y) {
  bool is_signed = predicate >= 2 && predicate <= 5;
  if (is_signed) {
    x = hd_simt_sign_extend(e, x, s->bits);
    y = hd_simt_sign_extend(e, y, s->bits);
  }
  switch (predicate) { /* eq ne slt sle sgt sge ult ule ugt uge */
    case 0:
      return EMIT2(SIZED(eq, s), x, y);
    case 1:
      return EMIT2(SIZED(ne, s), x, y);
    case 2:
      return EMIT2(SIZED(slt, s), x, y);
    case 3:
      return EMIT2(SIZED(sle, s), x, y);
    case 4:
      return EMIT2(SIZED(slt, s), y, x);
    case 5:
      return EMIT2(SIZED(sle, s), y, x);
    case 6:
      return EMIT2(SIZED(ult, s), x, y);
    case 7:
      return EMIT2(SIZED(ule, s), x, y);
    case 8:
      return EMIT2(SIZED(ult, s), y, x);
    default:
      return EMIT2(SIZED(ule, s), y, x);
  }
}

static int32_t leading_zeros(hd_simt_encoder *e, const hd_simt_scalar *s, int32_t x) {
  uint32_t whole = 32 * s->slots;
  x = EMIT1(SIZED(ctlz, s), x);
  return s->bits == whole ? x : EMIT2(SIZED(sub, s), x, hd_simt_constant_of(e, s->slots, whole - s->bits));
}

/* No further than the width. */
static int32_t trailing_zeros(hd_simt_encoder *e, const hd_simt_scalar *s, int32_t x) {
  if (s->bits != 32 * s->slots) x = EMIT2(SIZED(or, s), x, hd_simt_constant_of(e, s->slots, 1ull << s->bits));
  return EMIT1(SIZED(cttz, s), x);
}

static int32_t absolute(hd_simt_encoder *e, const hd_simt_scalar *s, int32_t x) {
  return hd_simt_zero_extend(e, EMIT1(SIZED(abs, s), hd_simt_sign_extend(e, x, s->bits)), s->bits);
}

/* ---- floats ---- */

/* As f32 or f64, in which it is computed. */
static int32_t widen(hd_simt_encoder *e, const hd_simt_scalar *s, int32_t x) {
  return s->kind == HD_SIMT_F16 ? EMIT1(HD_SIMT_f16_f32, x) : s->kind == HD_SIMT_BF16 ? EMIT1(HD_SIMT_bf16_f32, x) : x;
}
static int32_t widen_to_f64(hd_simt_encoder *e, const hd_simt_scalar *s, int32_t x) {
  return s->kind == HD_SIMT_F64 ? x : EMIT1(HD_SIMT_f32_f64, widen(e, s, x));
}
static int32_t narrow(hd_simt_encoder *e, const hd_simt_scalar *s, int32_t x) {
  return s->kind == HD_SIMT_F16 ? EMIT1(HD_SIMT_f32_f16, x) : s->kind == HD_SIMT_BF16 ? EMIT1(HD_SIMT_f32_bf16, x) : x;
}
static int32_t narrow_f64(hd_simt_encoder *e, const hd_simt_scalar *s, int32_t x) {
  return s->kind == HD_SIMT_F64    ? x
         : s->kind == HD_SIMT_F32  ? EMIT1(HD_SIMT_f64_f32, x)
         : s->kind == HD_SIMT_BF16 ? EMIT1(HD_SIMT_f64_bf16, x)
                                   : EMIT1(HD_SIMT_f64_f16, x);
}

static int32_t floating(hd_simt_encoder *e, hd_simt_opcode code, int operands, const hd_simt_scalar *s, int32_t x,
                        int32_t y) {
  x = widen(e, s, x);
  if (operands == 2) y = widen(e, s, y);
  return narrow(e, s, EMIT2(code, x, y));
}

/* Products of f32 have 48 digits: those of 16 bits go through f64, which holds product and sum. */
static int32_t fused(hd_simt_encoder *e, const hd_simt_scalar *s, int32_t x, int32_t y, int32_t z) {
  if (s->kind == HD_SIMT_F32) return hd_simt_emit(e, HD_SIMT_fma_f32, x, y, z);
  x = widen_to_f64(e, s, x);
  y = widen_to_f64(e, s, y);
  z = widen_to_f64(e, s, z);
  return narrow_f64(e, s, hd_simt_emit(e, HD_SIMT_fma_f64, x, y, z));
}

static int32_t compare_floats(hd_simt_encoder *e, int64_t predicate, const hd_simt_scalar *s, int32_t x, int32_t y) {
  bool wide = s->kind == HD_SIMT_F64;
  if (predicate == 0 || predicate == 15) return hd_simt_constant_of(e, 1, predicate != 0);
  x = widen(e, s, x);
  y = widen(e, s, y);
  switch (predicate) { /* false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true */
    case 1:
      return EMIT2(FLOATING(oeq, wide), x, y);
    case 2:
      return EMIT2(FLOATING(olt, wide), y, x);
    case 3:
      return EMIT2(FLOATING(ole, wide), y, x);
    case 4:
      return EMIT2(FLOATING(olt, wide), x, y);
    case 5:
      return EMIT2(FLOATING(ole, wide), x, y);
    case 6:
      return EMIT2(FLOATING(one, wide), x, y);
    case 7:
      return EMIT2(FLOATING(ord, wide), x, y);
    case 8:
      return EMIT2(FLOATING(ueq, wide), x, y);
    case 9:
      return EMIT2(FLOATING(ult, wide), y, x);
    case 10:
      return EMIT2(FLOATING(ule, wide), y, x);
    case 11:
      return EMIT2(FLOATING(ult, wide), x, y);
    case 12:
      return EMIT2(FLOATING(ule, wide), x, y);
    case 13:
      return EMIT2(FLOATING(une, wide), x, y);
    default:
      return EMIT2(FLOATING(uno, wide), x, y);
  }
}

/* ---- conversions ---- */

static int32_t resize(hd_simt_encoder *e, int32_t x, const hd_simt_scalar *from, const hd_simt_scalar *to,
                      bool is_signed) {
  if (is_signed) x = hd_simt_sign_extend(e, x, from->bits);
  if (from->slots < to->slots) x = EMIT1(is_signed ? HD_SIMT_sext32_64 : HD_SIMT_zext32_64, x);
  if (from->slots > to->slots) x = EMIT1(HD_SIMT_trunc64_32, x);
  return is_signed || to->bits < from->bits ? hd_simt_zero_extend(e, x, to->bits) : x;
}

static int32_t float_of_integer(hd_simt_encoder *e, int32_t x, const hd_simt_scalar *from, const hd_simt_scalar *to,
                                bool is_signed) {
  bool is_half = to->bits == 16, wide = to->kind == HD_SIMT_F64;
  if (is_signed) x = hd_simt_sign_extend(e, x, from->bits);
  if (from->slots == 1) {
    if (!is_half && !wide) return EMIT1(is_signed ? HD_SIMT_s32_f32 : HD_SIMT_u32_f32, x);
    return narrow_f64(e, to, EMIT1(is_signed ? HD_SIMT_s32_f64 : HD_SIMT_u32_f64, x)); /* f64 is exact */
  }
  if (is_half) return narrow_f64(e, to, EMIT1(is_signed ? HD_SIMT_s64_f64_odd : HD_SIMT_u64_f64_odd, x));
  if (wide) return EMIT1(is_signed ? HD_SIMT_s64_f64 : HD_SIMT_u64_f64, x);
  return EMIT1(is_signed ? HD_SIMT_s64_f32 : HD_SIMT_u64_f32, x);
}

static int32_t integer_of_float(hd_simt_encoder *e, int32_t x, const hd_simt_scalar *from, const hd_simt_scalar *to,
                                bool is_signed) {
  x = hd_simt_emit_x(e, is_signed ? HD_SIMT_f64_s64 : HD_SIMT_f64_u64, widen_to_f64(e, from, x), to->bits);
  return to->slots == 1 ? EMIT1(HD_SIMT_trunc64_32, x) : x;
}

static int32_t resize_float(hd_simt_encoder *e, int32_t x, const hd_simt_scalar *from, const hd_simt_scalar *to) {
  if (from->kind == to->kind) return x;
  if (from->kind == HD_SIMT_F64) return narrow_f64(e, to, x);
  x = widen(e, from, x);
  return to->kind == HD_SIMT_F64 ? EMIT1(HD_SIMT_f32_f64, x) : narrow(e, to, x);
}

/* ---- constants and elements ---- */

static uint64_t low_bits(uint64_t bits, uint32_t width) { return width >= 64 ? bits : bits & ((1ull << width) - 1); }

static bool constant(hd_simt_encoder *e, hd_op *op, const hd_simt_scalar *s, uint32_t count) {
  hd_attr value = hd_llvm_mlir_constant_value(op);
  hd_simt_parts *parts = hd_simt_new_parts(e, count);
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    if (hd_attr_is(value, HD_ATTR_INTEGER) && count == 1)
      bits = (uint64_t)value->integer;
    else if (hd_attr_is(value, HD_ATTR_FLOAT) && count == 1)
      memcpy(&bits, &value->floating.bits, s->bytes);
    else if (hd_attr_is(value, HD_ATTR_DENSE) && s->bytes)
      memcpy(&bits, hd_attr_element_data(value, i), s->bytes);
    else
      return hd_simt_fail(e, op, "expected a number or a dense vector");
    parts->at[i] = hd_simt_constant_of(e, s->slots, low_bits(bits, s->bits));
  }
  return hd_simt_give(e, op, 0, parts);
}

static bool zeros(hd_simt_encoder *e, hd_op *op, const hd_simt_scalar *s, uint32_t count) {
  hd_simt_parts *parts = hd_simt_new_parts(e, count);
  for (uint32_t i = 0; i < count; ++i) parts->at[i] = hd_simt_constant_of(e, s->slots, 0);
  return hd_simt_give(e, op, 0, parts);
}

static bool undefined(hd_simt_encoder *e, hd_op *op, const hd_simt_scalar *s, uint32_t count) {
  hd_simt_parts *parts = hd_simt_new_parts(e, count);
  int32_t one = hd_simt_undefined_of(e, s->slots);
  for (uint32_t i = 0; i < count; ++i) parts->at[i] = one;
  return hd_simt_give(e, op, 0, parts);
}

static int32_t select_one(hd_simt_encoder *e, int32_t condition, int32_t x, int32_t y) {
  return hd_simt_emit(e, e->registers.data[x].slots == 2 ? HD_SIMT_select64 : HD_SIMT_select32, condition, x, y);
}

/* Is |position|, a register, element |i|? */
static int32_t is_element(hd_simt_encoder *e, int32_t position, uint32_t i) {
  uint32_t slots = e->registers.data[position].slots;
  return EMIT2(slots == 2 ? HD_SIMT_eq64 : HD_SIMT_eq32, position, hd_simt_constant_of(e, slots, i));
}

static bool extract_element(hd_simt_encoder *e, hd_op *op) {
  hd_simt_parts *vector = hd_simt_operand(e, op, 0);
  int32_t position = hd_simt_operand(e, op, 1)->at[0];
  const hd_simt_register *known = &e->registers.data[position];
  if (known->is_constant)
    return known->bits < vector->count ? hd_simt_give_one(e, op, vector->at[known->bits])
                                       : hd_simt_fail(e, op, "takes an element that is not there");
  int32_t made = vector->at[0];
  for (uint32_t i = 1; i < vector->count; ++i) made = select_one(e, is_element(e, position, i), vector->at[i], made);
  return hd_simt_give_one(e, op, made);
}

static bool insert_element(hd_simt_encoder *e, hd_op *op) {
  hd_simt_parts *vector = hd_simt_operand(e, op, 0), *made = hd_simt_new_parts(e, vector->count);
  int32_t value = hd_simt_operand(e, op, 1)->at[0], position = hd_simt_operand(e, op, 2)->at[0];
  bool known = e->registers.data[position].is_constant;
  uint64_t at = e->registers.data[position].bits;
  if (known && at >= vector->count) return hd_simt_fail(e, op, "puts an element that is not there");
  for (uint32_t i = 0; i < vector->count; ++i)
    made->at[i] = known && i == at ? value
                  : known          ? vector->at[i]
                                   : select_one(e, is_element(e, position, i), value, vector->at[i]);
  return hd_simt_give(e, op, 0, made);
}

/* Of the struct that cmpxchg gives: its members are parts. */
static bool extract_value(hd_simt_encoder *e, hd_op *op) {
  hd_attr position = hd_llvm_extractvalue_position(op);
  hd_simt_parts *parts = hd_simt_operand(e, op, 0);
  int64_t at = hd_attr_count(position) == 1 ? hd_attr_int_at(position, 0) : -1;
  if (at < 0 || at >= parts->count) return hd_simt_fail(e, op, "takes no member of a struct");
  return hd_simt_give_one(e, op, parts->at[at]);
}

/* ---- one op ---- */

/* One part of |op|'s result from parts of its operands; NO_REGISTER: not an op on numbers. */
static int32_t lower_part(hd_simt_encoder *e, hd_op *op, const hd_simt_scalar *in, const hd_simt_scalar *out,
                          const int32_t *x) {
  switch (hd_opcode_get(op)) {
#define INTEGER(opcode, code, flags) PART(opcode, integer(e, SIZED(code, in), flags, in, x[0], x[1]))
#define FLOAT(opcode, code, operands) \
  PART(opcode, floating(e, FLOATING(code, in->kind == HD_SIMT_F64), operands, in, x[0], x[1]))
#define PART(opcode, call) \
  case HD_OP_##opcode:     \
    return call;
#include "target/simt/lower.def"
    default:
      return NONE;
  }
}

static const bool is_on_numbers[HD_OPCODE_COUNT] = {
#define WHOLE(opcode, call) [HD_OP_##opcode] = true,
#define INTEGER(opcode, code, flags) [HD_OP_##opcode] = true,
#define FLOAT(opcode, code, operands) [HD_OP_##opcode] = true,
#define PART(opcode, call) [HD_OP_##opcode] = true,
#include "target/simt/lower.def"
};

int hd_simt_lower_numbers(hd_simt_encoder *e, hd_op *op) {
  hd_simt_scalar in = {0}, out;
  uint32_t count, in_count = 1;
  if (!is_on_numbers[hd_opcode_get(op)] || op->result_count != 1 || op->operand_count > 3) return 0;
  if (!hd_simt_scalar_of(e, op, hd_result_type(op, 0), &out, &count)) return -1;
  switch (hd_opcode_get(op)) {
#define WHOLE(opcode, call) \
  case HD_OP_##opcode:      \
    return call ? 1 : -1;
#include "target/simt/lower.def"
    default:
      break;
  }
  if (!op->operand_count || !hd_simt_scalar_of(e, op, hd_operand_type(op, 0), &in, &in_count))
    return op->operand_count ? -1 : 0;
  hd_simt_parts *made = hd_simt_new_parts(e, count);
  for (uint32_t i = 0; i < count; ++i) {
    int32_t x[3] = {NONE, NONE, NONE};
    for (uint32_t k = 0; k < op->operand_count; ++k) {
      hd_simt_parts *parts = hd_simt_operand(e, op, k);
      if (parts->count != count && parts->count != 1) return 0;
      x[k] = parts->at[parts->count == 1 ? 0 : i];
    }
    if ((made->at[i] = lower_part(e, op, &in, &out, x)) == NONE) return 0;
  }
  hd_simt_give(e, op, 0, made);
  return 1;
}
