/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/workers.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>

#include "base/clock.h"

enum { WORKER_STACK = 2 << 20 };
/* How long a worker without work spins: within a call, and after one. */
static const int64_t SPIN_IN_CALL_NS = 300000, SPIN_AFTER_CALL_NS = 60000;
/* How often a worker may leave its owner's CPU. */
static const int64_t MOVE_EVERY_NS = 1000000;

_Thread_local int32_t hd_this_worker;
_Thread_local int32_t hd_region_depth;

void hd_pool_take_chunks(hd_pool *pool) {
  ++hd_region_depth;
  int32_t own = hd_this_worker % pool->threads;
  for (int32_t i = 0; i < pool->threads; ++i) {
    hd_share *from = &pool->shares[own + i < pool->threads ? own + i : own + i - pool->threads];
    while (atomic_load_explicit(&from->next, memory_order_relaxed) < from->end) {
      int64_t begin = atomic_fetch_add_explicit(&from->next, pool->chunk, memory_order_relaxed);
      if (begin >= from->end) break;
      int64_t end = from->end - begin < pool->chunk ? from->end : begin + pool->chunk;
      pool->body(pool->argument, begin, end);
    }
  }
  --hd_region_depth;
}

/* Enters the open region that |*seen| does not name yet, works, leaves. False when there is none. */
static bool work_once(hd_pool *pool, uint32_t *seen) {
  uint32_t state = atomic_load_explicit(&pool->state, memory_order_acquire);
  do {
    if (!(state & HD_REGION_OPEN) || state >> HD_REGION_SEQUENCE_SHIFT == *seen) return false;
  } while (!atomic_compare_exchange_weak_explicit(&pool->state, &state, state + 1, memory_order_acquire,
                                                  memory_order_acquire));
  *seen = state >> HD_REGION_SEQUENCE_SHIFT;
  hd_pool_take_chunks(pool);
  uint32_t before = atomic_fetch_sub_explicit(&pool->state, 1, memory_order_acq_rel);
  if ((before & (HD_REGION_INSIDE | HD_REGION_OPEN | HD_REGION_WAITING)) == (1 | HD_REGION_WAITING))
    hd_futex_wake(&pool->state, 1);
  return true;
}

/* A worker on its owner's CPU only takes that CPU's time from the owner, and a chunk it holds waits for the owner to
 * sleep. The scheduler puts a woken worker there when the other CPUs have work of other processes, and leaves it. */
static bool is_beside_owner(const hd_pool *pool) {
  return sched_getcpu() == atomic_load_explicit(&pool->owner_cpu, memory_order_relaxed);
}

/* Moves to any other CPU this worker may use. False when there is none, or when it just moved: owners on several CPUs
 * would send it to and fro. */
static bool move_away(hd_worker *self) {
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
  hd_worker *self = argument;
  hd_pool *pool = self->pool;
  hd_this_worker = self->index;
  if (sched_getaffinity(0, sizeof self->allowed, &self->allowed)) CPU_ZERO(&self->allowed);
  uint32_t seen = UINT32_MAX;
  int64_t idle_since = hd_clock_ns();
  for (;;) {
    bool worked = false, may_work = !is_beside_owner(pool) || move_away(self);
    for (int i = 0; i < 32 && !worked && may_work; ++i) {
      worked = work_once(pool, &seen);
      if (!worked) hd_relax();
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
    bool has_work = may_work && (state & HD_REGION_OPEN) && state >> HD_REGION_SEQUENCE_SHIFT != seen;
    if (!has_work && !atomic_load(&pool->stop)) hd_futex_wait(&pool->wake, ticket);
    atomic_fetch_sub(&pool->sleepers, 1);
    idle_since = hd_clock_ns();
  }
}

void hd_pool_start_workers(hd_pool *pool) {
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
      hd_worker *w = &pool->workers[started];
      *w = (hd_worker){.pool = pool, .index = started + 1};
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

void hd_pool_wake_workers(hd_pool *pool) {
  if (atomic_load(&pool->sleepers) == 0) return;
  atomic_fetch_add(&pool->wake, 1);
  hd_futex_wake(&pool->wake, INT_MAX);
}
