/* SPDX-License-Identifier: Apache-2.0 */
/* Included by fft.c once per part type: R, of PART bytes. NAME(x) names, PARTS and PLAN are R's.
 * Vectors are of VECTOR bytes, and TARGET has the compiler use them. No products are rounded
 * together, so that their width changes no bits. */

#include "runtime/libraries/fft_lines.h"

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
