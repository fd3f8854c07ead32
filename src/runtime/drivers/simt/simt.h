/* SPDX-License-Identifier: Apache-2.0 */
/* The simt driver: a device that every machine has. Its memory is the host's, of which it keeps a table, so that kernels
 * are held to it; all work is done before the call returns. The kernels are run by interpreter.h. */
#ifndef HD_RUNTIME_DRIVERS_SIMT_SIMT_H_
#define HD_RUNTIME_DRIVERS_SIMT_SIMT_H_

#include <pthread.h>

#include "runtime/driver.h"
#include "runtime/drivers/simt/interpreter.h"

typedef struct hd_simt_driver {
  hd_driver base;
  hd_pool *pool;
  hd_allocator allocator;
  pthread_rwlock_t lock;      /* of the table: launches hold it shared */
  hd_simt_allocation *ranges; /* what is allocated, by address */
  size_t range_count, range_room;
} hd_simt_driver;

/* An image is a program of the interpreter. */
static inline hd_simt_program *hd_simt_program_of(hd_device_image *image) { return (hd_simt_program *)(void *)image; }

hd_status hd_simt_memory_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_simt_memory_release(hd_driver *driver, void *data, size_t bytes);
hd_status hd_simt_stream_create(hd_driver *driver, hd_stream **out_stream);
void hd_simt_stream_destroy(hd_driver *driver, hd_stream *stream);
hd_status hd_simt_stream_wait(hd_driver *driver, hd_stream *stream);
hd_status hd_simt_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes);
hd_status hd_simt_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes);
hd_status hd_simt_event_create(hd_driver *driver, hd_device_event **out_event);
void hd_simt_event_destroy(hd_driver *driver, hd_device_event *event);
hd_status hd_simt_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream);
hd_status hd_simt_event_wait(hd_driver *driver, hd_device_event *event);
hd_status hd_simt_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event);
bool hd_simt_event_is_done(hd_driver *driver, hd_device_event *event);
hd_status hd_simt_launch_function(hd_driver *driver, hd_stream *stream, const hd_launch *launch);
hd_status hd_simt_launch_grid(hd_driver *driver, hd_stream *stream, const hd_grid_launch *launch);
hd_status hd_simt_image_load(hd_driver *driver, const void *data, size_t size, hd_device_image **out_image);
void hd_simt_image_unload(hd_driver *driver, hd_device_image *image);
hd_status hd_simt_kernel_find(hd_driver *driver, hd_device_image *image, const char *symbol, uint32_t *out_kernel);

#endif
