/* SPDX-License-Identifier: Apache-2.0 */
/* cholesky and triangular_solve on batches of matrices, computed in f64 (complex where the elements are). */
#include <math.h>
#include <string.h>

#include "eval/core/frame.h"

/* All elements, for the time of the op. */
static hd_status load_matrices(hd_eval_frame *frame, const hd_tensor *tensor, double complex **out) {
  size_t count = hd_tensor_count(tensor);
  hd_type element = hd_tensor_element(tensor);
  HD_TRY(hd_eval_temp(frame, count, sizeof **out, out));
  if (hd_class_of(element) == HD_CLASS_COMPLEX) {
    hd_load_complex(element, hd_tensor_data(tensor), count, *out);
    return HD_STATUS_OK;
  }
  if (hd_class_of(element) != HD_CLASS_FLOAT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected floats or complex numbers");
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < count; ++i) {
    double x;
    hd_load_doubles(element, (const char *)hd_tensor_data(tensor) + i * bytes, 1, &x);
    (*out)[i] = x;
  }
  return HD_STATUS_OK;
}

/* Rounds all elements; floats take the real parts. */
static void store_matrices(const hd_tensor *tensor, const double complex *values) {
  size_t count = hd_tensor_count(tensor);
  hd_type element = hd_tensor_element(tensor);
  if (hd_class_of(element) == HD_CLASS_COMPLEX) {
    hd_store_complex(element, hd_tensor_data(tensor), count, values);
    return;
  }
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < count; ++i) {
    double x = creal(values[i]);
    hd_store_doubles(element, (char *)hd_tensor_data(tensor) + i * bytes, 1, &x);
  }
}

/* |a| n x n: its lower triangle becomes L with L L^H = a, the rest zero. A matrix that is not positive definite gives
 * NaN in its whole triangle. */
static hd_status factor(hd_eval_frame *frame, double complex *a, int64_t n) {
  bool failed = false;
  for (int64_t j = 0; j < n && !failed; ++j) {
    HD_TRY(hd_eval_poll(frame));
    double diagonal = creal(a[j * n + j]);
    for (int64_t k = 0; k < j; ++k) {
      double complex x = a[j * n + k];
      diagonal -= creal(x) * creal(x) + cimag(x) * cimag(x);
    }
    failed = !(diagonal > 0);
    double root = sqrt(diagonal);
    a[j * n + j] = root;
    for (int64_t i = j + 1; i < n; ++i) {
      double complex sum = a[i * n + j];
      for (int64_t k = 0; k < j; ++k) sum -= a[i * n + k] * conj(a[j * n + k]);
      a[i * n + j] = CMPLX(creal(sum) / root, cimag(sum) / root);
    }
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      if (j > i)
        a[i * n + j] = 0;
      else if (failed)
        a[i * n + j] = NAN;
    }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(cholesky) {
  uint32_t rank = hd_tensor_rank(&in[0]);
  const int64_t *dims = hd_tensor_dims(&in[0]);
  bool lower = hd_op_int_attr(op, HD_NAME_lower, 0) != 0;
  if (rank < 2 || dims[rank - 1] != dims[rank - 2])
    return hd_make_status(HD_INVALID_ARGUMENT, "expected square matrices, got %s", hd_dims_text(rank, dims));
  HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
  double complex *data;
  HD_TRY(load_matrices(frame, &in[0], &data));
  int64_t n = dims[rank - 1];
  for (int64_t at = 0, count = (int64_t)hd_tensor_count(out); at < count; at += n * n) {
    double complex *a = data + at;
    HD_TRY(hd_eval_poll(frame));
    /* a = U^H U: the upper triangle's conjugate is the lower one */
    if (!lower)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < i; ++j) a[i * n + j] = conj(a[j * n + i]);
    HD_TRY(factor(frame, a, n));
    if (!lower)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < i; ++j) {
          a[j * n + i] = conj(a[i * n + j]);
          a[i * n + j] = 0;
        }
  }
  store_matrices(out, data);
  return HD_STATUS_OK;
}

/* Element (i, j) of op(a). */
static double complex entry(const double complex *a, int64_t n, int64_t i, int64_t j, bool transposed, bool conjugate) {
  double complex x = transposed ? a[j * n + i] : a[i * n + j];
  return conjugate ? conj(x) : x;
}

HD_EVAL_HOOK(triangular_solve) {
  const hd_tensor *a = &in[0], *b = &in[1];
  uint32_t rank = hd_tensor_rank(a);
  const int64_t *dims = hd_tensor_dims(a);
  bool left = hd_op_int_attr(op, HD_NAME_left_side, 0) != 0, lower = hd_op_int_attr(op, HD_NAME_lower, 0) != 0;
  bool unit = hd_op_int_attr(op, HD_NAME_unit_diagonal, 0) != 0;
  hd_str transpose = hd_eval_enum_attr(op, HD_NAME_transpose_a);
  bool adjoint = hd_str_is(transpose, "ADJOINT"), transposed = adjoint || hd_str_is(transpose, "TRANSPOSE");
  if (rank < 2 || hd_tensor_rank(b) != rank || dims[rank - 1] != dims[rank - 2] ||
      !hd_dims_equal(rank - 2, dims, hd_tensor_dims(b)) ||
      hd_tensor_dims(b)[left ? rank - 2 : rank - 1] != dims[rank - 1])
    return hd_make_status(HD_INVALID_ARGUMENT, "shapes do not fit: a is %s, b is %s", hd_dims_text(rank, dims),
                          hd_dims_text(hd_tensor_rank(b), hd_tensor_dims(b)));
  HD_TRY(hd_eval_result(frame, op, 0, rank, hd_tensor_dims(b), out));
  double complex *as, *xs;
  HD_TRY(load_matrices(frame, a, &as));
  HD_TRY(load_matrices(frame, b, &xs));
  int64_t n = dims[rank - 1], rows = hd_tensor_dims(b)[rank - 2], columns = hd_tensor_dims(b)[rank - 1];
  int64_t lines = left ? columns : rows, batch = 1;
  for (uint32_t i = 0; i + 2 < rank; ++i) batch *= dims[i];
  if (!hd_tensor_count(out)) return HD_STATUS_OK;
  for (int64_t g = 0; g < batch; ++g) {
    const double complex *m = as + g * n * n;
    double complex *x = xs + g * rows * columns;
    /* op(a) x = b column by column; x op(a) = b is op(a)^T x^T = b^T row by row */
    bool flip = left ? transposed : !transposed;
    bool forward = flip ? !lower : lower;
    for (int64_t line = 0; line < lines; ++line) {
      HD_TRY(hd_eval_poll(frame));
      for (int64_t s = 0; s < n; ++s) {
        int64_t i = forward ? s : n - 1 - s;
        double complex *xi = left ? &x[i * columns + line] : &x[line * columns + i], sum = *xi;
        for (int64_t t = 0; t < s; ++t) {
          int64_t k = forward ? t : n - 1 - t;
          sum -= entry(m, n, i, k, flip, adjoint) * (left ? x[k * columns + line] : x[line * columns + k]);
        }
        *xi = unit ? sum : sum / entry(m, n, i, i, flip, adjoint);
      }
    }
  }
  store_matrices(out, xs);
  return HD_STATUS_OK;
}
