/* SPDX-License-Identifier: Apache-2.0 */
/* What a compiled program shows of its values: check ops, prints and probes. Those of a checked function's own body get
 * their values as its results (check_compiled.c); in a copy that is compiled, all others are outfeeds of a number and
 * the values, and the op of that number in the program judges what comes. */
#ifndef HD_DRIVER_CHECK_OBSERVE_H_
#define HD_DRIVER_CHECK_OBSERVE_H_

#include <pthread.h>

#include "eval/eval.h"
#include "heddle/runtime.h"

typedef struct hd_check_observers {
  hd_evaluator *evaluator;
  hd_op **ops;
  size_t count;
  pthread_mutex_t lock; /* of the evaluator: processes show values at once */
} hd_check_observers;

/* Does |op| look at values? Expectations, prints and probes. */
bool hd_check_observes(const hd_op *op);

/* Those of |module|, in |arena|. */
void hd_check_observers_init(hd_check_observers *out, hd_module *module, hd_evaluator *evaluator, hd_arena *arena);

/* Makes outfeeds of the observers of |copy|, a clone of the program that is otherwise unchanged, or drops them. What
 * is in the body of |function| (may be null) and has no results is left alone. */
void hd_check_feed_out(hd_module *copy, hd_op *function, bool drop, hd_arena *scratch);

/* Lets |op|, one of the program's observers, see |values|, one per operand. */
hd_status hd_check_judge(hd_check_observers *observers, hd_op *op, const hd_custom_tensor *values) HD_MUST_USE;

/* hd_feeds.outfeed; |user|: hd_check_observers. */
hd_status hd_check_outfeed(void *user, const hd_custom_tensor *values, int32_t count) HD_MUST_USE;

#endif
