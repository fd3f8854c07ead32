/* SPDX-License-Identifier: Apache-2.0 */
/* The neighbour of a number, in its own format. */
#ifndef HD_CODEGEN_MATH_NEXT_AFTER_H_
#define HD_CODEGEN_MATH_NEXT_AFTER_H_

#include "ir/builder.h"

/* The number next to |x| in the direction of |y| (IEEE's nextAfter): |y| where they are equal, NaN where one is NaN.
 * Scalars or vectors of a float type of at most 64 bits; null for others. */
hd_value *hd_next_after_emit(hd_builder *b, hd_value *x, hd_value *y);

#endif
