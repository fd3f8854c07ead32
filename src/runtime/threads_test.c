/* SPDX-License-Identifier: Apache-2.0 */
/* The thread pool: every element once, nested regions, several callers, a stop between grains, pools of an embedder. */
#define _GNU_SOURCE
#include "runtime/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/testing.h"

typedef struct tally {
  atomic_int *hits;
  atomic_int ranges, workers_seen, misaligned;
  int64_t grain, extent;
  hd_pool *pool;
} tally;

static void count(void *argument, int64_t begin, int64_t end) {
  tally *t = argument;
  atomic_fetch_add(&t->ranges, 1);
  atomic_fetch_or(&t->workers_seen, 1 << hd_pool_worker());
  if (begin % t->grain || (end % t->grain && end != t->extent)) atomic_fetch_add(&t->misaligned, 1);
  for (int64_t i = begin; i < end; ++i) atomic_fetch_add(&t->hits[i], 1);
}

static void check_cover(hd_pool *pool, int64_t extent, int64_t grain) {
  tally t = {.hits = calloc((size_t)extent + 1, sizeof(atomic_int)), .grain = grain, .extent = extent};
  hd_pool_call call;
  hd_pool_begin(pool, &call, 1000);
  hd_pool_for(pool, &call, extent, grain, count, &t);
  hd_pool_end(pool, &call);
  int64_t wrong = 0;
  for (int64_t i = 0; i < extent; ++i) wrong += atomic_load(&t.hits[i]) != 1;
  HD_CHECK_INT(wrong, 0);
  HD_CHECK_INT(atomic_load(&t.misaligned), 0);
  if (extent / grain < 2) HD_CHECK_INT(atomic_load(&t.ranges), extent > 0);
  free(t.hits);
}

typedef struct limited {
  atomic_int done;
  int32_t most;
} limited;

static bool is_enough(const void *user) {
  const limited *l = user;
  return atomic_load(&((limited *)l)->done) >= l->most;
}

static void count_items(void *argument, int64_t begin, int64_t end) {
  atomic_fetch_add(&((limited *)argument)->done, (int32_t)(end - begin));
}

/* A region that is stopped leaves out the rest, one that is not does all, on the pool and alone. */
static void check_stopped(hd_pool *pool) {
  enum { EXTENT = 1 << 20 };
  for (int alone = 0; alone < 2; ++alone)
    for (int stops = 0; stops < 2; ++stops) {
      limited l = {.most = stops ? 1000 : INT32_MAX};
      hd_pool_call call;
      hd_pool_begin(pool, &call, 1000);
      call.stopped = is_enough;
      call.user = &l;
      if (alone)
        hd_pool_alone(&call, EXTENT, 1, count_items, &l);
      else
        hd_pool_for(pool, &call, EXTENT, 1, count_items, &l);
      hd_pool_end(pool, &call);
      int32_t done = atomic_load(&l.done);
      if (stops) HD_CHECK(done >= 1000 && done < EXTENT / 8);
      if (!stops) HD_CHECK_INT(done, EXTENT);
    }
}

static void nested(void *argument, int64_t begin, int64_t end) {
  tally *t = argument;
  for (int64_t i = begin; i < end; ++i) {
    tally inner = {.hits = t->hits + i * 100, .grain = 1, .extent = 100};
    hd_pool_for(t->pool, NULL, 100, 1, count, &inner);
    if (atomic_load(&inner.ranges) != 1) atomic_fetch_add(&t->misaligned, 1);
  }
}

static void check_nested(hd_pool *pool) {
  tally t = {.hits = calloc(200 * 100, sizeof(atomic_int)), .pool = pool};
  hd_pool_for(pool, NULL, 200, 1, nested, &t);
  int wrong = 0;
  for (int i = 0; i < 200 * 100; ++i) wrong += atomic_load(&t.hits[i]) != 1;
  HD_CHECK_INT(wrong, 0);
  HD_CHECK_INT(atomic_load(&t.misaligned), 0);
  free(t.hits);
}

static void sum(void *argument, int64_t begin, int64_t end) {
  atomic_llong *total = argument;
  int64_t part = 0;
  for (int64_t i = begin; i < end; ++i) part += i;
  atomic_fetch_add(total, part);
}

static void *caller(void *argument) {
  hd_pool *pool = argument;
  for (int round = 0; round < 300; ++round) {
    hd_pool_call call;
    hd_pool_begin(pool, &call, round % 2 * 1000);
    for (int k = 0; k < 3; ++k) {
      atomic_llong total = 0;
      int64_t n = 1000 + round;
      hd_pool_for(pool, &call, n, 3, sum, &total);
      HD_CHECK_INT(atomic_load(&total), n * (n - 1) / 2);
    }
    hd_pool_end(pool, &call);
    if (round % 100 == 99) usleep(500);
  }
  return NULL;
}

static void check_many_callers(hd_pool *pool) {
  pthread_t threads[8];
  for (int i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, caller, pool);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
}

/* The number of ranges that a region of 20 grains is divided into. */
static int ranges_of_twenty(hd_pool *pool, hd_pool_call *call) {
  tally t = {.hits = calloc(20, sizeof(atomic_int)), .grain = 1, .extent = 20};
  hd_pool_for(pool, call, 20, 1, count, &t);
  free(t.hits);
  return atomic_load(&t.ranges);
}

/* Workers go to sleep some time after a call: on a busy machine that may take long. */
static void wait_until_cold(hd_pool *pool) {
  for (int attempt = 0; attempt < 500; ++attempt) {
    usleep(20000);
    hd_pool_call call;
    hd_pool_begin(pool, &call, 0);
    bool cold = ranges_of_twenty(pool, &call) == 1;
    hd_pool_end(pool, &call);
    if (cold) return;
  }
}

/* Small regions of a cold pool stay on the caller until enough work came together, in one call or in several; work that
 * comes now and then never does. */
static void check_cold(void) {
  hd_pool *pool;
  HD_CHECK_OK(hd_pool_create(2, NULL, &pool));
  check_cover(pool, 1000, 1);
  wait_until_cold(pool);
  for (int i = 0; i < 20; ++i) {
    hd_pool_call call;
    hd_pool_begin(pool, &call, 0);
    HD_CHECK_INT(ranges_of_twenty(pool, &call), 1);
    HD_CHECK_INT(call.grains, 20);
    hd_pool_end(pool, &call);
    usleep(1000);
  }
  int before = 0; /* a busy machine may take the time in which work is forgotten */
  for (bool woken = false; !woken && before < 10000; ++before) {
    hd_pool_call call;
    hd_pool_begin(pool, &call, 0);
    woken = ranges_of_twenty(pool, &call) > 1;
    hd_pool_end(pool, &call);
  }
  HD_CHECK(before > 3 && before < 10000);
  hd_pool_free(pool);
}

static atomic_int beside, apart;
static void note_cpu(void *argument, int64_t begin, int64_t end) {
  const int *owner_cpu = argument;
  for (volatile int64_t i = begin * 100; i < end * 100; ++i) {
  }
  if (hd_pool_worker()) atomic_fetch_add(sched_getcpu() == *owner_cpu ? &beside : &apart, 1);
}

/* Workers leave the CPU of a region's owner, also when every CPU has work of others. */
static void check_apart(void) {
  cpu_set_t before, one;
  HD_CHECK_INT(sched_getaffinity(0, sizeof before, &before), 0);
  if (CPU_COUNT(&before) < 2) return;
  hd_pool *pool;
  HD_CHECK_OK(hd_pool_create(2, NULL, &pool));
  check_cover(pool, 1000, 1); /* the worker starts before the owner is bound to its CPU */
  int owner_cpu = sched_getcpu();
  CPU_ZERO(&one);
  CPU_SET(owner_cpu, &one);
  HD_CHECK_INT(sched_setaffinity(0, sizeof one, &one), 0);
  for (int i = 0; i < 20000 && atomic_load(&apart) < 100; ++i) {
    hd_pool_call call;
    hd_pool_begin(pool, &call, 1000);
    hd_pool_for(pool, &call, 1000, 1, note_cpu, &owner_cpu);
    hd_pool_end(pool, &call);
  }
  HD_CHECK(atomic_load(&apart) >= 100);
  HD_CHECK(4 * atomic_load(&beside) <
           atomic_load(&apart)); /* a busy machine may move it between its look and its work */
  HD_CHECK_INT(sched_setaffinity(0, sizeof before, &before), 0);
  hd_pool_free(pool);
}

static atomic_int external_runs;
static void external_run(void *user, int64_t n, void (*body)(void *, int64_t), void *argument) {
  (void)user;
  atomic_fetch_add(&external_runs, 1);
  for (int64_t i = n; i-- > 0;) body(argument, i);
}

int main(void) {
  static const int32_t sizes[] = {1, 2, 3, 8};
  for (size_t i = 0; i < 4; ++i) {
    hd_pool *pool;
    if (!HD_CHECK_OK(hd_pool_create(sizes[i], NULL, &pool))) continue;
    HD_CHECK_INT(hd_pool_threads(pool), sizes[i]);
    static const int64_t extents[] = {0, 1, 2, 3, 7, 64, 1000, 4097, 100000};
    for (size_t e = 0; e < sizeof extents / sizeof *extents; ++e) {
      check_cover(pool, extents[e], 1);
      check_cover(pool, extents[e], 7);
      check_cover(pool, extents[e], 1ll << 62);
    }
    check_nested(pool);
    check_stopped(pool);
    check_many_callers(pool);
    hd_pool_free(pool);
  }
  check_cold();
  check_apart();
  hd_thread_pool external = {.thread_count = 4, .run = external_run};
  hd_pool *pool;
  HD_CHECK_OK(hd_pool_create(9, &external, &pool));
  HD_CHECK_INT(hd_pool_threads(pool), 4);
  check_cover(pool, 1000, 3);
  check_nested(pool);
  HD_CHECK_INT(atomic_load(&external_runs), 2);
  hd_pool_free(pool);
  external.run = NULL;
  HD_CHECK_FAILS(hd_pool_create(2, &external, &pool), HD_INVALID_ARGUMENT, "expected run");
  return HD_TEST_RESULT();
}
