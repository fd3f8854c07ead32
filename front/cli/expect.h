/* SPDX-License-Identifier: Apache-2.0 */
/* heddle run --expect: every case of an expectation file on one compiled program. */
#ifndef HD_FRONT_CLI_EXPECT_H_
#define HD_FRONT_CLI_EXPECT_H_

#include "base/arena.h"
#include "heddle/communicator.h"
#include "options.h"

/* Runs every case of options->expect as one of |communicator|'s processes (null: the only one); the first prints the
 * table. |*out_exit| is HD_EXIT_DIFFERS when a case differs. Inside an out-of-memory guard. */
hd_status hd_cli_run_cases(hd_arena *arena, const hd_cli_options *options, hd_communicator *communicator,
                           int *out_exit) HD_MUST_USE;

#endif
