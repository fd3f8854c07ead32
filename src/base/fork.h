/* SPDX-License-Identifier: Apache-2.0 */
/* What owns threads survives a fork: the child has its memory, and none of its threads. A guard's lock is taken before
 * the process forks and given back after it, so that what it protects is whole in the child, where reset then forgets
 * the threads. Thread-safe; guards are locked in the order in which they were added. */
#ifndef HD_BASE_FORK_H_
#define HD_BASE_FORK_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/status.h"

typedef struct hd_fork_guard {
  void (*lock)(void *user);   /* in the parent, before */
  void (*unlock)(void *user); /* in the parent, after */
  void (*reset)(void *user);  /* in the child, whose only thread calls it: the lock is taken, and is to be made anew */
  void *user;
  struct hd_fork_guard *next, **link;
} hd_fork_guard;

/* |guard| stays where it is until it is removed. RESOURCE_EXHAUSTED: the process cannot be watched. */
hd_status hd_fork_guard_add(hd_fork_guard *guard) HD_MUST_USE;
/* The same, locked before all that are there: for a lock under which those are taken. */
hd_status hd_fork_guard_add_outer(hd_fork_guard *guard) HD_MUST_USE;
/* One that was not added is left alone. */
void hd_fork_guard_remove(hd_fork_guard *guard);

/* A mutex of the process, which a forked child finds free and what it protects whole. Never destroyed. */
typedef struct hd_fork_mutex {
  pthread_mutex_t mutex;
  atomic_bool watched; /* its guard is in the list */
  hd_fork_guard guard;
} hd_fork_mutex;
#define HD_FORK_MUTEX_INIT {.mutex = PTHREAD_MUTEX_INITIALIZER}
void hd_fork_mutex_lock(hd_fork_mutex *mutex);
void hd_fork_mutex_unlock(hd_fork_mutex *mutex);

/* How many forks lie between this process and the one that added the first guard: a child's number is not its
 * parent's. */
uint32_t hd_fork_generation(void);

#endif
