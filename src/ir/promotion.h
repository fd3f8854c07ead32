/* SPDX-License-Identifier: Apache-2.0 */
/* Element types that meet in one computation: which of them the StableHLO specification converts, and to what. The
 * verifier, the evaluator and the pass that writes the conversions out (promote_elements.c) ask here, so that what one
 * of them takes all take. Thread-safe. */
#ifndef HD_IR_PROMOTION_H_
#define HD_IR_PROMOTION_H_

#include "ir/op.h"

/* The element type in which the region of |op| combines operand |i|: that of reductions, scatters and reducing
 * collectives. Null for an operand that no region combines (indices), and for every other op. Requires the region's
 * arguments, as the verifier has them. */
hd_type hd_combined_element(const hd_op *op, uint32_t i);
/* Verifier: operands that are combined have one element type, which promotes to that of the region; results have the
 * region's. */
bool hd_verify_promotion(hd_op *op);

/* The element type in which a product of |lhs| and |rhs| that gives |result| is computed; null where the three do not
 * meet. Beside what promotes, floats of two formats multiply in the wider one, or one that holds both, the sum of
 * floats may be rounded to any float, and integers may give floats: programs of JAX have all three. */
hd_type hd_product_element(hd_type lhs, hd_type rhs, hd_type result);

/* A float type that holds every value of both, or |to| when they are no floats or |to| is one that holds all narrower
 * ones: what converts to it and back is unchanged. |from| is promotable to |to|. */
hd_type hd_element_holding(hd_type from, hd_type to);

#endif
