/* SPDX-License-Identifier: Apache-2.0 */
/* Included by sort_vectors.c once per vector type: E, an unsigned integer, V, a vector of LANES of them, TARGET,
 * NAME(x), MIN and MAX, LOAD, LOAD_PART and STORE_PART of the first |n| lanes (others are all ones, or stay), BELOW, a
 * mask of the lanes below a number, STORE_CHOSEN, which stores the lanes of a mask together and perhaps others after
 * them, and HEAP.
 *
 * Up to BLOCK vectors are sorted in registers, by a bitonic network whose comparators all point up: a step exchanges
 * lanes i and i ^ x, and the larger goes to the lane with the highest bit of x. More are divided by a pivot first. */

#if LANES == 16
#define ALL_LANES(F, x)                                                                                         \
  F(0, x), F(1, x), F(2, x), F(3, x), F(4, x), F(5, x), F(6, x), F(7, x), F(8, x), F(9, x), F(10, x), F(11, x), \
      F(12, x), F(13, x), F(14, x), F(15, x)
#elif LANES == 8
#define ALL_LANES(F, x) F(0, x), F(1, x), F(2, x), F(3, x), F(4, x), F(5, x), F(6, x), F(7, x)
#else
#define ALL_LANES(F, x) F(0, x), F(1, x), F(2, x), F(3, x)
#endif
#define PARTNER(i, x) (i) ^ (x)
#define HIGHEST(x) ((x) & 8 ? 8 : (x) & 4 ? 4 : (x) & 2 ? 2 : 1)
#define CHOSEN(i, x) (i) & HIGHEST(x) ? (i) + LANES : (i)
#define STEP(v, x)                                                   \
  do {                                                               \
    V other_ = __builtin_shufflevector(v, v, ALL_LANES(PARTNER, x)); \
    V less_ = MIN(v, other_), more_ = MAX(v, other_);                \
    v = __builtin_shufflevector(less_, more_, ALL_LANES(CHOSEN, x)); \
  } while (0)

/* A bitonic sequence of lanes. */
TARGET INLINE void NAME(merge_lanes)(V *v) {
  V x = *v;
#if LANES == 16
  STEP(x, 8);
#endif
#if LANES >= 8
  STEP(x, 4);
#endif
  STEP(x, 2);
  STEP(x, 1);
  *v = x;
}

TARGET INLINE void NAME(sort_lanes)(V *v) {
  V x = *v;
  STEP(x, 1);
  STEP(x, 3);
  STEP(x, 1);
#if LANES >= 8
  STEP(x, 7);
  STEP(x, 2);
  STEP(x, 1);
#endif
#if LANES == 16
  STEP(x, 15);
  STEP(x, 4);
  STEP(x, 2);
  STEP(x, 1);
#endif
  *v = x;
}

/* Two sorted halves of |count| vectors. The second half is compared in the opposite order, and left in it: it is
 * bitonic either way. */
TARGET INLINE void NAME(merge_vectors)(V *r, const int count) {
  V back[BLOCK / 2];
  const int half = count / 2;
#pragma GCC unroll 8
  for (int i = 0; i < half; ++i) {
    V x = r[count - 1 - i];
    back[i] = __builtin_shufflevector(x, x, ALL_LANES(PARTNER, LANES - 1));
  }
#pragma GCC unroll 8
  for (int i = 0; i < half; ++i) {
    r[half + i] = MAX(r[i], back[i]);
    r[i] = MIN(r[i], back[i]);
  }
#pragma GCC unroll 4
  for (int d = BLOCK / 4; d > 0; d /= 2) {
    if (d > half / 2) continue;
#pragma GCC unroll 16
    for (int i = 0; i < count; ++i) {
      if (i & d) continue;
      V x = r[i], y = r[i + d];
      r[i] = MIN(x, y);
      r[i + d] = MAX(x, y);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) NAME(merge_lanes)(&r[i]);
}

/* Each half by a function of its own: inlined, sixteen vectors would be 12 kB of code, and what goes through memory is
 * in the first cache. */
#define SORT_VECTORS(count, half)                                          \
  TARGET static __attribute__((noinline)) void NAME(sort_##count)(V * r) { \
    NAME(sort_##half)(r);                                                  \
    NAME(sort_##half)(r + half);                                           \
    NAME(merge_vectors)(r, count);                                         \
  }
TARGET INLINE void NAME(sort_1)(V *r) { NAME(sort_lanes)(r); }
SORT_VECTORS(2, 1)
SORT_VECTORS(4, 2)
SORT_VECTORS(8, 4)
SORT_VECTORS(16, 8)

#define SORT_BLOCK(count)                                                                                    \
  TARGET static void NAME(block_##count)(E * a, int64_t n) {                                                 \
    V r[count];                                                                                              \
    _Pragma("GCC unroll 16") for (int i = 0; i < count; ++i) r[i] = LOAD_PART(a + i * LANES, n - i * LANES); \
    NAME(sort_##count)(r);                                                                                   \
    _Pragma("GCC unroll 16") for (int i = 0; i < count; ++i) STORE_PART(a + i * LANES, r[i], n - i * LANES); \
  }
SORT_BLOCK(1)
SORT_BLOCK(2)
SORT_BLOCK(4)
SORT_BLOCK(8)
SORT_BLOCK(16)

TARGET static void NAME(block)(E *a, int64_t n) {
  n <= LANES       ? NAME(block_1)(a, n)
  : n <= 2 * LANES ? NAME(block_2)(a, n)
  : n <= 4 * LANES ? NAME(block_4)(a, n)
  : n <= 8 * LANES ? NAME(block_8)(a, n)
                   : NAME(block_16)(a, n);
}

/* Moves those below |pivot| to the front; how many they are. Whole vectors are stored, whose lanes beyond the chosen
 * ones are overwritten by the next: in |a| no more than was read, in |scratch| no more either. */
TARGET static int64_t NAME(divide)(E *a, E *scratch, int64_t n, E pivot) {
  int64_t below = 0, others = 0, i = 0;
  for (; i + LANES <= n; i += LANES) {
    V v = LOAD(a + i);
    uint32_t less = BELOW(v, pivot), count = (uint32_t)__builtin_popcount(less);
    STORE_CHOSEN(a + below, v, less);
    STORE_CHOSEN(scratch + others, v, ~less & ((1u << LANES) - 1));
    below += count;
    others += LANES - count;
  }
  for (; i < n; ++i) {
    E x = a[i];
    bool less = x < pivot;
    a[below] = scratch[others] = x;
    below += less;
    others += !less;
  }
  memcpy(a + below, scratch, (size_t)others * sizeof *a);
  return below;
}

TARGET static E NAME(pivot_of)(const E *a, int64_t n) {
  E sample[LANES];
  int64_t step = n / LANES;
  for (int64_t i = 0; i < LANES; ++i) sample[i] = a[i * step + step / 2];
  NAME(block_1)(sample, LANES);
  return sample[LANES / 2];
}

/* What pivots do not divide in a number of |steps| goes through a heap, so no order takes quadratic time. */
TARGET static void NAME(quick)(E *a, E *scratch, int64_t n, int64_t from, int64_t to, int steps) {
  while (n > BLOCK * LANES) {
    if (!steps--) {
      HEAP(a, n);
      return;
    }
    E pivot = NAME(pivot_of)(a, n);
    int64_t below = NAME(divide)(a, scratch, n, pivot);
    if (!below) { /* it is the least: all that are equal to it are in place */
      if (pivot == (E)-1) return;
      below = NAME(divide)(a, scratch, n, pivot + 1);
    } else if (from < below) {
      NAME(quick)(a, scratch, below, from, to < below ? to : below, steps);
    }
    if (to <= below) return;
    a += below;
    n -= below;
    to -= below;
    from = from < below ? 0 : from - below;
  }
  NAME(block)(a, n);
}

TARGET static void NAME(sort)(E *a, E *scratch, int64_t n, int64_t from, int64_t to) {
  int steps = 8;
  for (int64_t size = n; size > 1; size /= 2) steps += 2;
  NAME(quick)(a, scratch, n, from, to, steps);
}

#undef ALL_LANES
#undef PARTNER
#undef HIGHEST
#undef CHOSEN
#undef STEP
#undef SORT_VECTORS
#undef SORT_BLOCK
#undef E
#undef V
#undef LANES
#undef NAME
#undef MIN
#undef MAX
#undef LOAD_PART
#undef STORE_PART
#undef BELOW
#undef STORE_CHOSEN
#undef HEAP
