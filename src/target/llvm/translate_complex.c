/* SPDX-License-Identifier: Apache-2.0 */
/* Complex arithmetic: a value has two parts, which are computed as floats are. */
#include "ir/ops/complex.h"
#include "target/llvm/translate.h"

/* Complex numbers are two parts. code: 0 add, 1 sub, 2 neg, 3 conj */
static bool lower_complex(hd_lower *l, hd_op *op, const hd_handler *self) {
  LLVMBuilderRef b = l->builder;
  LLVMFastMathFlags flags = hd_lower_flags(op);
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)),
           *y = op->operand_count > 1 ? hd_lower_parts(l, hd_operand(op, 1)) : NULL;
  hd_parts *out = hd_lower_new_parts(l, 2);
  for (int p = 0; p < 2; ++p) {
    switch (self->code) {
      case 0:
        out->at[p] = hd_lower_flagged(LLVMBuildFAdd(b, x->at[p], y->at[p], ""), flags);
        break;
      case 1:
        out->at[p] = hd_lower_flagged(LLVMBuildFSub(b, x->at[p], y->at[p], ""), flags);
        break;
      case 2:
        out->at[p] = LLVMBuildFNeg(b, x->at[p], "");
        break;
      default:
        out->at[p] = p ? LLVMBuildFNeg(b, x->at[p], "") : x->at[p];
        break;
    }
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_complex_mul(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  LLVMBuilderRef b = l->builder;
  LLVMFastMathFlags flags = hd_lower_flags(op);
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *y = hd_lower_parts(l, hd_operand(op, 1)),
           *out = hd_lower_new_parts(l, 2);
  LLVMValueRef rr = hd_lower_flagged(LLVMBuildFMul(b, x->at[0], y->at[0], ""), flags);
  LLVMValueRef ii = hd_lower_flagged(LLVMBuildFMul(b, x->at[1], y->at[1], ""), flags);
  LLVMValueRef ri = hd_lower_flagged(LLVMBuildFMul(b, x->at[0], y->at[1], ""), flags);
  LLVMValueRef ir = hd_lower_flagged(LLVMBuildFMul(b, x->at[1], y->at[0], ""), flags);
  out->at[0] = hd_lower_flagged(LLVMBuildFSub(b, rr, ii, ""), flags);
  out->at[1] = hd_lower_flagged(LLVMBuildFAdd(b, ri, ir, ""), flags);
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_complex_equal(hd_lower *l, hd_op *op, const hd_handler *self) {
  LLVMBuilderRef b = l->builder;
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *y = hd_lower_parts(l, hd_operand(op, 1));
  LLVMRealPredicate predicate = self->code ? LLVMRealUNE : LLVMRealOEQ;
  LLVMValueRef re = LLVMBuildFCmp(b, predicate, x->at[0], y->at[0], ""),
               im = LLVMBuildFCmp(b, predicate, x->at[1], y->at[1], "");
  return hd_lower_result(l, op, self->code ? LLVMBuildOr(b, re, im, "") : LLVMBuildAnd(b, re, im, ""));
}

static bool lower_complex_create(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_parts *out = hd_lower_new_parts(l, 2);
  out->at[0] = hd_lower_operand(l, op, 0);
  out->at[1] = hd_lower_operand(l, op, 1);
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_complex_part(hd_lower *l, hd_op *op, const hd_handler *self) {
  return hd_lower_result(l, op, hd_lower_parts(l, hd_operand(op, 0))->at[self->code]);
}

static bool lower_complex_constant(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_attr value = hd_complex_constant_value(op);
  LLVMTypeRef type = hd_lower_part_type(l, op, hd_result_type(op, 0), 0);
  if (!type) return false;
  if (!hd_attr_is(value, HD_ATTR_ARRAY) || value->array.count != 2 ||
      !hd_attr_is(value->array.items[0], HD_ATTR_FLOAT) || !hd_attr_is(value->array.items[1], HD_ATTR_FLOAT) ||
      LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
    return hd_lower_fail(l, op, "expected two floats");
  hd_parts *out = hd_lower_new_parts(l, 2);
  for (int p = 0; p < 2; ++p) out->at[p] = hd_lower_float_bits(l, type, value->array.items[p]->floating.bits);
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

const hd_handler hd_handlers_complex[] = {
    {"complex.constant", lower_complex_constant, 0, NULL},
    {"complex.create", lower_complex_create, 0, NULL},
    {"complex.re", lower_complex_part, 0, NULL},
    {"complex.im", lower_complex_part, 1, NULL},
    {"complex.add", lower_complex, 0, NULL},
    {"complex.sub", lower_complex, 1, NULL},
    {"complex.neg", lower_complex, 2, NULL},
    {"complex.conj", lower_complex, 3, NULL},
    {"complex.mul", lower_complex_mul, 0, NULL},
    {"complex.eq", lower_complex_equal, 0, NULL},
    {"complex.neq", lower_complex_equal, 1, NULL},
    {NULL, NULL, 0, NULL},
};
