/* SPDX-License-Identifier: Apache-2.0 */
/* The guarded driver's table of functions, and opening and closing it. Loading of images is that of simt. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/drivers/guarded/guarded.h"

hd_status hd_driver_guarded_open(const hd_driver_config *config, hd_driver **out_driver);

static void destroy(hd_driver *base) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  hd_guarded_streams_free(driver);
  hd_guarded_memory_free(driver);
  free(driver);
}

static void info(hd_driver *driver, hd_device_info *out) {
  *out = hd_simt_info(((hd_guarded_driver *)driver)->subgroup);
  snprintf(out->name, sizeof out->name, "emulator with memory and queues of its own, checked; for tests");
}

static hd_status launch_function(hd_driver *driver, hd_stream *stream, const hd_launch *launch) {
  (void)driver, (void)stream, (void)launch;
  return hd_make_status(HD_UNIMPLEMENTED, "driver 'guarded' runs kernels of images, not functions of the CPU");
}

static const hd_driver_vtable vtable = {
    .name = "guarded",
    .caps = HD_DRIVER_IMAGES | HD_DRIVER_QUEUES,
    .images = "simt",
    .destroy = destroy,
    .allocate = hd_guarded_allocate,
    .release = hd_guarded_release,
    .allocate_host = hd_guarded_allocate_host,
    .release_host = hd_guarded_release_host,
    .owns = hd_guarded_owns,
    .stream_create = hd_guarded_stream_create,
    .stream_destroy = hd_guarded_stream_destroy,
    .stream_wait = hd_guarded_stream_wait,
    .copy = hd_guarded_copy,
    .fill = hd_guarded_fill,
    .poison = hd_guarded_poison,
    .event_create = hd_guarded_event_create,
    .event_destroy = hd_guarded_event_destroy,
    .event_record = hd_guarded_event_record,
    .event_wait = hd_guarded_event_wait,
    .stream_wait_event = hd_guarded_stream_wait_event,
    .event_is_done = hd_guarded_event_is_done,
    .launch = launch_function,
    .info = info,
    .image_load = hd_simt_image_load,
    .image_unload = hd_simt_image_unload,
    .kernel_find = hd_simt_kernel_find,
    .launch_grid = hd_guarded_launch_grid,
};

hd_status hd_driver_guarded_open(const hd_driver_config *config, hd_driver **out_driver) {
  if (config->allocator)
    return hd_make_status(HD_INVALID_ARGUMENT, "driver 'guarded' has its own memory: expected no allocator");
  hd_guarded_driver *driver = calloc(1, sizeof *driver);
  if (!driver) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  driver->base.vtable = &vtable;
  driver->pool = config->pool;
  driver->subgroup = config->subgroup ? config->subgroup : HD_SIMT_LANES;
  bool good = hd_simt_ranges_init(&driver->ranges);
  good &= hd_simt_ranges_init(&driver->pinned);
  good &= hd_guarded_streams_init(driver);
  if (!good) {
    destroy(&driver->base);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  *out_driver = &driver->base;
  return HD_STATUS_OK;
}
