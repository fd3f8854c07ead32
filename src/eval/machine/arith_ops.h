/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on scalars and vectors, for other dialects. */
#ifndef HD_EVAL_MACHINE_ARITH_OPS_H_
#define HD_EVAL_MACHINE_ARITH_OPS_H_

#include "eval/core/scalar.h"
#include "eval/graph/elementwise.h"

/* |kernel| over the elements of operands of one type, to result 0. */
hd_status hd_eval_lanes(hd_eval_frame *frame, hd_op *op, const hd_elementwise *kernel, const hd_tensor *in,
                        hd_tensor *out) HD_MUST_USE;
/* *to = a combined with b by case |kind| of vector.kind or arith's min/max names, for elements of |element|. */
hd_status hd_eval_combine(hd_str kind, hd_type element, const void *a, const void *b, void *to) HD_MUST_USE;

#endif
