/* SPDX-License-Identifier: Apache-2.0 */
/* One program run repeatedly on one set of inputs, and what came of it: shared by run's plain and --expect forms. */
#ifndef HD_FRONT_CLI_RUN_H_
#define HD_FRONT_CLI_RUN_H_

#include "heddle/communicator.h"
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

/* The timeline of all runs so far, to |path|. */
hd_status hd_cli_write_profile(const hd_cli_program *program, const char *path) HD_MUST_USE;

/* The case form of run (expect.c): every case of options->expect, as one of |communicator|'s processes
 * (null: the only one); the first prints the table. */
hd_status hd_cli_run_cases(hd_arena *arena, const hd_cli_options *options, hd_communicator *communicator,
                           int *out_exit) HD_MUST_USE;

/* What the program in |bytes| takes, asked of the compiler. |bytes| must stay as long as the signature is used. */
hd_status hd_cli_ask_signature(hd_arena *arena, const hd_cli_options *options, const hd_blob *bytes,
                               hd_cli_signature *out) HD_MUST_USE;

/* Runs the program on the evaluator. Results live until the process ends. */
hd_status hd_cli_evaluate(hd_arena *arena, const hd_cli_options *options, const hd_blob *bytes,
                          const hd_cli_tensor *inputs, int32_t input_count, hd_cli_tensor **out_results,
                          int32_t *out_count) HD_MUST_USE;

/* Element |i| of |tensor| as a number: the real part of complex ones. */
double hd_cli_element(const hd_cli_tensor *tensor, size_t i);
/* Doubles per element: 2 for complex. */
double hd_cli_imaginary(const hd_cli_tensor *tensor, size_t i);
size_t hd_cli_count(const hd_cli_tensor *tensor);

typedef struct hd_cli_summary {
  double min, max, mean, magnitude, l2; /* |magnitude|: largest absolute value */
  size_t nan, inf;                      /* not counted in the others */
} hd_cli_summary;
hd_cli_summary hd_cli_summarise(const hd_cli_tensor *tensor);

/* The largest |got - want| over the largest |want|, both NaN or equal infinities agreeing; infinity where only one is
 * such. */
double hd_cli_difference(const hd_cli_tensor *got, const hd_cli_tensor *want);
/* The element whose absolute difference is the largest; one where only one is NaN or infinite comes first. */
size_t hd_cli_worst_element(const hd_cli_tensor *got, const hd_cli_tensor *want);

uint64_t hd_cli_peak_rss(void);

/* |inputs| as the compiler's doors take them; borrows them. */
hd_host_tensor *hd_cli_host_tensors(hd_arena *arena, const hd_cli_tensor *inputs, int32_t count);

/* Where the dims of |inputs| contradict each other or the signature; null when they do not. */
const char *hd_cli_contradiction(hd_arena *arena, const hd_cli_signature *signature, const hd_cli_tensor *inputs);

/* What the evaluator says when it fails (taken) and, where the shapes of |inputs| contradict the signature, which dim
 * of which argument does: "..., argument 1: dim 0 is 5, but d0 is 3 by argument 0". */
hd_status hd_cli_explain_failure(hd_arena *arena, const hd_cli_signature *signature, const hd_cli_tensor *inputs,
                                 hd_status status) HD_MUST_USE;

#endif
