/* SPDX-License-Identifier: Apache-2.0 */
/* heddle run as one of several processes that mpirun started. */
#ifndef HD_FRONT_CLI_PROCESSES_H_
#define HD_FRONT_CLI_PROCESSES_H_

#include "base/arena.h"
#include "heddle/communicator.h"
#include "options.h"

/* Joins the other processes when there are any; null in |*out_communicator| otherwise. |*out| is |given| as this
 * process takes it: {rank} in the names of inputs, outputs and expectations is its number, which is added to the seed
 * too. */
hd_status hd_cli_join_processes(hd_arena *arena, const hd_cli_options *given, hd_cli_options *out,
                                hd_communicator **out_communicator) HD_MUST_USE;

#endif
