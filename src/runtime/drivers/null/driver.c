/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/drivers/null/null.h"

hd_status hd_driver_null_open(const hd_driver_config *config, hd_driver **out_driver);

static void destroy(hd_driver *driver) { free(driver); }

static void facts(hd_driver *driver, hd_device_facts *out) {
  (void)driver;
  snprintf(out->name, sizeof out->name, "memory and copies, runs nothing");
}

static const hd_driver_vtable vtable = {
    .name = "null",
    .caps = HD_DRIVER_HOST_MEMORY,
    .destroy = destroy,
    .allocate = hd_null_allocate,
    .release = hd_null_release,
    .stream_create = hd_null_stream_create,
    .stream_destroy = hd_null_stream_destroy,
    .stream_wait = hd_null_stream_wait,
    .copy = hd_null_copy,
    .fill = hd_null_fill,
    .event_create = hd_null_event_create,
    .event_destroy = hd_null_event_destroy,
    .event_record = hd_null_event_record,
    .event_wait = hd_null_event_wait,
    .stream_wait_event = hd_null_stream_wait_event,
    .event_is_done = hd_null_event_is_done,
    .launch = hd_null_launch,
    .facts = facts,
};

hd_status hd_driver_null_open(const hd_driver_config *config, hd_driver **out_driver) {
  (void)config;
  hd_driver *driver = calloc(1, sizeof *driver);
  if (!driver) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  driver->vtable = &vtable;
  *out_driver = driver;
  return HD_STATUS_OK;
}
