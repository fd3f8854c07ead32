/* SPDX-License-Identifier: Apache-2.0 */
/* What the CPU that we run on can do. Both the compiler (to choose variants for `native`) and the loader (to choose
 * among an artifact's variants) ask here, so they cannot disagree. Thread-safe. */
#ifndef HEDDLE_CPU_H_
#define HEDDLE_CPU_H_

#include <stdbool.h>
#include <stdint.h>

#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(id, bit, LLVM feature name). The bits are part of the artifact format. */
#define HD_CPU_FEATURES(X)                  \
  X(SSE42, 0, "sse4.2")                     \
  X(POPCNT, 1, "popcnt")                    \
  X(AVX, 2, "avx")                          \
  X(AVX2, 3, "avx2")                        \
  X(FMA, 4, "fma")                          \
  X(F16C, 5, "f16c")                        \
  X(BMI, 6, "bmi")                          \
  X(BMI2, 7, "bmi2")                        \
  X(LZCNT, 8, "lzcnt")                      \
  X(MOVBE, 9, "movbe")                      \
  X(AVX512F, 10, "avx512f")                 \
  X(AVX512BW, 11, "avx512bw")               \
  X(AVX512DQ, 12, "avx512dq")               \
  X(AVX512VL, 13, "avx512vl")               \
  X(AVX512CD, 14, "avx512cd")               \
  X(AVX512BF16, 15, "avx512bf16")           \
  X(AVX512VNNI, 16, "avx512vnni")           \
  X(AVXVNNI, 17, "avxvnni")                 \
  X(AVX512FP16, 18, "avx512fp16")           \
  X(AVX512VBMI, 19, "avx512vbmi")           \
  X(AMX_TILE, 20, "amx-tile")               \
  X(AMX_BF16, 21, "amx-bf16")               \
  X(AMX_INT8, 22, "amx-int8")               \
  X(AVX512VPOPCNTDQ, 23, "avx512vpopcntdq") \
  X(AVX512BITALG, 24, "avx512bitalg")

#define X(id, bit, ...) static const uint64_t HD_CPU_##id = 1ull << bit;
HD_CPU_FEATURES(X)
#undef X

/* Levels as -mcpu names them: "x86-64-v3" is AVX2 + FMA + F16C + BMI1/2 + LZCNT + MOVBE, "x86-64-v4" adds AVX-512
 * F/BW/DQ/VL/CD, "x86-64-v4+bf16" adds AVX512_BF16 and AVX512_VNNI. */
#define HD_CPU_LEVELS(X)    \
  X("x86-64-v2", 0x3ull)    \
  X("x86-64-v3", 0x3ffull)  \
  X("x86-64-v4", 0x7fffull) \
  X("x86-64-v4+bf16", 0x1ffffull)

/* The features of this machine, read from cpuid and from what the operating system saves; 0 on other machines than
 * x86-64. */
HD_API uint64_t hd_cpu_features(void);
/* The features of level |name|; |*out_features| is 0 and the status names the known levels when there is none. "native"
 * is this machine. */
HD_API hd_status hd_cpu_level_features(const char *name, uint64_t *out_features) HD_MUST_USE;
/* The best level of HD_CPU_LEVELS that |features| has, "x86-64" when none; static. */
HD_API const char *hd_cpu_level_name(uint64_t features);
/* The LLVM name of the lowest bit of |feature|, "?" when unknown; static. */
HD_API const char *hd_cpu_feature_name(uint64_t feature);
/* "AMD EPYC ..." as cpuid says it; static. */
HD_API const char *hd_cpu_brand(void);

typedef struct hd_cpu_caches {
  int64_t l1d, l2, l3; /* bytes; l1d and l2 of one core, l3 as one group of cores shares it; defaults when unknown */
} hd_cpu_caches;
HD_API hd_cpu_caches hd_cpu_cache_sizes(void);
/* What a kernel must read and write for stores past the caches to pay. */
HD_API int64_t hd_cpu_stream_bytes(void);
/* CPUs that this process may use: affinity mask and cgroup quota (rounded up), at least 1. */
HD_API int32_t hd_cpu_count(void);

#ifdef __cplusplus
}
#endif
#endif
