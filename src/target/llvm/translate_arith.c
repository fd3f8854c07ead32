/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arith and math ops, constants and casts between integers; every op is applied to each part. */
#include "ir/number.h"
#include "ir/ops/interfaces.h"
#include "target/llvm/predicates.h"
#include "target/llvm/translate.h"

typedef LLVMValueRef (*part_fn)(hd_lower *l, hd_op *op, const hd_handler *self, LLVMValueRef a, LLVMValueRef b);

/* result = fn(operand 0, operand 1) part by part; operand 1 is optional. */
static bool each_part(hd_lower *l, hd_op *op, const hd_handler *self, part_fn fn) {
  hd_parts *a = hd_lower_parts(l, hd_operand(op, 0));
  hd_parts *b = op->operand_count > 1 ? hd_lower_parts(l, hd_operand(op, 1)) : NULL;
  hd_parts *out = hd_lower_new_parts(l, a->count);
  if (b && b->count != a->count) return hd_lower_fail(l, op, "has operands of different shapes");
  for (uint32_t p = 0; p < a->count; ++p) {
    if (b && LLVMTypeOf(a->at[p]) != LLVMTypeOf(b->at[p]))
      return hd_lower_fail(l, op, "has operands of different types");
    out->at[p] = fn(l, op, self, a->at[p], b ? b->at[p] : NULL);
    if (!out->at[p]) return false;
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static LLVMValueRef binary_part(hd_lower *l, hd_op *op, const hd_handler *self, LLVMValueRef a, LLVMValueRef b) {
  LLVMOpcode opcode = (LLVMOpcode)self->code;
  LLVMValueRef value = LLVMBuildBinOp(l->builder, opcode, a, b, "");
  if (!LLVMIsAInstruction(value)) return value;
  unsigned overflow = (unsigned)hd_attr_int_or(hd_with_overflow_overflowFlags_if_any(op), 0);
  if (overflow & 1) LLVMSetNSW(value, true);
  if (overflow & 2) LLVMSetNUW(value, true);
  if (hd_with_exact_isExact_if_any(op)) LLVMSetExact(value, true);
  return value;
}
static bool lower_binary(hd_lower *l, hd_op *op, const hd_handler *self) { return each_part(l, op, self, binary_part); }

static LLVMValueRef intrinsic_part(hd_lower *l, hd_op *op, const hd_handler *self, LLVMValueRef a, LLVMValueRef b) {
  (void)op;
  return hd_lower_intrinsic1(l, self->intrinsic, LLVMTypeOf(a), a, b, NULL);
}
static bool lower_intrinsic(hd_lower *l, hd_op *op, const hd_handler *self) {
  return each_part(l, op, self, intrinsic_part);
}

static LLVMValueRef extreme_part(hd_lower *l, hd_op *op, const hd_handler *self, LLVMValueRef a, LLVMValueRef b) {
  (void)op;
  return hd_lower_extreme(l, (LLVMIntPredicate)self->code, self->intrinsic, a, b);
}
static bool lower_extreme(hd_lower *l, hd_op *op, const hd_handler *self) {
  return each_part(l, op, self, extreme_part);
}

/* absi of the smallest is itself, ctlz and cttz of 0 the width: none is poison. */
static LLVMValueRef flagged_part(hd_lower *l, hd_op *op, const hd_handler *self, LLVMValueRef a, LLVMValueRef b) {
  (void)op, (void)b;
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMValueRef args[] = {a, LLVMConstInt(l->i1, 0, false)};
  return hd_lower_intrinsic(l, self->intrinsic, &type, 1, args, 2);
}
static bool lower_flagged(hd_lower *l, hd_op *op, const hd_handler *self) {
  return each_part(l, op, self, flagged_part);
}

/* floor: q - (r != 0 && signs differ); ceil: q + (r != 0 && signs agree). */
static LLVMValueRef rounded_division_part(hd_lower *l, hd_op *op, const hd_handler *self, LLVMValueRef a,
                                          LLVMValueRef b) {
  (void)op;
  LLVMBuilderRef bd = l->builder;
  bool is_unsigned = self->code == 2, is_floor = self->code == 0;
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
  LLVMValueRef q = is_unsigned ? LLVMBuildUDiv(bd, a, b, "") : LLVMBuildSDiv(bd, a, b, "");
  LLVMValueRef r = LLVMBuildSub(bd, a, LLVMBuildMul(bd, q, b, ""), "");
  LLVMValueRef inexact = LLVMBuildICmp(bd, LLVMIntNE, r, zero, "");
  if (!is_unsigned) {
    LLVMValueRef signs = LLVMBuildXor(bd, a, b, "");
    inexact = LLVMBuildAnd(bd, inexact, LLVMBuildICmp(bd, is_floor ? LLVMIntSLT : LLVMIntSGE, signs, zero, ""), "");
  }
  LLVMValueRef step = LLVMBuildZExt(bd, inexact, LLVMTypeOf(a), "");
  if (LLVMTypeOf(a) == l->i1) step = inexact;
  return is_floor ? LLVMBuildSub(bd, q, step, "") : LLVMBuildAdd(bd, q, step, "");
}
static bool lower_rounded_division(hd_lower *l, hd_op *op, const hd_handler *self) {
  return each_part(l, op, self, rounded_division_part);
}

static LLVMValueRef compare_part(hd_lower *l, hd_op *op, const hd_handler *self, LLVMValueRef a, LLVMValueRef b) {
  (void)self;
  LLVMIntPredicate predicate;
  if (!hd_llvm_int_predicate(hd_attr_int_or(hd_with_predicate_predicate(op), -1), &predicate)) {
    hd_lower_fail(l, op, "has no known predicate");
    return NULL;
  }
  return LLVMBuildICmp(l->builder, predicate, a, b, "");
}
static bool lower_compare(hd_lower *l, hd_op *op, const hd_handler *self) {
  return each_part(l, op, self, compare_part);
}

/* Extensions and truncations, by the widths of the two types: index casts may be either. */
static LLVMValueRef resize(hd_lower *l, LLVMValueRef value, LLVMTypeRef scalar, bool is_signed) {
  LLVMTypeRef type = hd_lower_like(LLVMTypeOf(value), scalar);
  unsigned from = LLVMGetIntTypeWidth(hd_lower_scalar(LLVMTypeOf(value))), to = LLVMGetIntTypeWidth(scalar);
  if (from == to) return value;
  if (to < from) return LLVMBuildTrunc(l->builder, value, type, "");
  return is_signed ? LLVMBuildSExt(l->builder, value, type, "") : LLVMBuildZExt(l->builder, value, type, "");
}
static LLVMValueRef resize_part(hd_lower *l, hd_op *op, const hd_handler *self, LLVMValueRef a, LLVMValueRef b) {
  (void)b;
  hd_type element = hd_type_element(hd_result_type(op, 0));
  LLVMTypeRef scalar = hd_lower_element(l, op, element);
  if (!scalar) return NULL;
  if (LLVMGetTypeKind(scalar) != LLVMIntegerTypeKind ||
      LLVMGetTypeKind(hd_lower_scalar(LLVMTypeOf(a))) != LLVMIntegerTypeKind) {
    hd_lower_fail(l, op, "expected integers");
    return NULL;
  }
  return resize(l, a, scalar, self->code);
}
static bool lower_resize(hd_lower *l, hd_op *op, const hd_handler *self) { return each_part(l, op, self, resize_part); }

/* Two results: sum and carry, or low and high half of a product. */
static bool lower_extended(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_parts *a = hd_lower_parts(l, hd_operand(op, 0)), *b = hd_lower_parts(l, hd_operand(op, 1));
  hd_parts *low = hd_lower_new_parts(l, a->count), *high = hd_lower_new_parts(l, a->count);
  LLVMBuilderRef bd = l->builder;
  for (uint32_t p = 0; p < a->count; ++p) {
    LLVMTypeRef type = LLVMTypeOf(a->at[p]);
    if (self->code == 0) {
      low->at[p] = LLVMBuildAdd(bd, a->at[p], b->at[p], "");
      high->at[p] = LLVMBuildICmp(bd, LLVMIntULT, low->at[p], a->at[p], "");
      continue;
    }
    bool is_signed = self->code == 2;
    unsigned width = LLVMGetIntTypeWidth(hd_lower_scalar(type));
    LLVMTypeRef scalar = LLVMIntTypeInContext(l->context, 2 * width);
    LLVMValueRef x = resize(l, a->at[p], scalar, is_signed), y = resize(l, b->at[p], scalar, is_signed);
    LLVMValueRef product = LLVMBuildMul(bd, x, y, "");
    low->at[p] = LLVMBuildTrunc(bd, product, type, "");
    LLVMValueRef shift = LLVMConstInt(scalar, width, false);
    if (hd_lower_lanes(type)) shift = hd_lower_splat(l, shift, hd_lower_lanes(type));
    high->at[p] = LLVMBuildTrunc(bd, LLVMBuildLShr(bd, product, shift, ""), type, "");
  }
  hd_lower_set(l, hd_result(op, 0), low);
  hd_lower_set(l, hd_result(op, 1), high);
  return true;
}

/* A scalar condition chooses whole values, a vector condition lanes. */
static bool lower_select(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_parts *c = hd_lower_parts(l, hd_operand(op, 0));
  hd_parts *a = hd_lower_parts(l, hd_operand(op, 1)), *b = hd_lower_parts(l, hd_operand(op, 2));
  if (a->count != b->count || (c->count != 1 && c->count != a->count))
    return hd_lower_fail(l, op, "has operands of different shapes");
  hd_parts *out = hd_lower_new_parts(l, a->count);
  for (uint32_t p = 0; p < a->count; ++p) {
    LLVMValueRef condition = c->at[c->count == 1 ? 0 : p];
    uint32_t lanes = hd_lower_lanes(LLVMTypeOf(condition));
    if (LLVMTypeOf(a->at[p]) != LLVMTypeOf(b->at[p]) || (lanes && lanes != hd_lower_lanes(LLVMTypeOf(a->at[p]))))
      return hd_lower_fail(l, op, "has operands of different types");
    out->at[p] = LLVMBuildSelect(l->builder, condition, a->at[p], b->at[p], "");
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_bitcast(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_parts *a = hd_lower_parts(l, hd_operand(op, 0));
  hd_type type = hd_result_type(op, 0);
  uint32_t count = hd_lower_part_count(l, op, type);
  if (!count) return false;
  if (count != a->count ||
      hd_type_bits(hd_type_element(type)) != hd_type_bits(hd_type_element(hd_operand_type(op, 0))) ||
      type->kind == HD_TYPE_MEMREF)
    return hd_lower_fail(l, op, "expected two numbers or vectors of one width");
  hd_parts *out = hd_lower_new_parts(l, count);
  for (uint32_t p = 0; p < count; ++p) {
    LLVMTypeRef to = hd_lower_part_type(l, op, type, p), from = LLVMTypeOf(a->at[p]);
    if (!to) return false;
    /* f6 and f4 are kept in 8 bits, integers of their width are not. */
    LLVMTypeRef to_scalar = hd_lower_scalar(to), from_scalar = hd_lower_scalar(from);
    if (LLVMGetTypeKind(to_scalar) == LLVMIntegerTypeKind && LLVMGetTypeKind(from_scalar) == LLVMIntegerTypeKind)
      out->at[p] = resize(l, a->at[p], to_scalar, false);
    else
      out->at[p] = LLVMBuildBitCast(l->builder, a->at[p], to, "");
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_constant(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_attr value = hd_constant_like_value(op);
  hd_type type = hd_result_type(op, 0);
  if (hd_attr_is(value, HD_ATTR_INTEGER) || hd_attr_is(value, HD_ATTR_FLOAT)) {
    LLVMTypeRef lowered = hd_lower_element(l, op, type);
    if (!lowered) return false;
    uint64_t bits = value->kind == HD_ATTR_INTEGER ? (uint64_t)value->integer : value->floating.bits;
    bool is_int = LLVMGetTypeKind(lowered) == LLVMIntegerTypeKind;
    return hd_lower_result(l, op, is_int ? hd_lower_int(lowered, bits) : hd_lower_float_bits(l, lowered, bits));
  }
  if (!hd_attr_is(value, HD_ATTR_DENSE) || type->kind != HD_TYPE_VECTOR)
    return hd_lower_fail(l, op, "expected a number or a dense vector");
  uint32_t count = hd_lower_part_count(l, op, type);
  if (!count) return false;
  hd_parts *out = hd_lower_new_parts(l, count);
  for (uint32_t p = 0; p < count; ++p) {
    LLVMTypeRef lowered = hd_lower_part_type(l, op, type, p);
    if (!lowered) return false;
    uint32_t lanes = hd_lower_lanes(lowered);
    LLVMValueRef *items = hd_new_array(l->arena, LLVMValueRef, lanes);
    for (uint32_t i = 0; i < lanes; ++i) {
      items[i] =
          hd_lower_constant_element(l, op, type->shaped.element, hd_attr_element_data(value, (size_t)p * lanes + i));
      if (!items[i]) return false;
    }
    out->at[p] = LLVMConstVector(items, lanes);
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

const hd_handler hd_handlers_arith[] = {
    {"arith.constant", lower_constant, 0, NULL},
    {"arith.addi", lower_binary, LLVMAdd, NULL},
    {"arith.subi", lower_binary, LLVMSub, NULL},
    {"arith.muli", lower_binary, LLVMMul, NULL},
    {"arith.divsi", lower_binary, LLVMSDiv, NULL},
    {"arith.divui", lower_binary, LLVMUDiv, NULL},
    {"arith.remsi", lower_binary, LLVMSRem, NULL},
    {"arith.remui", lower_binary, LLVMURem, NULL},
    {"arith.andi", lower_binary, LLVMAnd, NULL},
    {"arith.ori", lower_binary, LLVMOr, NULL},
    {"arith.xori", lower_binary, LLVMXor, NULL},
    {"arith.shli", lower_binary, LLVMShl, NULL},
    {"arith.shrsi", lower_binary, LLVMAShr, NULL},
    {"arith.shrui", lower_binary, LLVMLShr, NULL},
    {"arith.floordivsi", lower_rounded_division, 0, NULL},
    {"arith.ceildivsi", lower_rounded_division, 1, NULL},
    {"arith.ceildivui", lower_rounded_division, 2, NULL},
    {"arith.minsi", lower_extreme, LLVMIntSLT, "llvm.smin"},
    {"arith.maxsi", lower_extreme, LLVMIntSGT, "llvm.smax"},
    {"arith.minui", lower_extreme, LLVMIntULT, "llvm.umin"},
    {"arith.maxui", lower_extreme, LLVMIntUGT, "llvm.umax"},
    {"arith.addui_extended", lower_extended, 0, NULL},
    {"arith.mului_extended", lower_extended, 1, NULL},
    {"arith.mulsi_extended", lower_extended, 2, NULL},
    {"arith.cmpi", lower_compare, 0, NULL},
    {"arith.extsi", lower_resize, 1, NULL},
    {"arith.extui", lower_resize, 0, NULL},
    {"arith.trunci", lower_resize, 0, NULL},
    {"arith.index_cast", lower_resize, 1, NULL},
    {"arith.index_castui", lower_resize, 0, NULL},
    {"arith.select", lower_select, 0, NULL},
    {"arith.bitcast", lower_bitcast, 0, NULL},
    {"math.absi", lower_flagged, 0, "llvm.abs"},
    {"math.ctlz", lower_flagged, 0, "llvm.ctlz"},
    {"math.cttz", lower_flagged, 0, "llvm.cttz"},
    {"math.ctpop", lower_intrinsic, 0, "llvm.ctpop"},
    {NULL, NULL, 0, NULL},
};
