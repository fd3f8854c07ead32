/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and events of drivers that do their work before the call returns, in the host's memory. A stream holds
 * nothing and is never after, so every event is done; both exist to be told apart. A driver's own struct starts with
 * hd_immediate_driver and its vtable with HD_IMMEDIATE_STREAMS. */
#ifndef HD_RUNTIME_DRIVERS_IMMEDIATE_IMMEDIATE_H_
#define HD_RUNTIME_DRIVERS_IMMEDIATE_IMMEDIATE_H_

#include "runtime/driver.h"

typedef struct hd_immediate_driver {
  hd_driver base;
  hd_pool *pool; /* large copies are spread over it */
} hd_immediate_driver;

hd_status hd_immediate_stream_create(hd_driver *driver, hd_stream **out_stream);
void hd_immediate_stream_destroy(hd_driver *driver, hd_stream *stream);
hd_status hd_immediate_stream_wait(hd_driver *driver, hd_stream *stream);
hd_status hd_immediate_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes);
hd_status hd_immediate_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes);
hd_status hd_immediate_event_create(hd_driver *driver, hd_device_event **out_event);
void hd_immediate_event_destroy(hd_driver *driver, hd_device_event *event);
hd_status hd_immediate_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream);
hd_status hd_immediate_event_wait(hd_driver *driver, hd_device_event *event);
hd_status hd_immediate_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event);
bool hd_immediate_event_is_done(hd_driver *driver, hd_device_event *event);

#define HD_IMMEDIATE_STREAMS                                                                     \
  .stream_create = hd_immediate_stream_create, .stream_destroy = hd_immediate_stream_destroy,    \
  .stream_wait = hd_immediate_stream_wait, .copy = hd_immediate_copy, .fill = hd_immediate_fill, \
  .event_create = hd_immediate_event_create, .event_destroy = hd_immediate_event_destroy,        \
  .event_record = hd_immediate_event_record, .event_wait = hd_immediate_event_wait,              \
  .stream_wait_event = hd_immediate_stream_wait_event, .event_is_done = hd_immediate_event_is_done

#endif
