/* SPDX-License-Identifier: Apache-2.0 */
/* What this machine can do at most, as heddle explain --slow compares with. */
#ifndef HD_FRONT_CLI_MACHINE_H_
#define HD_FRONT_CLI_MACHINE_H_

#include "options.h"

typedef struct hd_cli_machine {
  double copy_bytes; /* a second, read and written, of all threads in memory */
  double flops;      /* a second, multiply-adds of f32 counted twice; 0: not known */
} hd_cli_machine;

/* Of |threads| threads. Measured once, some tenths of a second, and kept in |directory| by the CPU's features and the
 * number of threads; null: not kept. */
hd_status hd_cli_machine_of(hd_arena *arena, const char *directory, int32_t threads,
                            hd_cli_machine *out_machine) HD_MUST_USE;

#endif
