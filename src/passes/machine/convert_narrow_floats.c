/* SPDX-License-Identifier: Apache-2.0 */
/* Floats of 8, 6 and 4 bits, which no device computes in: a byte in memory and in registers, and integer code to and
 * from f32. A conversion rounds once, to nearest even: f64 goes by way of f32 rounded to odd, which keeps what the
 * second rounding must know. */
#include "passes/machine/converter.h"

typedef struct emitter {
  hd_converter *c;
  hd_type ints, floats; /* i32 and f32, or vectors of them */
} emitter;

static hd_type like(hd_type type, hd_type element) {
  return type->kind == HD_TYPE_VECTOR ? hd_type_with_element(type, element) : element;
}

static emitter emitter_of(hd_converter *c, hd_type type) {
  return (emitter){c, like(type, hd_type_integer(c->context, 32, HD_SIGNLESS)),
                   like(type, hd_type_float(c->context, HD_F32))};
}

static hd_value *number(emitter *e, uint64_t value) { return hd_machine_int(e->c, e->ints, (int64_t)value); }
static hd_value *op(emitter *e, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_machine_binary(e->c, opcode, x, y);
}
static hd_value *op_n(emitter *e, hd_opcode opcode, hd_value *x, uint64_t y) {
  return op(e, opcode, x, hd_machine_int(e->c, x->type, (int64_t)y));
}
static hd_value *compare(emitter *e, hd_enum_llvm_icmp_predicate predicate, hd_value *x, uint64_t y) {
  return hd_machine_icmp(e->c, predicate, x, hd_machine_int(e->c, x->type, (int64_t)y));
}
static hd_value *choose(emitter *e, hd_value *condition, hd_value *x, hd_value *y) {
  return hd_build(&e->c->b, HD_OP_llvm_select, x->type, condition, x, y);
}
static hd_value *as(emitter *e, hd_type type, hd_value *x) { return hd_build(&e->c->b, HD_OP_llvm_bitcast, type, x); }

/* 2^exponent as the bits of an f32. */
static uint64_t power_of_two(int exponent) {
  return exponent > -127 ? (uint64_t)(exponent + 127) << 23 : 1ull << (149 + exponent);
}

bool hd_machine_is_small_float(hd_type type) {
  hd_type element = hd_type_element(type);
  return element->kind == HD_TYPE_FLOAT && hd_float_formats[element->float_kind].bits <= 8;
}

/* ---- to f32 ---- */

static hd_value *widen_e8m0(emitter *e, hd_value *x) {
  hd_value *bits = op_n(e, HD_OP_llvm_shl, x, 23);
  bits = choose(e, compare(e, HD_LLVM_ICMP_EQ, x, 0), number(e, 0x400000), bits);
  return choose(e, compare(e, HD_LLVM_ICMP_EQ, x, 0xFF), number(e, 0x7FC00000), bits);
}

/* The bits of the f32. The magnitude read as one is too small by 2^(127 - bias), subnormals as well; the product is
 * exact. */
static hd_value *widen_bits(emitter *e, const hd_float_format *f, hd_value *x) {
  int magnitude_bits = f->exponent_bits + f->mantissa_bits;
  uint64_t sign_bit = 1ull << magnitude_bits, all = sign_bit - 1,
           top = ((1ull << f->exponent_bits) - 1) << f->mantissa_bits;
  hd_value *magnitude = op_n(e, HD_OP_llvm_and, x, all),
           *shifted = op_n(e, HD_OP_llvm_shl, magnitude, (uint64_t)(23 - f->mantissa_bits));
  hd_value *scale = as(e, e->floats, number(e, power_of_two(127 - f->bias)));
  hd_value *bits = as(e, e->ints, op(e, HD_OP_llvm_fmul, as(e, e->floats, shifted), scale));
  if (f->special == HD_FLOAT_IEEE)
    bits = choose(e, compare(e, HD_LLVM_ICMP_UGE, magnitude, top), op_n(e, HD_OP_llvm_or, shifted, 0x7F800000), bits);
  if (f->special == HD_FLOAT_FN)
    bits = choose(e, compare(e, HD_LLVM_ICMP_EQ, magnitude, all), number(e, 0x7FC00000), bits);
  hd_value *sign = op_n(e, HD_OP_llvm_shl, op_n(e, HD_OP_llvm_and, x, sign_bit), (uint64_t)(31 - magnitude_bits));
  bits = op(e, HD_OP_llvm_or, bits, sign);
  if (f->special == HD_FLOAT_FNUZ)
    bits = choose(e, compare(e, HD_LLVM_ICMP_EQ, x, sign_bit), number(e, 0x7FC00000), bits);
  return bits;
}

static hd_value *widen(emitter *e, hd_float_kind kind, hd_value *value) {
  const hd_float_format *f = &hd_float_formats[kind];
  hd_value *x = hd_machine_resize(e->c, value, e->ints, false);
  return as(e, e->floats, f->special == HD_FLOAT_E8M0 ? widen_e8m0(e, x) : widen_bits(e, f, x));
}

/* ---- from f32 ---- */

/* (x + half - 1 + odd) >> shift: to nearest, ties to even */
static hd_value *round_shift(emitter *e, hd_value *x, int shift) {
  hd_value *odd = op_n(e, HD_OP_llvm_and, op_n(e, HD_OP_llvm_lshr, x, (uint64_t)shift), 1);
  hd_value *biased = op(e, HD_OP_llvm_add, op_n(e, HD_OP_llvm_add, x, (1ull << (shift - 1)) - 1), odd);
  return op_n(e, HD_OP_llvm_lshr, biased, (uint64_t)shift);
}

/* The significand is always 1, never even: ties go up. Below 2^-126 the neighbours are 2^-127, pattern 0, which answers
 * for all below it too, and 2^-126. Negative numbers and what is too large are NaN, zeros of both signs pattern 0. */
static hd_value *narrow_e8m0(emitter *e, hd_value *bits) {
  hd_value *up = hd_build(&e->c->b, HD_OP_llvm_zext, e->ints, compare(e, HD_LLVM_ICMP_UGE, bits, 0x600000));
  hd_value *normal = op_n(e, HD_OP_llvm_lshr, op_n(e, HD_OP_llvm_add, bits, 0x400000), 23);
  hd_value *rounded = choose(e, compare(e, HD_LLVM_ICMP_ULT, bits, 0x800000), up, normal);
  hd_value *bad =
      op(e, HD_OP_llvm_or, compare(e, HD_LLVM_ICMP_UGE, rounded, 0xFF), compare(e, HD_LLVM_ICMP_UGT, bits, 0x80000000));
  rounded = choose(e, bad, number(e, 0xFF), rounded);
  return choose(e, compare(e, HD_LLVM_ICMP_EQ, bits, 0x80000000), number(e, 0), rounded);
}

/* The pattern of |magnitude|, an f32 without its sign. Normal results: the exponent rebiased, the mantissa rounded;
 * subnormal ones:
 * added to a number whose unit is the smallest subnormal, the machine rounds. */
static hd_value *round_magnitude(emitter *e, const hd_float_format *f, hd_value *magnitude) {
  hd_value *rebiased = op_n(e, HD_OP_llvm_sub, magnitude, (uint64_t)(127 - f->bias) << 23);
  hd_value *normal = round_shift(e, rebiased, 23 - f->mantissa_bits);
  uint64_t magic = power_of_two(1 - f->bias - f->mantissa_bits + 23);
  hd_value *sum = op(e, HD_OP_llvm_fadd, as(e, e->floats, magnitude), as(e, e->floats, number(e, magic)));
  hd_value *subnormal = op_n(e, HD_OP_llvm_sub, as(e, e->ints, sum), magic);
  return choose(e, compare(e, HD_LLVM_ICMP_ULT, magnitude, (uint64_t)(128 - f->bias) << 23), subnormal, normal);
}

static hd_value *narrow_bits(emitter *e, const hd_float_format *f, hd_value *bits) {
  int magnitude_bits = f->exponent_bits + f->mantissa_bits;
  uint64_t sign_bit = 1ull << magnitude_bits, all = sign_bit - 1,
           top = ((1ull << f->exponent_bits) - 1) << f->mantissa_bits;
  bool ieee = f->special == HD_FLOAT_IEEE, fnuz = f->special == HD_FLOAT_FNUZ;
  uint64_t largest = ieee ? top - 1 : f->special == HD_FLOAT_FN ? all - 1 : all;
  uint64_t overflow = ieee ? top : fnuz ? sign_bit : all;
  uint64_t quiet = ieee ? top | 1ull << (f->mantissa_bits - 1) : fnuz ? sign_bit : all;
  hd_value *magnitude = op_n(e, HD_OP_llvm_and, bits, 0x7FFFFFFF), *rounded = round_magnitude(e, f, magnitude);
  rounded = choose(e, compare(e, HD_LLVM_ICMP_UGT, rounded, largest), number(e, overflow), rounded);
  hd_value *is_nan = compare(e, HD_LLVM_ICMP_UGT, magnitude, 0x7F800000), *nan = number(e, quiet);
  hd_value *sign = op_n(e, HD_OP_llvm_and, op_n(e, HD_OP_llvm_lshr, bits, (uint64_t)(31 - magnitude_bits)), sign_bit);
  if (ieee) {
    hd_value *payload = op_n(e, HD_OP_llvm_lshr, magnitude, (uint64_t)(23 - f->mantissa_bits));
    nan = op(e, HD_OP_llvm_or, nan, op_n(e, HD_OP_llvm_and, payload, (1ull << f->mantissa_bits) - 1));
  }
  if (fnuz) /* the pattern of -0 is NaN, which has no sign */
    sign = choose(e, compare(e, HD_LLVM_ICMP_EQ, rounded, 0), number(e, 0), sign);
  if (fnuz || f->special == HD_FLOAT_FINITE_NO_NAN) return choose(e, is_nan, nan, op(e, HD_OP_llvm_or, rounded, sign));
  return op(e, HD_OP_llvm_or, choose(e, is_nan, nan, rounded), sign);
}

static hd_value *narrow(emitter *e, hd_float_kind kind, hd_value *value) {
  const hd_float_format *f = &hd_float_formats[kind];
  hd_value *bits = as(e, e->ints, value);
  bits = f->special == HD_FLOAT_E8M0 ? narrow_e8m0(e, bits) : narrow_bits(e, f, bits);
  return hd_machine_resize(e->c, bits, like(e->ints, hd_type_integer(e->c->context, 8, HD_SIGNLESS)), false);
}

/* f64 -> f32 rounded to odd: an inexact result takes the neighbour whose last bit is 1. */
static hd_value *truncate_to_odd(emitter *e, hd_value *value) {
  hd_builder *b = &e->c->b;
  hd_value *near = hd_build(b, HD_OP_llvm_fptrunc, e->floats, value);
  hd_value *back = hd_build(b, HD_OP_llvm_intr_fabs, value->type, hd_build(b, HD_OP_llvm_fpext, value->type, near));
  hd_value *exact = hd_build(b, HD_OP_llvm_intr_fabs, value->type, value), *bits = as(e, e->ints, near);
  hd_value *even = compare(e, HD_LLVM_ICMP_EQ, op_n(e, HD_OP_llvm_and, bits, 1), 0);
  static const hd_enum_llvm_fcmp_predicate sides[] = {HD_LLVM_FCMP_OGT, HD_LLVM_FCMP_OLT};
  for (int i = 0; i < 2; ++i) {
    hd_attr_arg attrs[] = {{HD_NAME_predicate, hd_attr_of_llvm_fcmp_predicate(e->c->context, sides[i])}};
    hd_value *off = hd_build_one_(b, HD_OP_llvm_fcmp, even->type, (hd_value *[]){exact, back}, 2, attrs, 1);
    hd_value *one = hd_build(b, HD_OP_llvm_zext, e->ints, op(e, HD_OP_llvm_and, even, off));
    bits = op(e, i ? HD_OP_llvm_sub : HD_OP_llvm_add, bits, one);
  }
  return as(e, e->floats, bits);
}

hd_value *hd_machine_convert_float(hd_converter *c, hd_value *value, hd_float_kind from, hd_float_kind to) {
  emitter e = emitter_of(c, value->type);
  hd_type result = like(value->type, hd_type_float(c->context, to));
  bool widens = hd_float_formats[from].bits <= 8, narrows = hd_float_formats[to].bits <= 8;
  if (from == to) return value;
  if (widens) value = widen(&e, from, value);
  if (narrows && from == HD_F64) return narrow(&e, to, truncate_to_odd(&e, value));
  if (narrows && !widens && from != HD_F32) value = hd_build(&c->b, HD_OP_llvm_fpext, e.floats, value);
  if (narrows) return narrow(&e, to, value);
  if (to == HD_F32) return value;
  return hd_build(&c->b, to == HD_F64 ? HD_OP_llvm_fpext : HD_OP_llvm_fptrunc, result, value);
}

/* An integer of 64 bits with its low ones as one sticky bit, so that f64 holds what rounding must know. */
static hd_value *sticky(emitter *e, hd_value *x, bool is_signed) {
  hd_attr_arg attrs[] = {{HD_NAME_is_int_min_poison, hd_attr_bool(e->c->context, false)}};
  hd_value *magnitude = is_signed ? hd_build_one_(&e->c->b, HD_OP_llvm_intr_abs, x->type, &x, 1, attrs, 1) : x;
  hd_value *low = compare(e, HD_LLVM_ICMP_NE, op_n(e, HD_OP_llvm_and, x, 0x7FF), 0);
  hd_value *bit = op_n(e, HD_OP_llvm_shl, hd_build(&e->c->b, HD_OP_llvm_zext, x->type, low), 11);
  hd_value *rounded = op_n(e, HD_OP_llvm_and, op(e, HD_OP_llvm_or, x, bit), ~0x7FFull);
  return choose(e, compare(e, HD_LLVM_ICMP_UGE, magnitude, 1ull << 53), rounded, x);
}

hd_value *hd_machine_narrow_of_int(hd_converter *c, hd_value *value, bool is_signed, hd_float_kind to) {
  emitter e = emitter_of(c, value->type);
  uint32_t width = hd_type_bits(hd_type_element(value->type));
  hd_float_kind by = width > 16 ? HD_F64 : HD_F32; /* in which it is exact, but for sticky bits */
  if (width > 53) value = sticky(&e, value, is_signed);
  hd_type type = like(value->type, hd_type_float(c->context, by));
  value = hd_build(&c->b, is_signed ? HD_OP_llvm_sitofp : HD_OP_llvm_uitofp, type, value);
  return hd_machine_convert_float(c, value, by, to);
}
