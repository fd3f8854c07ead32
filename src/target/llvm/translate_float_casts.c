/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions between float formats, and between floats and integers: each rounds once. */
#include "ir/number.h"
#include "ir/ops/arith.h"
#include "target/llvm/translate.h"

/* Is |value| one of the numbers of |element|, whose type is a part of its own: widened from there, or chosen, rounded
 * to integers or given another sign since? |depth| bounds the search. */
static bool is_still_of(hd_value *value, hd_type element, int depth) {
  hd_op *op = hd_value_op(value);
  if (!op || depth == 0) return false;
  if (hd_op_is(op, HD_OP_arith_extf)) return hd_type_element(hd_operand_type(op, 0)) == element;
  if (!hd_op_has_trait(op, HD_TRAIT(EXACT))) return false;
  bool of_any = false;
  uint32_t numbers = hd_op_is(op, HD_OP_math_copysign) ? 1 : op->operand_count; /* the other one only gives the sign */
  for (uint32_t i = 0; i < numbers; ++i) {
    if (hd_type_element(hd_operand_type(op, i)) != hd_type_element(value->type)) continue;
    if (!is_still_of(hd_operand(op, i), element, depth - 1)) return false;
    of_any = true;
  }
  return of_any;
}

/* f32 that bf16 has: its upper half. */
static LLVMValueRef upper_half(hd_lower *l, LLVMValueRef x) {
  LLVMTypeRef ints = hd_lower_like(LLVMTypeOf(x), l->i32);
  LLVMValueRef bits = LLVMBuildBitCast(l->builder, x, ints, "");
  return LLVMBuildTrunc(l->builder, LLVMBuildLShr(l->builder, bits, hd_lower_int(ints, 16), ""),
                        hd_lower_like(ints, l->i16), "");
}

static bool lower_cast(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type from = hd_type_element(hd_operand_type(op, 0)), to = hd_type_element(hd_result_type(op, 0));
  if (!hd_lower_check_float(l, op, from) || !hd_lower_check_float(l, op, to)) return false;
  if (op->operand_count != 1) return hd_lower_fail(l, op, "with a scale is not made");
  if (hd_op_is(op, HD_OP_arith_truncf) && hd_arith_truncf_roundingmode(op) != HD_ARITH_ROUNDING_MODE_TO_NEAREST_EVEN)
    return hd_lower_fail(l, op, "rounds to nearest even only");
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *out = hd_lower_new_parts(l, x->count);
  bool exact = from->float_kind == HD_F32 && to->float_kind == HD_BF16 && is_still_of(hd_operand(op, 0), to, 8);
  for (uint32_t p = 0; p < x->count; ++p)
    out->at[p] = exact ? upper_half(l, x->at[p]) : hd_lower_float_cast(l, from->float_kind, to->float_kind, x->at[p]);
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
  if (!hd_lower_check_float(l, op, to)) return false;
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
    out->at[p] = hd_lower_float_cast(l, through_f64 ? HD_F64 : HD_F32, to->float_kind, value);
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_to_int(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type from = hd_type_element(hd_operand_type(op, 0)), to = hd_type_element(hd_result_type(op, 0));
  LLVMTypeRef scalar = hd_lower_element(l, op, to);
  if (!scalar || !hd_lower_check_float(l, op, from)) return false;
  if (LLVMGetTypeKind(scalar) != LLVMIntegerTypeKind) return hd_lower_fail(l, op, "expected integers");
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *out = hd_lower_new_parts(l, x->count);
  for (uint32_t p = 0; p < x->count; ++p) {
    LLVMValueRef value = hd_lower_float_enter(l, from, x->at[p]);
    LLVMTypeRef target = hd_lower_like(LLVMTypeOf(value), scalar);
    out->at[p] =
        self->code ? LLVMBuildFPToSI(l->builder, value, target, "") : LLVMBuildFPToUI(l->builder, value, target, "");
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

const hd_handler hd_handlers_float_casts[] = {
    {"arith.extf", lower_cast, 0, NULL},
    {"arith.truncf", lower_cast, 0, NULL},
    {"arith.sitofp", lower_from_int, 1, NULL},
    {"arith.uitofp", lower_from_int, 0, NULL},
    {"arith.fptosi", lower_to_int, 1, NULL},
    {"arith.fptoui", lower_to_int, 0, NULL},
    {NULL, NULL, 0, NULL},
};
