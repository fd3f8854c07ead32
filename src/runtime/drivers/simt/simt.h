/* SPDX-License-Identifier: Apache-2.0 */
/* The simt driver: a device that every machine has. Its memory is the host's, of which it keeps a table, so that
 * kernels are held to it; all work is done before the call returns. The kernels are run by interpreter.h.
 * drivers/guarded is the same device with memory of its own and queues. */
#ifndef HD_RUNTIME_DRIVERS_SIMT_SIMT_H_
#define HD_RUNTIME_DRIVERS_SIMT_SIMT_H_

#include "runtime/drivers/immediate/immediate.h"
#include "runtime/drivers/simt/interpreter.h"
#include "runtime/drivers/simt/ranges.h"

typedef struct hd_simt_driver {
  hd_immediate_driver base;
  hd_allocator allocator;
  hd_simt_ranges ranges; /* what is allocated */
  uint32_t subgroup;     /* threads of one */
} hd_simt_driver;

/* An image is a program of the interpreter. */
static inline hd_simt_program *hd_simt_program_of(hd_device_image *image) { return (hd_simt_program *)(void *)image; }

hd_status hd_simt_memory_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_simt_memory_release(hd_driver *driver, void *data, size_t bytes);
/* What the GPUs that it stands for have, with |subgroup| threads in one. */
hd_device_info hd_simt_info(uint32_t subgroup);
/* |launch| as hd_simt_run takes it, without allocations. */
hd_simt_launch hd_simt_launch_of(const hd_grid_launch *launch, hd_pool *pool, uint32_t subgroup);
/* Runs |launch| and records its span. */
hd_status hd_simt_run_grid(const hd_grid_launch *grid, const hd_simt_launch *launch) HD_MUST_USE;
hd_status hd_simt_launch_function(hd_driver *driver, hd_stream *stream, const hd_launch *launch);
hd_status hd_simt_launch_grid(hd_driver *driver, hd_stream *stream, const hd_grid_launch *launch);
hd_status hd_simt_image_load(hd_driver *driver, const void *data, size_t size, hd_device_image **out_image);
void hd_simt_image_unload(hd_driver *driver, hd_device_image *image);
hd_status hd_simt_kernel_find(hd_driver *driver, hd_device_image *image, const char *symbol, uint32_t *out_kernel);

#endif
