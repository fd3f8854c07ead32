/* SPDX-License-Identifier: Apache-2.0 */
/* The thread pool: parallel ranges over N threads, the caller included.
 *
 * - Workers start with the first region that wants them, spin while a call is under way (and a moment after it, so that
 *   calls in a row find them awake) and sleep on a futex otherwise. A spinning worker answers in 0.3 us, a sleeping one
 * in 5 to 70: work that is too small for its helpers runs on the caller (WAKE_GRAINS in threads.c).
 * - One region at a time uses the workers. A region that finds them taken, or that is inside another region, runs on
 * its caller. So any number of threads may use one pool at once.
 * - After a fork the child's pool has no workers until its first region starts some.
 * - How a range is cut depends on the number of threads; bodies must give the same result for any cut.
 * Thread-safe. */
#ifndef HD_RUNTIME_THREADS_H_
#define HD_RUNTIME_THREADS_H_

#include "base/status.h"
#include "heddle/runtime.h"

typedef struct hd_pool hd_pool;

/* Does the items [begin, end). */
typedef void (*hd_range_fn)(void *argument, int64_t begin, int64_t end);

/* What a pool knows about one call (an execution): zero it, begin, regions, end. Used by one thread. */
typedef struct hd_pool_call {
  int64_t grains; /* of work that regions had so far */
  /* Null: regions run to their end. Asked by any thread between pieces of a region, about every 256 grains; true leaves
   * out the rest, which is the caller's to see. */
  bool (*stopped)(const void *user);
  const void *user;
} hd_pool_call;

/* |external| not null: the embedder's threads; |threads| is then ignored. */
hd_status hd_pool_create(int32_t threads, const hd_thread_pool *external, hd_pool **out_pool) HD_MUST_USE;
/* Not while a region runs. */
void hd_pool_free(hd_pool *pool);
int32_t hd_pool_threads(const hd_pool *pool);

/* Brackets a call, between which workers stay awake. |expected_grains| of work (0: unknown) decides whether to wake
 * them now. */
void hd_pool_begin(hd_pool *pool, hd_pool_call *call, int64_t expected_grains);
void hd_pool_end(hd_pool *pool, hd_pool_call *call);

/* Runs |body| over [0, |extent|) in chunks that are multiples of |grain| (>= 1), which should be about 1 us of work; at
 * least four chunks a thread when there is that much. Returns when all is done. |call| may be null. */
void hd_pool_for(hd_pool *pool, hd_pool_call *call, int64_t extent, int64_t grain, hd_range_fn body, void *argument);

/* The same on the calling thread alone. */
void hd_pool_alone(const hd_pool_call *call, int64_t extent, int64_t grain, hd_range_fn body, void *argument);

/* 0 on any thread but a worker; workers count from 1. */
int32_t hd_pool_worker(void);

#endif
