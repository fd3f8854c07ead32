/* SPDX-License-Identifier: Apache-2.0 */
/* Equal ops, for passes that make many. */
#ifndef HD_PASSES_GRAPH_SIMPLIFY_CSE_H_
#define HD_PASSES_GRAPH_SIMPLIFY_CSE_H_

#include "ir/op.h"

/* Of equal pure ops in |block| and its regions one is left, dead ones go; true when anything changed. Ops that are not
 * pure count as equal where |reads_alike| (may be null) says that they give the same wherever they are in the block.
 */
bool hd_cse_block(hd_arena *arena, hd_block *block, hd_visit reads_alike, void *user);

/* Do |a| and |b|, without regions, agree in name, operands, attributes and result types? */
bool hd_ops_equal(hd_op *a, hd_op *b);

#endif
