/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/gemm_bands.h"

#include <string.h>

enum {
  least_depth = 32,   /* of k: less is a few steps of a tile anyway */
  least_others = 512, /* rows or columns of the other operand, to which looking for a band is nothing */
  most_elements = 1 << 20,
};

/* ---- bands ------------------------------------------------------------------------------------------------------ */

static bool is_zero(const char *x, size_t size) {
  uint64_t bits = 0;
  memcpy(&bits, x, size);
  return bits << (65 - 8 * size) == 0; /* without the sign */
}

static bool all_zero(const char *x, int64_t count, int64_t step, size_t size) {
  for (int64_t i = 0; i < count; ++i)
    if (!is_zero(x + i * step * (int64_t)size, size)) return false;
  return true;
}

/* Of the |count| lines along k, |step| apart, at |x|; false where it is more than a quarter of k, below
 * which skipping pays for looking at both operands. */
static bool find_band(const char *x, int64_t k, int64_t k_step, int64_t count, int64_t step, size_t size,
                      hd_gemm_band *out) {
  int64_t first = 0, end = k, line = k_step * (int64_t)size;
  while (first < end && all_zero(x + first * line, count, step, size)) ++first;
  while (first < end && all_zero(x + (end - 1) * line, count, step, size)) --end;
  *out = (hd_gemm_band){first, end};
  return end - first <= k / 4;
}

/* Of every |group| of |lines| lines; all of them are such bands, or false, mostly after the first. */
static bool find_bands(const char *x, int64_t k, int64_t k_step, int64_t lines, int64_t step, int64_t group,
                       size_t size, hd_gemm_band *out) {
  for (int64_t i = 0; i < lines; i += group) {
    int64_t count = lines - i < group ? lines - i : group;
    if (!find_band(x + i * step * (int64_t)size, k, k_step, count, step, size, &out[i / group])) return false;
  }
  return true;
}

/* ---- the other operand ------------------------------------------------------------------------------------------ */

typedef struct search {
  const hd_gemm_problem *p;
  bool of_b;
  int64_t lines, line_step, count, step; /* lines of |count| elements, one step of the loops after the other */
  atomic_bool infinite;
} search;

/* Has any element all bits of the exponent? One more, LEAST, makes those, and no others, the sign bit. */
#define HAS_INFINITE(name, T, EXPONENT, LEAST)                       \
  static bool name(const char *x, int64_t count, int64_t step) {     \
    typedef T vector __attribute__((vector_size(32)));               \
    enum { lanes = 32 / sizeof(T) };                                 \
    int64_t i = 0;                                                   \
    vector found = {0};                                              \
    for (; step == 1 && i + lanes <= count; i += lanes) {            \
      vector bits;                                                   \
      memcpy(&bits, x + i * (int64_t)sizeof(T), sizeof bits);        \
      found |= (bits & (EXPONENT)) + (LEAST);                        \
    }                                                                \
    T any = 0;                                                       \
    for (int l = 0; l < lanes; ++l) any |= found[l];                 \
    for (; i < count; ++i) {                                         \
      T bits;                                                        \
      memcpy(&bits, x + i * step * (int64_t)sizeof(T), sizeof bits); \
      any |= (bits & (EXPONENT)) + (LEAST);                          \
    }                                                                \
    return any >> (8 * sizeof(T) - 1);                               \
  }
HAS_INFINITE(has_infinite_f32, uint32_t, UINT32_C(0x7f800000), UINT32_C(0x00800000))
HAS_INFINITE(has_infinite_f64, uint64_t, UINT64_C(0x7ff0000000000000), UINT64_C(0x0010000000000000))
#undef HAS_INFINITE

static void search_lines(void *argument, int64_t begin, int64_t end) {
  search *s = argument;
  const hd_gemm_problem *p = s->p;
  const char *x = NULL;
  for (int64_t i = begin; i < end && !atomic_load_explicit(&s->infinite, memory_order_relaxed); ++i) {
    if (!x || i % s->lines == 0) {
      hd_gemm_point at = hd_gemm_problem_point(p, i / s->lines);
      x = s->of_b ? at.b : at.a;
    }
    const char *line = x + i % s->lines * s->line_step * (int64_t)p->size;
    if ((p->size == 4 ? has_infinite_f32 : has_infinite_f64)(line, s->count, s->step))
      atomic_store_explicit(&s->infinite, true, memory_order_relaxed);
  }
}

static bool is_fixed(const hd_gemm_problem *p, bool b) {
  for (int32_t i = 0; i < p->loop_count; ++i)
    if (b ? p->loops[i].b : p->loops[i].a) return false;
  return true;
}

static bool is_finite(const hd_gemm_problem *p, bool b, const hd_gemm_env *env) {
  search s = {.p = p,
              .of_b = b,
              .lines = p->k,
              .line_step = b ? p->b_k : p->a_k,
              .count = b ? p->n : p->m,
              .step = b ? p->b_n : p->a_m};
  if (s.step != 1)
    s = (search){.p = p, .of_b = b, .lines = s.count, .line_step = s.step, .count = p->k, .step = s.line_step};
  int64_t items = is_fixed(p, b) ? s.lines : s.lines * p->loop_total;
  double grain = HD_GEMM_BYTES_PER_GRAIN / ((double)s.count * (double)p->size);
  if (env && env->for_range && env->threads > 1)
    env->for_range(env->user, items, grain > 1 ? (int64_t)grain : 1, search_lines, &s);
  else
    search_lines(&s, 0, items);
  return !atomic_load_explicit(&s.infinite, memory_order_relaxed);
}

/* ---- the product ------------------------------------------------------------------------------------------------ */

static bool may_have_band(const hd_gemm_problem *p, bool b) {
  int64_t lines = b ? p->n : p->m, others = b ? p->m : p->n;
  return lines >= 2 * HD_GEMM_BAND_ROWS && lines <= most_elements / p->k && others >= least_others / p->loop_total &&
         is_fixed(p, b);
}

void hd_gemm_bands_find(hd_gemm_context *context, const hd_gemm_problem *p, const hd_gemm_env *env,
                        hd_gemm_bands *out) {
  *out = (hd_gemm_bands){0};
  bool floats = p->compute == HD_GEMM_F32 || p->compute == HD_GEMM_F64;
  if (!floats || p->a_size != p->size || p->b_size != p->size || p->k < least_depth) return;
  int64_t lanes = p->kernels->vector_bytes / (int64_t)p->size;
  bool rows = may_have_band(p, false), columns = may_have_band(p, true);
  if (!rows && !columns) return;
  int64_t groups = rows ? (p->m + HD_GEMM_BAND_ROWS - 1) / HD_GEMM_BAND_ROWS : 0,
          vectors = columns ? (p->n + lanes - 1) / lanes : 0;
  out->memory = hd_gemm_block_acquire(context, (size_t)(groups + vectors) * sizeof(hd_gemm_band));
  if (!out->memory) return;
  hd_gemm_band *of_a = (hd_gemm_band *)(void *)out->memory->data, *of_b = of_a + groups;
  hd_gemm_point at = hd_gemm_problem_point(p, 0);
  if (rows && find_bands(at.a, p->k, p->a_k, p->m, p->a_m, HD_GEMM_BAND_ROWS, p->size, of_a) && is_finite(p, true, env))
    out->rows = of_a;
  if (columns && find_bands(at.b, p->k, p->b_k, p->n, p->b_n, lanes, p->size, of_b) && is_finite(p, false, env))
    out->columns = of_b;
}

void hd_gemm_bands_release(hd_gemm_context *context, hd_gemm_bands *bands) {
  if (bands->memory) hd_gemm_block_release(context, bands->memory);
  *bands = (hd_gemm_bands){0};
}
