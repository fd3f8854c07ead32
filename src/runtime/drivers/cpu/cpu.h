/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU driver: all work is done before the call returns, on the runtime's threads. */
#ifndef HD_RUNTIME_DRIVERS_CPU_CPU_H_
#define HD_RUNTIME_DRIVERS_CPU_CPU_H_

#include "runtime/drivers/immediate/immediate.h"

typedef struct hd_cpu_driver {
  hd_immediate_driver base;
  hd_allocator allocator;
} hd_cpu_driver;

hd_status hd_cpu_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_cpu_release(hd_driver *driver, void *data, size_t bytes);
hd_status hd_cpu_launch(hd_driver *driver, hd_stream *stream, const hd_launch *launch);

#endif
