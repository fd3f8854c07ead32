/* SPDX-License-Identifier: Apache-2.0 */
/* heddle explain --slow: the kernels of a run that are furthest from what the machine allows. */
#ifndef HD_FRONT_CLI_SLOW_H_
#define HD_FRONT_CLI_SLOW_H_

#include "base/strbuf.h"
#include "options.h"

/* Runs the program some times on the inputs that |options| give, on the CPU, and appends a table of the kernels and
 * library calls of the fastest run, those first that lose most time, or with --json an object. |explanation| is what
 * hd_explain says as JSON. */
hd_status hd_cli_explain_slow(hd_arena *arena, const hd_cli_options *options, hd_str explanation,
                              hd_strbuf *out) HD_MUST_USE;

#endif
