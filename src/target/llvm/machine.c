/* SPDX-License-Identifier: Apache-2.0 */
/* The way of an image: translate, verify, the machine's passes, assembly text. LLVM ends the process on fatal errors, so
 * nothing reaches it that has not passed the translator's own checks and LLVM's verifier. */
#include "target/llvm/machine.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdio.h>

#include "target/llvm/translate_machine.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void setup(void) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

typedef struct job {
  hd_machine_translation t;
  hd_op *const *modules;
  size_t count;
  hd_arena *arena; /* of the text */
  hd_str *out;
  LLVMTargetMachineRef machine;
  char diagnostic[256];
} job;

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user) {
  job *j = user;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || j->diagnostic[0]) return;
  char *text = LLVMGetDiagInfoDescription(info);
  snprintf(j->diagnostic, sizeof j->diagnostic, "%s", text);
  LLVMDisposeMessage(text);
}

static hd_status failed(const char *what, char *text) {
  hd_status status = hd_make_status(HD_INTERNAL, "%s: %s", what, text);
  LLVMDisposeMessage(text);
  return status;
}

static hd_status make_machine(job *j) {
  const hd_llvm_machine *m = j->t.machine;
  LLVMTargetRef target;
  char *error = NULL;
  if (LLVMGetTargetFromTriple(m->triple, &target, &error)) return failed("no code generator", error);
  j->machine = LLVMCreateTargetMachine(target, m->triple, m->cpu, m->features, LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                       LLVMCodeModelDefault);
  return j->machine ? HD_STATUS_OK : hd_make_status(HD_INTERNAL, "LLVM has no machine for %s %s", m->triple, m->cpu);
}

static hd_status run_passes(job *j) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(j->t.module, j->t.machine->passes, j->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return HD_STATUS_OK;
  char *text = LLVMGetErrorMessage(error);
  hd_status status = hd_make_status(HD_INTERNAL, "LLVM passes: %s", text);
  LLVMDisposeErrorMessage(text);
  return status;
}

static hd_status emit(job *j) {
  LLVMMemoryBufferRef buffer = NULL;
  char *text = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(j->machine, j->t.module, LLVMAssemblyFile, &text, &buffer))
    return failed("code generation", text);
  size_t size = LLVMGetBufferSize(buffer);
  *j->out = (hd_str){hd_arena_copy(j->arena, LLVMGetBufferStart(buffer), size), size};
  LLVMDisposeMemoryBuffer(buffer);
  return j->diagnostic[0] ? hd_make_status(HD_INTERNAL, "code generation: %s", j->diagnostic) : HD_STATUS_OK;
}

static hd_status compile(void *user) {
  job *j = user;
  HD_TRY(make_machine(j));
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(j->machine);
  LLVMSetTarget(j->t.module, j->t.machine->triple);
  LLVMSetModuleDataLayout(j->t.module, layout);
  LLVMDisposeTargetData(layout);
  for (size_t i = 0; i < j->count; ++i)
    if (!hd_machine_translate_module(&j->t, j->modules[i])) return HD_STATUS_OK; /* t.status has the reason */
  char *text = NULL;
  if (LLVMVerifyModule(j->t.module, LLVMReturnStatusAction, &text))
    return failed("the translation to LLVM is not valid", text);
  LLVMDisposeMessage(text);
  HD_TRY(run_passes(j));
  return emit(j);
}

hd_status hd_llvm_compile_kernels(const hd_llvm_machine *machine, hd_op *const *modules, size_t count, hd_arena *arena,
                                  hd_str *out_text) {
  pthread_once(&once, setup);
  *out_text = (hd_str){NULL, 0};
  hd_arena scratch;
  hd_arena_init(&scratch, arena->budget);
  job j = {.t = {.machine = machine, .arena = &scratch},
           .modules = modules,
           .count = count,
           .arena = arena,
           .out = out_text};
  LLVMContextRef context = j.t.context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, on_diagnostic, &j);
  j.t.module = LLVMModuleCreateWithNameInContext("heddle", context);
  j.t.builder = LLVMCreateBuilderInContext(context);
  j.t.i1 = LLVMInt1TypeInContext(context);
  j.t.i32 = LLVMInt32TypeInContext(context);
  j.t.i64 = LLVMInt64TypeInContext(context);
  hd_status status = hd_guarded_call(compile, &j);
  status = hd_status_join(status, j.t.status);
  LLVMDisposeBuilder(j.t.builder);
  LLVMDisposeModule(j.t.module);
  if (j.machine) LLVMDisposeTargetMachine(j.machine);
  LLVMContextDispose(context);
  hd_arena_free(&scratch);
  return status;
}
