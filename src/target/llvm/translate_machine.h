/* SPDX-License-Identifier: Apache-2.0 */
/* Machine form to LLVM IR: the state that its files share. Internal to target/llvm. A value is one LLVM value. */
#ifndef HD_TARGET_LLVM_TRANSLATE_MACHINE_H_
#define HD_TARGET_LLVM_TRANSLATE_MACHINE_H_

#include <llvm-c/Core.h>

#include "base/map.h"
#include "target/llvm/machine.h"

typedef struct hd_machine_translation {
  const hd_llvm_machine *machine;
  hd_arena *arena;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef i1, i32, i64;
  hd_map values;  /* hd_value* -> LLVMValueRef */
  hd_map blocks;  /* hd_block* -> LLVMBasicBlockRef */
  hd_map symbols; /* llvm.func or llvm.mlir.global -> LLVMValueRef */
  hd_status status;
} hd_machine_translation;

/* Sets the status with the op's place; always false. */
bool hd_machine_fail(hd_machine_translation *t, hd_op *op, const char *format, ...) HD_PRINTF(3, 4);
LLVMTypeRef hd_machine_llvm_type(hd_machine_translation *t, hd_op *op, hd_type type); /* null after an error */
LLVMValueRef hd_machine_operand_value(hd_machine_translation *t, hd_op *op, uint32_t i);
bool hd_machine_give(hd_machine_translation *t, hd_op *op, uint32_t i, LLVMValueRef value);
/* A call of an intrinsic of one form. */
LLVMValueRef hd_machine_intrinsic(hd_machine_translation *t, const char *name, LLVMValueRef *args, unsigned count);
/* The same, overloaded on |type|. */
LLVMValueRef hd_machine_overloaded(hd_machine_translation *t, const char *name, LLVMTypeRef type, LLVMValueRef *args,
                                   unsigned count);

/* One op of a block but branches (translate_machine_ops.c); the gpu dialect's (translate_machine_gpu.c). */
bool hd_machine_translate_op(hd_machine_translation *t, hd_op *op);
bool hd_machine_translate_gpu(hd_machine_translation *t, hd_op *op);
/* nvvm's (translate_machine_nvvm.c), on machines of NVPTX. */
bool hd_machine_translate_nvvm(hd_machine_translation *t, hd_op *op);
/* |value| in every element of |type|, integers. */
LLVMValueRef hd_machine_splat(LLVMTypeRef type, uint64_t value);

/* Integers of 2 to 7 bits where the machine has none (translate_machine_narrow.c). Is |type| of such? */
bool hd_machine_is_narrow(const hd_machine_translation *t, hd_type type);
bool hd_machine_touches_narrow(const hd_machine_translation *t, hd_op *op);
/* |value| of |type| with its sign in the bits above; other types as they are. */
LLVMValueRef hd_machine_settle(hd_machine_translation *t, hd_type type, LLVMValueRef value);
/* Operand |i|, without its sign where it is narrow. */
LLVMValueRef hd_machine_unsigned(hd_machine_translation *t, hd_op *op, uint32_t i);
/* What an op is to LLVM: one of the three. */
typedef struct hd_machine_code {
  int binary, cast;      /* LLVMOpcode; 0: not one */
  const char *intrinsic; /* its name */
  hd_name poison;        /* the attribute whose value is its last operand; 0: none */
} hd_machine_code;
/* |op|, which is |code| and gives |type|. */
bool hd_machine_translate_narrow(hd_machine_translation *t, hd_op *op, hd_machine_code code, LLVMTypeRef type);
/* What OpenCL has functions for, and what it lacks (translate_machine_opencl.c). Null, or false, with an error at |op|.
 */
LLVMValueRef hd_machine_opencl_number(hd_machine_translation *t, hd_grid_number number);
bool hd_machine_opencl_barrier(hd_machine_translation *t);
/* |value|, an i32, of lane |source| of the subgroup. */
LLVMValueRef hd_machine_opencl_exchange(hd_machine_translation *t, LLVMValueRef value, LLVMValueRef source);
LLVMValueRef hd_machine_opencl_lane(hd_machine_translation *t);
/* maximum or minimum, which OpenCL does not have: NaN where one is NaN, -0 below +0. */
LLVMValueRef hd_machine_opencl_extremum(hd_machine_translation *t, LLVMValueRef x, LLVMValueRef y, bool maximum);
/* From bf16, an i16, to |type|, and back; also vectors. */
LLVMValueRef hd_machine_opencl_from_bf16(hd_machine_translation *t, LLVMValueRef value, LLVMTypeRef type);
LLVMValueRef hd_machine_opencl_to_bf16(hd_machine_translation *t, LLVMValueRef value);
/* cmpxchg: what is at |at| becomes |desired| where it is |expected|. */
typedef struct hd_machine_exchange {
  LLVMValueRef at, expected, desired;
  LLVMAtomicOrdering success, failure;
  unsigned scope;
} hd_machine_exchange;
/* A pair of what lay there and whether it was exchanged: the instruction (translate_machine_ops.c); of 8 or 16 bits,
 * which OpenCL exchanges in the word of 32 around them. */
LLVMValueRef hd_machine_exchange_word(hd_machine_translation *t, const hd_machine_exchange *x);
LLVMValueRef hd_machine_opencl_exchange_part(hd_machine_translation *t, const hd_machine_exchange *x);
/* An atomic op of kind |kind| on a float, as a loop. */
LLVMValueRef hd_machine_opencl_float_atomic(hd_machine_translation *t, hd_op *op, LLVMAtomicRMWBinOp kind);
/* What |function|, the kernel |func| of blocks of |block| threads (null: any), asks of a device. */
bool hd_machine_opencl_kernel(hd_machine_translation *t, hd_op *func, LLVMValueRef function, const int64_t *block);

/* All of a gpu.module (translate_machine.c). */
bool hd_machine_translate_module(hd_machine_translation *t, hd_op *kernels);

#endif
