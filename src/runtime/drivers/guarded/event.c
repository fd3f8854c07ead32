/* SPDX-License-Identifier: Apache-2.0 */
/* An event counts how often it was recorded and how many of those its streams have
 * come to; the driver's mutex holds both. */
#include <stdlib.h>

#include "runtime/drivers/guarded/guarded.h"

struct hd_device_event {
  uint32_t references; /* the owner's and those of tasks */
  uint64_t recorded, reached;
};

typedef struct event_task {
  hd_guarded_task task;
  hd_device_event *event;
  uint64_t number;
} event_task;

static void drop(hd_device_event *event) {
  if (!--event->references) free(event);
}

static void discard(hd_guarded_driver *driver, hd_guarded_task *task) {
  pthread_mutex_lock(&driver->mutex);
  drop(((event_task *)task)->event);
  pthread_mutex_unlock(&driver->mutex);
}

static hd_status reach(hd_guarded_driver *driver, hd_guarded_task *task) {
  event_task *t = (event_task *)task;
  pthread_mutex_lock(&driver->mutex);
  if (t->event->reached < t->number) t->event->reached = t->number;
  pthread_cond_broadcast(&driver->changed);
  pthread_mutex_unlock(&driver->mutex);
  return HD_STATUS_OK;
}

/* The event was recorded before, so its stream comes to it without this one. */
static hd_status wait_for(hd_guarded_driver *driver, hd_guarded_task *task) {
  event_task *t = (event_task *)task;
  pthread_mutex_lock(&driver->mutex);
  while (t->event->reached < t->number) pthread_cond_wait(&driver->changed, &driver->mutex);
  pthread_mutex_unlock(&driver->mutex);
  return HD_STATUS_OK;
}

static hd_status queue(hd_guarded_driver *driver, hd_stream *stream, hd_device_event *event, bool records) {
  event_task *t = malloc(sizeof *t);
  if (!t) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  pthread_mutex_lock(&driver->mutex);
  ++event->references;
  event->recorded += records;
  *t = (event_task){{.run = records ? reach : wait_for, .discard = discard, .always = true}, event, event->recorded};
  pthread_mutex_unlock(&driver->mutex);
  return hd_guarded_queue(driver, stream, &t->task);
}

hd_status hd_guarded_event_create(hd_driver *driver, hd_device_event **out_event) {
  (void)driver;
  *out_event = calloc(1, sizeof **out_event);
  if (!*out_event) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  (*out_event)->references = 1;
  return HD_STATUS_OK;
}

void hd_guarded_event_destroy(hd_driver *base, hd_device_event *event) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  pthread_mutex_lock(&driver->mutex);
  drop(event);
  pthread_mutex_unlock(&driver->mutex);
}

hd_status hd_guarded_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream) {
  return queue((hd_guarded_driver *)driver, stream, event, true);
}

hd_status hd_guarded_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event) {
  return queue((hd_guarded_driver *)driver, stream, event, false);
}

hd_status hd_guarded_event_wait(hd_driver *base, hd_device_event *event) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  pthread_mutex_lock(&driver->mutex);
  uint64_t until = event->recorded;
  ++driver->waiting;
  pthread_cond_broadcast(&driver->changed);
  while (event->reached < until) pthread_cond_wait(&driver->changed, &driver->mutex);
  --driver->waiting;
  pthread_mutex_unlock(&driver->mutex);
  return HD_STATUS_OK;
}

bool hd_guarded_event_is_done(hd_driver *base, hd_device_event *event) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  pthread_mutex_lock(&driver->mutex);
  bool is_done = event->reached == event->recorded;
  pthread_mutex_unlock(&driver->mutex);
  return is_done;
}
