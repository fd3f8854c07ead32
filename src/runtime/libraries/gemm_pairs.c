/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of A and panels of B as words of two bf16, and whether the instruction that multiplies such words may. */
#include <string.h>

#include "runtime/libraries/gemm_problem.h"

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

hd_gemm_least hd_gemm_least_none(void) {
  hd_gemm_least least;
  memset(&least, 0xff, sizeof least);
  return least;
}

uint32_t hd_gemm_least_of(const hd_gemm_least *least) {
  typedef uint16_t lanes __attribute__((vector_size(16)));
  enum { LANES = sizeof(lanes) / sizeof(uint16_t) };
  lanes all[sizeof least->lanes / sizeof(lanes)];
  memcpy(all, least->lanes, sizeof all);
  for (size_t i = 1; i < sizeof all / sizeof *all; ++i) {
    lanes below = (lanes)(all[i] < all[0]);
    all[0] = (below & all[i]) | (~below & all[0]);
  }
  uint32_t out = UINT16_MAX;
  for (int l = 0; l < LANES; ++l) out = all[0][l] < out ? all[0][l] : out;
  return out;
}

void hd_gemm_lower_least(atomic_uint *of_all, const hd_gemm_least *least) {
  uint32_t mine = hd_gemm_least_of(least), known = atomic_load_explicit(of_all, memory_order_relaxed);
  while (mine < known &&
         !atomic_compare_exchange_weak_explicit(of_all, &known, mine, memory_order_relaxed, memory_order_relaxed)) {
  }
}

/* No factor may be denormal. Elements of exponents i and k are multiples of 2^(i-7) and 2^(k-7), so sums of products,
 * rounded or not, are multiples of 2^(i+k-14): none is denormal where that is 2^-126 or more. */
bool hd_gemm_never_denormal(uint32_t least_a, uint32_t least_b) {
  enum { BIAS = 127, FRACTION = 7, NORMAL = -126 };
  int32_t i = (int32_t)(least_a + 1) >> FRACTION, k = (int32_t)(least_b + 1) >> FRACTION;
  return i > 0 && k > 0 && i - BIAS + k - BIAS - 2 * FRACTION >= NORMAL;
}

static void pair_rows(hd_kernel_fn kernel, const char *a, int64_t a_row, int64_t rows, int64_t columns, char *d,
                      int64_t d_row, hd_gemm_least *least) {
  hd_gemm_pair_copy args = {.a = a, .a_row = a_row, .d = d, .d_row = d_row, .rows = rows, .least = least};
  kernel((const uint64_t *)(const void *)&args, 0, columns);
}

enum { half_bytes = 2, word_bytes = 4, word_lanes = 16 };

void hd_gemm_pair_b(const hd_gemm_problem *p, const char *b, int64_t k0, int64_t k1, int64_t n0, int64_t columns,
                    char *panel, int64_t width, char *temporary, hd_gemm_least *least) {
  int64_t rows = k1 - k0;
  if (rows <= 0 || columns <= 0) return;
  const char *from = b + (k0 * p->b_k + n0 * p->b_n) * half_bytes;
  if (p->b_n == 1) {
    pair_rows(p->pairs->interleave, from, p->b_k, rows, columns, panel, width, least);
  } else if (p->b_k == 1) {
    /* Words first, which a square of words turns into columns. */
    enum { high = HD_GEMM_GATHER_BYTES / half_bytes / word_lanes, high_words = high / 2 };
    hd_kernel_fn transpose = p->kernels->transpose[HD_ELEMENT_I32][HD_GEMM_I32];
    for (int64_t j = 0; j < columns; j += word_lanes) {
      int64_t lines = min64(word_lanes, columns - j);
      for (int64_t r = 0; r < rows; r += high) {
        int64_t few = min64(high, rows - r);
        pair_rows(p->pairs->turn, from + (j * p->b_n + r) * half_bytes, p->b_n, lines, few, temporary, high_words,
                  least);
        hd_gemm_copy args = {.a = temporary,
                             .a_row = high_words,
                             .d = panel + (r / 2 * width + j) * word_bytes,
                             .d_row = width,
                             .rows = lines};
        transpose((const uint64_t *)(const void *)&args, 0, hd_gemm_words(few));
      }
    }
  } else {
    int64_t high = HD_GEMM_GATHER_BYTES / half_bytes / columns / 2 * 2;
    for (int64_t r = 0; r < rows; r += high) {
      int64_t few = min64(high, rows - r);
      hd_gemm_gather(from + r * p->b_k * half_bytes, p->b_k, p->b_n, few, columns, half_bytes, temporary);
      pair_rows(p->pairs->interleave, temporary, columns, few, columns, panel + r / 2 * width * word_bytes, width,
                least);
    }
  }
  /* What is beside a last k alone must give -0, which leaves sums of -0 too as they are: +0 of A by -0. */
  uint32_t *last = (uint32_t *)(void *)(panel + rows / 2 * width * word_bytes);
  for (int64_t j = 0; rows % 2 && j < columns; ++j) last[j] |= 0x8000;
}

void hd_gemm_pair_a(const hd_gemm_problem *p, const char *a, int64_t m0, int64_t m1, int64_t k0, int64_t k1,
                    char *block, char *temporary, hd_gemm_least *least, int64_t *out_row, int64_t *out_k) {
  const char *from = a + (m0 * p->a_m + k0 * p->a_k) * half_bytes;
  int64_t rows = m1 - m0, depth = k1 - k0;
  if (p->a_m == 1 && p->a_k != 1) {
    *out_row = 1;
    *out_k = hd_gemm_a_pitch(p, rows);
    if (depth > 0) pair_rows(p->pairs->interleave, from, p->a_k, depth, rows, block, *out_k, least);
    return;
  }
  *out_row = hd_gemm_a_pitch(p, hd_gemm_words(depth));
  *out_k = 1;
  hd_gemm_pair_rows(p, from, p->a_m, p->a_k, rows, depth, block, *out_row, temporary, least);
}

void hd_gemm_pair_rows(const hd_gemm_problem *p, const char *a, int64_t a_row, int64_t a_k, int64_t rows, int64_t depth,
                       char *to, int64_t to_row, char *temporary, hd_gemm_least *least) {
  if (rows <= 0 || depth <= 0) return;
  if (a_k == 1) {
    pair_rows(p->pairs->turn, a, a_row, rows, depth, to, to_row, least);
    return;
  }
  if (a_row == 1) {
    /* Columns of words first, which squares of them turn into rows. */
    enum { wide = HD_GEMM_GATHER_BYTES / word_bytes / word_lanes, high = 2 * word_lanes };
    hd_kernel_fn transpose = p->kernels->transpose[HD_ELEMENT_I32][HD_GEMM_I32];
    for (int64_t r = 0; r < rows; r += wide) {
      int64_t some = min64(wide, rows - r);
      for (int64_t k = 0; k < depth; k += high) {
        int64_t few = min64(high, depth - k);
        pair_rows(p->pairs->interleave, a + (r + k * a_k) * half_bytes, a_k, few, some, temporary, wide, least);
        hd_gemm_copy args = {.a = temporary,
                             .a_row = wide,
                             .d = to + (r * to_row + k / 2) * word_bytes,
                             .d_row = to_row,
                             .rows = hd_gemm_words(few)};
        transpose((const uint64_t *)(const void *)&args, 0, some);
      }
    }
    return;
  }
  enum { at_once = HD_GEMM_GATHER_BYTES / half_bytes };
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t k = 0; k < depth; k += at_once) {
      int64_t some = min64(at_once, depth - k);
      hd_gemm_gather(a + (r * a_row + k * a_k) * half_bytes, 0, a_k, 1, some, half_bytes, temporary);
      pair_rows(p->pairs->turn, temporary, 0, 1, some, to + (r * to_row + k / 2) * word_bytes, 0, least);
    }
}
