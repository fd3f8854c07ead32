/* SPDX-License-Identifier: Apache-2.0 */
/* The targets of this build: the rows of targets.def. Static. */
#ifndef HD_DRIVER_TARGETS_H_
#define HD_DRIVER_TARGETS_H_

#include <stdbool.h>
#include <string.h>

#include "heddle/status.h"

typedef struct hd_target {
  const char *name;
  bool compiles, runs_here, is_host;
  const char *pipeline;
} hd_target;

/* The row of |name|, of the default when null; null when there is none. */
const hd_target *hd_target_find(const char *name);
/* INVALID_ARGUMENT: that there is no target |name|; it begins with the option's name. */
hd_status hd_target_unknown(const char *name) HD_MUST_USE;

/* The names of all, comma-separated; hd_targets gives those that compile. */
const char *hd_target_names(void);
/* The names of the targets whose code runs here, comma-separated. */
static inline const char *hd_targets_here(void) {
#define NAME_true(name) ", " name
#define NAME_false(name)
#define TARGET(name, compiles, runs_here, is_host, passes) NAME_##runs_here(name)
  static const char names[] =
#include "driver/targets.def"
      "";
#undef NAME_true
#undef NAME_false
  return names + 2;
}

/* Does the code of target |name| run here? For programs without the compiler's library. */
static inline bool hd_target_runs_here(const char *name) {
#define TARGET(row, compiles, runs_here, is_host, passes) \
  if (runs_here && !strcmp(name, row)) return true;
#include "driver/targets.def"
  return false;
}

#endif
