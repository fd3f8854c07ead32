/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on scalars and vectors, for other dialects. */
#ifndef HD_EVAL_MACHINE_ARITH_OPS_H_
#define HD_EVAL_MACHINE_ARITH_OPS_H_

#include "eval/core/scalar.h"
#include "eval/graph/elementwise.h"
#include "ir/ops/arith.h"
#include "ir/ops/vector.h"

/* |kernel| over the elements of operands of one type, to result 0. */
hd_status hd_eval_lanes(hd_eval_frame *frame, hd_op *op, const hd_elementwise *kernel, const hd_tensor *in,
                        hd_tensor *out) HD_MUST_USE;
/* *to = a combined with b by |op|, an op of two operands of arith, for elements of |element|. */
hd_status hd_eval_combine(hd_opcode op, hd_type element, const void *a, const void *b, void *to) HD_MUST_USE;
/* The op of arith that a case of an enum stands for, for elements of |element| where the case alone does not say it;
 * UNREGISTERED for those that replace and for what has no op. */
hd_opcode hd_arith_op_of_vector_kind(hd_enum_vector_kind kind, hd_type element);
hd_opcode hd_arith_op_of_atomic_rmw(hd_enum_arith_atomic_rmw_kind kind);

#endif
