/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of the results of integer arithmetic (ir/integer_op.h). */
#ifndef HD_ANALYSIS_INTEGER_RANGE_ARITHMETIC_H_
#define HD_ANALYSIS_INTEGER_RANGE_ARITHMETIC_H_

#include "analysis/integer_ranges.h"
#include "ir/integer_op.h"

/* The range of |op|'s result of |width| bits, where the operands are in |a| and |b| (of one operand: |a| twice). All of
 * the type where the op may wrap or has no meaning, and where nothing is known of it. */
hd_integer_range hd_integer_range_of_op(hd_integer_op op, hd_integer_range a, hd_integer_range b, uint32_t width);
/* The range of a type of |width| bits, 1 to 64. */
hd_integer_range hd_integer_range_all(uint32_t width);

#endif
