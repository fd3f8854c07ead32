/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of an interpreter.run_parallel, compiled. */
#ifndef HD_DRIVER_CHECK_PARALLEL_H_
#define HD_DRIVER_CHECK_PARALLEL_H_

#include "driver/check_compiled.h"

/* Runs the programs of |op| side by side, each on a thread and as a process of its own. |inputs| has a buffer for each
 * operand, |out_results|, of nulls, gets one for each result, which the caller owns, also after an error. */
hd_status hd_check_parallel(const hd_check_engine *engine, hd_op *op, hd_buffer *const *inputs,
                            hd_buffer **out_results) HD_MUST_USE;

#endif
