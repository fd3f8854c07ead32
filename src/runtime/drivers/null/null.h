/* SPDX-License-Identifier: Apache-2.0 */
/* The null driver: host memory, streams that keep order, and no machine to run kernels. It is the smallest driver that
 * is true to the contract: copy this folder to begin a new one, add a row to drivers.def, and work until conformance/
 * passes with the capabilities that the device has. */
#ifndef HD_RUNTIME_DRIVERS_NULL_NULL_H_
#define HD_RUNTIME_DRIVERS_NULL_NULL_H_

#include "runtime/driver.h"

hd_status hd_null_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_null_release(hd_driver *driver, void *data, size_t bytes);
hd_status hd_null_stream_create(hd_driver *driver, hd_stream **out_stream);
void hd_null_stream_destroy(hd_driver *driver, hd_stream *stream);
hd_status hd_null_stream_wait(hd_driver *driver, hd_stream *stream);
hd_status hd_null_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes);
hd_status hd_null_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes);
hd_status hd_null_event_create(hd_driver *driver, hd_device_event **out_event);
void hd_null_event_destroy(hd_driver *driver, hd_device_event *event);
hd_status hd_null_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream);
hd_status hd_null_event_wait(hd_driver *driver, hd_device_event *event);
hd_status hd_null_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event);
bool hd_null_event_is_done(hd_driver *driver, hd_device_event *event);
hd_status hd_null_launch(hd_driver *driver, hd_stream *stream, const hd_launch *launch);

#endif
