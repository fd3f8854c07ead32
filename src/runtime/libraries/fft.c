/* SPDX-License-Identifier: Apache-2.0 */
/* Fourier transforms of the last one to three dims as a RAL API.
 *
 * ral_fft___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void
 *   (ctx, stream, in, in, out, type, facts, count)
 *   type    hd_element_type of the complex side: C64 or C128
 *   facts   hd_fft_facts (linalg_abi.h)
 *
 * Computed in f64, real and imaginary parts apart. Lines are taken eight at a time, side by side, so the innermost loop
 * of every pass runs over neighbours. A length is split into factors (Stockham: the passes sort as they go); one with a
 * prime factor above 31 is a convolution with a chirp, done by transforms of a power of two (Bluestein). */
#include <math.h>
#include <stdlib.h>

#include "heddle/element.h"
#include "runtime/libraries/linalg_abi.h"
#include "runtime/ral_api.h"

enum { LINES = 8, MAX_FACTORS = 64, MAX_PRIME = 31 };

typedef struct parts {
  double *re, *im;
} parts;

/* Transforms of length n by passes. */
typedef struct plan {
  int64_t n;
  int factors[MAX_FACTORS], factor_count;
  parts roots; /* e^(-2 pi i k / n), k < n */
  /* Bluestein, when |chirp.re| is set: inner->n >= 2 n - 1 */
  struct plan *inner;
  parts chirp, kernel; /* e^(-pi i k^2 / n), k < n; the transform of its mirrored conjugate */
} plan;

static bool take_parts(parts *p, int64_t n) {
  p->re = malloc(2 * (size_t)(n ? n : 1) * sizeof(double));
  p->im = p->re ? p->re + n : NULL;
  return p->re != NULL;
}

static void plan_free(plan *p) {
  if (!p) return;
  free(p->roots.re);
  free(p->chirp.re);
  free(p->kernel.re);
  plan_free(p->inner);
  free(p);
}

/* e^(-2 pi i k / n), the angle reduced to an eighth of the circle. */
static void root(int64_t k, int64_t n, double *re, double *im) {
  int64_t eighth = 8 * k / n;
  int64_t m = eighth & 1 ? (eighth + 1) / 2 * n - 4 * k : 4 * k - eighth / 2 * n; /* of 4n: within [0, n / 2] */
  double angle = M_PI / 2 * (double)m / (double)n, c = cos(angle), s = sin(angle);
  switch (eighth) {
    case 0:
      *re = c, *im = -s;
      break;
    case 1:
      *re = s, *im = -c;
      break;
    case 2:
      *re = -s, *im = -c;
      break;
    case 3:
      *re = -c, *im = -s;
      break;
    case 4:
      *re = -c, *im = s;
      break;
    case 5:
      *re = -s, *im = c;
      break;
    case 6:
      *re = s, *im = c;
      break;
    default:
      *re = c, *im = s;
  }
}

/* One pass: sub-transforms of length n = p * m, |s| of them side by side.
 *   y[s (p k + t) + q] = w_n^(k t) * sum over r of x[s (k + r m) + q] w_p^(r t) */
static void pass(const plan *w, int p, int64_t n, int64_t s, int64_t lanes, parts x, parts y) {
  int64_t m = n / p, step = w->n / n, width = s * lanes;
  const double *cr = w->roots.re, *ci = w->roots.im;
  for (int64_t k = 0; k < m; ++k)
    for (int t = 0; t < p; ++t) {
      int64_t turn = k * t * step;
      double *to_re = y.re + width * (p * k + t), *to_im = y.im + width * (p * k + t);
      /* w_n^(k t) w_p^(r t): the root of k t + r t m steps */
      for (int r = 0; r < p; ++r) {
        int64_t at = (turn + (int64_t)r * t % p * m * step) % w->n;
        double a = cr[at], b = ci[at];
        const double *re = x.re + width * (k + r * m), *im = x.im + width * (k + r * m);
        if (!r)
          for (int64_t q = 0; q < width; ++q) {
            to_re[q] = a * re[q] - b * im[q];
            to_im[q] = a * im[q] + b * re[q];
          }
        else
          for (int64_t q = 0; q < width; ++q) {
            to_re[q] += a * re[q] - b * im[q];
            to_im[q] += a * im[q] + b * re[q];
          }
      }
    }
}

/* Passes of 2 and 4, which need no products but by the roots of the whole. */
static void pass2(const plan *w, int64_t n, int64_t s, int64_t lanes, parts x, parts y) {
  int64_t m = n / 2, step = w->n / n, width = s * lanes;
  for (int64_t k = 0; k < m; ++k) {
    double c = w->roots.re[k * step], d = w->roots.im[k * step];
    const double *ar = x.re + width * k, *ai = x.im + width * k, *br = ar + width * m, *bi = ai + width * m;
    double *ur = y.re + width * 2 * k, *ui = y.im + width * 2 * k, *vr = ur + width, *vi = ui + width;
    for (int64_t q = 0; q < width; ++q) {
      double er = ar[q] - br[q], ei = ai[q] - bi[q];
      ur[q] = ar[q] + br[q];
      ui[q] = ai[q] + bi[q];
      vr[q] = c * er - d * ei;
      vi[q] = c * ei + d * er;
    }
  }
}

static void pass4(const plan *w, int64_t n, int64_t s, int64_t lanes, parts x, parts y) {
  int64_t m = n / 4, step = w->n / n, width = s * lanes;
  for (int64_t k = 0; k < m; ++k) {
    double c[4], d[4];
    for (int t = 1; t < 4; ++t) c[t] = w->roots.re[k * t * step], d[t] = w->roots.im[k * t * step];
    const double *re[4], *im[4];
    double *to_re[4], *to_im[4];
    for (int r = 0; r < 4; ++r) {
      re[r] = x.re + width * (k + r * m), im[r] = x.im + width * (k + r * m);
      to_re[r] = y.re + width * (4 * k + r), to_im[r] = y.im + width * (4 * k + r);
    }
    for (int64_t q = 0; q < width; ++q) {
      double sr = re[0][q] + re[2][q], si = im[0][q] + im[2][q], dr = re[0][q] - re[2][q], di = im[0][q] - im[2][q];
      double tr = re[1][q] + re[3][q], ti = im[1][q] + im[3][q], er = re[1][q] - re[3][q], ei = im[1][q] - im[3][q];
      to_re[0][q] = sr + tr;
      to_im[0][q] = si + ti;
      double ur = dr + ei, ui = di - er, vr = sr - tr, vi = si - ti, wr = dr - ei, wi = di + er;
      to_re[1][q] = c[1] * ur - d[1] * ui;
      to_im[1][q] = c[1] * ui + d[1] * ur;
      to_re[2][q] = c[2] * vr - d[2] * vi;
      to_im[2][q] = c[2] * vi + d[2] * vr;
      to_re[3][q] = c[3] * wr - d[3] * wi;
      to_im[3][q] = c[3] * wi + d[3] * wr;
    }
  }
}

/* x becomes its transform; |scratch| holds as much. Bluestein's needs 4 * inner->n more of both. */
static void transform(const plan *w, int64_t lanes, parts x, parts scratch);

static void by_passes(const plan *w, int64_t lanes, parts x, parts scratch) {
  parts from = x, to = scratch;
  int64_t n = w->n, s = 1;
  for (int i = 0; i < w->factor_count; ++i) {
    int p = w->factors[i];
    if (p == 4)
      pass4(w, n, s, lanes, from, to);
    else if (p == 2)
      pass2(w, n, s, lanes, from, to);
    else
      pass(w, p, n, s, lanes, from, to);
    parts swap = from;
    from = to;
    to = swap;
    n /= p;
    s *= p;
  }
  if (from.re == x.re) return;
  memcpy(x.re, from.re, (size_t)(w->n * lanes) * sizeof(double));
  memcpy(x.im, from.im, (size_t)(w->n * lanes) * sizeof(double));
}

/* X[k] = c[k] * (x c * 1/c)[k]: a convolution of x c with the mirrored chirp. */
static void by_chirp(const plan *w, int64_t lanes, parts x, parts scratch) {
  int64_t n = w->n, m = w->inner->n, area = m * lanes;
  parts a = scratch, other = {scratch.re + area, scratch.im + area};
  memset(a.re, 0, (size_t)area * sizeof(double));
  memset(a.im, 0, (size_t)area * sizeof(double));
  for (int64_t k = 0; k < n; ++k)
    for (int64_t q = 0; q < lanes; ++q) {
      double c = w->chirp.re[k], d = w->chirp.im[k], re = x.re[k * lanes + q], im = x.im[k * lanes + q];
      a.re[k * lanes + q] = c * re - d * im;
      a.im[k * lanes + q] = c * im + d * re;
    }
  transform(w->inner, lanes, a, other);
  for (int64_t k = 0; k < m; ++k)
    for (int64_t q = 0; q < lanes; ++q) { /* conjugated, so that the next transform is the inverse */
      double c = w->kernel.re[k], d = w->kernel.im[k], re = a.re[k * lanes + q], im = a.im[k * lanes + q];
      a.re[k * lanes + q] = c * re - d * im;
      a.im[k * lanes + q] = -(c * im + d * re);
    }
  transform(w->inner, lanes, a, other);
  for (int64_t k = 0; k < n; ++k)
    for (int64_t q = 0; q < lanes; ++q) {
      double c = w->chirp.re[k], d = w->chirp.im[k];
      double re = a.re[k * lanes + q] / (double)m, im = -a.im[k * lanes + q] / (double)m;
      x.re[k * lanes + q] = c * re - d * im;
      x.im[k * lanes + q] = c * im + d * re;
    }
}

static void transform(const plan *w, int64_t lanes, parts x, parts scratch) {
  if (w->inner)
    by_chirp(w, lanes, x, scratch);
  else
    by_passes(w, lanes, x, scratch);
}

/* Doubles of scratch per lane and part. */
static int64_t scratch_of(const plan *w) { return w->inner ? 2 * w->inner->n : w->n; }

static bool make_chirp(plan *w);

static plan *plan_make(int64_t n) {
  plan *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = n;
  int64_t rest = n;
  static const int first[] = {4, 2, 3, 5};
  for (int i = 0; i < 4; ++i)
    while (rest % first[i] == 0) w->factors[w->factor_count++] = first[i], rest /= first[i];
  for (int p = 7; p <= MAX_PRIME && rest > 1; p += 2)
    while (rest % p == 0) w->factors[w->factor_count++] = p, rest /= p;
  bool ok;
  if (rest > 1) {
    ok = make_chirp(w);
  } else {
    ok = take_parts(&w->roots, n);
    for (int64_t k = 0; ok && k < n; ++k) root(k, n, &w->roots.re[k], &w->roots.im[k]);
  }
  if (ok) return w;
  plan_free(w);
  return NULL;
}

static bool make_chirp(plan *w) {
  int64_t m = 1, n = w->n;
  while (m < 2 * n - 1) m *= 2;
  parts scratch;
  w->inner = plan_make(m);
  if (!w->inner || !take_parts(&w->chirp, n) || !take_parts(&w->kernel, m) || !take_parts(&scratch, m)) return false;
  for (int64_t k = 0; k < m; ++k) w->kernel.re[k] = w->kernel.im[k] = 0;
  for (int64_t k = 0; k < n; ++k) { /* k^2 mod 2n, without overflow */
    root((int64_t)((unsigned __int128)k * (uint64_t)k % (uint64_t)(2 * n)), 2 * n, &w->chirp.re[k], &w->chirp.im[k]);
    int64_t mirrored = k ? m - k : 0;
    w->kernel.re[k] = w->kernel.re[mirrored] = w->chirp.re[k];
    w->kernel.im[k] = w->kernel.im[mirrored] = -w->chirp.im[k];
  }
  transform(w->inner, 1, w->kernel, scratch);
  free(scratch.re);
  return true;
}

/* All lines along one axis of |data|, whose dims are outer x n x inner. */
typedef struct sweep {
  hd_ral_context *ctx;
  const plan *w;
  parts data;
  int64_t inner, lines;
  bool inverse, failed;
} sweep;

static void sweep_lines(void *argument, int64_t begin, int64_t end) {
  sweep *s = argument;
  int64_t n = s->w->n, area = n * LINES, more = scratch_of(s->w) * LINES;
  parts x;
  if (!take_parts(&x, area + more)) {
    __atomic_store_n(&s->failed, true, __ATOMIC_RELAXED);
    return;
  }
  parts scratch = {x.re + area, x.im + area};
  double scale = s->inverse ? 1 / (double)n : 1, sign = s->inverse ? -1 : 1;
  for (int64_t group = begin; group < end; ++group) {
    int64_t first = group * LINES, count = s->lines - first < LINES ? s->lines - first : LINES;
    for (int64_t l = 0; l < count; ++l) {
      int64_t line = first + l, base = line / s->inner * n * s->inner + line % s->inner;
      for (int64_t k = 0; k < n; ++k) {
        x.re[k * count + l] = s->data.re[base + k * s->inner];
        x.im[k * count + l] = sign * s->data.im[base + k * s->inner];
      }
    }
    transform(s->w, count, x, scratch);
    for (int64_t l = 0; l < count; ++l) {
      int64_t line = first + l, base = line / s->inner * n * s->inner + line % s->inner;
      for (int64_t k = 0; k < n; ++k) {
        s->data.re[base + k * s->inner] = x.re[k * count + l] * scale;
        s->data.im[base + k * s->inner] = sign * x.im[k * count + l] * scale;
      }
    }
  }
  free(x.re);
}

static bool transform_axis(hd_ral_context *ctx, parts data, int64_t outer, int64_t n, int64_t inner, bool inverse) {
  if (n <= 1 || !outer || !inner || !hd_ral_go_on(ctx)) return !hd_ral_failed(ctx);
  plan *w = plan_make(n);
  sweep s = {ctx, w, data, inner, outer * inner, inverse, w == NULL};
  if (w) hd_ral_for(ctx, (s.lines + LINES - 1) / LINES, 1 + 400 / n, sweep_lines, &s);
  plan_free(w);
  if (s.failed)
    hd_ral_fail(ctx, hd_make_status(HD_RESOURCE_EXHAUSTED, "fft: no memory for a line of %lld", (long long)n));
  return !s.failed;
}

static void load(const void *in, bool is_double, bool real, parts to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = real ? i : 2 * i;
    to.re[i] = is_double ? ((const double *)in)[at] : ((const float *)in)[at];
    to.im[i] = real ? 0 : is_double ? ((const double *)in)[at + 1] : ((const float *)in)[at + 1];
  }
}

static void put(void *out, bool is_double, int64_t at, double value) {
  if (is_double)
    ((double *)out)[at] = value;
  else
    ((float *)out)[at] = (float)value;
}

static void fft(hd_ral_context *ctx, void *stream, void *in, void *unused, void *out, int64_t type, void *facts,
                int64_t count) {
  (void)stream, (void)unused;
  const hd_fft_facts *f = facts;
  if (count != HD_WORDS(hd_fft_facts) || f->kind < HD_FFT_FORWARD || f->kind > HD_FFT_REAL_INVERSE || f->axes < 1 ||
      f->axes > HD_FFT_MAX_AXES || (type != HD_ELEMENT_C64 && type != HD_ELEMENT_C128)) {
    hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT, "fft: expected %u facts of complex numbers, got %lld of %s",
                                    HD_WORDS(hd_fft_facts), (long long)count, hd_element_text((hd_element_type)type)));
    return;
  }
  bool wide = type == HD_ELEMENT_C128, real_in = f->kind == HD_FFT_REAL_FORWARD,
       real_out = f->kind == HD_FFT_REAL_INVERSE;
  int64_t axes = f->axes, n = f->lengths[axes - 1], half = n / 2 + 1, rows = f->batch; /* lines of the last dim */
  for (int64_t i = 0; i + 1 < axes; ++i) rows *= f->lengths[i];
  int64_t room = rows * n;
  if (!room) {
    size_t left = (size_t)rows * (size_t)(real_in && n ? half : n);
    memset(out, 0, left * hd_element_bytes((hd_element_type)type) / (real_out ? 2 : 1));
    return;
  }
  parts data = {hd_ral_take(ctx, 2 * (size_t)room * sizeof(double)), NULL};
  if (!data.re) return;
  data.im = data.re + room;
  int64_t width = real_out ? half : n; /* of the last dim while the outer ones are transformed */
  bool inverse = f->kind == HD_FFT_INVERSE || real_out;
  load(in, wide, real_in, data, rows * width);
  bool ok = real_out || transform_axis(ctx, data, rows, n, 1, inverse);
  int64_t outer = f->batch, inner = width;
  for (int64_t i = axes - 1; i-- > 0;) inner *= f->lengths[i];
  for (int64_t i = 0; i + 1 < axes && ok; ++i) {
    inner /= f->lengths[i];
    ok = transform_axis(ctx, data, outer, f->lengths[i], inner, inverse);
    outer *= f->lengths[i];
  }
  if (ok && real_out) { /* the missing half mirrors the given one */
    parts full = {hd_ral_take(ctx, 2 * (size_t)room * sizeof(double)), NULL};
    ok = full.re != NULL;
    if (ok) full.im = full.re + room;
    for (int64_t row = 0; ok && row < rows; ++row)
      for (int64_t k = 0; k < n; ++k) {
        int64_t from = row * half + (k < half ? k : n - k);
        full.re[row * n + k] = data.re[from];
        full.im[row * n + k] = k == 0 || 2 * k == n ? 0 : k < half ? data.im[from] : -data.im[from];
      }
    hd_ral_give(ctx, data.re);
    data = full;
    ok = ok && transform_axis(ctx, data, rows, n, 1, true);
  }
  int64_t kept = real_in ? half : n;
  for (int64_t row = 0; ok && row < rows; ++row)
    for (int64_t k = 0; k < kept; ++k) {
      int64_t to = row * kept + k;
      if (real_out) {
        put(out, wide, to, data.re[row * n + k]);
      } else {
        put(out, wide, 2 * to, data.re[row * n + k]);
        put(out, wide, 2 * to + 1, data.im[row * n + k]);
      }
    }
  if (data.re) hd_ral_give(ctx, data.re);
}
HD_RAL_LIBRARY("ral_fft", fft, void, pvoid, pvoid, pvoid, pvoid, i64, pvoid, i64)

HD_RAL_TABLE(fft, fft)
