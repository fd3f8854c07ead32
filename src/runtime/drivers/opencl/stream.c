/* SPDX-License-Identifier: Apache-2.0 */
/* A stream is a queue in order. */
#include <stdlib.h>

#include "runtime/drivers/opencl/opencl.h"

hd_status hd_opencl_queue_create(hd_opencl_driver *driver, cl_queue *out_queue) {
  static const cl_ulong properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_int code;
  *out_queue = driver->cl->clCreateCommandQueueWithProperties(driver->device->context, driver->device->info.id,
                                                              properties, &code);
  return hd_cl_status(code, "create a queue");
}

hd_status hd_opencl_stream_create(hd_driver *driver, hd_stream **out_stream) {
  hd_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status = hd_opencl_queue_create(hd_opencl_of(driver), &stream->queue);
  if (hd_is_ok(status))
    *out_stream = stream;
  else
    free(stream);
  return status;
}

void hd_opencl_stream_destroy(hd_driver *driver, hd_stream *stream) {
  const hd_cl_api *cl = hd_opencl_of(driver)->cl;
  cl->clFinish(stream->queue);
  cl->clReleaseCommandQueue(stream->queue);
  free(stream);
}

hd_status hd_opencl_stream_wait(hd_driver *base, hd_stream *stream) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  return hd_cl_status(driver->cl->clFinish(hd_opencl_queue(driver, stream)), "wait for a queue");
}

/* What comes from the host is read before the call returns. */
hd_status hd_opencl_copy(hd_driver *base, hd_stream *stream, void *destination, const void *source, size_t bytes) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  cl_queue queue = hd_opencl_queue(driver, stream);
  cl_uint wait = !hd_opencl_owns(base, source);
  cl_int code = driver->device->info.unified.copy
                    ? driver->device->info.unified.copy(queue, wait, destination, source, bytes, 0, NULL, NULL)
                    : driver->cl->clEnqueueSVMMemcpy(queue, wait, destination, source, bytes, 0, NULL, NULL);
  return hd_cl_status(code, "copy");
}

hd_status hd_opencl_fill(hd_driver *base, hd_stream *stream, void *destination, uint8_t byte, size_t bytes) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  cl_queue queue = hd_opencl_queue(driver, stream);
  cl_int code = driver->device->info.unified.fill
                    ? driver->device->info.unified.fill(queue, destination, &byte, 1, bytes, 0, NULL, NULL)
                    : driver->cl->clEnqueueSVMMemFill(queue, destination, &byte, 1, bytes, 0, NULL, NULL);
  return hd_cl_status(code, "fill");
}
