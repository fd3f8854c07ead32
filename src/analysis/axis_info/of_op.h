/* SPDX-License-Identifier: Apache-2.0 */
/* What an op without regions gives, from what is known of its operands. Inside of axis_info. */
#ifndef HD_ANALYSIS_AXIS_INFO_OF_OP_H_
#define HD_ANALYSIS_AXIS_INFO_OF_OP_H_

#include "analysis/axis_info/axis_info.h"
#include "ir/op.h"

/* The rank that the info of a value of |type| has: of scalars 1. */
uint32_t hd_axis_rank(hd_type type);
/* The info of |op|'s results; |operands|: of each operand, all with a rank. */
hd_axis_info hd_axis_of_op(hd_op *op, const hd_axis_info *const *operands);
/* |info| with what the hints of |contiguity|, |divisibility| and |constancy| say, which may be null. */
hd_axis_info hd_axis_with_hints(const hd_axis_info *info, hd_attr contiguity, hd_attr divisibility, hd_attr constancy);

#endif
