/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU target: kernel-level and host-level functions in, relocatable objects and artifacts out.
 *
 * KERNELS: func.func with the unit attribute `hd.kernel`
 *   func.func @k(%in: memref<?xf32> {llvm.noalias}, %out: memref<?xf32> {llvm.noalias},
 *                %n: index, %begin: index, %end: index)
 *   - The last two arguments are the range of items; the others are words of the launch, in order (runtime/abi.h):
 *     pointers, index, integers up to 64 bits, f16, bf16, f32, f64. No results.
 *   - A memref argument is a bare pointer to its first element. Its type says how indices make addresses: identity or
 *     strided layout whose strides are static, so memref<?xT>, memref<?x16xT>, memref<8x16xT, strided<[32, 1]>>.
 *     memref.dim and memref.alloca work on static dims alone.
 *   - Argument attributes: llvm.noalias (no other argument's memory overlaps what is written), llvm.readonly,
 *     llvm.align = N : i64, llvm.dereferenceable = N : i64.
 *   - memref.alloca is a slot of the frame, wherever it is (at most HD_CPU_STACK_LIMIT bytes in all).
 *   - Ops: arith, math (the direct ones: absf absi ceil copysign ctlz cttz ctpop floor fma round roundeven sqrt trunc;
 *     every other math op is an error: expand it before), scf for/if/while/index_switch/execute_region, cf, memref
 *     alloca/load/store/dim/cast/subview/reinterpret_cast/get_global, vector, func.call of functions in the same module
 *     (compiled into the same object), complex create/re/im/add/sub/mul/neg/conj/eq/neq.
 *   - Attributes on ops: `nontemporal` on stores; `alignment` (bytes) on loads and stores; `hd.unroll = N : i64` on
 *     scf.for (1: never unrolled; absent: never unrolled either; N: the loop is unrolled N times).
 *   - Float flags are those of the op's fastmath attribute and nothing else: an op without one is never fused, so that
 *     error-free transformations hold. Emitters put fastmath<contract> where the numerics policy allows it.
 *   - Integer division is the machine's: division by zero and overflow are the emitter's to guard. Shifts by the width
 *     or more are poison, as in arith.
 *
 * HOST FUNCTIONS: func.func with the unit attribute `hd.host`
 *   - No results. The entry (public) takes no arguments in IR; private ones may take any. All get the context silently.
 *   - A memref value is a pointer, an offset, sizes and strides in registers; descriptors exist only at RAL calls.
 *   - hd.ral_call {api = "ral_alloc___pvoid_i64_i64___pvoid"}(%bytes) : (index) -> !llvm.ptr
 *     Operands are the API's arguments after the context; the result is its result. After the call the context's error
 *     word is tested, and the function returns when it is set (a private function makes its caller return too).
 *     !llvm.ptr, or a memref<?xT> (its pointer), stand for `pvoid`; a memref of rank R for mRdT; index for i64.
 *   - hd.launch {kernel = @k}(%extent, %grain, %args...): packs the words and calls ral_launch. hd.kernel_index
 *     {kernel = @k} gives the number that ral_launch and library calls take.
 *   - hd.memref(%ptr, %sizes...) : memref<?x?xT>: a dense row-major memref at a pointer, one size per dynamic dim.
 *   - memref.reinterpret_cast, memref.subview, memref.cast, memref.extract_strided_metadata, memref.load, memref.store,
 *     memref.dim work on any layout.
 *
 * Every function is thread-safe in the sense of ir/context.h: finished IR is only read, and no types, attributes or ops
 * are made; several threads may compile kernels of one module at once, each with an arena of its own. No input ends the
 * process: what LLVM would refuse is answered with UNIMPLEMENTED or INVALID_ARGUMENT before LLVM sees it,
 * "file:line:col: 'arith.remf' op ...". */
#ifndef HD_TARGET_CPU_CPU_H_
#define HD_TARGET_CPU_CPU_H_

#include "base/hash128.h"
#include "ir/op.h"
#include "runtime/artifact.h"

enum { HD_CPU_STACK_LIMIT = 256 * 1024 };

/* A CPU variant. Nothing of the machine that compiles enters but, for "native", its features. */
typedef struct hd_cpu_target {
  char name[32];        /* as the artifact says it: "x86-64-v3" */
  uint64_t features;    /* heddle/cpu.h */
  uint32_t vector_bits; /* natural vector width: 256, or 512 with AVX-512 */
} hd_cpu_target;

/* |mcpu|: "native" or a level of heddle/cpu.h; at least x86-64-v3, whose AVX2 and FMA all kernels assume. */
hd_status hd_cpu_target_of(const char *mcpu, hd_cpu_target *out_target) HD_MUST_USE;

/* Zeroed: the defaults. */
typedef struct hd_cpu_options {
  int threads;           /* for hd_cpu_build; 0: hd_cpu_count() */
  const char *cache_dir; /* kernels are looked up and kept here (heddle/cache.h), best effort; null: no cache */
  const char *dump_to;   /* folder that gets NAME.TARGET.ll (before), .opt.ll and .s per object, and the cache is left
                            alone; null: nothing */
  const hd_budget *deadline; /* when it has passed no further kernel is begun; null: none */
} hd_cpu_options;

enum { HD_CPU_SYMBOL_SIZE = 48 };
/* The symbol of |kernel|'s machine code in an artifact, which names its content: HD_CPU_SYMBOL_SIZE bytes. */
void hd_cpu_kernel_symbol(hd_op *kernel, char *out);

typedef struct hd_cpu_object {
  const char *name;
  const void *data; /* ELF64 relocatable */
  size_t size;
  double translate_ms, optimise_ms, codegen_ms; /* CPU time */
} hd_cpu_object;

/* Compiles kernel |func| so that |symbol| is its hd_kernel_fn. |out_object| and its bytes live in |arena|. */
hd_status hd_cpu_compile_kernel(hd_op *func, const char *symbol, const hd_cpu_target *target,
                                const hd_cpu_options *options, hd_arena *arena, hd_cpu_object *out_object) HD_MUST_USE;

/* Names of RAL APIs in the order of hd_ral_table; grows as host code uses new ones. */
typedef struct hd_cpu_names {
  const char **data;
  size_t len, cap;
} hd_cpu_names;

/* What host code refers to: kernel |names| are symbols of kernel functions (sym_name), their position is the index that
 * ral_launch gets. Several may be one kernel: |indices| (may be null: the position) gives the number to use. */
typedef struct hd_cpu_kernel_table {
  const hd_str *names;
  const uint32_t *indices;
  size_t count;
} hd_cpu_kernel_table;

/* One kernel as host code launches it. */
typedef struct hd_cpu_kernel {
  hd_op *func;
  const char *source; /* for people; null: made of the function's location */
} hd_cpu_kernel;

/* A whole program. |code| gives what is not the CPU's code: entries (their `symbol` is written here and need not be
 * set), messages, constants, images; its kernels, ral_names and variants are filled here. */
typedef struct hd_cpu_program {
  const hd_cpu_kernel *kernels;
  size_t kernel_count;
  hd_op *const *entries; /* host functions, one per artifact->entries[i] */
  hd_artifact_program code;
} hd_cpu_program;

typedef struct hd_cpu_report {
  size_t distinct_kernels, cached_kernels, object_bytes;
  double compile_wall_ms;       /* all kernels and host code, in parallel */
  const hd_cpu_object *objects; /* of the first target: distinct kernels, then host */
  size_t object_count;
} hd_cpu_report;

/* Compiles all for every target, equal kernels once, distinct ones in parallel, into |out_code|, on |arena|.
 * |out_report| may be null. */
hd_status hd_cpu_build(const hd_cpu_program *program, const hd_cpu_target *targets, size_t target_count,
                       const hd_cpu_options *options, hd_arena *arena, hd_artifact_program *out_code,
                       hd_cpu_report *out_report) HD_MUST_USE;

/* "22.1.8" of the LLVM that is linked. */
const char *hd_cpu_llvm_version(void);

#endif
