/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU driver: all work is done before the call returns, on the runtime's threads. */
#ifndef HD_RUNTIME_DRIVERS_CPU_CPU_H_
#define HD_RUNTIME_DRIVERS_CPU_CPU_H_

#include "runtime/driver.h"

typedef struct hd_cpu_driver {
  hd_driver base;
  hd_pool *pool;
  hd_allocator allocator;
} hd_cpu_driver;

hd_status hd_cpu_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_cpu_release(hd_driver *driver, void *data, size_t bytes);
hd_status hd_cpu_stream_create(hd_driver *driver, hd_stream **out_stream);
void hd_cpu_stream_destroy(hd_driver *driver, hd_stream *stream);
hd_status hd_cpu_stream_wait(hd_driver *driver, hd_stream *stream);
hd_status hd_cpu_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes);
hd_status hd_cpu_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes);
hd_status hd_cpu_event_create(hd_driver *driver, hd_device_event **out_event);
void hd_cpu_event_destroy(hd_driver *driver, hd_device_event *event);
hd_status hd_cpu_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream);
hd_status hd_cpu_event_wait(hd_driver *driver, hd_device_event *event);
hd_status hd_cpu_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event);
bool hd_cpu_event_is_done(hd_driver *driver, hd_device_event *event);
hd_status hd_cpu_launch(hd_driver *driver, hd_stream *stream, const hd_launch *launch);

#endif
