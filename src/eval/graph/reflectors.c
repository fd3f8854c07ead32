/* SPDX-License-Identifier: Apache-2.0 */
/* What Householder reflectors make: QR with and without pivots, products with its Q, and the Hessenberg form
 * (matrix.h). */
#include <string.h>

#include "eval/graph/matrix.h"

/* H with H^H (alpha, x) = (beta, 0), beta real: |x| becomes v[1...], |alpha| beta. */
static hd_complex reflector(hd_complex *alpha, hd_complex *x, int64_t count) {
  long double rest = 0;
  for (int64_t i = 0; i < count; ++i) rest += hd_square(x[i]);
  if (rest == 0 && cimagl(*alpha) == 0) return 0;
  long double beta = -copysignl(sqrtl(hd_square(*alpha) + rest), creall(*alpha));
  hd_complex tau = (beta - *alpha) / beta;
  for (int64_t i = 0; i < count; ++i) x[i] /= *alpha - beta;
  *alpha = beta;
  return tau;
}

/* Rows [row, row + count) of the columns from |column| on: a -= tau v v^H a. */
static void from_left(hd_complex tau, const hd_complex *v, int64_t count, hd_matrix a, int64_t row, int64_t column) {
  for (int64_t j = column; j < a.columns; ++j) {
    hd_complex sum = 0;
    for (int64_t i = 0; i < count; ++i) sum += conjl(v[i]) * *hd_matrix_at(a, row + i, j);
    for (int64_t i = 0; i < count; ++i) *hd_matrix_at(a, row + i, j) -= tau * sum * v[i];
  }
}

/* Columns [column, column + count) of the first |rows| rows: a -= a v tau v^H. */
static void from_right(hd_complex tau, const hd_complex *v, int64_t count, hd_matrix a, int64_t rows, int64_t column) {
  for (int64_t i = 0; i < rows; ++i) {
    hd_complex sum = 0;
    for (int64_t j = 0; j < count; ++j) sum += *hd_matrix_at(a, i, column + j) * v[j];
    for (int64_t j = 0; j < count; ++j) *hd_matrix_at(a, i, column + j) -= tau * sum * conjl(v[j]);
  }
}

/* v of the reflector below |*at|. */
static void vector_of(const hd_complex *at, int64_t count, hd_complex *v) {
  memcpy(v, at, (size_t)count * sizeof *v);
  v[0] = 1;
}

static void exchange(hd_matrix a, int64_t j, int64_t k, hd_complex *pivots) {
  for (int64_t i = 0; i < a.rows && j != k; ++i) {
    hd_complex swap = *hd_matrix_at(a, i, j);
    *hd_matrix_at(a, i, j) = *hd_matrix_at(a, i, k);
    *hd_matrix_at(a, i, k) = swap;
  }
  hd_complex swap = pivots[j];
  pivots[j] = pivots[k];
  pivots[k] = swap;
}

/* The longest column among those from |from| on, below row |from|. */
static int64_t longest(hd_matrix a, int64_t from) {
  int64_t best = from;
  long double most = -1;
  for (int64_t j = from; j < a.columns; ++j) {
    long double size = 0;
    for (int64_t i = from; i < a.rows; ++i) size += hd_square(*hd_matrix_at(a, i, j));
    if (size > most) most = size, best = j;
  }
  return best;
}

hd_status hd_qr_factor(hd_eval_frame *frame, hd_matrix a, hd_complex *tau, hd_complex *pivots) {
  int64_t least = a.rows < a.columns ? a.rows : a.columns, fixed = pivots ? 0 : a.columns;
  hd_complex *v;
  HD_TRY(hd_eval_temp(frame, (size_t)a.rows + 1, sizeof *v, &v));
  for (int64_t j = 0; pivots && j < a.columns; ++j) {
    bool first = pivots[j] != 0;
    pivots[j] = (long double)(j + 1);
    if (first) exchange(a, fixed++, j, pivots);
  }
  for (int64_t j = 0; j < least; ++j) {
    HD_TRY(hd_eval_poll(frame));
    if (j >= fixed) exchange(a, j, longest(a, j), pivots);
    hd_complex *at = hd_matrix_at(a, j, j);
    tau[j] = reflector(at, at + 1, a.rows - j - 1);
    vector_of(at, a.rows - j, v);
    from_left(conjl(tau[j]), v, a.rows - j, a, j, j + 1);
  }
  return HD_STATUS_OK;
}

hd_status hd_qr_apply(hd_eval_frame *frame, hd_matrix a, const hd_complex *tau, int64_t count, hd_matrix c, bool left,
                      bool adjoint) {
  hd_complex *v;
  HD_TRY(hd_eval_temp(frame, (size_t)a.rows + 1, sizeof *v, &v));
  for (int64_t step = 0; step < count; ++step) {
    HD_TRY(hd_eval_poll(frame));
    int64_t j = left == adjoint ? step : count - 1 - step;
    hd_complex factor = adjoint ? conjl(tau[j]) : tau[j];
    vector_of(hd_matrix_at(a, j, j), a.rows - j, v);
    if (left)
      from_left(factor, v, a.rows - j, c, j, 0);
    else
      from_right(factor, v, a.rows - j, c, c.rows, j);
  }
  return HD_STATUS_OK;
}

hd_status hd_qr_form(hd_eval_frame *frame, hd_matrix q, const hd_complex *tau, int64_t count) {
  hd_matrix a;
  HD_TRY(hd_matrix_create(frame, q.rows, q.columns, &a));
  hd_matrix_copy(a, q);
  hd_matrix_set_identity(q);
  return hd_qr_apply(frame, a, tau, count, q, true, false);
}

hd_status hd_hessenberg(hd_eval_frame *frame, hd_matrix a, hd_complex *tau, int64_t low, int64_t high) {
  hd_complex *v;
  HD_TRY(hd_eval_temp(frame, (size_t)a.rows + 1, sizeof *v, &v));
  for (int64_t j = low; j + 1 < high; ++j) {
    HD_TRY(hd_eval_poll(frame));
    hd_complex *at = hd_matrix_at(a, j + 1, j);
    int64_t count = high - j - 1;
    tau[j] = reflector(at, at + 1, count - 1);
    vector_of(at, count, v);
    from_right(tau[j], v, count, a, high, j + 1);
    from_left(conjl(tau[j]), v, count, a, j + 1, j + 1);
  }
  return HD_STATUS_OK;
}

hd_status hd_tridiagonalise(hd_eval_frame *frame, hd_matrix a, bool lower, hd_complex *diagonal, hd_complex *beside,
                            hd_complex *tau) {
  int64_t n = a.rows;
  hd_matrix whole;
  hd_complex *v;
  HD_TRY(hd_matrix_create(frame, n, n, &whole));
  HD_TRY(hd_eval_temp(frame, (size_t)n + 1, sizeof *v, &v));
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i) {
      bool given = lower ? i >= j : i <= j;
      hd_complex z = given ? *hd_matrix_at(a, i, j) : conjl(*hd_matrix_at(a, j, i));
      *hd_matrix_at(whole, i, j) = i == j ? creall(z) : z;
    }
  for (int64_t step = 0; step + 1 < n; ++step) {
    HD_TRY(hd_eval_poll(frame));
    /* Downwards the vector begins with its 1, upwards it ends with it. */
    int64_t j = lower ? step : n - 1 - step, count = n - 1 - step, row = lower ? j + 1 : 0, k = lower ? j : j - 1;
    hd_complex *column = hd_matrix_at(whole, row, j), *kept = hd_matrix_at(a, row, j);
    hd_complex alpha = lower ? column[0] : column[count - 1];
    memcpy(v, column, (size_t)count * sizeof *v);
    tau[k] = reflector(&alpha, lower ? v + 1 : v, count - 1);
    v[lower ? 0 : count - 1] = 1;
    memcpy(kept, v, (size_t)count * sizeof *v);
    kept[lower ? 0 : count - 1] = beside[k] = alpha;
    from_right(tau[k], v, count, whole, n, row);
    from_left(conjl(tau[k]), v, count, whole, row, 0);
  }
  for (int64_t i = 0; i < n; ++i) *hd_matrix_at(a, i, i) = diagonal[i] = creall(*hd_matrix_at(whole, i, i));
  return HD_STATUS_OK;
}
