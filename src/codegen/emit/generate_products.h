/* SPDX-License-Identifier: Apache-2.0 */
/* Products (dots and convolutions) as sums over pairs of elements: which dims of the result come from which operand,
 * which are summed, and which elements of the operands meet. */
#ifndef HD_CODEGEN_EMIT_GENERATE_PRODUCTS_H_
#define HD_CODEGEN_EMIT_GENERATE_PRODUCTS_H_

#include "codegen/emit/generate_ops.h"

/* Every dim of the result is of one kind: |batch| of both operands, |rows| of lhs, |columns| of rhs. The output
 * features of a convolution are columns; where it has groups, those of a group are neighbours. */
typedef struct hd_product {
  hd_op *op;
  hd_value *out;
  uint32_t batch_count, row_count, column_count, sum_count;
  uint32_t batch[HD_COMPILED_MAX_RANK], rows[HD_COMPILED_MAX_RANK], columns[HD_COMPILED_MAX_RANK];
  hd_value *summed; /* the operand whose dims |sums| are summed, in the order of the sum: the last is innermost */
  uint32_t sums[HD_COMPILED_MAX_RANK];
  int64_t feature_groups, batch_groups; /* 1: none; of a convolution, and not both are more */
} hd_product;

/* Is |op|, a buffer op, a product of up to HD_COMPILED_MAX_RANK dims a value? */
bool hd_product_of(hd_op *op, hd_product *out);

/* The dim of operand |i| that is the innermost of the sum; there is one. */
uint32_t hd_product_inner_sum(const hd_product *p, uint32_t i);

/* Where an element of the result and a term of its sum are in the operands; null: not asked for. */
typedef struct hd_product_place {
  hd_index_tuple *lhs, *rhs;
  hd_guard inside; /* where lhs has such an element, zeros being around it */
} hd_product_place;

/* |at| is of the result, |terms| one per summed dim. |group|: of a convolution, where it is known already; null: it
 * follows from the output feature. Only the part of |at| that the operands asked for depend on needs to be set. */
void hd_place_product(hd_generator *g, const hd_product *p, const hd_index_tuple *at, const hd_lane_index *terms,
                      const hd_lane_index *group, hd_product_place *out);

/* Features of a group of a convolution's result. */
hd_dim hd_product_group_features(hd_shapes *shapes, const hd_product *p);

/* accumulator + lhs * rhs, by the arithmetic of add and multiply. */
bool hd_accumulate_product(hd_generator *g, const hd_product *p, hd_element lhs, hd_element rhs, hd_element accumulator,
                           hd_element *out);

/* The operand index of window position |k|: out * stride + k * dilation - low, divided by the base dilation where it
 * divides; |*inside| gathers the conditions under which there is such an element. */
hd_lane_index hd_window_index(hd_generator *g, hd_lane_index out, hd_lane_index k, int64_t stride, int64_t dilation,
                              hd_lane_index low, int64_t base_dilation, hd_dim size, bool may_miss, hd_guard *inside);

#endif
