/* SPDX-License-Identifier: Apache-2.0 */
/* What LAPACK's routines take and give, by the algorithms of matrix.h. Neither the rows nor their checks are the
 * runtime's, which the evaluator judges. */
#ifndef HD_EVAL_GRAPH_LAPACK_ROUTINES_H_
#define HD_EVAL_GRAPH_LAPACK_ROUTINES_H_

#include "eval/core/frame.h"
#include "heddle/element.h"

typedef struct hd_eval_lapack_tensor {
  void *data; /* dense, in the order of |dims| */
  hd_element_type type;
  int32_t rank;
  const int64_t *dims;
} hd_eval_lapack_tensor;

typedef struct hd_eval_lapack_call {
  hd_attr config; /* a dictionary, or null */
  const hd_eval_lapack_tensor *inputs, *outputs;
  int32_t input_count, output_count;
} hd_eval_lapack_call;

/* Is |target| one of LAPACK's routines that are evaluated? */
bool hd_lapack_is_evaluated(hd_str target);
/* Calls |target|, which must be one of them. INVALID_ARGUMENT says which tensor or option is not what it takes. What a
 * routine leaves open (the operand of a decomposition whose parts are other outputs) is zeros. */
hd_status hd_lapack_evaluate(hd_eval_frame *frame, const char *target, const hd_eval_lapack_call *call) HD_MUST_USE;

#endif
