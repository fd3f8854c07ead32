/* SPDX-License-Identifier: Apache-2.0 */
/* Between what the integers of a program are: constants, launch ids, loop counters, sizes, and arithmetic on them.
 * Values are signed, as wide as their type; i1 is 0 or 1. What may wrap has the range of its type. In the branches of
 * scf.if their conditions hold; values that loops carry are followed to a fixed point. */
#ifndef HD_ANALYSIS_INTEGER_RANGES_H_
#define HD_ANALYSIS_INTEGER_RANGES_H_

#include "ir/builder.h"

typedef struct hd_integer_range {
  int64_t lower, upper; /* both included */
} hd_integer_range;

typedef struct hd_integer_ranges {
  hd_arena *arena;
  hd_map known; /* hd_value -> hd_integer_range */
  uint32_t depth;
  /* while values that a loop carries are only assumed: what is known outside, and in how many loops that is */
  struct hd_integer_ranges *around;
  uint32_t loops;
} hd_integer_ranges;

/* Is |type| an index or an integer of at most 64 bits? */
bool hd_has_integer_range(hd_type type);
/* The range of |value|, whose type has one, wherever it is. */
hd_integer_range hd_integer_range_of(hd_integer_ranges *ranges, hd_value *value);
/* Its range where |user| runs: conditions of the branches around |user| hold. */
hd_integer_range hd_integer_range_at(hd_integer_ranges *ranges, hd_value *value, const hd_op *user);
/* Forgets what is known of |value|, which is erased. */
void hd_integer_range_forget(hd_integer_ranges *ranges, hd_value *value);
/* Does a comparison of |op|, an arith.cmpi, always give |*out|? */
bool hd_integer_range_decides(hd_integer_ranges *ranges, hd_op *op, bool *out);

#endif
