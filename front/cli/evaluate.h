/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler's door to the reference evaluator: what a program takes, what it gives, and which shapes contradict. All
 * inside an out-of-memory guard; what is given lives on |arena|. */
#ifndef HD_FRONT_CLI_EVALUATE_H_
#define HD_FRONT_CLI_EVALUATE_H_

#include "base/arena.h"
#include "heddle/compile.h"
#include "inputs.h"
#include "options.h"

/* What the program in |bytes| takes, asked of the compiler. |bytes| must stay as long as the signature is used. */
hd_status hd_cli_ask_signature(hd_arena *arena, const hd_cli_options *options, const hd_blob *bytes,
                               hd_cli_signature *out) HD_MUST_USE;

/* |inputs| as the compiler's doors take them; borrows them. */
hd_host_tensor *hd_cli_host_tensors(hd_arena *arena, const hd_cli_tensor *inputs, int32_t count);

/* Runs the program on the evaluator. */
hd_status hd_cli_evaluate(hd_arena *arena, const hd_cli_options *options, const hd_blob *bytes,
                          const hd_cli_tensor *inputs, int32_t input_count, hd_cli_tensor **out_results,
                          int32_t *out_count) HD_MUST_USE;

/* Where the dims of |inputs| contradict each other or the signature; null when they do not. */
const char *hd_cli_contradiction(hd_arena *arena, const hd_cli_signature *signature, const hd_cli_tensor *inputs);

/* |status| (taken) of an evaluation, of which diagnostics have said why it failed; where the shapes of |inputs|
 * contradict the signature, which dim of which argument does: "argument 1: dim 0 is 5, but d0 is 3 by argument 0". */
hd_status hd_cli_explain_failure(hd_arena *arena, const hd_cli_signature *signature, const hd_cli_tensor *inputs,
                                 hd_status status) HD_MUST_USE;

#endif
