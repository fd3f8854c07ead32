/* SPDX-License-Identifier: Apache-2.0 */
/* The way of an image: translate, verify, the machine's passes, code. LLVM ends the process on fatal errors, so
 * nothing reaches it that has not passed the translator's own checks and LLVM's verifier. */
#include "target/llvm/machine.h"

#include "target/llvm/backend.h"
#include "target/llvm/translate_machine.h"

typedef struct job {
  hd_machine_translation t;
  hd_op *const *modules;
  size_t count;
  hd_arena *arena; /* of the image */
  hd_str *out;
  LLVMTargetMachineRef machine;
  hd_backend_errors errors;
} job;

static hd_status emit(job *j) {
  LLVMMemoryBufferRef buffer;
  HD_TRY(hd_backend_emit(j->machine, j->t.module, j->t.machine->binary ? LLVMObjectFile : LLVMAssemblyFile, &buffer));
  size_t size = LLVMGetBufferSize(buffer);
  *j->out = (hd_str){hd_arena_copy(j->arena, LLVMGetBufferStart(buffer), size), size};
  LLVMDisposeMemoryBuffer(buffer);
  return hd_backend_error(&j->errors);
}

static hd_status compile(void *user) {
  job *j = user;
  /* OpenCL's own compiler comes after this one, and what SPIR-V's makes of loops are integers of 5 bits that it
   * mistranslates. */
  LLVMCodeGenOptLevel level = j->t.machine->opencl ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault;
  HD_TRY(hd_backend_create(j->t.machine, level, &j->machine));
  hd_backend_prepare(j->t.machine, j->machine, j->t.module);
  for (size_t i = 0; i < j->count; ++i)
    if (!hd_machine_translate_module(&j->t, j->modules[i])) return HD_STATUS_OK; /* t.status has the reason */
  HD_TRY(hd_backend_verify(j->t.module));
  HD_TRY(hd_backend_optimise(j->machine, j->t.module, j->t.machine->passes));
  return emit(j);
}

hd_status hd_llvm_compile_kernels(const hd_llvm_machine *machine, hd_op *const *modules, size_t count, hd_arena *arena,
                                  hd_str *out_image) {
  *out_image = (hd_str){NULL, 0};
  hd_arena scratch;
  hd_arena_init(&scratch, arena->budget);
  job j = {.t = {.machine = machine, .arena = &scratch},
           .modules = modules,
           .count = count,
           .arena = arena,
           .out = out_image};
  LLVMContextRef context = j.t.context = LLVMContextCreate();
  hd_backend_watch(context, &j.errors);
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
