/* SPDX-License-Identifier: Apache-2.0 */
/* Launches as tasks of a stream: the interpreter of simt runs them with all checks, held to the memory that is
 * allocated when their turn comes. */
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/guarded/guarded.h"

typedef struct launch_task {
  hd_guarded_task task;
  hd_grid_launch launch;
  uint64_t words[];
} launch_task;

static hd_status run_launch(hd_guarded_driver *driver, hd_guarded_task *task) {
  launch_task *t = (launch_task *)task;
  hd_simt_launch request = hd_simt_launch_of(&t->launch, driver->pool, driver->subgroup);
  request.checks = true;
  pthread_rwlock_rdlock(&driver->ranges.lock);
  request.allocations = driver->ranges.items;
  request.allocation_count = driver->ranges.count;
  hd_status status = hd_simt_run_grid(&t->launch, &request);
  pthread_rwlock_unlock(&driver->ranges.lock);
  if (hd_is_ok(status) || !t->launch.name) return status;
  return hd_status_annotate(status, "kernel '%s' of %.500s", t->launch.name,
                            t->launch.source && *t->launch.source ? t->launch.source : "unknown ops");
}

hd_status hd_guarded_launch_grid(hd_driver *base, hd_stream *stream, const hd_grid_launch *launch) {
  size_t size = launch->word_count * sizeof *launch->words;
  launch_task *t = malloc(sizeof *t + size);
  if (!t) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory for a launch of %u words", launch->word_count);
  t->task = (hd_guarded_task){.run = run_launch};
  t->launch = *launch;
  t->launch.words = t->words;
  if (size) memcpy(t->words, launch->words, size);
  return hd_guarded_queue((hd_guarded_driver *)base, stream, &t->task);
}
