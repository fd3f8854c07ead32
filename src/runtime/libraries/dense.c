/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/dense.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/libraries/gemm_problem.h"

enum {
  CHOLESKY_LEAF = 32, /* columns */
  SYMMETRIC_LEAF = 128,
  SOLVE_LEAF = 512,
  FEW_LINES = 2,
  HEIGHT =
      6, /* of a block of a system: what tiles of every CPU level have, since products in its triangle are rounded */
  LU_LEAF = 8,
  LU_SMALL = 32,   /* a matrix of no more columns and twice the rows is a leaf */
  REFLECTORS = 32, /* applied together */
};

/* Products are not fused with sums, so vectors of 32 bytes change no bits. */
#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2")))
#else
#define TARGET
#endif

/* What a product is taken from: the tile's elements (i, j) with i >= j, i <= j or all. */
typedef enum part { ALL_OF_IT, LOWER_PART, UPPER_PART } part;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void over(const hd_dense *d, int64_t extent, double flops_of_one, hd_range_fn body, void *argument) {
  double grain = HD_GEMM_FLOPS_PER_GRAIN / (flops_of_one + 1);
  if (d->env && d->env->for_range)
    d->env->for_range(d->env->user, extent, grain < 1 ? 1 : grain > 1e6 ? 1000000 : (int64_t)grain, body, argument);
  else
    body(argument, 0, extent);
}

/* |d| for a part of |flops|: below some 40 us threads only wait for each other. */
static hd_dense sized(const hd_dense *d, double flops) {
  return (hd_dense){d->gemm, flops < 4e6 ? NULL : d->env, d->type};
}

#define T float
#define I int32_t
#define TYPE HD_ELEMENT_F32
#define COMPUTE HD_GEMM_F32
#define NAME(x) x##_f32
#include "runtime/libraries/dense_factor.h"
#include "runtime/libraries/dense_reflect.h"
#undef T
#undef I
#undef TYPE
#undef COMPUTE
#undef NAME
#define T double
#define I int64_t
#define TYPE HD_ELEMENT_F64
#define COMPUTE HD_GEMM_F64
#define NAME(x) x##_f64
#include "runtime/libraries/dense_factor.h"
#include "runtime/libraries/dense_reflect.h"

bool hd_dense_cholesky(const hd_dense *d, hd_dense_matrix a, int64_t n, int64_t *out_info) {
  *out_info = 0;
  return d->type == HD_ELEMENT_F32 ? cholesky_f32(d, a.data, a.row, a.column, n, 0, out_info)
                                   : cholesky_f64(d, a.data, a.row, a.column, n, 0, out_info);
}

bool hd_dense_solve(const hd_dense *d, hd_dense_matrix a, int64_t n, bool lower, bool unit, hd_dense_matrix x,
                    int64_t lines) {
  if (!n || !lines) return true;
  return d->type == HD_ELEMENT_F32 ? solve_f32(d, a, n, lower, unit, x, lines)
                                   : solve_f64(d, a, n, lower, unit, x, lines);
}

bool hd_dense_lu(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, int32_t *pivots, int64_t *out_info) {
  *out_info = 0;
  return d->type == HD_ELEMENT_F32 ? lu_f32(d, a.data, a.column, m, n, pivots, out_info)
                                   : lu_f64(d, a.data, a.column, m, n, pivots, out_info);
}

bool hd_dense_qr(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, void *tau) {
  return d->type == HD_ELEMENT_F32 ? qr_f32(d, a.data, a.column, m, n, tau) : qr_f64(d, a.data, a.column, m, n, tau);
}

bool hd_dense_form_q(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, const void *tau, int64_t count) {
  return d->type == HD_ELEMENT_F32 ? form_q_f32(d, a.data, a.column, m, n, tau, count)
                                   : form_q_f64(d, a.data, a.column, m, n, tau, count);
}
