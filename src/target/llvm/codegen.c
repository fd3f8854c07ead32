/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a module: translate, verify, a short list of passes, machine code into memory, a check of the object.
 *
 * The list is what pays for code that is written as vectors: equal computations once, loop-invariant code out of loops.
 * Combining instructions before the code generator does so again costs a tenth of a kernel's compile time and changed
 * no kernel's speed (exp, erf, tanh-gelu, sin, register tiles). Nothing vectorises or inlines; unrolling runs only for
 * kernels that ask for it, and combines what it repeated. Compact kernels (hd.compact) get equal computations once and
 * the code generator without optimisation, host code no passes and the same.
 *
 * LLVM ends the process on fatal errors, so nothing reaches it that has not passed the translator's own checks and
 * LLVM's verifier. Messages of its back end come to the context's diagnostic handler and become a status. */
#include "target/llvm/codegen.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "base/file.h"
#include "base/fork.h"
#include "heddle/cpu.h"
#include "ir/ops/discardable.h"
#include "target/llvm/backend.h"
#include "target/llvm/contract.h"
#include "target/llvm/translate.h"

static const hd_llvm_machine x86 = {.triple = "x86_64-unknown-linux-gnu", .small_code = true};

#define PASSES "always-inline,function(sroa,early-cse,simplifycfg)"
#define PASSES_CONTRACTED "function(loop-mssa(licm))" /* after products and sums are contracted */
#define PASSES_UNROLL                                                                                        \
  "always-inline,function(sroa,early-cse,instcombine,simplifycfg,loop-mssa(licm),loop-unroll<O2>,early-cse," \
  "instcombine,simplifycfg,"                                                                                 \
  "dce)"

struct hd_codegen {
  hd_cpu_target target;
  LLVMTargetMachineRef full_machine, fast_machine; /* made when first needed */
};

/* What is spent on a module. */
typedef enum level {
  HOST,    /* no passes, the fast code generator */
  COMPACT, /* equal computations once, then the fast code generator */
  FULL     /* all that makes kernels faster */
} level;

static char version[32];
static pthread_once_t version_once = PTHREAD_ONCE_INIT;

static void read_version(void) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  snprintf(version, sizeof version, "%u.%u.%u", major, minor, patch);
}

const char *hd_codegen_llvm_version(void) {
  pthread_once(&version_once, read_version);
  return version;
}

/* Of this thread: what others do on the machine does not count. */
static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* "+avx512bf16,+avx512vnni": what the CPU name does not imply. */
static void feature_text(uint64_t features, char *out, size_t size) {
  size_t at = 0;
  out[0] = 0;
  for (int bit = 0; bit < 64; ++bit) {
    uint64_t one = 1ull << bit;
    if (!(features & one)) continue;
    int length = snprintf(out + at, size - at, "%s+%s", at ? "," : "", hd_cpu_feature_name(one));
    if (length < 0 || (size_t)length >= size - at) return;
    at += (size_t)length;
  }
}

static hd_status make_machine(const hd_cpu_target *t, LLVMCodeGenOptLevel level, LLVMTargetMachineRef *out) {
  char features[1024];
  feature_text(t->features, features, sizeof features);
  hd_llvm_machine machine = x86;
  machine.features = features;
  machine.cpu = t->vector_bits >= 512 ? "x86-64-v4" : "x86-64-v3";
  return hd_backend_create(&machine, level, out);
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

enum {
  BASE_BYTES = 24 << 20,
  KERNEL_OP_BYTES = 8 << 10,
  HOST_OP_BYTES = 4 << 10
}; /* several times what was measured */

static hd_fork_mutex promise_mutex = HD_FORK_MUTEX_INIT;
static size_t promised; /* to all compilations that run now */

/* LLVM ends the process when memory runs out, and its handler for that may not return. So what a compilation may need
 * is asked of the system before it begins: a mapping of that size and of all that other threads were promised, which
 * goes at once. */
static hd_status promise(size_t bytes, const char *name) {
  hd_fork_mutex_lock(&promise_mutex);
  void *probe = mmap(NULL, promised + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe != MAP_FAILED) {
    munmap(probe, promised + bytes);
    promised += bytes;
  }
  hd_fork_mutex_unlock(&promise_mutex);
  if (probe != MAP_FAILED) return HD_STATUS_OK;
  return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory: '%s' may need %zu MB to compile", name, bytes >> 20);
}

static void settle(size_t bytes) {
  hd_fork_mutex_lock(&promise_mutex);
  promised -= bytes;
  hd_fork_mutex_unlock(&promise_mutex);
}

hd_status hd_codegen_create(const hd_cpu_target *target, hd_codegen **out_codegen) {
  *out_codegen = NULL;
  hd_codegen *c = calloc(1, sizeof *c);
  if (!c) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  c->target = *target;
  *out_codegen = c;
  return HD_STATUS_OK;
}

void hd_codegen_free(hd_codegen *c) {
  if (!c) return;
  if (c->full_machine) LLVMDisposeTargetMachine(c->full_machine);
  if (c->fast_machine) LLVMDisposeTargetMachine(c->fast_machine);
  free(c);
}

/* One compilation. LLVM's objects are disposed by run() whatever happens inside the guard. */
typedef struct job {
  hd_codegen *codegen;
  bool host;
  bool (*lower_func)(hd_lower *l, hd_op *func, const char *symbol);
  hd_op *const *funcs;
  const char *const *symbols;
  size_t count;
  const hd_map *apart;
  const hd_cpu_kernel_table *kernels;
  hd_cpu_names *names;
  const hd_cpu_options *options;
  hd_arena *arena;
  hd_cpu_object *out;

  hd_lower lower;
  LLVMMemoryBufferRef object;
  hd_backend_errors errors;
} job;

static hd_status dump(job *j, const char *suffix, const char *text, size_t size) {
  char path[4096];
  int length =
      snprintf(path, sizeof path, "%s/%s.%s.%s", j->options->dump_to, j->symbols[0], j->codegen->target.name, suffix);
  if (length < 0 || (size_t)length >= sizeof path)
    return hd_make_status(HD_INVALID_ARGUMENT, "the dump folder's name is too long");
  return hd_file_write(path, text, size);
}

static hd_status dump_ir(job *j, const char *suffix) {
  if (!j->options || !j->options->dump_to) return HD_STATUS_OK;
  char *text = LLVMPrintModuleToString(j->lower.module);
  hd_status status = dump(j, suffix, text, strlen(text));
  LLVMDisposeMessage(text);
  return status;
}

static hd_status dump_assembly(job *j, LLVMTargetMachineRef machine) {
  if (!j->options || !j->options->dump_to) return HD_STATUS_OK;
  /* Emitting changes the module: a copy is printed. */
  LLVMModuleRef copy = LLVMCloneModule(j->lower.module);
  LLVMMemoryBufferRef text = NULL;
  LLVMSetTargetMachineAsmVerbosity(machine, true);
  hd_status status = hd_backend_emit(machine, copy, LLVMAssemblyFile, &text);
  if (hd_is_ok(status)) {
    status = dump(j, "s", LLVMGetBufferStart(text), LLVMGetBufferSize(text));
    LLVMDisposeMemoryBuffer(text);
  }
  LLVMDisposeModule(copy);
  return status;
}

static hd_status translate(job *j) {
  hd_lower *l = &j->lower;
  hd_lower_init(l);
  for (size_t i = 0; i < j->count; ++i) {
    if (!j->lower_func(l, j->funcs[i], j->symbols[i])) {
      hd_status status = l->status;
      l->status = HD_STATUS_OK;
      return hd_is_ok(status) ? hd_make_status(HD_INTERNAL, "translation failed") : status;
    }
  }
  return HD_STATUS_OK;
}

static hd_status check_externals(job *j) {
  hd_vec(const char *) externals = {0};
  hd_lower *l = &j->lower;
  for (size_t i = 0; i < l->functions.len; ++i) {
    hd_op *func = (hd_op *)l->functions.entries[i].key;
    const char *apart = l->apart ? hd_map_get(l->apart, func) : NULL;
    if (apart || !hd_op_region(func, 0)->first)
      hd_vec_push(l->arena, &externals, apart ? apart : hd_symbol_name(func).data);
  }
  return hd_object_check(j->out->data, j->out->size, externals.data, externals.len);
}

/* Kernels that are compiled together are all compact, or none is. */
static level level_of(const job *j) {
  if (j->host) return HOST;
  return hd_discardable_compact(j->funcs[0]) ? COMPACT : FULL;
}

static hd_status compile(void *user) {
  job *j = user;
  hd_codegen *c = j->codegen;
  hd_lower *l = &j->lower;
  double start = now_ms();
  level at = level_of(j);
  LLVMTargetMachineRef *machine = at == FULL ? &c->full_machine : &c->fast_machine;
  if (!*machine) HD_TRY(make_machine(&c->target, at == FULL ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone, machine));
  hd_backend_prepare(&x86, *machine, l->module);
  HD_TRY(translate(j));
  HD_TRY(dump_ir(j, "ll"));
  HD_TRY_MSG(hd_backend_verify(l->module), "'%s'", j->symbols[0]);
  double translated = now_ms();
  if (!j->host) {
    HD_TRY(hd_backend_optimise(*machine, l->module, l->unrolls ? PASSES_UNROLL : PASSES));
    hd_contract(l->module);
    if (at == FULL && !l->unrolls) HD_TRY(hd_backend_optimise(*machine, l->module, PASSES_CONTRACTED));
    HD_TRY(dump_ir(j, "opt.ll"));
  }
  HD_TRY(dump_assembly(j, *machine));
  double optimised = now_ms();
  HD_TRY_MSG(hd_backend_emit(*machine, l->module, LLVMObjectFile, &j->object), "'%s'", j->symbols[0]);
  HD_TRY_MSG(hd_backend_error(&j->errors), "'%s'", j->symbols[0]);
  j->out->name = hd_arena_copy(j->arena, j->symbols[0], strlen(j->symbols[0]));
  j->out->size = LLVMGetBufferSize(j->object);
  j->out->data = hd_arena_copy(j->arena, LLVMGetBufferStart(j->object), j->out->size);
  j->out->translate_ms = translated - start;
  j->out->optimise_ms = optimised - translated;
  j->out->codegen_ms = now_ms() - optimised;
  return hd_status_annotate(check_externals(j), "'%s'", j->symbols[0]);
}

static hd_status run_promised(job *j);

static hd_status run(job *j) {
  size_t ops = 0;
  for (size_t i = 0; i < j->count; ++i) ops += hd_op_count(j->funcs[i]);
  size_t bytes = BASE_BYTES + ops * (j->host ? HOST_OP_BYTES : KERNEL_OP_BYTES);
  *j->out = (hd_cpu_object){0};
  HD_TRY(promise(bytes, j->symbols[0]));
  hd_status status = run_promised(j);
  settle(bytes);
  return status;
}

static hd_status run_promised(job *j) {
  hd_arena scratch;
  hd_arena_init(&scratch, j->arena->budget);
  *j->out = (hd_cpu_object){0};
  hd_lower *l = &j->lower;
  l->arena = &scratch;
  l->target = &j->codegen->target;
  l->kernels = j->kernels;
  l->apart = j->apart;
  l->names = j->names;
  l->names_arena = j->arena;
  l->context = LLVMContextCreate();
  hd_backend_watch(l->context, &j->errors);
  LLVMContextSetDiscardValueNames(l->context, !(j->options && j->options->dump_to));
  l->module = LLVMModuleCreateWithNameInContext("heddle", l->context);
  l->builder = LLVMCreateBuilderInContext(l->context);
  hd_status status = hd_guarded_call(compile, j);
  status = hd_status_join(status, l->status);
  if (j->object) LLVMDisposeMemoryBuffer(j->object);
  LLVMDisposeBuilder(l->builder);
  LLVMDisposeModule(l->module);
  LLVMContextDispose(l->context);
  hd_arena_free(&scratch);
  if (!hd_is_ok(status)) *j->out = (hd_cpu_object){0};
  return status;
}

hd_status hd_codegen_function(hd_codegen *codegen, hd_op *func, const char *symbol, const hd_cpu_options *options,
                              hd_arena *arena, hd_cpu_object *out_object) {
  job j = {.codegen = codegen,
           .lower_func = hd_lower_function,
           .funcs = &func,
           .symbols = &symbol,
           .count = 1,
           .options = options,
           .arena = arena,
           .out = out_object};
  return run(&j);
}

hd_status hd_codegen_kernels(hd_codegen *codegen, hd_op *const *funcs, const char *const *symbols, size_t count,
                             const hd_map *apart, const hd_cpu_options *options, hd_arena *arena,
                             hd_cpu_object *out_object) {
  job j = {.codegen = codegen,
           .lower_func = hd_lower_kernel,
           .funcs = funcs,
           .symbols = symbols,
           .count = count,
           .apart = apart,
           .options = options,
           .arena = arena,
           .out = out_object};
  return run(&j);
}

hd_status hd_codegen_host(hd_codegen *codegen, hd_op *const *entries, const char *const *symbols, size_t entry_count,
                          const hd_cpu_kernel_table *kernels, hd_cpu_names *names, const hd_cpu_options *options,
                          hd_arena *arena, hd_cpu_object *out_object) {
  job j = {.codegen = codegen,
           .host = true,
           .lower_func = hd_lower_host,
           .funcs = entries,
           .symbols = symbols,
           .count = entry_count,
           .kernels = kernels,
           .names = names,
           .options = options,
           .arena = arena,
           .out = out_object};
  return run(&j);
}
