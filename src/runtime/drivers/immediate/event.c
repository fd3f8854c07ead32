/* SPDX-License-Identifier: Apache-2.0 */
/* Events of drivers whose work is done when a call returns: always done. */
#include <stdlib.h>

#include "runtime/drivers/immediate/immediate.h"

struct hd_device_event {
  char unused;
};

hd_status hd_immediate_event_create(hd_driver *driver, hd_device_event **out_event) {
  (void)driver;
  *out_event = calloc(1, sizeof **out_event);
  return *out_event ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
}

void hd_immediate_event_destroy(hd_driver *driver, hd_device_event *event) {
  (void)driver;
  free(event);
}

hd_status hd_immediate_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream) {
  (void)driver, (void)event, (void)stream;
  return HD_STATUS_OK;
}

hd_status hd_immediate_event_wait(hd_driver *driver, hd_device_event *event) {
  (void)driver, (void)event;
  return HD_STATUS_OK;
}

hd_status hd_immediate_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event) {
  (void)driver, (void)stream, (void)event;
  return HD_STATUS_OK;
}

bool hd_immediate_event_is_done(hd_driver *driver, hd_device_event *event) {
  (void)driver, (void)event;
  return true;
}
