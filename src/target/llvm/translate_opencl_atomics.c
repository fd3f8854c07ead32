/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic ops that OpenCL has no instruction for, as loops that exchange words. */
#include "target/llvm/translate_machine.h"

static unsigned float_bits(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? 64 : LLVMGetTypeKind(type) == LLVMFloatTypeKind ? 32 : 16;
}

/* A block after |after|, so that blocks are in the order of the program. */
static LLVMBasicBlockRef block_behind(hd_machine_translation *t, LLVMBasicBlockRef after) {
  LLVMBasicBlockRef made = LLVMAppendBasicBlockInContext(t->context, LLVMGetBasicBlockParent(after), "");
  LLVMMoveBasicBlockAfter(made, after);
  return made;
}

/* What the element becomes. */
static LLVMValueRef combine(hd_machine_translation *t, LLVMAtomicRMWBinOp kind, LLVMValueRef old, LLVMValueRef value) {
  LLVMValueRef args[] = {old, value};
  switch (kind) {
    case LLVMAtomicRMWBinOpXchg:
      return value;
    case LLVMAtomicRMWBinOpFAdd:
      return LLVMBuildFAdd(t->builder, old, value, "");
    case LLVMAtomicRMWBinOpFSub:
      return LLVMBuildFSub(t->builder, old, value, "");
    case LLVMAtomicRMWBinOpFMax:
      return hd_machine_overloaded(t, "llvm.maxnum", LLVMTypeOf(old), args, 2);
    case LLVMAtomicRMWBinOpFMin:
      return hd_machine_overloaded(t, "llvm.minnum", LLVMTypeOf(old), args, 2);
    case LLVMAtomicRMWBinOpFMaximum:
    case LLVMAtomicRMWBinOpFMinimum:
      return hd_machine_opencl_extremum(t, old, value, kind == LLVMAtomicRMWBinOpFMaximum);
    default:
      return NULL;
  }
}

/* The first turn guesses, for a plain read would race with what other threads write, and an atomic one is no OpenCL
 * load of llvm's:
 *
 *   br loop                     loop:  old' = phi(0, seen)
 *                                      seen, done = cmpxchg p, bits(old'), bits(combine(old', value))
 *                                      br done ? end : loop */
LLVMValueRef hd_machine_opencl_float_atomic(hd_machine_translation *t, hd_op *op, LLVMAtomicRMWBinOp kind) {
  LLVMValueRef pointer = hd_machine_operand_value(t, op, 0), value = hd_machine_operand_value(t, op, 1);
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned width = float_bits(type);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || width < 32)
    return hd_machine_fail(t, op, "is on fewer bits than OpenCL exchanges, expected 32 or 64"), NULL;
  LLVMTypeRef bits = LLVMIntTypeInContext(t->context, width);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(t->builder);
  LLVMValueRef first = LLVMConstNull(bits);
  LLVMBasicBlockRef loop = block_behind(t, before), end = block_behind(t, loop);
  LLVMBuildBr(t->builder, loop);
  LLVMPositionBuilderAtEnd(t->builder, loop);
  LLVMValueRef old = LLVMBuildPhi(t->builder, bits, "");
  LLVMValueRef next = combine(t, kind, LLVMBuildBitCast(t->builder, old, type, ""), value);
  if (!next) return hd_machine_fail(t, op, "is of a kind without code"), NULL;
  unsigned scope = LLVMGetSyncScopeID(t->context, "device", 6);
  LLVMValueRef pair =
      LLVMBuildAtomicCmpXchgSyncScope(t->builder, pointer, old, LLVMBuildBitCast(t->builder, next, bits, ""),
                                      LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, scope);
  LLVMValueRef seen = LLVMBuildExtractValue(t->builder, pair, 0, "");
  LLVMValueRef done = LLVMBuildExtractValue(t->builder, pair, 1, "");
  LLVMBuildCondBr(t->builder, done, end, loop);
  LLVMValueRef incoming[] = {first, seen};
  LLVMBasicBlockRef from[] = {before, loop};
  LLVMAddIncoming(old, incoming, from, 2);
  LLVMPositionBuilderAtEnd(t->builder, end);
  return LLVMBuildBitCast(t->builder, old, type, "");
}

/* |value|, a part of a word, at |shift| in it. */
static LLVMValueRef in_word(hd_machine_translation *t, LLVMValueRef value, LLVMValueRef shift) {
  return LLVMBuildShl(t->builder, LLVMBuildZExt(t->builder, value, t->i32, ""), shift, "");
}

/* The first turn guesses here too:
 *
 *   br loop               loop: rest' = phi(0, others)
 *                               seen, done = cmpxchg word, rest' | expected, rest' | desired
 *                               others = seen & ~mask
 *                               br !done && others != rest' ? loop : end      its neighbours alone came between
 *                         end:  { part of seen, done } */
LLVMValueRef hd_machine_opencl_exchange_part(hd_machine_translation *t, const hd_machine_exchange *x) {
  LLVMBuilderRef b = t->builder;
  LLVMTypeRef part = LLVMTypeOf(x->expected), byte = LLVMInt8TypeInContext(t->context);
  LLVMValueRef address = LLVMBuildPtrToInt(b, x->at, t->i64, "");
  LLVMValueRef low = LLVMBuildAnd(b, address, LLVMConstInt(t->i64, 3, false), "");
  LLVMValueRef back = LLVMBuildNeg(b, low, ""), word = LLVMBuildGEP2(b, byte, x->at, &back, 1, "");
  LLVMValueRef shift = LLVMBuildTrunc(b, LLVMBuildShl(b, low, LLVMConstInt(t->i64, 3, false), ""), t->i32, "");
  LLVMValueRef ones = LLVMConstInt(t->i32, LLVMGetIntTypeWidth(part) == 8 ? 0xff : 0xffff, false);
  LLVMValueRef keep = LLVMBuildNot(b, LLVMBuildShl(b, ones, shift, ""), "");
  LLVMValueRef expected = in_word(t, x->expected, shift), desired = in_word(t, x->desired, shift);
  LLVMValueRef first = LLVMConstNull(t->i32);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b), loop = block_behind(t, before), end = block_behind(t, loop);
  LLVMBuildBr(b, loop);
  LLVMPositionBuilderAtEnd(b, loop);
  LLVMValueRef rest = LLVMBuildPhi(b, t->i32, "");
  hd_machine_exchange whole = *x;
  whole.at = word;
  whole.expected = LLVMBuildOr(b, rest, expected, "");
  whole.desired = LLVMBuildOr(b, rest, desired, "");
  LLVMValueRef pair = hd_machine_exchange_word(t, &whole);
  LLVMValueRef seen = LLVMBuildExtractValue(b, pair, 0, ""), done = LLVMBuildExtractValue(b, pair, 1, "");
  LLVMValueRef others = LLVMBuildAnd(b, seen, keep, "");
  LLVMValueRef again = LLVMBuildAnd(b, LLVMBuildNot(b, done, ""), LLVMBuildICmp(b, LLVMIntNE, others, rest, ""), "");
  LLVMBuildCondBr(b, again, loop, end);
  LLVMValueRef incoming[] = {first, others};
  LLVMBasicBlockRef from[] = {before, loop};
  LLVMAddIncoming(rest, incoming, from, 2);
  LLVMPositionBuilderAtEnd(b, end);
  LLVMValueRef found = LLVMBuildTrunc(b, LLVMBuildLShr(b, seen, shift, ""), part, "");
  LLVMTypeRef types[] = {part, LLVMInt1TypeInContext(t->context)};
  LLVMValueRef made = LLVMGetUndef(LLVMStructTypeInContext(t->context, types, 2, false));
  made = LLVMBuildInsertValue(b, made, found, 0, "");
  return LLVMBuildInsertValue(b, made, done, 1, "");
}
