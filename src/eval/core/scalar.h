/* SPDX-License-Identifier: Apache-2.0 */
/* Values below the graph: scalars and vectors. They are hd_tensors whose type is the scalar or vector type and whose
 * buffer holds the elements in row-major order, in memory form (ir/types.h). */
#ifndef HD_EVAL_CORE_SCALAR_H_
#define HD_EVAL_CORE_SCALAR_H_

#include "eval/core/frame.h"

/* Elements that a value of |type| holds: 1 for a scalar. */
static inline size_t hd_lanes_of(hd_type type) {
  return hd_type_is_shaped(type) ? (size_t)hd_type_num_elements(type) : 1;
}

/* A value of a static scalar, vector or tensor type, uninitialised. */
hd_status hd_eval_value(hd_eval_frame *frame, hd_type type, hd_tensor *out) HD_MUST_USE;
/* A value of the type of result |i| of |op|; where that is a tensor with unknown dims, |like|'s dims. */
hd_status hd_eval_value_like(hd_eval_frame *frame, hd_op *op, uint32_t i, const hd_tensor *like,
                             hd_tensor *out) HD_MUST_USE;
/* A scalar of the type of result |i|. */
hd_status hd_eval_int_result(hd_eval_frame *frame, hd_op *op, uint32_t i, int64_t value, hd_tensor *out) HD_MUST_USE;
/* The integer or index in scalar |value|. */
int64_t hd_eval_int(const hd_tensor *value);
/* The sizes of |type|, with the |count| integers in |dynamic| for its unknown dims. Lives for the time of one op. */
hd_status hd_eval_sizes(hd_eval_frame *frame, hd_type type, const hd_tensor *dynamic, uint32_t count,
                        int64_t **out) HD_MUST_USE;
/* The static list |name|, whose HD_DYNAMIC entries are the operands of item |item|. Lives for the time of one op. */
hd_status hd_eval_mixed(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, size_t item, hd_name name, int64_t **out,
                        size_t *out_count) HD_MUST_USE;
#endif
