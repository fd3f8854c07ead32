/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels of a device are and did in a run: the last part of heddle explain. */
#ifndef HD_FRONT_CLI_KERNELS_H_
#define HD_FRONT_CLI_KERNELS_H_

#include "base/strbuf.h"
#include "options.h"

/* Runs the program once on the inputs that |options| give and appends a table of the kernels that ran, or, with --json,
 * the member "device_kernels" of an object, a comma in front. UNIMPLEMENTED where the target's device counts nothing.
 */
hd_status hd_cli_count_kernels(hd_arena *arena, const hd_cli_options *options, hd_strbuf *out) HD_MUST_USE;

/* The same of all kernels, without a run: what ptxas (--ptxas) says of their code. INVALID_ARGUMENT for targets without
 * PTX. */
hd_status hd_cli_show_kernels(hd_arena *arena, const hd_cli_options *options, hd_strbuf *out) HD_MUST_USE;

#endif
