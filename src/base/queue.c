/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "base/queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/fork.h"

typedef struct task {
  struct task *next;
  void (*work)(void *argument);
  void *argument;
} task;

struct hd_queue {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  task *first, **last;
  pthread_t thread;
  bool started, stop;
  hd_fork_guard guard;
};

/* Set when the queue of this thread is freed by the thread itself, which ends then. */
static _Thread_local bool queue_is_gone;

static void *queue_main(void *argument) {
  hd_queue *queue = argument;
  while (!queue_is_gone) {
    pthread_mutex_lock(&queue->mutex);
    while (!queue->first && !queue->stop) pthread_cond_wait(&queue->changed, &queue->mutex);
    task *t = queue->first;
    if (t && !(queue->first = t->next)) queue->last = &queue->first;
    pthread_mutex_unlock(&queue->mutex);
    if (!t) return NULL;
    t->work(t->argument);
    free(t);
  }
  return NULL;
}

static void lock_for_fork(void *user) { pthread_mutex_lock(&((hd_queue *)user)->mutex); }
static void unlock_after_fork(void *user) { pthread_mutex_unlock(&((hd_queue *)user)->mutex); }

/* The parent does what was queued. The condition is not destroyed: the thread that waits for it is the parent's. */
static void reset_after_fork(void *user) {
  hd_queue *queue = user;
  for (task *t = queue->first, *next; t; t = next) {
    next = t->next;
    free(t);
  }
  queue->first = NULL;
  queue->last = &queue->first;
  queue->started = false;
  pthread_mutex_init(&queue->mutex, NULL);
  pthread_cond_init(&queue->changed, NULL);
}

hd_status hd_queue_create(hd_queue **out_queue) {
  hd_queue *queue = calloc(1, sizeof *queue);
  *out_queue = NULL;
  if (!queue) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  queue->last = &queue->first;
  pthread_mutex_init(&queue->mutex, NULL);
  pthread_cond_init(&queue->changed, NULL);
  queue->guard = (hd_fork_guard){lock_for_fork, unlock_after_fork, reset_after_fork, queue, HD_FORK_MIDDLE, NULL, NULL};
  hd_status status = hd_fork_guard_add(&queue->guard);
  if (hd_is_ok(status))
    *out_queue = queue;
  else
    hd_queue_free(queue);
  return status;
}

void hd_queue_free(hd_queue *queue) {
  if (!queue) return;
  hd_fork_guard_remove(&queue->guard);
  pthread_mutex_lock(&queue->mutex);
  queue->stop = true;
  pthread_cond_signal(&queue->changed);
  pthread_mutex_unlock(&queue->mutex);
  if (queue->started && pthread_equal(queue->thread, pthread_self())) {
    queue_is_gone = true;
    pthread_detach(queue->thread);
  } else if (queue->started) {
    pthread_join(queue->thread, NULL);
  }
  pthread_cond_destroy(&queue->changed);
  pthread_mutex_destroy(&queue->mutex);
  free(queue);
}

/* With the lock held. */
static bool start(hd_queue *queue) {
  if (queue->started) return true;
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  queue->started = !pthread_create(&queue->thread, NULL, queue_main, queue);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return queue->started;
}

hd_status hd_queue_push(hd_queue *queue, void (*work)(void *argument), void *argument) {
  task *t = malloc(sizeof *t);
  if (!t) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *t = (task){NULL, work, argument};
  pthread_mutex_lock(&queue->mutex);
  bool started = start(queue);
  if (started) {
    *queue->last = t;
    queue->last = &t->next;
    pthread_cond_signal(&queue->changed);
  }
  pthread_mutex_unlock(&queue->mutex);
  if (started) return HD_STATUS_OK;
  free(t);
  return hd_make_status(HD_RESOURCE_EXHAUSTED, "no thread for asynchronous executions");
}
