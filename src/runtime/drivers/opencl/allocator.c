/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers/opencl/opencl.h"

enum { ALIGNMENT = 64 };

hd_status hd_opencl_memory_allocate(hd_driver *base, size_t bytes, void **out_data) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  cl_int code = 0;
  if (bytes <= driver->device.global_bytes)
    *out_data = driver->unified.allocate
                    ? driver->unified.allocate(driver->context, driver->device.id, NULL, bytes, ALIGNMENT, &code)
                    : driver->cl->clSVMAlloc(driver->context, 1 /* read and write */, bytes, ALIGNMENT);
  if (*out_data) return HD_STATUS_OK;
  return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
}

/* Work on it may be under way: unified memory is waited for, for shared memory all queues are. */
void hd_opencl_memory_release(hd_driver *base, void *data, size_t bytes) {
  (void)bytes;
  hd_opencl_driver *driver = hd_opencl_of(base);
  if (driver->unified.release) {
    driver->unified.release(driver->context, data);
    return;
  }
  pthread_mutex_lock(&driver->lock);
  driver->cl->clFinish(driver->queue);
  for (hd_stream *stream = driver->streams; stream; stream = stream->next) driver->cl->clFinish(stream->queue);
  pthread_mutex_unlock(&driver->lock);
  driver->cl->clSVMFree(driver->context, data);
}
