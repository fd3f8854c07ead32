/* SPDX-License-Identifier: Apache-2.0 */
/* lmhlo ops by the evaluators of their graph ops. An op with a buffer form has a counterpart: the graph op of the same
 * row with tensors for its buffers, detached, whose hook is run on the contents of the inputs; what it gives is written
 * to the outputs. So an op has one meaning. What its regions use from outside (hd.captures) they use by name again. */
#ifndef HD_EVAL_CORE_GRAPH_OP_H_
#define HD_EVAL_CORE_GRAPH_OP_H_

#include "ir/op.h"

/* Is |op| a buffer op that does nothing but run its regions: a fusion, control flow? */
bool hd_only_holds_regions(const hd_op *op);
/* The graph op of |op|, null for ops that only hold regions (fusions, control flow). Its regions are copies: their
 * values need slots as those of |op| do. */
hd_op *hd_buffer_graph_op(hd_op *op, hd_arena *scratch);
/* What stands for capture |i| in the regions of a graph op; null: there are not so many. */
hd_value *hd_buffer_graph_op_capture(const hd_op *graph_op, uint32_t i);

#endif
