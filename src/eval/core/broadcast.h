/* SPDX-License-Identifier: Apache-2.0 */
/* Operands that are repeated to a common shape. */
#ifndef HD_EVAL_CORE_BROADCAST_H_
#define HD_EVAL_CORE_BROADCAST_H_

#include "eval/core/frame.h"

/* Operand dim i becomes dim axes[i] of a tensor of |dims|; a size of 1 is repeated. */
hd_status hd_eval_broadcast_to(hd_eval_frame *frame, const hd_tensor *operand, const hd_eval_ints *axes, uint32_t rank,
                               const int64_t *dims, hd_tensor *out) HD_MUST_USE;
/* |then| on the first |n| operands of |op|, at most HD_BROADCAST_MAX_OPERANDS, broadcast together: dims are aligned at
 * the right, or as broadcast_dimensions places the operand of lower rank. */
hd_status hd_eval_broadcast_then(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, uint32_t n,
                                 hd_eval_hook then) HD_MUST_USE;

#endif
