/* SPDX-License-Identifier: Apache-2.0 */
/* Integers of 2 to 7 bits where the machine has none: an i8 that holds the number with its sign, as memory does. What
 * an op makes of the bits above is put right after it; what takes numbers without a sign gets them from a mask. */
#include "target/llvm/translate_machine.h"

bool hd_machine_is_narrow(const hd_machine_translation *t, hd_type type) {
  hd_type element = hd_type_element(type);
  return t->machine->opencl && element->kind == HD_TYPE_INTEGER && element->integer.width > 1 &&
         element->integer.width < 8;
}

static unsigned width_of(hd_type type) { return hd_type_element(type)->integer.width; }

LLVMValueRef hd_machine_settle(hd_machine_translation *t, hd_type type, LLVMValueRef value) {
  if (!hd_machine_is_narrow(t, type)) return value;
  LLVMValueRef shift = hd_machine_splat(LLVMTypeOf(value), 8 - width_of(type));
  return LLVMBuildAShr(t->builder, LLVMBuildShl(t->builder, value, shift, ""), shift, "");
}

/* Without its sign, where |masked|. */
static LLVMValueRef operand(hd_machine_translation *t, hd_op *op, uint32_t i, bool masked) {
  LLVMValueRef value = hd_machine_operand_value(t, op, i);
  hd_type type = hd_operand_type(op, i);
  if (!masked || !hd_machine_is_narrow(t, type)) return value;
  return LLVMBuildAnd(t->builder, value, hd_machine_splat(LLVMTypeOf(value), (1u << width_of(type)) - 1), "");
}

static LLVMValueRef binary(hd_machine_translation *t, hd_op *op, LLVMOpcode code) {
  bool masked = code == LLVMUDiv || code == LLVMURem || code == LLVMLShr;
  return LLVMBuildBinOp(t->builder, code, operand(t, op, 0, masked), operand(t, op, 1, masked || code == LLVMShl), "");
}

/* Null where there is no code. */
static LLVMValueRef cast(hd_machine_translation *t, hd_op *op, LLVMOpcode code, LLVMTypeRef type) {
  LLVMValueRef value = operand(t, op, 0, code == LLVMZExt || code == LLVMUIToFP);
  if (code == LLVMBitCast && LLVMTypeOf(value) != type) return NULL; /* bits that do not be side by side */
  return LLVMTypeOf(value) == type ? value : LLVMBuildCast(t->builder, code, value, type, "");
}

/* Zeros above are no leading ones, and after the last bit is one. */
static LLVMValueRef count_bits(hd_machine_translation *t, hd_op *op, const char *name, LLVMTypeRef type) {
  unsigned width = width_of(hd_operand_type(op, 0));
  LLVMValueRef args[] = {operand(t, op, 0, true), LLVMConstInt(t->i1, 0, false)};
  if (hd_op_is(op, HD_OP_llvm_intr_ctpop)) return hd_machine_overloaded(t, name, type, args, 1);
  if (hd_op_is(op, HD_OP_llvm_intr_ctlz)) {
    args[0] = LLVMBuildShl(t->builder, args[0], hd_machine_splat(type, 8 - width), "");
    args[0] = LLVMBuildOr(t->builder, args[0], hd_machine_splat(type, (1u << (8 - width)) - 1), "");
  } else {
    args[0] = LLVMBuildOr(t->builder, args[0], hd_machine_splat(type, 1u << width), "");
  }
  return hd_machine_overloaded(t, name, type, args, 2);
}

static LLVMValueRef intrinsic(hd_machine_translation *t, hd_op *op, const char *name, LLVMTypeRef type) {
  LLVMValueRef args[2] = {NULL, LLVMConstInt(t->i1, 0, false)};
  switch (hd_opcode_get(op)) {
    case HD_OP_llvm_intr_ctlz:
    case HD_OP_llvm_intr_cttz:
    case HD_OP_llvm_intr_ctpop:
      return count_bits(t, op, name, type);
    case HD_OP_llvm_intr_abs:
      args[0] = operand(t, op, 0, false);
      return hd_machine_overloaded(t, name, type, args, 2);
    default: {
      bool masked = hd_op_is(op, HD_OP_llvm_intr_umax) || hd_op_is(op, HD_OP_llvm_intr_umin);
      for (uint32_t i = 0; i < 2 && i < op->operand_count; ++i) args[i] = operand(t, op, i, masked);
      return op->operand_count == 2 ? hd_machine_overloaded(t, name, type, args, 2) : NULL;
    }
  }
}

bool hd_machine_touches_narrow(const hd_machine_translation *t, hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_machine_is_narrow(t, hd_operand_type(op, i))) return true;
  return op->result_count && hd_machine_is_narrow(t, hd_result_type(op, 0));
}

bool hd_machine_translate_narrow(hd_machine_translation *t, hd_op *op, hd_machine_code code, LLVMTypeRef type) {
  LLVMValueRef made = code.binary ? binary(t, op, (LLVMOpcode)code.binary)
                      : code.cast ? cast(t, op, (LLVMOpcode)code.cast, type)
                                  : intrinsic(t, op, code.intrinsic, type);
  if (!made) return hd_machine_fail(t, op, "has no code on integers of less than a byte");
  return hd_machine_give(t, op, 0, hd_machine_settle(t, hd_result_type(op, 0), made));
}

LLVMValueRef hd_machine_unsigned(hd_machine_translation *t, hd_op *op, uint32_t i) { return operand(t, op, i, true); }
