/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies on scalars. */
#ifndef HD_EVAL_GRAPH_REDUCE_H_
#define HD_EVAL_GRAPH_REDUCE_H_

#include "eval/graph/elementwise.h"

/* The kernel of a region that is `op(arg0, arg1); return` on scalars of |element|; null otherwise. */
const hd_elementwise *hd_body_kernel(hd_op *op, uint32_t region, hd_type element);

/* Runs a region on scalars: argument i is the element at data[i], of types[i], converted to the argument's type. */
hd_status hd_eval_scalar_body(hd_eval_frame *frame, hd_op *op, uint32_t region, size_t count, const hd_type *types,
                              const void *const *data, hd_tensor *results, size_t result_count) HD_MUST_USE;

/* The same with a function, which has a frame of its own. */
hd_status hd_eval_scalar_call(hd_eval_frame *frame, hd_op *function, size_t count, const hd_type *types,
                              const void *const *data, hd_tensor *results, size_t result_count) HD_MUST_USE;

/* reduce_window whose body is |function| and whose window the last five operands of |op| give. */
hd_status hd_eval_dynamic_reduce_window(hd_eval_frame *frame, hd_op *op, hd_op *function, const hd_tensor *in,
                                        hd_tensor *out) HD_MUST_USE;

/* ApproxTopK: the front of its inputs in the order of |function|. */
hd_status hd_eval_approx_top_k(hd_eval_frame *frame, hd_op *op, hd_op *function, const hd_tensor *in,
                               hd_tensor *out) HD_MUST_USE;

#endif
