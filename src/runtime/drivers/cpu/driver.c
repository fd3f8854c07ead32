/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU driver's table of functions, what it says of its device, and opening it. */
#include <stdio.h>
#include <stdlib.h>

#include "heddle/cpu.h"
#include "runtime/drivers/cpu/cpu.h"

hd_status hd_driver_cpu_open(const hd_driver_config *config, hd_driver **out_driver);

static void destroy(hd_driver *driver) { free(driver); }

static void info(hd_driver *driver, hd_device_info *out) {
  (void)driver;
  snprintf(out->name, sizeof out->name, "%.60s, %s", hd_cpu_brand(), hd_cpu_level_name(hd_cpu_features()));
}

static const hd_driver_vtable vtable = {
    .name = "cpu",
    .caps = HD_DRIVER_HOST_MEMORY | HD_DRIVER_RUNS,
    .destroy = destroy,
    .allocate = hd_cpu_allocate,
    .release = hd_cpu_release,
    HD_IMMEDIATE_STREAMS,
    .launch = hd_cpu_launch,
    .info = info,
};

hd_status hd_driver_cpu_open(const hd_driver_config *config, hd_driver **out_driver) {
  if (config->allocator && (!config->allocator->allocate || !config->allocator->release))
    return hd_make_status(HD_INVALID_ARGUMENT, "allocator of the embedder: expected allocate and release");
  hd_cpu_driver *driver = calloc(1, sizeof *driver);
  if (!driver) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  driver->base = (hd_immediate_driver){{&vtable}, config->pool};
  if (config->allocator) driver->allocator = *config->allocator;
  *out_driver = &driver->base.base;
  return HD_STATUS_OK;
}
