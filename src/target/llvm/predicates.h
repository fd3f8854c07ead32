/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of arith and of the llvm dialect, whose predicates have the same numbers, as LLVM's. */
#ifndef HD_TARGET_LLVM_PREDICATES_H_
#define HD_TARGET_LLVM_PREDICATES_H_

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* False, with |*out| as it was: there is no such predicate. */
bool hd_llvm_int_predicate(int64_t predicate, LLVMIntPredicate *out);
bool hd_llvm_real_predicate(int64_t predicate, LLVMRealPredicate *out);

#endif
