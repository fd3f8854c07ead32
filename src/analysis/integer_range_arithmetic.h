/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of the results of integer arithmetic: a row per op of arith. */
#ifndef HD_ANALYSIS_INTEGER_RANGE_ARITHMETIC_H_
#define HD_ANALYSIS_INTEGER_RANGE_ARITHMETIC_H_

#include "analysis/integer_ranges.h"

/* The range of a result of |width| bits, where the operands lie in |a| and |b| (of one operand: |a| twice). All of the
 * type where the op may wrap or has no meaning. */
typedef hd_integer_range (*hd_integer_transfer)(hd_integer_range a, hd_integer_range b, uint32_t width);

/* Null: nothing is known of the op's result. */
hd_integer_transfer hd_integer_transfer_of(hd_opcode opcode);
/* The range of a type of |width| bits, 1 to 64. */
hd_integer_range hd_integer_range_all(uint32_t width);

#endif
