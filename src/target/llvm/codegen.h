/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM modules to ELF objects. What target/cpu uses of this folder; no llvm-c here. Thread-safe: each call has an LLVM
 * context of its own. */
#ifndef HD_TARGET_LLVM_CODEGEN_H_
#define HD_TARGET_LLVM_CODEGEN_H_

#include "base/map.h"
#include "target/cpu/cpu.h"

/* Makes code for one x86-64 variant; used by one thread at a time. LLVM itself is set up by the first one. */
typedef struct hd_codegen hd_codegen;

hd_status hd_codegen_create(const hd_cpu_target *target, hd_codegen **out_codegen) HD_MUST_USE;
void hd_codegen_free(hd_codegen *codegen);

/* See cpu.h; |options| may be null. All |funcs| are one object. |apart| (func.func -> symbol; may be null) are the
 * functions that another object has:
 * hd_codegen_function makes it. All others that the kernels call are in their object. */
hd_status hd_codegen_kernels(hd_codegen *codegen, hd_op *const *funcs, const char *const *symbols, size_t count,
                             const hd_map *apart, const hd_cpu_options *options, hd_arena *arena,
                             hd_cpu_object *out_object) HD_MUST_USE;
/* |func|, which has no effects and no memory, as |symbol|. */
hd_status hd_codegen_function(hd_codegen *codegen, hd_op *func, const char *symbol, const hd_cpu_options *options,
                              hd_arena *arena, hd_cpu_object *out_object) HD_MUST_USE;
hd_status hd_codegen_host(hd_codegen *codegen, hd_op *const *entries, const char *const *symbols, size_t entry_count,
                          const hd_cpu_kernel_table *kernels, hd_cpu_names *names, const hd_cpu_options *options,
                          hd_arena *arena, hd_cpu_object *out_object) HD_MUST_USE;

/* "22.1.8", static. */
const char *hd_codegen_llvm_version(void);

/* An error when object |data| (as the code generator writes them) refers to a function that the runtime does not give.
 */
hd_status hd_object_check(const void *data, size_t size, const char *const *externals,
                          size_t external_count) HD_MUST_USE;

#endif
