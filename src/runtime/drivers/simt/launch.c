/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of grids by the interpreter, which end before the call does. The guarded driver uses the same parts. */
#include <string.h>

#include "runtime/drivers/simt/simt.h"

hd_status hd_simt_launch_function(hd_driver *driver, hd_stream *stream, const hd_launch *launch) {
  (void)driver, (void)stream, (void)launch;
  return hd_make_status(HD_UNIMPLEMENTED, "driver 'simt' runs kernels of images, not functions of the CPU");
}

hd_simt_launch hd_simt_launch_of(const hd_grid_launch *launch, hd_pool *pool, uint32_t subgroup) {
  hd_simt_launch request = {.subgroup = subgroup,
                            .dynamic_shared = launch->shared_bytes,
                            .words = launch->words,
                            .word_count = launch->word_count,
                            .pool = launch->serial ? NULL : pool,
                            .checks = launch->counters != NULL,
                            .counters = launch->counters,
                            .stopped = launch->stopped,
                            .user = launch->user};
  memcpy(request.grid, launch->grid, sizeof request.grid);
  memcpy(request.block, launch->block, sizeof request.block);
  return request;
}

hd_status hd_simt_run_grid(const hd_grid_launch *grid, const hd_simt_launch *launch) {
  int64_t start = grid->trace ? hd_trace_now() : 0;
  hd_status status = hd_simt_run(hd_simt_program_of(grid->image), grid->kernel, launch);
  int64_t blocks = (int64_t)grid->grid[0] * grid->grid[1] * grid->grid[2];
  if (grid->trace) hd_trace_span(grid->trace, "kernel", grid->name, grid->source, blocks, start, hd_trace_now());
  return status;
}

hd_status hd_simt_launch_grid(hd_driver *base, hd_stream *stream, const hd_grid_launch *launch) {
  (void)stream;
  hd_simt_driver *driver = (hd_simt_driver *)base;
  hd_simt_launch request = hd_simt_launch_of(launch, driver->base.pool, driver->subgroup);
  pthread_rwlock_rdlock(&driver->ranges.lock);
  request.allocations = driver->ranges.items;
  request.allocation_count = driver->ranges.count;
  hd_status status = hd_simt_run_grid(launch, &request);
  pthread_rwlock_unlock(&driver->ranges.lock);
  return status;
}
