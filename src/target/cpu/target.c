/* SPDX-License-Identifier: Apache-2.0 */
/* Which CPU is compiled for, by a name such as x86-64-v4: its features and the width of its vectors; and compiling one
 * kernel to an object. */
#include <stdio.h>

#include "heddle/cpu.h"
#include "target/cpu/cpu.h"
#include "target/llvm/codegen.h"

hd_status hd_cpu_target_of(const char *mcpu, hd_cpu_target *out_target) {
  *out_target = (hd_cpu_target){0};
  uint64_t features, least;
  HD_TRY(hd_cpu_level_features(mcpu, &features));
  HD_TRY(hd_cpu_level_features("x86-64-v3", &least));
  if ((features & least) != least) {
    uint64_t missing = least & ~features;
    return hd_make_status(HD_UNIMPLEMENTED, "cpu '%s' lacks %s; expected at least x86-64-v3", mcpu,
                          hd_cpu_feature_name(missing & -missing));
  }
  out_target->features = features;
  const uint64_t wide = HD_CPU_AVX512F | HD_CPU_AVX512BW | HD_CPU_AVX512DQ | HD_CPU_AVX512VL;
  out_target->vector_bits = (features & wide) == wide ? 512 : 256;
  snprintf(out_target->name, sizeof out_target->name, "%s", hd_cpu_level_name(features));
  return HD_STATUS_OK;
}

const char *hd_cpu_llvm_version(void) { return hd_codegen_llvm_version(); }

hd_status hd_cpu_compile_kernel(hd_op *func, const char *symbol, const hd_cpu_target *target,
                                const hd_cpu_options *options, hd_arena *arena, hd_cpu_object *out_object) {
  hd_codegen *codegen;
  *out_object = (hd_cpu_object){0};
  HD_TRY(hd_codegen_create(target, &codegen));
  hd_status status = hd_codegen_kernels(codegen, &func, &symbol, 1, NULL, options, arena, out_object);
  hd_codegen_free(codegen);
  return status;
}
