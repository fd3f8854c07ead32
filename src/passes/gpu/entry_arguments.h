/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers that the caller of a program lends it. */
#ifndef HD_PASSES_GPU_ENTRY_ARGUMENTS_H_
#define HD_PASSES_GPU_ENTRY_ARGUMENTS_H_

#include "pass/pass.h"

/* |func|, which nothing calls, writes no buffer of its caller's. The buffers that one takes which returns none
 * are results after its own, as hd_program_ports has it: what it writes is a copy. One that returns buffers gives
 * its results in them, so a write to an argument is an error there, false. The type of |func| still is the
 * program's; the caller sets it afterwards. */
bool hd_own_arguments(hd_pass *pass, hd_op *func);

#endif
