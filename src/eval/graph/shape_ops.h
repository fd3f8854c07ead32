/* SPDX-License-Identifier: Apache-2.0 */
/* Movements of elements that several ops share. Each makes a new tensor. */
#ifndef HD_EVAL_GRAPH_SHAPE_OPS_H_
#define HD_EVAL_GRAPH_SHAPE_OPS_H_

#include "eval/core/frame.h"

/* Dim i of the result is dim permutation[i] of the operand. */
hd_status hd_eval_transposed(hd_eval_frame *frame, const hd_tensor *operand, const int64_t *permutation,
                             hd_tensor *out) HD_MUST_USE;
hd_status hd_eval_concatenated(hd_eval_frame *frame, const hd_tensor *parts, size_t count, int64_t axis,
                               hd_tensor *out) HD_MUST_USE;

#endif
