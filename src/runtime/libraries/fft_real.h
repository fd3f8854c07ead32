/* SPDX-License-Identifier: Apache-2.0 */
/* Included by fft_type.h once per type: real lines of odd length n = p * m, which half the work of complex ones does.
 *
 * Of the p transforms of length m that the first pass leaves, number 0 is of a real line, and numbers t and p - t are
 * conjugates of each other in reverse order. So number 0 goes on in the same way, and of the others the first half is
 * transformed, side by side:
 *   z[k] = sum over r of x[k + r m],   y_t[k] = w_n^(k t) * sum over r of x[k + r m] w_p^(r t)   for 0 < t < p / 2
 *   X[p j] = Z[j],   X[p j + t] = Y_t[j],   X[p j + p - t] = conj(Y_t[m - 1 - j])
 * The inverse goes the same way back. Arrays have n rows of |lanes|, of which X takes the first (n + 1) / 2; z is in
 * their last rows, by turns in the real and in the imaginary part, so that a pass does not write what it reads. */

#include "runtime/libraries/fft_lines.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* x, a real line of length n, to z and to y, rows of p / 2 lines side by side. */
TARGET ALWAYS_INLINE void NAME(real_pass)(const PLAN *w, int p, int64_t n, int64_t lanes, const R *x, R *z, PARTS y) {
  int64_t m = n / p, step = w->n / n, width = lanes, turn = w->n / p, row = width * m;
  R cosine[MAX_PRIME], sine[MAX_PRIME];
  for (int r = 0; r < p; ++r) cosine[r] = w->roots.re[r * turn], sine[r] = -w->roots.im[r * turn];
  int half = (p - 1) / 2;
  for (int64_t k = 0; k < m; ++k) {
    const R *from = x + width * k;
    R *to_re = y.re + width * half * k, *to_im = y.im + width * half * k, *to = z + width * k;
#define BODY(type)                                                                                 \
  {                                                                                                \
    type sum[MAX_PRIME / 2], less[MAX_PRIME / 2], first = LOAD(type, from + q), all = first;       \
    _Pragma("GCC unroll 2") for (int r = 0; r < half; ++r) {                                       \
      type a = LOAD(type, from + row * (r + 1) + q), b = LOAD(type, from + row * (p - r - 1) + q); \
      sum[r] = a + b, less[r] = a - b, all += sum[r];                                              \
    }                                                                                              \
    PUT(type, to + q, all);                                                                        \
    _Pragma("GCC unroll 2") for (int t = 1; t <= half; ++t) {                                      \
      type u = first + sum[0] * cosine[t], v = less[0] * sine[t];                                  \
      _Pragma("GCC unroll 2") for (int r = 1, at = t; r < half; ++r) {                             \
        at += t;                                                                                   \
        if (at >= p) at -= p;                                                                      \
        u += sum[r] * cosine[at], v += less[r] * sine[at];                                         \
      }                                                                                            \
      R c = w->roots.re[k * t * step], d = w->roots.im[k * t * step];                              \
      PUT(type, to_re + width * (t - 1) + q, u * c + v * d);                                       \
      PUT(type, to_im + width * (t - 1) + q, u * d - v * c);                                       \
    }                                                                                              \
  }
    ALONG(BODY);
#undef BODY
  }
}

/* The way back, from inverse transforms of length m. */
TARGET ALWAYS_INLINE void NAME(real_pass_back)(const PLAN *w, int p, int64_t n, int64_t lanes, const R *z, PARTS y,
                                               R *x) {
  int64_t m = n / p, step = w->n / n, width = lanes, turn = w->n / p, row = width * m;
  R cosine[MAX_PRIME], sine[MAX_PRIME];
  for (int r = 0; r < p; ++r) cosine[r] = w->roots.re[r * turn], sine[r] = -w->roots.im[r * turn];
  int half = (p - 1) / 2;
  for (int64_t k = 0; k < m; ++k) {
    const R *re = y.re + width * half * k, *im = y.im + width * half * k, *from = z + width * k;
    R *to = x + width * k;
#define BODY(type)                                                                        \
  {                                                                                       \
    type u[MAX_PRIME / 2], v[MAX_PRIME / 2], first = LOAD(type, from + q), all = first;   \
    _Pragma("GCC unroll 2") for (int t = 0; t < half; ++t) {                              \
      R c = w->roots.re[k * (t + 1) * step] * 2, d = w->roots.im[k * (t + 1) * step] * 2; \
      type a = LOAD(type, re + width * t + q), b = LOAD(type, im + width * t + q);        \
      u[t] = a * c + b * d, v[t] = b * c - a * d, all += u[t];                            \
    }                                                                                     \
    PUT(type, to + q, all);                                                               \
    _Pragma("GCC unroll 2") for (int r = 1; r <= half; ++r) {                             \
      type sum = first + u[0] * cosine[r], less = v[0] * sine[r];                         \
      _Pragma("GCC unroll 2") for (int t = 1, at = r; t < half; ++t) {                    \
        at += r;                                                                          \
        if (at >= p) at -= p;                                                             \
        sum += u[t] * cosine[at], less += v[t] * sine[at];                                \
      }                                                                                   \
      PUT(type, to + row * r + q, sum - less);                                            \
      PUT(type, to + row * (p - r) + q, sum + less);                                      \
    }                                                                                     \
  }
    ALONG(BODY);
#undef BODY
  }
}

/* Row |from| of a to row |to| of b, or its conjugate. */
TARGET ALWAYS_INLINE void NAME(copy_row)(PARTS a, int64_t from, bool conjugate, int64_t lanes, PARTS b, int64_t to) {
  const R *re = a.re + from * lanes, *im = a.im + from * lanes;
  R *to_re = b.re + to * lanes, *to_im = b.im + to * lanes;
  int64_t width = lanes;
#define BODY(type)                            \
  {                                           \
    type v = LOAD(type, im + q);              \
    PUT(type, to_re + q, LOAD(type, re + q)); \
    PUT(type, to_im + q, conjugate ? -v : v); \
  }
  ALONG(BODY);
#undef BODY
}

/* Where z of length n is. */
static R *NAME(real_rest)(const PLAN *w, int stage, int64_t n, int64_t lanes, PARTS x) {
  return (stage % 2 ? x.im : x.re) + (w->n - n) * lanes;
}

static PARTS NAME(after)(PARTS x, int64_t elements) { return (PARTS){x.re + elements, x.im + elements}; }

/* The real line in x.re becomes the first numbers of its transform. |w| has a factor, and an odd length. */
TARGET static void NAME(real_forward)(const PLAN *w, int64_t lanes, PARTS x, PARTS scratch) {
  int64_t n = w->n, stride = 1;
  for (int i = 0; i < w->factor_count; ++i) {
    int p = w->factors[i];
    int64_t m = n / p, half = (p - 1) / 2;
    const R *from = NAME(real_rest)(w, i, n, lanes, x);
    R *to = NAME(real_rest)(w, i + 1, m, lanes, x);
    if (p == 3)
      NAME(real_pass)(w, 3, n, lanes, from, to, scratch);
    else if (p == 5)
      NAME(real_pass)(w, 5, n, lanes, from, to, scratch);
    else
      NAME(real_pass)(w, p, n, lanes, from, to, scratch);
    NAME(by_passes)(w, i + 1, half * lanes, scratch, NAME(after)(scratch, m * half * lanes));
    for (int64_t j = 0; j < m; ++j)
      for (int64_t t = 1; t <= half; ++t) {
        int64_t low = p * j + t, high = p * j + p - t;
        if (2 * low < n) NAME(copy_row)(scratch, j * half + t - 1, false, lanes, x, stride * low);
        if (2 * high < n) NAME(copy_row)(scratch, (m - 1 - j) * half + t - 1, true, lanes, x, stride * high);
      }
    n = m, stride *= p;
  }
  memcpy(scratch.re, NAME(real_rest)(w, w->factor_count, n, lanes, x), (size_t)(n * lanes) * sizeof(R));
  memset(scratch.im, 0, (size_t)(n * lanes) * sizeof(R));
  NAME(by_passes)(w, w->factor_count, lanes, scratch, NAME(after)(scratch, n * lanes));
  for (int64_t j = 0; 2 * j < n; ++j) NAME(copy_row)(scratch, j, false, lanes, x, stride * j);
}

/* The way back, times n. The imaginary part of the first number does not count. */
TARGET static void NAME(real_inverse)(const PLAN *w, int64_t lanes, PARTS x, PARTS scratch) {
  PARTS swapped = {scratch.im, scratch.re}; /* the inverse is the transform of swapped parts, swapped */
  int64_t n = w->rest, stride = w->n / n;
  memset(x.im, 0, (size_t)lanes * sizeof(R));
  for (int64_t j = 0; j < n; ++j) {
    bool mirrored = 2 * j > n;
    NAME(copy_row)(x, stride * (mirrored ? n - j : j), mirrored, lanes, scratch, j);
  }
  NAME(by_passes)(w, w->factor_count, lanes, swapped, NAME(after)(swapped, n * lanes));
  memcpy(NAME(real_rest)(w, w->factor_count, n, lanes, x), scratch.re, (size_t)(n * lanes) * sizeof(R));
  for (int i = w->factor_count - 1; i >= 0; --i) {
    int p = w->factors[i];
    int64_t m = n, half = (p - 1) / 2;
    n = m * p, stride /= p;
    for (int64_t j = 0; j < m; ++j)
      for (int64_t t = 1; t <= half; ++t) {
        int64_t at = p * j + t;
        bool mirrored = 2 * at > n;
        NAME(copy_row)(x, stride * (mirrored ? n - at : at), mirrored, lanes, scratch, j * half + t - 1);
      }
    NAME(by_passes)(w, i + 1, half * lanes, swapped, NAME(after)(swapped, m * half * lanes));
    const R *from = NAME(real_rest)(w, i + 1, m, lanes, x);
    R *to = NAME(real_rest)(w, i, n, lanes, x);
    if (p == 3)
      NAME(real_pass_back)(w, 3, n, lanes, from, scratch, to);
    else if (p == 5)
      NAME(real_pass_back)(w, 5, n, lanes, from, scratch, to);
    else
      NAME(real_pass_back)(w, p, n, lanes, from, scratch, to);
  }
}
#undef ALWAYS_INLINE
