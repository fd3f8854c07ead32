/* SPDX-License-Identifier: Apache-2.0 */
/* Included by dense.c once per element type T, I being the integer of its size: triangular systems, Cholesky and LU. */

typedef T NAME(vector) __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));
typedef I NAME(mask) __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));
#define V NAME(vector)
#define MASK NAME(mask)
enum { NAME(LANES) = 32 / sizeof(T) };
#define LANES NAME(LANES)
#define AT(p) (*(V *)(void *)(p))

/* ---- what is left after a block: c -= a b ---- */

typedef struct NAME(difference) {
  uint64_t c, row, part;
} NAME(difference);

/* An epilogue (gemm_abi.h) whose own words are a difference. */
TARGET static void NAME(subtract)(const uint64_t *words, int64_t m0, int64_t m1) {
  const hd_gemm_epilogue *args = (const hd_gemm_epilogue *)(const void *)words;
  const NAME(difference) *own = (const NAME(difference) *)(const void *)(args + 1);
  const T *tile = args->tile;
  int64_t tile_row = args->tile_row, n0 = args->n0, n1 = args->n1, row = (int64_t)own->row;
  for (int64_t i = m0; i < m1; ++i) {
    int64_t from = own->part == UPPER_PART && i > n0 ? least(i, n1) : n0,
            to = own->part == LOWER_PART ? least(i + 1, n1) : n1;
    T *c = (T *)(uintptr_t)own->c + i * row;
    const T *sum = tile + (i - m0) * tile_row - n0;
    int64_t j = from;
    for (; j + LANES <= to; j += LANES) AT(c + j) -= AT(sum + j);
    for (; j < to; ++j) c[j] -= sum[j];
  }
}

/* c (m x n) -= a (m x k) b (k x n), of which one stride of c is 1. */
DRIVER static bool NAME(update)(const hd_dense *d, hd_dense_matrix a, hd_dense_matrix b, hd_dense_matrix c, int64_t m,
                                int64_t n, int64_t k, part part) {
  if (!m || !n || !k) return true;
  if (c.column != 1) {
    hd_dense_matrix at = {b.data, b.column, b.row}, bt = {a.data, a.column, a.row};
    if (c.row == 1)
      return NAME(update)(d, at, bt, (hd_dense_matrix){c.data, c.column, 1}, n, m, k,
                          part == LOWER_PART   ? UPPER_PART
                          : part == UPPER_PART ? LOWER_PART
                                               : part);
  }
  hd_dense here = sized(d, 2 * (double)m * (double)n * (double)k);
  NAME(difference) own = {(uint64_t)(uintptr_t)c.data, (uint64_t)c.row, (uint64_t)part};
  hd_gemm_call call = {
      .a_type = TYPE,
      .b_type = TYPE,
      .c_type = TYPE,
      .a = a.data,
      .b = b.data,
      .dim_count = 3,
      .dims = {{HD_GEMM_M, m, a.row, 0, 0}, {HD_GEMM_N, n, 0, b.column, 0}, {HD_GEMM_K, k, a.column, b.row, 0}},
      .epilogue = NAME(subtract),
      .epilogue_words = (const uint64_t *)(const void *)&own,
      .epilogue_word_count = sizeof own / sizeof(uint64_t),
      .env = here.env};
  hd_status status = hd_gemm(d->gemm, &call);
  bool ok = hd_is_ok(status);
  hd_status_free(status);
  return ok;
}

/* ---- triangular systems ----
 *
 * Upper ones are lower ones from the other end. Rows of a are in blocks as high as a tile, k by k, negative
 * left of the block's own triangle; lines in panels as wide as a tile. A block of a panel is a tile kernel
 * over all that is solved, then its triangle. */

typedef struct NAME(system) {
  const hd_dense *d;
  const T *a;
  int64_t row, column, n;
  bool unit;
  T *x;
  int64_t x_row, x_line, lines;
  T *blocks;
  atomic_bool no_memory;
} NAME(system);

static T *NAME(block_at)(const NAME(system) * s, int64_t i) { return s->blocks + HEIGHT * HEIGHT * (i * (i + 1) / 2); }

static void NAME(pack_blocks)(void *argument, int64_t begin, int64_t end) {
  const NAME(system) *s = argument;
  const int64_t h = HEIGHT;
  for (int64_t i = begin; i < end; ++i) {
    T *to = NAME(block_at)(s, i);
    for (int64_t k = 0; k < (i + 1) * h; ++k)
      for (int64_t r = 0; r < h; ++r) {
        int64_t at = i * h + r;
        T value = 0;
        if (at < s->n && k < at) value = s->a[at * s->row + k * s->column];
        if (k == at) value = at < s->n && !s->unit ? s->a[at * (s->row + s->column)] : 1;
        to[k * h + r] = k < i * h ? -value : value;
      }
  }
}

/* The triangle of a block, on |width| lines. */
TARGET static void NAME(block_triangle)(const T *a, T *x, int64_t width) {
  for (int64_t j = 0; j < width; j += LANES) {
    V rows[HEIGHT];
#pragma GCC unroll 6
    for (int r = 0; r < HEIGHT; ++r) {
      rows[r] = AT(x + r * width + j);
#pragma GCC unroll 6
      for (int k = 0; k < r; ++k) rows[r] -= a[k * HEIGHT + r] * rows[k];
      rows[r] /= a[r * HEIGHT + r];
      AT(x + r * width + j) = rows[r];
    }
  }
}

static void NAME(solve_panels)(void *argument, int64_t begin, int64_t end) {
  NAME(system) *s = argument;
  const hd_gemm_kernels *kernels = s->d->gemm->kernels;
  const hd_gemm_family *family = &kernels->family[COMPUTE][HD_GEMM_SAME];
  int64_t lanes = kernels->vector_bytes / (int64_t)sizeof(T), full = lanes * kernels->panel_vectors;
  int64_t blocks = (s->n + HEIGHT - 1) / HEIGHT;
  hd_gemm_block *block = hd_gemm_block_acquire(s->d->gemm, (size_t)(blocks * HEIGHT * full) * sizeof(T));
  if (!block) {
    atomic_store_explicit(&s->no_memory, true, memory_order_relaxed);
    return;
  }
  T *x = (T *)(void *)block->data;
  for (int64_t p = begin; p < end; ++p) {
    int64_t first = p * full, lines = least(full, s->lines - first), vectors = (lines + lanes - 1) / lanes,
            width = vectors * lanes;
    memset(x, 0, (size_t)(blocks * HEIGHT * width) * sizeof(T));
    T *from = s->x + first * s->x_line;
    if (s->x_line == 1) {
      for (int64_t i = 0; i < s->n; ++i) memcpy(x + i * width, from + i * s->x_row, (size_t)lines * sizeof(T));
    } else {
      for (int64_t l = 0; l < lines; ++l)
        for (int64_t i = 0; i < s->n; ++i) x[i * width + l] = from[i * s->x_row + l * s->x_line];
    }
    for (int64_t i = 0; i < blocks; ++i) {
      const T *a = NAME(block_at)(s, i);
      T *rows = x + i * HEIGHT * width;
      hd_gemm_tile tile = {
          .a = a, .a_row = 1, .a_k = HEIGHT, .b = x, .b_k = width, .c = rows, .c_row = width, .accumulate = 1};
      if (i) family->tile[vectors][HEIGHT]((const uint64_t *)(const void *)&tile, 0, i * HEIGHT);
      NAME(block_triangle)(a + i * HEIGHT * HEIGHT, rows, width);
    }
    if (s->x_line == 1) {
      for (int64_t i = 0; i < s->n; ++i) memcpy(from + i * s->x_row, x + i * width, (size_t)lines * sizeof(T));
    } else {
      for (int64_t l = 0; l < lines; ++l)
        for (int64_t i = 0; i < s->n; ++i) from[i * s->x_row + l * s->x_line] = x[i * width + l];
    }
  }
  hd_gemm_block_release(s->d->gemm, block);
}

/* The sum of x[k] y[k]. */
LEAF static T NAME(dot)(const T *x, const T *y, int64_t n) {
  V sums[4] = {{0}};
  int64_t k = 0;
  for (; k + 4 * LANES <= n; k += 4 * LANES)
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) sums[s] += AT(x + k + s * LANES) * AT(y + k + s * LANES);
  for (; k + LANES <= n; k += LANES) sums[0] += AT(x + k) * AT(y + k);
  sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  T sum = 0;
  for (int l = 0; l < LANES; ++l) sum += sums[0][l];
  for (; k < n; ++k) sum += x[k] * y[k];
  return sum;
}

/* y -= f x */
LEAF static void NAME(take)(T *y, T f, const T *x, int64_t n) {
  int64_t k = 0;
  for (; k + LANES <= n; k += LANES) AT(y + k) -= f * AT(x + k);
  for (; k < n; ++k) y[k] -= f * x[k];
}

/* One line at a time, along whatever of a is side by side. */
LEAF static bool NAME(solve_few)(NAME(system) * s) {
  T *x = malloc((size_t)s->n * sizeof(T));
  if (!x) return false;
  int64_t n = s->n, down = s->row < 0 ? -1 : 1; /* an upper triangle is walked from its end */
  bool by_rows = s->column == down;
  for (int64_t l = 0; l < s->lines; ++l) {
    T *line = s->x + l * s->x_line;
    for (int64_t i = 0; i < n; ++i) x[down > 0 ? i : n - 1 - i] = line[i * s->x_row];
    for (int64_t i = 0; i < n; ++i) {
      T *at = down > 0 ? x + i : x + n - 1 - i;
      const T *diagonal = s->a + i * (s->row + s->column);
      if (by_rows) *at -= down > 0 ? NAME(dot)(x, diagonal - i, i) : NAME(dot)(at + 1, diagonal + 1, i);
      if (!s->unit) *at /= *diagonal;
      if (by_rows) continue;
      if (s->row == down && down > 0)
        NAME(take)(at + 1, *at, diagonal + 1, n - 1 - i);
      else if (s->row == down)
        NAME(take)(x, *at, diagonal - (n - 1 - i), n - 1 - i);
      else
        for (int64_t k = 1; k < n - i; ++k) at[k * down] -= *at * diagonal[k * s->row];
    }
    for (int64_t i = 0; i < n; ++i) line[i * s->x_row] = x[down > 0 ? i : n - 1 - i];
  }
  free(x);
  return true;
}

DRIVER static bool NAME(solve_leaf)(const hd_dense *d, hd_dense_matrix a, int64_t n, bool lower, bool unit,
                                    hd_dense_matrix x, int64_t lines) {
  int64_t way = lower ? 1 : -1, last = lower ? 0 : n - 1;
  NAME(system)
  s = {.d = d,
       .a = (const T *)a.data + last * (a.row + a.column),
       .row = way * a.row,
       .column = way * a.column,
       .n = n,
       .unit = unit,
       .x = (T *)x.data + last * x.row,
       .x_row = way * x.row,
       .x_line = x.column,
       .lines = lines};
  if (lines <= FEW_LINES) return NAME(solve_few)(&s);
  int64_t blocks = (n + HEIGHT - 1) / HEIGHT;
  int64_t width = d->gemm->kernels->vector_bytes / (int64_t)sizeof(T) * d->gemm->kernels->panel_vectors;
  hd_gemm_block *packed =
      hd_gemm_block_acquire(d->gemm, (size_t)(HEIGHT * HEIGHT * (blocks * (blocks + 1) / 2)) * sizeof(T));
  if (!packed) return false;
  s.blocks = (T *)(void *)packed->data;
  hd_dense here = sized(d, (double)n * (double)n * (double)lines);
  over(&here, blocks, 8 * (double)(HEIGHT * n), NAME(pack_blocks), &s);
  over(&here, (lines + width - 1) / width, (double)n * (double)n * (double)width, NAME(solve_panels), &s);
  hd_gemm_block_release(d->gemm, packed);
  return !atomic_load_explicit(&s.no_memory, memory_order_relaxed);
}

static hd_dense_matrix NAME(part_at)(hd_dense_matrix a, int64_t i, int64_t j) {
  return (hd_dense_matrix){(T *)a.data + i * a.row + j * a.column, a.row, a.column};
}

/* Halves above what the caches hold. */
DRIVER static bool NAME(solve)(const hd_dense *d, hd_dense_matrix a, int64_t n, bool lower, bool unit,
                               hd_dense_matrix x, int64_t lines) {
  if (n <= SOLVE_LEAF || lines <= FEW_LINES) return NAME(solve_leaf)(d, a, n, lower, unit, x, lines);
  int64_t half = n / 2 / 64 * 64, first = lower ? 0 : half, second = lower ? half : 0;
  int64_t first_size = lower ? half : n - half, second_size = n - first_size;
  hd_dense_matrix done = NAME(part_at)(x, first, 0), left = NAME(part_at)(x, second, 0);
  return NAME(solve)(d, NAME(part_at)(a, first, first), first_size, lower, unit, done, lines) &&
         NAME(update)(d, NAME(part_at)(a, second, first), done, left, second_size, lines, first_size, ALL_OF_IT) &&
         NAME(solve)(d, NAME(part_at)(a, second, second), second_size, lower, unit, left, lines);
}

/* ---- Cholesky ---- */

/* By columns of L, which are along the rows of a copy. */
LEAF static int64_t NAME(cholesky_leaf)(T *a, int64_t row, int64_t column, int64_t n) {
  T u[CHOLESKY_LEAF][CHOLESKY_LEAF];
  memset(u, 0, sizeof u);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j) u[j][i] = a[i * row + j * column];
  int64_t j = 0;
  for (; j < n; ++j) {
    if (!(u[j][j] > 0)) break;
    T by = (T)sqrt((double)u[j][j]);
    for (int64_t k = j / LANES * LANES; k < n; k += LANES) AT(&u[j][k]) /= by;
    u[j][j] = by;
    for (int64_t i = j + 1; i < n; ++i)
      for (int64_t k = i / LANES * LANES; k < n; k += LANES) AT(&u[i][k]) -= u[j][i] * AT(&u[j][k]);
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k <= i; ++k) a[i * row + k * column] = u[k][i];
  return j < n ? j + 1 : 0;
}

/* The lower triangle of c -= l l^T, l being n x k. */
DRIVER static bool NAME(update_symmetric)(const hd_dense *d, hd_dense_matrix l, hd_dense_matrix c, int64_t n,
                                          int64_t k) {
  hd_dense_matrix across = {l.data, l.column, l.row};
  if (n <= SYMMETRIC_LEAF) return NAME(update)(d, l, across, c, n, n, k, LOWER_PART);
  int64_t half = n / 2 / 16 * 16;
  hd_dense_matrix below = NAME(part_at)(l, half, 0);
  return NAME(update_symmetric)(d, l, c, half, k) &&
         NAME(update)(d, below, across, NAME(part_at)(c, half, 0), n - half, half, k, ALL_OF_IT) &&
         NAME(update_symmetric)(d, below, NAME(part_at)(c, half, half), n - half, k);
}

DRIVER static bool NAME(cholesky)(const hd_dense *d, T *data, int64_t row, int64_t column, int64_t n, int64_t done,
                                  int64_t *info) {
  hd_dense_matrix a = {data, row, column};
  if (n <= CHOLESKY_LEAF) {
    int64_t failed = NAME(cholesky_leaf)(data, row, column, n);
    if (failed) *info = done + failed;
    return true;
  }
  int64_t half = (n / 2 + CHOLESKY_LEAF - 1) / CHOLESKY_LEAF * CHOLESKY_LEAF;
  hd_dense_matrix below = NAME(part_at)(a, half, 0), rest = NAME(part_at)(a, half, half);
  if (!NAME(cholesky)(d, data, row, column, half, done, info) || *info) return *info != 0;
  return hd_dense_solve(d, a, half, true, false, (hd_dense_matrix){below.data, column, row}, n - half) &&
         NAME(update_symmetric)(d, below, rest, n - half, half) &&
         NAME(cholesky)(d, rest.data, row, column, n - half, done + half, info);
}

/* ---- LU, column by column in memory ---- */

/* The first of the largest |x[i]|, NaNs apart; a NaN at the start is kept. */
LEAF static int64_t NAME(largest)(const T *x, int64_t n) {
  const I no_sign = (I)(((uint64_t)1 << (8 * sizeof(I) - 1)) - 1);
  V most = {0};
  int64_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    MASK here = *(const MASK *)(const void *)(x + i) & no_sign, larger = (MASK)((V)here > most);
    most = (V)((larger & here) | (~larger & (MASK)most));
  }
  T top = 0;
  for (int l = 0; l < LANES; ++l) top = most[l] > top ? most[l] : top;
  for (; i < n; ++i) {
    T here = x[i] < 0 ? -x[i] : x[i];
    top = here > top ? here : top;
  }
  if (!(x[0] == x[0]) || !(top > 0)) return 0;
  for (i = 0; x[i] != top && x[i] != -top;) ++i;
  return i;
}

typedef struct NAME(exchange) {
  T *a;
  int64_t column;
  const int32_t *pivots; /* from 1, of rows [0, count) */
  int64_t count;
} NAME(exchange);

static void NAME(exchange_columns)(void *argument, int64_t begin, int64_t end) {
  const NAME(exchange) *e = argument;
  for (int64_t j = begin; j < end; ++j)
    for (int64_t i = 0; i < e->count; ++i) {
      T *a = e->a + j * e->column, kept = a[i];
      a[i] = a[e->pivots[i] - 1];
      a[e->pivots[i] - 1] = kept;
    }
}

DRIVER static void NAME(exchange_rows)(const hd_dense *d, T *a, int64_t column, int64_t columns, const int32_t *pivots,
                                       int64_t count) {
  NAME(exchange) e = {a, column, pivots, count};
  hd_dense here = sized(d, 60 * (double)count * (double)columns);
  over(&here, columns, 60 * (double)count, NAME(exchange_columns), &e);
}

LEAF static void NAME(lu_leaf)(T *a, int64_t column, int64_t m, int64_t n, int32_t *pivots, int64_t done,
                               int64_t *info) {
  for (int64_t j = 0; j < n; ++j) {
    T *x = a + j * column;
    int64_t p = j + NAME(largest)(x + j, m - j);
    pivots[j] = (int32_t)(p + 1);
    NAME(exchange) one = {a + j, column, &(int32_t){(int32_t)(p - j + 1)}, 1};
    NAME(exchange_columns)(&one, 0, n);
    if (x[j] == 0) {
      if (!*info) *info = done + j + 1;
    } else {
      T by = x[j];
      int64_t i = j + 1;
      for (; i + LANES <= m; i += LANES) AT(x + i) /= by;
      for (; i < m; ++i) x[i] /= by;
    }
    for (int64_t k = j + 1; k < n; ++k) NAME(take)(a + k * column + j + 1, a[k * column + j], x + j + 1, m - j - 1);
  }
}

/* m >= n */
DRIVER static bool NAME(lu_tall)(const hd_dense *d, T *a, int64_t column, int64_t m, int64_t n, int32_t *pivots,
                                 int64_t done, int64_t *info) {
  if (n <= LU_LEAF || (n <= LU_SMALL && m <= 2 * LU_SMALL)) {
    NAME(lu_leaf)(a, column, m, n, pivots, done, info);
    return true;
  }
  int64_t half = (n / 2 + LU_LEAF - 1) / LU_LEAF * LU_LEAF;
  T *right = a + half * column;
  hd_dense_matrix left = {a, 1, column}, below = {a + half, 1, column}, above = {right, 1, column},
                  rest = {right + half, 1, column};
  if (!NAME(lu_tall)(d, a, column, m, half, pivots, done, info)) return false;
  NAME(exchange_rows)(d, right, column, n - half, pivots, half);
  if (!hd_dense_solve(d, left, half, true, true, above, n - half) ||
      !NAME(update)(d, below, above, rest, m - half, n - half, half, ALL_OF_IT) ||
      !NAME(lu_tall)(d, rest.data, column, m - half, n - half, pivots + half, done + half, info))
    return false;
  NAME(exchange_rows)(d, a + half, column, half, pivots + half, n - half);
  for (int64_t i = half; i < n; ++i) pivots[i] += (int32_t)half;
  return true;
}

DRIVER static bool NAME(lu)(const hd_dense *d, T *a, int64_t column, int64_t m, int64_t n, int32_t *pivots,
                            int64_t *info) {
  int64_t k = least(m, n);
  if (!k) return true;
  if (!NAME(lu_tall)(d, a, column, m, k, pivots, 0, info)) return false;
  T *right = a + k * column;
  if (n == k) return true;
  NAME(exchange_rows)(d, right, column, n - k, pivots, k);
  return hd_dense_solve(d, (hd_dense_matrix){a, 1, column}, k, true, true, (hd_dense_matrix){right, 1, column}, n - k);
}
