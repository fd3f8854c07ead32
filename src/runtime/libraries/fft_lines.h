/* SPDX-License-Identifier: Apache-2.0 */
/* Included by fft_type.h once per type: lines between memory and the form that passes take. Eight lines are side by
 * side, element k of line l at k * 8 + l; a single line is by itself. */

#include "runtime/libraries/fft_passes.h"

/* Elements of a vector of |VECTOR / PART| parts: those of two next to each other. */
#if VECTOR / PART == 2
#define EVENS 0, 2
#define ODDS 1, 3
#define LOWER 0, 2
#define UPPER 1, 3
#elif VECTOR / PART == 4
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define LOWER 0, 4, 1, 5
#define UPPER 2, 6, 3, 7
#else
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define LOWER 0, 8, 1, 9, 2, 10, 3, 11
#define UPPER 4, 12, 5, 13, 6, 14, 7, 15
#endif
#define MIX(a, b, lanes) __builtin_shufflevector(a, b, lanes)

enum { NAME(width) = VECTOR / PART };

/* Columns become rows: each round puts rows i and i + width / 2 together. */
TARGET static inline void NAME(transpose)(V *v) {
  V u[NAME(width)];
  _Pragma("GCC unroll 4") for (int round = 1; round < NAME(width); round *= 2) {
    _Pragma("GCC unroll 8") for (int i = 0; i < NAME(width); ++i) u[i] = v[i];
    _Pragma("GCC unroll 4") for (int i = 0; i < NAME(width) / 2; ++i) {
      v[2 * i] = MIX(u[i], u[i + NAME(width) / 2], LOWER);
      v[2 * i + 1] = MIX(u[i], u[i + NAME(width) / 2], UPPER);
    }
  }
}

/* |count| parts of eight lines that begin at parts |from|: with |pairs| they are real and imaginary parts by turns. */
TARGET static void NAME(gather)(const fft_sweep *s, const int64_t from[LINES], int64_t count, bool pairs, PARTS x) {
  int64_t k = 0;
  R *row[2] = {x.re, pairs ? x.im : x.re + LINES};
  int64_t step = pairs ? LINES : 2 * LINES; /* of two parts */
  for (; k + NAME(width) <= count; k += NAME(width))
    for (int l = 0; l < LINES; l += NAME(width)) {
      V v[NAME(width)];
      _Pragma("GCC unroll 8") for (int i = 0; i < NAME(width); ++i) v[i] = LOAD(V, (const R *)s->in + from[l + i] + k);
      NAME(transpose)(v);
      _Pragma("GCC unroll 8") for (int i = 0; i < NAME(width); ++i) PUT(V, row[i % 2] + (k + i) / 2 * step + l, v[i]);
    }
  for (; k < count; ++k)
    for (int l = 0; l < LINES; ++l) row[k % 2][k / 2 * step + l] = ((const R *)s->in)[from[l] + k];
}

/* The way back, of the first |lines|, times |scale|. */
TARGET static void NAME(scatter)(const fft_sweep *s, const int64_t to[LINES], int lines, int64_t count, bool pairs,
                                 R scale, PARTS x) {
  int64_t k = 0;
  const R *row[2] = {x.re, pairs ? x.im : x.re + LINES};
  int64_t step = pairs ? LINES : 2 * LINES;
  for (; k + NAME(width) <= count; k += NAME(width))
    for (int l = 0; l < lines; l += NAME(width)) {
      V v[NAME(width)];
      _Pragma("GCC unroll 8") for (int i = 0; i < NAME(width); ++i) v[i] =
          LOAD(V, row[i % 2] + (k + i) / 2 * step + l) * scale;
      NAME(transpose)(v);
      if (l + NAME(width) <= lines) {
        _Pragma("GCC unroll 8") for (int i = 0; i < NAME(width); ++i) PUT(V, (R *)s->out + to[l + i] + k, v[i]);
      } else {
        for (int i = 0; l + i < lines; ++i) PUT(V, (R *)s->out + to[l + i] + k, v[i]);
      }
    }
  for (; k < count; ++k)
    for (int l = 0; l < lines; ++l) ((R *)s->out)[to[l] + k] = row[k % 2][k / 2 * step + l] * scale;
}

/* |count| complex numbers next to each other in memory, from number |at| on. */
TARGET static void NAME(split)(const fft_sweep *s, int64_t at, int64_t count, R *re, R *im) {
  int64_t q = 0;
  for (; q + NAME(width) <= count; q += NAME(width)) {
    V a = LOAD(V, (const R *)s->in + 2 * (at + q)), b = LOAD(V, (const R *)s->in + 2 * (at + q) + NAME(width));
    PUT(V, re + q, MIX(a, b, EVENS));
    PUT(V, im + q, MIX(a, b, ODDS));
  }
  for (; q < count; ++q) {
    re[q] = ((const R *)s->in)[2 * (at + q)];
    im[q] = ((const R *)s->in)[2 * (at + q) + 1];
  }
}
TARGET static void NAME(merge)(const fft_sweep *s, int64_t at, int64_t count, R scale, const R *re, const R *im) {
  int64_t q = 0;
  for (; q + NAME(width) <= count; q += NAME(width)) {
    V a = LOAD(V, re + q) * scale, b = LOAD(V, im + q) * scale;
    PUT(V, (R *)s->out + 2 * (at + q), MIX(a, b, LOWER));
    PUT(V, (R *)s->out + 2 * (at + q) + NAME(width), MIX(a, b, UPPER));
  }
  for (; q < count; ++q) {
    ((R *)s->out)[2 * (at + q)] = re[q] * scale;
    ((R *)s->out)[2 * (at + q) + 1] = im[q] * scale;
  }
}

/* Lines [first, first + count) of complex numbers across memory; neighbours are side by side there too. */
TARGET static void NAME(cross)(const fft_sweep *s, int64_t first, int64_t count, int64_t lanes, R scale, bool reads,
                               PARTS x) {
  if (reads && count < lanes) {
    memset(x.re, 0, (size_t)(s->n * lanes) * sizeof(R));
    memset(x.im, 0, (size_t)(s->n * lanes) * sizeof(R));
  }
  for (int64_t l = 0, run; l < count; l += run) {
    int64_t column = (first + l) % s->inner, at = (first + l) / s->inner * s->n * s->inner + column;
    run = count - l < s->inner - column ? count - l : s->inner - column;
    for (int64_t k = 0; k < s->n; ++k) {
      if (reads)
        NAME(split)(s, at + k * s->inner, run, x.re + k * lanes + l, x.im + k * lanes + l);
      else
        NAME(merge)(s, at + k * s->inner, run, scale, x.re + k * lanes + l, x.im + k * lanes + l);
    }
  }
}

/* From the transform of a real line's even elements as real, the odd ones as imaginary parts, n numbers, to the first
 * n + 1 of the line's. */
TARGET static void NAME(to_half)(PARTS roots, int64_t n, int64_t width, PARTS x) {
  for (int64_t k = 0; 2 * k <= n; ++k) {
    R c = roots.re[k], d = roots.im[k];
    R *pr = x.re + k * width, *pi = x.im + k * width, *mr = x.re + (n - k) * width, *mi = x.im + (n - k) * width;
    const R *zr = k ? mr : pr, *zi = k ? mi : pi;
#define BODY(type)                                                                                            \
  {                                                                                                           \
    type ar = LOAD(type, pr + q), ai = LOAD(type, pi + q), br = LOAD(type, zr + q), bi = -LOAD(type, zi + q); \
    type er = (ar + br) / 2, ei = (ai + bi) / 2, ur = (ai - bi) / 2, ui = (br - ar) / 2;                      \
    type vr = ur * c - ui * d, vi = ui * c + ur * d;                                                          \
    PUT(type, mr + q, er - vr);                                                                               \
    PUT(type, mi + q, vi - ei);                                                                               \
    PUT(type, pr + q, er + vr);                                                                               \
    PUT(type, pi + q, ei + vi);                                                                               \
  }
    ALONG(BODY);
#undef BODY
  }
}

/* Z = E + i O, where E and O are the transforms of the even and the odd elements: the way back. The imaginary parts of
 * the first and the last number do not count. */
TARGET static void NAME(from_half)(PARTS roots, int64_t n, int64_t width, PARTS x) {
  memset(x.im, 0, (size_t)width * sizeof(R));
  memset(x.im + n * width, 0, (size_t)width * sizeof(R));
  for (int64_t k = 0; 2 * k <= n; ++k) {
    R c = roots.re[k], d = roots.im[k];
    R *pr = x.re + k * width, *pi = x.im + k * width, *mr = x.re + (n - k) * width, *mi = x.im + (n - k) * width;
#define BODY(type)                                                                                            \
  {                                                                                                           \
    type ar = LOAD(type, pr + q), ai = LOAD(type, pi + q), br = LOAD(type, mr + q), bi = -LOAD(type, mi + q); \
    type er = (ar + br) / 2, ei = (ai + bi) / 2, ur = (ar - br) / 2, ui = (ai - bi) / 2;                      \
    type vr = ur * c + ui * d, vi = ui * c - ur * d;                                                          \
    PUT(type, mr + q, er + vi);                                                                               \
    PUT(type, mi + q, vr - ei);                                                                               \
    PUT(type, pr + q, er - vi);                                                                               \
    PUT(type, pi + q, ei + vr);                                                                               \
  }
    ALONG(BODY);
#undef BODY
  }
}

TARGET static void NAME(read_lines)(const fft_sweep *s, int64_t first, int64_t count, int64_t lanes, PARTS x) {
  int64_t half = s->n / 2, from[LINES];
  if (s->form == COMPLEX_LINE && (s->inner > 1 || lanes == 1)) {
    if (s->inner == 1)
      NAME(split)(s, first * s->n, s->n, x.re, x.im);
    else
      NAME(cross)(s, first, count, lanes, 1, true, x);
    return;
  }
  int64_t parts = s->form == COMPLEX_LINE ? 2 * s->n : s->form == REAL_LINE ? s->n : 2 * (half + 1);
  bool pairs = s->form != REAL_LINE || s->halved;
  if (lanes == 1) {
    if (pairs) NAME(split)(s, first * parts / 2, parts / 2, x.re, x.im);
    for (int64_t k = 0; k < parts && !pairs; ++k) x.re[k] = ((const R *)s->in)[first * parts + k];
  } else {
    for (int l = 0; l < LINES; ++l) from[l] = (first + (l < count ? l : 0)) * parts;
    NAME(gather)(s, from, parts, pairs, x);
  }
  if (!pairs && !s->odd) memset(x.im, 0, (size_t)(s->n * lanes) * sizeof(R));
  if (s->form != HALF_LINE) return;
  if (s->halved) {
    NAME(from_half)(((const PLAN *)s->plan)->halves, half, lanes, x);
    return;
  }
  if (s->odd) return;
  /* the missing half mirrors the given one */
  memset(x.im, 0, (size_t)lanes * sizeof(R));
  for (int64_t k = half + 1; k < s->n; ++k)
    for (int64_t l = 0; l < lanes; ++l) {
      x.re[k * lanes + l] = x.re[(s->n - k) * lanes + l];
      x.im[k * lanes + l] = -x.im[(s->n - k) * lanes + l];
    }
}

TARGET static void NAME(write_lines)(const fft_sweep *s, int64_t first, int64_t count, int64_t lanes, PARTS x) {
  int64_t half = s->n / 2, to[LINES];
  R scale = s->inverse ? 1 / (R)(s->halved ? half : s->n) : 1;
  if (s->form == COMPLEX_LINE && s->inner > 1) {
    NAME(cross)(s, first, count, lanes, scale, false, x);
    return;
  }
  if (s->form == REAL_LINE && s->halved) NAME(to_half)(((const PLAN *)s->plan)->halves, half, lanes, x);
  int64_t parts = s->form == COMPLEX_LINE ? 2 * s->n : s->form == HALF_LINE ? s->n : 2 * (half + 1);
  bool pairs = s->form != HALF_LINE || s->halved;
  if (lanes == 1) {
    if (pairs) NAME(merge)(s, first * parts / 2, parts / 2, scale, x.re, x.im);
    for (int64_t k = 0; k < parts && !pairs; ++k) ((R *)s->out)[first * parts + k] = x.re[k] * scale;
    return;
  }
  for (int l = 0; l < LINES; ++l) to[l] = (first + l) * parts;
  NAME(scatter)(s, to, (int)count, parts, pairs, scale, x);
}

#undef EVENS
#undef ODDS
#undef LOWER
#undef UPPER
#undef MIX
