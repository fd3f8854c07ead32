/* SPDX-License-Identifier: Apache-2.0 */
/* Asynchronous executions: on the runtime's queue, in the order of the calls, and events that end with them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/options.h"
#include "runtime/objects.h"

typedef struct callback {
  struct callback *next;
  void (*done)(void *user);
  void *user;
} callback;

struct hd_event {
  atomic_int references;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  uint32_t generation; /* of forks: in another process than the one that executes it, its locks are not taken */
  bool is_done;
  hd_status outcome; /* kept; waits give copies */
  int32_t cancel;
  callback *callbacks;
};

typedef struct task {
  hd_event *event;
  hd_executable *executable;
  hd_execute_options options;
  hd_buffer **outputs; /* the caller's */
  int32_t input_count, output_count;
  hd_buffer *buffers[]; /* retained: inputs, then the outputs that the caller set */
} task;

/* ---- events ---------------------------------------------------------------------------------------------------- */

static hd_event *event_create(void) {
  hd_event *event = calloc(1, sizeof *event);
  if (!event) return NULL;
  atomic_store(&event->references, 1);
  event->generation = hd_fork_generation();
  pthread_mutex_init(&event->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&event->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  return event;
}

/* Was this process forked from the one that executes? What was not done then never will be here. */
static bool is_of_parent(const hd_event *event) { return event->generation != hd_fork_generation(); }

hd_event *hd_event_retain(hd_event *event) {
  if (event) atomic_fetch_add_explicit(&event->references, 1, memory_order_relaxed);
  return event;
}

void hd_event_release(hd_event *event) {
  if (!event || atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) != 1) return;
  hd_status_free(event->outcome);
  if (!is_of_parent(event)) {
    pthread_cond_destroy(&event->changed);
    pthread_mutex_destroy(&event->mutex);
  }
  free(event);
}

static void event_finish(hd_event *event, hd_status outcome) {
  pthread_mutex_lock(&event->mutex);
  event->is_done = true;
  event->outcome = outcome;
  callback *callbacks = event->callbacks;
  event->callbacks = NULL;
  pthread_cond_broadcast(&event->changed);
  pthread_mutex_unlock(&event->mutex);
  while (callbacks) {
    callback *next = callbacks->next;
    callbacks->done(callbacks->user);
    free(callbacks);
    callbacks = next;
  }
}

bool hd_event_is_done(const hd_event *event) {
  if (!event) return true;
  hd_event *e = (hd_event *)event;
  if (is_of_parent(e)) return true;
  pthread_mutex_lock(&e->mutex);
  bool is_done = e->is_done;
  pthread_mutex_unlock(&e->mutex);
  return is_done;
}

static hd_status outcome_of(const hd_event *event) {
  if (is_of_parent(event) && !event->is_done)
    return hd_make_status(HD_ABORTED, "the execution is the parent process's: this one was forked before its end");
  if (hd_is_ok(event->outcome)) return HD_STATUS_OK;
  return hd_make_status(hd_status_code_of(event->outcome), "%s", hd_status_message(event->outcome));
}

hd_status hd_event_wait(hd_event *event, int64_t timeout_ns) {
  HD_REQUIRE(event);
  if (is_of_parent(event)) return outcome_of(event);
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  if (timeout_ns >= 0) {
    until.tv_sec += timeout_ns / 1000000000;
    until.tv_nsec += timeout_ns % 1000000000;
    if (until.tv_nsec >= 1000000000) ++until.tv_sec, until.tv_nsec -= 1000000000;
  }
  pthread_mutex_lock(&event->mutex);
  int waited = 0;
  while (!event->is_done && waited != ETIMEDOUT)
    waited = timeout_ns < 0 ? pthread_cond_wait(&event->changed, &event->mutex)
                            : pthread_cond_timedwait(&event->changed, &event->mutex, &until);
  hd_status status =
      event->is_done ? outcome_of(event) : hd_make_status(HD_DEADLINE_EXCEEDED, "the execution has not ended yet");
  pthread_mutex_unlock(&event->mutex);
  return status;
}

void hd_event_cancel(hd_event *event) {
  if (event) __atomic_store_n(&event->cancel, 1, __ATOMIC_RELAXED);
}

hd_status hd_event_on_done(hd_event *event, void (*done)(void *user), void *user) {
  HD_REQUIRE(event);
  HD_REQUIRE(done);
  if (is_of_parent(event)) {
    done(user);
    return HD_STATUS_OK;
  }
  callback *added = malloc(sizeof *added);
  if (!added) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *added = (callback){.done = done, .user = user};
  pthread_mutex_lock(&event->mutex);
  bool now = event->is_done;
  if (!now) {
    added->next = event->callbacks;
    event->callbacks = added;
  }
  pthread_mutex_unlock(&event->mutex);
  if (now) {
    free(added);
    done(user);
  }
  return HD_STATUS_OK;
}

/* ---- executions ------------------------------------------------------------------------------------------------ */

static void task_free(task *t) {
  for (int32_t i = 0; i < t->input_count + t->output_count; ++i) hd_buffer_release(t->buffers[i]);
  hd_event_release(t->event);
  hd_executable_release(t->executable);
  free(t);
}

static void run_task(void *argument) {
  task *t = argument;
  hd_status outcome = hd_execute_now(t->executable, &t->options, t->buffers, t->input_count, t->outputs,
                                     t->output_count, &t->event->cancel);
  /* The task's references go first: who waits for the event may free what it retained. The event stays for its end. */
  hd_event *event = hd_event_retain(t->event);
  hd_runtime *runtime = hd_runtime_retain(t->executable->loaded->runtime);
  task_free(t);
  hd_execution_end(runtime);
  event_finish(event, outcome);
  hd_event_release(event);
  hd_runtime_release(runtime); /* maybe the last one, and the queue goes with it */
}

hd_status hd_executable_execute_async(hd_executable *executable, const hd_execute_options *given,
                                      hd_buffer *const *inputs, int32_t input_count, hd_buffer **outputs,
                                      int32_t output_count, hd_event **out_event) {
  HD_REQUIRE(out_event);
  *out_event = NULL;
  HD_REQUIRE(executable);
  const hd_artifact_entry *entry = executable->entry;
  if (input_count < 0 || (uint32_t)input_count != entry->input_count || output_count < 0 ||
      (uint32_t)output_count != entry->output_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u arguments and %u outputs, got %d and %d",
                          entry->input_count, entry->output_count, input_count, output_count);
  if (input_count) HD_REQUIRE(inputs);
  if (output_count) HD_REQUIRE(outputs);
  hd_execute_options options;
  HD_TRY(hd_options_read("hd_execute_options", given, &options, sizeof options));
  task *t = calloc(1, sizeof *t + (size_t)(input_count + output_count) * sizeof *t->buffers);
  hd_event *event = t ? event_create() : NULL;
  if (!event) {
    free(t);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  t->event = event;
  t->executable = hd_executable_retain(executable);
  t->options = options;
  t->outputs = outputs;
  t->input_count = input_count;
  t->output_count = output_count;
  for (int32_t i = 0; i < input_count; ++i) t->buffers[i] = hd_buffer_retain(inputs[i]);
  for (int32_t i = 0; i < output_count; ++i) t->buffers[input_count + i] = hd_buffer_retain(outputs[i]);
  hd_event_retain(event);
  hd_runtime *runtime = executable->loaded->runtime;
  hd_status status = hd_execution_begin(runtime);
  if (hd_is_ok(status)) {
    status = hd_queue_push(runtime->queue, run_task, t);
    if (!hd_is_ok(status)) hd_execution_end(runtime);
  }
  if (!hd_is_ok(status)) {
    task_free(t);
    hd_event_release(event);
    return status;
  }
  *out_event = event;
  return HD_STATUS_OK;
}
