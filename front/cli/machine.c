/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <inttypes.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "heddle/cpu.h"
#include "inputs.h"
#include "program.h"

enum { MOST_THREADS = 256, ROUNDS = 12, CHAINS = 12, STEPS = 1000000 };
static const size_t copied = 64u << 20; /* by all threads: more than their caches */

typedef struct part {
  char *from, *to;
  size_t bytes;
  double flops;   /* done */
  float sink[16]; /* so that they are */
} part;

static void *copy(void *argument) {
  part *p = argument;
  memcpy(p->to, p->from, p->bytes);
  return NULL;
}

#if defined(__x86_64__)
#define MULTIPLY_ADDS(V, SET, FMA, STORE)                                             \
  V a[CHAINS], x = SET(0.999f), y = SET(0.001f);                                      \
  for (int k = 0; k < CHAINS; ++k) a[k] = SET((float)k);                              \
  for (int i = 0; i < STEPS; ++i) {                                                   \
    _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; ++k) a[k] = FMA(a[k], x, y); \
  }                                                                                   \
  for (int k = 1; k < CHAINS; ++k) a[0] = FMA(a[0], x, a[k]);                         \
  STORE(p->sink, a[0]);                                                               \
  p->flops = 2.0 * CHAINS * STEPS * (double)(sizeof(V) / sizeof(float))

__attribute__((target("avx2,fma"))) static void multiply_adds_8(part *p) {
  MULTIPLY_ADDS(__m256, _mm256_set1_ps, _mm256_fmadd_ps, _mm256_storeu_ps);
}
__attribute__((target("avx512f"))) static void multiply_adds_16(part *p) {
  MULTIPLY_ADDS(__m512, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_storeu_ps);
}

static void *compute(void *argument) {
  if (__builtin_cpu_supports("avx512f"))
    multiply_adds_16(argument);
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    multiply_adds_8(argument);
  return NULL;
}
#else
static void *compute(void *argument) { return argument; }
#endif

/* The best of some rounds, in seconds. Threads that cannot be started leave their part to the caller. */
static double best_of(part *parts, int32_t threads, void *(*work)(void *part)) {
  double best = 1e9;
  for (int round = 0; round < ROUNDS; ++round) {
    pthread_t ids[MOST_THREADS];
    double start = hd_cli_now_ms();
    int32_t started = 1;
    while (started < threads && !pthread_create(&ids[started], NULL, work, &parts[started])) ++started;
    work(&parts[0]);
    for (int32_t i = started; i < threads; ++i) work(&parts[i]);
    for (int32_t i = 1; i < started; ++i) pthread_join(ids[i], NULL);
    double seconds = (hd_cli_now_ms() - start) * 1e-3;
    if (seconds < best) best = seconds;
  }
  return best > 0 ? best : 1e-9;
}

/* A rate by |threads| at once, or by one alone where that is more: other programs may have the CPUs of the others. */
static double best_rate(part *parts, int32_t threads, void *(*work)(void *part), double (*amount)(const part *part)) {
  double together = best_of(parts, threads, work), all = 0, alone = best_of(parts, 1, work);
  for (int32_t i = 0; i < threads; ++i) all += amount(&parts[i]);
  double rate = all / together, one = amount(&parts[0]) / alone;
  return rate > one ? rate : one;
}

static double bytes_of(const part *p) { return 2.0 * (double)p->bytes; }
static double flops_of(const part *p) { return p->flops; }

static hd_status measure(hd_arena *arena, int32_t threads, hd_cli_machine *out) {
  part *parts = hd_new_array(arena, part, (size_t)threads);
  size_t each = copied / (size_t)threads;
  char *memory = calloc(2, copied);
  if (!memory) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory to measure copies");
  for (int32_t i = 0; i < threads; ++i)
    parts[i] = (part){.from = memory + (size_t)i * each, .to = memory + copied + (size_t)i * each, .bytes = each};
  memset(memory, 1, copied); /* else all of it is one page of zeros */
  out->copy_bytes = best_rate(parts, threads, copy, bytes_of);
  free(memory);
  out->flops = best_rate(parts, threads, compute, flops_of);
  return HD_STATUS_OK;
}

/* A line of two numbers; false where there is none. */
static bool read_kept(const char *path, hd_cli_machine *out) {
  FILE *file = fopen(path, "r");
  bool ok =
      file && fscanf(file, "%lf %lf", &out->copy_bytes, &out->flops) == 2 && out->copy_bytes > 0 && out->flops >= 0;
  if (file) fclose(file);
  return ok;
}

/* What is not kept is measured again. */
static void keep(hd_arena *arena, const char *directory, const char *path, const hd_cli_machine *machine) {
  const char *fresh = hd_arena_printf(arena, "%s.%ld", path, (long)getpid());
  mkdir(directory, 0700);
  FILE *file = fopen(fresh, "w");
  if (!file) return;
  bool written = fprintf(file, "%.0f %.0f\n", machine->copy_bytes, machine->flops) > 0;
  if (fclose(file) || !written || rename(fresh, path)) remove(fresh);
}

hd_status hd_cli_machine_of(hd_arena *arena, const char *directory, int32_t threads, hd_cli_machine *out_machine) {
  *out_machine = (hd_cli_machine){0};
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  const char *path =
      directory ? hd_arena_printf(arena, "%s/machine-%" PRIx64 "-%d", directory, hd_cpu_features(), threads) : NULL;
  if (path && read_kept(path, out_machine)) return HD_STATUS_OK;
  HD_TRY(measure(arena, threads, out_machine));
  if (path) keep(arena, directory, path, out_machine);
  return HD_STATUS_OK;
}
