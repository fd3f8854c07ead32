/* SPDX-License-Identifier: Apache-2.0 */
#include "target/llvm/predicates.h"

#include "ir/ops/enums.h"

static const LLVMIntPredicate ints[] = {[HD_ARITH_CMPI_EQ] = LLVMIntEQ,   [HD_ARITH_CMPI_NE] = LLVMIntNE,
                                        [HD_ARITH_CMPI_SLT] = LLVMIntSLT, [HD_ARITH_CMPI_SLE] = LLVMIntSLE,
                                        [HD_ARITH_CMPI_SGT] = LLVMIntSGT, [HD_ARITH_CMPI_SGE] = LLVMIntSGE,
                                        [HD_ARITH_CMPI_ULT] = LLVMIntULT, [HD_ARITH_CMPI_ULE] = LLVMIntULE,
                                        [HD_ARITH_CMPI_UGT] = LLVMIntUGT, [HD_ARITH_CMPI_UGE] = LLVMIntUGE};
static const LLVMRealPredicate reals[] = {
    [HD_ARITH_CMPF_FALSE] = LLVMRealPredicateFalse,
    [HD_ARITH_CMPF_OEQ] = LLVMRealOEQ,
    [HD_ARITH_CMPF_OGT] = LLVMRealOGT,
    [HD_ARITH_CMPF_OGE] = LLVMRealOGE,
    [HD_ARITH_CMPF_OLT] = LLVMRealOLT,
    [HD_ARITH_CMPF_OLE] = LLVMRealOLE,
    [HD_ARITH_CMPF_ONE] = LLVMRealONE,
    [HD_ARITH_CMPF_ORD] = LLVMRealORD,
    [HD_ARITH_CMPF_UEQ] = LLVMRealUEQ,
    [HD_ARITH_CMPF_UGT] = LLVMRealUGT,
    [HD_ARITH_CMPF_UGE] = LLVMRealUGE,
    [HD_ARITH_CMPF_ULT] = LLVMRealULT,
    [HD_ARITH_CMPF_ULE] = LLVMRealULE,
    [HD_ARITH_CMPF_UNE] = LLVMRealUNE,
    [HD_ARITH_CMPF_UNO] = LLVMRealUNO,
    [HD_ARITH_CMPF_TRUE] = LLVMRealPredicateTrue,
};

_Static_assert((int)HD_LLVM_ICMP_EQ == (int)HD_ARITH_CMPI_EQ && (int)HD_LLVM_ICMP_SLT == (int)HD_ARITH_CMPI_SLT &&
                   (int)HD_LLVM_ICMP_ULT == (int)HD_ARITH_CMPI_ULT && (int)HD_LLVM_ICMP_UGE == (int)HD_ARITH_CMPI_UGE,
               "comparisons of integers have the same numbers in both dialects");
_Static_assert((int)HD_LLVM_FCMP_OEQ == (int)HD_ARITH_CMPF_OEQ && (int)HD_LLVM_FCMP_ORD == (int)HD_ARITH_CMPF_ORD &&
                   (int)HD_LLVM_FCMP_UEQ == (int)HD_ARITH_CMPF_UEQ && (int)HD_LLVM_FCMP_UNE == (int)HD_ARITH_CMPF_UNE &&
                   (int)HD_LLVM_FCMP_UNO == (int)HD_ARITH_CMPF_UNO && (int)HD_LLVM_FCMP_TRUE == (int)HD_ARITH_CMPF_TRUE,
               "comparisons of floats have the same numbers in both dialects");

bool hd_llvm_int_predicate(int64_t predicate, LLVMIntPredicate *out) {
  if (predicate < 0 || predicate >= (int64_t)(sizeof ints / sizeof *ints)) return false;
  *out = ints[predicate];
  return true;
}

bool hd_llvm_real_predicate(int64_t predicate, LLVMRealPredicate *out) {
  if (predicate < 0 || predicate >= (int64_t)(sizeof reals / sizeof *reals)) return false;
  *out = reals[predicate];
  return true;
}
