/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "base/queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

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

hd_status hd_queue_create(hd_queue **out_queue) {
  hd_queue *queue = *out_queue = calloc(1, sizeof *queue);
  if (!queue) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  queue->last = &queue->first;
  pthread_mutex_init(&queue->mutex, NULL);
  pthread_cond_init(&queue->changed, NULL);
  return HD_STATUS_OK;
}

void hd_queue_free(hd_queue *queue) {
  if (!queue) return;
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
