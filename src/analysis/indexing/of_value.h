/* SPDX-License-Identifier: Apache-2.0 */
/* Index arithmetic of kernels as expressions: what is computed by arith ops on index values is one expression over
 * values that are not. Positions and sizes are what it is about: numbers that 63 bits hold, where unsigned division is
 * floordiv. */
#ifndef HD_ANALYSIS_INDEXING_OF_VALUE_H_
#define HD_ANALYSIS_INDEXING_OF_VALUE_H_

#include "analysis/indexing/map.h"

typedef struct hd_index_values hd_index_values;

/* |outside|: values that are not of this op's regions are sizes, which others may be multiplied and divided by. */
hd_index_values *hd_index_values_create(hd_op *outside, hd_arena *arena);
/* A value that |value| is equal to, computed with fewer ops: (x / d) * d + x % d is x. Null when there is none. */
hd_value *hd_index_equal_value(hd_index_values *values, hd_value *value);

#endif
