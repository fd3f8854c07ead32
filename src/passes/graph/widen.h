/* SPDX-License-Identifier: Apache-2.0 */
/* Widening of element types: the one place where an op on a type that a target does not compute with becomes the same
 * op on one that it does, between converts. Every pass that does this for a target is a setting of it.
 *
 *   %c = stablehlo.add %a, %b : tensor<4xbf16>
 *   ->
 *   %0 = convert %a : f32   %1 = convert %b : f32   %2 = stablehlo.add %0, %1 : tensor<4xf32>   %c = convert %2 : bf16
 *
 * A result is rounded where the narrow op rounds, so floats with less than half the wide type's bits come out the same
 * for sums, products, quotients and roots. Integers other than i1 do not go: shifts and counts of bits would differ.
 * Thread-compatible. */
#ifndef HD_PASSES_GRAPH_WIDEN_H_
#define HD_PASSES_GRAPH_WIDEN_H_

#include "ir/builder.h"

/* True for ops that compute, on which a type matters; false for those that move elements, convert, or hold regions of
 * control flow. */
bool hd_computes_on_elements(const hd_op *op);
/* |op| on |to| in place of |from|: operands and the results of element |from| are converted, and in a reducer,
 * comparator or scatter computation the arguments and the values given back. Ops inside such regions stay as they are:
 * widen them first. The op is replaced; gives the new one, |op| itself when no element of it is |from|. */
hd_op *hd_widen_op(hd_op *op, hd_type from, hd_type to, hd_arena *scratch);
/* The smallest of |count| float types that holds all values of |type|; null when there is none. */
hd_type hd_widest_of(hd_type type, const hd_type *natives, size_t count);

#endif
