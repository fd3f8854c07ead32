/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/dense.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
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
  QR_LEAF = 16,    /* columns, reflected one by one */
  QR_SMALL = 256,  /* rows that the first cache holds with all columns of a block, which are a leaf then */
};

/* Products are not fused with sums, so vectors of 32 bytes change no bits. */
#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2")))
#else
#define TARGET
#endif

/* What divides the work and hands it on: small rather than fast. Leaves are called from there alone, and the compiler
 * would make them small too. */
#define DRIVER __attribute__((cold, noinline))
#define LEAF TARGET __attribute__((hot))

/* What a product is taken from: the tile's elements (i, j) with i >= j, i <= j or all. */
typedef enum part { ALL_OF_IT, LOWER_PART, UPPER_PART } part;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

DRIVER static void over(const hd_dense *d, int64_t extent, double flops_of_one, hd_range_fn body, void *argument) {
  double grain = HD_GEMM_FLOPS_PER_GRAIN / (flops_of_one + 1);
  if (d->env && d->env->for_range)
    d->env->for_range(d->env->user, extent, grain < 1 ? 1 : grain > 1e6 ? 1000000 : (int64_t)grain, body, argument);
  else
    body(argument, 0, extent);
}

/* |d| for a part of |flops|: below some 40 us threads only wait for each other. */
DRIVER static hd_dense sized(const hd_dense *d, double flops) {
  return (hd_dense){d->gemm, flops < 4e6 ? NULL : d->env, d->type};
}

#define T float
#define I int32_t
#define NARROW
#define TYPE HD_ELEMENT_F32
#define COMPUTE HD_GEMM_F32
#define NAME(x) x##_f32
#include "runtime/libraries/dense_factor.h"
#include "runtime/libraries/dense_lanes.h"
#include "runtime/libraries/dense_reflect.h"
#undef T
#undef I
#undef NARROW
#undef TYPE
#undef COMPUTE
#undef NAME
#define T double
#define I int64_t
#define TYPE HD_ELEMENT_F64
#define COMPUTE HD_GEMM_F64
#define NAME(x) x##_f64
#include "runtime/libraries/dense_factor.h"
#include "runtime/libraries/dense_lanes.h"
#include "runtime/libraries/dense_reflect.h"

DRIVER bool hd_dense_cholesky(const hd_dense *d, hd_dense_matrix a, int64_t n, int64_t *out_info) {
  *out_info = 0;
  return d->type == HD_ELEMENT_F32 ? cholesky_f32(d, a.data, a.row, a.column, n, 0, out_info)
                                   : cholesky_f64(d, a.data, a.row, a.column, n, 0, out_info);
}

DRIVER bool hd_dense_solve(const hd_dense *d, hd_dense_matrix a, int64_t n, bool lower, bool unit, hd_dense_matrix x,
                           int64_t lines) {
  if (!n || !lines) return true;
  return d->type == HD_ELEMENT_F32 ? solve_f32(d, a, n, lower, unit, x, lines)
                                   : solve_f64(d, a, n, lower, unit, x, lines);
}

DRIVER bool hd_dense_lu(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, int32_t *pivots,
                        int64_t *out_info) {
  *out_info = 0;
  return d->type == HD_ELEMENT_F32 ? lu_f32(d, a.data, a.column, m, n, pivots, out_info)
                                   : lu_f64(d, a.data, a.column, m, n, pivots, out_info);
}

DRIVER bool hd_dense_qr(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, void *tau) {
  return d->type == HD_ELEMENT_F32 ? qr_f32(d, a.data, a.column, m, n, tau) : qr_f64(d, a.data, a.column, m, n, tau);
}

DRIVER bool hd_dense_form_q(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, const void *tau,
                            int64_t count) {
  return d->type == HD_ELEMENT_F32 ? form_q_f32(d, a.data, a.column, m, n, tau, count)
                                   : form_q_f64(d, a.data, a.column, m, n, tau, count);
}

DRIVER bool hd_dense_multiply(const hd_dense *d, hd_dense_matrix a, hd_dense_matrix b, hd_dense_matrix c, int64_t m,
                              int64_t n, int64_t k) {
  if (c.row == 1 && c.column != 1) /* rows of the result in memory are columns then, which tiles are written to */
    return hd_dense_multiply(d, (hd_dense_matrix){b.data, b.column, b.row}, (hd_dense_matrix){a.data, a.column, a.row},
                             (hd_dense_matrix){c.data, c.column, 1}, n, m, k);
  hd_dense here = sized(d, 2 * (double)m * (double)n * (double)k);
  hd_gemm_call call = {.a_type = d->type,
                       .b_type = d->type,
                       .c_type = d->type,
                       .a = a.data,
                       .b = b.data,
                       .c = c.data,
                       .dim_count = 3,
                       .dims = {{HD_GEMM_M, m, a.row, 0, c.row},
                                {HD_GEMM_N, n, 0, b.column, c.column},
                                {HD_GEMM_K, k, a.column, b.row, 0}},
                       .env = here.env};
  hd_status status = hd_gemm(d->gemm, &call);
  bool ok = hd_is_ok(status);
  hd_status_free(status);
  return ok;
}

/* ---- many small ones ---- */

int64_t hd_dense_lanes(hd_element_type type) { return type == HD_ELEMENT_F32 ? LANES_f32 : LANES_f64; }

/* |a| from matrix |i| on. */
static hd_dense_matrix from(hd_element_type type, hd_dense_matrix a, int64_t i, int64_t size) {
  a.data = (char *)a.data + (size_t)(i * size) * hd_element_bytes(type);
  return a;
}

#define EACH_GROUP(type, count) for (int64_t i = 0, lanes = hd_dense_lanes(type); i < (count); i += lanes)

DRIVER void hd_dense_small_cholesky(hd_element_type type, hd_dense_matrix a, int64_t n, int64_t count, int32_t *info) {
  EACH_GROUP(type, count) {
    hd_dense_matrix these = from(type, a, i, n * n);
    (type == HD_ELEMENT_F32 ? small_cholesky_f32 : small_cholesky_f64)(these, n, least(lanes, count - i), info + i);
  }
}

DRIVER void hd_dense_small_solve(hd_element_type type, hd_dense_matrix a, int64_t n, bool lower, bool unit,
                                 hd_dense_matrix x, int64_t lines, int64_t count) {
  EACH_GROUP(type, count) {
    (type == HD_ELEMENT_F32 ? small_solve_f32 : small_solve_f64)(
        from(type, a, i, n * n), n, lower, unit, from(type, x, i, n * lines), lines, least(lanes, count - i));
  }
}

DRIVER void hd_dense_small_lu(hd_element_type type, hd_dense_matrix a, int64_t m, int64_t n, int64_t count,
                              int32_t *pivots, int32_t *info) {
  EACH_GROUP(type, count) {
    hd_dense_matrix these = from(type, a, i, m * n);
    (type == HD_ELEMENT_F32 ? small_lu_f32 : small_lu_f64)(these, m, n, least(lanes, count - i),
                                                           pivots + i * least(m, n), info + i);
  }
}

/* Matrices whose squares could overflow or vanish go one by one. */
DRIVER bool hd_dense_small_qr(const hd_dense *d, hd_dense_matrix a, int64_t m, int64_t n, int64_t count, void *tau) {
  size_t step = (size_t)least(m, n) * hd_element_bytes(d->type);
  bool done = true;
  EACH_GROUP(d->type, count) {
    hd_dense_matrix these = from(d->type, a, i, m * n);
    char *factors = (char *)tau + (size_t)i * step;
    int64_t here = least(lanes, count - i);
    uint32_t left = d->type == HD_ELEMENT_F32 ? small_qr_f32(these, m, n, here, (float *)(void *)factors)
                                              : small_qr_f64(these, m, n, here, (double *)(void *)factors);
    for (int64_t k = 0; left >> k; ++k)
      if (left >> k & 1) done &= hd_dense_qr(d, from(d->type, these, k, m * n), m, n, factors + (size_t)k * step);
  }
  return done;
}

DRIVER uint32_t hd_dense_small_svd(hd_element_type type, const void *a, int64_t m, int64_t n, int64_t count,
                                   void *values, void *u, void *vt) {
  return type == HD_ELEMENT_F32 ? small_svd_f32(a, m, n, count, values, u, vt)
                                : small_svd_f64(a, m, n, count, values, u, vt);
}

DRIVER void hd_dense_small_form_q(hd_element_type type, hd_dense_matrix a, int64_t m, int64_t n, const void *tau,
                                  int64_t reflectors, int64_t count) {
  EACH_GROUP(type, count) {
    hd_dense_matrix these = from(type, a, i, m * n);
    if (type == HD_ELEMENT_F32)
      small_form_q_f32(these, m, n, (const float *)tau + i * reflectors, reflectors, least(lanes, count - i));
    else
      small_form_q_f64(these, m, n, (const double *)tau + i * reflectors, reflectors, least(lanes, count - i));
  }
}
