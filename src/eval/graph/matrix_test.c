/* SPDX-License-Identifier: Apache-2.0 */
/* Linear algebra by its properties: products give the matrix again, vectors are orthonormal, triangles are triangles.
 * Matrices are random, of whole rank and not, with equal eigenvalues, real and complex; their sizes go down to nothing.
 */
#include "eval/graph/matrix.h"

#include <string.h>

#include "base/mix.h"
#include "eval/core/evaluator.h"
#include "eval/core/state.h"
#include "ir/testing.h"

enum { MOST = 9 };

static hd_eval_frame *frame;

static long double number(uint64_t *seed) { return (long double)(hd_mix(++*seed * HD_MIX_STEP) >> 40) * 0x1p-23L - 1; }

static hd_matrix matrix(int64_t rows, int64_t columns) {
  hd_matrix a;
  HD_CHECK_OK(hd_matrix_create(frame, rows, columns, &a));
  return a;
}

static hd_matrix copy(hd_matrix a) {
  hd_matrix b = matrix(a.rows, a.columns);
  hd_matrix_copy(b, a);
  return b;
}

static hd_matrix random_matrix(int64_t rows, int64_t columns, bool real, uint64_t seed) {
  hd_matrix a = matrix(rows, columns);
  for (int64_t i = 0; i < rows * columns; ++i) {
    long double re = number(&seed), im = number(&seed);
    a.data[i] = re + (real ? 0 : im) * I;
  }
  return a;
}

static hd_matrix adjoint(hd_matrix a) {
  hd_matrix b = matrix(a.columns, a.rows);
  for (int64_t j = 0; j < a.columns; ++j)
    for (int64_t i = 0; i < a.rows; ++i) *hd_matrix_at(b, j, i) = conjl(*hd_matrix_at(a, i, j));
  return b;
}

static hd_matrix times(hd_matrix a, hd_matrix b) {
  hd_matrix c = matrix(a.rows, b.columns);
  for (int64_t j = 0; j < b.columns; ++j)
    for (int64_t i = 0; i < a.rows; ++i)
      for (int64_t k = 0; k < a.columns; ++k) *hd_matrix_at(c, i, j) += *hd_matrix_at(a, i, k) * *hd_matrix_at(b, k, j);
  return c;
}

static hd_matrix diagonal(const hd_complex *values, int64_t rows, int64_t columns) {
  hd_matrix a = matrix(rows, columns);
  for (int64_t i = 0; i < rows && i < columns; ++i) *hd_matrix_at(a, i, i) = values[i];
  return a;
}

static hd_matrix triangle(hd_matrix a, bool lower, bool unit) {
  hd_matrix b = copy(a);
  for (int64_t j = 0; j < a.columns; ++j)
    for (int64_t i = 0; i < a.rows; ++i) {
      if (lower ? i < j : i > j) *hd_matrix_at(b, i, j) = 0;
      if (unit && i == j) *hd_matrix_at(b, i, j) = 1;
    }
  return b;
}

static bool near(hd_matrix a, hd_matrix b, long double tolerance) {
  long double worst = a.rows == b.rows && a.columns == b.columns ? 0 : INFINITY;
  for (int64_t i = 0; i < a.rows * a.columns && worst < 1; ++i) {
    long double error = cabsl(a.data[i] - b.data[i]);
    if (!(error <= worst)) worst = error;
  }
  if (worst <= tolerance) return true;
  fprintf(stderr, "apart by %Lg, allowed %Lg\n", worst, tolerance);
  return false;
}

static bool is_orthonormal(hd_matrix a) {
  hd_matrix one = matrix(a.columns, a.columns);
  hd_matrix_set_identity(one);
  return near(times(adjoint(a), a), one, 1e-16L);
}

static hd_matrix hermitian(hd_matrix a) {
  hd_matrix b = adjoint(a);
  for (int64_t i = 0; i < a.rows * a.columns; ++i) b.data[i] += a.data[i];
  return b;
}

static void test_factors(int64_t n, bool real, uint64_t seed) {
  hd_matrix b = random_matrix(n, n, real, seed), a = times(b, adjoint(b)), pivots = matrix(n, 1);
  for (int64_t i = 0; i < n; ++i) *hd_matrix_at(a, i, i) += 1;
  for (int lower = 0; lower < 2; ++lower) {
    hd_matrix l = copy(a);
    HD_CHECK_INT(hd_cholesky_factor(l, lower), 0);
    l = triangle(l, lower, false);
    HD_CHECK(near(lower ? times(l, adjoint(l)) : times(adjoint(l), l), a, 1e-16L));
    l = copy(a);
    if (n > 2) *hd_matrix_at(l, 2, 2) = -1;
    HD_CHECK_INT(hd_cholesky_factor(l, lower), n > 2 ? 3 : 0);
  }
  for (int64_t columns = 0; columns <= n + 2; columns += n + 2) {
    hd_matrix whole = random_matrix(n, columns, real, seed + 1), lu = copy(whole);
    HD_CHECK_INT(hd_lu_factor(lu, pivots.data), 0);
    hd_matrix l = matrix(n, n), moved = copy(whole);
    hd_matrix_set_identity(l);
    for (int64_t j = 0; j < n && j < columns; ++j) {
      for (int64_t i = j + 1; i < n; ++i) {
        *hd_matrix_at(l, i, j) = *hd_matrix_at(lu, i, j);
        HD_CHECK(cabsl(*hd_matrix_at(l, i, j)) < 1.5L);
      }
      int64_t other = (int64_t)creall(pivots.data[j]) - 1;
      for (int64_t k = 0; k < columns && other != j; ++k) {
        hd_complex swap = *hd_matrix_at(moved, j, k);
        *hd_matrix_at(moved, j, k) = *hd_matrix_at(moved, other, k);
        *hd_matrix_at(moved, other, k) = swap;
      }
    }
    HD_CHECK(near(times(l, triangle(lu, false, false)), moved, 1e-16L));
  }
  for (int which = 0; which < 24; ++which) {
    bool left = which & 1, lower = which & 2, unit = which & 4;
    char trans = "NTC"[which / 8];
    hd_matrix x = random_matrix(left ? n : 3, left ? 3 : n, real, seed + 2), solved = copy(x);
    HD_CHECK_OK(hd_triangular_solve(frame, a, solved, left, lower, trans, unit));
    hd_matrix op = triangle(a, lower, unit);
    if (trans != 'N') op = adjoint(op);
    for (int64_t i = 0; trans == 'T' && i < n * n; ++i) op.data[i] = conjl(op.data[i]);
    long double size = 1;
    for (int64_t i = 0; i < 3 * n; ++i) size = fmaxl(size, cabsl(solved.data[i]));
    HD_CHECK(near(left ? times(op, solved) : times(solved, op), x, 1e-16L * size));
  }
  hd_matrix bands = random_matrix(n, 3, real, seed + 3), x = random_matrix(n, 2, real, seed + 4), solved = copy(x);
  hd_matrix whole = matrix(n, n), given = copy(bands);
  for (int64_t i = 0; i < n; ++i) {
    if (i) *hd_matrix_at(whole, i, i - 1) = *hd_matrix_at(given, i, 0);
    *hd_matrix_at(whole, i, i) = *hd_matrix_at(given, i, 1);
    if (i + 1 < n) *hd_matrix_at(whole, i, i + 1) = *hd_matrix_at(given, i, 2);
  }
  HD_CHECK_INT(hd_tridiagonal_solve(n, bands.data + 1, bands.data + n, bands.data + 2 * n, solved), 0);
  long double size = 1;
  for (int64_t i = 0; i < 2 * n; ++i) size = fmaxl(size, cabsl(solved.data[i]));
  HD_CHECK(near(times(whole, solved), x, 1e-17L * size));
}

static void test_reflectors(int64_t m, int64_t n, bool real, uint64_t seed) {
  int64_t least = m < n ? m : n;
  hd_matrix a = random_matrix(m, n, real, seed);
  for (int pivoted = 0; pivoted < 2; ++pivoted) {
    hd_matrix qr = copy(a), tau = matrix(least, 1), pivots = matrix(n, 1), q = matrix(m, least), moved = matrix(m, n);
    if (n > 3) pivots.data[3] = 1;
    HD_CHECK_OK(hd_qr_factor(frame, qr, tau.data, pivoted ? pivots.data : NULL));
    memcpy(q.data, qr.data, (size_t)(m * least) * sizeof *q.data);
    HD_CHECK_OK(hd_qr_form(frame, q, tau.data, least));
    HD_CHECK(is_orthonormal(q));
    hd_matrix r = matrix(least, n);
    for (int64_t j = 0; j < n; ++j) {
      int64_t from = pivoted ? (int64_t)creall(pivots.data[j]) - 1 : j;
      memcpy(hd_matrix_at(moved, 0, j), hd_matrix_at(a, 0, from), (size_t)m * sizeof *a.data);
      for (int64_t i = 0; i <= j && i < least; ++i) *hd_matrix_at(r, i, j) = *hd_matrix_at(qr, i, j);
    }
    HD_CHECK(near(times(q, r), moved, 1e-16L));
    if (pivoted && n > 3) HD_CHECK(pivots.data[0] == 4);
    for (int64_t j = 2; pivoted && j + 1 < least; ++j)
      HD_CHECK(cabsl(*hd_matrix_at(r, j, j)) >= cabsl(*hd_matrix_at(r, j + 1, j + 1)) - 1e-16L);
    /* Q Q^H c is c, from both sides */
    for (int left = 0; left < 2; ++left) {
      hd_matrix c = random_matrix(left ? m : 2, left ? 2 : m, real, seed + 1), turned = copy(c);
      HD_CHECK_OK(hd_qr_apply(frame, qr, tau.data, least, turned, left, true));
      HD_CHECK_OK(hd_qr_apply(frame, qr, tau.data, least, turned, left, false));
      HD_CHECK(near(turned, c, 1e-16L));
    }
  }
}

static void test_spectra(int64_t n, bool real, uint64_t seed) {
  hd_matrix random = random_matrix(n, n, real, seed), values = matrix(n, 1), a = hermitian(random);
  for (int kind = 0; kind < 3; ++kind) {
    if (kind == 1) memset(a.data, 0, (size_t)(n * n) * sizeof *a.data); /* all are equal */
    if (kind == 2) {                                                    /* of rank 1 */
      hd_matrix column = random_matrix(n, 1, real, seed + 1);
      a = times(column, adjoint(column));
    }
    for (int lower = 0; lower < 2; ++lower) {
      hd_matrix v = triangle(a, lower, false);
      HD_CHECK_OK(hd_eigen_hermitian(frame, v, lower, values.data));
      HD_CHECK(is_orthonormal(v) && near(times(v, diagonal(values.data, n, n)), times(a, v), 1e-16L));
      for (int64_t i = 0; i + 1 < n; ++i) HD_CHECK(creall(values.data[i]) <= creall(values.data[i + 1]));
      hd_matrix t = triangle(a, lower, false), d = matrix(n, 1), e = matrix(n, 1), tau = matrix(n, 1), w = matrix(n, n);
      HD_CHECK_OK(hd_tridiagonalise(frame, t, lower, d.data, e.data, tau.data));
      for (int64_t i = 0; i < n; ++i) {
        *hd_matrix_at(w, i, i) = d.data[i];
        if (i + 1 < n) *hd_matrix_at(w, i + 1, i) = *hd_matrix_at(w, i, i + 1) = e.data[i];
      }
      hd_matrix again = matrix(n, 1);
      HD_CHECK_OK(hd_eigen_hermitian(frame, w, lower, again.data));
      HD_CHECK(near(again, values, 1e-16L));
    }
  }
  for (int kind = 0; kind < 2; ++kind) {
    a = kind ? times(random_matrix(n, 1, real, seed + 2), random_matrix(1, n, real, seed + 3)) : random;
    hd_matrix t = copy(a), z = matrix(n, n), left = matrix(n, n), right = matrix(n, n);
    HD_CHECK_OK(hd_schur(frame, t, z));
    HD_CHECK(is_orthonormal(z) && near(times(times(z, t), adjoint(z)), a, 1e-15L) &&
             near(t, triangle(t, false, false), 0));
    HD_CHECK_OK(hd_eigen(frame, copy(a), real, values.data, left, right));
    HD_CHECK(near(times(a, right), times(right, diagonal(values.data, n, n)), 1e-15L));
    HD_CHECK(near(times(adjoint(left), a), times(diagonal(values.data, n, n), adjoint(left)), 1e-15L));
    hd_matrix turned = copy(a), tau = matrix(n, 1);
    HD_CHECK_OK(hd_hessenberg(frame, turned, tau.data, 0, n));
    hd_complex before = 0, after = 0; /* the trace stays */
    for (int64_t i = 0; i < n; ++i) before += *hd_matrix_at(a, i, i), after += *hd_matrix_at(turned, i, i);
    HD_CHECK(cabsl(before - after) < 1e-16L);
    if (!real) continue;
    for (int64_t i = 0; i < n; ++i) { /* real, or a pair whose first has the positive imaginary part */
      if (cimagl(values.data[i]) == 0) continue;
      HD_CHECK(i + 1 < n && cimagl(values.data[i]) > 0 && values.data[i + 1] == conjl(values.data[i]));
      ++i;
    }
    t = copy(a);
    HD_CHECK_OK(hd_schur_real(frame, t, z));
    HD_CHECK(is_orthonormal(z) && near(times(times(z, t), adjoint(z)), a, 1e-15L));
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i) {
        HD_CHECK(cimagl(*hd_matrix_at(t, i, j)) == 0 && cimagl(*hd_matrix_at(z, i, j)) == 0);
        if (i > j + 1) HD_CHECK(*hd_matrix_at(t, i, j) == 0);
        if (i != j + 1 || *hd_matrix_at(t, i, j) == 0) continue;
        HD_CHECK(*hd_matrix_at(t, i, i) == *hd_matrix_at(t, j, j));
        HD_CHECK(creall(*hd_matrix_at(t, i, j)) * creall(*hd_matrix_at(t, j, i)) < 0);
      }
  }
}

static void test_singular_values(int64_t m, int64_t n, bool real, uint64_t seed) {
  int64_t least = m < n ? m : n;
  for (int kind = 0; kind < 3; ++kind) {
    hd_matrix a = kind == 0   ? random_matrix(m, n, real, seed)
                  : kind == 1 ? times(random_matrix(m, 1, real, seed), random_matrix(1, n, real, seed + 1))
                              : matrix(m, n);
    for (int full = 0; full < 2; ++full) {
      hd_matrix values = matrix(least, 1), u = matrix(m, full ? m : least), v = matrix(n, full ? n : least);
      HD_CHECK_OK(hd_singular_values(frame, copy(a), values.data, u, v));
      HD_CHECK(is_orthonormal(u) && is_orthonormal(v));
      HD_CHECK(near(times(times(u, diagonal(values.data, u.columns, v.columns)), adjoint(v)), a, 1e-16L));
      for (int64_t i = 0; i < least; ++i)
        HD_CHECK(creall(values.data[i]) >= (i + 1 < least ? creall(values.data[i + 1]) : 0));
    }
  }
}

static hd_status all(void *user) {
  hd_module *module = hd_module_create(user, NULL);
  hd_evaluator *e;
  HD_TRY(hd_evaluator_create(module, NULL, &e));
  hd_eval_frame own = {.evaluator = e};
  frame = &own;
  uint64_t seed = 1;
  for (int real = 0; real < 2; ++real)
    for (int64_t n = 0; n <= MOST; ++n) {
      test_factors(n, real, seed += 10);
      test_spectra(n, real, seed += 10);
      for (int64_t m = 0; m <= MOST; m += 3) {
        test_reflectors(m, n, real, seed += 10);
        test_singular_values(m, n, real, seed += 10);
      }
      hd_eval_drop_temps(e, 0);
    }
  hd_evaluator_free(e);
  hd_module_free(module);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
