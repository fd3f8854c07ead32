/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler tells ral_sort of a key, in one word. */
#ifndef HD_RUNTIME_LIBRARIES_SORT_ABI_H_
#define HD_RUNTIME_LIBRARIES_SORT_ABI_H_

enum {
  HD_SORT_SIGNED = 1,     /* two's complement */
  HD_SORT_FLOAT = 2,      /* sign and magnitude, in the total order */
  HD_SORT_DESCENDING = 4, /* the largest first */
  HD_SORT_ZEROS = 8,      /* -0 and +0 are equal */
  HD_SORT_NANS = 16,      /* all NaNs are equal, behind the infinity */
  HD_SORT_BF16 = 32,      /* a float of 16 bits that is bf16 */
  HD_SORT_MOST_KEYS = 8,
  HD_SORT_MOST_POSITIONS = 63, /* operands that hd.positions has a bit for */
};

#endif
