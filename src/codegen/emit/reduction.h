/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions by one arithmetic op: what row kernels of every target share. */
#ifndef HD_CODEGEN_EMIT_REDUCTION_H_
#define HD_CODEGEN_EMIT_REDUCTION_H_

#include "codegen/emit/kernels.h"

/* Does |op| reduce one operand by an op with a REDUCER row (codegen/lower.def)? */
bool hd_is_simple_reduction(const hd_op *op);
/* The same along neighbouring dims [*out_begin, *out_end) that others are inside of, or along all dims: one column? */
bool hd_is_column_reduction(const hd_op *op, uint32_t *out_begin, uint32_t *out_end);

/* The neutral element of a simple reduction, in the compute type of the element. */
hd_element hd_reduction_identity(hd_builder *b, const hd_op *op, uint32_t lanes);
bool hd_reduction_combine(hd_builder *b, const hd_op *op, hd_element x, hd_element y, uint32_t lanes, hd_element *out);

/* Stages of a kernel with row reductions: a buffer's stage is how many reductions are, one under the other, in what
 * makes it. |stages| maps buffers to theirs; the largest is returned. */
uint32_t hd_plan_stages(const hd_kernel_ops *ops, hd_map *stages, hd_arena *arena);
uint32_t hd_stage_of(const hd_map *stages, hd_value *buffer);

#endif
