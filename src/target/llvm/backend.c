/* SPDX-License-Identifier: Apache-2.0 */
#include "target/llvm/backend.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* LLVM's options are the process's, read without a lock by whatever generates code: all are set here, once, before any
 * target has a machine.
 *
 *   - Two passes of NVPTX's generator change no kernel for the better (docs/design/machine-code.md) and take a seventh
 *     of its time. The second is left out of every generator; x86's and SPIR-V's have none of that name.
 *   - SPIR-V's extensions are options, and of no other target. */
static void set_options(void) {
  static const char *const options[] = {"heddle", "--disable-nvptx-load-store-vectorizer",
                                        "--opt-disable=nary-reassociate",
                                        "--spirv-ext=+SPV_INTEL_subgroups,+SPV_KHR_float_controls"};
  LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
}

static void setup(void) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMInitializeSPIRVTargetInfo();
  LLVMInitializeSPIRVTarget();
  LLVMInitializeSPIRVTargetMC();
  LLVMInitializeSPIRVAsmPrinter();
  set_options();
}

static pthread_once_t is_set_up = PTHREAD_ONCE_INIT;

static hd_status failed(const char *what, char *text) {
  hd_status status = hd_make_status(HD_INTERNAL, "%s: %s", what, text);
  LLVMDisposeMessage(text);
  return status;
}

hd_status hd_backend_create(const hd_llvm_machine *m, LLVMCodeGenOptLevel level, LLVMTargetMachineRef *out) {
  LLVMTargetRef target;
  char *error = NULL;
  *out = NULL;
  pthread_once(&is_set_up, setup);
  if (LLVMGetTargetFromTriple(m->triple, &target, &error)) return failed("no code generator", error);
  LLVMCodeModel model = m->small_code ? LLVMCodeModelSmall : LLVMCodeModelDefault;
  *out = LLVMCreateTargetMachine(target, m->triple, m->cpu, m->features, level, LLVMRelocPIC, model);
  return *out ? HD_STATUS_OK : hd_make_status(HD_INTERNAL, "LLVM has no machine for %s %s", m->triple, m->cpu);
}

void hd_backend_prepare(const hd_llvm_machine *machine, LLVMTargetMachineRef target, LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target);
  LLVMSetTarget(module, machine->triple);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
}

hd_status hd_backend_optimise(LLVMTargetMachineRef target, LLVMModuleRef module, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, target, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return HD_STATUS_OK;
  char *text = LLVMGetErrorMessage(error);
  hd_status status = hd_make_status(HD_INTERNAL, "LLVM passes: %s", text);
  LLVMDisposeErrorMessage(text);
  return status;
}

hd_status hd_backend_verify(LLVMModuleRef module) {
  char *text = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &text))
    return failed("the translation to LLVM is not valid", text);
  LLVMDisposeMessage(text);
  return HD_STATUS_OK;
}

hd_status hd_backend_emit(LLVMTargetMachineRef target, LLVMModuleRef module, LLVMCodeGenFileType type,
                          LLVMMemoryBufferRef *out) {
  char *text = NULL;
  *out = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(target, module, type, &text, out)) return failed("code generation", text);
  return HD_STATUS_OK;
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user) {
  hd_backend_errors *errors = user;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || errors->first[0]) return;
  char *text = LLVMGetDiagInfoDescription(info);
  snprintf(errors->first, sizeof errors->first, "%s", text);
  LLVMDisposeMessage(text);
}

void hd_backend_watch(LLVMContextRef context, hd_backend_errors *errors) {
  LLVMContextSetDiagnosticHandler(context, on_diagnostic, errors);
}

hd_status hd_backend_error(const hd_backend_errors *errors) {
  return errors->first[0] ? hd_make_status(HD_INTERNAL, "code generation: %s", errors->first) : HD_STATUS_OK;
}
