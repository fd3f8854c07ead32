/* SPDX-License-Identifier: Apache-2.0 */
/* Custom calls of LAPACK's routines in the evaluator. */
#ifndef HD_EVAL_GRAPH_LAPACK_H_
#define HD_EVAL_GRAPH_LAPACK_H_

#include "eval/core/frame.h"

/* custom_call |target|, one that hd_lapack_is_evaluated, on copies in the order of memory that the call asks for. */
hd_status hd_eval_lapack(hd_eval_frame *frame, hd_op *op, hd_str target, const hd_tensor *in,
                         hd_tensor *out) HD_MUST_USE;

#endif
