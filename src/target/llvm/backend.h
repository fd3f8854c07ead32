/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's code generators, the same way for every machine: one is described, made, and takes a module through verifier,
 * passes and emission. Internal to target/llvm. Thread-safe; a machine is used by one thread at a time. LLVM ends the
 * process on fatal errors, so what is emitted has passed the translators' checks and the verifier. */
#ifndef HD_TARGET_LLVM_BACKEND_H_
#define HD_TARGET_LLVM_BACKEND_H_

#include <llvm-c/TargetMachine.h>

#include "base/status.h"
#include "target/llvm/machine.h"

/* Null and a status when LLVM has none. */
hd_status hd_backend_create(const hd_llvm_machine *machine, LLVMCodeGenOptLevel level,
                            LLVMTargetMachineRef *out) HD_MUST_USE;
/* Triple and data layout. */
void hd_backend_prepare(const hd_llvm_machine *machine, LLVMTargetMachineRef target, LLVMModuleRef module);
/* |passes| as opt takes them. */
hd_status hd_backend_optimise(LLVMTargetMachineRef target, LLVMModuleRef module, const char *passes) HD_MUST_USE;
hd_status hd_backend_verify(LLVMModuleRef module) HD_MUST_USE;
/* |*out| is the caller's, null on failure. */
hd_status hd_backend_emit(LLVMTargetMachineRef target, LLVMModuleRef module, LLVMCodeGenFileType type,
                          LLVMMemoryBufferRef *out) HD_MUST_USE;

/* The first error of LLVM's code generator, as a context's diagnostic handler gets it. */
typedef struct hd_backend_errors {
  char first[512]; /* "": none */
} hd_backend_errors;
void hd_backend_watch(LLVMContextRef context, hd_backend_errors *errors);
hd_status hd_backend_error(const hd_backend_errors *errors) HD_MUST_USE;

#endif
