/* SPDX-License-Identifier: Apache-2.0 */
/* Memory is of the device's pool, in the order of a stream that does nothing else: allocating waits for that alone,
 * releasing for nothing. Nobody uses what is released (driver.h). CUDA aligns it to 256 bytes. */
#include "runtime/drivers/cuda/cuda.h"

static int take(hd_cuda_driver *driver, size_t bytes, cu_address *out) {
  int code = driver->cu->allocate(out, bytes, driver->memory);
  return code ? code : driver->cu->stream_wait(driver->memory);
}

hd_status hd_cuda_memory_allocate(hd_driver *base, size_t bytes, void **out_data) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  cu_address address = 0;
  HD_TRY(hd_cuda_enter(driver));
  int code = take(driver, bytes, &address);
  void *data = (void *)(uintptr_t)address;
  bool known = !code && hd_simt_ranges_add(&driver->ranges, (hd_simt_allocation){address, bytes, data, NULL});
  if (!code && !known) driver->cu->release(address, driver->memory);
  HD_TRY_MSG(hd_cuda_leave(driver, code, "allocate memory"), "no memory for a buffer of %zu bytes", bytes);
  if (!known) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  *out_data = data;
  return HD_STATUS_OK;
}

/* Of a lost context nothing is released: it went with all its memory. */
void hd_cuda_memory_release(hd_driver *base, void *data, size_t bytes) {
  (void)bytes;
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_simt_ranges_remove(&driver->ranges, data);
  hd_status status = hd_cuda_enter(driver);
  if (hd_is_ok(status))
    status = hd_cuda_leave(driver, driver->cu->release((cu_address)(uintptr_t)data, driver->memory), "release memory");
  hd_status_free(status);
}

hd_status hd_cuda_host_allocate(hd_driver *base, size_t bytes, void **out_data) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  HD_TRY(hd_cuda_enter(driver));
  int code = driver->cu->allocate_host(out_data, bytes, CU_HOST_EVERY_CONTEXT);
  if (code) *out_data = NULL;
  HD_TRY_MSG(hd_cuda_leave(driver, code, "allocate pinned memory"), "no host memory for %zu bytes", bytes);
  return HD_STATUS_OK;
}

void hd_cuda_host_release(hd_driver *base, void *data, size_t bytes) {
  (void)bytes;
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_status status = hd_cuda_enter(driver);
  if (hd_is_ok(status)) status = hd_cuda_leave(driver, driver->cu->release_host(data), "release pinned memory");
  hd_status_free(status);
}

bool hd_cuda_owns(hd_driver *base, const void *data) { return hd_simt_ranges_has(&hd_cuda_of(base)->ranges, data); }
