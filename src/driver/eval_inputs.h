/* SPDX-License-Identifier: Apache-2.0 */
/* Host tensors as arguments of an entry on the evaluator. */
#ifndef HD_DRIVER_EVAL_INPUTS_H_
#define HD_DRIVER_EVAL_INPUTS_H_

#include "eval/eval.h"
#include "heddle/compile.h"

/* INVALID_ARGUMENT where a pointer is null that may not be. */
hd_status hd_check_host_tensors(const hd_host_tensor *tensors, size_t count) HD_MUST_USE;

/* Copies |inputs|, in the order of what the entry's caller gives (hd_program_ports), to |*out_args| in |arena|, each
 * checked against its type. |name| is the program's, for errors. */
hd_status hd_eval_inputs(hd_evaluator *evaluator, hd_op *entry, const char *name, const hd_host_tensor *inputs,
                         size_t input_count, hd_arena *arena, hd_tensor **out_args) HD_MUST_USE;

#endif
