/* SPDX-License-Identifier: Apache-2.0 */
/* Promises. One lock and one condition serve all of them: what is waited for ends milliseconds later, what is asked is
 * an atomic flag, and an event costs no initialisation. */
#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "plugin.h"

typedef struct hd_promise_callback {
  struct hd_promise_callback *next;
  void (*done)(void *user);
  void *user;
} callback;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiters;
static hd_promise *left; /* to threads */
static atomic_bool is_child;

static bool is_done(const hd_promise *promise) { return atomic_load_explicit(&promise->done, memory_order_acquire); }

hd_promise *hd_promise_create(void) {
  hd_promise *promise = calloc(1, sizeof *promise);
  if (promise) atomic_store_explicit(&promise->references, 1, memory_order_relaxed);
  return promise;
}

hd_promise *hd_promise_create_done(hd_status outcome, hd_buffer *value) {
  hd_promise *promise = hd_promise_create();
  if (!promise) {
    hd_status_free(outcome);
    hd_buffer_release(value);
    return NULL;
  }
  promise->outcome = outcome;
  promise->value = value;
  atomic_store_explicit(&promise->done, true, memory_order_release);
  return promise;
}

hd_promise *hd_promise_retain(hd_promise *promise) {
  if (promise) atomic_fetch_add_explicit(&promise->references, 1, memory_order_relaxed);
  return promise;
}

static const unsigned long long EVENT = 1ull << 32;

/* ---- forks ----------------------------------------------------------------------------------------------------- */

static void lock_for_fork(void *user) {
  (void)user;
  pthread_mutex_lock(&lock);
}

static void unlock_after_fork(void *user) {
  (void)user;
  pthread_mutex_unlock(&lock);
}

/* Callbacks may do anything, so they wait for a call: here other locks are not free yet. */
static void reset_after_fork(void *user) {
  (void)user;
  pthread_mutex_init(&lock, NULL);
  pthread_cond_init(&changed, NULL);
  waiters = 0;
  atomic_store(&is_child, left != NULL);
}

static hd_fork_guard guard = {lock_for_fork, unlock_after_fork, reset_after_fork, NULL, HD_FORK_MIDDLE, NULL, NULL};
static pthread_once_t watched = PTHREAD_ONCE_INIT;
static void watch(void) { hd_status_ignore(hd_fork_guard_add(&guard)); /* else a child waits, as without it */ }

/* With the lock held, or by the last who has it. */
static void take_off(hd_promise *promise) {
  if (!promise->link) return;
  *promise->link = promise->next;
  if (promise->next) promise->next->link = promise->link;
  promise->link = NULL;
}

void hd_promise_leave_to_thread(hd_promise *promise) {
  pthread_once(&watched, watch);
  pthread_mutex_lock(&lock);
  promise->next = left;
  promise->link = &left;
  if (left) left->link = &promise->next;
  left = promise;
  pthread_mutex_unlock(&lock);
}

/* In a child: what the parent's threads keep is over. The work that they do has a reference to each. */
static void settle(void) {
  if (!atomic_load_explicit(&is_child, memory_order_relaxed) || !atomic_exchange(&is_child, false)) return;
  for (hd_promise *promise;;) {
    pthread_mutex_lock(&lock);
    if ((promise = left)) take_off(promise);
    pthread_mutex_unlock(&lock);
    if (!promise) return;
    hd_promise_keep(
        promise,
        hd_make_status(HD_ABORTED, "the execution is the parent process's: this one was forked before its end"), NULL);
  }
}

/* ---- promises -------------------------------------------------------------------------------------------------- */

static void drop(hd_promise *promise, unsigned long long count) {
  if (!promise || (uint32_t)atomic_fetch_sub_explicit(&promise->references, count, memory_order_acq_rel) != 1) return;
  if (promise->link) {
    pthread_mutex_lock(&lock);
    take_off(promise);
    pthread_mutex_unlock(&lock);
  }
  /* Nobody will keep it: those who wait through a callback hear of it. */
  for (callback *c = promise->callbacks, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  hd_status_free(promise->outcome);
  hd_buffer_release(promise->value);
  free(promise);
}

void hd_promise_release(hd_promise *promise) { drop(promise, 1); }

PJRT_Event *hd_promise_as_event(hd_promise *promise) {
  if (promise) atomic_fetch_add_explicit(&promise->references, EVENT, memory_order_relaxed);
  return promise;
}

static void release_event(PJRT_Event *event) { drop(event, EVENT + 1); }

bool hd_promise_is_sole(hd_promise *promise) {
  unsigned long long count = atomic_load_explicit(&promise->references, memory_order_acquire);
  return (uint32_t)count - (count >> 32) == 1;
}

void hd_promise_keep(hd_promise *promise, hd_status outcome, hd_buffer *value) {
  pthread_mutex_lock(&lock);
  if (is_done(promise)) {
    pthread_mutex_unlock(&lock);
    hd_status_free(outcome);
    hd_buffer_release(value);
    return;
  }
  promise->outcome = outcome;
  promise->value = value;
  callback *callbacks = promise->callbacks;
  promise->callbacks = NULL;
  take_off(promise);
  atomic_store_explicit(&promise->done, true, memory_order_release);
  if (waiters) pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  for (callback *next; callbacks; callbacks = next) {
    next = callbacks->next;
    callbacks->done(callbacks->user);
    free(callbacks);
  }
}

bool hd_promise_is_done(hd_promise *promise) {
  if (!is_done(promise)) settle();
  return is_done(promise);
}

void hd_promise_wait(hd_promise *promise) {
  if (hd_promise_is_done(promise)) return;
  pthread_mutex_lock(&lock);
  ++waiters;
  while (!is_done(promise)) pthread_cond_wait(&changed, &lock);
  --waiters;
  pthread_mutex_unlock(&lock);
}

bool hd_promise_on_done(hd_promise *promise, void (*done)(void *user), void *user) {
  if (!hd_promise_is_done(promise)) {
    callback *added = malloc(sizeof *added);
    if (!added) return false;
    *added = (callback){NULL, done, user};
    pthread_mutex_lock(&lock);
    bool pending = !is_done(promise);
    if (pending) {
      callback **last = &promise->callbacks;
      while (*last) last = &(*last)->next;
      *last = added;
    }
    pthread_mutex_unlock(&lock);
    if (pending) return true;
    free(added);
  }
  done(user);
  return true;
}

/* ---- the functions of the table -------------------------------------------------------------------------------- */

hd_status hd_pjrt_Event_Destroy(PJRT_Event_Destroy_Args *args) {
  release_event(args->event);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Event_IsReady(PJRT_Event_IsReady_Args *args) {
  args->is_ready = hd_promise_is_done(args->event);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Event_Error(PJRT_Event_Error_Args *args) {
  if (!hd_promise_is_done(args->event))
    return hd_make_status(HD_FAILED_PRECONDITION, "the event is asked for its error before it is ready");
  return hd_pjrt_status_copy(args->event->outcome);
}

hd_status hd_pjrt_Event_Await(PJRT_Event_Await_Args *args) {
  hd_promise_wait(args->event);
  return hd_pjrt_status_copy(args->event->outcome);
}

typedef struct on_ready {
  PJRT_Event *event; /* retained */
  PJRT_Event_OnReadyCallback callback;
  void *user;
} on_ready;

static void call_on_ready(void *argument) {
  on_ready *o = argument;
  o->callback(hd_pjrt_error(hd_pjrt_status_copy(o->event->outcome)), o->user);
  release_event(o->event);
  free(o);
}

hd_status hd_pjrt_Event_OnReady(PJRT_Event_OnReady_Args *args) {
  on_ready *o = malloc(sizeof *o);
  if (!o) return hd_pjrt_out_of_memory();
  *o = (on_ready){hd_promise_as_event(hd_promise_retain(args->event)), args->callback, args->user_arg};
  if (hd_promise_on_done(args->event, call_on_ready, o)) return HD_STATUS_OK;
  release_event(o->event);
  free(o);
  return hd_pjrt_out_of_memory();
}

hd_status hd_pjrt_Event_Create(PJRT_Event_Create_Args *args) {
  args->event = hd_promise_as_event(hd_promise_create());
  return args->event ? HD_STATUS_OK : hd_pjrt_out_of_memory();
}

hd_status hd_pjrt_Event_Set(PJRT_Event_Set_Args *args) {
  if (hd_promise_is_done(args->event)) return hd_make_status(HD_FAILED_PRECONDITION, "the event is set already");
  hd_status outcome = HD_STATUS_OK;
  if (args->error_code != HD_OK)
    HD_TRY(hd_pjrt_given_error(args->error_code, args->error_message, args->error_message_size, &outcome));
  hd_promise_keep(args->event, outcome, NULL);
  return HD_STATUS_OK;
}
