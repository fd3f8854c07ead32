/* SPDX-License-Identifier: Apache-2.0 */
/* Included by dense.c after dense_reflect.h: matrices of up to HD_DENSE_SMALL rows and columns, each in a lane of
 * vectors. Element e in memory of all lanes is v[e], and (i, j) is v[i * row + j * column]. */

/* LANES vectors, the transpose of |x|. */
TARGET static inline void NAME(transpose)(V *x) {
#if defined(NARROW)
  V a[8], b[8];
#define LOW(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(x, y) __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_PAIRS(x, y) __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15)
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) a[i] = LOW(x[i], x[i + 1]), a[i + 1] = HIGH(x[i], x[i + 1]);
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    b[i] = LOW_PAIRS(a[i], a[i + 2]), b[i + 1] = HIGH_PAIRS(a[i], a[i + 2]);
    b[i + 2] = LOW_PAIRS(a[i + 1], a[i + 3]), b[i + 3] = HIGH_PAIRS(a[i + 1], a[i + 3]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    x[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    x[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
#undef LOW
#undef HIGH
#undef LOW_PAIRS
#undef HIGH_PAIRS
#else
  V a[4];
#pragma GCC unroll 2
  for (int i = 0; i < 4; i += 2) {
    a[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 4, 2, 6);
    a[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 5, 3, 7);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    x[i] = __builtin_shufflevector(a[i], a[i + 2], 0, 1, 4, 5);
    x[i + 2] = __builtin_shufflevector(a[i], a[i + 2], 2, 3, 6, 7);
  }
#endif
}

/* |size| elements of each of |count| matrices, one after the other in memory; lanes beyond are the last one again. */
TARGET static void NAME(load_lanes)(V *v, const T *from, int64_t size, int64_t count) {
  const T *lanes[LANES];
  for (int64_t l = 0; l < LANES; ++l) lanes[l] = from + least(l, count - 1) * size;
  if (size < LANES) {
    for (int64_t e = 0; e < size; ++e)
      for (int64_t l = 0; l < LANES; ++l) v[e][l] = lanes[l][e];
    return;
  }
  for (int64_t e = 0; e < size; e += LANES) {
    V block[LANES];
    e = least(e, size - LANES);
#pragma GCC unroll 8
    for (int64_t l = 0; l < LANES; ++l) block[l] = *(const V *)(const void *)(lanes[l] + e);
    NAME(transpose)(block);
#pragma GCC unroll 8
    for (int64_t l = 0; l < LANES; ++l) v[e + l] = block[l];
  }
}

/* To the matrices whose bit of |lanes| is set. */
TARGET static void NAME(store_some)(const V *v, T *to, int64_t size, uint32_t lanes) {
  if (size < LANES) {
    for (int64_t l = 0; l < LANES; ++l)
      for (int64_t e = 0; e < size && lanes >> l & 1; ++e) to[l * size + e] = v[e][l];
    return;
  }
  for (int64_t e = 0; e < size; e += LANES) {
    V block[LANES];
    e = least(e, size - LANES);
#pragma GCC unroll 8
    for (int64_t l = 0; l < LANES; ++l) block[l] = v[e + l];
    NAME(transpose)(block);
    for (int64_t l = 0; l < LANES; ++l)
      if (lanes >> l & 1) AT(to + l * size + e) = block[l];
  }
}

static inline uint32_t NAME(first_lanes)(int64_t count) { return (1U << count) - 1; }

TARGET static void NAME(store_lanes)(const V *v, T *to, int64_t size, int64_t count) {
  NAME(store_some)(v, to, size, NAME(first_lanes)(count));
}

TARGET static inline V NAME(choose)(MASK mask, V x, V y) { return (V)((mask & (MASK)x) | (~mask & (MASK)y)); }

/* A bit per lane whose element of |mask| is set. */
TARGET static inline uint32_t NAME(bits_of)(MASK mask) {
#if defined(__x86_64__) && defined(NARROW)
  return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__x86_64__)
  return (uint32_t)_mm256_movemask_pd((__m256d)mask);
#else
  uint32_t bits = 0;
  for (int l = 0; l < LANES; ++l) bits |= (uint32_t)(mask[l] != 0) << l;
  return bits;
#endif
}

TARGET static inline V NAME(size_of)(V x) { return NAME(choose)(x < 0, -x, x); }
TARGET static inline V NAME(root)(V x) {
#if defined(__x86_64__) && defined(NARROW)
  return (V)_mm256_sqrt_ps((__m256)x);
#elif defined(__x86_64__)
  return (V)_mm256_sqrt_pd((__m256d)x);
#else
  for (int l = 0; l < LANES; ++l) x[l] = (T)sqrt((double)x[l]);
  return x;
#endif
}

TARGET static void NAME(small_cholesky)(hd_dense_matrix a, int64_t n, int64_t count, int32_t *info) {
  V v[HD_DENSE_SMALL * HD_DENSE_SMALL], kept[HD_DENSE_SMALL * HD_DENSE_SMALL];
  MASK failed = {0};
  int64_t row = a.row, column = a.column;
  NAME(load_lanes)(v, a.data, n * n, count);
  memcpy(kept, v, (size_t)(n * n) * sizeof *v);
  for (int64_t j = 0; j < n; ++j) {
    V pivot = v[j * row + j * column];
    MASK now = ~(pivot > 0) & (failed == 0);
    failed |= now & (I)(j + 1);
    v[j * row + j * column] = pivot = NAME(root)(NAME(choose)(pivot > 0, pivot, (V){0} + 1));
    for (int64_t i = j + 1; i < n; ++i) v[i * row + j * column] /= pivot;
    for (int64_t k = j + 1; k < n; ++k)
      for (int64_t i = k; i < n; ++i) v[i * row + k * column] -= v[i * row + j * column] * v[k * row + j * column];
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i + 1; j < n; ++j) v[i * row + j * column] = kept[i * row + j * column];
  NAME(store_lanes)(v, a.data, n * n, count);
  for (int64_t l = 0; l < count; ++l) info[l] = (int32_t)failed[l];
}

/* |lines| at once, a constant, so that sums do not wait for each other. */
TARGET static inline __attribute__((always_inline)) void NAME(solve_lines)(const V *v, int64_t row, int64_t column,
                                                                           int64_t n, bool lower, bool unit, V *x,
                                                                           int64_t x_row, int64_t x_line, int lines) {
  for (int64_t s = 0; s < n; ++s) {
    int64_t i = lower ? s : n - 1 - s, from = lower ? 0 : i + 1, to = lower ? i : n;
    V sums[4];
    for (int l = 0; l < lines; ++l) sums[l] = x[i * x_row + l * x_line];
    for (int64_t k = from; k < to; ++k) {
      V factor = v[i * row + k * column];
#pragma GCC unroll 4
      for (int l = 0; l < lines; ++l) sums[l] -= factor * x[k * x_row + l * x_line];
    }
    if (!unit)
      for (int l = 0; l < lines; ++l) sums[l] /= v[i * row + i * column];
    for (int l = 0; l < lines; ++l) x[i * x_row + l * x_line] = sums[l];
  }
}

TARGET static void NAME(small_solve)(hd_dense_matrix a, int64_t n, bool lower, bool unit, hd_dense_matrix x,
                                     int64_t lines, int64_t count) {
  V v[HD_DENSE_SMALL * HD_DENSE_SMALL], all[HD_DENSE_SMALL * HD_DENSE_SMALL_LINES];
  int64_t row = a.row, column = a.column;
  NAME(load_lanes)(v, a.data, n * n, count);
  NAME(load_lanes)(all, x.data, n * lines, count);
  int64_t c = 0;
  for (; c + 4 <= lines; c += 4)
    NAME(solve_lines)(v, row, column, n, lower, unit, all + c * x.column, x.row, x.column, 4);
  for (; c < lines; ++c) NAME(solve_lines)(v, row, column, n, lower, unit, all + c * x.column, x.row, x.column, 1);
  NAME(store_lanes)(all, x.data, n * lines, count);
}

/* Exchanges are choices between rows, since each lane has a pivot of its own. */
TARGET static void NAME(small_lu)(hd_dense_matrix a, int64_t m, int64_t n, int64_t count, int32_t *pivots,
                                  int32_t *info) {
  V v[HD_DENSE_SMALL * HD_DENSE_SMALL];
  MASK failed = {0};
  int64_t k = least(m, n), row = a.row, column = a.column;
  NAME(load_lanes)(v, a.data, m * n, count);
  for (int64_t j = 0; j < k; ++j) {
    V most = NAME(size_of)(v[j * row + j * column]);
    MASK at = (MASK){0} + (I)j;
    for (int64_t i = j + 1; i < m; ++i) {
      V here = NAME(size_of)(v[i * row + j * column]);
      MASK larger = here > most;
      most = NAME(choose)(larger, here, most);
      at = (larger & (I)i) | (~larger & at);
    }
    for (int64_t i = j + 1; i < m; ++i) {
      MASK exchanged = at == (I)i;
      for (int64_t c = 0; c < n; ++c) {
        V x = v[j * row + c * column], y = v[i * row + c * column];
        v[j * row + c * column] = NAME(choose)(exchanged, y, x);
        v[i * row + c * column] = NAME(choose)(exchanged, x, y);
      }
    }
    for (int64_t l = 0; l < count; ++l) pivots[l * k + j] = (int32_t)at[l] + 1;
    V pivot = v[j * row + j * column];
    MASK zero = pivot == 0;
    failed |= zero & (failed == 0) & (I)(j + 1);
    pivot = NAME(choose)(zero, (V){0} + 1, pivot);
    for (int64_t i = j + 1; i < m; ++i) {
      v[i * row + j * column] /= pivot;
      for (int64_t c = j + 1; c < n; ++c) v[i * row + c * column] -= v[i * row + j * column] * v[j * row + c * column];
    }
  }
  NAME(store_lanes)(v, a.data, m * n, count);
  for (int64_t l = 0; l < count; ++l) info[l] = (int32_t)failed[l];
}

/* (I - tau x x^T) on columns [first, n) of the lanes' matrices, x being column |j| from row j on, with 1 there. */
TARGET static void NAME(reflect_lanes)(const V *x, V tau, V *v, int64_t row, int64_t column, int64_t m, int64_t n,
                                       int64_t j, int64_t first) {
  for (int64_t c = first; c < n; ++c) {
    V sum = v[j * row + c * column];
    for (int64_t i = j + 1; i < m; ++i) sum += x[i] * v[i * row + c * column];
    sum *= tau;
    v[j * row + c * column] -= sum;
    for (int64_t i = j + 1; i < m; ++i) v[i * row + c * column] -= sum * x[i];
  }
}

/* The lanes, as bits, whose squares could overflow or vanish: nothing is done for them. */
TARGET static uint32_t NAME(small_qr)(hd_dense_matrix a, int64_t m, int64_t n, int64_t count, T *tau) {
  V v[HD_DENSE_SMALL * HD_DENSE_SMALL], x[HD_DENSE_SMALL];
  T all[HD_DENSE_SMALL * LANES];
  int64_t k = least(m, n), row = a.row, column = a.column;
  const T top = sizeof(T) == 4 ? (T)0x1p40 : (T)0x1p400;
  MASK fits = (MASK){0} - 1;
  NAME(load_lanes)(v, a.data, m * n, count);
  for (int64_t j = 0; j < k; ++j) {
    V most = {0}, sum = {0}, alpha = v[j * row + j * column];
    for (int64_t i = j + 1; i < m; ++i) {
      V here = NAME(size_of)(v[i * row + j * column]);
      most = NAME(choose)(here > most, here, most);
      sum += v[i * row + j * column] * v[i * row + j * column];
      fits &= here == here;
    }
    MASK nothing = most == 0;
    V larger = NAME(size_of)(alpha);
    fits &= (larger < top) & (most < top) & (nothing | (larger > 1 / top) | (most > 1 / top));
    V beta = NAME(root)(alpha * alpha + sum);
    beta = NAME(choose)(nothing, alpha, NAME(choose)(alpha >= 0, -beta, beta));
    V divisor = NAME(choose)(nothing, (V){0} + 1, beta), by = NAME(choose)(nothing, divisor, alpha - beta);
    V factor = (beta - alpha) / divisor;
    for (int64_t i = j + 1; i < m; ++i) x[i] = v[i * row + j * column] /= by;
    NAME(reflect_lanes)(x, factor, v, row, column, m, n, j, j + 1);
    v[j * row + j * column] = beta;
    for (int64_t l = 0; l < count; ++l) all[l * k + j] = factor[l];
  }
  uint32_t given = NAME(first_lanes)(count), done = NAME(bits_of)(fits) & given;
  for (int64_t l = 0; l < count; ++l)
    if (done >> l & 1) memcpy(tau + l * k, all + l * k, (size_t)k * sizeof(T));
  NAME(store_some)(v, a.data, m * n, done);
  return given & ~done;
}

TARGET static void NAME(small_form_q)(hd_dense_matrix a, int64_t m, int64_t n, const T *tau, int64_t reflectors,
                                      int64_t count) {
  V v[HD_DENSE_SMALL * HD_DENSE_SMALL], q[HD_DENSE_SMALL * HD_DENSE_SMALL], x[HD_DENSE_SMALL];
  int64_t row = a.row, column = a.column;
  NAME(load_lanes)(v, a.data, m * n, count);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) q[i * row + j * column] = (V){0} + (T)(i == j);
  for (int64_t j = reflectors; j-- > 0;) {
    V factor = {0};
    for (int64_t l = 0; l < LANES; ++l) factor[l] = tau[least(l, count - 1) * reflectors + j];
    for (int64_t i = j + 1; i < m; ++i) x[i] = v[i * row + j * column];
    NAME(reflect_lanes)(x, factor, q, row, column, m, n, j, j);
  }
  NAME(store_lanes)(q, a.data, m * n, count);
}

/* Columns |p| and |q|, of |rows| elements, times (pp, pq; qp, qq) where |mask|. Other lanes keep their bits: a product
 * with the identity changes the signs of zeros. */
TARGET static inline void NAME(rotate_columns)(V *p, V *q, int64_t rows, const V *by, MASK mask) {
  for (int64_t i = 0; i < rows; ++i) {
    V x = p[i], y = q[i];
    p[i] = NAME(choose)(mask, by[0] * x + by[1] * y, x);
    q[i] = NAME(choose)(mask, by[2] * x + by[3] * y, y);
  }
}

/* Makes the |columns| columns of |w| orthogonal, longest first, by rotations of pairs (one-sided Jacobi), which |r|,
 * the identity before, has too; null: nobody asks for it. |squares|: of their lengths. Only lanes of |open| are
 * rotated, and a sweep without a rotation ends a lane, so its bits do not depend on the others. Returns the lanes of
 * |open| that are not done after MOST_SWEEPS. */
TARGET static MASK NAME(orthogonalize)(V *w, V *r, int64_t rows, int64_t columns, V *squares, MASK open) {
  enum { MOST_SWEEPS = 30 };
  const T bound = (T)rows * (sizeof(T) == 4 ? (T)0x1p-23 : (T)0x1p-52);
  for (int sweep = 0; sweep < MOST_SWEEPS && NAME(bits_of)(open); ++sweep) {
    MASK any = {0};
    for (int64_t p = 0; p < columns; ++p)
      for (int64_t q = p + 1; q < columns; ++q) {
        V *x = w + p * rows, *y = w + q * rows, xx = {0}, yy = {0}, xy = {0};
        for (int64_t i = 0; i < rows; ++i) xx += x[i] * x[i], yy += y[i] * y[i], xy += x[i] * y[i];
        MASK turn = NAME(size_of)(xy) > bound * NAME(root)(xx * yy), exchange = xx < yy;
        MASK rotated = (turn | exchange) & open;
        if (!NAME(bits_of)(rotated)) continue;
        any |= rotated;
        V two = xy + xy, zeta = (yy - xx) / NAME(choose)(turn, two, (V){0} + 1);
        V size = NAME(size_of)(zeta), t = 1 / (size + NAME(root)(1 + zeta * zeta));
        t = NAME(choose)(turn, NAME(choose)(zeta < 0, -t, t), (V){0});
        V c = 1 / NAME(root)(1 + t * t), s = c * t;
        V by[4] = {NAME(choose)(exchange, s, c), NAME(choose)(exchange, c, -s), NAME(choose)(exchange, c, s),
                   NAME(choose)(exchange, -s, c)};
        NAME(rotate_columns)(x, y, rows, by, rotated);
        if (r) NAME(rotate_columns)(r + p * columns, r + q * columns, columns, by, rotated);
      }
    open = any;
  }
  for (int64_t j = 0; j < columns; ++j) {
    squares[j] = (V){0};
    for (int64_t i = 0; i < rows; ++i) squares[j] += w[j * rows + i] * w[j * rows + i];
  }
  return open;
}

TARGET static void NAME(transpose_lanes)(const V *from, V *to, int64_t rows, int64_t columns) {
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = 0; i < rows; ++i) to[i * columns + j] = from[j * rows + i];
}

/* Matrices are column by column. The lanes, as bits, where a product of squares could overflow or vanish, or a column
 * is zero: nothing is done for them. */
TARGET static uint32_t NAME(small_svd)(const T *a, int64_t m, int64_t n, int64_t count, T *values, T *u, T *vt) {
  V w[HD_DENSE_SMALL * HD_DENSE_SMALL], r[HD_DENSE_SMALL * HD_DENSE_SMALL], moved[HD_DENSE_SMALL * HD_DENSE_SMALL];
  V squares[HD_DENSE_SMALL];
  int64_t rows = m < n ? n : m, columns = least(m, n);
  const T top = sizeof(T) == 4 ? (T)0x1p28 : (T)0x1p250, bottom = sizeof(T) == 4 ? (T)0x1p-60 : (T)0x1p-500;
  NAME(load_lanes)(m < n ? moved : w, a, m * n, count);
  if (m < n) NAME(transpose_lanes)(moved, w, m, n);
  MASK fits = (MASK){0} - 1;
  for (int64_t e = 0; e < m * n; ++e) fits &= NAME(size_of)(w[e]) < top;
  for (int64_t e = 0; e < columns * columns; ++e) r[e] = (V){0} + (T)(e % (columns + 1) == 0);
  fits &= ~NAME(orthogonalize)(w, u ? r : NULL, rows, columns, squares, fits);
  for (int64_t j = 0; j < columns; ++j) fits &= squares[j] > bottom;
  uint32_t given = NAME(first_lanes)(count), done = NAME(bits_of)(fits) & given;
  for (int64_t j = 0; done && j < columns; ++j) {
    V length = NAME(root)(squares[j]);
    for (int64_t l = 0; l < count; ++l)
      if (done >> l & 1) values[l * columns + j] = length[l];
    for (int64_t i = 0; i < rows; ++i) w[j * rows + i] /= length;
  }
  if (!u || !done) return given & ~done;
  V *right = m < n ? w : r;
  NAME(transpose_lanes)(right, moved, n, columns);
  NAME(store_some)(m < n ? r : w, u, m * columns, done);
  NAME(store_some)(moved, vt, columns * n, done);
  return given & ~done;
}

#undef V
#undef MASK
#undef LANES
#undef AT
