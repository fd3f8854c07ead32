/* SPDX-License-Identifier: Apache-2.0 */
/* The FMA peak of N threads in GFLOP/s: fma_peak N. Twelve independent accumulators of the widest registers there are.
 */
#include <immintrin.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ITERATIONS = 20000000, LANES = 12 };
static float sink[256];

#define LOOP(V, SET, FMA, STORE)                                                     \
  V a[LANES], x = SET(0.999f), y = SET(0.001f);                                      \
  for (int k = 0; k < LANES; ++k) a[k] = SET((float)k);                              \
  for (int i = 0; i < ITERATIONS; ++i) {                                             \
    _Pragma("GCC unroll 12") for (int k = 0; k < LANES; ++k) a[k] = FMA(a[k], x, y); \
  }                                                                                  \
  for (int k = 1; k < LANES; ++k) a[0] = FMA(a[0], x, a[k]);                         \
  STORE(out, a[0]);

__attribute__((target("avx2,fma"))) static void loop8(float *out) {
  LOOP(__m256, _mm256_set1_ps, _mm256_fmadd_ps, _mm256_storeu_ps)
}
__attribute__((target("avx512f"))) static void loop16(float *out) {
  LOOP(__m512, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_storeu_ps)
}

static void *work(void *argument) {
  float *out = argument;
  if (__builtin_cpu_supports("avx512f"))
    loop16(out);
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    loop8(out);
  return NULL;
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 1;
  if (threads < 1 || threads > 16) return 2;
  double lanes = __builtin_cpu_supports("avx512f") ? 16 : 8, best = 0;
  for (int round = 0; round < 3; ++round) {
    pthread_t ids[16];
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < threads; ++i) pthread_create(&ids[i], NULL, work, sink + 16 * i);
    for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    double rate = 2.0 * lanes * LANES * ITERATIONS * threads / seconds * 1e-9;
    if (rate > best) best = rate;
  }
  printf("%.1f\n", best);
  return 0;
}
