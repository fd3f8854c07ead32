/* SPDX-License-Identifier: Apache-2.0 */
/* One program run repeatedly on one set of inputs, and what that took. */
#ifndef HD_FRONT_CLI_EXECUTE_H_
#define HD_FRONT_CLI_EXECUTE_H_

#include "inputs.h"
#include "program.h"

typedef struct hd_cli_timing {
  double first_us, median_us, min_us;
  uint64_t runs;
  hd_run_stats stats; /* of the last run */
} hd_cli_timing;

/* Runs |program| |repeat| times. |outputs| (hd_executable_output_count) borrow from the last run, until
 * hd_cli_release_outputs. Arguments that |constant| marks are bound first. */
hd_status hd_cli_execute(hd_arena *arena, hd_cli_program *program, const hd_cli_options *options,
                         const hd_cli_tensor *inputs, const bool *constant, uint64_t repeat, hd_cli_timing *out_timing,
                         hd_buffer **out_buffers, hd_cli_tensor *outputs) HD_MUST_USE;
void hd_cli_release_outputs(hd_cli_program *program, hd_buffer **buffers);
/* The same on the inputs and with the constants that |options| ask for, for what the runtime counts: results are
 * dropped. */
hd_status hd_cli_execute_for_figures(hd_arena *arena, hd_cli_program *program, const hd_cli_options *options,
                                     uint64_t repeat, hd_cli_signature *out_signature,
                                     hd_cli_tensor **out_inputs) HD_MUST_USE;

/* The timeline of all runs so far, to |path|. */
hd_status hd_cli_write_profile(const hd_cli_program *program, const char *path) HD_MUST_USE;

/* The most memory that this process has had, in bytes. */
uint64_t hd_cli_peak_rss(void);

#endif
