/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of kernels, built at their first one: arguments are set and the grid is queued under the kernel's lock,
 * since a kernel object holds its arguments. A launch that is traced is waited for. */
#include "runtime/artifact.h"
#include "runtime/drivers/opencl/opencl.h"

hd_status hd_opencl_launch_function(hd_driver *driver, hd_stream *stream, const hd_launch *launch) {
  (void)driver, (void)stream, (void)launch;
  return hd_make_status(HD_UNIMPLEMENTED, "driver 'opencl' runs kernels of images, not functions of the CPU");
}

/* Pointers go as memory of the device, numbers as their word: kernels take nothing else. */
static hd_status set_words(hd_opencl_driver *driver, cl_kernel kernel, const hd_grid_launch *launch) {
  for (uint32_t i = 0; i < launch->word_count; ++i) {
    const void *data = (const void *)(uintptr_t)launch->words[i];
    cl_int code = launch->word_rows[i].kind != HD_WORD_POINTER
                      ? driver->cl->clSetKernelArg(kernel, i, 8, &launch->words[i])
                  : driver->device->info.unified.argument ? driver->device->info.unified.argument(kernel, i, data)
                                                          : driver->cl->clSetKernelArgSVMPointer(kernel, i, data);
    if (code) return hd_status_annotate(hd_cl_status(code, "set an argument"), "word %u", i);
  }
  return HD_STATUS_OK;
}

static hd_status enqueue(hd_opencl_driver *driver, cl_queue queue, const hd_grid_launch *launch, cl_event *event) {
  hd_opencl_kernel *kernel = &launch->image->kernels[launch->kernel];
  if (kernel->module.by_lanes && launch->block[1] * (uint64_t)launch->block[2] != 1)
    return hd_make_status(
        HD_UNIMPLEMENTED,
        "opencl: blocks of %ux%ux%u threads of a kernel that goes by lanes, whose order is along x alone",
        launch->block[0], launch->block[1], launch->block[2]);
  size_t items[3], block[3];
  for (int d = 0; d < 3; ++d) {
    block[d] = launch->block[d];
    items[d] = (size_t)launch->grid[d] * launch->block[d];
  }
  pthread_mutex_lock(&kernel->lock);
  cl_kernel built;
  hd_status status = hd_opencl_kernel_built(driver, kernel, &built);
  if (hd_is_ok(status)) status = set_words(driver, built, launch);
  if (hd_is_ok(status))
    status =
        hd_cl_status(driver->cl->clEnqueueNDRangeKernel(queue, built, 3, NULL, items, block, 0, NULL, event), "launch");
  pthread_mutex_unlock(&kernel->lock);
  return status;
}

/* The span that the device says, set against the host's clock where the host saw the end. */
static hd_status record(hd_opencl_driver *driver, const hd_grid_launch *launch, cl_event event) {
  HD_TRY(hd_cl_status(driver->cl->clWaitForEvents(1, &event), "wait for a launch"));
  cl_ulong start = 0, end = 0;
  driver->cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
  driver->cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  int64_t blocks = (int64_t)launch->grid[0] * launch->grid[1] * launch->grid[2], now = hd_trace_now();
  hd_trace_span(launch->trace, "kernel", launch->name, launch->source, blocks, now - (int64_t)(end - start), now);
  return HD_STATUS_OK;
}

hd_status hd_opencl_launch_grid(hd_driver *base, hd_stream *stream, const hd_grid_launch *launch) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  if (launch->shared_bytes)
    return hd_make_status(HD_UNIMPLEMENTED,
                          "opencl: %u bytes of dynamic shared memory, which kernels of OpenCL cannot take",
                          launch->shared_bytes);
  cl_event event = NULL;
  HD_TRY(enqueue(driver, hd_opencl_queue(driver, stream), launch, launch->trace ? &event : NULL));
  if (!event) return HD_STATUS_OK;
  hd_status status = record(driver, launch, event);
  driver->cl->clReleaseEvent(event);
  return status;
}
