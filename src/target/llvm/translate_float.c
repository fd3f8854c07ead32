/* SPDX-License-Identifier: Apache-2.0 */
/* Float arithmetic, signs, comparisons and classes. The machine computes in f32 and f64; an op on another format widens
 * to f32, computes and rounds once (float_formats.c). */
#include <stdio.h>

#include "ir/number.h"
#include "ir/ops/arith.h"
#include "target/llvm/predicates.h"
#include "target/llvm/translate.h"

/* The half |h| of |x|. */
static LLVMValueRef half_of(hd_lower *l, LLVMValueRef x, uint32_t h) {
  uint32_t lanes = hd_lower_lanes(LLVMTypeOf(x)) / 2;
  LLVMValueRef *mask = hd_new_array(l->arena, LLVMValueRef, lanes);
  for (uint32_t i = 0; i < lanes; ++i) mask[i] = LLVMConstInt(l->i32, h * lanes + i, false);
  return LLVMBuildShuffleVector(l->builder, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(mask, lanes), "");
}

/* VRANGEPS and VRANGEPD as a maximum: -0 is below +0, a NaN gives the other operand. Null: no vector has the width. */
static LLVMValueRef range_maximum(hd_lower *l, LLVMValueRef a, LLVMValueRef b) {
  enum { MAXIMUM_SIGNED = 1 | 1 << 2 /* the larger one, with its sign */, ROUND_AS_SET = 4 };
  LLVMTypeRef type = LLVMTypeOf(a), scalar = hd_lower_scalar(type);
  uint32_t lanes = hd_lower_lanes(type), bits = lanes * (scalar == l->f32 ? 32 : 64);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return NULL;
  if (bits > 512 && lanes % 2 == 0) {
    LLVMValueRef low = range_maximum(l, half_of(l, a, 0), half_of(l, b, 0)),
                 high = low ? range_maximum(l, half_of(l, a, 1), half_of(l, b, 1)) : NULL;
    LLVMValueRef *mask = hd_new_array(l->arena, LLVMValueRef, lanes);
    for (uint32_t i = 0; i < lanes; ++i) mask[i] = LLVMConstInt(l->i32, i, false);
    return high ? LLVMBuildShuffleVector(l->builder, low, high, LLVMConstVector(mask, lanes), "") : NULL;
  }
  if (bits != 512 && bits != 256 && bits != 128) return NULL;
  char name[64];
  snprintf(name, sizeof name, "llvm.x86.avx512.mask.range.p%c.%u", scalar == l->f32 ? 's' : 'd', bits);
  LLVMValueRef args[] = {a,
                         b,
                         LLVMConstInt(l->i32, MAXIMUM_SIGNED, false),
                         LLVMConstNull(type),
                         LLVMConstAllOnes(LLVMIntTypeInContext(l->context, lanes < 8 ? 8 : lanes)),
                         LLVMConstInt(l->i32, ROUND_AS_SET, false)};
  return hd_lower_intrinsic(l, name, NULL, 0, args, bits == 512 ? 6 : 5);
}

/* Is |x| the infinity that gives way to every number and to NaN? */
static bool is_neutral(hd_lower *l, LLVMValueRef x, bool is_max) {
  LLVMTypeRef type = LLVMTypeOf(x), scalar = hd_lower_scalar(type);
  if (!LLVMIsConstant(x) || (scalar != l->f32 && scalar != l->f64)) return false;
  uint64_t sign = is_max, f32 = sign << 31 | 0x7F800000, f64 = sign << 63 | 0x7FF0000000000000;
  return x == hd_lower_float_bits(l, type, scalar == l->f32 ? f32 : f64);
}

/* llvm.minimum and llvm.maximum, which x86 lacks: its own min gives the second operand for NaN and for zeros of any
 * sign. Taken both ways, the bits of a minimum are the `or` of the two: equal numbers differ in nothing but the sign of
 * zero, and a NaN stays one under any further bits. The `and` of a maximum would lose NaN: with AVX-512 VRANGE orders
 * the zeros, and a NaN is kept by adding; LLVM's own way is as short with AVX2. Three instructions, where LLVM has five
 * or six; it has fewer for most constants. */
LLVMValueRef hd_lower_extremum(hd_lower *l, bool is_max, LLVMValueRef a, LLVMValueRef b, LLVMFastMathFlags flags) {
  if (is_neutral(l, a, is_max)) return b;
  if (is_neutral(l, b, is_max)) return a;
  LLVMTypeRef type = LLVMTypeOf(a), scalar = hd_lower_scalar(type);
  LLVMBuilderRef bd = l->builder;
  bool is_shorter = !LLVMIsConstant(a) && !LLVMIsConstant(b) && !(flags & LLVMFastMathNoSignedZeros) &&
                    (scalar == l->f32 || scalar == l->f64);
  if (is_shorter && !is_max) {
    LLVMTypeRef ints = hd_lower_like(type, scalar == l->f32 ? l->i32 : l->i64);
    LLVMValueRef one = LLVMBuildSelect(bd, LLVMBuildFCmp(bd, LLVMRealOLT, a, b, ""), a, b, ""),
                 other = LLVMBuildSelect(bd, LLVMBuildFCmp(bd, LLVMRealOLT, b, a, ""), b, a, "");
    one = LLVMBuildOr(bd, LLVMBuildBitCast(bd, one, ints, ""), LLVMBuildBitCast(bd, other, ints, ""), "");
    return LLVMBuildBitCast(bd, one, type, "");
  }
  LLVMValueRef larger = is_shorter && l->target->vector_bits >= 512 ? range_maximum(l, a, b) : NULL;
  if (!larger)
    return hd_lower_flagged(hd_lower_intrinsic1(l, is_max ? "llvm.maximum" : "llvm.minimum", type, a, b, NULL), flags);
  return LLVMBuildSelect(bd, LLVMBuildFCmp(bd, LLVMRealUNO, a, b, ""), LLVMBuildFAdd(bd, a, b, ""), larger, "");
}

enum { MINIMUM = -1, MAXIMUM = -2 }; /* in place of an LLVM opcode */

/* Ops of one to three operands, all of one type. */
static bool lower_arithmetic(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!hd_lower_check_float(l, op, element)) return false;
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
      x[i] = hd_lower_float_enter(l, element, in[i]->at[p]);
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
    out->at[p] = hd_lower_float_leave(l, element, hd_lower_flagged(value, flags));
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* Signs are bits: no rounding, NaN payloads kept. code 0: abs, 1: neg, 2: copysign. */
static bool lower_sign(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!hd_lower_check_float(l, op, element)) return false;
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
  if (!hd_lower_check_float(l, op, element)) return false;
  if (!hd_llvm_real_predicate((int64_t)hd_arith_cmpf_predicate(op), &predicate))
    return hd_lower_fail(l, op, "has no known predicate");
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *y = hd_lower_parts(l, hd_operand(op, 1));
  hd_parts *out = hd_lower_new_parts(l, x->count);
  for (uint32_t p = 0; p < x->count; ++p) {
    LLVMValueRef value = LLVMBuildFCmp(l->builder, predicate, hd_lower_float_enter(l, element, x->at[p]),
                                       hd_lower_float_enter(l, element, y->at[p]), "");
    out->at[p] = hd_lower_flagged(value, hd_lower_flags(op));
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* isnan, isinf, isfinite, isnormal: code is the mask of llvm.is.fpclass. */
static bool lower_classify(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!hd_lower_check_float(l, op, element)) return false;
  if (self->code == 0x108 && hd_float_is_emulated(element)) return hd_lower_fail(l, op, "is made for f32 and f64");
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *out = hd_lower_new_parts(l, x->count);
  for (uint32_t p = 0; p < x->count; ++p) {
    LLVMValueRef value = hd_lower_float_enter(l, element, x->at[p]);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef args[] = {value, LLVMConstInt(l->i32, (uint64_t)self->code, false)};
    out->at[p] = hd_lower_intrinsic(l, "llvm.is.fpclass", &type, 1, args, 2);
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* math.clampf: min(max(x, low), high), NaN passes. */
static bool lower_clamp(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!hd_lower_check_float(l, op, element)) return false;
  hd_parts *in[3];
  for (uint32_t i = 0; i < 3; ++i) in[i] = hd_lower_parts(l, hd_operand(op, i));
  hd_parts *out = hd_lower_new_parts(l, in[0]->count);
  for (uint32_t p = 0; p < out->count; ++p) {
    LLVMValueRef x = hd_lower_float_enter(l, element, in[0]->at[p]),
                 low = hd_lower_float_enter(l, element, in[1]->at[p]),
                 high = hd_lower_float_enter(l, element, in[2]->at[p]);
    x = hd_lower_extremum(l, true, x, low, 0);
    x = hd_lower_extremum(l, false, x, high, 0);
    out->at[p] = hd_lower_float_leave(l, element, x);
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
