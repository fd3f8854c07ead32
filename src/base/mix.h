/* SPDX-License-Identifier: Apache-2.0 */
/* A counter's bits, mixed: the finaliser of SplitMix64. */
#ifndef HD_BASE_MIX_H_
#define HD_BASE_MIX_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HD_MIX_STEP 0x9e3779b97f4a7c15ull /* between the counters of a sequence: 2^64 by the golden ratio */

static inline uint64_t hd_mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/* A hash of |bytes|, a number of whole words. */
static inline uint64_t hd_mix_words(const void *data, size_t bytes) {
  uint64_t hash = 0, word;
  for (size_t i = 0; i < bytes; i += sizeof word) {
    memcpy(&word, (const char *)data + i, sizeof word);
    hash = hd_mix(hash + word + HD_MIX_STEP);
  }
  return hash;
}

#endif
