/* SPDX-License-Identifier: Apache-2.0 */
/* cholesky and triangular_solve as RAL APIs, on batches of dense row-major matrices of f32, f64 and complex.
 *
 * ral_cholesky___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void
 *   (ctx, stream, a, a, out, type, descriptor, count)   descriptor: hd_cholesky_descriptor (linalg_abi.h)
 * ral_triangular_solve___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void
 *   (ctx, stream, a, b, out, type, descriptor, count)   descriptor: hd_triangular_solve_descriptor
 *   type: hd_element_type
 *
 * Real matrices are dense.h's. Of complex ones, Cholesky takes rows in blocks of columns: a block of the
 * diagonal on one thread, the rows below it in parallel; a triangular system is solved line by line, lines in
 * parallel, walking the matrix along its rows. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "heddle/element.h"
#include "runtime/libraries/dense.h"
#include "runtime/libraries/gemm_ral.h"
#include "runtime/libraries/linalg_abi.h"
#include "runtime/ral_api.h"

enum { BLOCK = 64 };

typedef struct cholesky_block {
  void *a;
  int64_t n, j0, j1;
} cholesky_block;

typedef struct solve_call {
  const void *a, *b;
  void *out, *x; /* x: a scratch line per line */
  int64_t n, lines;
  bool left, columns, forward, unit, conjugate;
} solve_call;

typedef struct c64 {
  float re, im;
} c64;
typedef struct c128 {
  double re, im;
} c128;

#define T c64
#define R float
#define NAME(x) x##_c64
#include "runtime/libraries/linalg_lines.h"
#define T c128
#define R double
#define NAME(x) x##_c128
#include "runtime/libraries/linalg_lines.h"

static bool expect(hd_ral_context *ctx, const char *what, int64_t count, int64_t expected, int64_t type) {
  bool known = type == HD_ELEMENT_F32 || type == HD_ELEMENT_F64 || type == HD_ELEMENT_C64 || type == HD_ELEMENT_C128;
  if (count == expected && known) return hd_ral_go_on(ctx);
  hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT,
                                  "%s: expected a descriptor of %lld words of f32, f64 or complex, got %lld of %s",
                                  what, (long long)expected, (long long)count, hd_element_text((hd_element_type)type)));
  return false;
}

/* ---- real matrices ---- */

typedef struct real_call {
  hd_ral_context *ctx;
  hd_dense dense; /* of one matrix */
  const hd_cholesky_descriptor *cholesky;
  const hd_triangular_solve_descriptor *solve;
  const char *a, *b;
  char *out;
  size_t element;
  int64_t count, lanes; /* of matrices; of those taken at once, 1 for large ones */
  atomic_bool no_memory;
} real_call;

static void set(real_call *r, char *at, double value) {
  if (r->element == sizeof(float))
    memcpy(at, &(float){(float)value}, sizeof(float));
  else
    memcpy(at, &value, sizeof value);
}

/* Of group |g|, its first matrix and how many there are. */
static int64_t first_of(const real_call *r, int64_t g, int64_t *out_count) {
  int64_t first = g * r->lanes;
  *out_count = r->count - first < r->lanes ? r->count - first : r->lanes;
  return first;
}

static void cholesky_reals(void *argument, int64_t begin, int64_t end) {
  real_call *r = argument;
  int64_t n = r->cholesky->n, count, info;
  int32_t codes[16] = {0};
  size_t bytes = r->element * (size_t)(n * n);
  bool lower = r->cholesky->lower != 0;
  for (int64_t g = begin; g < end; ++g) {
    int64_t first = first_of(r, g, &count);
    hd_dense_matrix a = {r->out + (size_t)first * bytes, lower ? n : 1, lower ? 1 : n};
    if (bytes) memcpy(a.data, r->a + (size_t)first * bytes, bytes * (size_t)count);
    if (r->lanes > 1)
      hd_dense_small_cholesky(r->dense.type, a, n, count, codes);
    else if (!hd_dense_cholesky(&r->dense, a, n, &info))
      atomic_store_explicit(&r->no_memory, true, memory_order_relaxed);
    else
      codes[0] = info != 0;
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t k = 0; k < n; ++k) {
          bool kept = lower ? k <= j : k >= j;
          char *at = (char *)a.data + (size_t)i * bytes + (size_t)(j * n + k) * r->element;
          if (!kept || codes[i]) set(r, at, kept ? (double)NAN : 0);
        }
  }
}

/* Matrices are row by row. x op(a) = b is op(a)^T x^T = b^T. */
static void solve_reals(void *argument, int64_t begin, int64_t end) {
  real_call *r = argument;
  const hd_triangular_solve_descriptor *f = r->solve;
  size_t a_bytes = r->element * (size_t)(f->n * f->n), bytes = r->element * (size_t)(f->rows * f->columns);
  bool left = f->left_side != 0, transposed = (f->transpose_a == HD_SOLVE_PLAIN) != left;
  int64_t count, lines = left ? f->columns : f->rows;
  for (int64_t g = begin; g < end; ++g) {
    int64_t i = first_of(r, g, &count);
    char *out = r->out + (size_t)i * bytes;
    if (bytes) memcpy(out, r->b + (size_t)i * bytes, bytes * (size_t)count);
    hd_dense_matrix a = {(char *)(uintptr_t)r->a + (size_t)i * a_bytes, transposed ? 1 : f->n, transposed ? f->n : 1},
                    x = {out, left ? f->columns : 1, left ? 1 : f->columns};
    bool lower = (f->lower != 0) != transposed, unit = f->unit_diagonal != 0;
    if (r->lanes > 1)
      hd_dense_small_solve(r->dense.type, a, f->n, lower, unit, x, lines, count);
    else if (!hd_dense_solve(&r->dense, a, f->n, lower, unit, x, lines))
      atomic_store_explicit(&r->no_memory, true, memory_order_relaxed);
  }
}

/* Matrices in parallel, or one after the other on all threads where these are few and large. */
static void run_reals(real_call *r, int64_t count, int64_t n, int64_t lines, double flops, hd_range_fn body) {
  hd_gemm_env env = hd_gemm_ral_env(r->ctx);
  env.keep = NULL; /* factors are no weights */
  r->dense.gemm = hd_gemm_ral_context(r->ctx);
  if (!r->dense.gemm) return;
  r->count = count;
  r->lanes = n <= HD_DENSE_SMALL && lines <= HD_DENSE_SMALL_LINES && count > 2 ? hd_dense_lanes(r->dense.type) : 1;
  double grain = HD_DENSE_FLOPS_PER_GRAIN / ((flops + 20 * (double)(n * n)) * (double)r->lanes + 1);
  if (r->lanes == 1 && count < 2 * (int64_t)env.threads && grain < 0.02) {
    r->dense.env = &env;
    for (int64_t i = 0; i < count && hd_ral_go_on(r->ctx); ++i) body(r, i, i + 1);
  } else {
    hd_ral_for(r->ctx, (count + r->lanes - 1) / r->lanes,
               grain < 1      ? 1
               : grain > 1000 ? 1000
                              : (int64_t)grain,
               body, r);
  }
  if (atomic_load_explicit(&r->no_memory, memory_order_relaxed))
    hd_ral_fail(r->ctx, hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a factorisation"));
}

static hd_dense dense_of(int64_t type) { return (hd_dense){.type = (hd_element_type)type}; }
static bool is_real(int64_t type) { return type == HD_ELEMENT_F32 || type == HD_ELEMENT_F64; }

static void cholesky(hd_ral_context *ctx, void *stream, void *a, void *unused, void *out, int64_t type,
                     void *descriptor, int64_t count) {
  (void)stream, (void)unused;
  if (!expect(ctx, "cholesky", count, HD_WORDS(hd_cholesky_descriptor), type)) return;
  const hd_cholesky_descriptor *f = descriptor;
  int64_t n = f->n;
  size_t bytes = hd_element_bytes((hd_element_type)type) * (size_t)n * (size_t)n;
  a = hd_ral_on_host(ctx, a, bytes * (size_t)f->batch, HD_HOST_READ);
  out = hd_ral_on_host(ctx, out, bytes * (size_t)f->batch, HD_HOST_WRITE);
  if (hd_ral_failed(ctx)) return;
  if (is_real(type)) {
    real_call r = {.ctx = ctx,
                   .dense = dense_of(type),
                   .cholesky = f,
                   .a = a,
                   .out = out,
                   .element = hd_element_bytes((hd_element_type)type)};
    run_reals(&r, f->batch, n, n, (double)n * (double)n * ((double)n / 3 + 4), cholesky_reals);
    return;
  }
  for (int64_t i = 0; i < f->batch && !hd_ral_failed(ctx); ++i) {
    const void *from = (const char *)a + (size_t)i * bytes;
    void *to = (char *)out + (size_t)i * bytes;
    if (type == HD_ELEMENT_C64)
      cholesky_one_c64(ctx, from, to, n, f->lower != 0);
    else
      cholesky_one_c128(ctx, from, to, n, f->lower != 0);
  }
}
HD_RAL_LIBRARY("ral_cholesky", cholesky, void, pvoid, pvoid, pvoid, pvoid, i64, pvoid, i64)

static void triangular_solve(hd_ral_context *ctx, void *stream, void *a, void *b, void *out, int64_t type,
                             void *descriptor, int64_t count) {
  (void)stream;
  if (!expect(ctx, "triangular_solve", count, HD_WORDS(hd_triangular_solve_descriptor), type)) return;
  const hd_triangular_solve_descriptor *f = descriptor;
  size_t element = hd_element_bytes((hd_element_type)type), systems = (size_t)f->batch;
  a = hd_ral_on_host(ctx, a, element * systems * (size_t)f->n * (size_t)f->n, HD_HOST_READ);
  b = hd_ral_on_host(ctx, b, element * systems * (size_t)f->rows * (size_t)f->columns, HD_HOST_READ);
  out = hd_ral_on_host(ctx, out, element * systems * (size_t)f->rows * (size_t)f->columns, HD_HOST_WRITE);
  if (hd_ral_failed(ctx)) return;
  if (is_real(type)) {
    real_call r = {.ctx = ctx, .dense = dense_of(type), .solve = f, .a = a, .b = b, .out = out, .element = element};
    run_reals(&r, f->batch, f->n, f->left_side ? f->columns : f->rows,
              (double)f->n * (double)f->rows * (double)f->columns, solve_reals);
    return;
  }
  bool left = f->left_side != 0, transposed = f->transpose_a != HD_SOLVE_PLAIN;
  /* op(a) x = b column by column; x op(a) = b is op(a)^T x^T = b^T row by row */
  solve_call s = {.a = a,
                  .b = b,
                  .out = out,
                  .n = f->n,
                  .lines = left ? f->columns : f->rows,
                  .left = left,
                  .columns = left ? transposed : !transposed,
                  .unit = f->unit_diagonal != 0,
                  .conjugate = f->transpose_a == HD_SOLVE_ADJOINT};
  s.forward = s.columns ? f->lower == 0 : f->lower != 0;
  int64_t lines = f->batch * s.lines;
  if (!lines || !s.n) return;
  s.x = hd_ral_take_scratch(ctx, element * (size_t)lines * (size_t)s.n);
  if (!s.x) return;
  hd_ral_for(ctx, lines, 1 + 2000 / (1 + s.n * s.n), type == HD_ELEMENT_C64 ? solve_lines_c64 : solve_lines_c128, &s);
  hd_ral_give(ctx, s.x);
}
HD_RAL_LIBRARY("ral_triangular_solve", triangular_solve, void, pvoid, pvoid, pvoid, pvoid, i64, pvoid, i64)

HD_RAL_TABLE(linalg, cholesky, triangular_solve)
