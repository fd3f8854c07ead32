/* SPDX-License-Identifier: Apache-2.0 */
/* One word holds the state of the current region:
 *
 *   | sequence number | WAITING | OPEN | workers inside |
 *
 * The owner writes the region's fields while the word says "closed, nobody inside", then publishes it as open. A worker
 * enters by counting itself in while the word is open, so the owner, having closed it and seen the count reach zero,
 * may reuse the fields. A worker enters each region (sequence number) once. */
#define _GNU_SOURCE
#include "runtime/threads.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/float_env.h"
#include "base/fork.h"
#include "heddle/runtime.h"

enum {
  INSIDE_MASK = 0xfff,
  OPEN = 1 << 12,
  WAITING = 1 << 13,
  SEQUENCE_SHIFT = 14,
  CHUNKS_PER_THREAD = 4,
  WORKER_STACK = 2 << 20,
  /* Grains (about a microsecond each) of work from which sleeping workers are worth waking. */
  WAKE_GRAINS = 64,
  /* Grains between two looks at whether a region is stopped. */
  PIECE_GRAINS = 256,
};
/* How long a worker without work spins: within a call, and after one. */
static const int64_t SPIN_IN_CALL_NS = 300000, SPIN_AFTER_CALL_NS = 60000;
/* How long the owner spins for the last workers before it sleeps: they may have lost their CPU. */
static const int64_t SPIN_AT_END_NS = 50000;
/* How often a worker may leave its owner's CPU. */
static const int64_t MOVE_EVERY_NS = 1000000;

typedef struct worker {
  hd_pool *pool;
  int32_t index;
  pthread_t thread;
  cpu_set_t allowed; /* the CPUs it started with; none when they cannot be told */
  int64_t moved_ns;  /* when it last moved */
} worker;

/* A thread's part of the region: it takes chunks from the front, and others help when theirs are done. So a thread sees
 * the same part of equal regions, and finds in its cache what it used or made there before. */
typedef struct share {
  _Alignas(64) atomic_llong next; /* first item that nobody took */
  int64_t end;
} share;

struct hd_pool {
  int32_t threads;
  hd_thread_pool external;
  bool is_external;

  _Alignas(64) _Atomic uint32_t state;
  /* The region; written by its owner while nobody is inside. */
  _Alignas(64) hd_range_fn body;
  void *argument;
  int64_t chunk;
  share *shares; /* one a thread */

  _Alignas(64) atomic_int owner_cpu; /* where the last region started */

  _Alignas(64) _Atomic uint32_t wake; /* futex: changes at each wake-up */
  atomic_int sleepers;
  atomic_int calls; /* under way */
  atomic_bool stop;
  atomic_bool taken;  /* by the owner of the region */
  atomic_int started; /* workers running; set once under |starting| */
  pthread_mutex_t starting;
  atomic_bool start_tried;
  worker *workers;
  hd_fork_guard guard;
};

static _Thread_local int32_t this_worker;
static _Thread_local int32_t depth; /* of regions around this code */

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

static void futex_wait(_Atomic uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/* Takes chunks until none is left: of this thread's share first, then of the others'. */
static void take_chunks(hd_pool *pool) {
  ++depth;
  int32_t own = this_worker % pool->threads;
  for (int32_t i = 0; i < pool->threads; ++i) {
    share *from = &pool->shares[own + i < pool->threads ? own + i : own + i - pool->threads];
    while (atomic_load_explicit(&from->next, memory_order_relaxed) < from->end) {
      int64_t begin = atomic_fetch_add_explicit(&from->next, pool->chunk, memory_order_relaxed);
      if (begin >= from->end) break;
      int64_t end = from->end - begin < pool->chunk ? from->end : begin + pool->chunk;
      pool->body(pool->argument, begin, end);
    }
  }
  --depth;
}

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

/* ---- workers --------------------------------------------------------------------------------------------------- */

/* Enters the open region that |*seen| does not name yet, works, leaves. False when there is none. */
static bool work_once(hd_pool *pool, uint32_t *seen) {
  uint32_t state = atomic_load_explicit(&pool->state, memory_order_acquire);
  do {
    if (!(state & OPEN) || state >> SEQUENCE_SHIFT == *seen) return false;
  } while (!atomic_compare_exchange_weak_explicit(&pool->state, &state, state + 1, memory_order_acquire,
                                                  memory_order_acquire));
  *seen = state >> SEQUENCE_SHIFT;
  take_chunks(pool);
  uint32_t before = atomic_fetch_sub_explicit(&pool->state, 1, memory_order_acq_rel);
  if ((before & (INSIDE_MASK | OPEN | WAITING)) == (1 | WAITING)) futex_wake(&pool->state, 1);
  return true;
}

/* A worker on its owner's CPU only takes that CPU's time from the owner, and a chunk it holds waits for the owner to
 * sleep. The scheduler puts a woken worker there when the other CPUs have work of other processes, and leaves it. */
static bool is_beside_owner(const hd_pool *pool) {
  return sched_getcpu() == atomic_load_explicit(&pool->owner_cpu, memory_order_relaxed);
}

/* Moves to any other CPU this worker may use. False when there is none, or when it just moved: owners on several CPUs
 * would send it to and fro. */
static bool move_away(worker *self) {
  int64_t now = hd_clock_ns();
  if (now - self->moved_ns < MOVE_EVERY_NS) return false;
  self->moved_ns = now;
  cpu_set_t others = self->allowed;
  int owner = atomic_load_explicit(&self->pool->owner_cpu, memory_order_relaxed);
  if (owner < 0 || owner >= CPU_SETSIZE) return false;
  CPU_CLR(owner, &others);
  return CPU_COUNT(&others) && sched_setaffinity(0, sizeof others, &others) == 0;
}

static void *worker_main(void *argument) {
  worker *self = argument;
  hd_pool *pool = self->pool;
  this_worker = self->index;
  if (sched_getaffinity(0, sizeof self->allowed, &self->allowed)) CPU_ZERO(&self->allowed);
  uint32_t seen = UINT32_MAX;
  int64_t idle_since = hd_clock_ns();
  for (;;) {
    bool worked = false, may_work = !is_beside_owner(pool) || move_away(self);
    for (int i = 0; i < 32 && !worked && may_work; ++i) {
      worked = work_once(pool, &seen);
      if (!worked) relax();
    }
    if (atomic_load_explicit(&pool->stop, memory_order_relaxed)) return NULL;
    if (worked) {
      idle_since = hd_clock_ns();
      continue;
    }
    bool in_call = atomic_load_explicit(&pool->calls, memory_order_relaxed) > 0;
    if (may_work && hd_clock_ns() - idle_since < (in_call ? SPIN_IN_CALL_NS : SPIN_AFTER_CALL_NS)) continue;
    /* Sleep, unless work appeared: the owner publishes, then looks for sleepers; we count ourselves, then look for
     * work. */
    uint32_t ticket = atomic_load(&pool->wake);
    atomic_fetch_add(&pool->sleepers, 1);
    uint32_t state = atomic_load(&pool->state);
    bool has_work = may_work && (state & OPEN) && state >> SEQUENCE_SHIFT != seen;
    if (!has_work && !atomic_load(&pool->stop)) futex_wait(&pool->wake, ticket);
    atomic_fetch_sub(&pool->sleepers, 1);
    idle_since = hd_clock_ns();
  }
}

static void start_workers(hd_pool *pool) {
  if (atomic_load_explicit(&pool->start_tried, memory_order_acquire)) return;
  pthread_mutex_lock(&pool->starting);
  if (!atomic_load_explicit(&pool->start_tried, memory_order_relaxed)) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old); /* signals are the embedder's */
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, WORKER_STACK);
    int32_t started = 0;
    while (started < pool->threads - 1) {
      worker *w = &pool->workers[started];
      *w = (worker){.pool = pool, .index = started + 1};
      /* With fewer threads than wanted the work is still done. */
      if (pthread_create(&w->thread, &attributes, worker_main, w)) break;
      char name[16];
      snprintf(name, sizeof name, "heddle-%d", (int)w->index % 10000);
      pthread_setname_np(w->thread, name);
      ++started;
    }
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    atomic_store(&pool->started, started);
    atomic_store_explicit(&pool->start_tried, true, memory_order_release);
  }
  pthread_mutex_unlock(&pool->starting);
}

static void wake_workers(hd_pool *pool) {
  if (atomic_load(&pool->sleepers) == 0) return;
  atomic_fetch_add(&pool->wake, 1);
  futex_wake(&pool->wake, INT_MAX);
}

/* ---- regions --------------------------------------------------------------------------------------------------- */

/* The owner's half: publish, work, close, wait for those inside. */
static void run_region(hd_pool *pool, int64_t extent, int64_t chunk, bool wake, hd_range_fn body, void *argument) {
  pool->body = body;
  pool->argument = argument;
  pool->chunk = chunk;
  share_out(pool, extent, chunk);
  atomic_store_explicit(&pool->owner_cpu, sched_getcpu(), memory_order_relaxed);
  uint32_t sequence = (atomic_load_explicit(&pool->state, memory_order_relaxed) >> SEQUENCE_SHIFT) + 1;
  atomic_store(&pool->state, sequence << SEQUENCE_SHIFT | OPEN);
  if (wake) wake_workers(pool);
  take_chunks(pool);
  uint32_t state = atomic_fetch_and_explicit(&pool->state, ~(uint32_t)OPEN, memory_order_acq_rel);
  if (!(state & INSIDE_MASK)) return;
  int64_t start = 0;
  for (unsigned spin = 1; (state = atomic_load_explicit(&pool->state, memory_order_acquire)) & INSIDE_MASK; ++spin) {
    relax();
    if (spin % 64) continue;
    int64_t now = hd_clock_ns();
    if (!start) start = now;
    if (now - start < SPIN_AT_END_NS) continue;
    state = atomic_fetch_or(&pool->state, WAITING) | WAITING;
    if (state & INSIDE_MASK) futex_wait(&pool->state, state);
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
  ++depth;
  region->body(region->argument, begin, end);
  --depth;
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
  if (grains < 2 || pool->threads == 1 || depth) {
    body(argument, 0, extent);
    return;
  }
  int64_t chunk = chunk_size(extent, grain, pool->threads);
  if (pool->is_external) {
    external_region region = {body, argument, extent, chunk};
    pool->external.run(pool->external.user, extent / chunk + (extent % chunk != 0), external_chunk, &region);
    return;
  }
  start_workers(pool);
  int32_t started = atomic_load_explicit(&pool->started, memory_order_relaxed);
  bool all_asleep = atomic_load_explicit(&pool->sleepers, memory_order_relaxed) >= started;
  bool wake = grains + (call ? call->skipped : 0) >= WAKE_GRAINS;
  if (all_asleep && !wake) {
    if (call) call->skipped += grains;
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
    start_workers(pool);
    wake_workers(pool);
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
  pool->guard = (hd_fork_guard){lock_for_fork, unlock_after_fork, reset_after_fork, pool, NULL, NULL};
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
  futex_wake(&pool->wake, INT_MAX);
  int32_t started = atomic_load(&pool->started);
  for (int32_t i = 0; i < started; ++i) pthread_join(pool->workers[i].thread, NULL);
  pthread_mutex_destroy(&pool->starting);
  free(pool->shares);
  free(pool->workers);
  free(pool);
}

int32_t hd_pool_threads(const hd_pool *pool) { return pool->threads; }
int32_t hd_pool_worker(void) { return this_worker; }
