/* SPDX-License-Identifier: Apache-2.0 */
/* LAPACK on batches: each matrix as by itself, with the same bits on any number of threads. Values are compared with
 * JAX's in test/jax/test_exports.py. */
#include "runtime/libraries/lapack.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- singular values ---- */

typedef struct singular {
  hd_element_type type;
  int64_t m, n, k;
  void *a, *s, *u, *vt;
  int32_t info[COUNT];
} singular;

/* Of the |count| matrices at |a|, which are column by column. Mode 'Q' is for QR, |s| being the factors tau. */
static singular call_svd(hd_element_type type, const char *target, char mode, const void *a, int64_t m, int64_t n,
                         int64_t count, const hd_gemm_env *env) {
  singular x = {.type = type, .m = m, .n = n, .k = m < n ? m : n};
  int64_t dims[] = {count, m, n}, s[] = {count, x.k}, u[] = {count, m, x.k}, vt[] = {count, x.k, n};
  x.a = calloc((size_t)(count * m * n), 8), x.s = calloc((size_t)(count * x.k), 8);
  x.u = calloc((size_t)(count * m * x.k), 8), x.vt = calloc((size_t)(count * x.k * n), 8);
  uint8_t attributes[] = {1, 0, 0, 0, 4, 0, 0, 0, 'm', 'o', 'd', 'e', HD_CUSTOM_SCALAR, HD_ELEMENT_UI8, (uint8_t)mode};
  hd_custom_tensor in = {type, 3, dims, (void *)(uintptr_t)a}, outs[] = {{type, 3, dims, x.a},
                                                                         {type, 2, s, x.s},
                                                                         {type, 3, u, x.u},
                                                                         {type, 3, vt, x.vt},
                                                                         {HD_ELEMENT_I32, 1, dims, x.info}};
  hd_custom_call call = {.inputs = &in,
                         .outputs = outs,
                         .input_count = 1,
                         .output_count = mode == 'Q' ? 2 : 5,
                         .attributes = attributes,
                         .attribute_bytes = sizeof attributes};
  HD_CHECK_OK(hd_lapack_call(target, &call, gemm, env));
  return x;
}

static void free_singular(singular *x) { free(x->a), free(x->s), free(x->u), free(x->vt); }

/* The largest element of U S V^T - A, U^T U - 1 and V^T V - 1, of matrix |i|. */
static double svd_residual(const singular *x, const void *a, int64_t i) {
  double worst = 0;
  int64_t m = x->m, n = x->n, k = x->k;
  for (int64_t r = 0; r < m; ++r)
    for (int64_t c = 0; c < n; ++c) {
      double sum = -creal(at(x->type, a, (i * n + c) * m + r));
      for (int64_t j = 0; j < k; ++j)
        sum += creal(at(x->type, x->u, (i * k + j) * m + r) * at(x->type, x->s, i * k + j) *
                     at(x->type, x->vt, (i * n + c) * k + j));
      worst = fmax(worst, fabs(sum));
    }
  for (int64_t p = 0; p < k; ++p)
    for (int64_t q = 0; q < k; ++q) {
      double u = p == q ? -1 : 0, v = u;
      for (int64_t r = 0; r < m; ++r)
        u += creal(at(x->type, x->u, (i * k + p) * m + r) * at(x->type, x->u, (i * k + q) * m + r));
      for (int64_t c = 0; c < n; ++c)
        v += creal(at(x->type, x->vt, (i * n + c) * k + p) * at(x->type, x->vt, (i * n + c) * k + q));
      worst = fmax(worst, fmax(fabs(u), fabs(v)));
    }
  return worst;
}

/* Many small matrices, of which one is zero, one has equal columns, one is far too large to square and one is no
 * number: each is as it would be alone, its values are in order, and bits are the same for any number of threads. */
static void svd_case(hd_element_type type, const char *target, int64_t m, int64_t n, double tolerance) {
  int64_t size = m * n, k = m < n ? m : n;
  char *a = calloc((size_t)(COUNT * size), 8);
  double huge = type == HD_ELEMENT_F32 ? 1e30 : 1e200;
  for (int64_t i = 0; i < COUNT; ++i)
    for (int64_t e = 0; e < size; ++e) {
      double value = number((uint64_t)(i * size + e)) * (i == 30 ? huge : 1);
      if (i == 9) value = 0;
      if (i == 20) value = number((uint64_t)(e % m));
      if (i == 36) value = NAN;
      if (type == HD_ELEMENT_F32)
        ((float *)(void *)a)[i * size + e] = (float)value;
      else
        ((double *)(void *)a)[i * size + e] = value;
    }
  hd_gemm_env env = {.user = pool, .threads = hd_pool_threads(pool), .for_range = for_range};
  singular x = call_svd(type, target, 'S', a, m, n, COUNT, NULL), y = call_svd(type, target, 'S', a, m, n, COUNT, &env);
  size_t element = hd_element_bytes(type);
  HD_CHECK(!memcmp(x.s, y.s, element * (size_t)(36 * k)) && !memcmp(x.u, y.u, element * (size_t)(36 * m * k)) &&
           !memcmp(x.vt, y.vt, element * (size_t)(36 * k * n)));
  for (int64_t i = 0; i < COUNT; ++i) {
    if (i == 36) continue; /* of which LAPACK says an error or not, by the routine and its size */
    HD_CHECK_INT(x.info[i], 0);
    singular one = call_svd(type, target, 'S', a + (size_t)(i * size) * element, m, n, 1, NULL);
    double scale = i == 30 ? huge : 1;
    for (int64_t j = 0; j < k; ++j) {
      double value = creal(at(type, x.s, i * k + j));
      HD_CHECK(fabs(value - creal(at(type, one.s, j))) <= tolerance * scale);
      HD_CHECK(!j || value <= creal(at(type, x.s, i * k + j - 1)));
    }
    if (i != 30) HD_CHECK(svd_residual(&x, a, i) < tolerance);
    free_singular(&one);
  }
  free_singular(&x), free_singular(&y), free(a);
}

typedef enum kind { ORDINARY, ZERO, FAR_TOO_LARGE, FAR_TOO_SMALL, NO_NUMBER, NEGATIVE_ZEROS, ROW_OF_ZEROS } kind;

/* Element |e| of matrix |i|, of |m| rows. */
static double element_of(kind what, bool narrow, int64_t m, int64_t i, int64_t e) {
  double value = number((uint64_t)(i * 1000 + e));
  int64_t row = e % m, column = e / m;
  switch (what) {
    case ORDINARY:
      return value;
    case ZERO:
      return 0;
    case FAR_TOO_LARGE:
      return value * (narrow ? 1e30 : 1e200);
    case FAR_TOO_SMALL:
      return value * (narrow ? 1e-30 : 1e-200);
    case NO_NUMBER:
      return e ? value : (double)NAN;
    case NEGATIVE_ZEROS:
      return row == column ? (double)(m - row) : -0.0; /* no column is rotated */
    case ROW_OF_ZEROS:
      return row ? value : -0.0;
  }
  return value;
}

/* The bits of a matrix are the same among any others as among copies of itself or, where vectors do not serve it, as
 * by itself. */
static void neighbours_case(hd_element_type type, const char *target, char mode, int64_t m, int64_t n) {
  enum { TOGETHER = 13, COPIES = 3 }; /* a full group and a part of one */
  static const kind kinds[TOGETHER] = {
      ZERO, [3] = FAR_TOO_LARGE, [5] = NEGATIVE_ZEROS, [7] = NO_NUMBER, [9] = FAR_TOO_SMALL, [10] = ROW_OF_ZEROS};
  int64_t size = m * n;
  bool narrow = type == HD_ELEMENT_F32;
  size_t bytes = hd_element_bytes(type) * (size_t)size;
  char *a = calloc(TOGETHER, bytes), *copies = calloc(COPIES, bytes);
  hd_gemm_env env = {.user = pool, .threads = hd_pool_threads(pool), .for_range = for_range};
  for (int64_t shift = 0; shift < TOGETHER; ++shift) {
    for (int64_t at = 0; at < TOGETHER * size; ++at) {
      double value = element_of(kinds[(at / size + shift) % TOGETHER], narrow, m, at / size, at % size);
      if (narrow)
        ((float *)(void *)a)[at] = (float)value;
      else
        ((double *)(void *)a)[at] = value;
    }
    singular all = call_svd(type, target, mode, a, m, n, TOGETHER, &env);
    for (int64_t i = 0; i < TOGETHER; ++i) {
      kind what = kinds[(i + shift) % TOGETHER];
      bool alone = what == ZERO || what == FAR_TOO_LARGE || what == FAR_TOO_SMALL || what == NO_NUMBER;
      for (size_t copy = 0; copy < COPIES; ++copy) memcpy(copies + copy * bytes, a + (size_t)i * bytes, bytes);
      singular one = call_svd(type, target, mode, copies, m, n, alone ? 1 : COPIES, NULL);
      const struct {
        const char *all, *one;
        int64_t size;
      } results[] = {
          {all.a, one.a, size}, {all.s, one.s, all.k}, {all.u, one.u, m * all.k}, {all.vt, one.vt, all.k * n}};
      for (size_t r = 0; r < sizeof results / sizeof *results; ++r) {
        size_t each = hd_element_bytes(type) * (size_t)results[r].size;
        HD_CHECK(!memcmp(results[r].all + (size_t)i * each, results[r].one, each));
      }
      HD_CHECK_INT(all.info[i], one.info[0]);
      free_singular(&one);
    }
    free_singular(&all);
  }
  free(a), free(copies);
}

/* Few long matrices, each on all threads. */
static void thin_case(const char *target, int64_t m, int64_t n) {
  enum { FEW = 3 };
  float *a = calloc((size_t)(FEW * m * n), sizeof *a);
  for (int64_t e = 0; e < FEW * m * n; ++e) a[e] = (float)number((uint64_t)e);
  hd_gemm_env env = {.user = pool, .threads = hd_pool_threads(pool), .for_range = for_range};
  singular x = call_svd(HD_ELEMENT_F32, target, 'S', a, m, n, FEW, NULL),
           y = call_svd(HD_ELEMENT_F32, target, 'S', a, m, n, FEW, &env),
           values = call_svd(HD_ELEMENT_F32, target, 'N', a, m, n, FEW, &env);
  size_t k = (size_t)x.k * FEW * sizeof(float);
  HD_CHECK(!memcmp(x.s, y.s, k) && !memcmp(x.u, y.u, k * (size_t)m) && !memcmp(x.vt, y.vt, k * (size_t)n));
  for (int64_t i = 0; i < FEW; ++i) HD_CHECK(svd_residual(&x, a, i) < 1e-4 && !x.info[i]);
  for (int64_t j = 0; j < FEW * x.k; ++j)
    HD_CHECK(fabsf(((float *)x.s)[j] - ((float *)values.s)[j]) < 1e-4F * ((float *)x.s)[0]);
  free_singular(&x), free_singular(&y), free_singular(&values), free(a);
}

/* A long matrix of equal columns, or all of one number: what reflectors leave of it vanishes, down to denormals, and
 * what they are made of must be orthogonal all the same. */
static void rank_one_case(hd_element_type type, const char *target, int64_t m, int64_t n, bool equal, double scale,
                          double tolerance) {
  char *a = calloc((size_t)(m * n), 8);
  for (int64_t e = 0; e < m * n; ++e) {
    double value = scale * (equal ? number((uint64_t)(e % m)) : 1);
    if (type == HD_ELEMENT_F32)
      ((float *)(void *)a)[e] = (float)value;
    else
      ((double *)(void *)a)[e] = value;
  }
  singular x = call_svd(type, target, 'S', a, m, n, 1, NULL);
  HD_CHECK_INT(x.info[0], 0);
  HD_CHECK(svd_residual(&x, a, 0) < tolerance * fmax(scale, 1));
  free_singular(&x), free(a);
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
  static const int64_t shapes[][2] = {{1, 1},  {2, 2}, {3, 3},  {8, 8},  {16, 16}, {16, 5},
                                      {3, 16}, {1, 7}, {40, 7}, {7, 40}, {34, 17}, {17, 33}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
    svd_case(HD_ELEMENT_F32, i % 2 ? "lapack_sgesdd_ffi" : "lapack_sgesvd_ffi", shapes[i][0], shapes[i][1], 1e-5);
    svd_case(HD_ELEMENT_F64, i % 2 ? "lapack_dgesvd_ffi" : "lapack_dgesdd_ffi", shapes[i][0], shapes[i][1], 1e-13);
  }
  static const int64_t small[][2] = {{1, 1}, {3, 3}, {4, 4}, {16, 16}, {7, 3}, {3, 16}};
  for (size_t i = 0; i < sizeof small / sizeof *small; ++i) {
    int64_t m = small[i][0], n = small[i][1];
    for (const char *mode = "SN"; *mode; ++mode) {
      neighbours_case(HD_ELEMENT_F32, "lapack_sgesdd_ffi", *mode, m, n);
      neighbours_case(HD_ELEMENT_F32, "lapack_sgesvd_ffi", *mode, m, n);
      neighbours_case(HD_ELEMENT_F64, "lapack_dgesdd_ffi", *mode, m, n);
      neighbours_case(HD_ELEMENT_F64, "lapack_dgesvd_ffi", *mode, m, n);
    }
    neighbours_case(HD_ELEMENT_F32, "lapack_sgeqrf_ffi", 'Q', m, n);
    neighbours_case(HD_ELEMENT_F64, "lapack_dgeqrf_ffi", 'Q', m, n);
  }
  thin_case("lapack_sgesdd_ffi", 601, 33);
  thin_case("lapack_sgesvd_ffi", 33, 601);
  static const double scales[] = {1, 1e-30, 1e-40, 1e-60, 1e-200, 1e-305, 1e-310, 1e30};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i)
    for (int equal = 0; equal < 2; ++equal) {
      rank_one_case(HD_ELEMENT_F64, "lapack_dgesdd_ffi", 300, 60, equal, scales[i], 1e-12);
      rank_one_case(HD_ELEMENT_F32, "lapack_sgesdd_ffi", 300, 60, equal, scales[i], 1e-3);
    }
  hd_custom_call none = {0};
  HD_CHECK_FAILS(hd_lapack_call("lapack_sungqr_ffi", &none, NULL, NULL), HD_NOT_FOUND, "no such routine");
  hd_gemm_context_release(gemm);
  hd_pool_free(pool);
  return HD_TEST_RESULT();
}
