/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: cut into shares, opened for the workers, closed when all is done. */
#define _GNU_SOURCE
#include "runtime/threads.h"

#include <limits.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/float_env.h"
#include "heddle/runtime.h"
#include "runtime/workers.h"

enum {
  CHUNKS_PER_THREAD = 4,
  /* Grains (about a microsecond each) of work from which sleeping workers are worth waking. */
  WAKE_GRAINS = 64,
  /* Grains between two looks at whether a region is stopped. */
  PIECE_GRAINS = 256,
};
/* In which a grain of work that the workers slept through is forgotten: four times what it takes. */
static const int64_t FORGET_NS = 4000;
/* How long the owner spins for the last workers before it sleeps: they may have lost their CPU. */
static const int64_t SPIN_AT_END_NS = 50000;

/* Cuts [0, extent) into shares of whole chunks. */
static void share_out(hd_pool *pool, int64_t extent, int64_t chunk) {
  int64_t chunks = extent / chunk + (extent % chunk != 0), each = chunks / pool->threads, more = chunks % pool->threads;
  int64_t at = 0;
  for (int32_t i = 0; i < pool->threads; ++i) {
    int64_t count = each + (i < more), left = extent - at;
    int64_t items = count > left / chunk ? left : count * chunk;
    atomic_store_explicit(&pool->shares[i].next, at, memory_order_relaxed);
    pool->shares[i].end = at += items;
  }
}

/* ---- regions --------------------------------------------------------------------------------------------------- */

/* The owner's half: publish, work, close, wait for those inside. */
static void run_region(hd_pool *pool, int64_t extent, int64_t chunk, bool wake, hd_range_fn body, void *argument) {
  pool->body = body;
  pool->argument = argument;
  pool->chunk = chunk;
  share_out(pool, extent, chunk);
  atomic_store_explicit(&pool->owner_cpu, sched_getcpu(), memory_order_relaxed);
  uint32_t sequence = (atomic_load_explicit(&pool->state, memory_order_relaxed) >> HD_REGION_SEQUENCE_SHIFT) + 1;
  atomic_store(&pool->state, sequence << HD_REGION_SEQUENCE_SHIFT | HD_REGION_OPEN);
  if (wake) hd_pool_wake_workers(pool);
  hd_pool_take_chunks(pool);
  uint32_t state = atomic_fetch_and_explicit(&pool->state, ~(uint32_t)HD_REGION_OPEN, memory_order_acq_rel);
  if (!(state & HD_REGION_INSIDE)) return;
  int64_t start = 0;
  for (unsigned spin = 1; (state = atomic_load_explicit(&pool->state, memory_order_acquire)) & HD_REGION_INSIDE;
       ++spin) {
    hd_relax();
    if (spin % 64) continue;
    int64_t now = hd_clock_ns();
    if (!start) start = now;
    if (now - start < SPIN_AT_END_NS) continue;
    state = atomic_fetch_or(&pool->state, HD_REGION_WAITING) | HD_REGION_WAITING;
    if (state & HD_REGION_INSIDE) hd_futex_wait(&pool->state, state);
  }
}

static int64_t chunk_size(int64_t extent, int64_t grain, int64_t threads) {
  int64_t grains = extent / grain + (extent % grain != 0);
  int64_t chunks = threads * CHUNKS_PER_THREAD;
  if (grains >= chunks * 16) chunks *= 2;
  int64_t per_chunk = grains / chunks + (grains % chunks != 0);
  /* Saturate: |grain| may be as large as it likes. */
  int64_t chunk;
  return __builtin_mul_overflow(per_chunk, grain, &chunk) || chunk > extent ? extent : chunk;
}

typedef struct external_region {
  hd_range_fn body;
  void *argument;
  int64_t extent, chunk;
} external_region;

static void external_chunk(void *argument, int64_t i) {
  const external_region *region = argument;
  int64_t begin = i * region->chunk;
  int64_t end = region->extent - begin < region->chunk ? region->extent : begin + region->chunk;
  unsigned float_env = hd_float_env_enter(); /* the embedder's thread */
  ++hd_region_depth;
  region->body(region->argument, begin, end);
  --hd_region_depth;
  hd_float_env_leave(float_env);
}

/* A body that is asked between pieces whether to go on. */
typedef struct stoppable {
  hd_range_fn body;
  void *argument;
  const hd_pool_call *call;
  int64_t piece; /* items, a multiple of the grain */
} stoppable;

static void run_pieces(void *argument, int64_t begin, int64_t end) {
  const stoppable *s = argument;
  while (begin < end && !s->call->stopped(s->call->user)) {
    int64_t next = end - begin < s->piece ? end : begin + s->piece;
    s->body(s->argument, begin, next);
    begin = next;
  }
}

static stoppable make_stoppable(const hd_pool_call *call, int64_t grain, hd_range_fn body, void *argument) {
  stoppable s = {body, argument, call, 0};
  if (__builtin_mul_overflow(grain, (int64_t)PIECE_GRAINS, &s.piece)) s.piece = INT64_MAX;
  return s;
}

void hd_pool_alone(const hd_pool_call *call, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  if (extent <= 0) return;
  if (!call || !call->stopped) {
    body(argument, 0, extent);
    return;
  }
  stoppable s = make_stoppable(call, grain < 1 ? 1 : grain, body, argument);
  run_pieces(&s, 0, extent);
}

static void run_on_pool(hd_pool *pool, hd_pool_call *call, int64_t extent, int64_t grain, hd_range_fn body,
                        void *argument);

/* Work that ran on its caller because the workers slept is remembered, and forgotten by |FORGET_NS| a grain: when it
 * comes to WAKE_GRAINS, calls follow on each other so closely that the workers, once awake, would stay so. */
static bool is_worth_waking(hd_pool *pool, int64_t grains) {
  int64_t now = hd_clock_ns(), before = atomic_exchange_explicit(&pool->skipped_at, now, memory_order_relaxed);
  int64_t left = atomic_load_explicit(&pool->skipped, memory_order_relaxed) - (now - before) / FORGET_NS;
  int64_t all = (left > 0 ? left : 0) + grains;
  bool worth = all >= WAKE_GRAINS;
  atomic_store_explicit(&pool->skipped, worth ? 0 : all, memory_order_relaxed);
  return worth;
}

void hd_pool_for(hd_pool *pool, hd_pool_call *call, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  if (extent <= 0) return;
  if (grain < 1) grain = 1;
  if (!call || !call->stopped) {
    run_on_pool(pool, call, extent, grain, body, argument);
    return;
  }
  stoppable s = make_stoppable(call, grain, body, argument);
  run_on_pool(pool, call, extent, grain, run_pieces, &s);
}

static void run_on_pool(hd_pool *pool, hd_pool_call *call, int64_t extent, int64_t grain, hd_range_fn body,
                        void *argument) {
  int64_t grains = extent / grain;
  if (call) call->grains += grains;
  if (grains < 2 || pool->threads == 1 || hd_region_depth) {
    body(argument, 0, extent);
    return;
  }
  int64_t chunk = chunk_size(extent, grain, pool->threads);
  if (pool->is_external) {
    external_region region = {body, argument, extent, chunk};
    pool->external.run(pool->external.user, extent / chunk + (extent % chunk != 0), external_chunk, &region);
    return;
  }
  hd_pool_start_workers(pool);
  int32_t started = atomic_load_explicit(&pool->started, memory_order_relaxed);
  bool all_asleep = atomic_load_explicit(&pool->sleepers, memory_order_relaxed) >= started;
  bool wake = grains >= WAKE_GRAINS || (all_asleep && is_worth_waking(pool, grains));
  if (all_asleep && !wake) {
    body(argument, 0, extent);
    return;
  }
  if (atomic_exchange_explicit(&pool->taken, true, memory_order_acquire)) {
    body(argument, 0, extent);
    return;
  }
  run_region(pool, extent, chunk, wake, body, argument);
  atomic_store_explicit(&pool->taken, false, memory_order_release);
}

void hd_pool_begin(hd_pool *pool, hd_pool_call *call, int64_t expected_grains) {
  *call = (hd_pool_call){0};
  if (pool->is_external || pool->threads == 1) return;
  atomic_fetch_add_explicit(&pool->calls, 1, memory_order_relaxed);
  if (expected_grains >= 2 * WAKE_GRAINS) {
    hd_pool_start_workers(pool);
    hd_pool_wake_workers(pool);
  }
}

void hd_pool_end(hd_pool *pool, hd_pool_call *call) {
  (void)call;
  if (pool->is_external || pool->threads == 1) return;
  atomic_fetch_sub_explicit(&pool->calls, 1, memory_order_relaxed);
}

/* ---- the pool -------------------------------------------------------------------------------------------------- */

static void lock_for_fork(void *user) { pthread_mutex_lock(&((hd_pool *)user)->starting); }
static void unlock_after_fork(void *user) { pthread_mutex_unlock(&((hd_pool *)user)->starting); }

/* The workers are the parent's; the child's start with its first region. */
static void reset_after_fork(void *user) {
  hd_pool *pool = user;
  atomic_store(&pool->state, 0);
  atomic_store(&pool->sleepers, 0);
  atomic_store(&pool->calls, 0);
  atomic_store(&pool->taken, false);
  atomic_store(&pool->started, 0);
  atomic_store(&pool->start_tried, false);
  pthread_mutex_init(&pool->starting, NULL);
}

hd_status hd_pool_create(int32_t threads, const hd_thread_pool *external, hd_pool **out_pool) {
  *out_pool = NULL;
  if (external && (!external->run || external->thread_count < 1))
    return hd_make_status(HD_INVALID_ARGUMENT, "thread pool of the embedder: expected run and at least 1 thread");
  if (threads < 1) threads = 1;
  if (threads > HD_MAX_THREADS) threads = HD_MAX_THREADS;
  hd_pool *pool = aligned_alloc(64, (sizeof *pool + 63) / 64 * 64);
  if (!pool) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *pool = (hd_pool){.threads = threads, .owner_cpu = -1};
  pthread_mutex_init(&pool->starting, NULL);
  if (external) {
    pool->external = *external;
    pool->is_external = true;
    pool->threads = external->thread_count;
  } else if (!(pool->workers = calloc((size_t)threads, sizeof *pool->workers)) ||
             !(pool->shares = aligned_alloc(64, (size_t)threads * sizeof *pool->shares))) {
    pthread_mutex_destroy(&pool->starting);
    free(pool->workers);
    free(pool);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  pool->guard = (hd_fork_guard){lock_for_fork, unlock_after_fork, reset_after_fork, pool, HD_FORK_MIDDLE, NULL, NULL};
  hd_status status = hd_fork_guard_add(&pool->guard);
  if (hd_is_ok(status))
    *out_pool = pool;
  else
    hd_pool_free(pool);
  return status;
}

void hd_pool_free(hd_pool *pool) {
  if (!pool) return;
  hd_fork_guard_remove(&pool->guard);
  atomic_store(&pool->stop, true);
  atomic_fetch_add(&pool->wake, 1);
  hd_futex_wake(&pool->wake, INT_MAX);
  int32_t started = atomic_load(&pool->started);
  for (int32_t i = 0; i < started; ++i) pthread_join(pool->workers[i].thread, NULL);
  pthread_mutex_destroy(&pool->starting);
  free(pool->shares);
  free(pool->workers);
  free(pool);
}

int32_t hd_pool_threads(const hd_pool *pool) { return pool->threads; }
int32_t hd_pool_worker(void) { return hd_this_worker; }
