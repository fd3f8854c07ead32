/* SPDX-License-Identifier: Apache-2.0 */
/* How regions of graph ops take elements of tensors (ops/computations.def). */
#ifndef HD_IR_COMPUTATION_H_
#define HD_IR_COMPUTATION_H_

#include "ir/op.h"

typedef struct hd_computation {
  hd_value *elements; /* the tensor for each of whose elements the regions run */
  hd_value *argument; /* of a region, the element of the operand that was asked for */
  bool combines;      /* the last region makes one element of two */
} hd_computation;

/* Null and false where there is none: of control flow, other ops and null. */
hd_computation hd_computation_of(const hd_op *op, uint32_t operand);

#endif
