/* SPDX-License-Identifier: Apache-2.0 */
/* Captures: what the regions of an op on elements (a reducer, a comparator, the computation of map) use from outside.
 * The graph level has them by name; a buffer op has them as operands, after its inputs:
 *
 *   "stablehlo.reduce"(%x, %z) ({                     "lmhlo.reduce"(%x, %z, %k, %out) ({
 *   ^bb0(%a, %b):                             ->      ^bb0(%a, %b, %c):
 *     ... stablehlo.multiply %b, %k ...                 ... stablehlo.multiply %b, %c ...
 *   })                                                }) {hd.captures = 1}
 *
 * so that what asks operands (fusion, lifetimes, sharing) sees what the op reads. Each region of the op takes all of
 * them as its last arguments. Thread-compatible. */
#ifndef HD_ANALYSIS_CAPTURES_H_
#define HD_ANALYSIS_CAPTURES_H_

#include "base/map.h"
#include "base/vec.h"
#include "ir/op.h"

typedef hd_vec(hd_value *) hd_captures;

/* Are the regions of |op| functions of elements, rather than parts of the program as those of a loop are? */
bool hd_has_element_regions(const hd_op *op);
/* The values from outside of |op| that its regions use, once each, appended to |out|. */
void hd_captures_find(hd_op *op, hd_arena *arena, hd_captures *out);
/* The regions of |op| take |captures| as arguments, as tensors, instead of using them by name. */
void hd_captures_bind(hd_op *op, const hd_captures *captures);

#endif
