/* SPDX-License-Identifier: Apache-2.0 */
/* Float formats: how a value of one becomes one of another.
 *
 * The machine computes in f32 and f64. Every other format is a pattern (f16 is LLVM's half, for its conversions alone):
 * an op widens to f32, computes and rounds once. That is the correctly rounded result for + - * / sqrt, since 24 bits
 * are at least twice the bits of each small format and two. f64 goes to a small format by way of f32 rounded to odd,
 * which keeps what the second rounding must know; so no conversion rounds twice. All of it is integer code, so that
 * bf16 keeps its subnormals, which the AVX-512 conversion would flush. */
#include "ir/number.h"
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

LLVMValueRef hd_lower_float_cast(hd_lower *l, hd_float_kind from, hd_float_kind to, LLVMValueRef value) {
  if (from == to) return value;
  if (from == HD_F64)
    return to == HD_F32 ? hd_lower_widen(l, from, value) : hd_lower_narrow(l, to, truncate_to_odd(l, value));
  return hd_lower_narrow(l, to, hd_lower_widen(l, from, value));
}

LLVMValueRef hd_lower_float_enter(hd_lower *l, hd_type element, LLVMValueRef value) {
  return hd_float_is_emulated(element) ? hd_lower_widen(l, element->float_kind, value) : value;
}
LLVMValueRef hd_lower_float_leave(hd_lower *l, hd_type element, LLVMValueRef value) {
  return hd_float_is_emulated(element) ? hd_lower_narrow(l, element->float_kind, value) : value;
}

bool hd_lower_check_float(hd_lower *l, hd_op *op, hd_type element) {
  if (element->kind == HD_TYPE_FLOAT && element->float_kind != HD_TF32) return true;
  return hd_lower_fail(l, op, "expected floats that have a machine form");
}
