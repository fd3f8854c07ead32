/* SPDX-License-Identifier: Apache-2.0 */
/* Building graph ops on tensors whose dims may be unknown: sizes are tensor<1xi32> values, known ones constants, and
 * each function takes the static op where types allow it and the one with a shape operand otherwise. Shapes built here
 * are followed by the shape analysis, so they become host arithmetic. Thread-compatible. */
#ifndef HD_PASSES_GRAPH_HLO_BUILD_H_
#define HD_PASSES_GRAPH_HLO_BUILD_H_

#include "ir/ops/stablehlo.h"

/* tensor<1xi32>: a constant, and the size of dim |i| of |x|. */
hd_value *hd_hlo_size(hd_builder *b, int64_t value);
hd_value *hd_hlo_size_of(hd_builder *b, hd_value *x, uint32_t i);
/* The number that |size| is when it is a constant; HD_DYNAMIC otherwise. */
int64_t hd_hlo_known_size(const hd_value *size);
/* An elementwise op of two tensor<1xi32>; of constants a constant for add, subtract, multiply, remainder. */
hd_value *hd_hlo_size_op(hd_builder *b, hd_opcode opcode, hd_value *lhs, hd_value *rhs);
/* tensor<countxi32> of |count| sizes. */
hd_value *hd_hlo_shape(hd_builder *b, hd_value *const *sizes, uint32_t count);
/* The same of all dims of |x|. */
hd_value *hd_hlo_shape_of(hd_builder *b, hd_value *x);
/* All sizes of |x|, |out| has room for its rank. */
void hd_hlo_sizes_of(hd_builder *b, hd_value *x, hd_value **out);

/* |x| with the dims that |sizes| say; the number of elements must be the same. */
hd_value *hd_hlo_reshape(hd_builder *b, hd_value *x, hd_value *const *sizes, uint32_t rank);
/* |x| as |type|, which differs only in which dims it says are known: a tensor.cast is no graph op, so a reshape. */
hd_value *hd_hlo_retype(hd_builder *b, hd_value *x, hd_type type);
/* |x| in |type|'s dims (its own element type), its dim i standing for dim |axes|[i]; |shape| gives the dims where they
 * are not all known. */
hd_value *hd_hlo_broadcast(hd_builder *b, hd_value *x, hd_type type, const int64_t *axes, hd_value *shape);
/* Dim i of the result is dim |permutation|[i] of |x|; |x| itself for the identity, and a transpose of a transpose is
 * one transpose of what was there. */
hd_value *hd_hlo_transpose(hd_builder *b, hd_value *x, const int64_t *permutation);
/* |x| with |element| as element type; |x| itself when it has it. */
hd_value *hd_hlo_convert(hd_builder *b, hd_value *x, hd_type element);
/* tensor<element> of one number. */
hd_value *hd_hlo_zero(hd_builder *b, hd_type element);

/* x and y; |y| where |x| is null. */
hd_value *hd_hlo_and(hd_builder *b, hd_value *x, hd_value *y);

/* A block with arguments of |types| in region |region| of |op|, and a builder in it. */
hd_builder hd_hlo_open_region(hd_builder *b, hd_op *op, uint32_t region, const hd_type *types, size_t count);

/* A scalar in the shape of |like|, with |like|'s element type: from memory, or a number that is rounded to it. */
hd_value *hd_hlo_splat_like(hd_builder *b, hd_value *like, const void *element, size_t bytes);
hd_value *hd_hlo_float_like(hd_builder *b, hd_value *like, double value);
hd_value *hd_hlo_int_like(hd_builder *b, hd_value *like, int64_t value);
hd_value *hd_hlo_zero_like(hd_builder *b, hd_value *like);
/* |x| in the dims of |like|, its dim i standing for dim |axes|[i]. */
hd_value *hd_hlo_broadcast_like(hd_builder *b, hd_value *x, hd_value *like, const int64_t *axes);
/* Counts along |axis|; |like| gives the dims of |type| that are unknown. */
hd_value *hd_hlo_iota(hd_builder *b, hd_type type, hd_value *like, uint32_t axis);
/* Elements [|from|, |to|) of |axis|, all below |sizes| of the others: x may be larger than what is wanted of it. */
hd_value *hd_hlo_slice_sized(hd_builder *b, hd_value *x, uint32_t axis, hd_value *from, hd_value *to,
                             hd_value *const *sizes);
/* stablehlo.reduce over |axes| by the op |opcode| of two elements. */
hd_value *hd_hlo_reduce(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *init, const int64_t *axes,
                        size_t count);
/* The sum over |axes|. */
hd_value *hd_hlo_reduce_add(hd_builder *b, hd_value *x, const int64_t *axes, size_t count);
/* A stable sort of |keys| along |axis|, in |direction| (GT: largest first), that moves |ids| along. Floats are compared
 * in the total order. */
hd_op *hd_hlo_sort(hd_builder *b, hd_value *keys, hd_value *ids, uint32_t axis,
                   hd_enum_stablehlo_comparison_direction direction);

/* Of values with known dims. */
hd_value *hd_hlo_reshape_to(hd_builder *b, hd_value *x, const int64_t *dims, size_t rank);
hd_value *hd_hlo_slice(hd_builder *b, hd_value *x, uint32_t axis, int64_t start, int64_t limit);

#endif
