/* SPDX-License-Identifier: Apache-2.0 */
/* Included by dense.c behind dense_factor.h: QR by reflectors, which are applied a block at a time,
 *
 *   H_1 H_2 ... = I - V T V^T    with an upper triangle T. */

/* A block of |count| reflectors of |m| elements: V both ways, without what lies above its unit diagonal, and T. */
typedef struct NAME(reflectors) {
  T *rows, *columns; /* m x count and count x m */
  T *t, *gram;       /* count x count */
  T *product[2];     /* (columns of the matrix) x count */
  int64_t m, count;
} NAME(reflectors);

DRIVER static T *NAME(take_reflectors)(NAME(reflectors) * v, int64_t m, int64_t n) {
  enum { square = REFLECTORS * REFLECTORS };
  T *memory = malloc((size_t)(2 * REFLECTORS * (m + n) + 2 * square) * sizeof(T));
  if (!memory) return NULL;
  v->rows = memory, v->columns = v->rows + REFLECTORS * m, v->t = v->columns + REFLECTORS * m, v->gram = v->t + square;
  v->product[0] = v->gram + square, v->product[1] = v->product[0] + REFLECTORS * n;
  return memory;
}

/* c (m x n, dense rows) = a b */
DRIVER static bool NAME(product)(const hd_dense *d, hd_dense_matrix a, hd_dense_matrix b, T *c, int64_t m, int64_t n,
                                 int64_t k) {
  hd_dense here = sized(d, 2 * (double)m * (double)n * (double)k);
  hd_gemm_call call = {
      .a_type = TYPE,
      .b_type = TYPE,
      .c_type = TYPE,
      .a = a.data,
      .b = b.data,
      .c = c,
      .dim_count = 3,
      .dims = {{HD_GEMM_M, m, a.row, 0, n}, {HD_GEMM_N, n, 0, b.column, 1}, {HD_GEMM_K, k, a.column, b.row, 0}},
      .env = here.env};
  hd_status status = hd_gemm(d->gemm, &call);
  bool ok = hd_is_ok(status);
  hd_status_free(status);
  return ok;
}

/* Those below the diagonal of |a|, which has m rows. */
LEAF static bool NAME(read_reflectors)(const hd_dense *d, NAME(reflectors) * v, const T *a, int64_t column, int64_t m,
                                       int64_t count, const T *tau) {
  v->m = m, v->count = count;
  for (int64_t j = 0; j < count; ++j)
    for (int64_t i = 0; i < m; ++i)
      v->columns[j * m + i] = v->rows[i * count + j] = i < j ? 0 : i == j ? 1 : a[j * column + i];
  if (!NAME(product)(d, (hd_dense_matrix){v->columns, m, 1}, (hd_dense_matrix){v->rows, count, 1}, v->gram, count,
                     count, m))
    return false;
  for (int64_t j = 0; j < count; ++j)
    for (int64_t i = 0; i < count; ++i) {
      T sum = 0;
      for (int64_t k = i; k < j; ++k) sum += v->t[i * count + k] * v->gram[k * count + j];
      v->t[i * count + j] = i < j ? -tau[j] * sum : i == j ? tau[j] : 0;
    }
  return true;
}

/* c (m x n) becomes (I - V T V^T) c, or with T's transpose. */
DRIVER static bool NAME(reflect)(const hd_dense *d, const NAME(reflectors) * v, T *c, int64_t column, int64_t n,
                                 bool transposed) {
  if (!n) return true;
  int64_t k = v->count, m = v->m;
  hd_dense_matrix t = {v->t, transposed ? k : 1, transposed ? 1 : k}; /* what stands on the right of (V^T c)^T */
  return NAME(product)(d, (hd_dense_matrix){c, column, 1}, (hd_dense_matrix){v->rows, k, 1}, v->product[0], n, k, m) &&
         NAME(product)(d, (hd_dense_matrix){v->product[0], k, 1}, t, v->product[1], n, k, k) &&
         NAME(update)(d, (hd_dense_matrix){v->product[1], k, 1}, (hd_dense_matrix){v->columns, m, 1},
                      (hd_dense_matrix){c, column, 1}, n, m, k, ALL_OF_IT);
}

/* The reflector that makes x[1..n) zero, x[0] what is left of it: scaled, so that squares neither overflow nor vanish. */
LEAF static T NAME(make_reflector)(T *x, int64_t n) {
  T most = 0, alpha = x[0];
  for (int64_t i = 1; i < n; ++i) {
    T here = x[i] < 0 ? -x[i] : x[i];
    if (!(here <= most) && most == most) most = here;
  }
  if (most == 0) return 0;
  if (fabs((double)alpha) > (double)most) most = alpha;
  int exponent = 0;
  if (isfinite(most)) frexp((double)most, &exponent);
  double scale = ldexp(1, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent), sums[4] = {0};
  for (int64_t i = 0; i < n; ++i) sums[i % 4] += ((double)x[i] * scale) * ((double)x[i] * scale);
  double beta = sqrt((sums[0] + sums[1]) + (sums[2] + sums[3])) / scale;
  if (alpha >= 0) beta = -beta;
  double tau = (beta - (double)alpha) / beta, by = (double)alpha - beta, times = 1 / by;
  if (isfinite(times))
    for (int64_t i = 1; i < n; ++i) x[i] = (T)((double)x[i] * times);
  else
    for (int64_t i = 1; i < n; ++i) x[i] = (T)((double)x[i] / by);
  x[0] = (T)beta;
  return (T)tau;
}

LEAF static void NAME(qr_leaf)(T *a, int64_t column, int64_t m, int64_t n, T *tau) {
  for (int64_t j = 0; j < least(m, n); ++j) {
    T *x = a + j * column + j;
    tau[j] = NAME(make_reflector)(x, m - j);
    T kept = x[0];
    x[0] = 1;
    for (int64_t k = j + 1; k < n; ++k) {
      T *y = a + k * column + j;
      NAME(take)(y, tau[j] * NAME(dot)(x, y, m - j), x, m - j);
    }
    x[0] = kept;
  }
}

DRIVER static bool NAME(qr)(const hd_dense *d, T *a, int64_t column, int64_t m, int64_t n, T *tau) {
  NAME(reflectors) v;
  int64_t k = least(m, n);
  if (!k) return true;
  T *memory = NAME(take_reflectors)(&v, m, n);
  bool ok = memory != NULL;
  for (int64_t j = 0; j < k && ok; j += REFLECTORS) {
    int64_t count = least(REFLECTORS, k - j), next = j + count;
    T *at = a + j * column + j;
    NAME(qr_leaf)(at, column, m - j, count, tau + j);
    if (next < n)
      ok = NAME(read_reflectors)(d, &v, at, column, m - j, count, tau + j) &&
           NAME(reflect)(d, &v, at + count * column, column, n - next, true);
  }
  free(memory);
  return ok;
}

/* From the last block on, each applied to the columns of the identity from its own on. */
DRIVER static bool NAME(form_q)(const hd_dense *d, T *a, int64_t column, int64_t m, int64_t n, const T *tau,
                                int64_t count) {
  NAME(reflectors) v;
  T *memory = NAME(take_reflectors)(&v, m, n);
  bool ok = memory != NULL;
  for (int64_t j = count; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) a[j * column + i] = i == j;
  for (int64_t j = (count - 1) / REFLECTORS * REFLECTORS; j >= 0 && count && ok; j -= REFLECTORS) {
    int64_t these = least(REFLECTORS, count - j);
    T *at = a + j * column + j;
    ok = NAME(read_reflectors)(d, &v, at, column, m - j, these, tau + j);
    for (int64_t k = j; k < j + these; ++k)
      for (int64_t i = 0; i < m; ++i) a[k * column + i] = i == k;
    ok = ok && NAME(reflect)(d, &v, at, column, n - j, false);
  }
  free(memory);
  return ok;
}
