/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernel, fusion or op first gives other values than the program that it was made from. */
#ifndef HD_DRIVER_SUSPECTS_H_
#define HD_DRIVER_SUSPECTS_H_

#include "driver/compare.h"
#include "driver/writers.h"
#include "eval/eval.h"

typedef struct hd_suspect_search {
  hd_module *original, *before, *after; /* the program, and what went into and came out of a pass */
  hd_str entry;
  const hd_tensor *args;
  size_t arg_count, result_count;
  double tolerance; /* as in hd_tolerance_of */
  hd_eval_options limits;
} hd_suspect_search;

typedef struct hd_suspect {
  hd_writer writer; /* of the program after the pass; no name: none was found */
  hd_writer op;     /* of the original program, whose value it should have given */
  hd_difference difference;
  uint32_t rank; /* of the value */
  const int64_t *dims;
  const hd_writer *operands; /* what wrote the buffers that |writer| was given, "argument 0" for those of the program */
  uint32_t operand_count;
} hd_suspect;

/* Runs all three programs and compares what their ops give, by source locations and shapes:
 *
 *   a value of the original is missed when ops from its location give its shape, and none its elements;
 *   an op is wrong when the original has values of its locations and shapes, and it gives none of them.
 *
 * The first wrong op of |after| that is where a value is missed, which |before| did not miss, is the suspect. Both
 * are needed: a pass may make intermediate values that the program never had, and fused ops give only the last of
 * theirs. Texts and dims live in |arena|. */
hd_status hd_find_suspect(const hd_suspect_search *search, hd_arena *arena, hd_suspect *out) HD_MUST_USE;

#endif
