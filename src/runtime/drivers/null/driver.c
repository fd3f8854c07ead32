/* SPDX-License-Identifier: Apache-2.0 */
/* The null driver's table of functions, what it says of its device, and opening it. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/drivers/null/null.h"

hd_status hd_driver_null_open(const hd_driver_config *config, hd_driver **out_driver);

static void destroy(hd_driver *driver) { free(driver); }

static void info(hd_driver *driver, hd_device_info *out) {
  (void)driver;
  snprintf(out->name, sizeof out->name, "memory and copies, runs nothing");
}

static const hd_driver_vtable vtable = {
    .name = "null",
    .caps = HD_DRIVER_HOST_MEMORY,
    .destroy = destroy,
    .allocate = hd_null_allocate,
    .release = hd_null_release,
    HD_IMMEDIATE_STREAMS,
    .launch = hd_null_launch,
    .info = info,
};

hd_status hd_driver_null_open(const hd_driver_config *config, hd_driver **out_driver) {
  hd_immediate_driver *driver = calloc(1, sizeof *driver);
  if (!driver) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *driver = (hd_immediate_driver){{&vtable}, config->pool};
  *out_driver = &driver->base;
  return HD_STATUS_OK;
}
