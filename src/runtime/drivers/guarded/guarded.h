/* SPDX-License-Identifier: Apache-2.0 */
/* The guarded driver: the device of simt, as strict as hardware is and stricter, for tests on any machine.
 *
 *   - Addresses that it hands out are mapped for nobody: what they stand for is elsewhere, as only the driver knows.
 *     Whoever dereferences one on the host ends the process at that instruction.
 *   - Copies, fills and launches are done by a thread per stream, which waits a while before each piece unless somebody
 *     waits for it. Who reads a result without a wait reads what was there before; what comes from pageable memory is
 *     taken at the call, and pinned memory (allocate_host) is read late.
 *   - Launches are checked (interpreter.h): races, misaligned vectors, and the like fail the run.
 *   - Memory begins with and returns to a pattern (HD_GUARDED_POISON), and what was released is in no table: work that
 *     still uses it fails.
 *   - Of each byte it knows whether anybody wrote it since: a launch that reads one that nobody did fails, as does a
 *     copy of one to the host. A copy within the device takes the knowledge along.
 *
 * It takes the images of simt. */
#ifndef HD_RUNTIME_DRIVERS_GUARDED_GUARDED_H_
#define HD_RUNTIME_DRIVERS_GUARDED_GUARDED_H_

#include <pthread.h>

#include "base/fork.h"
#include "runtime/drivers/simt/simt.h"

enum { HD_GUARDED_QUARANTINE = 64, HD_GUARDED_POISON = 0xa5 };

typedef struct hd_guarded_driver {
  hd_driver base;
  hd_pool *pool;
  uint32_t subgroup;             /* threads of one */
  hd_simt_ranges ranges, pinned; /* of the device; of allocate_host */
  /* Of all streams and events; |changed| when work is queued, done, or waited for. */
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  uint32_t waiting;   /* threads that wait for anything */
  hd_stream *streams; /* all of them */
  hd_stream *any;     /* the default one */
  hd_fork_guard guard;
  struct {
    void *base;
    size_t size;
  } quarantine[HD_GUARDED_QUARANTINE]; /* ranges that nobody gets for a while, oldest first from |oldest| on */
  uint32_t oldest;
} hd_guarded_driver;

/* A piece of work; |run| is called without the mutex, on the thread of the stream. */
typedef struct hd_guarded_task {
  struct hd_guarded_task *next;
  hd_status (*run)(hd_guarded_driver *driver, struct hd_guarded_task *task);
  void (*discard)(hd_guarded_driver *driver, struct hd_guarded_task *task); /* in the end, run or not; null: nothing */
  bool always;                                                              /* also after a failure */
} hd_guarded_task;

/* Takes |task|, malloc'ed, which starts with an hd_guarded_task, also on failure. Null |stream|: the default one. */
hd_status hd_guarded_queue(hd_guarded_driver *driver, hd_stream *stream, hd_guarded_task *task) HD_MUST_USE;
typedef struct hd_guarded_place {
  char *data;
  uint8_t *written; /* as hd_simt_allocation has it; null in memory of the host */
} hd_guarded_place;

/* Where |bytes| at |address|, the device's, are for the host; nulls: not all of them are its memory. The caller holds
 * the lock of the ranges. */
hd_guarded_place hd_guarded_place_of(const hd_guarded_driver *driver, const void *address, size_t bytes);
/* Starts and ends all that streams share; false when memory is short. */
bool hd_guarded_streams_init(hd_guarded_driver *driver);
void hd_guarded_streams_free(hd_guarded_driver *driver);
void hd_guarded_memory_free(hd_guarded_driver *driver);

hd_status hd_guarded_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_guarded_release(hd_driver *driver, void *data, size_t bytes);
hd_status hd_guarded_allocate_host(hd_driver *driver, size_t bytes, void **out_data);
void hd_guarded_release_host(hd_driver *driver, void *data, size_t bytes);
bool hd_guarded_owns(hd_driver *driver, const void *data);
hd_status hd_guarded_stream_create(hd_driver *driver, hd_stream **out_stream);
void hd_guarded_stream_destroy(hd_driver *driver, hd_stream *stream);
hd_status hd_guarded_stream_wait(hd_driver *driver, hd_stream *stream);
hd_status hd_guarded_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes);
hd_status hd_guarded_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes);
hd_status hd_guarded_poison(hd_driver *driver, hd_stream *stream, void *data, size_t bytes);
hd_status hd_guarded_event_create(hd_driver *driver, hd_device_event **out_event);
void hd_guarded_event_destroy(hd_driver *driver, hd_device_event *event);
hd_status hd_guarded_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream);
hd_status hd_guarded_event_wait(hd_driver *driver, hd_device_event *event);
hd_status hd_guarded_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event);
bool hd_guarded_event_is_done(hd_driver *driver, hd_device_event *event);
hd_status hd_guarded_launch_grid(hd_driver *driver, hd_stream *stream, const hd_grid_launch *launch);

#endif
