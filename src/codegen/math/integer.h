/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic that is defined for every operand, as StableHLO has it, from arith ops that are not.
 * Operands: scalars or vectors of one integer type. Thread-compatible, as the builder is. */
#ifndef HD_CODEGEN_MATH_INTEGER_H_
#define HD_CODEGEN_MATH_INTEGER_H_

#include "ir/builder.h"

/* x / y rounded to zero; x / 0 has all bits set, the smallest number / -1 is itself. */
hd_value *hd_integer_divide_emit(hd_builder *b, hd_value *x, hd_value *y, bool is_signed);
/* x - (x / y) y, with the sign of x; x for y = 0, and 0 for the smallest number and -1. */
hd_value *hd_integer_remainder_emit(hd_builder *b, hd_value *x, hd_value *y, bool is_signed);
/* Shifts by |amount| read as unsigned; by the width or more: 0, or the sign in every bit. */
typedef enum hd_shift { HD_SHIFT_LEFT, HD_SHIFT_RIGHT_LOGICAL, HD_SHIFT_RIGHT_ARITHMETIC } hd_shift;
hd_value *hd_integer_shift_emit(hd_builder *b, hd_value *x, hd_value *amount, hd_shift direction);
/* x to the power y, wrapping. y < 0 (signed): 1 for x = 1, ±1 for x = -1, -1 for x = 0, otherwise 0. */
hd_value *hd_integer_power_emit(hd_builder *b, hd_value *x, hd_value *y, bool is_signed);

#endif
