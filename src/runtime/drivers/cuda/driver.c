/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA driver's table of functions, and opening and closing it: what a device must have, and its info. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/cuda/plans.h"

hd_status hd_driver_cuda_open(const hd_driver_config *config, hd_driver **out_driver);

static void destroy(hd_driver *base) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  if (driver->own) hd_cuda_stream_destroy(base, driver->own);
  if (driver->context && hd_is_ok(driver->lost)) {
    hd_status status = hd_cuda_enter(driver);
    if (hd_is_ok(status) && driver->memory) driver->cu->stream_wait(driver->memory);
    if (hd_is_ok(status)) hd_cuda_library_free(&driver->products, false);
    if (hd_is_ok(status)) hd_cuda_library_free(&driver->convolutions, false);
    if (hd_is_ok(status))
      status = hd_cuda_leave(driver, driver->memory ? driver->cu->stream_destroy(driver->memory) : 0, "end");
    hd_status_free(status);
  }
  hd_cuda_library_free(&driver->products, true);
  hd_cuda_library_free(&driver->convolutions, true);
  if (driver->context) driver->cu->context_release(driver->device);
  hd_simt_ranges_free(&driver->ranges);
  pthread_mutex_destroy(&driver->lock);
  hd_status_free(driver->lost);
  free(driver);
}

static void info(hd_driver *base, hd_device_info *out) { *out = hd_cuda_of(base)->info; }

static const hd_driver_vtable vtable = {
    .name = "cuda",
    .caps = HD_DRIVER_IMAGES | HD_DRIVER_QUEUES,
    .destroy = destroy,
    .allocate_host = hd_cuda_host_allocate,
    .release_host = hd_cuda_host_release,
    .owns = hd_cuda_owns,
    .allocate = hd_cuda_memory_allocate,
    .release = hd_cuda_memory_release,
    .stream_create = hd_cuda_stream_create,
    .stream_destroy = hd_cuda_stream_destroy,
    .stream_wait = hd_cuda_stream_wait,
    .copy = hd_cuda_copy,
    .fill = hd_cuda_fill,
    .event_create = hd_cuda_event_create,
    .event_destroy = hd_cuda_event_destroy,
    .event_record = hd_cuda_event_record,
    .event_wait = hd_cuda_event_wait,
    .stream_wait_event = hd_cuda_stream_wait_event,
    .event_is_done = hd_cuda_event_is_done,
    .launch = hd_cuda_launch_function,
    .info = info,
    .describe = hd_cuda_describe,
    .image_load = hd_cuda_image_load,
    .image_unload = hd_cuda_image_unload,
    .kernel_find = hd_cuda_kernel_find,
    .launch_grid = hd_cuda_launch_grid,
    .product_takes = hd_cuda_product_takes,
    .product_run = hd_cuda_product_run,
    .convolution_takes = hd_cuda_convolution_takes,
    .convolution_run = hd_cuda_convolution_run,
};

static hd_status find_facts(hd_cuda_driver *driver) {
  static const int wanted[] = {
      CU_BLOCK_LIMIT, CU_GRID_LIMIT_X, CU_GRID_LIMIT_X + 1, CU_GRID_LIMIT_X + 2, CU_WARP,
      CU_MAJOR,       CU_MINOR,        CU_SHARED_LIMIT,     CU_MEMORY_POOLS,     CU_UNIFIED_ADDRESSES};
  enum { COUNT = sizeof wanted / sizeof *wanted };
  const hd_cuda_api *cu = driver->cu;
  int n[COUNT] = {0}, version = 0;
  char name[64] = "";
  size_t bytes = 0;
  for (int i = 0; i < COUNT; ++i)
    HD_TRY(hd_cuda_status(cu, cu->device_attribute(&n[i], wanted[i], driver->device), "ask the device"));
  HD_TRY(hd_cuda_status(cu, cu->device_name(name, sizeof name, driver->device), "ask the device"));
  HD_TRY(hd_cuda_status(cu, cu->device_memory(&bytes, driver->device), "ask the device"));
  HD_TRY(hd_cuda_status(cu, cu->driver_version(&version), "ask the driver"));
  if (!n[8] || !n[9] || n[4] != 32)
    return hd_make_status(HD_UNAVAILABLE, "cuda: %.60s has no %s", name,
                          n[4] != 32 ? "warps of 32"
                          : n[8]     ? "unified addresses"
                                     : "memory pools");
  driver->info = (hd_device_info){.architecture = (uint32_t)(10 * n[5] + n[6]),
                                  .subgroup = 32,
                                  .block_limit = (uint32_t)n[0],
                                  .shared_limit = (uint64_t)n[7],
                                  .grid_limit = {(uint64_t)n[1], (uint64_t)n[2], (uint64_t)n[3]},
                                  .memory_bytes = bytes};
  snprintf(driver->info.name, sizeof driver->info.name, "%.60s, CUDA %d.%d", name, version / 1000, version % 1000 / 10);
  return HD_STATUS_OK;
}

/* What follows the ':' of the driver's name: a device's number, "graphs", "marks", with commas between. */
static hd_status read_choice(hd_cuda_driver *driver, const char *text, int *out_ordinal) {
  *out_ordinal = 0;
  for (const char *at = text; at; at += *at == ',') {
    size_t size = strcspn(at, ",");
    if (size == 6 && !strncmp(at, "graphs", size))
      driver->graphs = true;
    else if (size == 5 && !strncmp(at, "marks", size))
      driver->marks = true;
    else if (size >= 1 && size <= 4 && strspn(at, "0123456789") >= size)
      *out_ordinal = atoi(at);
    else
      return hd_make_status(HD_INVALID_ARGUMENT,
                            "driver 'cuda:%.60s': expected a device's number, graphs or marks, with commas between",
                            text);
    at += size;
    if (!*at) break;
  }
  return HD_STATUS_OK;
}

static hd_status open_device(hd_cuda_driver *driver, const char *choice) {
  int count = 0, ordinal;
  HD_TRY(read_choice(driver, choice, &ordinal));
  HD_TRY(hd_cuda_open(&driver->cu));
  HD_TRY(hd_cuda_status(driver->cu, driver->cu->device_count(&count), "count devices"));
  if (!count) return hd_make_status(HD_UNAVAILABLE, "the CUDA driver finds no device");
  if (ordinal >= count)
    return hd_make_status(HD_UNAVAILABLE, "the CUDA driver finds no device %d, expected below %d", ordinal, count);
  HD_TRY(hd_cuda_status(driver->cu, driver->cu->device(&driver->device, ordinal), "take a device"));
  HD_TRY(find_facts(driver));
  HD_TRY(hd_cuda_status(driver->cu, driver->cu->context_retain(&driver->context, driver->device), "make a context"));
  HD_TRY(hd_cuda_enter(driver));
  HD_TRY(hd_cuda_leave(driver, driver->cu->stream_create(&driver->memory, CU_STREAM_APART), "create a stream"));
  return hd_cuda_stream_create(&driver->base, &driver->own);
}

hd_status hd_driver_cuda_open(const hd_driver_config *config, hd_driver **out_driver) {
  hd_cuda_driver *driver = calloc(1, sizeof *driver);
  if (!driver || !hd_simt_ranges_init(&driver->ranges)) {
    free(driver);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  driver->base.vtable = &vtable;
  driver->lost = HD_STATUS_OK;
  pthread_mutex_init(&driver->lock, NULL);
  hd_status status = open_device(driver, config->choice); /* memory and threads are the device's */
  if (hd_is_ok(status))
    *out_driver = &driver->base;
  else
    destroy(&driver->base);
  return status;
}
