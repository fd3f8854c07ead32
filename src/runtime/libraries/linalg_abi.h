/* SPDX-License-Identifier: Apache-2.0 */
/* The words of ral_cholesky, ral_triangular_solve and ral_fft. */
#ifndef HD_RUNTIME_LIBRARIES_LINALG_ABI_H_
#define HD_RUNTIME_LIBRARIES_LINALG_ABI_H_

#include "runtime/words_abi.h"

typedef struct hd_cholesky_descriptor {
  int64_t batch, n;
  int64_t lower; /* 0 or 1 */
} hd_cholesky_descriptor;
HD_ABI_LAYOUT(hd_cholesky_descriptor, 3, lower);

typedef enum hd_solve_transpose { HD_SOLVE_PLAIN, HD_SOLVE_TRANSPOSE, HD_SOLVE_ADJOINT } hd_solve_transpose;

typedef struct hd_triangular_solve_descriptor {
  int64_t batch, n;
  int64_t rows, columns;                   /* of b */
  int64_t left_side, lower, unit_diagonal; /* 0 or 1 */
  int64_t transpose_a;                     /* hd_solve_transpose */
} hd_triangular_solve_descriptor;
HD_ABI_LAYOUT(hd_triangular_solve_descriptor, 8, transpose_a);

typedef enum hd_fft_kind { HD_FFT_FORWARD, HD_FFT_INVERSE, HD_FFT_REAL_FORWARD, HD_FFT_REAL_INVERSE } hd_fft_kind;

enum { HD_FFT_MAX_AXES = 3 };

typedef struct hd_fft_descriptor {
  int64_t kind;                     /* hd_fft_kind */
  int64_t axes;                     /* 1 to 3 */
  int64_t batch;                    /* the product of the dims before the axes */
  int64_t lengths[HD_FFT_MAX_AXES]; /* of the transform; those beyond |axes| are 1 */
} hd_fft_descriptor;
HD_ABI_LAYOUT(hd_fft_descriptor, 6, lengths);

#endif
