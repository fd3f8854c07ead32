/* SPDX-License-Identifier: Apache-2.0 */
/* Linear algebra by the plainest algorithms, on one matrix of long double complex numbers, column by column. Real
 * matrices are complex ones without imaginary parts. Conventions (signs, storage of reflectors) are LAPACK's where a
 * result is unique. Nothing here is shared with the runtime, which these functions judge. */
#ifndef HD_EVAL_GRAPH_MATRIX_H_
#define HD_EVAL_GRAPH_MATRIX_H_

#include <complex.h>
#include <math.h>

#include "eval/core/frame.h"

typedef long double _Complex hd_complex;

typedef struct hd_matrix {
  hd_complex *data;
  int64_t rows, columns;
} hd_matrix;

static inline hd_complex *hd_matrix_at(hd_matrix a, int64_t i, int64_t j) { return &a.data[j * a.rows + i]; }
static inline long double hd_square(hd_complex z) { return creall(z) * creall(z) + cimagl(z) * cimagl(z); }

/* Zeros, for the time of one op. */
hd_status hd_matrix_create(hd_eval_frame *frame, int64_t rows, int64_t columns, hd_matrix *out) HD_MUST_USE;
void hd_matrix_copy(hd_matrix to, hd_matrix from); /* of the same sizes */
void hd_matrix_set_identity(hd_matrix a);

/* ---- factors (factors.c) ---- */

/* a = L L^H or U^H U in the triangle that |lower| names; 0, or the number of the minor that is not positive. */
int64_t hd_cholesky_factor(hd_matrix a, bool lower);
/* a = P L U; rows are exchanged with |pivots|, from 1. 0, or the number of the first pivot that is zero. */
int64_t hd_lu_factor(hd_matrix a, hd_complex *pivots);
/* Solves op(a) x = b, or x op(a) = b unless |left|, in place of b; |trans| is N, T or C. */
hd_status hd_triangular_solve(hd_eval_frame *frame, hd_matrix a, hd_matrix b, bool left, bool lower, char trans,
                              bool unit) HD_MUST_USE;
/* Solves a tridiagonal system by elimination with exchanges of rows, in place of b; the diagonals become those of U,
 * |lower| its second one above the diagonal. lower[0] is the element left of diagonal[1]. */
int64_t hd_tridiagonal_solve(int64_t n, hd_complex *lower, hd_complex *diagonal, hd_complex *upper, hd_matrix b);

/* ---- reflectors: H = 1 - tau v v^H, v[0] = 1 (reflectors.c) ---- */

/* a = Q R: R in the upper triangle, the reflectors of Q = H1 H2 ... below it and in |tau|. With |pivots|, columns are
 * exchanged for the longest first, but for those whose entry is not zero, which come first. */
hd_status hd_qr_factor(hd_eval_frame *frame, hd_matrix a, hd_complex *tau, hd_complex *pivots) HD_MUST_USE;
/* q = Q's first columns, from the |count| reflectors in |q| itself. */
hd_status hd_qr_form(hd_eval_frame *frame, hd_matrix q, const hd_complex *tau, int64_t count) HD_MUST_USE;
/* c = op(Q) c, or c op(Q) unless |left|. */
hd_status hd_qr_apply(hd_eval_frame *frame, hd_matrix a, const hd_complex *tau, int64_t count, hd_matrix c, bool left,
                      bool adjoint) HD_MUST_USE;
/* Q^H a Q without elements below the first subdiagonal, for rows and columns [low, high). */
hd_status hd_hessenberg(hd_eval_frame *frame, hd_matrix a, hd_complex *tau, int64_t low, int64_t high) HD_MUST_USE;
/* Q^H a Q tridiagonal, of the Hermitian matrix in one triangle of |a|. */
hd_status hd_tridiagonalise(hd_eval_frame *frame, hd_matrix a, bool lower, hd_complex *diagonal, hd_complex *beside,
                            hd_complex *tau) HD_MUST_USE;

/* ---- spectra (spectra.c, schur.c) ---- */

/* a = V diag(values) V^H by Jacobi's rotations, of the Hermitian matrix in one triangle; values ascend. V takes the
 * place of |a|. */
hd_status hd_eigen_hermitian(hd_eval_frame *frame, hd_matrix a, bool lower, hd_complex *values) HD_MUST_USE;
/* a = U diag(values) V^H by one-sided rotations; values descend. |u| and |v| have as many columns as are wanted. |a| is
 * left open. */
hd_status hd_singular_values(hd_eval_frame *frame, hd_matrix a, hd_complex *values, hd_matrix u,
                             hd_matrix v) HD_MUST_USE;
/* a = Z T Z^H, T upper triangular in place of |a|. */
hd_status hd_schur(hd_eval_frame *frame, hd_matrix a, hd_matrix z) HD_MUST_USE;
/* The same of a real matrix in real numbers: pairs of eigenvalues are 2x2 blocks with equal diagonal elements. */
hd_status hd_schur_real(hd_eval_frame *frame, hd_matrix a, hd_matrix z) HD_MUST_USE;
/* Eigenvalues with vectors of length 1 whose largest element is real; left ones have u^H a = value u^H. |a| is left
 * open. Of a |real| matrix pairs are side by side, that with the positive imaginary part first. */
hd_status hd_eigen(hd_eval_frame *frame, hd_matrix a, bool real, hd_complex *values, hd_matrix left,
                   hd_matrix right) HD_MUST_USE;

#endif
