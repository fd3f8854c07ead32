/* SPDX-License-Identifier: Apache-2.0 */
/* What the host's CPU is (heddle/cpu.h): instruction sets that both it and the operating system support, as bits and as
 * levels like x86-64-v3, sizes of its caches, and how many CPUs this process may use, limits of cgroups included. */
#define _GNU_SOURCE
#include "heddle/cpu.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

#if defined(__x86_64__)
#include <cpuid.h>

static uint64_t bit(uint32_t word, int position, uint64_t feature) { return word >> position & 1 ? feature : 0; }

static uint64_t detect(void) {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  uint64_t features = bit(c, 20, HD_CPU_SSE42) | bit(c, 23, HD_CPU_POPCNT) | bit(c, 22, HD_CPU_MOVBE);
  /* What the operating system saves at a switch decides whether wide registers may be used. */
  uint64_t saved = 0;
  bool has_avx = c >> 28 & 1, has_fma = c >> 12 & 1, has_f16c = c >> 29 & 1;
  if (c >> 27 & 1) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    saved = (uint64_t)high << 32 | low;
  }
  bool ymm = (saved & 0x6) == 0x6, zmm = ymm && (saved & 0xe0) == 0xe0, tiles = (saved & 0x60000) == 0x60000;
  if (ymm && has_avx) features |= HD_CPU_AVX | (has_fma ? HD_CPU_FMA : 0) | (has_f16c ? HD_CPU_F16C : 0);
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    uint32_t leaves = a;
    features |= bit(b, 3, HD_CPU_BMI) | bit(b, 8, HD_CPU_BMI2);
    if (ymm) features |= bit(b, 5, HD_CPU_AVX2);
    if (zmm)
      features |= bit(b, 16, HD_CPU_AVX512F) | bit(b, 30, HD_CPU_AVX512BW) | bit(b, 17, HD_CPU_AVX512DQ) |
                  bit(b, 31, HD_CPU_AVX512VL) | bit(b, 28, HD_CPU_AVX512CD) | bit(c, 11, HD_CPU_AVX512VNNI) |
                  bit(c, 1, HD_CPU_AVX512VBMI) | bit(d, 23, HD_CPU_AVX512FP16) | bit(c, 14, HD_CPU_AVX512VPOPCNTDQ) |
                  bit(c, 12, HD_CPU_AVX512BITALG);
    if (tiles) features |= bit(d, 24, HD_CPU_AMX_TILE) | bit(d, 22, HD_CPU_AMX_BF16) | bit(d, 25, HD_CPU_AMX_INT8);
    if (leaves >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d)) {
      if (zmm) features |= bit(a, 5, HD_CPU_AVX512BF16);
      if (ymm) features |= bit(a, 4, HD_CPU_AVXVNNI);
    }
  }
  if (__get_cpuid(0x80000001, &a, &b, &c, &d)) features |= bit(c, 5, HD_CPU_LZCNT);
  return features;
}

static void brand(char out[49]) {
  uint32_t words[12] = {0}, a, b, c, d;
  if (__get_cpuid(0x80000000, &a, &b, &c, &d) && a >= 0x80000004)
    for (uint32_t i = 0; i < 3; ++i)
      __get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3]);
  memcpy(out, words, 48);
  out[48] = 0;
}
#else
static uint64_t detect(void) { return 0; }
static void brand(char out[49]) { strcpy(out, "unknown"); }
#endif

uint64_t hd_cpu_features(void) {
  static uint64_t cached; /* with the top bit set once known; every thread computes the same */
  uint64_t known = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (!known) {
    known = detect() | 1ull << 63;
    __atomic_store_n(&cached, known, __ATOMIC_RELAXED);
  }
  return known & ~(1ull << 63);
}

static const struct {
  const char *name;
  uint64_t features;
} levels[] = {
#define X(name, features) {name, features},
    HD_CPU_LEVELS(X)
#undef X
};
enum { LEVEL_COUNT = sizeof levels / sizeof *levels };

hd_status hd_cpu_level_features(const char *name, uint64_t *out_features) {
  HD_REQUIRE(out_features);
  *out_features = 0;
  HD_REQUIRE(name);
  if (!strcmp(name, "x86-64")) return HD_STATUS_OK;
  if (!strcmp(name, "native")) {
    *out_features = hd_cpu_features();
    return HD_STATUS_OK;
  }
  for (size_t i = 0; i < LEVEL_COUNT; ++i)
    if (!strcmp(levels[i].name, name)) {
      *out_features = levels[i].features;
      return HD_STATUS_OK;
    }
#define X(level, features) ", " level
  return hd_make_status(HD_INVALID_ARGUMENT, "unknown cpu '%s': expected native, x86-64" HD_CPU_LEVELS(X), name);
#undef X
}

const char *hd_cpu_level_name(uint64_t features) {
  for (size_t i = LEVEL_COUNT; i-- > 0;)
    if ((features & levels[i].features) == levels[i].features) return levels[i].name;
  return "x86-64";
}

const char *hd_cpu_feature_name(uint64_t feature) {
#define X(id, position, text) \
  if ((feature & -feature) == 1ull << position) return text;
  HD_CPU_FEATURES(X)
#undef X
  return "?";
}

const char *hd_cpu_brand(void) {
  static _Thread_local char text[49];
  brand(text);
  return text;
}

hd_cpu_caches hd_cpu_cache_sizes(void) {
  hd_cpu_caches caches = {sysconf(_SC_LEVEL1_DCACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE),
                          sysconf(_SC_LEVEL3_CACHE_SIZE)};
  if (caches.l1d <= 0) caches.l1d = 32 << 10;
  if (caches.l2 <= 0) caches.l2 = 512 << 10;
  if (caches.l3 <= 0) caches.l3 = 16 << 20;
  return caches;
}

/* What is more than the last cache holds goes to memory anyway, and a store that bypasses the caches saves reading the
 * line before it is written. A large cache is that of many cores, and of what they do: of 480 MB, 20 were had. */
int64_t hd_cpu_stream_bytes(void) {
  enum { OURS = 24 << 20 };
  int64_t l3 = hd_cpu_cache_sizes().l3;
  return l3 < OURS ? l3 : OURS;
}

/* CPUs allowed by the files at |directory| of a cgroup; 0: no limit there. */
static int32_t quota_at(const char *directory, bool v2) {
  char path[800], text[128];
  long long quota = -1, period = 0;
  snprintf(path, sizeof path, "%s/%s", directory, v2 ? "cpu.max" : "cpu.cfs_quota_us");
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  bool got = fgets(text, sizeof text, file);
  fclose(file);
  if (!got) return 0;
  if (v2) {
    if (sscanf(text, "%lld %lld", &quota, &period) != 2) return 0;
  } else {
    quota = atoll(text);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
    file = fopen(path, "re");
    if (!file) return 0;
    got = fgets(text, sizeof text, file);
    fclose(file);
    period = got ? atoll(text) : 0;
  }
  if (quota <= 0 || period <= 0) return 0;
  long long cpus = (quota + period - 1) / period;
  return cpus > INT32_MAX ? 0 : (int32_t)cpus;
}

/* The smallest quota of this process's cgroup and those above it. */
static int32_t cgroup_quota(void) {
  FILE *file = fopen("/proc/self/cgroup", "re");
  if (!file) return 0;
  int32_t least = 0;
  char line[512];
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path) continue;
    *path++ = 0;
    bool v2 = controllers[1] == 0;
    if (!v2 && !strstr(controllers + 1, "cpu")) continue;
    for (;;) {
      char directory[700];
      snprintf(directory, sizeof directory, "%s%s", v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu", path);
      int32_t cpus = quota_at(directory, v2);
      if (cpus && (!least || cpus < least)) least = cpus;
      char *slash = strrchr(path, '/');
      if (!slash) break;
      *slash = 0;
    }
  }
  fclose(file);
  return least;
}

int32_t hd_cpu_count(void) {
  int32_t count = 1;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    count = CPU_COUNT(&set);
  } else {
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* more CPUs than cpu_set_t has bits */
    if (online > 0) count = (int32_t)online;
  }
  int32_t quota = cgroup_quota();
  if (quota && quota < count) count = quota;
  return count < 1 ? 1 : count;
}
