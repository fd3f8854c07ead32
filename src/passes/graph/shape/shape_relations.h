/* SPDX-License-Identifier: Apache-2.0 */
/* Relations between shapes as ops on their tensors of sizes (shape_values.h): whether they are equal or broadcast, what
 * both broadcast to, and what an op of the shape dialect demands of them. */
#ifndef HD_PASSES_GRAPH_SHAPE_SHAPE_RELATIONS_H_
#define HD_PASSES_GRAPH_SHAPE_SHAPE_RELATIONS_H_

#include "passes/graph/shape/shape_values.h"

/* What |x| and |y| broadcast to: the other's where one is of a scalar; dims are those counted from the last. */
hd_value *hd_shape_broadcast(hd_shape_values *v, hd_builder *b, hd_value *x, hd_value *y);
/* Whether all operands broadcast with each other, or equal the first; null unless all are known. */
hd_value *hd_shape_related(hd_shape_values *v, hd_builder *b, hd_op *op, bool broadcasting);
/* Asserts x == y, each extent by itself, compared as a scalar: what the shape analysis takes for a fact. */
void hd_shape_assert_equal(hd_shape_values *v, hd_builder *b, hd_value *x, hd_value *y, hd_str message);
/* The text of |message|, |otherwise| where it is empty or null. */
hd_str hd_shape_message(hd_attr message, const char *otherwise);
/* A witness of what |op| demands; null when its operands are not known. */
hd_value *hd_shape_witness(hd_shape_values *v, hd_builder *b, hd_op *op);

#endif
