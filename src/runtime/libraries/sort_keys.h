/* SPDX-License-Identifier: Apache-2.0 */
/* Elements as unsigned numbers in the order of a comparator. */
#ifndef HD_RUNTIME_LIBRARIES_SORT_KEYS_H_
#define HD_RUNTIME_LIBRARIES_SORT_KEYS_H_

#include <stdbool.h>
#include <stdint.h>

#include "runtime/libraries/sort_abi.h"

typedef struct hd_sort_key {
  int bytes;
  uint64_t mask, sign, infinity, flip; /* flip: of all keys, where the largest comes first */
  uint64_t magnitude;                  /* what turns round in a negative float; 0 for integers */
  uint64_t nans, no_zeros;             /* all bits set where NaNs are one, where zeros are two */
} hd_sort_key;

static inline hd_sort_key hd_sort_key_of(int64_t kind, int64_t bytes) {
  hd_sort_key k = {.bytes = (int)bytes, .mask = bytes == 8 ? UINT64_MAX : (1ull << (8 * bytes)) - 1};
  static const uint64_t infinities[] = {0, 0, 0x7c00, 0, 0x7f800000, 0, 0, 0, 0x7ff0000000000000};
  if (kind & (HD_SORT_SIGNED | HD_SORT_FLOAT)) k.sign = 1ull << (8 * bytes - 1);
  if (kind & HD_SORT_DESCENDING) k.flip = k.mask;
  bool is_float = (kind & HD_SORT_FLOAT) != 0;
  k.magnitude = is_float ? k.mask : 0;
  k.infinity = kind & HD_SORT_BF16 ? 0x7f80 : infinities[bytes];
  k.no_zeros = is_float && (kind & HD_SORT_ZEROS) ? 0 : UINT64_MAX;
  k.nans = is_float && (kind & HD_SORT_NANS) ? UINT64_MAX : 0;
  return k;
}

static inline uint64_t hd_sort_raw(const void *from, int bytes) {
  switch (bytes) {
    case 1:
      return *(const uint8_t *)from;
    case 2:
      return *(const uint16_t *)from;
    case 4:
      return *(const uint32_t *)from;
    default:
      return *(const uint64_t *)from;
  }
}

/* Without branches, so that loops over it become vectors. */
#define HD_SORT_KEY_OF(T, x, k)                                                          \
  do {                                                                                   \
    T sign_ = (T)(k)->sign, magnitude_ = (x) & (T)~sign_;                                \
    T nan_ = (T) - (T)(magnitude_ > (T)(k)->infinity) & (T)(k)->nans;                    \
    (x) &= (T) - (T)(magnitude_ != 0) | (T)(k)->no_zeros;                                \
    (x) = ((x) & (T)~nan_) | (nan_ & (T)((k)->mask & ~sign_));                           \
    (x) ^= (((T) - (T)(((x) & sign_) != 0) & (T)(k)->magnitude) | sign_) ^ (T)(k)->flip; \
  } while (0)

static inline uint64_t hd_sort_key_64(uint64_t x, const hd_sort_key *k) {
  HD_SORT_KEY_OF(uint64_t, x, k);
  return x;
}

static inline uint32_t hd_sort_key_32(uint32_t x, const hd_sort_key *k) {
  HD_SORT_KEY_OF(uint32_t, x, k);
  return x;
}

/* The element of a key, where zeros and NaNs have keys of their own. */
static inline uint64_t hd_sort_element(uint64_t key, const hd_sort_key *k) {
  key ^= k->flip;
  if (k->magnitude) return (key & k->sign ? key ^ k->sign : ~key) & k->mask;
  return key ^ k->sign;
}

#endif
