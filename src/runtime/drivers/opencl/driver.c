/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/drivers/opencl/opencl.h"

hd_status hd_driver_opencl_open(const hd_driver_config *config, hd_driver **out_driver);

static void destroy(hd_driver *base) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  hd_opencl_programs_free(driver);
  if (driver->queue) {
    driver->cl->clFinish(driver->queue);
    driver->cl->clReleaseCommandQueue(driver->queue);
  }
  if (driver->context) driver->cl->clReleaseContext(driver->context);
  hd_simt_ranges_free(&driver->ranges);
  pthread_mutex_destroy(&driver->lock);
  free(driver);
}

static void facts(hd_driver *base, hd_device_facts *out) {
  const hd_cl_device_facts *device = &hd_opencl_of(base)->device;
  *out = (hd_device_facts){.subgroup = 32,
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
    .facts = facts,
    .image_load = hd_opencl_image_load,
    .image_unload = hd_opencl_image_unload,
    .kernel_find = hd_opencl_kernel_find,
    .launch_grid = hd_opencl_launch_grid,
};

/* Only where the platform has all of them. */
static void find_unified(hd_opencl_driver *driver) {
  hd_cl_unified u = {0};
  const struct {
    const char *name;
    void **function;
  } functions[] = {{"clDeviceMemAllocINTEL", (void **)(void *)&u.allocate},
                   {"clMemFreeINTEL", (void **)(void *)&u.release},
                   {"clSetKernelArgMemPointerINTEL", (void **)(void *)&u.argument},
                   {"clEnqueueMemcpyINTEL", (void **)(void *)&u.copy},
                   {"clEnqueueMemFillINTEL", (void **)(void *)&u.fill}};
  bool all = driver->device.unified;
  for (size_t i = 0; i < sizeof functions / sizeof *functions && all; ++i) {
    *functions[i].function =
        driver->cl->clGetExtensionFunctionAddressForPlatform(driver->device.platform, functions[i].name);
    all = *functions[i].function != NULL;
  }
  if (all) driver->unified = u;
}

static hd_status open_device(hd_opencl_driver *driver) {
  cl_int code;
  HD_TRY(hd_cl_open(&driver->cl));
  HD_TRY(hd_opencl_find_device(driver->cl, &driver->device));
  find_unified(driver);
  driver->context = driver->cl->clCreateContext(NULL, 1, &driver->device.id, NULL, NULL, &code);
  HD_TRY(hd_cl_status(code, "create a context"));
  return hd_opencl_queue_create(driver, &driver->queue);
}

hd_status hd_driver_opencl_open(const hd_driver_config *config, hd_driver **out_driver) {
  (void)config; /* memory is the device's, threads are OpenCL's */
  hd_opencl_driver *driver = calloc(1, sizeof *driver);
  if (!driver || !hd_simt_ranges_init(&driver->ranges)) {
    free(driver);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  driver->base.vtable = &vtable;
  pthread_mutex_init(&driver->lock, NULL);
  hd_status status = open_device(driver);
  if (hd_is_ok(status))
    *out_driver = &driver->base;
  else
    destroy(&driver->base);
  return status;
}
