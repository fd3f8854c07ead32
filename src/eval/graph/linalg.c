/* SPDX-License-Identifier: Apache-2.0 */
/* cholesky and triangular_solve on batches of matrices, by the algorithms of matrix.h. */
#include "eval/graph/matrix.h"
#include "ir/ops/stablehlo.h"

/* Matrix |number| of |tensor|, whose elements are row by row. */
static void load_matrix(const hd_tensor *tensor, int64_t number, hd_matrix out) {
  hd_type element = hd_tensor_element(tensor);
  size_t bytes = hd_type_element_bytes(element);
  const char *at = (const char *)hd_tensor_data(tensor) + (size_t)(number * out.rows * out.columns) * bytes;
  for (int64_t i = 0; i < out.rows; ++i)
    for (int64_t j = 0; j < out.columns; ++j, at += bytes) {
      double complex z = 0;
      double x = 0;
      if (hd_class_of(element) == HD_CLASS_COMPLEX)
        hd_load_complex(element, at, 1, &z);
      else
        hd_load_doubles(element, at, 1, &x);
      *hd_matrix_at(out, i, j) = hd_class_of(element) == HD_CLASS_COMPLEX ? (hd_complex)z : (hd_complex)x;
    }
}

static void store_matrix(const hd_tensor *tensor, int64_t number, hd_matrix from) {
  hd_type element = hd_tensor_element(tensor);
  size_t bytes = hd_type_element_bytes(element);
  char *at = (char *)hd_tensor_data(tensor) + (size_t)(number * from.rows * from.columns) * bytes;
  for (int64_t i = 0; i < from.rows; ++i)
    for (int64_t j = 0; j < from.columns; ++j, at += bytes) {
      double complex z = (double complex) * hd_matrix_at(from, i, j);
      double x = creal(z);
      if (hd_class_of(element) == HD_CLASS_COMPLEX)
        hd_store_complex(element, at, 1, &z);
      else
        hd_store_doubles(element, at, 1, &x);
    }
}

static hd_status expect_numbers(const hd_tensor *tensor) {
  hd_number_class class = hd_class_of(hd_tensor_element(tensor));
  if (class == HD_CLASS_FLOAT || class == HD_CLASS_COMPLEX) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "expected floats or complex numbers");
}

/* A matrix that is not positive definite gives NaN in its whole triangle; the other one is zeros. */
HD_EVAL_HOOK(cholesky) {
  uint32_t rank = hd_tensor_rank(&in[0]);
  const int64_t *dims = hd_tensor_dims(&in[0]);
  bool lower = hd_stablehlo_cholesky_lower(op);
  if (rank < 2 || dims[rank - 1] != dims[rank - 2])
    return hd_make_status(HD_INVALID_ARGUMENT, "expected square matrices, got %s", hd_dims_text(rank, dims));
  HD_TRY(expect_numbers(&in[0]));
  HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
  int64_t n = dims[rank - 1], count = n ? (int64_t)hd_tensor_count(out) / (n * n) : 0;
  hd_matrix a;
  HD_TRY(hd_matrix_create(frame, n, n, &a));
  for (int64_t number = 0; number < count; ++number) {
    HD_TRY(hd_eval_poll(frame));
    load_matrix(&in[0], number, a);
    bool failed = hd_cholesky_factor(a, lower) != 0;
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i) {
        bool outside = lower ? i < j : i > j;
        if (outside || failed) *hd_matrix_at(a, i, j) = outside ? 0 : (long double)NAN;
      }
    store_matrix(out, number, a);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(triangular_solve) {
  const hd_tensor *a = &in[0], *b = &in[1];
  uint32_t rank = hd_tensor_rank(a);
  const int64_t *dims = hd_tensor_dims(a), *b_dims = hd_tensor_dims(b);
  bool left = hd_stablehlo_triangular_solve_left_side(op), lower = hd_stablehlo_triangular_solve_lower(op);
  bool unit = hd_stablehlo_triangular_solve_unit_diagonal(op);
  hd_enum_stablehlo_transpose transpose = hd_stablehlo_triangular_solve_transpose_a(op);
  char trans = transpose == HD_STABLEHLO_TRANSPOSE_ADJOINT     ? 'C'
               : transpose == HD_STABLEHLO_TRANSPOSE_TRANSPOSE ? 'T'
                                                               : 'N';
  if (rank < 2 || hd_tensor_rank(b) != rank || dims[rank - 1] != dims[rank - 2] ||
      !hd_dims_equal(rank - 2, dims, b_dims) || b_dims[left ? rank - 2 : rank - 1] != dims[rank - 1])
    return hd_make_status(HD_INVALID_ARGUMENT, "shapes do not fit: a is %s, b is %s", hd_dims_text(rank, dims),
                          hd_dims_text(hd_tensor_rank(b), b_dims));
  HD_TRY(expect_numbers(a));
  HD_TRY(expect_numbers(b));
  HD_TRY(hd_eval_result(frame, op, 0, rank, b_dims, out));
  int64_t each = b_dims[rank - 1] * b_dims[rank - 2], count = each ? (int64_t)hd_tensor_count(out) / each : 0;
  hd_matrix m, x;
  HD_TRY(hd_matrix_create(frame, dims[rank - 1], dims[rank - 1], &m));
  HD_TRY(hd_matrix_create(frame, b_dims[rank - 2], b_dims[rank - 1], &x));
  for (int64_t number = 0; number < count; ++number) {
    load_matrix(a, number, m);
    load_matrix(b, number, x);
    HD_TRY(hd_triangular_solve(frame, m, x, left, lower, trans, unit));
    store_matrix(out, number, x);
  }
  return HD_STATUS_OK;
}
