/* SPDX-License-Identifier: Apache-2.0 */
/* LAPACK and BLAS by their C interfaces, LAPACKE and CBLAS, of the system's library: it is opened when first asked for.
 * Debian's (packages liblapacke and libopenblas0-pthread) is OpenBLAS where that is installed, else the reference
 * implementation. OpenBLAS is told to use no threads of its own: the runtime's pool owns the cores, and results do not
 * depend on their number. Functions ending in _work take their workspace and look for no NaNs.
 *
 * F(result, name, arguments) for every function, declared here in our own words: no header of theirs is needed. */
#ifndef HD_RUNTIME_LIBRARIES_LAPACKE_H_
#define HD_RUNTIME_LIBRARIES_LAPACKE_H_

#include <complex.h>
#include <stdint.h>

#include "base/status.h"

enum { HD_LAPACK_COLUMNS = 102 }; /* the layout: matrices column by column */

/* What all four element types have alike: T an element, s its letter. */
#define HD_LAPACKE_ALL(F, s, T)                                                                                \
  F(int32_t, LAPACKE_##s##gehrd_work,                                                                          \
    (int layout, int32_t n, int32_t low, int32_t high, T *a, int32_t lda, T *tau, T *work, int32_t work_size)) \
  F(int32_t, LAPACKE_##s##gtsv_work,                                                                           \
    (int layout, int32_t n, int32_t lines, T *lower, T *diagonal, T *upper, T *b, int32_t ldb))

/* With reflectors: the routines' names say whether they are orthogonal or unitary, symmetric or Hermitian. */
#define HD_LAPACKE_REFLECTORS(F, s, T, R, orthogonal, symmetric)                                                      \
  F(int32_t, LAPACKE_##s##orthogonal##mqr_work,                                                                       \
    (int layout, char side, char trans, int32_t m, int32_t n, int32_t k, const T *a, int32_t lda, const T *tau, T *c, \
     int32_t ldc, T *work, int32_t work_size))                                                                        \
  F(int32_t, LAPACKE_##s##symmetric##trd_work,                                                                        \
    (int layout, char uplo, int32_t n, T *a, int32_t lda, R *diagonal, R *beside, T *tau, T *work, int32_t work_size))

#define HD_LAPACKE_REAL(F, s, T)                                                                                      \
  F(int32_t, LAPACKE_##s##geqp3_work,                                                                                 \
    (int layout, int32_t m, int32_t n, T *a, int32_t lda, int32_t *pivots, T *tau, T *work, int32_t work_size))       \
  F(int32_t, LAPACKE_##s##syevd_work,                                                                                 \
    (int layout, char job, char uplo, int32_t n, T *a, int32_t lda, T *values, T *work, int32_t work_size,            \
     int32_t *ints, int32_t int_size))                                                                                \
  F(int32_t, LAPACKE_##s##gesdd_work,                                                                                 \
    (int layout, char job, int32_t m, int32_t n, T *a, int32_t lda, T *values, T *u, int32_t ldu, T *v, int32_t ldv,  \
     T *work, int32_t work_size, int32_t *ints))                                                                      \
  F(int32_t, LAPACKE_##s##gesvd_work,                                                                                 \
    (int layout, char job_u, char job_v, int32_t m, int32_t n, T *a, int32_t lda, T *values, T *u, int32_t ldu, T *v, \
     int32_t ldv, T *work, int32_t work_size))                                                                        \
  F(int32_t, LAPACKE_##s##geev_work,                                                                                  \
    (int layout, char left, char right, int32_t n, T *a, int32_t lda, T *re, T *im, T *vl, int32_t ldvl, T *vr,       \
     int32_t ldvr, T *work, int32_t work_size))                                                                       \
  F(int32_t, LAPACKE_##s##gees_work,                                                                                  \
    (int layout, char job, char sort, int32_t (*selects)(const T *, const T *), int32_t n, T *a, int32_t lda,         \
     int32_t *selected, T *re, T *im, T *vectors, int32_t ldv, T *work, int32_t work_size, int32_t *flags))           \
  HD_LAPACKE_REFLECTORS(F, s, T, T, or, sy)

#define HD_LAPACKE_COMPLEX(F, s, T, R)                                                                                \
  F(void, cblas_##s##trsm,                                                                                            \
    (int layout, int side, int uplo, int trans, int diag, int32_t m, int32_t n, const void *alpha, const void *a,     \
     int32_t lda, void *b, int32_t ldb))                                                                              \
  F(int32_t, LAPACKE_##s##potrf_work, (int layout, char uplo, int32_t n, T *a, int32_t lda))                          \
  F(int32_t, LAPACKE_##s##getrf_work, (int layout, int32_t m, int32_t n, T *a, int32_t lda, int32_t *pivots))         \
  F(int32_t, LAPACKE_##s##geqrf_work,                                                                                 \
    (int layout, int32_t m, int32_t n, T *a, int32_t lda, T *tau, T *work, int32_t work_size))                        \
  F(int32_t, LAPACKE_##s##ungqr_work,                                                                                 \
    (int layout, int32_t m, int32_t n, int32_t k, T *a, int32_t lda, const T *tau, T *work, int32_t work_size))       \
  F(int32_t, LAPACKE_##s##geqp3_work,                                                                                 \
    (int layout, int32_t m, int32_t n, T *a, int32_t lda, int32_t *pivots, T *tau, T *work, int32_t work_size,        \
     R *reals))                                                                                                       \
  F(int32_t, LAPACKE_##s##heevd_work,                                                                                 \
    (int layout, char job, char uplo, int32_t n, T *a, int32_t lda, R *values, T *work, int32_t work_size, R *reals,  \
     int32_t real_size, int32_t *ints, int32_t int_size))                                                             \
  F(int32_t, LAPACKE_##s##gesdd_work,                                                                                 \
    (int layout, char job, int32_t m, int32_t n, T *a, int32_t lda, R *values, T *u, int32_t ldu, T *v, int32_t ldv,  \
     T *work, int32_t work_size, R *reals, int32_t *ints))                                                            \
  F(int32_t, LAPACKE_##s##gesvd_work,                                                                                 \
    (int layout, char job_u, char job_v, int32_t m, int32_t n, T *a, int32_t lda, R *values, T *u, int32_t ldu, T *v, \
     int32_t ldv, T *work, int32_t work_size, R *reals))                                                              \
  F(int32_t, LAPACKE_##s##geev_work,                                                                                  \
    (int layout, char left, char right, int32_t n, T *a, int32_t lda, T *values, T *vl, int32_t ldvl, T *vr,          \
     int32_t ldvr, T *work, int32_t work_size, R *reals))                                                             \
  F(int32_t, LAPACKE_##s##gees_work,                                                                                  \
    (int layout, char job, char sort, int32_t (*selects)(const T *), int32_t n, T *a, int32_t lda, int32_t *selected, \
     T *values, T *vectors, int32_t ldv, T *work, int32_t work_size, R *reals, int32_t *flags))                       \
  HD_LAPACKE_REFLECTORS(F, s, T, R, un, he)

#define HD_LAPACKE_FUNCTIONS(F)                   \
  HD_LAPACKE_ALL(F, s, float)                     \
  HD_LAPACKE_ALL(F, d, double)                    \
  HD_LAPACKE_ALL(F, c, float _Complex)            \
  HD_LAPACKE_ALL(F, z, double _Complex)           \
  HD_LAPACKE_REAL(F, s, float)                    \
  HD_LAPACKE_REAL(F, d, double)                   \
  HD_LAPACKE_COMPLEX(F, c, float _Complex, float) \
  HD_LAPACKE_COMPLEX(F, z, double _Complex, double)

typedef struct hd_lapacke {
  void *library;
  char error[256];
#define F(result, name, arguments) result(*name) arguments;
  HD_LAPACKE_FUNCTIONS(F)
#undef F
} hd_lapacke;

/* UNAVAILABLE, with the packages to install, where there is none that has all functions. Thread-safe. */
hd_status hd_lapacke_open(const hd_lapacke **out_lapacke) HD_MUST_USE;

#endif
