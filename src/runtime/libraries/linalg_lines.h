/* SPDX-License-Identifier: Apache-2.0 */
/* Included by linalg.c once per element type: T, a complex number of parts R, NAME(x). Rows are contiguous; sums run in
 * eight fixed lanes, so results depend on nothing but the operands. */

#define PRODUCT(x, y) ((T){(x).re * (y).re - (x).im * (y).im, (x).re * (y).im + (x).im * (y).re})
#define CONJUGATE(x) ((T){(x).re, -(x).im})
#define MINUS(x, y) ((T){(x).re - (y).re, (x).im - (y).im})
#define PLUS(x, y) ((T){(x).re + (y).re, (x).im + (y).im})

static T NAME(quotient)(T x, T y) {
  /* scaled by the larger part of the divisor */
  bool real_larger = fabs((double)y.re) >= fabs((double)y.im);
  R large = real_larger ? y.re : y.im, small = real_larger ? y.im : y.re, r = small / large, scale = large + small * r;
  if (real_larger) return (T){(x.re + x.im * r) / scale, (x.im - x.re * r) / scale};
  return (T){(x.re * r + x.im) / scale, (x.im * r - x.re) / scale};
}

/* The sum of x[k] y[k], of y's conjugates when |conjugate|. */
static T NAME(dot)(const T *x, const T *y, int64_t n, bool conjugate) {
  T sums[8] = {0};
  int64_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (int l = 0; l < 8; ++l) {
      T b = conjugate ? CONJUGATE(y[k + l]) : y[k + l];
      sums[l] = PLUS(sums[l], PRODUCT(x[k + l], b));
    }
  for (; k < n; ++k) {
    T b = conjugate ? CONJUGATE(y[k]) : y[k];
    sums[0] = PLUS(sums[0], PRODUCT(x[k], b));
  }
  for (int half = 4; half; half /= 2)
    for (int l = 0; l < half; ++l) sums[l] = PLUS(sums[l], sums[l + half]);
  return sums[0];
}

/* Row i of L from column j0 to j1, where rows up to j1 are done left of the diagonal: L[i][j] = (a[i][j] - L[i][:j] .
 * conj(L[j][:j])) / L[j][j]. False when the diagonal is not positive. */
static bool NAME(factor_row)(T *a, int64_t n, int64_t i, int64_t j0, int64_t j1) {
  T *row = a + i * n;
  for (int64_t j = j0; j < j1 && j <= i; ++j) {
    T value = MINUS(row[j], NAME(dot)(row, a + j * n, j, true));
    if (j < i) {
      R by = a[j * n + j].re;
      row[j] = (T){value.re / by, value.im / by};
      continue;
    }
    if (!(value.re > 0)) return false;
    row[j] = (T){(R)sqrt((double)value.re), 0};
  }
  return true;
}

static void NAME(factor_rows)(void *argument, int64_t begin, int64_t end) {
  const cholesky_block *b = argument;
  for (int64_t i = begin; i < end; ++i) NAME(factor_row)(b->a, b->n, b->j1 + i, b->j0, b->j1);
}

/* a, n x n with its lower triangle set, becomes L with L L^H = a; the rest zero, the triangle NaN without a factor. */
static void NAME(cholesky)(hd_ral_context *ctx, T *a, int64_t n) {
  bool ok = true;
  for (int64_t j0 = 0; j0 < n && ok; j0 += BLOCK) {
    if (!hd_ral_go_on(ctx)) return;
    cholesky_block b = {a, n, j0, j0 + BLOCK < n ? j0 + BLOCK : n};
    for (int64_t i = j0; i < b.j1 && ok; ++i) ok = NAME(factor_row)(a, n, i, j0, b.j1);
    int64_t work = 1 + (b.j1 - j0) * (j0 + BLOCK) / 2000; /* microseconds of a row, about */
    if (ok) hd_ral_for(ctx, n - b.j1, 1 + 16 / work, NAME(factor_rows), &b);
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = ok ? i + 1 : 0; j < n; ++j) {
      a[i * n + j] = (T){j <= i ? (R)NAN : 0, j <= i ? (R)NAN : 0};
    }
}

/* The batch element |at|: copied, mirrored when its upper triangle is given. */
static void NAME(cholesky_one)(hd_ral_context *ctx, const T *in, T *out, int64_t n, bool lower) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j) out[i * n + j] = lower ? in[i * n + j] : CONJUGATE(in[j * n + i]);
  NAME(cholesky)(ctx, out, n);
  for (int64_t i = 0; i < n && !lower; ++i)
    for (int64_t j = 0; j < i; ++j) {
      T x = out[i * n + j], y = out[j * n + i];
      out[j * n + i] = CONJUGATE(x);
      out[i * n + j] = y;
    }
}

/* One line: M x = x in place, M[i][k] = a[i * n + k], or a[k * n + i] when |columns|. */
static void NAME(solve_line)(const solve_call *s, const T *a, T *x) {
  int64_t n = s->n;
  for (int64_t step = 0; step < n; ++step) {
    int64_t i = s->forward ? step : n - 1 - step;
    if (!s->columns) {
      const T *row = a + i * n;
      int64_t from = s->forward ? 0 : i + 1;
      T sum = NAME(dot)(x + from, row + from, step, s->conjugate);
      x[i] = MINUS(x[i], sum);
    }
    T diagonal = s->conjugate ? CONJUGATE(a[i * n + i]) : a[i * n + i];
    if (!s->unit) x[i] = NAME(quotient)(x[i], diagonal);
    if (!s->columns) continue;
    const T *row = a + i * n;
    int64_t from = s->forward ? i + 1 : 0, to = s->forward ? n : i;
    for (int64_t k = from; k < to; ++k) {
      T factor = s->conjugate ? CONJUGATE(row[k]) : row[k];
      x[k] = MINUS(x[k], PRODUCT(factor, x[i]));
    }
  }
}

static void NAME(solve_lines)(void *argument, int64_t begin, int64_t end) {
  const solve_call *s = argument;
  for (int64_t line = begin; line < end; ++line) {
    int64_t batch = line / s->lines, at = line % s->lines;
    const T *a = (const T *)s->a + batch * s->n * s->n;
    T *x = (T *)s->x + line * s->n;
    const T *b = (const T *)s->b + batch * s->lines * s->n;
    T *out = (T *)s->out + batch * s->lines * s->n;
    for (int64_t i = 0; i < s->n; ++i) x[i] = s->left ? b[i * s->lines + at] : b[at * s->n + i];
    NAME(solve_line)(s, a, x);
    for (int64_t i = 0; i < s->n; ++i) out[s->left ? i * s->lines + at : at * s->n + i] = x[i];
  }
}

#undef PRODUCT
#undef CONJUGATE
#undef MINUS
#undef PLUS
#undef T
#undef R
#undef NAME
