/* SPDX-License-Identifier: Apache-2.0 */
/* The words of ral_sort: its descriptor, then the keys, then the operands. */
#ifndef HD_RUNTIME_LIBRARIES_SORT_ABI_H_
#define HD_RUNTIME_LIBRARIES_SORT_ABI_H_

#include "runtime/words_abi.h"

/* What the number of a key is, in one word. */
enum {
  HD_SORT_SIGNED = 1,     /* two's complement */
  HD_SORT_FLOAT = 2,      /* sign and magnitude, in the total order */
  HD_SORT_DESCENDING = 4, /* the largest first */
  HD_SORT_ZEROS = 8,      /* -0 and +0 are equal */
  HD_SORT_NANS = 16,      /* all NaNs are equal, after the infinity */
  HD_SORT_BF16 = 32,      /* a float of 16 bits that is bf16 */
  HD_SORT_MOST_KEYS = 8,
  HD_SORT_MOST_POSITIONS = 63, /* operands that hd.positions has a bit for */
};

typedef struct hd_sort_descriptor {
  int64_t outer, n, inner; /* the dims before the sorted one, it, those inside of it */
  int64_t front;           /* how many of the first elements of a line are wanted; others are not written */
  int64_t operands, keys;
} hd_sort_descriptor;
HD_ABI_LAYOUT(hd_sort_descriptor, 6, keys);

/* From the first key to the last. */
typedef struct hd_sort_key_descriptor {
  int64_t operand, kind;
} hd_sort_key_descriptor;
HD_ABI_LAYOUT(hd_sort_key_descriptor, 2, kind);

typedef struct hd_sort_operand_descriptor {
  int64_t in, out;   /* addresses; no |out|: nobody reads it */
  int64_t bytes;     /* of an element */
  int64_t positions; /* 1: it counts along the sorted dim, and is not read */
} hd_sort_operand_descriptor;
HD_ABI_LAYOUT(hd_sort_operand_descriptor, 4, positions);

/* All of them. The counts must be checked to be small. */
static inline int64_t hd_sort_words(const hd_sort_descriptor *f) {
  return HD_WORDS(hd_sort_descriptor) + HD_WORDS(hd_sort_key_descriptor) * f->keys +
         HD_WORDS(hd_sort_operand_descriptor) * f->operands;
}

#endif
