/* SPDX-License-Identifier: Apache-2.0 */
/* Included by fft_type.h once per type: the passes of a transform. */

#include "runtime/libraries/fft_plan.h"

typedef R NAME(vector) __attribute__((vector_size(VECTOR), aligned(sizeof(R)), may_alias));

#define V NAME(vector)
#define LOAD(type, p) (*(const type *)(const void *)(p))
#define PUT(type, p, value) (*(type *)(void *)(p) = (value))
/* BODY(type) at every q below |width|. */
#define ALONG(BODY)                                                 \
  do {                                                              \
    int64_t q = 0;                                                  \
    for (; q + VECTOR / PART <= width; q += VECTOR / PART) BODY(V); \
    for (; q < width; ++q) BODY(R);                                 \
  } while (0)

/* One pass: sub-transforms of length n = p * m, |s| of them side by side.
 *   y[s (p k + t) + q] = w_n^(k t) * sum over r of x[s (k + r m) + q] w_p^(r t)
 * For an odd p, terms r and p - r are taken together: their cosines are equal, their sines opposite. */
TARGET static inline __attribute__((always_inline)) void NAME(odd)(const PLAN *w, int p, int64_t n, int64_t s,
                                                                   int64_t lanes, PARTS x, PARTS y) {
  int64_t m = n / p, step = w->n / n, width = s * lanes, turn = w->n / p;
  R cosine[MAX_PRIME], sine[MAX_PRIME];
  for (int r = 0; r < p; ++r) cosine[r] = w->roots.re[r * turn], sine[r] = -w->roots.im[r * turn];
  int half = (p - 1) / 2;
  for (int64_t k = 0; k < m; ++k) {
    const R *re = x.re + width * k, *im = x.im + width * k;
    R *to_re = y.re + width * p * k, *to_im = y.im + width * p * k;
    int64_t row = width * m;
#define BODY(type)                                                                                           \
  {                                                                                                          \
    type sum_re[MAX_PRIME / 2], sum_im[MAX_PRIME / 2], less_re[MAX_PRIME / 2], less_im[MAX_PRIME / 2];       \
    type first_re = LOAD(type, re + q), first_im = LOAD(type, im + q), all_re = first_re, all_im = first_im; \
    _Pragma("GCC unroll 2") for (int r = 0; r < half; ++r) {                                                 \
      type ar = LOAD(type, re + row * (r + 1) + q), ai = LOAD(type, im + row * (r + 1) + q);                 \
      type br = LOAD(type, re + row * (p - r - 1) + q), bi = LOAD(type, im + row * (p - r - 1) + q);         \
      sum_re[r] = ar + br, sum_im[r] = ai + bi, less_re[r] = ar - br, less_im[r] = ai - bi;                  \
      all_re += sum_re[r], all_im += sum_im[r];                                                              \
    }                                                                                                        \
    PUT(type, to_re + q, all_re);                                                                            \
    PUT(type, to_im + q, all_im);                                                                            \
    _Pragma("GCC unroll 2") for (int t = 1; t <= half; ++t) {                                                \
      type cr = first_re, ci = first_im, sr = less_im[0] * sine[t], si = less_re[0] * sine[t];               \
      cr += sum_re[0] * cosine[t], ci += sum_im[0] * cosine[t];                                              \
      _Pragma("GCC unroll 2") for (int r = 1, at = t; r < half; ++r) {                                       \
        at += t;                                                                                             \
        if (at >= p) at -= p;                                                                                \
        cr += sum_re[r] * cosine[at], ci += sum_im[r] * cosine[at];                                          \
        sr += less_im[r] * sine[at], si += less_re[r] * sine[at];                                            \
      }                                                                                                      \
      R c = w->roots.re[k * t * step], d = w->roots.im[k * t * step];                                        \
      type ur = cr + sr, ui = ci - si, vr = cr - sr, vi = ci + si;                                           \
      PUT(type, to_re + width * t + q, ur * c - ui * d);                                                     \
      PUT(type, to_im + width * t + q, ui * c + ur * d);                                                     \
      c = w->roots.re[k * (p - t) * step], d = w->roots.im[k * (p - t) * step];                              \
      PUT(type, to_re + width * (p - t) + q, vr * c - vi * d);                                               \
      PUT(type, to_im + width * (p - t) + q, vi * c + vr * d);                                               \
    }                                                                                                        \
  }
    ALONG(BODY);
#undef BODY
  }
}
TARGET static void NAME(pass_3)(const PLAN *w, int64_t n, int64_t s, int64_t lanes, PARTS x, PARTS y) {
  NAME(odd)(w, 3, n, s, lanes, x, y);
}
TARGET static void NAME(pass_5)(const PLAN *w, int64_t n, int64_t s, int64_t lanes, PARTS x, PARTS y) {
  NAME(odd)(w, 5, n, s, lanes, x, y);
}
TARGET static void NAME(pass_odd)(const PLAN *w, int p, int64_t n, int64_t s, int64_t lanes, PARTS x, PARTS y) {
  NAME(odd)(w, p, n, s, lanes, x, y);
}

TARGET static void NAME(pass_2)(const PLAN *w, int64_t n, int64_t s, int64_t lanes, PARTS x, PARTS y) {
  int64_t m = n / 2, step = w->n / n, width = s * lanes;
  for (int64_t k = 0; k < m; ++k) {
    R c = w->roots.re[k * step], d = w->roots.im[k * step];
    const R *ar = x.re + width * k, *ai = x.im + width * k, *br = ar + width * m, *bi = ai + width * m;
    R *ur = y.re + width * 2 * k, *ui = y.im + width * 2 * k, *vr = ur + width, *vi = ui + width;
#define BODY(type)                                                                                           \
  {                                                                                                          \
    type xr = LOAD(type, ar + q), xi = LOAD(type, ai + q), zr = LOAD(type, br + q), zi = LOAD(type, bi + q); \
    type er = xr - zr, ei = xi - zi;                                                                         \
    PUT(type, ur + q, xr + zr);                                                                              \
    PUT(type, ui + q, xi + zi);                                                                              \
    PUT(type, vr + q, er * c - ei * d);                                                                      \
    PUT(type, vi + q, ei * c + er * d);                                                                      \
  }
    ALONG(BODY);
#undef BODY
  }
}

TARGET static void NAME(pass_4)(const PLAN *w, int64_t n, int64_t s, int64_t lanes, PARTS x, PARTS y) {
  int64_t m = n / 4, step = w->n / n, width = s * lanes, row = width * m;
  for (int64_t k = 0; k < m; ++k) {
    R c[4], d[4];
    for (int t = 1; t < 4; ++t) c[t] = w->roots.re[k * t * step], d[t] = w->roots.im[k * t * step];
    const R *re = x.re + width * k, *im = x.im + width * k;
    R *to_re = y.re + width * 4 * k, *to_im = y.im + width * 4 * k;
#define BODY(type)                                                                           \
  {                                                                                          \
    type ar = LOAD(type, re + q), ai = LOAD(type, im + q), br = LOAD(type, re + row + q),    \
         bi = LOAD(type, im + row + q);                                                      \
    type cr = LOAD(type, re + 2 * row + q), ci = LOAD(type, im + 2 * row + q);               \
    type dr = LOAD(type, re + 3 * row + q), di = LOAD(type, im + 3 * row + q);               \
    type pr = ar + cr, pi = ai + ci, mr = ar - cr, mi = ai - ci;                             \
    type tr = br + dr, ti = bi + di, er = br - dr, ei = bi - di;                             \
    PUT(type, to_re + q, pr + tr);                                                           \
    PUT(type, to_im + q, pi + ti);                                                           \
    type ur = mr + ei, ui = mi - er, vr = pr - tr, vi = pi - ti, wr = mr - ei, wi = mi + er; \
    PUT(type, to_re + width + q, ur * c[1] - ui * d[1]);                                     \
    PUT(type, to_im + width + q, ui * c[1] + ur * d[1]);                                     \
    PUT(type, to_re + 2 * width + q, vr * c[2] - vi * d[2]);                                 \
    PUT(type, to_im + 2 * width + q, vi * c[2] + vr * d[2]);                                 \
    PUT(type, to_re + 3 * width + q, wr * c[3] - wi * d[3]);                                 \
    PUT(type, to_im + 3 * width + q, wi * c[3] + wr * d[3]);                                 \
  }
    ALONG(BODY);
#undef BODY
  }
}

/* a * b, rows of |lanes| and numbers of their own, to |out|, which may be a. */
TARGET static void NAME(multiply_rows)(PARTS a, PARTS b, int64_t rows, int64_t width, PARTS out) {
  for (int64_t k = 0; k < rows; ++k) {
    R c = b.re[k], d = b.im[k];
    const R *re = a.re + k * width, *im = a.im + k * width;
    R *to_re = out.re + k * width, *to_im = out.im + k * width;
#define BODY(type)                                       \
  {                                                      \
    type u = LOAD(type, re + q), v = LOAD(type, im + q); \
    PUT(type, to_re + q, c * u - d * v);                 \
    PUT(type, to_im + q, c * v + d * u);                 \
  }
    ALONG(BODY);
#undef BODY
  }
}

/* Rows |order| of |from| to rows of |to|, or with |back| rows of |from| to rows |order| of |to|. */
TARGET static void NAME(permute)(const int64_t *order, int64_t rows, bool back, int64_t width, PARTS from, PARTS to) {
  for (int64_t k = 0; k < rows; ++k) {
    int64_t here = (back ? k : order[k]) * width, there = (back ? order[k] : k) * width;
    const R *re = from.re + here, *im = from.im + here;
    R *to_re = to.re + there, *to_im = to.im + there;
#define BODY(type)                            \
  {                                           \
    PUT(type, to_re + q, LOAD(type, re + q)); \
    PUT(type, to_im + q, LOAD(type, im + q)); \
  }
    ALONG(BODY);
#undef BODY
  }
}

/* |width| lines side by side, of the length that passes leave over, become their transforms by a convolution; |scratch|
 * has room for two of its length. The transform of swapped parts, swapped, is the inverse. */
TARGET static void NAME(by_convolution)(const PLAN *w, int64_t width, PARTS x, PARTS scratch) {
  int64_t n = w->rest, m = w->inner->n, area = m * width;
  PARTS a = scratch, swapped = {a.im, a.re}, other = {scratch.re + area, scratch.im + area};
  if (!w->order) {
    NAME(multiply_rows)(x, w->chirp, n, width, a);
    memset(a.re + n * width, 0, (size_t)(area - n * width) * sizeof(R));
    memset(a.im + n * width, 0, (size_t)(area - n * width) * sizeof(R));
    NAME(by_passes)(w->inner, 0, width, a, other);
    NAME(multiply_rows)(a, w->kernel, m, width, a);
    NAME(by_passes)(w->inner, 0, width, swapped, other);
    NAME(multiply_rows)(a, w->chirp, n, width, x);
    return;
  }
  NAME(permute)(w->order, m, false, width, x, a);
  NAME(by_passes)(w->inner, 0, width, a, other);
  /* The first element takes the sum of all, which is row 0, and is part of every other one's: of all rows of the
   * inverse transform, where it is added to row 0 before. */
  R c = w->kernel.re[0], d = w->kernel.im[0];
#define BODY(type)                                                         \
  {                                                                        \
    type u = LOAD(type, a.re + q), v = LOAD(type, a.im + q);               \
    type first_re = LOAD(type, x.re + q), first_im = LOAD(type, x.im + q); \
    PUT(type, x.re + q, first_re + u);                                     \
    PUT(type, x.im + q, first_im + v);                                     \
    PUT(type, a.re + q, c * u - d * v + first_re);                         \
    PUT(type, a.im + q, c * v + d * u + first_im);                         \
  }
  ALONG(BODY);
#undef BODY
  PARTS others = {a.re + width, a.im + width};
  NAME(multiply_rows)(others, (PARTS){w->kernel.re + 1, w->kernel.im + 1}, m - 1, width, others);
  NAME(by_passes)(w->inner, 0, width, swapped, other);
  NAME(permute)(w->inverse, m, true, width, a, x);
}

/* x becomes its transform, of the length that the factors from |first| on leave; |scratch| has room for w->scratch
 * elements of each of |lanes|. */
TARGET static void NAME(by_passes)(const PLAN *w, int first, int64_t lanes, PARTS x, PARTS scratch) {
  int64_t n = w->n, s = 1;
  for (int i = 0; i < first; ++i) n /= w->factors[i];
  int64_t elements = n * lanes;
  PARTS from = x, to = scratch;
  for (int i = first; i < w->factor_count; ++i) {
    int p = w->factors[i];
    if (p == 4)
      NAME(pass_4)(w, n, s, lanes, from, to);
    else if (p == 2)
      NAME(pass_2)(w, n, s, lanes, from, to);
    else if (p == 3)
      NAME(pass_3)(w, n, s, lanes, from, to);
    else if (p == 5)
      NAME(pass_5)(w, n, s, lanes, from, to);
    else
      NAME(pass_odd)(w, p, n, s, lanes, from, to);
    PARTS swap = from;
    from = to;
    to = swap;
    n /= p;
    s *= p;
  }
  if (n > 1) NAME(by_convolution)(w, s * lanes, from, (PARTS){scratch.re + elements, scratch.im + elements});
  if (from.re == x.re) return;
  memcpy(x.re, from.re, (size_t)elements * sizeof(R));
  memcpy(x.im, from.im, (size_t)elements * sizeof(R));
}
