/* SPDX-License-Identifier: Apache-2.0 */
/* What owns threads survives a fork: the child has its memory, and none of its threads. A guard's lock is taken before
 * the process forks and given back after it, so that what it protects is whole in the child, where reset then forgets
 * the threads. Thread-safe. Guards are locked by rank, so that a thread which takes one lock under another never waits
 * for the process that forks. */
#ifndef HD_BASE_FORK_H_
#define HD_BASE_FORK_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/status.h"

/* Where a guard is in the order of locking. */
typedef enum hd_fork_rank {
  HD_FORK_MIDDLE, /* after the middle ones that are there */
  HD_FORK_OUTER,  /* before all that are there: others are taken under it */
  HD_FORK_INNER,  /* after all: nothing is taken under it, and it may be taken under any */
} hd_fork_rank;

typedef struct hd_fork_guard {
  void (*lock)(void *user);   /* in the parent, before */
  void (*unlock)(void *user); /* in the parent, after */
  void (*reset)(void *user);  /* in the child, whose only thread calls it: the lock is taken, and is to be made anew */
  void *user;
  hd_fork_rank rank;
  struct hd_fork_guard *next, **link;
} hd_fork_guard;

/* |guard| stays where it is until it is removed. RESOURCE_EXHAUSTED: the process cannot be watched. */
hd_status hd_fork_guard_add(hd_fork_guard *guard) HD_MUST_USE;
/* One that was not added is left alone. */
void hd_fork_guard_remove(hd_fork_guard *guard);

/* A mutex that a forked child finds free, and what it protects whole. One of the process needs no more than
 * HD_FORK_MUTEX_INIT, is not first locked under another, and is never destroyed. */
typedef struct hd_fork_mutex {
  pthread_mutex_t mutex;
  atomic_bool watched; /* its guard is in the list */
  hd_fork_guard guard;
} hd_fork_mutex;
#define HD_FORK_MUTEX_INIT {.mutex = PTHREAD_MUTEX_INITIALIZER}
/* Has its place in the order of locking from here on; called under no lock that a fork takes. */
void hd_fork_mutex_init(hd_fork_mutex *mutex, hd_fork_rank rank);
/* Nobody holds it or asks for it. */
void hd_fork_mutex_destroy(hd_fork_mutex *mutex);
void hd_fork_mutex_lock(hd_fork_mutex *mutex);
void hd_fork_mutex_unlock(hd_fork_mutex *mutex);

/* How many forks are between this process and the one that added the first guard: a child's number is not its
 * parent's. */
uint32_t hd_fork_generation(void);

#endif
