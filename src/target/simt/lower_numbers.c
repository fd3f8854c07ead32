/* SPDX-License-Identifier: Apache-2.0 */
/* Ops on integers, floats and vectors of them, part by part. Integers of any width lie zero-extended in 32 or 64 bits; floats of 16 bits
 * are computed in f32, which rounds them as they would be: it has more than twice their digits. */
#include "ir/ops/llvm.h"
#include "target/simt/encoder.h"

#define NONE HD_SIMT_NO_REGISTER
#define EMIT2(op, a, b) hd_simt_emit(e, op, a, b, NONE)
#define EMIT1(op, a) hd_simt_emit(e, op, a, NONE, NONE)
/* |name| of 32 or 64 bits, as |s| says. */
#define SIZED(name, s) ((s)->slots == 2 ? HD_SIMT_##name##64 : HD_SIMT_##name##32)
#define FLOATING(name, is_wide) ((is_wide) ? HD_SIMT_##name##_f64 : HD_SIMT_##name##_f32)

/* ---- integers ---- */

enum { SIGNED_X = 1, SIGNED_Y = 2, WRAPS = 4 };

typedef struct integer_row {
  hd_opcode op;
  hd_simt_opcode narrow, wide;
  int flags;
} integer_row;

static const integer_row integer_rows[] = {
#define INT(name, code, flags) {HD_OP_llvm_##name, HD_SIMT_##code##32, HD_SIMT_##code##64, flags},
    INT(add, add, WRAPS) INT(sub, sub, WRAPS) INT(mul, mul, WRAPS) INT(sdiv, sdiv, SIGNED_X | SIGNED_Y | WRAPS)
        INT(udiv, udiv, 0) INT(srem, srem, SIGNED_X | SIGNED_Y | WRAPS) INT(urem, urem, 0) INT(and, and, 0)
            INT(or, or, 0) INT(xor, xor, 0) INT(shl, shl, WRAPS) INT(lshr, lshr, 0) INT(ashr, ashr, SIGNED_X | WRAPS)
                INT(intr_smax, smax, SIGNED_X | SIGNED_Y | WRAPS) INT(intr_smin, smin, SIGNED_X | SIGNED_Y | WRAPS)
                    INT(intr_umax, umax, 0) INT(intr_umin, umin, 0)
#undef INT
};

static int32_t integer(hd_simt_encoder *e, const integer_row *row, const hd_simt_scalar *s, int32_t x, int32_t y) {
  if (row->flags & SIGNED_X) x = hd_simt_sign_extend(e, x, s->bits);
  if (row->flags & SIGNED_Y) y = hd_simt_sign_extend(e, y, s->bits);
  int32_t made = EMIT2(s->slots == 2 ? row->wide : row->narrow, x, y);
  return row->flags & WRAPS ? hd_simt_zero_extend(e, made, s->bits) : made;
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

static int32_t bit_count(hd_simt_encoder *e, hd_opcode opcode, const hd_simt_scalar *s, int32_t x) {
  uint32_t whole = 32 * s->slots;
  switch (opcode) {
    case HD_OP_llvm_intr_ctlz:
      x = EMIT1(SIZED(ctlz, s), x);
      return s->bits == whole ? x : EMIT2(SIZED(sub, s), x, hd_simt_constant_of(e, s->slots, whole - s->bits));
    case HD_OP_llvm_intr_cttz: /* no further than the width */
      if (s->bits != whole) x = EMIT2(SIZED(or, s), x, hd_simt_constant_of(e, s->slots, 1ull << s->bits));
      return EMIT1(SIZED(cttz, s), x);
    case HD_OP_llvm_intr_ctpop:
      return EMIT1(SIZED(ctpop, s), x);
    default:
      return hd_simt_zero_extend(e, EMIT1(SIZED(abs, s), hd_simt_sign_extend(e, x, s->bits)), s->bits);
  }
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

typedef struct float_row {
  hd_opcode op;
  hd_simt_opcode f32, f64;
  int operands;
} float_row;

static const float_row float_rows[] = {
#define FLT(name, code, operands) {HD_OP_llvm_##name, HD_SIMT_##code##_f32, HD_SIMT_##code##_f64, operands},
    FLT(fadd, add, 2) FLT(fsub, sub, 2) FLT(fmul, mul, 2) FLT(fdiv, div, 2) FLT(frem, rem, 2) FLT(fneg, neg, 1)
        FLT(intr_maximum, maximum, 2) FLT(intr_minimum, minimum, 2) FLT(intr_maxnum, maxnum, 2)
            FLT(intr_minnum, minnum, 2) FLT(intr_copysign, copysign, 2) FLT(intr_fabs, abs, 1) FLT(intr_sqrt, sqrt, 1)
                FLT(intr_ceil, ceil, 1) FLT(intr_floor, floor, 1) FLT(intr_trunc, trunc, 1) FLT(intr_round, round, 1)
                    FLT(intr_roundeven, roundeven, 1)
#undef FLT
};

static int32_t floating(hd_simt_encoder *e, const float_row *row, const hd_simt_scalar *s, int32_t x, int32_t y) {
  x = widen(e, s, x);
  if (row->operands == 2) y = widen(e, s, y);
  return narrow(e, s, EMIT2(s->kind == HD_SIMT_F64 ? row->f64 : row->f32, x, y));
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

/* NO_REGISTER: |opcode| is no conversion. */
static int32_t convert(hd_simt_encoder *e, hd_opcode opcode, int32_t x, const hd_simt_scalar *from,
                       const hd_simt_scalar *to) {
  switch (opcode) {
    case HD_OP_llvm_trunc:
    case HD_OP_llvm_zext:
    case HD_OP_llvm_inttoptr:
    case HD_OP_llvm_ptrtoint:
    case HD_OP_arith_index_castui:
      return resize(e, x, from, to, false);
    case HD_OP_llvm_sext:
      return resize(e, x, from, to, true);
    case HD_OP_llvm_fpext:
    case HD_OP_llvm_fptrunc:
      return resize_float(e, x, from, to);
    case HD_OP_llvm_sitofp:
    case HD_OP_llvm_uitofp:
      return float_of_integer(e, x, from, to, opcode == HD_OP_llvm_sitofp);
    case HD_OP_llvm_fptosi:
    case HD_OP_llvm_fptoui:
      return integer_of_float(e, x, from, to, opcode == HD_OP_llvm_fptosi);
    case HD_OP_llvm_bitcast:
      return from->bits == to->bits ? x : NONE;
    case HD_OP_llvm_addrspacecast:
      return x;
    default:
      return NONE;
  }
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
  hd_opcode opcode = hd_opcode_get(op);
  for (size_t i = 0; i < sizeof integer_rows / sizeof *integer_rows; ++i)
    if (integer_rows[i].op == opcode) return integer(e, &integer_rows[i], in, x[0], x[1]);
  for (size_t i = 0; i < sizeof float_rows / sizeof *float_rows; ++i)
    if (float_rows[i].op == opcode) return floating(e, &float_rows[i], in, x[0], x[1]);
  switch (opcode) {
    case HD_OP_llvm_intr_fma:
      return fused(e, in, x[0], x[1], x[2]);
    case HD_OP_llvm_intr_abs:
    case HD_OP_llvm_intr_ctlz:
    case HD_OP_llvm_intr_cttz:
    case HD_OP_llvm_intr_ctpop:
      return bit_count(e, opcode, in, x[0]);
    case HD_OP_llvm_icmp:
      return compare_integers(e, hd_attr_int_or(hd_llvm_icmp_predicate_attr(op), 0), in, x[0], x[1]);
    case HD_OP_llvm_fcmp:
      return compare_floats(e, hd_attr_int_or(hd_llvm_fcmp_predicate_attr(op), 0), in, x[0], x[1]);
    case HD_OP_llvm_intr_exp2: /* of f32 alone: what a device approximates, rounded correctly */
      return in->kind == HD_SIMT_F32 ? EMIT1(HD_SIMT_exp2_f32, x[0]) : NONE;
    case HD_OP_llvm_intr_tanh:
      return in->kind == HD_SIMT_F32 ? EMIT1(HD_SIMT_tanh_f32, x[0]) : NONE;
    case HD_OP_llvm_select:
      return select_one(e, x[0], x[1], x[2]);
    case HD_OP_llvm_freeze:
      return EMIT1(in->slots == 2 ? HD_SIMT_freeze64 : HD_SIMT_freeze32, x[0]);
    default:
      return convert(e, opcode, x[0], in, out);
  }
}

int hd_simt_lower_numbers(hd_simt_encoder *e, hd_op *op) {
  hd_simt_scalar in = {0}, out;
  uint32_t count, in_count = 1;
  hd_opcode opcode = hd_opcode_get(op);
  if (opcode == HD_OP_llvm_extractvalue) return extract_value(e, op) ? 1 : -1;
  if (op->result_count != 1 || op->operand_count > 3) return 0;
  if (opcode == HD_OP_llvm_cmpxchg || opcode == HD_OP_llvm_load || opcode == HD_OP_llvm_getelementptr) return 0;
  if (!hd_simt_scalar_of(e, op, hd_result_type(op, 0), &out, &count)) return -1;
  switch (opcode) {
    case HD_OP_llvm_mlir_constant:
      return constant(e, op, &out, count) ? 1 : -1;
    case HD_OP_llvm_mlir_poison:
    case HD_OP_llvm_mlir_undef:
      return undefined(e, op, &out, count) ? 1 : -1;
    case HD_OP_llvm_mlir_zero:
      return zeros(e, op, &out, count) ? 1 : -1;
    case HD_OP_llvm_extractelement:
      return extract_element(e, op) ? 1 : -1;
    case HD_OP_llvm_insertelement:
      return insert_element(e, op) ? 1 : -1;
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
