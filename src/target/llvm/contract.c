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

/* May operand |i| of |sum| be part of it? */
static bool is_product(LLVMValueRef sum, unsigned i) {
  LLVMValueRef value = LLVMGetOperand(sum, i);
  if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMFMul || !may_contract(value)) return false;
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use) && LLVMGetInstructionParent(value) == LLVMGetInstructionParent(sum);
}

static LLVMValueRef build_fma(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef *args) {
  static const char name[] = "llvm.fma";
  LLVMTypeRef type = LLVMTypeOf(args[0]);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
  return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, args, 3, "");
}

/* x * y + z, x * y - z, or z - x * y as an fma before |sum|; |i| is the product's operand. */
static LLVMValueRef contracted(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef sum, unsigned i) {
  LLVMValueRef product = LLVMGetOperand(sum, i);
  LLVMValueRef args[] = {LLVMGetOperand(product, 0), LLVMGetOperand(product, 1), LLVMGetOperand(sum, 1 - i)};
  LLVMPositionBuilderBefore(b, sum);
  if (LLVMGetInstructionOpcode(sum) == LLVMFSub) {
    LLVMValueRef *negated = &args[i ? 0 : 2];
    *negated = LLVMBuildFNeg(b, *negated, "");
  }
  return build_fma(module, b, args);
}

static void contract_sum(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef sum) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(sum);
  if ((opcode != LLVMFAdd && opcode != LLVMFSub) || !may_contract(sum) || !has_fma(LLVMTypeOf(sum))) return;
  unsigned i = is_product(sum, 0) ? 0 : 1;
  if (!is_product(sum, i)) return;
  LLVMValueRef product = LLVMGetOperand(sum, i);
  LLVMReplaceAllUsesWith(sum, contracted(module, b, sum, i));
  LLVMInstructionEraseFromParent(sum);
  LLVMInstructionEraseFromParent(product);
}

void hd_contract(LLVMModuleRef module) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
        next = LLVMGetNextInstruction(at); /* not the product, which stands before its sum */
        contract_sum(module, b, at);
      }
  LLVMDisposeBuilder(b);
}
