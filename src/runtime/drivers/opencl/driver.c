/* SPDX-License-Identifier: Apache-2.0 */
/* The OpenCL driver's table of functions, what it says of its device, and opening and
 * closing it, with the cache of built programs. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/drivers/opencl/opencl.h"

hd_status hd_driver_opencl_open(const hd_driver_config *config, hd_driver **out_driver);

static void destroy(hd_driver *base) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  if (driver->queue) {
    driver->cl->clFinish(driver->queue);
    driver->cl->clReleaseCommandQueue(driver->queue);
  }
  if (driver->cache) hd_cache_close(driver->cache);
  hd_simt_ranges_free(&driver->ranges);
  free(driver);
}

static void info(hd_driver *base, hd_device_info *out) {
  const hd_cl_device_info *device = &hd_opencl_of(base)->device->info;
  uint32_t subgroup = device->subgroups_of_32 && device->exchanges ? 32 : 1; /* that kernels may count on */
  *out = (hd_device_info){.architecture = subgroup,
                          .subgroup = subgroup,
                          .block_limit = (uint32_t)device->block_limit,
                          .shared_limit = device->local_bytes,
                          .grid_limit = {INT32_MAX, UINT16_MAX, UINT16_MAX},
                          .memory_bytes = device->global_bytes};
  snprintf(out->name, sizeof out->name, "%.60s, %.30s", device->name, device->platform_name);
}

static const hd_driver_vtable vtable = {
    .name = "opencl",
    .caps = HD_DRIVER_IMAGES | HD_DRIVER_QUEUES,
    .destroy = destroy,
    .owns = hd_opencl_owns,
    .allocate = hd_opencl_memory_allocate,
    .release = hd_opencl_memory_release,
    .stream_create = hd_opencl_stream_create,
    .stream_destroy = hd_opencl_stream_destroy,
    .stream_wait = hd_opencl_stream_wait,
    .copy = hd_opencl_copy,
    .fill = hd_opencl_fill,
    .event_create = hd_opencl_event_create,
    .event_destroy = hd_opencl_event_destroy,
    .event_record = hd_opencl_event_record,
    .event_wait = hd_opencl_event_wait,
    .stream_wait_event = hd_opencl_stream_wait_event,
    .event_is_done = hd_opencl_event_is_done,
    .launch = hd_opencl_launch_function,
    .info = info,
    .describe = hd_opencl_describe,
    .image_load = hd_opencl_image_load,
    .image_unload = hd_opencl_image_unload,
    .kernel_find = hd_opencl_kernel_find,
    .launch_grid = hd_opencl_launch_grid,
};

/* Without a cache that can be used the driver goes on, and builds. */
static void open_cache(hd_opencl_driver *driver, const char *directory) {
  if (directory) hd_status_free(hd_cache_open(directory, 0, &driver->cache));
}

hd_status hd_driver_opencl_open(const hd_driver_config *config, hd_driver **out_driver) {
  hd_opencl_driver *driver = calloc(1, sizeof *driver);
  if (!driver || !hd_simt_ranges_init(&driver->ranges)) {
    free(driver);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  driver->base.vtable = &vtable;
  hd_status status = hd_opencl_open_device(&driver->device);
  if (hd_is_ok(status)) {
    driver->cl = driver->device->cl;
    open_cache(driver, config->cache_dir);
    status = hd_opencl_queue_create(driver, &driver->queue);
  }
  if (hd_is_ok(status))
    *out_driver = &driver->base;
  else
    destroy(&driver->base);
  return status;
}
