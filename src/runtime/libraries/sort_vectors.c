/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/sort_vectors.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

enum { BLOCK = 16 }; /* vectors that are sorted in registers */
#define INLINE static inline __attribute__((always_inline))

#define HEAP_SORT(name, E)                                          \
  static void name(E *a, int64_t n) {                               \
    for (int64_t root = n / 2, end = n; end > 1;) {                 \
      if (root > 0) {                                               \
        --root;                                                     \
      } else {                                                      \
        --end;                                                      \
        E last = a[end];                                            \
        a[end] = a[0];                                              \
        a[0] = last;                                                \
      }                                                             \
      E x = a[root];                                                \
      int64_t at = root;                                            \
      for (int64_t child; (child = 2 * at + 1) < end; at = child) { \
        if (child + 1 < end && a[child] < a[child + 1]) ++child;    \
        if (a[child] <= x) break;                                   \
        a[at] = a[child];                                           \
      }                                                             \
      a[at] = x;                                                    \
    }                                                               \
  }
HEAP_SORT(heap_32, uint32_t)
HEAP_SORT(heap_64, uint64_t)

/* Vectors of 64 bytes. */
#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,popcnt")))
#define FIRST(n, lanes) (uint32_t)((n) >= (lanes) ? (1u << (lanes)) - 1 : (n) > 0 ? (1u << (n)) - 1 : 0)
#define LOAD(p) ((V)_mm512_loadu_si512(p))

#define E uint32_t
#define LANES 16
#define NAME(x) x##_32_avx512
typedef E NAME(vector) __attribute__((vector_size(64)));
#define V NAME(vector)
#define MIN(a, b) ((V)_mm512_min_epu32((__m512i)(a), (__m512i)(b)))
#define MAX(a, b) ((V)_mm512_max_epu32((__m512i)(a), (__m512i)(b)))
#define LOAD_PART(p, n) ((V)_mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), (__mmask16)FIRST(n, LANES), p))
#define STORE_PART(p, v, n) _mm512_mask_storeu_epi32(p, (__mmask16)FIRST(n, LANES), (__m512i)(v))
#define BELOW(v, x) _mm512_cmplt_epu32_mask((__m512i)(v), _mm512_set1_epi32((int)(x)))
#define STORE_CHOSEN(p, v, mask) _mm512_storeu_si512(p, _mm512_maskz_compress_epi32((__mmask16)(mask), (__m512i)(v)))
#define HEAP heap_32
#include "runtime/libraries/sort_network.h"

#define E uint64_t
#define LANES 8
#define NAME(x) x##_64_avx512
typedef E NAME(vector) __attribute__((vector_size(64)));
#define V NAME(vector)
#define MIN(a, b) ((V)_mm512_min_epu64((__m512i)(a), (__m512i)(b)))
#define MAX(a, b) ((V)_mm512_max_epu64((__m512i)(a), (__m512i)(b)))
#define LOAD_PART(p, n) ((V)_mm512_mask_loadu_epi64(_mm512_set1_epi64(-1), (__mmask8)FIRST(n, LANES), p))
#define STORE_PART(p, v, n) _mm512_mask_storeu_epi64(p, (__mmask8)FIRST(n, LANES), (__m512i)(v))
#define BELOW(v, x) _mm512_cmplt_epu64_mask((__m512i)(v), _mm512_set1_epi64((long long)(x)))
#define STORE_CHOSEN(p, v, mask) _mm512_storeu_si512(p, _mm512_maskz_compress_epi64((__mmask8)(mask), (__m512i)(v)))
#define HEAP heap_64
#include "runtime/libraries/sort_network.h"
#undef TARGET
#undef LOAD

/* Vectors of 32 bytes: the lanes of a mask come together by a table, four at a time. */
#define TARGET __attribute__((target("avx2,popcnt")))
#define LOAD(p) ((V)_mm256_loadu_si256((const __m256i *)(const void *)(p)))

/* The lanes that a mask chooses, one to a byte. */
static const uint32_t chosen_lanes[16] = {0,    0,      1,      0x0100,   0x02,   0x0200,   0x0201,   0x020100,
                                          0x03, 0x0300, 0x0301, 0x030100, 0x0302, 0x030200, 0x030201, 0x03020100};

TARGET INLINE __m128i lanes_of(uint32_t mask) { return _mm_cvtsi32_si128((int)chosen_lanes[mask & 15]); }

TARGET INLINE __m256i first_32(int64_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n > 8   ? 8
                                              : n < 0 ? 0
                                                      : (int)n),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
TARGET INLINE __m256i first_64(int64_t n) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
TARGET INLINE __m256i load_32(const uint32_t *p, __m256i first) {
  __m256i x = _mm256_maskload_epi32((const int *)p, first);
  return _mm256_or_si256(x, _mm256_xor_si256(first, _mm256_set1_epi32(-1)));
}
TARGET INLINE __m256i load_64(const uint64_t *p, __m256i first) {
  __m256i x = _mm256_maskload_epi64((const long long *)p, first);
  return _mm256_or_si256(x, _mm256_xor_si256(first, _mm256_set1_epi32(-1)));
}
TARGET INLINE __m256i less_32(__m256i a, __m256i b) {
  __m256i sign = _mm256_set1_epi32(INT32_MIN);
  return _mm256_cmpgt_epi32(_mm256_xor_si256(b, sign), _mm256_xor_si256(a, sign));
}
TARGET INLINE __m256i less_64(__m256i a, __m256i b) {
  __m256i sign = _mm256_set1_epi64x(INT64_MIN);
  return _mm256_cmpgt_epi64(_mm256_xor_si256(b, sign), _mm256_xor_si256(a, sign));
}
TARGET INLINE void store_32(uint32_t *p, __m256i v, uint32_t mask) {
  __m128 low = _mm_castsi128_ps(_mm256_castsi256_si128(v)), high = _mm_castsi128_ps(_mm256_extracti128_si256(v, 1));
  _mm_storeu_ps((float *)p, _mm_permutevar_ps(low, _mm_cvtepu8_epi32(lanes_of(mask))));
  p += __builtin_popcount(mask & 15);
  _mm_storeu_ps((float *)p, _mm_permutevar_ps(high, _mm_cvtepu8_epi32(lanes_of(mask >> 4))));
}
TARGET INLINE void store_64(uint64_t *p, __m256i v, uint32_t mask) {
  __m256i low = _mm256_slli_epi64(_mm256_cvtepu8_epi64(lanes_of(mask)), 1), high = _mm256_slli_epi64(low, 32);
  __m256i halves = _mm256_add_epi64(_mm256_add_epi64(low, high), _mm256_set1_epi64x(1ll << 32));
  _mm256_storeu_si256((__m256i *)(void *)p, _mm256_permutevar8x32_epi32(v, halves));
}

#define E uint32_t
#define LANES 8
#define NAME(x) x##_32_avx2
typedef E NAME(vector) __attribute__((vector_size(32)));
#define V NAME(vector)
#define MIN(a, b) ((V)_mm256_min_epu32((__m256i)(a), (__m256i)(b)))
#define MAX(a, b) ((V)_mm256_max_epu32((__m256i)(a), (__m256i)(b)))
#define LOAD_PART(p, n) ((V)load_32(p, first_32(n)))
#define STORE_PART(p, v, n) _mm256_maskstore_epi32((int *)(p), first_32(n), (__m256i)(v))
#define BELOW(v, x) \
  (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(less_32((__m256i)(v), _mm256_set1_epi32((int)(x)))))
#define STORE_CHOSEN(p, v, mask) store_32(p, (__m256i)(v), mask)
#define HEAP heap_32
#include "runtime/libraries/sort_network.h"

#define E uint64_t
#define LANES 4
#define NAME(x) x##_64_avx2
typedef E NAME(vector) __attribute__((vector_size(32)));
#define V NAME(vector)
#define MIN(a, b) ((V)_mm256_blendv_epi8((__m256i)(b), (__m256i)(a), less_64((__m256i)(a), (__m256i)(b))))
#define MAX(a, b) ((V)_mm256_blendv_epi8((__m256i)(a), (__m256i)(b), less_64((__m256i)(a), (__m256i)(b))))
#define LOAD_PART(p, n) ((V)load_64(p, first_64(n)))
#define STORE_PART(p, v, n) _mm256_maskstore_epi64((long long *)(p), first_64(n), (__m256i)(v))
#define BELOW(v, x) \
  (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(less_64((__m256i)(v), _mm256_set1_epi64x((long long)(x)))))
#define STORE_CHOSEN(p, v, mask) store_64(p, (__m256i)(v), mask)
#define HEAP heap_64
#include "runtime/libraries/sort_network.h"

static const hd_sort_vectors avx512 = {.name = "avx512",
                                       .sort_32 = sort_32_avx512,
                                       .sort_64 = sort_64_avx512,
                                       .most_32 = {256, 768, 1 << 16, 1 << 16},
                                       .most_64 = {64, 160, 1536, 1 << 19}},
                             avx2 = {.name = "avx2",
                                     .sort_32 = sort_32_avx2,
                                     .sort_64 = sort_64_avx2,
                                     .most_32 = {128, 256, 1 << 13, 1 << 13},
                                     .most_64 = {32, 64, 192, 1 << 14}};

const hd_sort_vectors *hd_sort_vectors_of(int level) {
  bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (wide && level-- == 0) return &avx512;
  return __builtin_cpu_supports("avx2") && level == 0 ? &avx2 : NULL;
}
#else
const hd_sort_vectors *hd_sort_vectors_of(int level) {
  (void)level;
  return NULL;
}
#endif
