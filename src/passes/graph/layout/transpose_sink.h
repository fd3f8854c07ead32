/* SPDX-License-Identifier: Apache-2.0 */
/* Transposes move down, from the operands of an op to its result:
 *
 *   f(transpose %x, transpose %y)     ->   transpose f(%x, %y)          elementwise
 *   reduce_window (transpose %x)      ->   transpose (reduce_window %x) with its dims exchanged; pad alike
 *   reduce (transpose %x)             ->   reduce %x                    where the dims that are kept stay in order
 *
 * Other operands of an elementwise op must be transposed alike, constants that are one number, or broadcasts.
 * Thread-compatible. */
#ifndef HD_PASSES_GRAPH_LAYOUT_TRANSPOSE_SINK_H_
#define HD_PASSES_GRAPH_LAYOUT_TRANSPOSE_SINK_H_

#include "ir/builder.h"

/* Is |op| of a kind that transposes move through? */
bool hd_may_sink_transpose(const hd_op *op);
/* Moves the transposes in front of |op| after it, in place of |op|: its result now, null when nothing was done. */
hd_value *hd_sink_transpose(hd_op *op);

#endif
