/* SPDX-License-Identifier: Apache-2.0 */
#include "target/llvm/contract.h"

#include <stdbool.h>
#include <string.h>

static bool may_contract(LLVMValueRef value) {
  return LLVMCanValueUseFastMathFlags(value) && (LLVMGetFastMathFlags(value) & LLVMFastMathAllowContract);
}

/* The machine multiplies and adds at once f32 and f64 alone. */
static bool has_fma(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind || LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static bool is_read_by_one(LLVMValueRef value, LLVMBasicBlockRef block) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use) && LLVMGetInstructionParent(value) == block;
}

/* The multiplication that operand |i| of |sum| is, by way of |*out_negations|, which are
 * exact, and which |sum| may take; else null. */
static LLVMValueRef product_of(LLVMValueRef sum, unsigned i, unsigned *out_negations) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(sum);
  LLVMValueRef value = LLVMGetOperand(sum, i);
  for (*out_negations = 0;; ++*out_negations) {
    if (!LLVMIsAInstruction(value) || !is_read_by_one(value, block)) return NULL;
    if (LLVMGetInstructionOpcode(value) != LLVMFNeg) break;
    value = LLVMGetOperand(value, 0);
  }
  return LLVMGetInstructionOpcode(value) == LLVMFMul && may_contract(value) ? value : NULL;
}

static LLVMValueRef build_fma(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef *args) {
  static const char name[] = "llvm.fma";
  LLVMTypeRef type = LLVMTypeOf(args[0]);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
  return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, args, 3, "");
}

/* |product|, operand |i| of |sum| and negated there where |negated|, and the other operand as an fma before |sum|. */
static LLVMValueRef contracted(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef sum, unsigned i,
                               LLVMValueRef product, bool negated) {
  LLVMValueRef args[] = {LLVMGetOperand(product, 0), LLVMGetOperand(product, 1), LLVMGetOperand(sum, 1 - i)};
  LLVMPositionBuilderBefore(b, sum);
  bool subtracts = LLVMGetInstructionOpcode(sum) == LLVMFSub;
  if (negated != (subtracts && i == 1)) args[0] = LLVMBuildFNeg(b, args[0], "");
  if (subtracts && i == 0) args[2] = LLVMBuildFNeg(b, args[2], "");
  return build_fma(module, b, args);
}

/* |value| and, of its first operands, what only it reads, up to |last|. */
static void erase_through(LLVMValueRef value, LLVMValueRef last) {
  for (LLVMValueRef next = NULL; value != last; value = next) {
    next = LLVMGetOperand(value, 0);
    LLVMInstructionEraseFromParent(value);
  }
  LLVMInstructionEraseFromParent(last);
}

static void contract_sum(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef sum) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(sum);
  if ((opcode != LLVMFAdd && opcode != LLVMFSub) || !may_contract(sum) || !has_fma(LLVMTypeOf(sum))) return;
  unsigned negations, i = 0;
  LLVMValueRef product = product_of(sum, i, &negations);
  if (!product) product = product_of(sum, ++i, &negations);
  if (!product) return;
  LLVMValueRef operand = LLVMGetOperand(sum, i);
  LLVMReplaceAllUsesWith(sum, contracted(module, b, sum, i, product, negations % 2));
  LLVMInstructionEraseFromParent(sum);
  erase_through(operand, product);
}

/* What is left apart stays so: the code generator would go on by rules of its own, as through a select where the
 * machine adds under a mask, and does not without optimisation. The C API adds flags and takes none away, so the
 * instruction is made anew. */
static void forbid(LLVMBuilderRef b, LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if ((opcode != LLVMFAdd && opcode != LLVMFSub && opcode != LLVMFMul) || !may_contract(value)) return;
  LLVMPositionBuilderBefore(b, value);
  LLVMValueRef apart = LLVMBuildBinOp(b, opcode, LLVMGetOperand(value, 0), LLVMGetOperand(value, 1), "");
  if (LLVMIsAInstruction(apart)) LLVMSetFastMathFlags(apart, LLVMGetFastMathFlags(value) & ~LLVMFastMathAllowContract);
  LLVMReplaceAllUsesWith(value, apart);
  LLVMInstructionEraseFromParent(value);
}

static void contract_block(LLVMModuleRef module, LLVMBuilderRef b, LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
    next = LLVMGetNextInstruction(at); /* neither product nor negation, which stand before their sum */
    contract_sum(module, b, at);
  }
  for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
    next = LLVMGetNextInstruction(at);
    forbid(b, at);
  }
}

void hd_contract(LLVMModuleRef module) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      contract_block(module, b, block);
  LLVMDisposeBuilder(b);
}
