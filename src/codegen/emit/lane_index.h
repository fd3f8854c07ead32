/* SPDX-License-Identifier: Apache-2.0 */
/* Indices of vector lanes: most are `scalar + step * lane`, which tells a contiguous load (step 1 in the innermost dim)
 * from a broadcast (step 0); what arithmetic cannot keep in that form becomes a vector of indices. An index of a dim
 * that is one or equal, as only the run tells, moves by its step when the run says so (|when|). Where lanes are in a
 * known order that is no step (rows of three elements side by side), the index is `scalar + pattern[lane]`. Of a vector
 * it may be known that lanes move by a step in aligned runs (rows of eight elements, gathered): each is one load then.
 * With 0 lanes (scalar code) every index is its scalar. */
#ifndef HD_CODEGEN_EMIT_LANE_INDEX_H_
#define HD_CODEGEN_EMIT_LANE_INDEX_H_

#include "ir/builder.h"

typedef struct hd_lane_index {
  hd_value *scalar;       /* index; null when |vector| is set */
  int64_t step;           /* beside a vector: from lane to lane of a run */
  hd_value *vector;       /* vector<lanes x index>, or null */
  uint32_t run;           /* beside a vector: lanes of a run, a power of two; below 2: nothing is known of its lanes */
  hd_value *when;         /* i1: false at run time makes the step 0; null: it stays. Only beside a step */
  const int64_t *pattern; /* one number per lane, beside a scalar, where no step says it; null: none */
  bool whole; /* the scalar is a multiple of the number of lanes: what divides by one too takes lanes together */
} hd_lane_index;

/* An index per dim of a value. Told apart by address: code at one place uses one tuple. */
typedef struct hd_index_tuple {
  uint32_t rank;
  hd_lane_index at[];
} hd_index_tuple;

typedef struct hd_lanes {
  hd_builder *b;
  uint32_t count; /* 0: scalar code */
} hd_lanes;

static inline hd_lane_index hd_lane_scalar(hd_value *scalar) { return (hd_lane_index){.scalar = scalar}; }
hd_lane_index hd_lane_const(hd_lanes l, int64_t value);
/* scalar + pattern[lane], by a step where there is one; |pattern| has |l.count| numbers, and is copied. */
hd_lane_index hd_lane_of_pattern(hd_lanes l, hd_value *scalar, const int64_t *pattern);
/* |vector|, in which lanes are equal where all |count| indices |from| are. */
hd_lane_index hd_lane_of_vector(hd_lanes l, hd_value *vector, const hd_lane_index *from, uint32_t count);
/* The index of each lane, of the only one in scalar code; false where only the run tells. */
bool hd_lane_are_const(hd_lanes l, hd_lane_index i, int64_t *out);
/* Do lanes have different indices, at compile time? */
static inline bool hd_lane_varies(hd_lane_index i) { return i.vector || i.step || i.pattern; }
/* The index in every lane, as a vector (scalar code: the scalar). */
hd_value *hd_lane_spread(hd_lanes l, hd_lane_index i);
hd_lane_index hd_lane_add(hd_lanes l, hd_lane_index a, hd_lane_index b);
hd_lane_index hd_lane_sub(hd_lanes l, hd_lane_index a, hd_lane_index b);
hd_lane_index hd_lane_mul(hd_lanes l, hd_lane_index a, hd_lane_index b);
/* Unsigned quotient and remainder; dividends are not negative, divisors positive. */
hd_lane_index hd_lane_div(hd_lanes l, hd_lane_index a, hd_lane_index b);
hd_lane_index hd_lane_rem(hd_lanes l, hd_lane_index a, hd_lane_index b);
hd_lane_index hd_lane_max(hd_lanes l, hd_lane_index a, hd_lane_index b);
hd_lane_index hd_lane_min(hd_lanes l, hd_lane_index a, hd_lane_index b);
/* a < b, signed: an i1, or a vector of them when either varies by lane. */
hd_value *hd_lane_less(hd_lanes l, hd_lane_index a, hd_lane_index b);
/* 0 <= i < size, which is not negative: as one comparison. */
hd_value *hd_lane_inside(hd_lanes l, hd_lane_index i, hd_lane_index size);
/* |i| where |moves| (an i1), 0 elsewhere. */
hd_lane_index hd_lane_if(hd_lanes l, hd_lane_index i, hd_value *moves);
bool hd_lane_is_const(hd_lane_index i, int64_t *out);

#endif
