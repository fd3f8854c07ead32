/* SPDX-License-Identifier: Apache-2.0 */
/* What a crash leaves: the program that was worked on, and the command that runs its passes again. */
#ifndef HD_FRONT_CLI_CRASH_H_
#define HD_FRONT_CLI_CRASH_H_

#include "heddle/compile.h"

/* From now on a signal that ends the process by a fault (segmentation fault, abort, division, illegal instruction)
 * first writes |program| to heddle-crash-PID.mlir in the working folder, after a line with the heddle-opt command that
 * runs its passes on it, and says so. |options|: of that command, null-terminated. |program| and |options| must stay.
 * Null ends the watch. Not for several threads: a process has one watch. */
void hd_cli_watch_crashes(const hd_blob *program, const char *const *options);

#endif
