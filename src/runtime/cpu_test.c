/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU features that the runtime detects and the names that --mcpu takes. */
#include "heddle/cpu.h"

#include <stdio.h>

#include "base/testing.h"

/* Does the "flags" line of /proc/cpuinfo have |flag|? */
static bool kernel_says(const char *flag) {
  FILE *file = fopen("/proc/cpuinfo", "r");
  static char line[16384];
  bool found = false;
  while (file && !found && fgets(line, sizeof line, file))
    if (!strncmp(line, "flags", 5)) {
      for (char *word = strtok(line, " \t\n"); word; word = strtok(NULL, " \t\n")) found |= !strcmp(word, flag);
      break;
    }
  if (file) fclose(file);
  return found;
}

int main(void) {
#if defined(__x86_64__)
  static const struct {
    uint64_t feature;
    const char *flag;
  } pairs[] = {{1ull << 0, "sse4_2"},        {1ull << 3, "avx2"},
               {1ull << 4, "fma"},           {1ull << 5, "f16c"},
               {1ull << 7, "bmi2"},          {1ull << 8, "abm"},
               {1ull << 10, "avx512f"},      {1ull << 11, "avx512bw"},
               {1ull << 13, "avx512vl"},     {1ull << 15, "avx512_bf16"},
               {1ull << 16, "avx512_vnni"},  {1ull << 17, "avx_vnni"},
               {1ull << 18, "avx512_fp16"},  {1ull << 19, "avx512vbmi"},
               {1ull << 20, "amx_tile"},     {1ull << 23, "avx512_vpopcntdq"},
               {1ull << 24, "avx512_bitalg"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    if (!HD_CHECK_INT((hd_cpu_features() & pairs[i].feature) != 0, kernel_says(pairs[i].flag)))
      fprintf(stderr, "  feature %s\n", pairs[i].flag);
#endif
  uint64_t v3 = 0, v4 = 0;
  HD_CHECK_OK(hd_cpu_level_features("x86-64-v3", &v3));
  HD_CHECK_OK(hd_cpu_level_features("x86-64-v4", &v4));
  HD_CHECK((v3 & (HD_CPU_AVX2 | HD_CPU_FMA | HD_CPU_F16C | HD_CPU_BMI2)) ==
           (HD_CPU_AVX2 | HD_CPU_FMA | HD_CPU_F16C | HD_CPU_BMI2));
  HD_CHECK(!(v3 & HD_CPU_AVX512F) && (v4 & v3) == v3 && (v4 & HD_CPU_AVX512VL));
  HD_CHECK_STR(hd_cpu_level_name(v3), "x86-64-v3");
  HD_CHECK_STR(hd_cpu_level_name(v4), "x86-64-v4");
  HD_CHECK_STR(hd_cpu_level_name(v4 | HD_CPU_AVX512BF16 | HD_CPU_AVX512VNNI), "x86-64-v4+bf16");
  HD_CHECK_STR(hd_cpu_level_name(v3 & ~HD_CPU_F16C), "x86-64-v2");
  HD_CHECK_STR(hd_cpu_feature_name(HD_CPU_AVX512BF16 | HD_CPU_AVX512FP16), "avx512bf16");
  HD_CHECK_FAILS(hd_cpu_level_features("z80", &v3), HD_INVALID_ARGUMENT, "unknown cpu 'z80'");
  HD_CHECK(hd_cpu_count() >= 1);
  HD_CHECK(hd_cpu_cache_sizes().l2 >= hd_cpu_cache_sizes().l1d);
  HD_CHECK(hd_cpu_stream_bytes() > 0 && hd_cpu_stream_bytes() <= hd_cpu_cache_sizes().l3);
  return HD_TEST_RESULT();
}
