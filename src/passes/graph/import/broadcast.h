/* SPDX-License-Identifier: Apache-2.0 */
/* Operands that broadcast implicitly, written out. */
#ifndef HD_PASSES_GRAPH_IMPORT_BROADCAST_H_
#define HD_PASSES_GRAPH_IMPORT_BROADCAST_H_

#include "ir/builder.h"

/* The operands of |op| (three at most) in the shape that they broadcast to, made at |b|. The attribute
 * broadcast_dimensions says where the dims of an operand of lower rank are, else they are the last ones; of a dim of 1
 * and another the other counts, chosen at run time where dims are unknown. Scalars alone stay. False after an error. */
bool hd_broadcast_operands(hd_builder *b, hd_op *op, hd_value **out_values);

#endif
