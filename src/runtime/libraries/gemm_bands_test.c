/* SPDX-License-Identifier: Apache-2.0 */
/* Operands that are mostly zeros, in bands: what is found of them, and that products are those of all terms. */
#include "runtime/libraries/gemm_bands.h"

#include "runtime/libraries/gemm_testing.h"

enum { most = 72 * 1024, batches = 2 };
static _Alignas(64) char x[most * 8], y[most * 8], z[most * 8], serial[most * 8];

static void set(hd_element_type type, void *data, int64_t i, double value) {
  if (type == HD_ELEMENT_F32)
    ((float *)data)[i] = (float)value;
  else
    ((double *)data)[i] = value;
}

/* |lines| lines of |k| elements, those of line i near k * i / lines alone; each third line of zeros only. */
static void fill_band(hd_element_type type, void *data, int64_t lines, int64_t k, int64_t line_step, int64_t k_step) {
  for (int64_t i = 0; i < lines; ++i)
    for (int64_t j = 0; j < k; ++j) {
      int64_t away = j - i * k / lines;
      bool is_in = away >= -1 && away <= 1 && i % 3 != 2;
      set(type, data, i * line_step + j * k_step, is_in ? (double)(1 + (i + j) % 7) / 4 : j % 2 ? -0.0 : 0.0);
    }
}

typedef struct shape {
  int64_t m, n, k;
} shape;

/* The product of |sides|, bit 0: A is a band, bit 1: B, bit 2: A by columns, bit 3: B by columns. */
static hd_gemm_call product(hd_element_type type, shape s, int sides, const hd_gemm_env *env) {
  bool a_turned = sides & 4, b_turned = sides & 8;
  hd_gemm_call call = {.a_type = type, .b_type = type, .c_type = type, .a = x, .b = y, .c = z, .dim_count = 4};
  call.env = env;
  call.dims[0] = (hd_gemm_dim){HD_GEMM_BATCH, batches, sides & 1 ? 0 : s.m * s.k, sides & 2 ? 0 : s.k * s.n, s.m * s.n};
  call.dims[1] = (hd_gemm_dim){HD_GEMM_M, s.m, a_turned ? 1 : s.k, 0, s.n};
  call.dims[2] = (hd_gemm_dim){HD_GEMM_N, s.n, 0, b_turned ? s.k : 1, 1};
  call.dims[3] = (hd_gemm_dim){HD_GEMM_K, s.k, a_turned ? s.m : 1, b_turned ? 1 : s.n, 0};
  fill(type, x, batches * s.m * s.k);
  fill(type, y, batches * s.k * s.n);
  if (sides & 1) fill_band(type, x, s.m, s.k, call.dims[1].a, call.dims[3].a);
  if (sides & 2) fill_band(type, y, s.n, s.k, call.dims[2].b, call.dims[3].b);
  return call;
}

static void check(hd_gemm_call *call, int context, size_t bytes, const char *what) {
  hd_gemm_env one = env_of(1), some = env_of(most_threads);
  call->env = &one;
  memset(z, 0x55, sizeof z);
  HD_CHECK_OK(hd_gemm(contexts[context], call));
  compare(call, z, what);
  memcpy(serial, z, bytes);
  call->env = &some;
  memset(z, 0x55, sizeof z);
  HD_CHECK_OK(hd_gemm(contexts[context], call));
  HD_CHECK(memcmp(serial, z, bytes) == 0);
}

static void test_products(void) {
  static const shape shapes[] = {{112, 260, 64}, {41, 301, 70}, {260, 41, 130}, {257, 50, 33}};
  for (int at = 0; at < context_count; ++at)
    for (int wide = 0; wide < 2; ++wide)
      for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        for (int sides = 1; sides < 16; ++sides) {
          hd_element_type type = wide ? HD_ELEMENT_F64 : HD_ELEMENT_F32;
          shape s = shapes[i];
          if (!(sides & 3)) continue;
          hd_gemm_call call = product(type, s, sides, NULL);
          size_t bytes = (size_t)(batches * s.m * s.n) * hd_element_bytes(type);
          check(&call, at, bytes, "bands");
          keeping = true; /* B is packed once */
          check(&call, at, bytes, "bands, bound");
          keeping = false;
          forget();
          if ((size_t)wide == i % 2) continue;
          /* Zero times infinity, and a NaN, in what a band leaves out and in what it does not. */
          set(type, sides & 1 ? y : x, (sides & 1 ? s.k * s.n : s.m * s.k) / 2, INFINITY);
          check(&call, at, bytes, "infinity");
          set(type, sides & 1 ? y : x, (sides & 1 ? s.k * s.n : s.m * s.k) / 2, -NAN);
          check(&call, at, bytes, "not a number");
        }
}

/* What is found: |rows| and |columns| of a band; nothing where it may not be used. */
static void found(int context, hd_gemm_call *call, bool rows, bool columns) {
  hd_gemm_problem p;
  hd_gemm_block *copy_a, *copy_b;
  HD_CHECK_OK(hd_gemm_problem_make(contexts[context], call, &p, &copy_a, &copy_b));
  hd_gemm_bands bands;
  hd_gemm_bands_find(contexts[context], &p, call->env, &bands);
  HD_CHECK_INT(bands.rows != NULL, p.swapped ? columns : rows);
  HD_CHECK_INT(bands.columns != NULL, p.swapped ? rows : columns);
  hd_gemm_bands_release(contexts[context], &bands);
  if (copy_a) hd_gemm_block_release(contexts[context], copy_a);
  if (copy_b) hd_gemm_block_release(contexts[context], copy_b);
}

static void test_find(void) {
  for (int at = 0; at < context_count; ++at)
    for (int threads = 1; threads <= most_threads; ++threads) {
      hd_gemm_env env = env_of(threads);
      shape s = {112, 260, 256};
      hd_gemm_call call = product(HD_ELEMENT_F32, s, 1, &env);
      found(at, &call, true, false);
      ((float *)(void *)y)[s.k * s.n + 5] = INFINITY; /* in the second batch */
      found(at, &call, false, false);
      s = (shape){260, 112, 256};
      call = product(HD_ELEMENT_F32, s, 2, &env);
      found(at, &call, false, true);
      ((float *)(void *)x)[s.m * s.k - 1] = -NAN;
      found(at, &call, false, false);
      call = product(HD_ELEMENT_F32, s, 0, &env);
      found(at, &call, false, false);
      s = (shape){8, 260, 256}; /* few rows */
      call = product(HD_ELEMENT_F32, s, 1, &env);
      found(at, &call, false, false);
    }
}

static void all(void) {
  test_products();
  test_find();
}

int main(void) { return hd_test_with_kernels(all); }
