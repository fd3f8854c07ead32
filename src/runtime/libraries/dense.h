/* SPDX-License-Identifier: Apache-2.0 */
/* Factorisations and triangular systems of one matrix of f32 or f64, recursively on matrix products (gemm.h): all but
 * leaves of a few columns is the generated kernels' work, on all threads.
 *
 * Matrices have any strides, so that transposing, the side and the triangle of LAPACK's routines are
 * strides too. Results are the same bits for any thread count and any CPU level. Functions give
 * false when memory is short. Thread-safe. */
#ifndef HD_RUNTIME_LIBRARIES_DENSE_H_
#define HD_RUNTIME_LIBRARIES_DENSE_H_

#include "runtime/libraries/gemm.h"

#define HD_DENSE_FLOPS_PER_GRAIN 1e4 /* small matrices, about a microsecond */

typedef struct hd_dense {
  hd_gemm_context *gemm;
  const hd_gemm_env *env; /* null: on the caller */
  hd_element_type type;   /* f32 or f64 */
} hd_dense;

/* Element (i, j) is data[i * row + j * column]. */
typedef struct hd_dense_matrix {
  void *data;
  int64_t row, column;
} hd_dense_matrix;

/* The lower triangle of |a|, n x n, becomes L with L L^T = a; the rest is not touched. |*out_info|: 0, or the order of
 * the first leading minor that is not positive, where the factor ends. */
bool hd_dense_cholesky(const hd_dense *d, hd_dense_matrix a, int64_t n, int64_t *out_info) HD_MUST_USE;

/* x becomes the solution of a x = x: |a| is the lower or the upper triangle of n x n, with ones on
 * the diagonal when |unit|, x is n x lines. */
bool hd_dense_solve(const hd_dense *d, hd_dense_matrix a, int64_t n, bool lower, bool unit, hd_dense_matrix x,
                    int64_t lines) HD_MUST_USE;

/* |a|, m x n with a row stride of 1, becomes L and U with P a = L U; row i was exchanged with row pivots[i], from 1.
 * |*out_info|: 0, or the first column, from 1, whose pivot is zero. */
bool hd_dense_lu(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, int32_t *pivots,
                 int64_t *out_info) HD_MUST_USE;

/* |a|, m x n with a row stride of 1, becomes R and, below the diagonal, the reflectors of Q as LAPACK's geqrf has
 * them, with their min(m, n) factors |tau|. */
bool hd_dense_qr(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, void *tau) HD_MUST_USE;
/* |a|, with |count| such reflectors in its first columns, becomes the first n columns of Q. */
bool hd_dense_form_q(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, const void *tau,
                     int64_t count) HD_MUST_USE;

/* c, m x n, becomes a (m x k) b (k x n). */
bool hd_dense_multiply(const hd_dense *d, hd_dense_matrix a, hd_dense_matrix b, hd_dense_matrix c, int64_t m, int64_t n,
                       int64_t k) HD_MUST_USE;

/* ---- many small ones, each in a lane of vectors ---- */

enum { HD_DENSE_SMALL = 16, HD_DENSE_SMALL_LINES = 32 }; /* most rows and columns; lines of a system */

/* So many are taken together; results of a matrix have the same bits whatever the others are. */
int64_t hd_dense_lanes(hd_element_type type);
/* As those above, of |count| dense matrices in memory one after the other, a and x being the
 * first; so are pivots, codes and factors tau. */
void hd_dense_small_cholesky(hd_element_type type, hd_dense_matrix a, int64_t n, int64_t count, int32_t *info);
void hd_dense_small_solve(hd_element_type type, hd_dense_matrix a, int64_t n, bool lower, bool unit, hd_dense_matrix x,
                          int64_t lines, int64_t count);
void hd_dense_small_lu(hd_element_type type, hd_dense_matrix a, int64_t m, int64_t n, int64_t count, int32_t *pivots,
                       int32_t *info);
bool hd_dense_small_qr(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, int64_t count,
                       void *tau) HD_MUST_USE;
/* |count| matrices column by column become |values|, longest first, and the min(m, n) columns of |u| and rows of |vt|;
 * |u| null: neither is asked for. Bit i of the result is set where nothing is done for matrix i: its squares could
 * overflow or vanish, or a vector is not determined (a value of zero). No more than hd_dense_lanes at a time. */
uint32_t hd_dense_small_svd(hd_element_type type, const void *a, int64_t m, int64_t n, int64_t count, void *values,
                            void *u, void *vt) HD_MUST_USE;
void hd_dense_small_form_q(hd_element_type type, hd_dense_matrix a, int64_t m, int64_t n, const void *tau,
                           int64_t reflectors, int64_t count);

#endif
