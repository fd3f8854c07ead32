/* SPDX-License-Identifier: Apache-2.0 */
/* disc-vectorize-loops: what the values of a loop's body are in the iterations that
 * run in lockstep. Internal to its files. */
#ifndef HD_PASSES_GPU_VECTORIZER_H_
#define HD_PASSES_GPU_VECTORIZER_H_

#include "base/map.h"
#include "ir/builder.h"
#include "pass/pass.h"

enum { HD_LANES_MAX = 16, HD_ACCESS_BYTES = 16 /* unless a target says how many it loads at once */ };

/* What the values of an op are in the |width| iterations of one. */
typedef enum hd_lane_kind {
  HD_LANE_SAME,     /* one value */
  HD_LANE_MULTIPLE, /* one value, a multiple of the width */
  HD_LANE_TOGETHER, /* a multiple of the width, and those that follow it */
  HD_LANE_OWN,
} hd_lane_kind;

typedef struct hd_vectorizer {
  hd_pass *pass;
  hd_op *loop;
  hd_value *id;          /* the position */
  bool rows;             /* |id| counts rows of a multiple of the width */
  hd_value *row;         /* the size of one, null: what |id| is divided by */
  int64_t width, access; /* iterations; bytes that are moved at once */
  bool packs;     /* numbers of the iterations are vectors: not in rows, whose threads are the vector of a subgroup */
  hd_map kinds;   /* old value -> hd_lane_kind + 1; null: SAME */
  hd_map carried; /* old values that follow from the loop's iter_args */
  hd_map packed;  /* old value -> a vector of its values in all iterations */
  hd_map lanes[HD_LANES_MAX];
  hd_builder b;
} hd_vectorizer;

hd_lane_kind hd_lane_kind_of(hd_vectorizer *ctx, hd_value *value);
void hd_set_lane_kind(hd_vectorizer *ctx, hd_value *value, hd_lane_kind kind);
/* |value| in iteration |c|; taken out of its vector where there is one. */
hd_value *hd_lane(hd_vectorizer *ctx, hd_value *value, int64_t c);
void hd_set_lane(hd_vectorizer *ctx, hd_value *value, int64_t c, hd_value *own);
/* |value|, a number, in all iterations, as a vector; put together where it is none yet. */
hd_value *hd_lanes_packed(hd_vectorizer *ctx, hd_value *value);
void hd_set_lanes_packed(hd_vectorizer *ctx, hd_value *value, hd_value *vector);
/* Is |op| one on numbers that is its own in each iteration and that a vector of them takes too? */
bool hd_lanes_can_pack(hd_vectorizer *ctx, hd_op *op);
void hd_lanes_pack(hd_vectorizer *ctx, hd_op *op);

#endif
