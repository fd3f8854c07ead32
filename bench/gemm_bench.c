/* SPDX-License-Identifier: Apache-2.0 */
/* GFLOP/s of the GEMM library at many shapes, and the share of the FMA peak measured in the same run.
 *
 *   gemm_bench [threads [x86-64-v3|x86-64-v4|native [MxKxN[t][b]...]]]      t: B transposed, b: of bf16
 *
 * Per row: unbound weights, then bound ones (packed once): the median GFLOP/s of rounds, its share of the peak,
 * microseconds, and GB/s of weights read. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "heddle/cpu.h"
#include "runtime/libraries/gemm.h"

/* With one thread the time that it had on a CPU counts, so that other processes disturb less. */
static clockid_t clock_id = CLOCK_MONOTONIC;
static double now(void) {
  struct timespec t;
  clock_gettime(clock_id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- peak: independent FMAs on ten registers, on every thread of the pool
 * ------------------------------------------------- */

#define TEN(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define STEP(i) __asm__ volatile("vfmadd213ps %2, %1, %0" : "+v"(a##i) : "v"(x), "v"(y));
enum { peak_steps = 500, peak_items = 4000 };

__attribute__((target("avx512f"))) static void peak_512(void) {
  typedef float v16 __attribute__((vector_size(64)));
#define DECLARE(i) v16 a##i = {i + 1};
  TEN(DECLARE)
#undef DECLARE
  v16 x = {0.5f}, y = {0.25f};
  for (int k = 0; k < peak_steps; ++k) {
    TEN(STEP)
  }
}

__attribute__((target("avx2,fma"))) static void peak_256(void) {
  typedef float v8 __attribute__((vector_size(32)));
#define DECLARE(i) v8 a##i = {i + 1};
  TEN(DECLARE)
#undef DECLARE
  v8 x = {0.5f}, y = {0.25f};
  for (int k = 0; k < peak_steps; ++k) {
    TEN(STEP)
  }
}

static bool wide;
static void peak_range(void *argument, int64_t begin, int64_t end) {
  (void)argument;
  for (; begin < end; ++begin) (wide ? peak_512 : peak_256)();
}

/* GFLOP/s of the pool's threads together; f64 has half of it. */
static double peak(hd_pool *pool) {
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    double start = now();
    hd_pool_for(pool, NULL, peak_items, 1, peak_range, NULL);
    double rate = (wide ? 32.0 : 16.0) * 10 * peak_steps * peak_items / (now() - start) * 1e-9;
    if (rate > best) best = rate;
  }
  return best;
}

/* ---- products
 * -------------------------------------------------------------------------------------------------------------- */

static hd_pool *pool;
static hd_pool_call region;
static void for_range(void *user, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  (void)user;
  hd_pool_for(pool, &region, extent, grain, body, argument);
}

/* One weight is bound at a time. */
static bool bound;
static const void *bound_data;
static uint64_t bound_use;
static void *bound_packed;
static const void *keep(void *user, const void *data, uint64_t use, size_t bytes, void (*pack)(void *, void *),
                        void *argument) {
  (void)user;
  if (!bound) return NULL;
  if (!bound_packed || bound_data != data || bound_use != use) {
    free(bound_packed);
    bound_packed = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!bound_packed) return NULL;
    pack(argument, bound_packed);
    bound_data = data, bound_use = use;
  }
  return bound_packed;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_seconds(hd_gemm_context *context, hd_gemm_call *call) {
  enum { rounds = 9 };
  double times[rounds], estimate = 0;
  for (int i = -2; i < rounds; ++i) {
    int repeat = estimate > 0 && estimate < 4e-3 ? (int)(4e-3 / estimate) + 1 : 1;
    hd_gemm_env env = {.threads = hd_pool_threads(pool), .for_range = for_range, .keep = keep};
    call->env = &env;
    region = (hd_pool_call){0};
    hd_pool_begin(pool, &region, 1000);
    double start = now();
    for (int r = 0; r < repeat; ++r) {
      hd_status status = hd_gemm(context, call);
      if (!hd_is_ok(status)) {
        fprintf(stderr, "%s\n", hd_status_message(status));
        exit(1);
      }
    }
    estimate = (now() - start) / repeat;
    hd_pool_end(pool, &region);
    if (i >= 0) times[i] = estimate;
  }
  qsort(times, rounds, sizeof *times, by_value);
  return times[rounds / 2];
}

static double peak_rate;
static hd_gemm_context *context;
static char *memory;
enum { memory_bytes = 192 << 20 };

static void row(const char *name, hd_gemm_call *call) {
  double flops = 2, weights = (double)hd_element_bytes(call->b_type);
  for (int32_t i = 0; i < call->dim_count; ++i) {
    flops *= (double)call->dims[i].size;
    if (call->dims[i].b) weights *= (double)call->dims[i].size;
  }
  double top = call->a_type == HD_ELEMENT_F64 ? peak_rate / 2 : peak_rate;
  call->c_type = call->c_type ? call->c_type : HD_ELEMENT_F32;
  printf("%-34s", name);
  for (int with = 0; with < 2; ++with) {
    bound = with;
    double seconds = median_seconds(context, call);
    printf(" | %7.1f GF/s %5.1f%% %9.1f us %6.1f GB/s", flops / seconds * 1e-9, flops / seconds * 1e-7 / top,
           seconds * 1e6, weights / seconds * 1e-9);
  }
  printf("\n");
  fflush(stdout);
  free(bound_packed);
  bound_packed = NULL;
}

static void product(int64_t m, int64_t k, int64_t n, bool b_transposed, hd_element_type a_type,
                    hd_element_type b_type) {
  char name[64];
  snprintf(name, sizeof name, "%lld x %lld x %lld%s %s%s%s", (long long)m, (long long)k, (long long)n,
           b_transposed ? "^T" : "", hd_element_text(a_type), a_type == b_type ? "" : " x ",
           a_type == b_type ? "" : hd_element_text(b_type));
  hd_gemm_call call = {.a_type = a_type,
                       .b_type = b_type,
                       .c_type = a_type == HD_ELEMENT_F64 ? a_type : HD_ELEMENT_F32,
                       .a = memory,
                       .b = memory + (16 << 20),
                       .c = memory + (176 << 20),
                       .dim_count = 3};
  call.dims[0] = (hd_gemm_dim){HD_GEMM_M, m, k, 0, n};
  call.dims[1] = (hd_gemm_dim){HD_GEMM_N, n, 0, b_transposed ? k : 1, 1};
  call.dims[2] = (hd_gemm_dim){HD_GEMM_K, k, 1, b_transposed ? 1 : n, 0};
  row(name, &call);
}

/* Both products of attention, from a [b, s, 3, h, d] buffer: q k^T and (softmax) v. */
static void attention(int64_t b, int64_t s) {
  enum { h = 12, d = 64, r = 3 * h * d };
  char name[64];
  snprintf(name, sizeof name, "q k^T  b %lld s %lld h 12 d 64", (long long)b, (long long)s);
  hd_gemm_call call = {.a_type = HD_ELEMENT_F32,
                       .b_type = HD_ELEMENT_F32,
                       .c_type = HD_ELEMENT_F32,
                       .a = memory,
                       .b = memory + h * d * 4,
                       .c = memory + (144 << 20),
                       .dim_count = 5};
  call.dims[0] = (hd_gemm_dim){HD_GEMM_BATCH, b, s * r, s * r, h * s * s};
  call.dims[1] = (hd_gemm_dim){HD_GEMM_BATCH, h, d, d, s * s};
  call.dims[2] = (hd_gemm_dim){HD_GEMM_M, s, r, 0, s};
  call.dims[3] = (hd_gemm_dim){HD_GEMM_N, s, 0, r, 1};
  call.dims[4] = (hd_gemm_dim){HD_GEMM_K, d, 1, 1, 0};
  row(name, &call);
  snprintf(name, sizeof name, "p v    b %lld s %lld h 12 d 64", (long long)b, (long long)s);
  call.a = memory + (96 << 20), call.b = memory + 2 * h * d * 4;
  call.dims[0] = (hd_gemm_dim){HD_GEMM_BATCH, b, h * s * s, s * r, s * h * d};
  call.dims[1] = (hd_gemm_dim){HD_GEMM_BATCH, h, s * s, d, d};
  call.dims[2] = (hd_gemm_dim){HD_GEMM_M, s, s, 0, h * d};
  call.dims[3] = (hd_gemm_dim){HD_GEMM_N, d, 0, 1, 1};
  call.dims[4] = (hd_gemm_dim){HD_GEMM_K, s, 1, r, 0};
  row(name, &call);
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 0;
  uint64_t features = hd_cpu_features();
  hd_status status = NULL;
  if (argc > 2 && strcmp(argv[2], "native")) {
    uint64_t level;
    status = hd_cpu_level_features(argv[2], &level);
    if (hd_is_ok(status) && (level & ~features))
      status = hd_make_status(HD_UNAVAILABLE, "this machine does not have all of %s", argv[2]);
    features = level;
  }
  if (hd_is_ok(status)) status = hd_pool_create(threads > 0 ? threads : hd_cpu_count(), NULL, &pool);
  if (hd_is_ok(status)) status = hd_gemm_context_create(features, &context);
  if (!hd_is_ok(status)) {
    fprintf(stderr, "gemm_bench: %s\n", hd_status_message(status));
    return 1;
  }
  if (hd_pool_threads(pool) == 1) clock_id = CLOCK_PROCESS_CPUTIME_ID;
  memory = aligned_alloc(4096, memory_bytes);
  if (!memory) return 1;
  for (size_t i = 0; i < memory_bytes / 4; ++i)
    ((uint32_t *)(void *)memory)[i] = 0x3c003c00u | (uint32_t)(i * 2654435761u >> 24);
  wide = hd_gemm_context_kernels(context)->vector_bytes == 64;
  /* The highest of several seconds: another process on a core must not make the peak look low. */
  for (int i = 0; i < 20; ++i) {
    double rate = peak(pool);
    if (rate > peak_rate) peak_rate = rate;
  }
  printf("%s, %s kernels, %d threads, FMA peak %.1f GFLOP/s (f32)\n", hd_cpu_brand(),
         hd_gemm_context_kernels(context)->name, hd_pool_threads(pool), peak_rate);
  printf("%-34s | unbound%38s | bound\n", "M x K x N", "");
  for (int i = 3; i < argc; ++i) {
    long long m, k, n;
    char letters[3] = "";
    if (sscanf(argv[i], "%lldx%lldx%lld%2s", &m, &k, &n, letters) < 3) continue;
    hd_element_type type = strchr(letters, 'b') ? HD_ELEMENT_BF16 : HD_ELEMENT_F32;
    product(m, k, n, strchr(letters, 't'), type, type);
  }
  if (argc > 3) return 0;
  static const int64_t kn[][2] = {{768, 2304}, {768, 768}, {768, 3072}, {3072, 768}};
  static const int64_t ms[] = {1, 4, 16, 128, 256, 1024};
  for (size_t i = 0; i < sizeof kn / sizeof *kn; ++i)
    for (size_t j = 0; j < sizeof ms / sizeof *ms; ++j)
      product(ms[j], kn[i][0], kn[i][1], false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  for (size_t j = 0; j < sizeof ms / sizeof *ms; ++j) product(ms[j], 768, 2304, true, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(1, 8, 8, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(16, 16, 16, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(4, 128, 1024, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(4, 256, 1024, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(128, 784, 512, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(784, 128, 512, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(512, 512, 512, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(1000, 1000, 1000, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(127, 131, 137, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(1024, 1, 4096, true, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(4096, 1024, 1, false, HD_ELEMENT_F32, HD_ELEMENT_F32);
  product(256, 768, 768, false, HD_ELEMENT_F64, HD_ELEMENT_F64);
  product(1, 1024, 1024, false, HD_ELEMENT_F32, HD_ELEMENT_BF16);
  product(1, 1024, 2816, false, HD_ELEMENT_F32, HD_ELEMENT_BF16);
  product(1, 2816, 1024, false, HD_ELEMENT_BF16, HD_ELEMENT_BF16);
  product(130, 1024, 2816, false, HD_ELEMENT_BF16, HD_ELEMENT_BF16);
  product(1024, 768, 3072, false, HD_ELEMENT_BF16, HD_ELEMENT_BF16);
  product(130, 1024, 2816, false, HD_ELEMENT_F16, HD_ELEMENT_F16);
  product(1, 768, 50257, true, HD_ELEMENT_F32, HD_ELEMENT_F32);
  attention(1, 16);
  attention(1, 128);
  attention(4, 64);
  attention(8, 128);
  hd_gemm_context_release(context);
  hd_pool_free(pool);
  free(memory);
  return 0;
}
