/* SPDX-License-Identifier: Apache-2.0 */
/* cholesky and triangular_solve as RAL APIs, on batches of dense row-major matrices of f32, f64 and complex.
 *
 * ral_cholesky___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void
 *   (ctx, stream, a, a, out, type, facts, count)   facts: hd_cholesky_facts (linalg_abi.h)
 * ral_triangular_solve___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void
 *   (ctx, stream, a, b, out, type, facts, count)   facts: hd_triangular_solve_facts
 *   type: hd_element_type
 *
 * Cholesky takes rows in blocks of columns: a block of the diagonal on one thread, the rows below it in parallel. A
 * triangular system is solved line by line, lines in parallel, walking the matrix along its rows. */
#include <math.h>

#include "heddle/element.h"
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

#define T float
#define R float
#define NAME(x) x##_f32
#define IS_COMPLEX 0
#include "runtime/libraries/linalg_lines.h"
#define T double
#define R double
#define NAME(x) x##_f64
#define IS_COMPLEX 0
#include "runtime/libraries/linalg_lines.h"
#define T c64
#define R float
#define NAME(x) x##_c64
#define IS_COMPLEX 1
#include "runtime/libraries/linalg_lines.h"
#define T c128
#define R double
#define NAME(x) x##_c128
#define IS_COMPLEX 1
#include "runtime/libraries/linalg_lines.h"

static bool expect(hd_ral_context *ctx, const char *what, int64_t count, int64_t expected, int64_t type) {
  bool known = type == HD_ELEMENT_F32 || type == HD_ELEMENT_F64 || type == HD_ELEMENT_C64 || type == HD_ELEMENT_C128;
  if (count == expected && known) return hd_ral_go_on(ctx);
  hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %lld facts of f32, f64 or complex, got %lld of %s",
                                  what, (long long)expected, (long long)count, hd_element_text((hd_element_type)type)));
  return false;
}

static void cholesky(hd_ral_context *ctx, void *stream, void *a, void *unused, void *out, int64_t type, void *facts,
                     int64_t count) {
  (void)stream, (void)unused;
  if (!expect(ctx, "cholesky", count, HD_WORDS(hd_cholesky_facts), type)) return;
  const hd_cholesky_facts *f = facts;
  int64_t n = f->n;
  size_t bytes = hd_element_bytes((hd_element_type)type) * (size_t)n * (size_t)n;
  a = hd_ral_on_host(ctx, a, bytes * (size_t)f->batch, HD_HOST_READ);
  out = hd_ral_on_host(ctx, out, bytes * (size_t)f->batch, HD_HOST_WRITE);
  for (int64_t i = 0; i < f->batch && !hd_ral_failed(ctx); ++i) {
    const void *from = (const char *)a + (size_t)i * bytes;
    void *to = (char *)out + (size_t)i * bytes;
    switch (type) {
      case HD_ELEMENT_F32:
        cholesky_one_f32(ctx, from, to, n, f->lower != 0);
        break;
      case HD_ELEMENT_F64:
        cholesky_one_f64(ctx, from, to, n, f->lower != 0);
        break;
      case HD_ELEMENT_C64:
        cholesky_one_c64(ctx, from, to, n, f->lower != 0);
        break;
      default:
        cholesky_one_c128(ctx, from, to, n, f->lower != 0);
    }
  }
}
HD_RAL_LIBRARY("ral_cholesky", cholesky, void, pvoid, pvoid, pvoid, pvoid, i64, pvoid, i64)

static void triangular_solve(hd_ral_context *ctx, void *stream, void *a, void *b, void *out, int64_t type, void *facts,
                             int64_t count) {
  (void)stream;
  if (!expect(ctx, "triangular_solve", count, HD_WORDS(hd_triangular_solve_facts), type)) return;
  const hd_triangular_solve_facts *f = facts;
  size_t element = hd_element_bytes((hd_element_type)type), systems = (size_t)f->batch;
  a = hd_ral_on_host(ctx, a, element * systems * (size_t)f->n * (size_t)f->n, HD_HOST_READ);
  b = hd_ral_on_host(ctx, b, element * systems * (size_t)f->rows * (size_t)f->columns, HD_HOST_READ);
  out = hd_ral_on_host(ctx, out, element * systems * (size_t)f->rows * (size_t)f->columns, HD_HOST_WRITE);
  if (hd_ral_failed(ctx)) return;
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
  static const hd_range_fn bodies[] = {solve_lines_f32, solve_lines_f64, solve_lines_c64, solve_lines_c128};
  int which = type == HD_ELEMENT_F32 ? 0 : type == HD_ELEMENT_F64 ? 1 : type == HD_ELEMENT_C64 ? 2 : 3;
  hd_ral_for(ctx, lines, 1 + 2000 / (1 + s.n * s.n), bodies[which], &s);
  hd_ral_give(ctx, s.x);
}
HD_RAL_LIBRARY("ral_triangular_solve", triangular_solve, void, pvoid, pvoid, pvoid, pvoid, i64, pvoid, i64)

HD_RAL_TABLE(linalg, cholesky, triangular_solve)
