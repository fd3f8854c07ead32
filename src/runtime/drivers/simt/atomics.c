/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic instructions, lane by lane: other threads of the host may run other blocks at the same time. */
#include "runtime/drivers/simt/numbers.h"
#include "runtime/drivers/simt/warp.h"

typedef uint8_t __attribute__((may_alias)) shared_u8;
typedef uint16_t __attribute__((may_alias)) shared_u16;
typedef uint32_t __attribute__((may_alias)) shared_u32;
typedef uint64_t __attribute__((may_alias)) shared_u64;

static uint64_t combine_integers(uint32_t kind, uint64_t x, uint64_t y, uint32_t bits) {
  int64_t s = (int64_t)(x << (64 - bits)), t = (int64_t)(y << (64 - bits));
  switch ((hd_simt_atomic_kind)kind) {
    case HD_SIMT_ATOMIC_ADD:
      return x + y;
    case HD_SIMT_ATOMIC_SUB:
      return x - y;
    case HD_SIMT_ATOMIC_AND:
      return x & y;
    case HD_SIMT_ATOMIC_OR:
      return x | y;
    case HD_SIMT_ATOMIC_XOR:
      return x ^ y;
    case HD_SIMT_ATOMIC_MAX:
      return s > t ? x : y;
    case HD_SIMT_ATOMIC_MIN:
      return s < t ? x : y;
    case HD_SIMT_ATOMIC_UMAX:
      return x > y ? x : y;
    case HD_SIMT_ATOMIC_UMIN:
      return x < y ? x : y;
    default:
      return y;
  }
}

#define COMBINE_FLOATS(T)                                                                                  \
  static T combine_##T(uint32_t kind, T x, T y) {                                                          \
    switch ((hd_simt_atomic_kind)kind) {                                                                   \
      case HD_SIMT_ATOMIC_FADD:                                                                            \
        return x + y;                                                                                      \
      case HD_SIMT_ATOMIC_FMAX:                                                                            \
        return sizeof(T) == 4 ? (T)hd_simt_maxnum_f32((float)x, (float)y) : (T)hd_simt_maxnum_f64(x, y);   \
      case HD_SIMT_ATOMIC_FMIN:                                                                            \
        return sizeof(T) == 4 ? (T)hd_simt_minnum_f32((float)x, (float)y) : (T)hd_simt_minnum_f64(x, y);   \
      case HD_SIMT_ATOMIC_FMAXIMUM:                                                                        \
        return sizeof(T) == 4 ? (T)hd_simt_maximum_f32((float)x, (float)y) : (T)hd_simt_maximum_f64(x, y); \
      case HD_SIMT_ATOMIC_FMINIMUM:                                                                        \
        return sizeof(T) == 4 ? (T)hd_simt_minimum_f32((float)x, (float)y) : (T)hd_simt_minimum_f64(x, y); \
      default:                                                                                             \
        return y;                                                                                          \
    }                                                                                                      \
  }
COMBINE_FLOATS(float)
COMBINE_FLOATS(double)

static uint64_t combine(uint32_t kind, uint32_t type, uint64_t old, uint64_t value) {
  switch ((hd_simt_atomic_type)type) {
    case HD_SIMT_ATOMIC_F32:
      return hd_simt_bits32(combine_float(kind, hd_simt_float((uint32_t)old), hd_simt_float((uint32_t)value)));
    case HD_SIMT_ATOMIC_F64:
      return hd_simt_bits64(combine_double(kind, hd_simt_double(old), hd_simt_double(value)));
    default:
      return combine_integers(kind, old, value, type == HD_SIMT_ATOMIC_32 ? 32 : 64);
  }
}

uint64_t hd_simt_atomic_update(uint32_t kind, uint32_t type, char *place, uint64_t value) {
  if (type & 1) {
    shared_u64 *at = (void *)place, old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(at, &old, combine(kind, type, old, value), true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
  }
  shared_u32 *at = (void *)place, old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, (uint32_t)combine(kind, type, old, value), true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

#define EXCHANGE(T)                                                                                            \
  T old = (T)compared;                                                                                         \
  __atomic_compare_exchange_n((T *)(void *)place, &old, (T)stored, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  return old

uint64_t hd_simt_compare_exchange(uint32_t bytes, char *place, uint64_t compared, uint64_t stored) {
  if (bytes == 1) {
    EXCHANGE(shared_u8);
  }
  if (bytes == 2) {
    EXCHANGE(shared_u16);
  }
  if (bytes == 4) {
    EXCHANGE(shared_u32);
  }
  EXCHANGE(shared_u64);
}
