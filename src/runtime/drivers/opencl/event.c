/* SPDX-License-Identifier: Apache-2.0 */
/* An event is the last marker that it was recorded as. */
#include <stdlib.h>

#include "runtime/drivers/opencl/opencl.h"

struct hd_device_event {
  cl_event marker; /* null: never recorded, so done */
};

hd_status hd_opencl_event_create(hd_driver *driver, hd_device_event **out_event) {
  (void)driver;
  *out_event = calloc(1, sizeof **out_event);
  return *out_event ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
}

static void forget(hd_opencl_driver *driver, hd_device_event *event) {
  if (event->marker) driver->cl->clReleaseEvent(event->marker);
  event->marker = NULL;
}

void hd_opencl_event_destroy(hd_driver *driver, hd_device_event *event) {
  if (!event) return;
  forget(hd_opencl_of(driver), event);
  free(event);
}

/* Flushed, so that another queue may wait for it. */
hd_status hd_opencl_event_record(hd_driver *base, hd_device_event *event, hd_stream *stream) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  cl_queue queue = hd_opencl_queue(driver, stream);
  forget(driver, event);
  HD_TRY(hd_cl_status(driver->cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &event->marker), "record an event"));
  return hd_cl_status(driver->cl->clFlush(queue), "flush a queue");
}

hd_status hd_opencl_event_wait(hd_driver *base, hd_device_event *event) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  if (!event->marker) return HD_STATUS_OK;
  return hd_cl_status(driver->cl->clWaitForEvents(1, &event->marker), "wait for an event");
}

hd_status hd_opencl_stream_wait_event(hd_driver *base, hd_stream *stream, hd_device_event *event) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  cl_queue queue = hd_opencl_queue(driver, stream);
  if (!event->marker) return HD_STATUS_OK;
  return hd_cl_status(driver->cl->clEnqueueBarrierWithWaitList(queue, 1, &event->marker, NULL), "wait for an event");
}

/* What failed is done too: waiting says so. */
bool hd_opencl_event_is_done(hd_driver *base, hd_device_event *event) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  cl_int state = 0;
  if (!event->marker) return true;
  if (driver->cl->clGetEventInfo(event->marker, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL))
    return true;
  return state <= 0;
}
