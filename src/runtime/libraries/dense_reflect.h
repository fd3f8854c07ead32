/* SPDX-License-Identifier: Apache-2.0 */
/* Included by dense.c after dense_factor.h: QR by reflectors, which are applied a block at a time,
 *
 *   H_1 H_2 ... = I - V T V^T    with an upper triangle T. */

/* A block of |count| reflectors of |m| elements: V both ways, without what is above its unit diagonal, and T. */
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

/* |to|, m x n with dense rows, is |from| with a row stride of 1. A line of memory that is read or written is so once:
 * columns may be a multiple of 4 KiB apart and push each other out of the first cache. */
LEAF static void NAME(lay_rows)(T *to, const T *from, int64_t column, int64_t m, int64_t n) {
  typedef NAME(vector) vector;
  enum { LANES = NAME(LANES), LINE = 64 / sizeof(T) };
  int64_t i0 = 0, whole = n / LANES * LANES;
  for (; i0 + LINE <= m; i0 += LINE) {
    for (int64_t j = 0; j < whole; j += LANES)
      for (int64_t i = i0; i < i0 + LINE; i += LANES) {
        vector block[LANES];
#pragma GCC unroll 8
        for (int l = 0; l < LANES; ++l) block[l] = *(const vector *)(const void *)(from + (j + l) * column + i);
        NAME(transpose)(block);
#pragma GCC unroll 8
        for (int l = 0; l < LANES; ++l) *(vector *)(void *)(to + (i + l) * n + j) = block[l];
      }
    for (int64_t i = i0; i < i0 + LINE; ++i)
      for (int64_t j = whole; j < n; ++j) to[i * n + j] = from[j * column + i];
  }
  for (; i0 < m; ++i0)
    for (int64_t j = 0; j < n; ++j) to[i0 * n + j] = from[j * column + i0];
}

/* Those below the diagonal of |a|, which has m rows. */
LEAF static bool NAME(read_reflectors)(const hd_dense *d, NAME(reflectors) * v, const T *a, int64_t column, int64_t m,
                                       int64_t count, const T *tau) {
  v->m = m, v->count = count;
  NAME(lay_rows)(v->rows, a, column, m, count);
  for (int64_t j = 0; j < count; ++j) {
    memcpy(v->columns + j * m, a + j * column, (size_t)m * sizeof(T));
    for (int64_t i = 0; i <= j; ++i) v->columns[j * m + i] = v->rows[i * count + j] = i == j;
  }
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

/* c (m x n) becomes (I - V T V^T) c, or with T's transpose. Its first |units| columns are those of the
 * identity, whose products with V^T are rows of V. */
DRIVER static bool NAME(reflect)(const hd_dense *d, const NAME(reflectors) * v, T *c, int64_t column, int64_t n,
                                 int64_t units, bool transposed) {
  if (!n) return true;
  int64_t k = v->count, m = v->m;
  hd_dense_matrix t = {v->t, transposed ? k : 1, transposed ? 1 : k}; /* what is on the right of (V^T c)^T */
  memcpy(v->product[0], v->rows, (size_t)(units * k) * sizeof(T));
  return NAME(product)(d, (hd_dense_matrix){c + units * column, column, 1}, (hd_dense_matrix){v->rows, k, 1},
                       v->product[0] + units * k, n - units, k, m) &&
         NAME(product)(d, (hd_dense_matrix){v->product[0], k, 1}, t, v->product[1], n, k, k) &&
         NAME(update)(d, (hd_dense_matrix){v->product[1], k, 1}, (hd_dense_matrix){v->columns, m, 1},
                      (hd_dense_matrix){c, column, 1}, n, m, k, ALL_OF_IT);
}

typedef T NAME(four) __attribute__((vector_size(4 * sizeof(T)), aligned(sizeof(T)), may_alias));
typedef double NAME(doubles) __attribute__((vector_size(32)));
#define DOUBLES(p) __builtin_convertvector(*(const NAME(four) *)(const void *)(p), NAME(doubles))

/* The sum of squares of x times |scale|. */
LEAF static double NAME(squares)(const T *x, int64_t n, double scale) {
  NAME(doubles) sums[4] = {{0}};
  double rest = 0;
  int64_t i = 0;
  for (; i + 16 <= n; i += 16)
#pragma GCC unroll 4
    for (int l = 0; l < 4; ++l) {
      NAME(doubles) here = DOUBLES(x + i + 4 * l) * scale;
      sums[l] += here * here;
    }
  for (; i < n; ++i) rest += ((double)x[i] * scale) * ((double)x[i] * scale);
  sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return ((sums[0][0] + sums[0][1]) + (sums[0][2] + sums[0][3])) + rest;
}

/* What brings the largest of |x| near one, or zero when all of them are. A NaN is the largest. */
LEAF static double NAME(scale_of)(const T *x, int64_t n) {
  T most = 0;
  for (int64_t i = 0; i < n; ++i) {
    T here = x[i] < 0 ? -x[i] : x[i];
    if (!(here <= most) && most == most) most = here;
  }
  int exponent = 0;
  if (isfinite(most)) frexp((double)most, &exponent);
  return most == 0 ? 0 : ldexp(1, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
}

/* The reflector that makes x[1..n) zero, x[0] what is left of it. Where squares would overflow or vanish elements are
 * scaled by a power of two, which all but what is left is computed with: the vector and tau belong together to the last
 * bits, or what they reflect would not stay as long as it is, also where |x| is denormal. */
LEAF static T NAME(make_reflector)(T *x, int64_t n) {
  double alpha = (double)x[0], scale = 1, below = NAME(squares)(x + 1, n - 1, 1), sum = alpha * alpha + below;
  if (!(below > 0x1p-900 && sum < 0x1p1000)) {
    if (NAME(scale_of)(x + 1, n - 1) == 0) return 0;
    scale = NAME(scale_of)(x, n);
    sum = NAME(squares)(x, n, scale);
    alpha *= scale;
  }
  double beta = alpha >= 0 ? -sqrt(sum) : sqrt(sum);
  double tau = (beta - alpha) / beta, by = alpha - beta, times = scale / by;
  if (scale == 1 && isfinite(times)) {
    int64_t i = 1;
    for (; i + 4 <= n; i += 4)
      *(NAME(four) *)(void *)(x + i) = __builtin_convertvector(DOUBLES(x + i) * times, NAME(four));
    for (; i < n; ++i) x[i] = (T)((double)x[i] * times);
  } else
    for (int64_t i = 1; i < n; ++i) x[i] = (T)((double)x[i] * scale / by);
  x[0] = (T)(beta / scale);
  return (T)tau;
}
#undef DOUBLES

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

/* Halves of the columns, the left one's reflectors being applied to the right one as a block. */
DRIVER static bool NAME(qr_panel)(const hd_dense *d, NAME(reflectors) * v, T *a, int64_t column, int64_t m, int64_t n,
                                  T *tau) {
  int64_t half = n / 2;
  if (n <= QR_LEAF || m <= QR_SMALL) {
    NAME(qr_leaf)(a, column, m, n, tau);
    return true;
  }
  return NAME(qr_panel)(d, v, a, column, m, half, tau) && NAME(read_reflectors)(d, v, a, column, m, half, tau) &&
         NAME(reflect)(d, v, a + half * column, column, n - half, 0, true) &&
         NAME(qr_panel)(d, v, a + half * column + half, column, m - half, n - half, tau + half);
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
    ok = NAME(qr_panel)(d, &v, at, column, m - j, count, tau + j);
    if (next < n)
      ok = ok && NAME(read_reflectors)(d, &v, at, column, m - j, count, tau + j) &&
           NAME(reflect)(d, &v, at + count * column, column, n - next, 0, true);
  }
  free(memory);
  return ok;
}

static void NAME(unit_column)(T *x, int64_t m, int64_t at) {
  memset(x, 0, (size_t)m * sizeof(T));
  x[at] = 1;
}

/* From the last block on, each applied to the columns of the identity from its own on. */
DRIVER static bool NAME(form_q)(const hd_dense *d, T *a, int64_t column, int64_t m, int64_t n, const T *tau,
                                int64_t count) {
  NAME(reflectors) v;
  T *memory = NAME(take_reflectors)(&v, m, n);
  bool ok = memory != NULL;
  for (int64_t j = count; j < n; ++j) NAME(unit_column)(a + j * column, m, j);
  for (int64_t j = (count - 1) / REFLECTORS * REFLECTORS; j >= 0 && count && ok; j -= REFLECTORS) {
    int64_t these = least(REFLECTORS, count - j);
    T *at = a + j * column + j;
    ok = NAME(read_reflectors)(d, &v, at, column, m - j, these, tau + j);
    for (int64_t k = j; k < j + these; ++k) NAME(unit_column)(a + k * column, m, k);
    ok = ok && NAME(reflect)(d, &v, at, column, n - j, these, false);
  }
  free(memory);
  return ok;
}
