/* SPDX-License-Identifier: Apache-2.0 */
/* For unit tests of matrix products: every kernel table that this machine runs, pools of threads, weights that are
 * bound while asked to, numbers, and the slow reference. */
#ifndef HD_RUNTIME_LIBRARIES_GEMM_TESTING_H_
#define HD_RUNTIME_LIBRARIES_GEMM_TESTING_H_

#include <stdlib.h>

#include "base/testing.h"
#include "heddle/cpu.h"
#include "runtime/libraries/gemm.h"

enum { most_threads = 3 };
static hd_gemm_context *contexts[4]; /* one per kernel table, one with pairs */
static int context_count;
static hd_pool *pools[most_threads + 1]; /* by number of threads */

static inline void for_range(void *user, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  hd_pool_for(user, NULL, extent, grain, body, argument);
}

/* ---- bound weights: all data is, while |keeping| ---- */

typedef struct kept {
  const void *data;
  uint64_t use;
  void *packed;
} kept;
static kept kept_list[64];
static int kept_count, pack_count;
static bool keeping;

static inline const void *keep(void *user, const void *data, uint64_t use, size_t bytes, void (*pack)(void *, void *),
                               void *argument) {
  (void)user;
  if (!keeping) return NULL;
  for (int i = 0; i < kept_count; ++i)
    if (kept_list[i].data == data && kept_list[i].use == use) return kept_list[i].packed;
  if (kept_count == 64) return NULL;
  kept *k = &kept_list[kept_count++];
  *k = (kept){data, use, aligned_alloc(64, (bytes + 63) / 64 * 64)};
  pack(argument, k->packed);
  ++pack_count;
  return k->packed;
}

static inline void forget(void) {
  while (kept_count) free(kept_list[--kept_count].packed);
}

static inline hd_gemm_env env_of(int threads) {
  return (hd_gemm_env){.user = pools[threads], .threads = threads, .for_range = for_range, .keep = keep};
}

/* A product of f32 into f32, whose |dim_count| dims the caller fills. */
static inline hd_gemm_call f32_call(const void *a, const void *b, void *c, int32_t dim_count) {
  return (hd_gemm_call){.a_type = HD_ELEMENT_F32,
                        .b_type = HD_ELEMENT_F32,
                        .c_type = HD_ELEMENT_F32,
                        .a = a,
                        .b = b,
                        .c = c,
                        .dim_count = dim_count};
}

/* ---- elements ---- */

static uint64_t random_state = 1;
static inline uint32_t random_bits(void) { return hd_test_random(&random_state) & INT32_MAX; }

static inline float half_to_float(uint16_t h) {
  int exponent = h >> 10 & 31, mantissa = h & 1023;
  double magnitude = exponent == 31  ? (mantissa ? NAN : INFINITY)
                     : exponent == 0 ? ldexp(mantissa, -24)
                                     : ldexp(mantissa + 1024, exponent - 25);
  return (float)(h >> 15 ? -magnitude : magnitude);
}

static inline double load(hd_element_type type, const void *data, int64_t i) {
  switch (type) {
    case HD_ELEMENT_F32:
      return ((const float *)data)[i];
    case HD_ELEMENT_F64:
      return ((const double *)data)[i];
    case HD_ELEMENT_BF16: {
      uint32_t bits = (uint32_t)((const uint16_t *)data)[i] << 16;
      float value;
      memcpy(&value, &bits, 4);
      return value;
    }
    default:
      return half_to_float(((const uint16_t *)data)[i]);
  }
}

static inline int64_t load_int(hd_element_type type, const void *data, int64_t i) {
  switch (type) {
    case HD_ELEMENT_I1:
    case HD_ELEMENT_UI8:
      return ((const uint8_t *)data)[i];
    case HD_ELEMENT_I8:
      return ((const int8_t *)data)[i];
    case HD_ELEMENT_I16:
      return ((const int16_t *)data)[i];
    case HD_ELEMENT_UI16:
      return ((const uint16_t *)data)[i];
    case HD_ELEMENT_UI32:
      return ((const uint32_t *)data)[i];
    case HD_ELEMENT_I32:
      return ((const int32_t *)data)[i];
    default:
      return ((const int64_t *)data)[i];
  }
}

static inline bool is_float(hd_element_type type) {
  return type == HD_ELEMENT_F32 || type == HD_ELEMENT_F64 || type == HD_ELEMENT_BF16 || type == HD_ELEMENT_F16;
}

static inline void fill(hd_element_type type, void *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    double value = (double)random_bits() / 2147483648.0 * 2 - 1;
    float single = (float)value;
    switch (type) {
      case HD_ELEMENT_F32:
        ((float *)data)[i] = single;
        break;
      case HD_ELEMENT_F64:
        ((double *)data)[i] = value;
        break;
      case HD_ELEMENT_BF16: {
        uint32_t bits;
        memcpy(&bits, &single, 4);
        ((uint16_t *)data)[i] = (uint16_t)(bits >> 16);
        break;
      }
      case HD_ELEMENT_F16: /* any sign, exponents around 1, some denormals */
        ((uint16_t *)data)[i] = (uint16_t)((random_bits() & 0x83ff) | (random_bits() % 15) << 10);
        break;
      case HD_ELEMENT_I1:
        ((uint8_t *)data)[i] = random_bits() & 1;
        break;
      default:
        for (size_t b = 0; b < hd_element_bytes(type); ++b)
          ((uint8_t *)data)[(size_t)i * hd_element_bytes(type) + b] = (uint8_t)random_bits();
        break;
    }
  }
}

/* ---- the reference ---- */

/* Compares C with the reference; the check counts once. */
static inline void compare(const hd_gemm_call *call, const void *c, const char *what) {
  const hd_gemm_dim *d = call->dims;
  int64_t bad = 0;
  for (int64_t b = 0; b < d[0].size; ++b) {
    for (int64_t m = 0; m < d[1].size; ++m) {
      for (int64_t n = 0; n < d[2].size; ++n) {
        int64_t a_at = b * d[0].a + m * d[1].a, b_at = b * d[0].b + n * d[2].b,
                c_at = b * d[0].c + m * d[1].c + n * d[2].c;
        if (is_float(call->a_type)) {
          double sum = 0, magnitude = 0;
          for (int64_t k = 0; k < d[3].size; ++k) {
            double x = load(call->a_type, call->a, a_at + k * d[3].a) * load(call->b_type, call->b, b_at + k * d[3].b);
            sum += x;
            magnitude += fabs(x);
          }
          double eps = call->a_type == HD_ELEMENT_F64 ? 0x1p-52 : 0x1p-23;
          double tolerance = eps * magnitude * (double)(d[3].size + 2);
          if (call->c_type == HD_ELEMENT_BF16) tolerance += fabs(sum) * 0x1p-8;
          if (call->c_type == HD_ELEMENT_F16) tolerance += fabs(sum) * 0x1p-10 + 0x1p-24;
          double got = load(call->c_type, c, c_at);
          if (isnan(sum) ? !isnan(got) : isinf(sum) ? got != sum : !(fabs(got - sum) <= tolerance)) ++bad;
        } else {
          uint64_t sum = 0;
          for (int64_t k = 0; k < d[3].size; ++k)
            sum += (uint64_t)load_int(call->a_type, call->a, a_at + k * d[3].a) *
                   (uint64_t)load_int(call->b_type, call->b, b_at + k * d[3].b);
          int64_t got = load_int(call->c_type, c, c_at);
          int bits = (int)hd_element_bytes(call->c_type) * 8;
          uint64_t differs = ((uint64_t)got ^ sum) << (64 - bits);
          if (call->c_type == HD_ELEMENT_I1 ? got != (sum != 0) : differs != 0) ++bad;
        }
      }
    }
  }
  if (bad)
    HD_CHECK_STR(what, "no wrong element");
  else
    HD_CHECK(!bad);
}

/* The main of a test: |all| runs with the tables and pools there. */
static inline int hd_test_with_kernels(void (*all)(void)) {
  for (int i = 0; hd_gemm_kernels_at(i); ++i) {
    const hd_gemm_kernels *kernels = hd_gemm_kernels_at(i);
    if (kernels->features & ~hd_cpu_features()) {
      HD_TEST_SKIP("this machine has no %s", kernels->name);
      continue;
    }
    HD_CHECK_OK(hd_gemm_context_create(kernels->features, &contexts[context_count]));
    HD_CHECK(hd_gemm_context_kernels(contexts[context_count]) == kernels);
    ++context_count;
  }
  /* And the best one with products of pairs. */
  const hd_gemm_pairs *pairs = hd_gemm_pairs_find(~0ull);
  if (!context_count || !pairs || (pairs->features & ~hd_cpu_features()))
    HD_TEST_SKIP("this machine multiplies no pairs of bf16");
  else
    HD_CHECK_OK(hd_gemm_context_create(hd_cpu_features(), &contexts[context_count++]));
  if (!context_count) {
    /* No kernels in this build, or none for this machine. */
    HD_CHECK_FAILS(hd_gemm_context_create(0, &contexts[0]), HD_UNIMPLEMENTED, "gemm");
    return HD_TEST_RESULT();
  }
  for (int threads = 1; threads <= most_threads; ++threads) HD_CHECK_OK(hd_pool_create(threads, NULL, &pools[threads]));
  all();
  for (int i = 0; i < context_count; ++i) hd_gemm_context_release(contexts[i]);
  for (int threads = 1; threads <= most_threads; ++threads) hd_pool_free(pools[threads]);
  return HD_TEST_RESULT();
}

#endif
