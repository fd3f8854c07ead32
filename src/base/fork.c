/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fork.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static hd_fork_guard *first;
static atomic_uint generation;

static void before(void) {
  pthread_mutex_lock(&mutex);
  for (hd_fork_guard *g = first; g; g = g->next) g->lock(g->user);
}

static void after_in_parent(void) {
  for (hd_fork_guard *g = first; g; g = g->next) g->unlock(g->user);
  pthread_mutex_unlock(&mutex);
}

static void after_in_child(void) {
  atomic_fetch_add(&generation, 1);
  for (hd_fork_guard *g = first; g; g = g->next) g->reset(g->user);
  pthread_mutex_unlock(&mutex);
}

static int watched = -1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void watch(void) { watched = pthread_atfork(before, after_in_parent, after_in_child); }

/* Under the mutex. */
static void insert(hd_fork_guard *guard) {
  hd_fork_guard **link = &first;
  if (guard->rank != HD_FORK_OUTER)
    while (*link && (guard->rank == HD_FORK_INNER || (*link)->rank != HD_FORK_INNER)) link = &(*link)->next;
  guard->next = *link;
  guard->link = link;
  *link = guard;
  if (guard->next) guard->next->link = &guard->next;
}

hd_status hd_fork_guard_add(hd_fork_guard *guard) {
  pthread_once(&once, watch);
  if (watched) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory: the process cannot be watched for forks");
  pthread_mutex_lock(&mutex);
  insert(guard);
  pthread_mutex_unlock(&mutex);
  return HD_STATUS_OK;
}

void hd_fork_guard_remove(hd_fork_guard *guard) {
  if (!guard->link) return;
  pthread_mutex_lock(&mutex);
  *guard->link = guard->next;
  if (guard->next) guard->next->link = guard->link;
  guard->link = NULL;
  pthread_mutex_unlock(&mutex);
}

static void lock_mutex(void *user) { pthread_mutex_lock(&((hd_fork_mutex *)user)->mutex); }
static void unlock_mutex(void *user) { pthread_mutex_unlock(&((hd_fork_mutex *)user)->mutex); }

/* Adds the guard of |m| once. Whoever returns finds it in the list: a fork holds the mutex of the list throughout. */
static void watch_mutex(hd_fork_mutex *m) {
  pthread_once(&once, watch);
  if (watched) return; /* a process that cannot be watched has a mutex still */
  pthread_mutex_lock(&mutex);
  if (!atomic_load_explicit(&m->watched, memory_order_relaxed)) {
    m->guard.lock = lock_mutex;
    m->guard.unlock = m->guard.reset = unlock_mutex;
    m->guard.user = m;
    insert(&m->guard);
    atomic_store_explicit(&m->watched, true, memory_order_release);
  }
  pthread_mutex_unlock(&mutex);
}

void hd_fork_mutex_init(hd_fork_mutex *m, hd_fork_rank rank) {
  *m = (hd_fork_mutex){.mutex = PTHREAD_MUTEX_INITIALIZER, .guard.rank = rank};
  watch_mutex(m); /* not when it is first locked: that may be under a lock that a fork waits for */
}

void hd_fork_mutex_destroy(hd_fork_mutex *m) {
  hd_fork_guard_remove(&m->guard);
  pthread_mutex_destroy(&m->mutex);
}

void hd_fork_mutex_lock(hd_fork_mutex *m) {
  /* Before it is locked: a fork locks the list of guards first. */
  if (!atomic_load_explicit(&m->watched, memory_order_acquire)) watch_mutex(m);
  pthread_mutex_lock(&m->mutex);
}

void hd_fork_mutex_unlock(hd_fork_mutex *m) { pthread_mutex_unlock(&m->mutex); }

uint32_t hd_fork_generation(void) { return atomic_load_explicit(&generation, memory_order_relaxed); }
