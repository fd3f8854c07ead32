/* SPDX-License-Identifier: Apache-2.0 */
/* Included by fft.c once per part type R: transforms of lines. NAME(x) names, PARTS and PLAN are R's. */

typedef struct PARTS {
  R *re, *im;
} PARTS;

/* Transforms of length n by passes. */
typedef struct PLAN {
  int64_t n;
  int factors[MAX_FACTORS], factor_count;
  bool wide_vectors;
  PARTS roots; /* e^(-2 pi i k / n), k < n */
  /* Bluestein, when |chirp.re| is set: inner->n >= 2 n - 1 */
  struct PLAN *inner;
  PARTS chirp, kernel; /* e^(-pi i k^2 / n), k < n; the transform of its mirrored conjugate */
} PLAN;

#define PASS(x) NAME(x##_base)
#define TARGET
#include "runtime/libraries/fft_passes.h"
#if HD_FFT_LEVELS
#define PASS(x) NAME(x##_avx2)
#define TARGET __attribute__((target("avx2")))
#include "runtime/libraries/fft_passes.h"
#endif

static bool NAME(take_parts)(PARTS *p, int64_t n) {
  p->re = malloc(2 * (size_t)(n ? n : 1) * sizeof(R));
  p->im = p->re ? p->re + n : NULL;
  return p->re != NULL;
}

static void NAME(plan_free)(PLAN *p) {
  if (!p) return;
  free(p->roots.re);
  free(p->chirp.re);
  free(p->kernel.re);
  NAME(plan_free)(p->inner);
  free(p);
}

/* Roots of the single precision are products of two of the double. */
static void NAME(make_roots)(PARTS *roots, int64_t n) {
  enum { near = 64 };
  double re[near], im[near];
  bool products = sizeof(R) == 4 && n > 2 * near;
  for (int64_t k = 0; k < near && products; ++k) root(k, n, &re[k], &im[k]);
  for (int64_t k = 0; k < n; ++k) {
    double c, d;
    root(k, n, &c, &d);
    roots->re[k] = (R)c, roots->im[k] = (R)d;
    for (int64_t l = 1; products && l < near && k + 1 < n; ++l) {
      ++k;
      roots->re[k] = (R)(c * re[l] - d * im[l]);
      roots->im[k] = (R)(c * im[l] + d * re[l]);
    }
  }
}

/* x becomes its transform; |scratch| holds as much. Bluestein's needs 4 * inner->n more of both. */
static void NAME(transform)(const PLAN *w, int64_t lanes, PARTS x, PARTS scratch);

static void NAME(by_passes)(const PLAN *w, int64_t lanes, PARTS x, PARTS scratch) {
  PARTS from = x, to = scratch;
#if HD_FFT_LEVELS
  if (w->wide_vectors)
    NAME(passes_avx2)(w, lanes, &from, &to);
  else
#endif
    NAME(passes_base)(w, lanes, &from, &to);
  if (from.re == x.re) return;
  memcpy(x.re, from.re, (size_t)(w->n * lanes) * sizeof(R));
  memcpy(x.im, from.im, (size_t)(w->n * lanes) * sizeof(R));
}

/* X[k] = c[k] * (x c * 1/c)[k]: a convolution of x c with the mirrored chirp. */
static void NAME(by_chirp)(const PLAN *w, int64_t lanes, PARTS x, PARTS scratch) {
  int64_t n = w->n, m = w->inner->n, area = m * lanes;
  PARTS a = scratch, other = {scratch.re + area, scratch.im + area};
  memset(a.re, 0, (size_t)area * sizeof(R));
  memset(a.im, 0, (size_t)area * sizeof(R));
  for (int64_t k = 0; k < n; ++k)
    for (int64_t q = 0; q < lanes; ++q) {
      R c = w->chirp.re[k], d = w->chirp.im[k], re = x.re[k * lanes + q], im = x.im[k * lanes + q];
      a.re[k * lanes + q] = c * re - d * im;
      a.im[k * lanes + q] = c * im + d * re;
    }
  NAME(transform)(w->inner, lanes, a, other);
  for (int64_t k = 0; k < m; ++k)
    for (int64_t q = 0; q < lanes; ++q) { /* conjugated, so that the next transform is the inverse */
      R c = w->kernel.re[k], d = w->kernel.im[k], re = a.re[k * lanes + q], im = a.im[k * lanes + q];
      a.re[k * lanes + q] = c * re - d * im;
      a.im[k * lanes + q] = -(c * im + d * re);
    }
  NAME(transform)(w->inner, lanes, a, other);
  for (int64_t k = 0; k < n; ++k)
    for (int64_t q = 0; q < lanes; ++q) {
      R c = w->chirp.re[k], d = w->chirp.im[k];
      R re = a.re[k * lanes + q] / (R)m, im = -a.im[k * lanes + q] / (R)m;
      x.re[k * lanes + q] = c * re - d * im;
      x.im[k * lanes + q] = c * im + d * re;
    }
}

static void NAME(transform)(const PLAN *w, int64_t lanes, PARTS x, PARTS scratch) {
  if (w->inner)
    NAME(by_chirp)(w, lanes, x, scratch);
  else
    NAME(by_passes)(w, lanes, x, scratch);
}

/* Elements of scratch per lane and part. */
static int64_t NAME(scratch_of)(const PLAN *w) { return w->inner ? 2 * w->inner->n : w->n; }

static bool NAME(make_chirp)(PLAN *w);

static PLAN *NAME(plan_make)(int64_t n) {
  PLAN *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = n;
  w->wide_vectors = (hd_cpu_features() & HD_CPU_AVX2) != 0;
  int64_t rest = n;
  static const int first[] = {4, 2, 3, 5};
  for (int i = 0; i < 4; ++i)
    while (rest % first[i] == 0) w->factors[w->factor_count++] = first[i], rest /= first[i];
  for (int p = 7; p <= MAX_PRIME && rest > 1; p += 2)
    while (rest % p == 0) w->factors[w->factor_count++] = p, rest /= p;
  bool ok;
  if (rest > 1) {
    ok = NAME(make_chirp)(w);
  } else {
    ok = NAME(take_parts)(&w->roots, n);
    if (ok) NAME(make_roots)(&w->roots, n);
  }
  if (ok) return w;
  NAME(plan_free)(w);
  return NULL;
}

static bool NAME(make_chirp)(PLAN *w) {
  int64_t m = 1, n = w->n;
  while (m < 2 * n - 1) m *= 2;
  PARTS scratch;
  w->inner = NAME(plan_make)(m);
  if (!w->inner || !NAME(take_parts)(&w->chirp, n) || !NAME(take_parts)(&w->kernel, m) ||
      !NAME(take_parts)(&scratch, m))
    return false;
  for (int64_t k = 0; k < m; ++k) w->kernel.re[k] = w->kernel.im[k] = 0;
  for (int64_t k = 0; k < n; ++k) { /* k^2 mod 2n, without overflow */
    double re, im;
    root((int64_t)((unsigned __int128)k * (uint64_t)k % (uint64_t)(2 * n)), 2 * n, &re, &im);
    w->chirp.re[k] = (R)re, w->chirp.im[k] = (R)im;
    int64_t mirrored = k ? m - k : 0;
    w->kernel.re[k] = w->kernel.re[mirrored] = w->chirp.re[k];
    w->kernel.im[k] = w->kernel.im[mirrored] = -w->chirp.im[k];
  }
  NAME(transform)(w->inner, 1, w->kernel, scratch);
  free(scratch.re);
  return true;
}

/* ---- lines of memory ---- */

#define READ(p, i) (s->wide ? (R)((const double *)(p))[i] : (R)((const float *)(p))[i])
#define WRITE(p, i, value)                  \
  do {                                      \
    if (s->wide)                            \
      ((double *)(p))[i] = (double)(value); \
    else                                    \
      ((float *)(p))[i] = (float)(value);   \
  } while (0)

/* Lines [first, first + count) of the input side by side: element k of line l at k * count + l. */
static void NAME(read_lines)(const fft_sweep *s, int64_t first, int64_t count, PARTS x) {
  int64_t n = s->n, half = n / 2;
  R sign = s->inverse ? -1 : 1;
  for (int64_t l = 0; l < count; ++l) {
    int64_t line = first + l, base = line / s->inner * n * s->inner + line % s->inner;
    R *re = x.re + l, *im = x.im + l;
    if (s->form == COMPLEX_LINE) {
      for (int64_t k = 0; k < n; ++k) {
        int64_t at = 2 * (base + k * s->inner);
        re[k * count] = READ(s->in, at), im[k * count] = sign * READ(s->in, at + 1);
      }
    } else if (s->form == REAL_LINE && s->halved) {
      for (int64_t k = 0; k < half; ++k)
        re[k * count] = READ(s->in, line * n + 2 * k), im[k * count] = READ(s->in, line * n + 2 * k + 1);
    } else if (s->form == REAL_LINE) {
      for (int64_t k = 0; k < n; ++k) re[k * count] = READ(s->in, line * n + k), im[k * count] = 0;
    } else if (s->halved) {
      /* Z = E + i O, where E and O are the transforms of the even and the odd elements */
      const R *c = s->roots, *d = c + half + 1;
      for (int64_t k = 0; k < half; ++k) {
        int64_t at = 2 * (line * (half + 1) + k), other = 2 * (line * (half + 1) + half - k);
        R ar = READ(s->in, at), ai = k ? READ(s->in, at + 1) : 0, br = READ(s->in, other),
          bi = k ? -READ(s->in, other + 1) : 0;
        R er = (ar + br) / 2, ei = (ai + bi) / 2, ur = (ar - br) / 2, ui = (ai - bi) / 2;
        R vr = ur * c[k] + ui * d[k], oi = ui * c[k] - ur * d[k];
        re[k * count] = er - oi, im[k * count] = -(ei + vr);
      }
    } else { /* the missing half mirrors the given one */
      for (int64_t k = 0; k < n; ++k) {
        int64_t at = 2 * (line * (half + 1) + (k <= half ? k : n - k));
        R value = k == 0 || 2 * k == n ? 0 : READ(s->in, at + 1);
        re[k * count] = READ(s->in, at), im[k * count] = k <= half ? -value : value;
      }
    }
  }
}

static void NAME(write_lines)(const fft_sweep *s, int64_t first, int64_t count, PARTS x) {
  int64_t n = s->n, half = n / 2;
  R sign = s->inverse ? -1 : 1, scale = s->inverse ? 1 / (R)(s->halved ? half : n) : 1;
  for (int64_t l = 0; l < count; ++l) {
    int64_t line = first + l, base = line / s->inner * n * s->inner + line % s->inner;
    const R *re = x.re + l, *im = x.im + l;
    if (s->form == COMPLEX_LINE) {
      for (int64_t k = 0; k < n; ++k) {
        int64_t at = 2 * (base + k * s->inner);
        WRITE(s->out, at, re[k * count] * scale);
        WRITE(s->out, at + 1, sign * im[k * count] * scale);
      }
    } else if (s->form == REAL_LINE && s->halved) {
      const R *c = s->roots, *d = c + half + 1;
      for (int64_t k = 0; 2 * k <= half; ++k) {
        int64_t mirror = k ? half - k : 0, at = 2 * (line * (half + 1) + k), other = 2 * (line * (half + 1) + half - k);
        R ar = re[k * count], ai = im[k * count], br = re[mirror * count], bi = -im[mirror * count];
        R er = (ar + br) / 2, ei = (ai + bi) / 2, ur = (ai - bi) / 2, ui = (br - ar) / 2;
        R vr = ur * c[k] - ui * d[k], oi = ui * c[k] + ur * d[k];
        WRITE(s->out, other, er - vr);
        WRITE(s->out, other + 1, oi - ei);
        WRITE(s->out, at, er + vr);
        WRITE(s->out, at + 1, ei + oi);
      }
    } else if (s->form == REAL_LINE) {
      for (int64_t k = 0; k <= half; ++k) {
        WRITE(s->out, 2 * (line * (half + 1) + k), re[k * count]);
        WRITE(s->out, 2 * (line * (half + 1) + k) + 1, im[k * count]);
      }
    } else if (s->halved) {
      for (int64_t k = 0; k < half; ++k) {
        WRITE(s->out, line * n + 2 * k, re[k * count] * scale);
        WRITE(s->out, line * n + 2 * k + 1, -im[k * count] * scale);
      }
    } else {
      for (int64_t k = 0; k < n; ++k) WRITE(s->out, line * n + k, re[k * count] * scale);
    }
  }
}

static void NAME(sweep_lines)(void *argument, int64_t begin, int64_t end) {
  fft_sweep *s = argument;
  const PLAN *w = s->plan;
  int64_t area = w->n * s->together, more = NAME(scratch_of)(w) * s->together;
  PARTS x;
  if (!NAME(take_parts)(&x, area + more)) {
    __atomic_store_n(&s->failed, true, __ATOMIC_RELAXED);
    return;
  }
  PARTS scratch = {x.re + area, x.im + area};
  for (int64_t group = begin; group < end; ++group) {
    int64_t first = group * s->together, count = s->lines - first < s->together ? s->lines - first : s->together;
    NAME(read_lines)(s, first, count, x);
    NAME(transform)(w, count, x, scratch);
    NAME(write_lines)(s, first, count, x);
  }
  free(x.re);
}

/* Makes the plan and the roots that the sweep needs, and runs it. */
static void NAME(run)(hd_ral_context *ctx, fft_sweep *s) {
  int64_t length = s->halved ? s->n / 2 : s->n, half = s->n / 2;
  PLAN *w = NAME(plan_make)(length);
  PARTS roots = {0};
  s->plan = w;
  s->failed = !w || (s->halved && !NAME(take_parts)(&roots, half + 1));
  if (!s->failed && s->halved) {
    for (int64_t k = 0; k <= half; ++k) {
      double re, im;
      root(k, s->n, &re, &im);
      roots.re[k] = (R)re, roots.im[k] = (R)im;
    }
    s->roots = roots.re;
  }
  if (!s->failed)
    hd_ral_for(ctx, (s->lines + s->together - 1) / s->together, 1 + 400 / (1 + length), NAME(sweep_lines), s);
  free(roots.re);
  NAME(plan_free)(w);
}

#undef READ
#undef WRITE
#undef R
#undef NAME
#undef PARTS
#undef PLAN
