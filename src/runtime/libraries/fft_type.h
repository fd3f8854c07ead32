/* SPDX-License-Identifier: Apache-2.0 */
/* Included by fft.c once per part type: R, of PART bytes. NAME(x) names, PARTS and PLAN are R's.
 * Vectors are of VECTOR bytes, and TARGET has the compiler use them. No products are rounded
 * together, so that their width changes no bits. */

#include "runtime/libraries/fft_real.h"

TARGET static void NAME(sweep_lines)(void *argument, int64_t begin, int64_t end) {
  fft_sweep *s = argument;
  const PLAN *w = s->plan;
  int64_t area = s->rows * s->together, more = w->scratch * s->together;
  /* Arrays of a power of two would meet in the cache's sets. */
  enum { apart = 64 / sizeof(R) };
  size_t bytes = 2 * (size_t)(area + more + 2 * apart) * sizeof(R);
  R *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!memory) {
    __atomic_store_n(&s->failed, true, __ATOMIC_RELAXED);
    return;
  }
  PARTS x = {memory, memory + area + apart}, scratch = {x.im + area + apart, x.im + area + more + 2 * apart};
  PARTS y =
      s->inverse && !s->odd ? (PARTS){x.im, x.re} : x; /* the inverse is the transform of swapped parts, swapped */
  for (int64_t group = begin; group < end; ++group) {
    int64_t first = group * s->together, count = s->lines - first < s->together ? s->lines - first : s->together;
    int64_t lanes = count == 1 ? 1 : LINES;
    NAME(read_lines)(s, first, count, lanes, y);
    if (!s->odd)
      NAME(by_passes)(w, 0, lanes, x, scratch);
    else if (s->inverse)
      NAME(real_inverse)(w, lanes, x, scratch);
    else
      NAME(real_forward)(w, lanes, x, scratch);
    NAME(write_lines)(s, first, count, lanes, y);
  }
  free(memory);
}

static void NAME(make)(void *argument, void *memory) {
  const fft_sweep *s = argument;
  NAME(builder) b = {.at = memory};
  NAME(plan_make)(&b, s->halved ? s->n / 2 : s->n, s->halved);
}

/* The plan is kept with the executable where that is possible. */
static void NAME(run)(hd_ral_context *ctx, fft_sweep *s) {
  NAME(builder) size = {0};
  int64_t length = s->halved ? s->n / 2 : s->n;
  NAME(plan_make)(&size, length, s->halved);
  void *own = NULL;
  uint64_t use = FFT_PLANS ^ ((uint64_t)length << 2 | (sizeof(R) == 8) << 1 | s->halved);
  s->plan = hd_ral_packed(ctx, NULL, use, size.bytes, NAME(make), s);
  if (!s->plan && (own = aligned_alloc(64, size.bytes))) NAME(make)(s, own);
  if (!s->plan) s->plan = own;
  s->failed = !s->plan;
  s->odd = s->plan && s->form != COMPLEX_LINE && !s->halved && ((const PLAN *)s->plan)->factor_count;
  int64_t groups = (s->lines + s->together - 1) / s->together;
  if (!s->failed) hd_ral_for(ctx, groups, 1 + 400 / (1 + length), NAME(sweep_lines), s);
  free(own);
}

#undef V
#undef LOAD
#undef PUT
#undef ALONG
#undef R
#undef PART
#undef NAME
#undef PARTS
#undef PLAN
