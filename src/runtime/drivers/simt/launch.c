/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "runtime/drivers/simt/simt.h"

hd_status hd_simt_launch_function(hd_driver *driver, hd_stream *stream, const hd_launch *launch) {
  (void)driver, (void)stream, (void)launch;
  return hd_make_status(HD_UNIMPLEMENTED, "driver 'simt' runs kernels of images, not functions of the CPU");
}

hd_status hd_simt_launch_grid(hd_driver *base, hd_stream *stream, const hd_grid_launch *launch) {
  (void)stream;
  hd_simt_driver *driver = (hd_simt_driver *)base;
  hd_simt_launch request = {.dynamic_shared = launch->shared_bytes,
                            .words = launch->words,
                            .word_count = launch->word_count,
                            .pool = launch->serial ? NULL : driver->pool,
                            .stopped = launch->stopped,
                            .user = launch->user};
  memcpy(request.grid, launch->grid, sizeof request.grid);
  memcpy(request.block, launch->block, sizeof request.block);
  int64_t start = launch->trace ? hd_trace_now() : 0;
  pthread_rwlock_rdlock(&driver->lock);
  request.allocations = driver->ranges;
  request.allocation_count = driver->range_count;
  hd_status status = hd_simt_run(hd_simt_program_of(launch->image), launch->kernel, &request);
  pthread_rwlock_unlock(&driver->lock);
  int64_t blocks = (int64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  if (launch->trace)
    hd_trace_span(launch->trace, "kernel", launch->name, launch->source, blocks, start, hd_trace_now());
  return status;
}
