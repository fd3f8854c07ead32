/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of compiled functions: the range of items is split over the runtime's threads, or run by the calling one
 * alone. */
#include "runtime/drivers/cpu/cpu.h"

static void run_range(void *argument, int64_t begin, int64_t end) {
  const hd_launch *launch = argument;
  launch->kernel(launch->words, begin, end);
}

static void run_traced_range(void *argument, int64_t begin, int64_t end) {
  const hd_launch *launch = argument;
  int64_t start = hd_trace_now();
  launch->kernel(launch->words, begin, end);
  hd_trace_span(launch->trace, "kernel", launch->name, launch->source, end - begin, start, hd_trace_now());
}

hd_status hd_cpu_launch(hd_driver *driver, hd_stream *stream, const hd_launch *launch) {
  (void)stream;
  hd_range_fn body = launch->trace ? run_traced_range : run_range;
  if (launch->serial)
    hd_pool_alone(launch->call, launch->extent, launch->grain, body, (void *)launch);
  else
    hd_pool_for(((hd_cpu_driver *)driver)->base.pool, launch->call, launch->extent, launch->grain, body,
                (void *)launch);
  return HD_STATUS_OK;
}
