/* SPDX-License-Identifier: Apache-2.0 */
/* The simt driver's table of functions, the info of its device, and opening it. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/drivers/simt/simt.h"

hd_status hd_driver_simt_open(const hd_driver_config *config, hd_driver **out_driver);

static void destroy(hd_driver *base) {
  hd_simt_driver *driver = (hd_simt_driver *)base;
  hd_simt_ranges_free(&driver->ranges);
  free(driver);
}

hd_device_info hd_simt_info(uint32_t subgroup) {
  hd_device_info info = {.architecture = subgroup,
                         .subgroup = subgroup,
                         .block_limit = 1024,
                         .shared_limit = 48 << 10,
                         .grid_limit = {INT32_MAX, UINT16_MAX, UINT16_MAX}};
  snprintf(info.name, sizeof info.name, "emulator, warps of %u threads on the CPU", subgroup);
  return info;
}

static void info(hd_driver *driver, hd_device_info *out) { *out = hd_simt_info(((hd_simt_driver *)driver)->subgroup); }

static const hd_driver_vtable vtable = {
    .name = "simt",
    .caps = HD_DRIVER_HOST_MEMORY | HD_DRIVER_IMAGES | HD_DRIVER_COUNTS,
    .destroy = destroy,
    .allocate = hd_simt_memory_allocate,
    .release = hd_simt_memory_release,
    HD_IMMEDIATE_STREAMS,
    .launch = hd_simt_launch_function,
    .info = info,
    .image_load = hd_simt_image_load,
    .image_unload = hd_simt_image_unload,
    .kernel_find = hd_simt_kernel_find,
    .launch_grid = hd_simt_launch_grid,
};

hd_status hd_driver_simt_open(const hd_driver_config *config, hd_driver **out_driver) {
  if (config->allocator && (!config->allocator->allocate || !config->allocator->release))
    return hd_make_status(HD_INVALID_ARGUMENT, "allocator of the embedder: expected allocate and release");
  hd_simt_driver *driver = calloc(1, sizeof *driver);
  if (!driver) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  driver->base = (hd_immediate_driver){{&vtable}, config->pool};
  driver->subgroup = config->subgroup ? config->subgroup : HD_SIMT_LANES;
  if (config->allocator) driver->allocator = *config->allocator;
  if (!hd_simt_ranges_init(&driver->ranges)) {
    destroy(&driver->base.base);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  *out_driver = &driver->base.base;
  return HD_STATUS_OK;
}
