/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers/cpu/cpu.h"

static void run_range(void *argument, int64_t begin, int64_t end) {
  const hd_launch *launch = argument;
  launch->kernel(launch->words, begin, end);
}

hd_status hd_cpu_launch(hd_driver *driver, hd_stream *stream, const hd_launch *launch) {
  (void)stream;
  if (launch->serial)
    launch->kernel(launch->words, 0, launch->extent);
  else
    hd_pool_for(((hd_cpu_driver *)driver)->pool, launch->call, launch->extent, launch->grain, run_range, (void *)launch);
  return HD_STATUS_OK;
}
