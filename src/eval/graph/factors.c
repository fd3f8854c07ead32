/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices, Cholesky and LU factors, and solving with triangular and tridiagonal matrices (matrix.h). */
#include <string.h>

#include "eval/graph/matrix.h"

hd_status hd_matrix_create(hd_eval_frame *frame, int64_t rows, int64_t columns, hd_matrix *out) {
  *out = (hd_matrix){.rows = rows, .columns = columns};
  return hd_eval_temp(frame, (size_t)(rows * columns + 1), sizeof *out->data, &out->data);
}

void hd_matrix_copy(hd_matrix to, hd_matrix from) {
  memcpy(to.data, from.data, (size_t)(from.rows * from.columns) * sizeof *to.data);
}

void hd_matrix_set_identity(hd_matrix a) {
  for (int64_t j = 0; j < a.columns; ++j)
    for (int64_t i = 0; i < a.rows; ++i) *hd_matrix_at(a, i, j) = i == j;
}

int64_t hd_cholesky_factor(hd_matrix a, bool lower) {
  int64_t n = a.rows;
  /* l(i, j): element of L, or the conjugate of U's in the other triangle */
#define L(i, j) (*(lower ? hd_matrix_at(a, i, j) : hd_matrix_at(a, j, i)))
  for (int64_t j = 0; j < n; ++j) {
    long double rest = creall(L(j, j));
    for (int64_t k = 0; k < j; ++k) rest -= hd_square(L(j, k));
    if (!(rest > 0)) return j + 1;
    long double root = sqrtl(rest);
    L(j, j) = root;
    for (int64_t i = j + 1; i < n; ++i) {
      hd_complex sum = L(i, j);
      for (int64_t k = 0; k < j; ++k) sum -= lower ? L(i, k) * conjl(L(j, k)) : conjl(L(j, k)) * L(i, k);
      L(i, j) = sum / root;
    }
  }
#undef L
  return 0;
}

int64_t hd_lu_factor(hd_matrix a, hd_complex *pivots) {
  int64_t least = a.rows < a.columns ? a.rows : a.columns, failed = 0;
  for (int64_t j = 0; j < least; ++j) {
    int64_t best = j;
    long double most = -1;
    for (int64_t i = j; i < a.rows; ++i) {
      hd_complex z = *hd_matrix_at(a, i, j);
      long double size = fabsl(creall(z)) + fabsl(cimagl(z)); /* as BLAS measures complex numbers */
      if (size > most) most = size, best = i;
    }
    pivots[j] = (long double)(best + 1);
    if (*hd_matrix_at(a, best, j) == 0) {
      failed = failed ? failed : j + 1;
      continue;
    }
    for (int64_t k = 0; k < a.columns && best != j; ++k) {
      hd_complex swap = *hd_matrix_at(a, j, k);
      *hd_matrix_at(a, j, k) = *hd_matrix_at(a, best, k);
      *hd_matrix_at(a, best, k) = swap;
    }
    for (int64_t i = j + 1; i < a.rows; ++i) {
      hd_complex factor = *hd_matrix_at(a, i, j) /= *hd_matrix_at(a, j, j);
      for (int64_t k = j + 1; k < a.columns; ++k) *hd_matrix_at(a, i, k) -= factor * *hd_matrix_at(a, j, k);
    }
  }
  return failed;
}

hd_status hd_triangular_solve(hd_eval_frame *frame, hd_matrix a, hd_matrix b, bool left, bool lower, char trans,
                              bool unit) {
  /* x op(a) = b is op(a)^T x^T = b^T */
  bool turned = (trans != 'N') != !left;
  int64_t n = a.rows, lines = left ? b.columns : b.rows;
  bool forward = turned ? !lower : lower;
  for (int64_t line = 0; line < lines; ++line) {
    HD_TRY(hd_eval_poll(frame));
    for (int64_t step = 0; step < n; ++step) {
      int64_t i = forward ? step : n - 1 - step;
      hd_complex *x = left ? hd_matrix_at(b, i, line) : hd_matrix_at(b, line, i), sum = *x;
      for (int64_t done = 0; done < step; ++done) {
        int64_t k = forward ? done : n - 1 - done;
        hd_complex factor = turned ? *hd_matrix_at(a, k, i) : *hd_matrix_at(a, i, k);
        if (trans == 'C') factor = conjl(factor);
        sum -= factor * (left ? *hd_matrix_at(b, k, line) : *hd_matrix_at(b, line, k));
      }
      hd_complex pivot = *hd_matrix_at(a, i, i);
      *x = unit ? sum : sum / (trans == 'C' ? conjl(pivot) : pivot);
    }
  }
  return HD_STATUS_OK;
}

int64_t hd_tridiagonal_solve(int64_t n, hd_complex *lower, hd_complex *diagonal, hd_complex *upper, hd_matrix b) {
  for (int64_t k = 0; k + 1 < n; ++k) {
    hd_complex d = diagonal[k], l = lower[k];
    bool exchange = fabsl(creall(d)) + fabsl(cimagl(d)) < fabsl(creall(l)) + fabsl(cimagl(l));
    if (l == 0 && d == 0) return k + 1;
    if (!exchange) {
      hd_complex factor = l / d;
      diagonal[k + 1] -= factor * upper[k];
      for (int64_t j = 0; j < b.columns; ++j) *hd_matrix_at(b, k + 1, j) -= factor * *hd_matrix_at(b, k, j);
      lower[k] = 0;
      continue;
    }
    hd_complex factor = d / l, next = diagonal[k + 1];
    diagonal[k] = l;
    diagonal[k + 1] = upper[k] - factor * next;
    lower[k] = k + 2 < n ? upper[k + 1] : 0;
    if (k + 2 < n) upper[k + 1] = -factor * lower[k];
    upper[k] = next;
    for (int64_t j = 0; j < b.columns; ++j) {
      hd_complex swap = *hd_matrix_at(b, k, j);
      *hd_matrix_at(b, k, j) = *hd_matrix_at(b, k + 1, j);
      *hd_matrix_at(b, k + 1, j) = swap - factor * *hd_matrix_at(b, k, j);
    }
  }
  if (n && diagonal[n - 1] == 0) return n;
  for (int64_t j = 0; j < b.columns; ++j)
    for (int64_t i = n; i-- > 0;) {
      hd_complex sum = *hd_matrix_at(b, i, j);
      if (i + 1 < n) sum -= upper[i] * *hd_matrix_at(b, i + 1, j);
      if (i + 2 < n) sum -= lower[i] * *hd_matrix_at(b, i + 2, j);
      *hd_matrix_at(b, i, j) = sum / diagonal[i];
    }
  return 0;
}
