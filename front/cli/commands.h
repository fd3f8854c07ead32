/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of `heddle`. Each runs inside an out-of-memory guard with an arena of its own, prints its results, and
 * gives a status for what went wrong, or an exit code. */
#ifndef HD_FRONT_CLI_COMMANDS_H_
#define HD_FRONT_CLI_COMMANDS_H_

#include "base/arena.h"
#include "options.h"

typedef hd_status hd_cli_command_fn(hd_arena *arena, const hd_cli_options *options, int *out_exit);

hd_cli_command_fn hd_cli_run, hd_cli_compile, hd_cli_eval, hd_cli_check, hd_cli_explain, hd_cli_bisect, hd_cli_reduce,
    hd_cli_layout, hd_cli_map, hd_cli_devices;

#endif
