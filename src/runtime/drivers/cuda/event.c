/* SPDX-License-Identifier: Apache-2.0 */
/* Events are CUDA's, which keep no times. */
#include <stdlib.h>

#include "runtime/drivers/cuda/cuda.h"

hd_status hd_cuda_event_create(hd_driver *base, hd_device_event **out_event) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_device_event *event = calloc(1, sizeof *event);
  if (!event) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status = hd_cuda_enter(driver);
  if (hd_is_ok(status))
    status = hd_cuda_leave(driver, driver->cu->event_create(&event->event, CU_EVENT_NO_TIMES), "create an event");
  if (hd_is_ok(status))
    *out_event = event;
  else
    free(event);
  return status;
}

void hd_cuda_event_destroy(hd_driver *base, hd_device_event *event) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_status status = hd_cuda_enter(driver);
  if (hd_is_ok(status)) status = hd_cuda_leave(driver, driver->cu->event_destroy(event->event), "end an event");
  hd_status_free(status);
  free(event);
}

hd_status hd_cuda_event_record(hd_driver *base, hd_device_event *event, hd_stream *stream) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  HD_TRY(hd_cuda_enter_end(driver, &stream));
  int code = driver->cu->event_record(event->event, stream->stream);
  return hd_cuda_leave(driver, code, "record an event");
}

hd_status hd_cuda_event_wait(hd_driver *base, hd_device_event *event) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  HD_TRY(hd_cuda_enter(driver));
  return hd_cuda_leave(driver, driver->cu->event_wait(event->event), "wait for an event");
}

hd_status hd_cuda_stream_wait_event(hd_driver *base, hd_stream *stream, hd_device_event *event) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  HD_TRY(hd_cuda_enter_stream(driver, &stream));
  int code = driver->cu->stream_wait_event(stream->stream, event->event, 0);
  return hd_cuda_leave(driver, code, "wait for an event");
}

/* What failed is done too: waiting says so. */
bool hd_cuda_event_is_done(hd_driver *base, hd_device_event *event) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_status status = hd_cuda_enter(driver);
  int code = hd_is_ok(status) ? driver->cu->event_query(event->event) : 0;
  if (hd_is_ok(status)) status = hd_cuda_leave(driver, code, "ask an event");
  hd_status_free(status);
  return code != CU_NOT_READY;
}
