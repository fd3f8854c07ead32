/* SPDX-License-Identifier: Apache-2.0 */
/* Schur forms and eigenvalues of any square matrix: QR steps with shifts, one vector after the other. */
#include <float.h>

#include "eval/graph/matrix.h"

enum { STEPS = 300 }; /* for one eigenvalue */

/* Rows (columns) p and p + 1 turned so that |y| becomes 0: (x, y) -> (r, 0). */
typedef struct turn {
  hd_complex x, y; /* over their length */
} turn;

static turn turn_of(hd_complex x, hd_complex y) {
  long double size = hypotl(cabsl(x), cabsl(y));
  return size == 0 ? (turn){1, 0} : (turn){x / size, y / size};
}

static void turn_rows(hd_matrix a, int64_t p, turn t) {
  for (int64_t j = 0; j < a.columns; ++j) {
    hd_complex x = *hd_matrix_at(a, p, j), y = *hd_matrix_at(a, p + 1, j);
    *hd_matrix_at(a, p, j) = conjl(t.x) * x + conjl(t.y) * y;
    *hd_matrix_at(a, p + 1, j) = t.x * y - t.y * x;
  }
}

static void turn_columns(hd_matrix a, int64_t p, turn t) {
  for (int64_t i = 0; i < a.rows; ++i) {
    hd_complex x = *hd_matrix_at(a, i, p), y = *hd_matrix_at(a, i, p + 1);
    *hd_matrix_at(a, i, p) = t.x * x + t.y * y;
    *hd_matrix_at(a, i, p + 1) = conjl(t.x) * y - conjl(t.y) * x;
  }
}

/* The eigenvalue of the 2x2 block that ends at |k| nearest to its last element. */
static hd_complex shift_of(hd_matrix a, int64_t k) {
  hd_complex x = *hd_matrix_at(a, k - 1, k - 1), y = *hd_matrix_at(a, k, k), half = (x - y) / 2;
  hd_complex product = *hd_matrix_at(a, k - 1, k) * *hd_matrix_at(a, k, k - 1);
  hd_complex root = csqrtl(half * half + product),
             sum = cabsl(half + root) > cabsl(half - root) ? half + root : half - root;
  return sum == 0 ? y : y - product / sum;
}

/* Does rounding hide the element before the diagonal? */
static bool is_small(hd_matrix a, int64_t k, long double norm) {
  long double beside = cabsl(*hd_matrix_at(a, k, k)) + cabsl(*hd_matrix_at(a, k - 1, k - 1));
  return !(cabsl(*hd_matrix_at(a, k, k - 1)) > LDBL_EPSILON * fmaxl(beside, norm / 16));
}

hd_status hd_schur(hd_eval_frame *frame, hd_matrix a, hd_matrix z) {
  int64_t n = a.rows;
  hd_complex *tau;
  hd_matrix reflectors;
  HD_TRY(hd_eval_temp(frame, (size_t)n + 1, sizeof *tau, &tau));
  HD_TRY(hd_matrix_create(frame, n > 0 ? n - 1 : 0, n > 0 ? n - 1 : 0, &reflectors));
  HD_TRY(hd_hessenberg(frame, a, tau, 0, n));
  hd_matrix_set_identity(z);
  for (int64_t j = 0; j + 1 < n; ++j)
    for (int64_t i = j + 1; i < n; ++i) *hd_matrix_at(reflectors, i - 1, j) = *hd_matrix_at(a, i, j);
  hd_matrix inner; /* the reflectors turn all rows but the first */
  HD_TRY(hd_matrix_create(frame, reflectors.rows, reflectors.columns, &inner));
  hd_matrix_set_identity(inner);
  HD_TRY(hd_qr_apply(frame, reflectors, tau, n > 0 ? n - 1 : 0, inner, true, false));
  for (int64_t j = 1; j < n; ++j)
    for (int64_t i = 1; i < n; ++i) *hd_matrix_at(z, i, j) = *hd_matrix_at(inner, i - 1, j - 1);
  long double norm = 0;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i) {
      if (i > j + 1) *hd_matrix_at(a, i, j) = 0;
      norm += cabsl(*hd_matrix_at(a, i, j));
    }
  turn *turns;
  HD_TRY(hd_eval_temp(frame, (size_t)n + 1, sizeof *turns, &turns));
  int steps = 0;
  for (int64_t high = n - 1; high > 0;) {
    HD_TRY(hd_eval_poll(frame));
    int64_t low = high;
    while (low > 0 && !is_small(a, low, norm)) --low;
    if (low > 0) *hd_matrix_at(a, low, low - 1) = 0;
    if (low == high) {
      --high;
      steps = 0;
      continue;
    }
    if (++steps > STEPS) return hd_make_status(HD_INTERNAL, "an eigenvalue is not found in %d steps", STEPS);
    hd_complex shift =
        steps % 11 == 10 ? *hd_matrix_at(a, high, high) + cabsl(*hd_matrix_at(a, high, high - 1)) : shift_of(a, high);
    for (int64_t i = 0; i < n; ++i) *hd_matrix_at(a, i, i) -= shift;
    for (int64_t k = low; k < high; ++k) {
      turns[k] = turn_of(*hd_matrix_at(a, k, k), *hd_matrix_at(a, k + 1, k));
      turn_rows(a, k, turns[k]);
    }
    for (int64_t k = low; k < high; ++k) {
      turn_columns(a, k, turns[k]);
      turn_columns(z, k, turns[k]);
    }
    for (int64_t i = 0; i < n; ++i) *hd_matrix_at(a, i, i) += shift;
  }
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = j + 1; i < n; ++i) *hd_matrix_at(a, i, j) = 0;
  return HD_STATUS_OK;
}

/* ---- real matrices, one eigenvalue or pair after the other ---- */

/* What rounding leaves of an imaginary part. */
static bool is_real(hd_complex value, long double norm) { return fabsl(cimagl(value)) <= 1e-14L * norm; }

static long double norm_of(hd_matrix a) {
  long double norm = 0;
  for (int64_t i = 0; i < a.rows * a.columns; ++i) norm = fmaxl(norm, cabsl(a.data[i]));
  return norm * (long double)(a.rows ? a.rows : 1);
}

/* |x|, whose elements have one phase, as real numbers. */
static void make_real(hd_complex *x, int64_t n) {
  int64_t most = 0;
  for (int64_t i = 1; i < n; ++i)
    if (hd_square(x[i]) > hd_square(x[most])) most = i;
  hd_complex phase = n && x[most] != 0 ? conjl(x[most]) / cabsl(x[most]) : 1;
  for (int64_t i = 0; i < n; ++i) x[i] = creall(x[i] * phase);
}

/* a := Q^T a Q and z := z Q, where Q's first columns from |at| on span the |count| columns of |basis|. */
static hd_status turn_into(hd_eval_frame *frame, hd_matrix a, hd_matrix z, int64_t at, hd_matrix basis) {
  hd_complex tau[2];
  int64_t n = a.rows, rest = n - at;
  HD_TRY(hd_qr_factor(frame, basis, tau, NULL));
  hd_matrix rows, columns, vectors;
  HD_TRY(hd_matrix_create(frame, rest, n, &rows));
  HD_TRY(hd_matrix_create(frame, n, rest, &columns));
  HD_TRY(hd_matrix_create(frame, n, rest, &vectors));
  int64_t count = basis.columns < rest ? basis.columns : rest;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < rest; ++i) *hd_matrix_at(rows, i, j) = *hd_matrix_at(a, at + i, j);
  HD_TRY(hd_qr_apply(frame, basis, tau, count, rows, true, true));
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < rest; ++i) *hd_matrix_at(a, at + i, j) = *hd_matrix_at(rows, i, j);
  for (int64_t j = 0; j < rest; ++j)
    for (int64_t i = 0; i < n; ++i) {
      *hd_matrix_at(columns, i, j) = *hd_matrix_at(a, i, at + j);
      *hd_matrix_at(vectors, i, j) = *hd_matrix_at(z, i, at + j);
    }
  HD_TRY(hd_qr_apply(frame, basis, tau, count, columns, false, false));
  HD_TRY(hd_qr_apply(frame, basis, tau, count, vectors, false, false));
  for (int64_t j = 0; j < rest; ++j)
    for (int64_t i = 0; i < n; ++i) {
      *hd_matrix_at(a, i, at + j) = *hd_matrix_at(columns, i, j);
      *hd_matrix_at(z, i, at + j) = *hd_matrix_at(vectors, i, j);
    }
  return HD_STATUS_OK;
}

/* Turns the 2x2 block at |at| so that its diagonal elements are equal. */
static void balance(hd_matrix a, hd_matrix z, int64_t at) {
  long double x = creall(*hd_matrix_at(a, at, at)), y = creall(*hd_matrix_at(a, at + 1, at + 1));
  long double sum = creall(*hd_matrix_at(a, at, at + 1)) + creall(*hd_matrix_at(a, at + 1, at));
  long double angle = atan2l(y - x, sum) / 2;
  turn t = {cosl(angle), sinl(angle)};
  turn_rows(a, at, t);
  turn_columns(a, at, t);
  turn_columns(z, at, t);
  hd_complex mean = (*hd_matrix_at(a, at, at) + *hd_matrix_at(a, at + 1, at + 1)) / 2;
  *hd_matrix_at(a, at, at) = *hd_matrix_at(a, at + 1, at + 1) = mean;
}

hd_status hd_schur_real(hd_eval_frame *frame, hd_matrix a, hd_matrix z) {
  int64_t n = a.rows, width;
  long double norm = norm_of(a);
  hd_matrix_set_identity(z);
  for (int64_t at = 0; at < n; at += width) {
    int64_t rest = n - at;
    hd_matrix block, vectors, basis;
    HD_TRY(hd_matrix_create(frame, rest, rest, &block));
    HD_TRY(hd_matrix_create(frame, rest, rest, &vectors));
    for (int64_t j = 0; j < rest; ++j)
      for (int64_t i = 0; i < rest; ++i) *hd_matrix_at(block, i, j) = *hd_matrix_at(a, at + i, at + j);
    HD_TRY(hd_schur(frame, block, vectors)); /* its first vector is an eigenvector */
    width = rest == 1 || is_real(block.data[0], norm) ? 1 : 2;
    HD_TRY(hd_matrix_create(frame, rest, width, &basis));
    if (width == 1) make_real(vectors.data, rest);
    for (int64_t i = 0; i < rest; ++i) {
      *hd_matrix_at(basis, i, 0) = creall(vectors.data[i]);
      if (width == 2) *hd_matrix_at(basis, i, 1) = cimagl(vectors.data[i]);
    }
    HD_TRY(turn_into(frame, a, z, at, basis));
    for (int64_t j = at; j < at + width; ++j)
      for (int64_t i = at + width; i < n; ++i) *hd_matrix_at(a, i, j) = 0;
    if (width == 2) balance(a, z, at);
  }
  return HD_STATUS_OK;
}

/* ---- eigenvalues and vectors ---- */

/* |x| of length 1 with its largest element real. */
static void normalise(hd_complex *x, int64_t n, bool real) {
  long double size = 0;
  int64_t most = 0;
  if (real) make_real(x, n);
  for (int64_t i = 0; i < n; ++i) {
    size += hd_square(x[i]);
    if (hd_square(x[i]) > hd_square(x[most])) most = i;
  }
  hd_complex factor = size > 0 ? (real ? 1 : conjl(x[most]) / cabsl(x[most])) / sqrtl(size) : 0;
  for (int64_t i = 0; i < n; ++i) x[i] *= factor;
  if (n && !real) x[most] = creall(x[most]);
}

/* T x = t(k, k) x, or x^H T = t(k, k) x^H with |left|. */
static void solve_vector(hd_matrix t, int64_t k, bool left, long double least, hd_complex *x) {
  int64_t n = t.rows;
  for (int64_t i = 0; i < n; ++i) x[i] = i == k;
  for (int64_t step = 1; left ? k + step < n : step <= k; ++step) {
    int64_t i = left ? k + step : k - step;
    hd_complex sum = 0, pivot = *hd_matrix_at(t, i, i) - *hd_matrix_at(t, k, k);
    if (cabsl(pivot) < least) pivot = least;
    for (int64_t j = left ? k : i + 1; left ? j < i : j <= k; ++j)
      sum += left ? conjl(*hd_matrix_at(t, j, i)) * x[j] : *hd_matrix_at(t, i, j) * x[j];
    x[i] = -sum / (left ? conjl(pivot) : pivot);
  }
}

/* Which vector goes where: of a real matrix pairs are side by side, and both come from the first. */
static void pair_up(hd_complex *values, int64_t n, int64_t *order, bool *mirrored, long double norm) {
  bool *used = mirrored + n;
  int64_t at = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (used[i]) continue;
    used[i] = true;
    order[at] = i;
    mirrored[at++] = false;
    if (is_real(values[i], norm)) continue;
    int64_t conjugate = -1;
    for (int64_t k = i + 1; k < n; ++k)
      if (!used[k] && !is_real(values[k], norm) &&
          (conjugate < 0 || cabsl(values[k] - conjl(values[i])) < cabsl(values[conjugate] - conjl(values[i]))))
        conjugate = k;
    if (conjugate < 0) continue;
    used[conjugate] = true;
    if (cimagl(values[i]) < 0) order[at - 1] = conjugate;
    order[at] = order[at - 1];
    mirrored[at++] = true;
  }
}

hd_status hd_eigen(hd_eval_frame *frame, hd_matrix a, bool real, hd_complex *values, hd_matrix left, hd_matrix right) {
  int64_t n = a.rows, *order;
  bool *mirrored;
  hd_matrix z;
  hd_complex *x, *found;
  HD_TRY(hd_matrix_create(frame, n, n, &z));
  HD_TRY(hd_eval_temp(frame, (size_t)n + 1, sizeof *x, &x));
  HD_TRY(hd_eval_temp(frame, (size_t)n + 1, sizeof *found, &found));
  HD_TRY(hd_eval_temp(frame, (size_t)n + 1, sizeof *order, &order));
  HD_TRY(hd_eval_temp(frame, 2 * (size_t)n + 1, sizeof *mirrored, &mirrored));
  long double norm = norm_of(a), least = LDBL_EPSILON * norm;
  HD_TRY(hd_schur(frame, a, z));
  for (int64_t i = 0; i < n; ++i) {
    found[i] = *hd_matrix_at(a, i, i);
    order[i] = i;
  }
  if (real) pair_up(found, n, order, mirrored, norm);
  for (int64_t k = 0; k < n; ++k) {
    HD_TRY(hd_eval_poll(frame));
    bool plain = real && is_real(found[order[k]], norm);
    values[k] = plain ? creall(found[order[k]]) : mirrored[k] ? conjl(found[order[k]]) : found[order[k]];
    for (int side = 0; side < 2; ++side) {
      hd_matrix to = side ? right : left;
      if (!to.columns) continue;
      solve_vector(a, order[k], !side, least > 0 ? least : LDBL_MIN, x);
      hd_complex *column = hd_matrix_at(to, 0, k);
      for (int64_t i = 0; i < n; ++i) {
        column[i] = 0;
        for (int64_t j = 0; j < n; ++j) column[i] += *hd_matrix_at(z, i, j) * x[j];
      }
      normalise(column, n, plain);
      for (int64_t i = 0; i < n && mirrored[k]; ++i) column[i] = conjl(column[i]);
    }
  }
  return HD_STATUS_OK;
}
