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
/* INVALID_ARGUMENT: that |name| is none of the targets |names|; it begins with the option's name. */
hd_status hd_target_unknown(const char *name, const char *names) HD_MUST_USE;

/* Comma-separated names: of all targets, of those that there is machine code for, of those whose code runs here. For
 * programs without the compiler's library, too. */
#define HD_NAME_IF_true(name) ", " name
#define HD_NAME_IF_false(name)
static inline const char *hd_target_names(void) {
#define TARGET(name, compiles, runs_here, is_host, passes) HD_NAME_IF_true(name)
  static const char names[] =
#include "driver/targets.def"
      "";
  return names + 2;
}

static inline const char *hd_targets_compiled(void) {
#define TARGET(name, compiles, runs_here, is_host, passes) HD_NAME_IF_##compiles(name)
  static const char names[] =
#include "driver/targets.def"
      "";
  return names + 2;
}

static inline const char *hd_targets_here(void) {
#define TARGET(name, compiles, runs_here, is_host, passes) HD_NAME_IF_##runs_here(name)
  static const char names[] =
#include "driver/targets.def"
      "";
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
