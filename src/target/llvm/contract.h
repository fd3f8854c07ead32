/* SPDX-License-Identifier: Apache-2.0 */
/* Which multiplications and additions become one operation that rounds once. */
#ifndef HD_TARGET_LLVM_CONTRACT_H_
#define HD_TARGET_LLVM_CONTRACT_H_

#include <llvm-c/Core.h>

/* In every function of |module|: an addition or subtraction that may be contracted takes a multiplication
 * that may be, itself or negated, is read by it alone and stands in its block, as an fma: the first
 * operand's, else the second's. What is left may not be contracted any more. So what is rounded follows from
 * the program, not from what a code generator finds. */
void hd_contract(LLVMModuleRef module);

#endif
