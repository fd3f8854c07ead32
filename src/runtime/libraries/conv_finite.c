/* SPDX-License-Identifier: Apache-2.0 */
/* Are all weights of a kernel finite? Where they are, padding and the gaps of dilation need not be multiplied. */
#include <string.h>

#include "runtime/libraries/conv_problem.h"

enum { longest_line = 65536 };

typedef struct scan {
  const hd_conv_problem *c;
  int64_t sizes[5], steps[5]; /* by decreasing step, dims of size 1 first */
  size_t bytes;
  uint64_t exponent;
  atomic_bool not_finite;
} scan;

/* Adding the lowest bit of an exponent to the exponent reaches the sign's bit where all of its bits are ones, and no
 * further, so words of 64 bits test all elements in them at once. */
typedef uint64_t words __attribute__((vector_size(32)));
#define ANY(T)                                                                            \
  do {                                                                                    \
    const T mask = (T)s->exponent, one = (T)(mask & (~mask + 1)), sign = (T)(mask + one); \
    T found = 0;                                                                          \
    for (; i < size; ++i) {                                                               \
      T x;                                                                                \
      memcpy(&x, at + i * step * (int64_t)sizeof x, sizeof x);                            \
      found |= (T)((x & mask) + one);                                                     \
    }                                                                                     \
    return (found & sign) != 0;                                                           \
  } while (0)

static bool line_has_infinity(const scan *s, const char *at) {
  int64_t size = s->sizes[4], step = s->steps[4], i = 0, each = 8 / (int64_t)s->bytes;
  if (step == 1) {
    words mask = {0}, found = {0}, one, sign, x;
    for (int64_t l = 0; l < each; ++l) mask |= s->exponent << (unsigned)(64 / each * l);
    one = mask & ~(mask << 1);
    sign = (mask << 1) & ~mask;
    each *= (int64_t)(sizeof x / 8);
    for (; i + each <= size; i += each) {
      memcpy(&x, at + i * (int64_t)s->bytes, sizeof x);
      found |= (x & mask) + one;
    }
    found &= sign;
    if (found[0] | found[1] | found[2] | found[3]) return true;
  }
  if (s->bytes == 2) ANY(uint16_t);
  if (s->bytes == 4) ANY(uint32_t);
  ANY(uint64_t);
}

static void scan_range(void *argument, int64_t begin, int64_t end) {
  scan *s = argument;
  for (int64_t line = begin; line < end; ++line) {
    int64_t rest = line, at = 0;
    for (int i = 3; i >= 0; --i) {
      at += rest % s->sizes[i] * s->steps[i];
      rest /= s->sizes[i];
    }
    if (atomic_load_explicit(&s->not_finite, memory_order_relaxed)) return;
    if (line_has_infinity(s, (const char *)s->c->call->kernel + at * (int64_t)s->bytes))
      atomic_store_explicit(&s->not_finite, true, memory_order_relaxed);
  }
}

bool hd_conv_kernel_is_finite(const hd_conv_problem *c) {
  const hd_conv_call *call = c->call;
  scan s = {.c = c, .bytes = c->p.b_size};
  switch (c->p.b_type) {
    case HD_ELEMENT_F32:
      s.exponent = 0x7f800000;
      break;
    case HD_ELEMENT_F64:
      s.exponent = 0x7ff0000000000000;
      break;
    case HD_ELEMENT_BF16:
      s.exponent = 0x7f80;
      break;
    case HD_ELEMENT_F16:
      s.exponent = 0x7c00;
      break;
    default:
      return c->p.compute == HD_GEMM_I32 || c->p.compute == HD_GEMM_I64;
  }
  int64_t sizes[] = {c->w[0].kernel, c->w[1].kernel, c->w[2].kernel, call->input_features, call->output_features},
          steps[] = {c->w[0].kernel_step, c->w[1].kernel_step, c->w[2].kernel_step, call->kernel_input_step,
                     call->kernel_output_step};
  int64_t lines = 1;
  for (int i = 0; i < 5; ++i) {
    if (!sizes[i]) return true;
    int at = i;
    for (; at > 0 && (sizes[i] == 1 || (s.sizes[at - 1] != 1 && s.steps[at - 1] < steps[i])); --at)
      s.sizes[at] = s.sizes[at - 1], s.steps[at] = s.steps[at - 1];
    s.sizes[at] = sizes[i], s.steps[at] = steps[i];
  }
  /* Dims that are one in memory are one line, while several threads can have some. */
  for (int i = 3; i >= 0 && s.steps[i] == s.steps[4] * s.sizes[4] && s.sizes[4] * s.sizes[i] <= longest_line; --i)
    s.sizes[4] *= s.sizes[i], s.sizes[i] = 1;
  for (int i = 0; i < 4; ++i) lines *= s.sizes[i];
  hd_conv_in_parallel(c, lines, (double)(s.sizes[4] * (int64_t)s.bytes) / HD_GEMM_BYTES_PER_GRAIN, scan_range, &s);
  return !atomic_load_explicit(&s.not_finite, memory_order_relaxed);
}
