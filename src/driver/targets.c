/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/targets.h"

#include "base/status.h"
#include "heddle/compile.h"

static const hd_target rows[] = {
#define TARGET(name, compiles, runs_here, is_host, passes) {name, compiles, runs_here, is_host, passes},
#include "driver/targets.def"
};

const hd_target *hd_target_find(const char *name) {
  if (!name) return &rows[0];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (!strcmp(rows[i].name, name)) return &rows[i];
  return NULL;
}

hd_status hd_target_unknown(const char *name, const char *names) {
  return hd_make_status(HD_INVALID_ARGUMENT, "target: unknown target '%s', expected one of: %s", name, names);
}

const char *hd_targets(void) { return hd_targets_compiled(); }

const char *hd_target_pipeline(const char *name) {
  const hd_target *target = hd_target_find(name);
  return target ? target->pipeline : NULL;
}
