/* SPDX-License-Identifier: Apache-2.0 */
/* What LAPACK's routines give, by the algorithms of matrix.h. */
#ifndef HD_EVAL_GRAPH_LAPACK_ROUTINES_H_
#define HD_EVAL_GRAPH_LAPACK_ROUTINES_H_

#include "eval/core/frame.h"
#include "heddle/runtime.h"

/* Is |target| one of the rows of runtime/libraries/lapack_rows.def? */
bool hd_lapack_is_evaluated(hd_str target);
/* Calls |target|, which must be one of them. What a routine leaves open (the operand of a decomposition whose parts are
 * other outputs) is zeros. */
hd_status hd_lapack_evaluate(hd_eval_frame *frame, const char *target, const hd_custom_call *call) HD_MUST_USE;

#endif
