/* SPDX-License-Identifier: Apache-2.0 */
/* The RAL entries of products and convolutions, called by name with erased arguments as host code calls them. */
#include <stdlib.h>

#include "base/testing.h"
#include "heddle/cpu.h"
#include "runtime/libraries/gemm_abi.h"
#include "runtime/objects.h"
#include "runtime/ral_api.h"

void ral_api_call(void *ctx, const char *name, void **args);

static hd_kernel_fn kernels[1];
static hd_loaded loaded;
static hd_artifact_entry entry;
static hd_executable executable = {.loaded = &loaded, .entry = &entry};
static const hd_execute_options options = HD_INIT(hd_execute_options);
static hd_runtime *runtime;

static hd_ral_context context_of_run(void) {
  return (hd_ral_context){.executable = &executable, .runtime = runtime, .options = &options};
}

/* args[0] is the context's; a null stream follows. */
#define CALL(ctx, name, ...)                     \
  do {                                           \
    void *stream = NULL;                         \
    void *args[] = {NULL, &stream, __VA_ARGS__}; \
    ral_api_call((ctx), (name), args);           \
  } while (0)

static void test_gemm(void) {
  float a[2 * 3] = {1, 2, 3, 4, 5, 6}, b[2 * 3] = {1, 0, 2, 0, 1, -1}, c[2 * 2] = {0};
  hd_memref2 lhs = {a, a, 0, {2, 3}, {3, 1}}, rhs = {b, b, 0, {2, 3}, {3, 1}}, out = {c, c, 0, {2, 2}, {2, 1}};
  bool no = false, yes = true;
  hd_ral_context ctx = context_of_run();
  CALL(&ctx, "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void", &lhs, &rhs, &out, &no, &yes);
  HD_CHECK_INT(ctx.head.failed, 0);
  HD_CHECK(c[0] == 7 && c[1] == -1 && c[2] == 16 && c[3] == -1);
  HD_CHECK_INT(ctx.stats.library_calls, 1);
  CALL(&ctx, "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void", &lhs, &rhs, &out, &no, &no);
  HD_CHECK_FAILS(ctx.error, HD_INVALID_ARGUMENT, "2 x 3 times 2 x 3 to 2 x 2: sizes differ");
  /* Batched integers, wrapping. */
  int8_t x[2 * 2] = {100, 2, 3, 4}, y[2 * 2] = {2, 1, 1, 2}, z[2] = {0};
  hd_memref3 lhs3 = {x, x, 0, {2, 1, 2}, {2, 2, 1}}, rhs3 = {y, y, 0, {2, 2, 1}, {2, 1, 1}},
             out3 = {z, z, 0, {2, 1, 1}, {1, 1, 1}};
  ctx = context_of_run();
  CALL(&ctx, "ral_gemm___pvoid_pvoid_m3di8_m3di8_m3di8_i1_i1___void", &lhs3, &rhs3, &out3, &no, &no);
  HD_CHECK_INT(ctx.head.failed, 0);
  HD_CHECK(z[0] == (int8_t)202 && z[1] == 11);
}

static const char dot_name[] = "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void";
static const char conv_name[] = "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void";
static int64_t f32s = HD_ELEMENT_F32 | HD_ELEMENT_F32 << 8 | HD_ELEMENT_F32 << 16;

/* out[m, n] = sum + own word 1 */
static void add_word(const uint64_t *words, int64_t m0, int64_t m1) {
  const hd_gemm_epilogue *args = (const hd_gemm_epilogue *)(const void *)words;
  const uint64_t *own = (const uint64_t *)(args + 1);
  const float *tile = args->tile;
  float *out = (float *)(uintptr_t)own[0];
  for (int64_t m = m0; m < m1; ++m)
    for (int64_t n = args->n0; n < args->n1; ++n)
      out[m * 2 + n] = tile[(m - m0) * args->tile_row + n - args->n0] + (float)own[1];
}

static void test_dot_general(void) {
  float a[2 * 3] = {1, 2, 3, 4, 5, 6}, b[3 * 2] = {1, 0, 0, 1, 2, -1}, c[2 * 2] = {0};
  int64_t rows[] = {1, 2, 3, 0, 2, /* m */ 2, 2, 0, 1, 1, /* n */ 3, 3, 1, 2, 0 /* k */};
  int64_t count = 3, none = -1, epilogue = 0, no_words = 0, two = 2;
  void *lhs = a, *rhs = b, *out = c, *dims = rows, *words = NULL;
  hd_ral_context ctx = context_of_run();
  CALL(&ctx, dot_name, &lhs, &rhs, &out, &f32s, &dims, &count, &none, &words, &no_words);
  HD_CHECK_INT(ctx.head.failed, 0);
  HD_CHECK(c[0] == 7 && c[1] == -1 && c[2] == 16 && c[3] == -1);
  uint64_t own[] = {(uint64_t)(uintptr_t)c, 100};
  words = own;
  CALL(&ctx, dot_name, &lhs, &rhs, &out, &f32s, &dims, &count, &epilogue, &words, &two);
  HD_CHECK_INT(ctx.head.failed, 0);
  HD_CHECK(c[0] == 107 && c[1] == 99 && c[2] == 116 && c[3] == 99);
  rows[0] = 7;
  CALL(&ctx, dot_name, &lhs, &rhs, &out, &f32s, &dims, &count, &none, &words, &no_words);
  HD_CHECK_FAILS(ctx.error, HD_INVALID_ARGUMENT, "dim 0 has role 7");
  ctx = context_of_run();
  count = 999;
  CALL(&ctx, dot_name, &lhs, &rhs, &out, &f32s, &dims, &count, &none, &words, &no_words);
  HD_CHECK_FAILS(ctx.error, HD_INVALID_ARGUMENT, "at most 128 dims");
  ctx = context_of_run();
  count = 3, rows[0] = 1, epilogue = 5;
  CALL(&ctx, dot_name, &lhs, &rhs, &out, &f32s, &dims, &count, &epilogue, &words, &two);
  HD_CHECK_FAILS(ctx.error, HD_INTERNAL, "kernel 5");
}

static void test_convolution(void) {
  float in[4] = {1, 2, 3, 4}, kernel[3] = {1, 10, 100}, c[4] = {0};
  /* one line of four, one feature, a kernel of three, padded by one */
  int64_t f[] = {1, 1, 1, 1, 1, 4, 1, 1, 1, 4, 1, 1, /* window */ 4, 4, 3, 1, 1, 1, 1, 0, 1, 1, 1};
  int64_t count = sizeof f / sizeof *f, none = -1, no_words = 0;
  void *lhs = in, *rhs = kernel, *out = c, *descriptor = f, *words = NULL;
  hd_ral_context ctx = context_of_run();
  CALL(&ctx, conv_name, &lhs, &rhs, &out, &f32s, &descriptor, &count, &none, &words, &no_words);
  HD_CHECK_INT(ctx.head.failed, 0);
  HD_CHECK(c[0] == 210 && c[1] == 321 && c[2] == 432 && c[3] == 43);
  f[19] = 1; /* reversed */
  CALL(&ctx, conv_name, &lhs, &rhs, &out, &f32s, &descriptor, &count, &none, &words, &no_words);
  HD_CHECK(c[0] == 12 && c[1] == 123 && c[2] == 234 && c[3] == 340);
  count = 20;
  CALL(&ctx, conv_name, &lhs, &rhs, &out, &f32s, &descriptor, &count, &none, &words, &no_words);
  HD_CHECK_FAILS(ctx.error, HD_INVALID_ARGUMENT, "expected 12 words");
}

static void test_without_kernels(void) {
  HD_TEST_SKIP("no kernels for this machine");
  float a[1] = {0};
  hd_memref2 one = {a, a, 0, {1, 1}, {1, 1}};
  bool no = false;
  hd_ral_context ctx = context_of_run();
  CALL(&ctx, "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void", &one, &one, &one, &no, &no);
  HD_CHECK_FAILS(ctx.error, HD_UNIMPLEMENTED, "gemm");
}

int main(void) {
  kernels[0] = add_word;
  loaded.kernels = kernels;
  loaded.program = &(hd_artifact_program){.kernel_count = 1};
  hd_fork_mutex_init(&executable.packing, HD_FORK_OUTER);
  if (HD_CHECK_OK(hd_runtime_create(NULL, &runtime))) {
    if (hd_gemm_kernels_find(hd_cpu_features())) {
      test_gemm();
      test_dot_general();
      test_convolution();
    } else {
      test_without_kernels();
    }
    hd_runtime_release(runtime);
  }
  return HD_TEST_RESULT();
}
