/* SPDX-License-Identifier: Apache-2.0 */
/* Factors are multiplied again, solutions put into their equations; the same bits on any
 * number of threads and at any CPU level. */
#include "runtime/libraries/dense.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "base/testing.h"
#include "heddle/cpu.h"

static hd_pool *pool;
static hd_gemm_context *contexts[4];
static int context_count;

static void for_range(void *user, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  hd_pool_for(user, NULL, extent, grain, body, argument);
}

static double number(int64_t k) { return (double)(hd_mix(((uint64_t)k + 1) * HD_MIX_STEP) >> 40) * 0x1p-23 - 1; }

/* ---- matrices of either type, column by column ---- */

typedef struct matrix {
  hd_element_type type;
  int64_t m, n;
  char *data;
  size_t bytes;
} matrix;

static matrix make(hd_element_type type, int64_t m, int64_t n) {
  size_t bytes = hd_element_bytes(type) * (size_t)(m * n) + 64;
  return (matrix){type, m, n, calloc(bytes, 1), bytes};
}
static double get(const matrix *a, int64_t i, int64_t j) {
  int64_t at = i + j * a->m;
  return a->type == HD_ELEMENT_F32 ? (double)((float *)(void *)a->data)[at] : ((double *)(void *)a->data)[at];
}
static void set(matrix *a, int64_t i, int64_t j, double value) {
  int64_t at = i + j * a->m;
  if (a->type == HD_ELEMENT_F32)
    ((float *)(void *)a->data)[at] = (float)value;
  else
    ((double *)(void *)a->data)[at] = value;
}
static matrix copy(const matrix *a) {
  matrix b = make(a->type, a->m, a->n);
  memcpy(b.data, a->data, a->bytes);
  return b;
}
static matrix random_matrix(hd_element_type type, int64_t m, int64_t n, double diagonal) {
  matrix a = make(type, m, n);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) set(&a, i, j, number(i * 4099 + j) + (i == j ? diagonal : 0));
  return a;
}
static hd_dense_matrix plain(const matrix *a) { return (hd_dense_matrix){a->data, 1, a->m}; }
static hd_dense_matrix flipped(const matrix *a) { return (hd_dense_matrix){a->data, a->m, 1}; }
static double tolerance(const matrix *a) {
  return (a->type == HD_ELEMENT_F32 ? FLT_EPSILON : DBL_EPSILON) * 8 * ((double)(a->m + a->n) + 8);
}

/* ---- every case with each set of kernels, alone and on threads: results are the first's bits ---- */

typedef bool case_fn(const hd_dense *d, matrix *a, void *more);

static void everywhere(const matrix *start, matrix *out, case_fn *run, void *more) {
  for (int c = 0; c < context_count; ++c)
    for (int threads = 0; threads < 2; ++threads) {
      hd_gemm_env env = {.user = pool, .threads = hd_pool_threads(pool), .for_range = for_range};
      hd_dense d = {contexts[c], threads ? &env : NULL, start->type};
      matrix a = copy(start);
      HD_CHECK(run(&d, &a, more));
      if (!c && !threads)
        *out = a;
      else {
        HD_CHECK(!memcmp(a.data, out->data, a.bytes));
        free(a.data);
      }
    }
}

typedef struct solve_case {
  const matrix *a;
  bool lower, unit, transposed, across;
} solve_case;

static bool run_solve(const hd_dense *d, matrix *x, void *more) {
  const solve_case *s = more;
  hd_dense_matrix a = s->transposed ? flipped(s->a) : plain(s->a);
  return s->across ? hd_dense_solve(d, a, x->n, s->lower, s->unit, flipped(x), x->m)
                   : hd_dense_solve(d, a, x->m, s->lower, s->unit, plain(x), x->n);
}

static void solve(hd_element_type type, int64_t n, int64_t lines, int flags) {
  matrix a = random_matrix(type, n, n, (double)n + 2);
  solve_case s = {&a, flags & 1, flags & 2, flags & 4, flags & 8};
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      bool used = s.transposed ? (s.lower ? i <= j : i >= j) : (s.lower ? i >= j : i <= j);
      if (!used || (s.unit && i == j)) set(&a, i, j, NAN); /* is not read */
      if (s.unit && i != j && used) set(&a, i, j, get(&a, i, j) / (double)n);
    }
  matrix b = random_matrix(type, s.across ? lines : n, s.across ? n : lines, 0), x;
  everywhere(&b, &x, run_solve, &s);
  double worst = 0;
  for (int64_t l = 0; l < lines; ++l)
    for (int64_t i = 0; i < n; ++i) {
      double sum = 0, size = 0;
      for (int64_t k = s.lower ? 0 : i; k < (s.lower ? i + 1 : n); ++k) {
        double factor = s.unit && i == k ? 1 : s.transposed ? get(&a, k, i) : get(&a, i, k);
        double value = s.across ? get(&x, l, k) : get(&x, k, l);
        sum += factor * value, size += fabs(factor * value);
      }
      double error = fabs(sum - (s.across ? get(&b, l, i) : get(&b, i, l))) / (size + 1);
      if (!(error <= worst)) worst = error;
    }
  HD_CHECK(worst <= tolerance(&a));
  free(a.data), free(b.data), free(x.data);
}

static bool run_cholesky(const hd_dense *d, matrix *a, void *more) {
  int64_t info = -1;
  bool *upper = more, ok = hd_dense_cholesky(d, *upper ? flipped(a) : plain(a), a->m, &info);
  HD_CHECK_INT(info, 0);
  return ok;
}

static void cholesky(hd_element_type type, int64_t n, bool upper) {
  matrix a = make(type, n, n), l;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j)
      set(&a, upper ? j : i, upper ? i : j, i == j ? (double)n + 2 : number(i * 4099 + j)),
          i == j ? (void)0 : set(&a, upper ? i : j, upper ? j : i, 77);
  everywhere(&a, &l, run_cholesky, &upper);
  double worst = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (int64_t k = 0; k <= j; ++k) sum += upper ? get(&l, k, i) * get(&l, k, j) : get(&l, i, k) * get(&l, j, k);
      double error = fabs(sum - (upper ? get(&a, j, i) : get(&a, i, j))) / ((double)n + 2);
      if (!(error <= worst)) worst = error;
      if (i != j) HD_CHECK((upper ? get(&l, i, j) : get(&l, j, i)) == 77);
    }
  HD_CHECK(worst <= tolerance(&a));
  free(a.data), free(l.data);
}

static bool run_lu(const hd_dense *d, matrix *a, void *more) {
  int64_t info = -1;
  int32_t *pivots = more, kept[1024];
  size_t bytes = sizeof *kept * (size_t)(a->m < a->n ? a->m : a->n);
  memcpy(kept, pivots, bytes);
  bool ok = hd_dense_lu(d, plain(a), a->m, a->n, pivots, &info);
  HD_CHECK_INT(info, 0);
  HD_CHECK(!bytes || !kept[0] || !memcmp(kept, pivots, bytes));
  return ok;
}

static void lu(hd_element_type type, int64_t m, int64_t n) {
  matrix a = random_matrix(type, m, n, 0), f;
  int32_t pivots[1024] = {0};
  everywhere(&a, &f, run_lu, pivots);
  int64_t k = m < n ? m : n;
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double x = get(&a, i, j);
      HD_CHECK(pivots[i] > i && pivots[i] <= m);
      set(&a, i, j, get(&a, pivots[i] - 1, j)), set(&a, pivots[i] - 1, j, x);
    }
  double worst = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t t = 0; t < k && t <= i && t <= j; ++t) sum += (t == i ? 1 : get(&f, i, t)) * get(&f, t, j);
      if (j < i) HD_CHECK(fabs(get(&f, i, j)) <= 1);
      double error = fabs(sum - get(&a, i, j));
      if (!(error <= worst)) worst = error;
    }
  HD_CHECK(worst <= 4 * tolerance(&a));
  free(a.data), free(f.data);
}

typedef struct qr_case {
  matrix *tau;
  int64_t count;
} qr_case;

static bool run_qr(const hd_dense *d, matrix *a, void *more) {
  const qr_case *q = more;
  return hd_dense_qr(d, plain(a), a->m, a->n, q->tau->data);
}
static bool run_form_q(const hd_dense *d, matrix *a, void *more) {
  const qr_case *q = more;
  return hd_dense_form_q(d, plain(a), a->m, a->n, q->tau->data, q->count);
}

/* The first |width| columns of Q, at least min(m, n). */
static void qr(hd_element_type type, int64_t m, int64_t n, int64_t width) {
  matrix a = random_matrix(type, m, n, 0), r, tau = make(type, n + m, 1), q, wide = make(type, m, width);
  qr_case c = {&tau, m < n ? m : n};
  everywhere(&a, &r, run_qr, &c);
  for (int64_t j = 0; j < width; ++j)
    for (int64_t i = 0; i < m; ++i) set(&wide, i, j, j < c.count ? get(&r, i, j) : 5);
  everywhere(&wide, &q, run_form_q, &c);
  double worst = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = -get(&a, i, j);
      for (int64_t k = 0; k < c.count && k <= j; ++k) sum += get(&q, i, k) * get(&r, k, j);
      if (!(fabs(sum) <= worst)) worst = fabs(sum);
    }
  for (int64_t i = 0; i < width; ++i)
    for (int64_t j = 0; j < width; ++j) {
      double sum = i == j ? -1 : 0;
      for (int64_t k = 0; k < m; ++k) sum += get(&q, k, i) * get(&q, k, j);
      if (!(fabs(sum) <= worst)) worst = fabs(sum);
    }
  HD_CHECK(worst <= 4 * tolerance(&a));
  free(a.data), free(r.data), free(tau.data), free(q.data), free(wide.data);
}

/* Small matrices in lanes give what one alone gives, up to rounding, and pivots and codes
 * exactly; a lane is not another's business. */
static void lanes(hd_element_type type, int64_t m, int64_t n, int64_t count) {
  hd_dense d = {contexts[0], NULL, type};
  int64_t k = m < n ? m : n, lines = 5, info;
  size_t element = hd_element_bytes(type);
  matrix a = random_matrix(type, m, n * count, 0), f = copy(&a), tau = make(type, k, count),
         q = make(type, m, n * count), x = random_matrix(type, n, lines * count, 1), y = copy(&x);
  for (int64_t j = 0; j < n && count > 1; ++j) set(&a, j % m, n + j, NAN), set(&f, j % m, n + j, NAN); /* lane 1 */
  if (count > 2 && n > 1)
    for (int64_t i = 0; i < m; ++i) set(&a, i, 2 * n + 1, 0), set(&f, i, 2 * n + 1, 0); /* lane 2 is singular */
  int32_t pivots[16 * 20], own_pivots[16], codes[20];
  hd_dense_matrix in = {f.data, 1, m};
  hd_dense_small_lu(type, in, m, n, count, pivots, codes);
  for (int64_t c = 0; c < count; ++c) {
    hd_dense_matrix one = {a.data + element * (size_t)(c * m * n), 1, m};
    if (c == 1) continue;
    matrix kept = copy(&a);
    HD_CHECK(hd_dense_lu(&d, one, m, n, own_pivots, &info));
    HD_CHECK_INT(codes[c], info);
    HD_CHECK(!memcmp(own_pivots, pivots + c * k, (size_t)k * sizeof *pivots));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        HD_CHECK(fabs(get(&a, i, c * n + j) - get(&f, i, c * n + j)) <= 64 * tolerance(&a));
    memcpy(a.data, kept.data, a.bytes);
    free(kept.data);
  }
  if (m == n) { /* LU's lower factor has ones, its upper one what U has */
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n * count; ++j) set(&f, i, j, j % n == i ? 3 + number(i + j) : number(i * 77 + j));
    for (int flags = 0; flags < 8; ++flags) {
      bool lower = flags & 1, unit = flags & 2, flip = flags & 4;
      hd_dense_matrix system = {f.data, flip ? n : 1, flip ? 1 : n}, right = {x.data, 1, n};
      memcpy(x.data, y.data, x.bytes);
      hd_dense_small_solve(type, system, n, lower, unit, right, lines, count);
      for (int64_t c = 0; c < count; ++c) {
        matrix z = copy(&y);
        hd_dense_matrix one = {f.data + element * (size_t)(c * n * n), flip ? n : 1, flip ? 1 : n},
                        b = {z.data + element * (size_t)(c * n * lines), 1, n};
        HD_CHECK(hd_dense_solve(&d, one, n, lower, unit, b, lines));
        for (int64_t i = 0; i < n * lines; ++i) {
          double want = get(&z, i % n, c * lines + i / n), got = get(&x, i % n, c * lines + i / n);
          HD_CHECK(fabs(got - want) <= (fabs(want) + 1) * 64 * tolerance(&f) * (unit ? 1e3 : 1));
        }
        free(z.data);
      }
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n * count; ++j) set(&f, i, j, j % n == i ? (double)n + 2 : number(i * 77 + j));
    if (count > 1) set(&f, n - 1, 2 * n - 1, -1);
    matrix g = copy(&f);
    hd_dense_small_cholesky(type, (hd_dense_matrix){f.data, 1, n}, n, count, codes);
    for (int64_t c = 0; c < count; ++c) {
      HD_CHECK(hd_dense_cholesky(&d, (hd_dense_matrix){g.data + element * (size_t)(c * n * n), 1, n}, n, &info));
      HD_CHECK_INT(codes[c], info);
      HD_CHECK_INT(info, c == 1 ? n : 0);
      for (int64_t i = 0; i < n && c != 1; ++i)
        for (int64_t j = 0; j < n; ++j)
          HD_CHECK(fabs(get(&f, i, c * n + j) - get(&g, i, c * n + j)) <= (double)n * tolerance(&f));
    }
    free(g.data);
  }
  matrix again = random_matrix(type, m, n * count, 0), r = copy(&again);
  HD_CHECK(hd_dense_small_qr(&d, (hd_dense_matrix){r.data, 1, m}, m, n, count, tau.data));
  memcpy(q.data, r.data, q.bytes);
  if (m >= n) hd_dense_small_form_q(type, (hd_dense_matrix){q.data, 1, m}, m, n, tau.data, k, count);
  for (int64_t c = 0; c < count && m >= n; ++c)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = -get(&again, i, c * n + j);
        for (int64_t t = 0; t <= j; ++t) sum += get(&q, i, c * n + t) * get(&r, t, c * n + j);
        HD_CHECK(fabs(sum) <= 8 * tolerance(&a));
      }
  if (m > 1) { /* in a group that has a large one, all go one by one */
    double large = type == HD_ELEMENT_F32 ? 1e30 : 1e300;
    set(&again, 0, 0, large), set(&again, 1, 0, large);
    HD_CHECK(hd_dense_small_qr(&d, (hd_dense_matrix){again.data, 1, m}, m, n, count, tau.data));
    HD_CHECK(fabs(get(&again, 0, 0) / large + sqrt(2)) < 1e-6);
  }
  free(a.data), free(f.data), free(tau.data), free(q.data), free(x.data), free(y.data), free(again.data), free(r.data);
}

/* What has no factor says where; NaN stays NaN; a reflector of what would overflow when squared does not. */
static void edges(hd_element_type type) {
  hd_dense d = {contexts[0], NULL, type};
  int64_t info;
  int32_t pivots[100];
  matrix a = random_matrix(type, 70, 70, 80);
  set(&a, 50, 50, -1);
  HD_CHECK(hd_dense_cholesky(&d, plain(&a), 70, &info));
  HD_CHECK_INT(info, 51);
  set(&a, 40, 40, NAN);
  HD_CHECK(hd_dense_cholesky(&d, plain(&a), 70, &info) && info > 0 && info <= 41);
  for (int64_t i = 0; i < 70; ++i)
    for (int64_t j = 0; j < 70; ++j) set(&a, i, j, j == 33 ? 0 : number(i * 70 + j));
  HD_CHECK(hd_dense_lu(&d, plain(&a), 70, 70, pivots, &info));
  HD_CHECK_INT(info, 34);
  matrix x = random_matrix(type, 70, 3, 0), b = make(type, 70, 70);
  HD_CHECK(hd_dense_solve(&d, plain(&b), 70, true, false, plain(&x), 3)); /* a diagonal of zeros */
  HD_CHECK(!isfinite(get(&x, 0, 0)) && !isfinite(get(&x, 69, 2)));
  matrix huge = make(type, 3, 1), tau = make(type, 3, 1);
  double large = type == HD_ELEMENT_F32 ? 1e38 : 1e308;
  for (int64_t i = 0; i < 3; ++i) set(&huge, i, 0, large);
  HD_CHECK(hd_dense_qr(&d, plain(&huge), 3, 1, tau.data));
  HD_CHECK(fabs(get(&huge, 0, 0) / -large - sqrt(3)) < 1e-6);
  for (int64_t i = 0; i < 3; ++i) set(&huge, i, 0, i == 1 ? NAN : 0);
  HD_CHECK(hd_dense_qr(&d, plain(&huge), 3, 1, tau.data) && isnan(get(&huge, 0, 0)));
  for (int64_t i = 0; i < 3; ++i) set(&huge, i, 0, i ? 0 : -4);
  HD_CHECK(hd_dense_qr(&d, plain(&huge), 3, 1, tau.data) && get(&huge, 0, 0) == -4 && get(&tau, 0, 0) == 0);
  double small = type == HD_ELEMENT_F32 ? 1e-35 : 1e-200; /* whose square is zero */
  for (int64_t i = 0; i < 3; ++i) set(&huge, i, 0, small);
  HD_CHECK(hd_dense_qr(&d, plain(&huge), 3, 1, tau.data));
  HD_CHECK(fabs(get(&huge, 0, 0) / -small - sqrt(3)) < 1e-6 && get(&tau, 0, 0) > 1);
  for (int64_t i = 0; i < 3; ++i) set(&huge, i, 0, i ? i * small : 1);
  HD_CHECK(hd_dense_qr(&d, plain(&huge), 3, 1, tau.data) && get(&huge, 0, 0) == -1 && get(&tau, 0, 0) == 2);
  HD_CHECK(fabs(get(&huge, 2, 0) / small - 1) < 1e-6);
  for (int64_t i = 0; i < 3; ++i) set(&huge, i, 0, i == 1 ? (double)INFINITY : 1);
  HD_CHECK(hd_dense_qr(&d, plain(&huge), 3, 1, tau.data) && !isfinite(get(&huge, 0, 0)));
  free(a.data), free(x.data), free(b.data), free(huge.data), free(tau.data);
}

int main(void) {
  static const hd_element_type types[] = {HD_ELEMENT_F32, HD_ELEMENT_F64};
  static const int64_t sizes[] = {0, 1, 2, 3, 7, 8, 17, 33, 64, 101, 150};
  HD_CHECK_OK(hd_pool_create(4, NULL, &pool));
  for (int i = 0; i < 4 && hd_gemm_kernels_at(i); ++i) {
    uint64_t features = hd_gemm_kernels_at(i)->features;
    if ((features & hd_cpu_features()) == features)
      HD_CHECK_OK(hd_gemm_context_create(features, &contexts[context_count++]));
  }
  for (int t = 0; t < 2; ++t) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
      int64_t n = sizes[i];
      cholesky(types[t], n, false);
      cholesky(types[t], n, true);
      for (int flags = 0; flags < 16; ++flags)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j += 1 + (i > 6)) solve(types[t], n, sizes[j], flags);
      for (size_t j = 0; j < sizeof sizes / sizeof *sizes; ++j) lu(types[t], n, sizes[j]), qr(types[t], n, sizes[j], n);
    }
    for (int flags = 0; flags < 16; ++flags) solve(types[t], 613, 50, flags); /* above what is solved at once */
    cholesky(types[t], 613, false);
    lu(types[t], 613, 300);
    static const int64_t tall[][2] = {{257, 16}, {300, 17}, {331, 32}, {700, 70}, {3001, 31}, {4096, 3}};
    for (size_t i = 0; i < sizeof tall / sizeof *tall; ++i) qr(types[t], tall[i][0], tall[i][1], tall[i][1]);
    qr(types[t], 300, 37, 50);
    edges(types[t]);
    static const int64_t small[] = {1, 2, 3, 4, 7, 16};
    for (size_t i = 0; i < 6; ++i)
      for (size_t j = 0; j < 6; ++j)
        for (int64_t count = 1; count <= 20; count += 6) lanes(types[t], small[i], small[j], count);
  }
  for (int i = 0; i < context_count; ++i) hd_gemm_context_release(contexts[i]);
  hd_pool_free(pool);
  return HD_TEST_RESULT();
}
