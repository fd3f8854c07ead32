/* SPDX-License-Identifier: Apache-2.0 */
/* Jacobi's rotations. A rotation of columns p and q is
 *
 *   J = [ c          s        ]     c, s real, e a phase
 *       [ -s conj(e) c conj(e)]
 *
 * where J^H [x g; conj(g) y] J is diagonal for the real x, y and g = |g| e. */
#include <float.h>

#include "eval/graph/matrix.h"

enum { SWEEPS = 100 };

typedef struct rotation {
  long double c, s;
  hd_complex e;
} rotation;

static rotation rotation_of(long double x, long double y, hd_complex g) {
  long double size = cabsl(g), slope = (y - x) / (2 * size);
  long double t = copysignl(1, slope) / (fabsl(slope) + sqrtl(1 + slope * slope)), c = 1 / sqrtl(1 + t * t);
  return (rotation){c, t * c, g / size};
}

static void rotate_columns(hd_matrix a, int64_t p, int64_t q, rotation r) {
  for (int64_t i = 0; i < a.rows; ++i) {
    hd_complex x = *hd_matrix_at(a, i, p), y = conjl(r.e) * *hd_matrix_at(a, i, q);
    *hd_matrix_at(a, i, p) = r.c * x - r.s * y;
    *hd_matrix_at(a, i, q) = r.s * x + r.c * y;
  }
}

static void rotate_rows(hd_matrix a, int64_t p, int64_t q, rotation r) {
  for (int64_t j = 0; j < a.columns; ++j) {
    hd_complex x = *hd_matrix_at(a, p, j), y = r.e * *hd_matrix_at(a, q, j);
    *hd_matrix_at(a, p, j) = r.c * x - r.s * y;
    *hd_matrix_at(a, q, j) = r.s * x + r.c * y;
  }
}

static void exchange_columns(hd_matrix a, int64_t p, int64_t q) {
  for (int64_t i = 0; i < a.rows && p != q; ++i) {
    hd_complex swap = *hd_matrix_at(a, i, p);
    *hd_matrix_at(a, i, p) = *hd_matrix_at(a, i, q);
    *hd_matrix_at(a, i, q) = swap;
  }
}

hd_status hd_eigen_hermitian(hd_eval_frame *frame, hd_matrix a, bool lower, hd_complex *values) {
  int64_t n = a.rows;
  hd_matrix v, whole;
  HD_TRY(hd_matrix_create(frame, n, n, &v));
  HD_TRY(hd_matrix_create(frame, n, n, &whole));
  hd_matrix_set_identity(v);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i) {
      bool given = lower ? i >= j : i <= j;
      hd_complex z = given ? *hd_matrix_at(a, i, j) : conjl(*hd_matrix_at(a, j, i));
      *hd_matrix_at(whole, i, j) = i == j ? creall(z) : z;
    }
  bool moved = true;
  for (int sweep = 0; moved && sweep < SWEEPS; ++sweep) {
    moved = false;
    for (int64_t p = 0; p < n; ++p) {
      HD_TRY(hd_eval_poll(frame));
      for (int64_t q = p + 1; q < n; ++q) {
        hd_complex g = *hd_matrix_at(whole, p, q);
        long double x = creall(*hd_matrix_at(whole, p, p)), y = creall(*hd_matrix_at(whole, q, q));
        /* not above what rounding of the diagonal hides; a NaN ends it too */
        if (!(cabsl(g) > LDBL_EPSILON / 8 * (fabsl(x) + fabsl(y)))) continue;
        rotation r = rotation_of(x, y, g);
        rotate_columns(whole, p, q, r);
        rotate_rows(whole, p, q, r);
        *hd_matrix_at(whole, p, q) = *hd_matrix_at(whole, q, p) = 0;
        rotate_columns(v, p, q, r);
        moved = true;
      }
    }
  }
  for (int64_t i = 0; i < n; ++i) values[i] = creall(*hd_matrix_at(whole, i, i));
  for (int64_t i = 0; i < n; ++i) {
    int64_t least = i;
    for (int64_t k = i + 1; k < n; ++k)
      if (creall(values[k]) < creall(values[least])) least = k;
    hd_complex swap = values[i];
    values[i] = values[least];
    values[least] = swap;
    exchange_columns(v, i, least);
  }
  hd_matrix_copy(a, v);
  return HD_STATUS_OK;
}

/* Columns from |from| on of length 1 and at right angles to those before. */
static void complete(hd_matrix a, int64_t from) {
  for (int64_t j = from; j < a.columns; ++j) {
    long double most = -1;
    int64_t best = 0;
    /* the unit vector that the columns before span the least of */
    for (int64_t i = 0; i < a.rows; ++i) {
      long double rest = 1;
      for (int64_t k = 0; k < j; ++k) rest -= hd_square(*hd_matrix_at(a, i, k));
      if (rest > most) most = rest, best = i;
    }
    for (int64_t i = 0; i < a.rows; ++i) *hd_matrix_at(a, i, j) = i == best;
    for (int twice = 0; twice < 2; ++twice) {
      for (int64_t k = 0; k < j; ++k) {
        hd_complex sum = 0;
        for (int64_t i = 0; i < a.rows; ++i) sum += conjl(*hd_matrix_at(a, i, k)) * *hd_matrix_at(a, i, j);
        for (int64_t i = 0; i < a.rows; ++i) *hd_matrix_at(a, i, j) -= sum * *hd_matrix_at(a, i, k);
      }
      long double size = 0;
      for (int64_t i = 0; i < a.rows; ++i) size += hd_square(*hd_matrix_at(a, i, j));
      for (int64_t i = 0; i < a.rows; ++i) *hd_matrix_at(a, i, j) /= sqrtl(size);
    }
  }
}

/* a V with columns at right angles to each other. */
static hd_status orthogonalise(hd_eval_frame *frame, hd_matrix a, hd_matrix v) {
  bool moved = true;
  for (int sweep = 0; moved && sweep < SWEEPS; ++sweep) {
    moved = false;
    for (int64_t p = 0; p < a.columns; ++p) {
      HD_TRY(hd_eval_poll(frame));
      for (int64_t q = p + 1; q < a.columns; ++q) {
        long double x = 0, y = 0;
        hd_complex g = 0;
        for (int64_t i = 0; i < a.rows; ++i) {
          hd_complex left = *hd_matrix_at(a, i, p), right = *hd_matrix_at(a, i, q);
          x += hd_square(left);
          y += hd_square(right);
          g += conjl(left) * right;
        }
        if (!(cabsl(g) > 8 * LDBL_EPSILON * sqrtl(x) * sqrtl(y))) continue;
        rotation r = rotation_of(x, y, g);
        rotate_columns(a, p, q, r);
        rotate_columns(v, p, q, r);
        moved = true;
      }
    }
  }
  return HD_STATUS_OK;
}

hd_status hd_singular_values(hd_eval_frame *frame, hd_matrix a, hd_complex *values, hd_matrix u, hd_matrix v) {
  if (a.rows < a.columns) { /* a^H = V diag(values) U^H */
    hd_matrix turned;
    HD_TRY(hd_matrix_create(frame, a.columns, a.rows, &turned));
    for (int64_t j = 0; j < a.columns; ++j)
      for (int64_t i = 0; i < a.rows; ++i) *hd_matrix_at(turned, j, i) = conjl(*hd_matrix_at(a, i, j));
    return hd_singular_values(frame, turned, values, v, u);
  }
  int64_t n = a.columns, full = 0;
  hd_matrix turns;
  HD_TRY(hd_matrix_create(frame, n, n, &turns));
  hd_matrix_set_identity(turns);
  HD_TRY(orthogonalise(frame, a, turns));
  for (int64_t j = 0; j < n; ++j) {
    long double size = 0;
    for (int64_t i = 0; i < a.rows; ++i) size += hd_square(*hd_matrix_at(a, i, j));
    values[j] = sqrtl(size);
  }
  for (int64_t j = 0; j < n; ++j) {
    int64_t most = j;
    for (int64_t k = j + 1; k < n; ++k)
      if (creall(values[k]) > creall(values[most])) most = k;
    hd_complex swap = values[j];
    values[j] = values[most];
    values[most] = swap;
    exchange_columns(a, j, most);
    exchange_columns(turns, j, most);
  }
  while (full < n && full < u.columns && creall(values[full]) > LDBL_EPSILON * creall(values[0])) ++full;
  for (int64_t j = 0; j < full; ++j)
    for (int64_t i = 0; i < u.rows; ++i) *hd_matrix_at(u, i, j) = *hd_matrix_at(a, i, j) / values[j];
  complete(u, full);
  for (int64_t j = 0; j < v.columns; ++j)
    for (int64_t i = 0; i < n; ++i) *hd_matrix_at(v, i, j) = *hd_matrix_at(turns, i, j);
  return HD_STATUS_OK;
}
