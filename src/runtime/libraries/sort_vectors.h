/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts of unsigned numbers by vector instructions. */
#ifndef HD_RUNTIME_LIBRARIES_SORT_VECTORS_H_
#define HD_RUNTIME_LIBRARIES_SORT_VECTORS_H_

#include <stdint.h>

/* Puts at places [from, to) of |a|, 0 <= from < to <= n, what is there in the ascending order of all |n| numbers; less
 * is before |from|, and more after |to|, in any order. |scratch| holds n numbers. Equal numbers cannot be told apart,
 * so the result is one whatever the vectors. */
typedef void (*hd_sort_32_fn)(uint32_t *a, uint32_t *scratch, int64_t n, int64_t from, int64_t to);
typedef void (*hd_sort_64_fn)(uint64_t *a, uint64_t *scratch, int64_t n, int64_t from, int64_t to);

typedef struct hd_sort_vectors {
  const char *name;
  hd_sort_32_fn sort_32;
  hd_sort_64_fn sort_64;
  /* Up to how many numbers, of which 1, 2, 4 or 8 bytes decide, they are faster than a radix sort by bytes. */
  int64_t most_32[4], most_64[4];
} hd_sort_vectors;

/* The index of the limit for |bits|. */
static inline int hd_sort_limit(int bits) { return bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3; }

/* The fastest that this CPU runs, which is level 0, or the next one after it; null when there is none. */
const hd_sort_vectors *hd_sort_vectors_of(int level);

#endif
