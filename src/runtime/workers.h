/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the thread pool: its workers (workers.c) and the regions that callers open for them (threads.c).
 *
 * One word holds the state of the current region:
 *
 *   | sequence number | WAITING | OPEN | workers inside |
 *
 * The owner writes the region's fields while the word says "closed, nobody inside", then publishes it as open. A worker
 * enters by counting itself in while the word is open, so the owner, having closed it and seen the count reach zero,
 * may reuse the fields. A worker enters each region (sequence number) once. */
#ifndef HD_RUNTIME_WORKERS_H_
#define HD_RUNTIME_WORKERS_H_

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fork.h"
#include "runtime/threads.h"

enum { HD_REGION_INSIDE = 0xfff, HD_REGION_OPEN = 1 << 12, HD_REGION_WAITING = 1 << 13, HD_REGION_SEQUENCE_SHIFT = 14 };

typedef struct hd_worker {
  hd_pool *pool;
  int32_t index;
  pthread_t thread;
  cpu_set_t allowed; /* the CPUs it started with; none when they are not known */
  int64_t moved_ns;  /* when it last moved */
} hd_worker;

/* A thread's part of the region: it takes chunks from the front, and others help when theirs are done. So a thread sees
 * the same part of equal regions, and finds in its cache what it used or made there before. */
typedef struct hd_share {
  _Alignas(64) atomic_llong next; /* first item that nobody took */
  int64_t end;
} hd_share;

struct hd_pool {
  int32_t threads;
  hd_thread_pool external;
  bool is_external;

  _Alignas(64) _Atomic uint32_t state;
  /* The region; written by its owner while nobody is inside. */
  _Alignas(64) hd_range_fn body;
  void *argument;
  int64_t chunk;
  hd_share *shares; /* one a thread */

  _Alignas(64) atomic_int owner_cpu; /* where the last region started */

  atomic_llong skipped, skipped_at; /* grains of work that the workers slept through, and when the last of it came */

  _Alignas(64) _Atomic uint32_t wake; /* futex: changes at each wake-up */
  atomic_int sleepers;
  atomic_int calls; /* under way */
  atomic_bool stop;
  atomic_bool taken;  /* by the owner of the region */
  atomic_int started; /* workers running; set once under |starting| */
  pthread_mutex_t starting;
  atomic_bool start_tried;
  hd_worker *workers;
  hd_fork_guard guard;
};

extern _Thread_local int32_t hd_this_worker;
extern _Thread_local int32_t hd_region_depth; /* of regions around this code */

static inline void hd_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

static inline void hd_futex_wait(_Atomic uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static inline void hd_futex_wake(_Atomic uint32_t *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/* Starts the workers, the first time. */
void hd_pool_start_workers(hd_pool *pool);
/* Wakes those that sleep. */
void hd_pool_wake_workers(hd_pool *pool);
/* Takes chunks of the region until none is left: of this thread's share first, then of the others'. */
void hd_pool_take_chunks(hd_pool *pool);

#endif
