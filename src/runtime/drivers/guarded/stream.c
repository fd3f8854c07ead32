/* SPDX-License-Identifier: Apache-2.0 */
/* A stream is a queue with a thread of its own, which takes its time (LATE_NS a piece) while nobody waits. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/drivers/guarded/guarded.h"

enum { LATE_NS = 50000 };

struct hd_stream {
  hd_guarded_driver *driver;
  hd_stream *next, **link; /* among the driver's */
  hd_guarded_task *first, **last;
  uint64_t queued, done;
  pthread_t thread;
  bool started, stop;
  hd_status failure; /* the first one since the last wait */
};

/* ---- the thread ---- */

/* Until somebody waits or a while has passed. With the mutex. */
static void be_late(hd_guarded_driver *driver) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += LATE_NS;
  if (until.tv_nsec >= 1000000000) ++until.tv_sec, until.tv_nsec -= 1000000000;
  while (!driver->waiting && !pthread_cond_timedwait(&driver->changed, &driver->mutex, &until)) continue;
}

static void discard(hd_guarded_driver *driver, hd_guarded_task *task) {
  if (task->discard) task->discard(driver, task);
  free(task);
}

static void run_first(hd_stream *stream) {
  hd_guarded_driver *driver = stream->driver;
  hd_guarded_task *task = stream->first;
  if (!(stream->first = task->next)) stream->last = &stream->first;
  bool runs = task->always || hd_is_ok(stream->failure);
  pthread_mutex_unlock(&driver->mutex);
  hd_status status = runs ? task->run(driver, task) : HD_STATUS_OK;
  discard(driver, task);
  pthread_mutex_lock(&driver->mutex);
  if (hd_is_ok(stream->failure))
    stream->failure = status;
  else
    hd_status_free(status);
  ++stream->done;
  pthread_cond_broadcast(&driver->changed);
}

static void *stream_main(void *argument) {
  hd_stream *stream = argument;
  hd_guarded_driver *driver = stream->driver;
  pthread_mutex_lock(&driver->mutex);
  while (stream->first || !stream->stop) {
    if (!stream->first) {
      pthread_cond_wait(&driver->changed, &driver->mutex);
      continue;
    }
    be_late(driver);
    run_first(stream);
  }
  pthread_mutex_unlock(&driver->mutex);
  return NULL;
}

/* With the mutex. The thread takes no signals. */
static bool start(hd_stream *stream) {
  if (stream->started) return true;
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  stream->started = !pthread_create(&stream->thread, NULL, stream_main, stream);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return stream->started;
}

hd_status hd_guarded_queue(hd_guarded_driver *driver, hd_stream *stream, hd_guarded_task *task) {
  if (!stream) stream = driver->any;
  task->next = NULL;
  pthread_mutex_lock(&driver->mutex);
  bool started = start(stream);
  if (started) {
    *stream->last = task;
    stream->last = &task->next;
    ++stream->queued;
    pthread_cond_broadcast(&driver->changed);
  }
  pthread_mutex_unlock(&driver->mutex);
  if (started) return HD_STATUS_OK;
  discard(driver, task);
  return hd_make_status(HD_RESOURCE_EXHAUSTED, "no thread for a stream");
}

/* ---- streams ---- */

hd_status hd_guarded_stream_create(hd_driver *base, hd_stream **out_stream) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  hd_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  stream->driver = driver;
  stream->last = &stream->first;
  stream->failure = HD_STATUS_OK;
  pthread_mutex_lock(&driver->mutex);
  stream->next = driver->streams;
  stream->link = &driver->streams;
  if (stream->next) stream->next->link = &stream->next;
  driver->streams = stream;
  pthread_mutex_unlock(&driver->mutex);
  *out_stream = stream;
  return HD_STATUS_OK;
}

void hd_guarded_stream_destroy(hd_driver *base, hd_stream *stream) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  pthread_mutex_lock(&driver->mutex);
  stream->stop = true;
  ++driver->waiting;
  pthread_cond_broadcast(&driver->changed);
  bool started = stream->started;
  pthread_mutex_unlock(&driver->mutex);
  if (started) pthread_join(stream->thread, NULL);
  pthread_mutex_lock(&driver->mutex);
  --driver->waiting;
  *stream->link = stream->next;
  if (stream->next) stream->next->link = stream->link;
  pthread_mutex_unlock(&driver->mutex);
  hd_status_free(stream->failure);
  free(stream);
}

hd_status hd_guarded_stream_wait(hd_driver *base, hd_stream *stream) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  if (!stream) stream = driver->any;
  pthread_mutex_lock(&driver->mutex);
  uint64_t until = stream->queued;
  ++driver->waiting;
  pthread_cond_broadcast(&driver->changed);
  while (stream->done < until) pthread_cond_wait(&driver->changed, &driver->mutex);
  --driver->waiting;
  hd_status failure = stream->failure;
  stream->failure = HD_STATUS_OK;
  pthread_mutex_unlock(&driver->mutex);
  return failure;
}

/* ---- copies ---- */

typedef struct copy_task {
  hd_guarded_task task;
  char *destination;
  const char *source;
  size_t bytes;
  bool to_device, from_device;
  char taken[]; /* from pageable memory of the host, at the call */
} copy_task;

static hd_status stray(const void *address, size_t bytes) {
  return hd_make_status(HD_INVALID_ARGUMENT,
                        "copy or fill of %zu bytes at %p, which are not in the device's memory any more", bytes,
                        address);
}

static hd_status all_written(const uint8_t *written, const char *address, size_t bytes) {
  const uint8_t *none = bytes ? memchr(written, 0, bytes) : NULL;
  if (!none) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "copy of %zu bytes at %p to the host, of which nobody wrote byte %zu",
                        bytes, (const void *)address, (size_t)(none - written));
}

static hd_status run_copy(hd_guarded_driver *driver, hd_guarded_task *task) {
  copy_task *copy = (copy_task *)task;
  hd_guarded_place from = {(char *)(uintptr_t)copy->source, NULL}, to = {copy->destination, NULL};
  pthread_rwlock_rdlock(&driver->ranges.lock);
  if (copy->to_device) to = hd_guarded_place_of(driver, copy->destination, copy->bytes);
  if (copy->from_device) from = hd_guarded_place_of(driver, copy->source, copy->bytes);
  if (to.data && from.data) memcpy(to.data, from.data, copy->bytes);
  hd_status status = HD_STATUS_OK;
  if (!to.data || !from.data)
    status = stray(to.data ? copy->source : copy->destination, copy->bytes);
  else if (to.written && from.written)
    memcpy(to.written, from.written, copy->bytes);
  else if (to.written)
    memset(to.written, 1, copy->bytes);
  else if (from.written)
    status = all_written(from.written, copy->source, copy->bytes);
  pthread_rwlock_unlock(&driver->ranges.lock);
  return status;
}

hd_status hd_guarded_copy(hd_driver *base, hd_stream *stream, void *destination, const void *source, size_t bytes) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  bool from_device = hd_simt_ranges_has(&driver->ranges, source),
       takes = !from_device && !hd_simt_ranges_has(&driver->pinned, source);
  copy_task *copy = malloc(sizeof *copy + (takes ? bytes : 0));
  if (!copy) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory for a copy of %zu bytes", bytes);
  *copy = (copy_task){{.run = run_copy},
                      destination,
                      takes ? copy->taken : source,
                      bytes,
                      hd_simt_ranges_has(&driver->ranges, destination),
                      from_device};
  if (takes) memcpy(copy->taken, source, bytes);
  return hd_guarded_queue(driver, stream, &copy->task);
}

typedef struct fill_task {
  hd_guarded_task task;
  void *destination;
  size_t bytes;
  uint8_t byte;
  bool written; /* by somebody, from there on */
} fill_task;

static hd_status run_fill(hd_guarded_driver *driver, hd_guarded_task *task) {
  fill_task *fill = (fill_task *)task;
  pthread_rwlock_rdlock(&driver->ranges.lock);
  hd_guarded_place to = hd_guarded_place_of(driver, fill->destination, fill->bytes);
  if (to.data) memset(to.data, fill->byte, fill->bytes);
  if (to.data) memset(to.written, fill->written, fill->bytes);
  pthread_rwlock_unlock(&driver->ranges.lock);
  return to.data ? HD_STATUS_OK : stray(fill->destination, fill->bytes);
}

static hd_status queue_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes,
                            bool written) {
  fill_task *fill = malloc(sizeof *fill);
  if (!fill) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *fill = (fill_task){{.run = run_fill}, destination, bytes, byte, written};
  return hd_guarded_queue((hd_guarded_driver *)driver, stream, &fill->task);
}

hd_status hd_guarded_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes) {
  return queue_fill(driver, stream, destination, byte, bytes, true);
}

hd_status hd_guarded_poison(hd_driver *driver, hd_stream *stream, void *data, size_t bytes) {
  return queue_fill(driver, stream, data, HD_GUARDED_POISON, bytes, false);
}

/* ---- all of them ---- */

static void lock_for_fork(void *user) { pthread_mutex_lock(&((hd_guarded_driver *)user)->mutex); }
static void unlock_after_fork(void *user) { pthread_mutex_unlock(&((hd_guarded_driver *)user)->mutex); }

static void init_locks(hd_guarded_driver *driver) {
  pthread_condattr_t attributes;
  pthread_mutex_init(&driver->mutex, NULL);
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&driver->changed, &attributes);
  pthread_condattr_destroy(&attributes);
}

/* What was queued is the parent's; the child's streams start threads of their own. */
static void reset_after_fork(void *user) {
  hd_guarded_driver *driver = user;
  init_locks(driver);
  driver->waiting = 0;
  for (hd_stream *stream = driver->streams; stream; stream = stream->next) {
    stream->first = NULL;
    stream->last = &stream->first;
    stream->done = stream->queued;
    stream->started = false;
  }
}

bool hd_guarded_streams_init(hd_guarded_driver *driver) {
  init_locks(driver);
  driver->guard =
      (hd_fork_guard){lock_for_fork, unlock_after_fork, reset_after_fork, driver, HD_FORK_MIDDLE, NULL, NULL};
  hd_status status = hd_fork_guard_add(&driver->guard);
  if (hd_is_ok(status)) status = hd_guarded_stream_create(&driver->base, &driver->any);
  bool good = hd_is_ok(status);
  hd_status_ignore(status);
  return good;
}

void hd_guarded_streams_free(hd_guarded_driver *driver) {
  if (driver->any) hd_guarded_stream_destroy(&driver->base, driver->any);
  hd_fork_guard_remove(&driver->guard);
  pthread_cond_destroy(&driver->changed);
  pthread_mutex_destroy(&driver->mutex);
}
