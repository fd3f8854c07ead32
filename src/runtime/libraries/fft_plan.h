/* SPDX-License-Identifier: Apache-2.0 */
/* Included by fft_type.h once per type: how a length is transformed. */

typedef struct PARTS {
  R *re, *im;
} PARTS;

/* Transforms of length n: by passes of small factors, and of what they leave over as a cyclic convolution of length
 * inner->n. A plan is one block of memory, which stays where it was made. */
typedef struct PLAN {
  int64_t n;
  int factors[MAX_FACTORS], factor_count;
  PARTS roots;     /* e^(-2 pi i k / n), k < n */
  PARTS halves;    /* e^(-2 pi i k / 2n), k <= n, where lines are real ones of twice the length */
  int64_t scratch; /* elements that a transform of one line needs of each part */
  int64_t rest;    /* without the factors: 1, or what the convolution does */
  struct PLAN *inner;
  PARTS kernel;             /* transformed, over inner->n */
  PARTS chirp;              /* Bluestein: e^(-pi i k^2 / rest), k < rest */
  int64_t *order, *inverse; /* Rader: powers of a generator modulo rest, and of its inverse; null for Bluestein */
  PARTS spare;              /* while it is made */
} PLAN;

/* Memory of a plan: |at| null counts. */
typedef struct NAME(builder) {
  char *at;
  size_t bytes;
} NAME(builder);

static void *NAME(take)(NAME(builder) * b, size_t bytes) {
  void *taken = b->at ? b->at + b->bytes : NULL;
  b->bytes += (bytes + 63) / 64 * 64;
  return taken;
}

static PARTS NAME(take_parts)(NAME(builder) * b, int64_t n) {
  R *re = NAME(take)(b, 2 * (size_t)n * sizeof(R));
  return (PARTS){re, re ? re + n : NULL};
}

/* Roots of the single precision are products of two of the double. */
static void NAME(make_roots)(PARTS roots, int64_t n, int64_t count) {
  enum { near = 64 };
  double re[near], im[near];
  bool products = sizeof(R) == 4 && n > 2 * near;
  for (int64_t k = 0; k < near && products; ++k) root(k, n, &re[k], &im[k]);
  for (int64_t k = 0; k < count; ++k) {
    double c, d;
    root(k, n, &c, &d);
    roots.re[k] = (R)c, roots.im[k] = (R)d;
    for (int64_t l = 1; products && l < near && k + 1 < count; ++l) {
      ++k;
      roots.re[k] = (R)(c * re[l] - d * im[l]);
      roots.im[k] = (R)(c * im[l] + d * re[l]);
    }
  }
}

static void NAME(make_chirp)(PLAN *w) {
  int64_t n = w->rest, m = w->inner->n;
  for (int64_t k = 0; k < m; ++k) w->kernel.re[k] = w->kernel.im[k] = 0;
  for (int64_t k = 0; k < n; ++k) { /* k^2 mod 2n, without overflow */
    double re, im;
    root((int64_t)((unsigned __int128)k * (uint64_t)k % (uint64_t)(2 * n)), 2 * n, &re, &im);
    w->chirp.re[k] = (R)re, w->chirp.im[k] = (R)im;
    int64_t mirrored = k ? m - k : 0;
    w->kernel.re[k] = w->kernel.re[mirrored] = (R)(re / (double)m);
    w->kernel.im[k] = w->kernel.im[mirrored] = (R)(-im / (double)m);
  }
}

static void NAME(make_orders)(PLAN *w) {
  int64_t n = w->rest, m = w->inner->n, power = 1, generator = generator_of(n);
  for (int64_t q = 0; q < m; ++q) {
    w->order[q] = w->inverse[q ? m - q : 0] = power;
    power = multiply(power, generator, n);
  }
  for (int64_t q = 0; q < m; ++q) {
    double re, im;
    root(w->inverse[q], n, &re, &im);
    w->kernel.re[q] = (R)(re / (double)m), w->kernel.im[q] = (R)(im / (double)m);
  }
}

TARGET static void NAME(by_passes)(const PLAN *w, int first, int64_t lanes, PARTS x, PARTS scratch);

/* The plan of length n, for lines of twice that with |halved|. */
static PLAN *NAME(plan_make)(NAME(builder) * b, int64_t n, bool halved) {
  PLAN plan = {.n = n}, *w = NAME(take)(b, sizeof plan);
  int64_t rest = n;
  static const int first[] = {4, 2, 3, 5};
  for (int i = 0; i < 4; ++i)
    while (rest % first[i] == 0) plan.factors[plan.factor_count++] = first[i], rest /= first[i];
  for (int p = 7; p <= MAX_PRIME && rest > 1; p += 2)
    while (rest % p == 0) plan.factors[plan.factor_count++] = p, rest /= p;
  plan.rest = rest;
  plan.scratch = n;
  bool has_order = plan.rest > 1 && has_generator(rest);
  if (plan.factor_count || rest == 1) {
    plan.roots = NAME(take_parts)(b, n);
    if (w) NAME(make_roots)(plan.roots, n, n);
  }
  if (plan.rest > 1) {
    int64_t m = has_order ? rest - 1 : convolution_length(2 * rest - 1);
    plan.scratch += 2 * m * (n / rest);
    plan.inner = NAME(plan_make)(b, m, false);
    plan.kernel = NAME(take_parts)(b, m);
    plan.spare = NAME(take_parts)(b, m);
    if (has_order) {
      plan.order = NAME(take)(b, (size_t)m * sizeof(int64_t));
      plan.inverse = NAME(take)(b, (size_t)m * sizeof(int64_t));
    } else {
      plan.chirp = NAME(take_parts)(b, rest);
    }
  }
  if (halved) plan.halves = NAME(take_parts)(b, n + 1);
  if (!w) return NULL;
  *w = plan;
  if (halved) NAME(make_roots)(w->halves, 2 * n, n + 1);
  if (has_order)
    NAME(make_orders)(w);
  else if (w->inner)
    NAME(make_chirp)(w);
  if (w->inner) NAME(by_passes)(w->inner, 0, 1, w->kernel, w->spare);
  return w;
}
