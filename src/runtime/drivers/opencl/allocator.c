/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the device, unified device memory or shared virtual memory, and the table of what is allocated. */
#include "runtime/drivers/opencl/opencl.h"

enum { ALIGNMENT = 64, READ_WRITE = 1, WORD = 4 };

/* Whole words: atomic updates of a narrow element exchange the word around it
 * (target/llvm/translate_opencl_atomics.c). */
static void *take(hd_opencl_driver *driver, size_t bytes) {
  cl_int code;
  if (bytes > driver->device->info.global_bytes) return NULL;
  bytes = (bytes + WORD - 1) / WORD * WORD;
  if (!driver->device->info.unified.allocate)
    return driver->cl->clSVMAlloc(driver->device->context, READ_WRITE, bytes, ALIGNMENT);
  return driver->device->info.unified.allocate(driver->device->context, driver->device->info.id, NULL, bytes, ALIGNMENT,
                                               &code);
}

static void give(hd_opencl_driver *driver, void *data) {
  if (driver->device->info.unified.release)
    driver->device->info.unified.release(driver->device->context, data);
  else
    driver->cl->clSVMFree(driver->device->context, data);
}

hd_status hd_opencl_memory_allocate(hd_driver *base, size_t bytes, void **out_data) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  void *data = take(driver, bytes);
  if (data &&
      !hd_simt_ranges_add(&driver->ranges, (hd_simt_allocation){(uint64_t)(uintptr_t)data, bytes, data, NULL})) {
    give(driver, data);
    data = NULL;
  }
  *out_data = data;
  return data ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
}

void hd_opencl_memory_release(hd_driver *base, void *data, size_t bytes) {
  (void)bytes;
  hd_opencl_driver *driver = hd_opencl_of(base);
  hd_simt_ranges_remove(&driver->ranges, data);
  give(driver, data);
}

bool hd_opencl_owns(hd_driver *base, const void *data) { return hd_simt_ranges_has(&hd_opencl_of(base)->ranges, data); }
