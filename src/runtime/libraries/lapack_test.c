/* SPDX-License-Identifier: Apache-2.0 */
/* LAPACK on batches: each matrix as by itself, with the same bits on any number of threads. Values are compared with
 * JAX's in test/jax/test_exports.py. */
#include "runtime/libraries/lapack.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "base/mix.h"
#include "base/testing.h"
#include "runtime/libraries/lapacke.h"
#include "runtime/threads.h"

enum { COUNT = 40, N = 12, MATRIX = N * N };

static hd_pool *pool;
static hd_gemm_context *gemm;

static void for_range(void *user, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  hd_pool_for(user, NULL, extent, grain, body, argument);
}

static double number(uint64_t k) { return (double)(hd_mix((k + 1) * HD_MIX_STEP) >> 40) * 0x1p-23 - 1; }

/* |count| positive definite matrices B B^H + N of |type|, column by column. */
static void fill(hd_element_type type, void *out) {
  for (int64_t i = 0; i < COUNT; ++i) {
    double _Complex b[N][N];
    bool is_complex = type == HD_ELEMENT_C64 || type == HD_ELEMENT_C128;
    for (int r = 0; r < N; ++r)
      for (int k = 0; k < N; ++k) {
        uint64_t at = (uint64_t)((i * N + r) * N + k);
        b[r][k] = number(2 * at) + (is_complex ? number(2 * at + 1) * I : 0);
      }
    for (int c = 0; c < N; ++c)
      for (int r = 0; r < N; ++r) {
        double _Complex sum = r == c ? N : 0;
        for (int k = 0; k < N; ++k) sum += b[r][k] * conj(b[c][k]);
        int64_t at = i * MATRIX + c * N + r;
        if (type == HD_ELEMENT_F32) ((float *)out)[at] = (float)creal(sum);
        if (type == HD_ELEMENT_F64) ((double *)out)[at] = creal(sum);
        if (type == HD_ELEMENT_C64) ((float _Complex *)out)[at] = (float _Complex)sum;
        if (type == HD_ELEMENT_C128) ((double _Complex *)out)[at] = sum;
      }
  }
}

static double _Complex at(hd_element_type type, const void *data, int64_t i) {
  return type == HD_ELEMENT_F32   ? ((const float *)data)[i]
         : type == HD_ELEMENT_F64 ? ((const double *)data)[i]
         : type == HD_ELEMENT_C64 ? ((const float _Complex *)data)[i]
                                  : ((const double _Complex *)data)[i];
}

/* The largest element of L L^H - A, of matrix |m|. */
static double residual(hd_element_type type, const void *l, const void *a, int64_t m) {
  double worst = 0;
  for (int c = 0; c < N; ++c)
    for (int r = c; r < N; ++r) {
      double _Complex sum = 0;
      for (int k = 0; k <= c; ++k)
        sum += at(type, l, m * MATRIX + k * N + r) * conj(at(type, l, m * MATRIX + k * N + c));
      worst = fmax(worst, cabs(sum - at(type, a, m * MATRIX + c * N + r)));
    }
  return worst;
}

static void cholesky_case(hd_element_type type, const char *target, double tolerance) {
  size_t bytes = hd_element_bytes(type) * MATRIX * COUNT;
  char *a = malloc(bytes), *l[2] = {malloc(bytes), malloc(bytes)};
  int32_t info[2][COUNT];
  int64_t dims[] = {COUNT, N, N};
  fill(type, a);
  hd_gemm_env env = {.user = pool, .threads = hd_pool_threads(pool), .for_range = for_range};
  for (int k = 0; k < 2; ++k) {
    hd_custom_tensor in = {type, 3, dims, a}, outs[] = {{type, 3, dims, l[k]}, {HD_ELEMENT_I32, 1, dims, info[k]}};
    hd_custom_call call = {.inputs = &in, .outputs = outs, .input_count = 1, .output_count = 2};
    HD_CHECK_OK(hd_lapack_call(target, &call, gemm, k ? &env : NULL));
  }
  HD_CHECK(!memcmp(l[0], l[1], bytes) && !memcmp(info[0], info[1], sizeof info[0]));
  double worst = 0;
  for (int64_t m = 0; m < COUNT; ++m) {
    HD_CHECK_INT(info[0][m], 0);
    worst = fmax(worst, residual(type, l[0], a, m));
  }
  HD_CHECK(worst < tolerance);
  for (int k = 0; k < 2; ++k) free(l[k]);
  free(a);
}

/* One matrix of a batch has no factor: its code says so, the others are as they were. */
static void one_fails(void) {
  static float a[COUNT * MATRIX], l[COUNT * MATRIX];
  static int32_t info[COUNT];
  int64_t dims[] = {COUNT, N, N};
  fill(HD_ELEMENT_F32, a);
  a[17 * MATRIX + 4 * N + 4] = -1;
  hd_custom_tensor in = {HD_ELEMENT_F32, 3, dims, a},
                   outs[] = {{HD_ELEMENT_F32, 3, dims, l}, {HD_ELEMENT_I32, 1, dims, info}};
  hd_custom_call call = {.inputs = &in, .outputs = outs, .input_count = 1, .output_count = 2};
  hd_gemm_env env = {.user = pool, .threads = hd_pool_threads(pool), .for_range = for_range};
  HD_CHECK_OK(hd_lapack_call("lapack_spotrf_ffi", &call, gemm, &env));
  for (int64_t m = 0; m < COUNT; ++m) HD_CHECK_INT(info[m], m == 17 ? 5 : 0);
  HD_CHECK(residual(HD_ELEMENT_F32, l, a, 18) < 1e-4);
}

int main(void) {
  const hd_lapacke *lapacke;
  HD_CHECK_OK(hd_lapacke_open(&lapacke));
  HD_CHECK_OK(hd_pool_create(4, NULL, &pool));
  HD_CHECK_OK(hd_gemm_context_create(0, &gemm));
  for (int again = 0; again < 3; ++again) {
    cholesky_case(HD_ELEMENT_F32, "lapack_spotrf_ffi", 1e-4);
    cholesky_case(HD_ELEMENT_F64, "lapack_dpotrf_ffi", 1e-12);
    cholesky_case(HD_ELEMENT_C64, "lapack_cpotrf_ffi", 1e-4);
    cholesky_case(HD_ELEMENT_C128, "lapack_zpotrf_ffi", 1e-12);
  }
  one_fails();
  hd_custom_call none = {0};
  HD_CHECK_FAILS(hd_lapack_call("lapack_sungqr_ffi", &none, NULL, NULL), HD_NOT_FOUND, "no such routine");
  hd_gemm_context_release(gemm);
  hd_pool_free(pool);
  return HD_TEST_RESULT();
}
