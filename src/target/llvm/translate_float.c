/* SPDX-License-Identifier: Apache-2.0 */
/* Float arithmetic and conversions.
 *
 * The machine computes in f32 and f64. Every other format is a pattern (f16 is LLVM's half, for its conversions alone):
 * an op widens to f32, computes and rounds once. That is the correctly rounded result for + - * / sqrt, since 24 bits
 * are at least twice the bits of each small format and two. f64 goes to a small format by way of f32 rounded to odd,
 * which keeps what the second rounding must know; so no conversion rounds twice. All of it is integer code, so that
 * bf16 keeps its subnormals, which the AVX-512 conversion would flush. */
#include "ir/number.h"
#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"
#include "target/llvm/predicates.h"
#include "target/llvm/translate.h"

static LLVMTypeRef i32_like(hd_lower *l, LLVMValueRef value) { return hd_lower_like(LLVMTypeOf(value), l->i32); }
static LLVMTypeRef f32_like(hd_lower *l, LLVMValueRef value) { return hd_lower_like(LLVMTypeOf(value), l->f32); }
static LLVMTypeRef f64_like(hd_lower *l, LLVMValueRef value) { return hd_lower_like(LLVMTypeOf(value), l->f64); }

/* 2^exponent as f32 */
static LLVMValueRef power_of_two(hd_lower *l, LLVMTypeRef type, int exponent) {
  return hd_lower_float_bits(l, type, exponent > -127 ? (uint64_t)(exponent + 127) << 23 : 1ull << (149 + exponent));
}

LLVMValueRef hd_lower_widen(hd_lower *l, hd_float_kind kind, LLVMValueRef value) {
  LLVMBuilderRef b = l->builder;
  const hd_float_format *f = &hd_float_formats[kind];
  LLVMTypeRef floats = f32_like(l, value), ints = i32_like(l, value);
  if (kind == HD_F32) return value;
  if (kind == HD_F64) return LLVMBuildFPTrunc(b, value, floats, "");
  if (kind == HD_F16) return LLVMBuildFPExt(b, value, floats, "");
  LLVMValueRef x = LLVMBuildZExt(b, value, ints, "");
  if (kind == HD_BF16) return LLVMBuildBitCast(b, LLVMBuildShl(b, x, hd_lower_int(ints, 16), ""), floats, "");
  if (f->special == HD_FLOAT_E8M0) {
    LLVMValueRef bits = LLVMBuildShl(b, x, hd_lower_int(ints, 23), "");
    bits = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntEQ, x, hd_lower_int(ints, 0), ""), hd_lower_int(ints, 0x400000),
                           bits, "");
    bits = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntEQ, x, hd_lower_int(ints, 0xFF), ""),
                           hd_lower_int(ints, 0x7FC00000), bits, "");
    return LLVMBuildBitCast(b, bits, floats, "");
  }
  /* The magnitude read as f32 is too small by 2^(127 - bias), subnormals as well; the product is exact. */
  int magnitude_bits = f->exponent_bits + f->mantissa_bits;
  LLVMValueRef magnitude = LLVMBuildAnd(b, x, hd_lower_int(ints, (1ull << magnitude_bits) - 1), "");
  LLVMValueRef shifted = LLVMBuildShl(b, magnitude, hd_lower_int(ints, (uint64_t)(23 - f->mantissa_bits)), "");
  LLVMValueRef scaled =
      LLVMBuildFMul(b, LLVMBuildBitCast(b, shifted, floats, ""), power_of_two(l, floats, 127 - f->bias), "");
  LLVMValueRef bits = LLVMBuildBitCast(b, scaled, ints, "");
  uint64_t all = (1ull << magnitude_bits) - 1, top = ((1ull << f->exponent_bits) - 1) << f->mantissa_bits;
  if (f->special == HD_FLOAT_IEEE) {
    LLVMValueRef special = LLVMBuildICmp(b, LLVMIntUGE, magnitude, hd_lower_int(ints, top), "");
    bits = LLVMBuildSelect(b, special, LLVMBuildOr(b, shifted, hd_lower_int(ints, 0x7F800000), ""), bits, "");
  } else if (f->special == HD_FLOAT_FN) {
    LLVMValueRef special = LLVMBuildICmp(b, LLVMIntEQ, magnitude, hd_lower_int(ints, all), "");
    bits = LLVMBuildSelect(b, special, hd_lower_int(ints, 0x7FC00000), bits, "");
  }
  LLVMValueRef sign = LLVMBuildAnd(b, x, hd_lower_int(ints, 1ull << magnitude_bits), "");
  bits = LLVMBuildOr(b, bits, LLVMBuildShl(b, sign, hd_lower_int(ints, (uint64_t)(31 - magnitude_bits)), ""), "");
  if (f->special == HD_FLOAT_FNUZ) {
    LLVMValueRef special = LLVMBuildICmp(b, LLVMIntEQ, x, hd_lower_int(ints, 1ull << magnitude_bits), "");
    bits = LLVMBuildSelect(b, special, hd_lower_int(ints, 0x7FC00000), bits, "");
  }
  return LLVMBuildBitCast(b, bits, floats, "");
}

/* (x + half - 1 + odd) >> shift : to nearest, ties to even */
static LLVMValueRef round_shift(hd_lower *l, LLVMValueRef x, int shift) {
  LLVMBuilderRef b = l->builder;
  LLVMTypeRef ints = LLVMTypeOf(x);
  LLVMValueRef amount = hd_lower_int(ints, (uint64_t)shift);
  LLVMValueRef odd = LLVMBuildAnd(b, LLVMBuildLShr(b, x, amount, ""), hd_lower_int(ints, 1), "");
  LLVMValueRef biased = LLVMBuildAdd(b, LLVMBuildAdd(b, x, hd_lower_int(ints, (1ull << (shift - 1)) - 1), ""), odd, "");
  return LLVMBuildLShr(b, biased, amount, "");
}

static LLVMValueRef narrow_e8m0(hd_lower *l, LLVMValueRef bits) {
  LLVMBuilderRef b = l->builder;
  LLVMTypeRef ints = LLVMTypeOf(bits);
  /* The significand is always 1, never even: ties go up. Below 2^-126 the neighbours are 2^-127 (pattern 0, also the
   * answer to all below) and 2^-126. */
  LLVMValueRef half = hd_lower_int(ints, 0x400000), amount = hd_lower_int(ints, 23);
  LLVMValueRef rounded = LLVMBuildLShr(b, LLVMBuildAdd(b, bits, half, ""), amount, "");
  LLVMValueRef subnormal = LLVMBuildICmp(b, LLVMIntULT, bits, hd_lower_int(ints, 0x800000), "");
  LLVMValueRef up = LLVMBuildICmp(b, LLVMIntUGE, bits, hd_lower_int(ints, 0x600000), "");
  rounded = LLVMBuildSelect(b, subnormal, LLVMBuildZExt(b, up, ints, ""), rounded, "");
  LLVMValueRef bad = LLVMBuildICmp(b, LLVMIntUGE, rounded, hd_lower_int(ints, 0xFF), "");
  LLVMValueRef negative = LLVMBuildICmp(b, LLVMIntUGT, bits, hd_lower_int(ints, 0x80000000), "");
  bad = LLVMBuildOr(b, bad, negative, "");
  LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, bits, hd_lower_int(ints, 0x80000000), "");
  rounded = LLVMBuildSelect(b, bad, hd_lower_int(ints, 0xFF), rounded, "");
  return LLVMBuildSelect(b, zero, hd_lower_int(ints, 0), rounded, "");
}

LLVMValueRef hd_lower_narrow(hd_lower *l, hd_float_kind kind, LLVMValueRef value) {
  LLVMBuilderRef b = l->builder;
  const hd_float_format *f = &hd_float_formats[kind];
  LLVMTypeRef floats = LLVMTypeOf(value), ints = i32_like(l, value);
  if (kind == HD_F32) return value;
  if (kind == HD_F64) return LLVMBuildFPExt(b, value, f64_like(l, value), "");
  if (kind == HD_F16) return LLVMBuildFPTrunc(b, value, hd_lower_like(floats, l->f16), "");
  LLVMValueRef bits = LLVMBuildBitCast(b, value, ints, "");
  if (kind == HD_BF16) {
    LLVMTypeRef shorts = hd_lower_like(floats, l->i16);
    LLVMValueRef rounded = round_shift(l, bits, 16);
    LLVMValueRef quiet =
        LLVMBuildOr(b, LLVMBuildLShr(b, bits, hd_lower_int(ints, 16), ""), hd_lower_int(ints, 0x40), "");
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
    return LLVMBuildTrunc(b, LLVMBuildSelect(b, nan, quiet, rounded, ""), shorts, "");
  }
  LLVMTypeRef bytes = hd_lower_like(floats, l->i8);
  if (f->special == HD_FLOAT_E8M0) return LLVMBuildTrunc(b, narrow_e8m0(l, bits), bytes, "");
  int magnitude_bits = f->exponent_bits + f->mantissa_bits;
  uint64_t all = (1ull << magnitude_bits) - 1, top = ((1ull << f->exponent_bits) - 1) << f->mantissa_bits;
  uint64_t sign_bit = 1ull << magnitude_bits;
  LLVMValueRef magnitude = LLVMBuildAnd(b, bits, hd_lower_int(ints, 0x7FFFFFFF), "");
  /* Normal results: the exponent rebiased, the mantissa rounded. */
  LLVMValueRef rebiased = LLVMBuildSub(b, magnitude, hd_lower_int(ints, (uint64_t)(127 - f->bias) << 23), "");
  LLVMValueRef normal = round_shift(l, rebiased, 23 - f->mantissa_bits);
  /* Subnormal results: added to a number whose unit is the smallest subnormal, the machine rounds. */
  LLVMValueRef magic = power_of_two(l, floats, 1 - f->bias - f->mantissa_bits + 23);
  LLVMValueRef sum = LLVMBuildFAdd(b, LLVMBuildBitCast(b, magnitude, floats, ""), magic, "");
  LLVMValueRef subnormal =
      LLVMBuildSub(b, LLVMBuildBitCast(b, sum, ints, ""), LLVMBuildBitCast(b, magic, ints, ""), "");
  LLVMValueRef small = LLVMBuildICmp(b, LLVMIntULT, magnitude, hd_lower_int(ints, (uint64_t)(128 - f->bias) << 23), "");
  LLVMValueRef rounded = LLVMBuildSelect(b, small, subnormal, normal, "");
  uint64_t largest = f->special == HD_FLOAT_IEEE ? top - 1 : f->special == HD_FLOAT_FN ? all - 1 : all;
  uint64_t overflow = f->special == HD_FLOAT_IEEE ? top : f->special == HD_FLOAT_FNUZ ? sign_bit : all;
  uint64_t nan = f->special == HD_FLOAT_IEEE   ? top | 1ull << (f->mantissa_bits - 1)
                 : f->special == HD_FLOAT_FNUZ ? sign_bit
                                               : all;
  LLVMValueRef over = LLVMBuildICmp(b, LLVMIntUGT, rounded, hd_lower_int(ints, largest), "");
  rounded = LLVMBuildSelect(b, over, hd_lower_int(ints, overflow), rounded, "");
  LLVMValueRef is_nan = LLVMBuildICmp(b, LLVMIntUGT, magnitude, hd_lower_int(ints, 0x7F800000), "");
  LLVMValueRef sign = LLVMBuildAnd(b, LLVMBuildLShr(b, bits, hd_lower_int(ints, (uint64_t)(31 - magnitude_bits)), ""),
                                   hd_lower_int(ints, sign_bit), "");
  LLVMValueRef nan_bits = hd_lower_int(ints, nan);
  if (f->special == HD_FLOAT_IEEE) {
    LLVMValueRef payload = LLVMBuildLShr(b, magnitude, hd_lower_int(ints, (uint64_t)(23 - f->mantissa_bits)), "");
    payload = LLVMBuildAnd(b, payload, hd_lower_int(ints, (1ull << f->mantissa_bits) - 1), "");
    nan_bits = LLVMBuildOr(b, nan_bits, payload, "");
  }
  if (f->special == HD_FLOAT_FNUZ) {
    LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, rounded, hd_lower_int(ints, 0), "");
    rounded = LLVMBuildOr(b, rounded, LLVMBuildSelect(b, zero, hd_lower_int(ints, 0), sign, ""), "");
    rounded = LLVMBuildSelect(b, is_nan, nan_bits, rounded, "");
  } else if (f->special == HD_FLOAT_FINITE_NO_NAN) {
    rounded = LLVMBuildSelect(b, is_nan, nan_bits, LLVMBuildOr(b, rounded, sign, ""), "");
  } else {
    rounded = LLVMBuildOr(b, LLVMBuildSelect(b, is_nan, nan_bits, rounded, ""), sign, "");
  }
  return LLVMBuildTrunc(b, rounded, bytes, "");
}

/* f64 -> f32 rounded to odd: inexact results take the neighbour whose last bit is 1. */
static LLVMValueRef truncate_to_odd(hd_lower *l, LLVMValueRef value) {
  LLVMBuilderRef b = l->builder;
  LLVMTypeRef floats = f32_like(l, value), ints = i32_like(l, value), doubles = LLVMTypeOf(value);
  LLVMValueRef near = LLVMBuildFPTrunc(b, value, floats, "");
  LLVMValueRef back = hd_lower_intrinsic1(l, "llvm.fabs", doubles, LLVMBuildFPExt(b, near, doubles, ""), NULL, NULL);
  LLVMValueRef exact = hd_lower_intrinsic1(l, "llvm.fabs", doubles, value, NULL, NULL);
  LLVMValueRef bits = LLVMBuildBitCast(b, near, ints, "");
  LLVMValueRef even =
      LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, bits, hd_lower_int(ints, 1), ""), hd_lower_int(ints, 0), "");
  LLVMValueRef above = LLVMBuildAnd(b, even, LLVMBuildFCmp(b, LLVMRealOGT, exact, back, ""), "");
  LLVMValueRef below = LLVMBuildAnd(b, even, LLVMBuildFCmp(b, LLVMRealOLT, exact, back, ""), "");
  bits = LLVMBuildAdd(b, bits, LLVMBuildZExt(b, above, ints, ""), "");
  bits = LLVMBuildAdd(b, bits, LLVMBuildSExt(b, below, ints, ""), "");
  return LLVMBuildBitCast(b, bits, floats, "");
}

/* Between any two float formats, rounding once, to nearest even. */
static LLVMValueRef float_cast(hd_lower *l, hd_float_kind from, hd_float_kind to, LLVMValueRef value) {
  if (from == to) return value;
  if (from == HD_F64)
    return to == HD_F32 ? hd_lower_widen(l, from, value) : hd_lower_narrow(l, to, truncate_to_odd(l, value));
  return hd_lower_narrow(l, to, hd_lower_widen(l, from, value));
}

/* llvm.minimum and llvm.maximum, which x86 lacks: its own max gives the second operand for NaN and for zeros of any
 * sign. Taken both ways, equal numbers differ in nothing but the sign of zero, so that `and` (minimum: `or`) of the two
 * is right; a NaN is kept by adding. With AVX-512 this is a shorter way for a running maximum than LLVM's own (softmax
 * takes a fifth less); with AVX2, whose blends are as quick, it is not. */
LLVMValueRef hd_lower_extremum(hd_lower *l, bool is_max, LLVMValueRef a, LLVMValueRef b, LLVMFastMathFlags flags) {
  LLVMTypeRef type = LLVMTypeOf(a), scalar = hd_lower_scalar(type);
  if (l->target->vector_bits < 512 || LLVMIsConstant(a) || LLVMIsConstant(b) || (flags & LLVMFastMathNoSignedZeros) ||
      (scalar != l->f32 && scalar != l->f64))
    return hd_lower_flagged(hd_lower_intrinsic1(l, is_max ? "llvm.maximum" : "llvm.minimum", type, a, b, NULL), flags);
  LLVMBuilderRef bd = l->builder;
  LLVMTypeRef ints = hd_lower_like(type, scalar == l->f32 ? l->i32 : l->i64);
  LLVMRealPredicate before = is_max ? LLVMRealOGT : LLVMRealOLT;
  LLVMValueRef one = LLVMBuildSelect(bd, LLVMBuildFCmp(bd, before, a, b, ""), a, b, "");
  LLVMValueRef other = LLVMBuildSelect(bd, LLVMBuildFCmp(bd, before, b, a, ""), b, a, "");
  one = LLVMBuildBitCast(bd, one, ints, "");
  other = LLVMBuildBitCast(bd, other, ints, "");
  LLVMValueRef both = is_max ? LLVMBuildAnd(bd, one, other, "") : LLVMBuildOr(bd, one, other, "");
  LLVMValueRef nan = LLVMBuildFCmp(bd, LLVMRealUNO, a, b, "");
  return LLVMBuildSelect(bd, nan, LLVMBuildFAdd(bd, a, b, ""), LLVMBuildBitCast(bd, both, type, ""), "");
}

/* The machine format that ops on |element| compute in, and the way there and back. */
static LLVMValueRef enter(hd_lower *l, hd_type element, LLVMValueRef value) {
  return hd_float_is_emulated(element) ? hd_lower_widen(l, element->float_kind, value) : value;
}
static LLVMValueRef leave(hd_lower *l, hd_type element, LLVMValueRef value) {
  return hd_float_is_emulated(element) ? hd_lower_narrow(l, element->float_kind, value) : value;
}

enum { MINIMUM = -1, MAXIMUM = -2 }; /* in place of an LLVM opcode */

static bool is_float(hd_lower *l, hd_op *op, hd_type element) {
  if (element->kind == HD_TYPE_FLOAT && element->float_kind != HD_TF32) return true;
  return hd_lower_fail(l, op, "expected floats that have a machine form");
}

/* Ops of one to three operands, all of one type. */
static bool lower_arithmetic(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!is_float(l, op, element)) return false;
  LLVMFastMathFlags flags = hd_lower_flags(op);
  hd_parts *in[3] = {0};
  uint32_t count = op->operand_count < 3 ? op->operand_count : 3;
  for (uint32_t i = 0; i < count; ++i) in[i] = hd_lower_parts(l, hd_operand(op, i));
  hd_parts *out = hd_lower_new_parts(l, in[0]->count);
  for (uint32_t p = 0; p < out->count; ++p) {
    LLVMValueRef x[3] = {0};
    for (uint32_t i = 0; i < count; ++i) {
      if (in[i]->count != out->count || LLVMTypeOf(in[i]->at[p]) != LLVMTypeOf(in[0]->at[p]))
        return hd_lower_fail(l, op, "has operands of different types");
      x[i] = enter(l, element, in[i]->at[p]);
    }
    LLVMValueRef value;
    if (self->code == MINIMUM || self->code == MAXIMUM)
      value = hd_lower_extremum(l, self->code == MAXIMUM, x[0], x[1], flags);
    else if (self->intrinsic)
      value = hd_lower_intrinsic1(l, self->intrinsic, LLVMTypeOf(x[0]), x[0], x[1], x[2]);
    else if (self->code == LLVMFNeg)
      value = LLVMBuildFNeg(l->builder, x[0], "");
    else
      value = LLVMBuildBinOp(l->builder, (LLVMOpcode)self->code, x[0], x[1], "");
    out->at[p] = leave(l, element, hd_lower_flagged(value, flags));
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* Signs are bits: no rounding, NaN payloads kept. code 0: abs, 1: neg, 2: copysign. */
static bool lower_sign(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!is_float(l, op, element)) return false;
  LLVMBuilderRef b = l->builder;
  const hd_float_format *f = &hd_float_formats[element->float_kind];
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)),
           *y = self->code == 2 ? hd_lower_parts(l, hd_operand(op, 1)) : NULL;
  hd_parts *out = hd_lower_new_parts(l, x->count);
  for (uint32_t p = 0; p < x->count; ++p) {
    LLVMTypeRef type = LLVMTypeOf(x->at[p]);
    if (LLVMGetTypeKind(hd_lower_scalar(type)) != LLVMIntegerTypeKind) {
      if (self->code == 1)
        out->at[p] = LLVMBuildFNeg(b, x->at[p], "");
      else
        out->at[p] = hd_lower_intrinsic1(l, self->code == 0 ? "llvm.fabs" : "llvm.copysign", type, x->at[p],
                                         y ? y->at[p] : NULL, NULL);
      continue;
    }
    if (f->special == HD_FLOAT_E8M0) return hd_lower_fail(l, op, "has no sign in f8E8M0FNU");
    LLVMValueRef sign = hd_lower_int(type, 1ull << (f->bits - 1));
    LLVMValueRef magnitude = LLVMBuildAnd(b, x->at[p], LLVMConstNot(sign), ""), result;
    if (self->code == 0)
      result = magnitude;
    else if (self->code == 1)
      result = LLVMBuildXor(b, x->at[p], sign, "");
    else
      result = LLVMBuildOr(b, magnitude, LLVMBuildAnd(b, y->at[p], sign, ""), "");
    if (f->special == HD_FLOAT_FNUZ) { /* the pattern of -0 is NaN: NaN and zero have no sign */
      LLVMValueRef nan = LLVMBuildICmp(b, LLVMIntEQ, x->at[p], sign, "");
      LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, x->at[p], LLVMConstNull(type), "");
      result = LLVMBuildSelect(b, LLVMBuildOr(b, nan, zero, ""), x->at[p], result, "");
    }
    out->at[p] = result;
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_compare(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  LLVMRealPredicate predicate;
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!is_float(l, op, element)) return false;
  if (!hd_llvm_real_predicate((int64_t)hd_arith_cmpf_predicate(op), &predicate))
    return hd_lower_fail(l, op, "has no known predicate");
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *y = hd_lower_parts(l, hd_operand(op, 1));
  hd_parts *out = hd_lower_new_parts(l, x->count);
  for (uint32_t p = 0; p < x->count; ++p) {
    LLVMValueRef value =
        LLVMBuildFCmp(l->builder, predicate, enter(l, element, x->at[p]), enter(l, element, y->at[p]), "");
    out->at[p] = hd_lower_flagged(value, hd_lower_flags(op));
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* isnan, isinf, isfinite, isnormal: code is the mask of llvm.is.fpclass. */
static bool lower_classify(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!is_float(l, op, element)) return false;
  if (self->code == 0x108 && hd_float_is_emulated(element)) return hd_lower_fail(l, op, "is made for f32 and f64");
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *out = hd_lower_new_parts(l, x->count);
  for (uint32_t p = 0; p < x->count; ++p) {
    LLVMValueRef value = enter(l, element, x->at[p]);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef args[] = {value, LLVMConstInt(l->i32, (uint64_t)self->code, false)};
    out->at[p] = hd_lower_intrinsic(l, "llvm.is.fpclass", &type, 1, args, 2);
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* Is |value| one of the numbers of |element|, whose type is a part of its own: widened from there, or chosen, rounded
 * to integers or given another sign since? |depth| bounds the search. */
static bool is_still_of(hd_value *value, hd_type element, int depth) {
  hd_op *op = hd_value_op(value);
  if (!op || depth == 0) return false;
  if (hd_op_is(op, HD_OP_arith_extf)) return hd_type_element(hd_operand_type(op, 0)) == element;
  if (!hd_op_has_trait(op, HD_TRAIT(EXACT))) return false;
  uint32_t numbers = hd_op_is(op, HD_OP_math_copysign) ? 1 : op->operand_count; /* the other one only gives the sign */
  for (uint32_t i = 0; i < numbers; ++i)
    if (hd_type_element(hd_operand_type(op, i)) == hd_type_element(value->type) &&
        !is_still_of(hd_operand(op, i), element, depth - 1))
      return false;
  return true;
}

/* f32 that bf16 has: its upper half. */
static LLVMValueRef upper_half(hd_lower *l, LLVMValueRef x) {
  LLVMTypeRef ints = i32_like(l, x);
  LLVMValueRef bits = LLVMBuildBitCast(l->builder, x, ints, "");
  return LLVMBuildTrunc(l->builder, LLVMBuildLShr(l->builder, bits, hd_lower_int(ints, 16), ""),
                        hd_lower_like(ints, l->i16), "");
}

static bool lower_cast(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type from = hd_type_element(hd_operand_type(op, 0)), to = hd_type_element(hd_result_type(op, 0));
  if (!is_float(l, op, from) || !is_float(l, op, to)) return false;
  if (op->operand_count != 1) return hd_lower_fail(l, op, "with a scale is not made");
  int64_t mode = hd_attr_int_or(hd_with_rounding_roundingmode_if_any(op), 0);
  if (mode != 0) return hd_lower_fail(l, op, "rounds to nearest even only");
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *out = hd_lower_new_parts(l, x->count);
  bool exact = from->float_kind == HD_F32 && to->float_kind == HD_BF16 && is_still_of(hd_operand(op, 0), to, 8);
  for (uint32_t p = 0; p < x->count; ++p)
    out->at[p] = exact ? upper_half(l, x->at[p]) : float_cast(l, from->float_kind, to->float_kind, x->at[p]);
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* Integers of more than 53 bits keep their low bits as one sticky bit, so that f64 holds what rounding must know. */
static LLVMValueRef sticky(hd_lower *l, LLVMValueRef x, bool is_signed) {
  LLVMBuilderRef b = l->builder;
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef magnitude =
      is_signed ? hd_lower_intrinsic(l, "llvm.abs", &type, 1, (LLVMValueRef[]){x, LLVMConstInt(l->i1, 0, false)}, 2)
                : x;
  LLVMValueRef large = LLVMBuildICmp(b, LLVMIntUGE, magnitude, hd_lower_int(type, 1ull << 53), "");
  LLVMValueRef low =
      LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, x, hd_lower_int(type, 0x7FF), ""), hd_lower_int(type, 0), "");
  LLVMValueRef bit = LLVMBuildShl(b, LLVMBuildZExt(b, low, type, ""), hd_lower_int(type, 11), "");
  LLVMValueRef kept = LLVMBuildAnd(b, LLVMBuildOr(b, x, bit, ""), hd_lower_int(type, ~0x7FFull), "");
  return LLVMBuildSelect(b, large, kept, x, "");
}

static bool lower_from_int(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type to = hd_type_element(hd_result_type(op, 0));
  bool is_signed = self->code;
  if (!is_float(l, op, to)) return false;
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *out = hd_lower_new_parts(l, x->count);
  for (uint32_t p = 0; p < x->count; ++p) {
    LLVMTypeRef type = LLVMTypeOf(x->at[p]);
    if (LLVMGetTypeKind(hd_lower_scalar(type)) != LLVMIntegerTypeKind) return hd_lower_fail(l, op, "expected integers");
    unsigned width = LLVMGetIntTypeWidth(hd_lower_scalar(type));
    /* Exact in f32 below 25 bits, in f64 below 54. */
    bool through_f64 = to->float_kind == HD_F64 || (hd_float_is_emulated(to) && width > 16);
    LLVMTypeRef target = hd_lower_like(type, through_f64 ? l->f64 : l->f32);
    LLVMValueRef value = x->at[p];
    if (hd_float_is_emulated(to) && width == 64) value = sticky(l, value, is_signed);
    value = is_signed ? LLVMBuildSIToFP(l->builder, value, target, "") : LLVMBuildUIToFP(l->builder, value, target, "");
    out->at[p] = float_cast(l, through_f64 ? HD_F64 : HD_F32, to->float_kind, value);
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_to_int(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type from = hd_type_element(hd_operand_type(op, 0)), to = hd_type_element(hd_result_type(op, 0));
  LLVMTypeRef scalar = hd_lower_element(l, op, to);
  if (!scalar || !is_float(l, op, from)) return false;
  if (LLVMGetTypeKind(scalar) != LLVMIntegerTypeKind) return hd_lower_fail(l, op, "expected integers");
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *out = hd_lower_new_parts(l, x->count);
  for (uint32_t p = 0; p < x->count; ++p) {
    LLVMValueRef value = enter(l, from, x->at[p]);
    LLVMTypeRef target = hd_lower_like(LLVMTypeOf(value), scalar);
    out->at[p] =
        self->code ? LLVMBuildFPToSI(l->builder, value, target, "") : LLVMBuildFPToUI(l->builder, value, target, "");
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* math.clampf: min(max(x, low), high), NaN passes. */
static bool lower_clamp(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!is_float(l, op, element)) return false;
  hd_parts *in[3];
  for (uint32_t i = 0; i < 3; ++i) in[i] = hd_lower_parts(l, hd_operand(op, i));
  hd_parts *out = hd_lower_new_parts(l, in[0]->count);
  for (uint32_t p = 0; p < out->count; ++p) {
    LLVMValueRef x = enter(l, element, in[0]->at[p]), low = enter(l, element, in[1]->at[p]),
                 high = enter(l, element, in[2]->at[p]);
    x = hd_lower_extremum(l, true, x, low, 0);
    x = hd_lower_extremum(l, false, x, high, 0);
    out->at[p] = leave(l, element, x);
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_remainder(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  return hd_lower_fail(l, op, "is a library call; expand it before code generation");
}

const hd_handler hd_handlers_float[] = {
    {"arith.addf", lower_arithmetic, LLVMFAdd, NULL},
    {"arith.subf", lower_arithmetic, LLVMFSub, NULL},
    {"arith.mulf", lower_arithmetic, LLVMFMul, NULL},
    {"arith.divf", lower_arithmetic, LLVMFDiv, NULL},
    {"arith.remf", lower_remainder, 0, NULL},
    {"arith.negf", lower_sign, 1, NULL},
    {"arith.minimumf", lower_arithmetic, MINIMUM, NULL},
    {"arith.maximumf", lower_arithmetic, MAXIMUM, NULL},
    {"arith.minnumf", lower_arithmetic, 0, "llvm.minnum"},
    {"arith.maxnumf", lower_arithmetic, 0, "llvm.maxnum"},
    {"arith.cmpf", lower_compare, 0, NULL},
    {"arith.extf", lower_cast, 0, NULL},
    {"arith.truncf", lower_cast, 0, NULL},
    {"arith.convertf", lower_cast, 0, NULL},
    {"arith.sitofp", lower_from_int, 1, NULL},
    {"arith.uitofp", lower_from_int, 0, NULL},
    {"arith.fptosi", lower_to_int, 1, NULL},
    {"arith.fptoui", lower_to_int, 0, NULL},
    {"math.absf", lower_sign, 0, NULL},
    {"math.copysign", lower_sign, 2, NULL},
    {"math.ceil", lower_arithmetic, 0, "llvm.ceil"},
    {"math.floor", lower_arithmetic, 0, "llvm.floor"},
    {"math.trunc", lower_arithmetic, 0, "llvm.trunc"},
    {"math.round", lower_arithmetic, 0, "llvm.round"},
    {"math.roundeven", lower_arithmetic, 0, "llvm.roundeven"},
    {"math.sqrt", lower_arithmetic, 0, "llvm.sqrt"},
    {"math.fma", lower_arithmetic, 0, "llvm.fma"},
    {"math.clampf", lower_clamp, 0, NULL},
    {"math.isnan", lower_classify, 0x3, NULL},
    {"math.isinf", lower_classify, 0x204, NULL},
    {"math.isfinite", lower_classify, 0x1F8, NULL},
    {"math.isnormal", lower_classify, 0x108, NULL},
    {"vector.fma", lower_arithmetic, 0, "llvm.fma"},
    {NULL, NULL, 0, NULL},
};
