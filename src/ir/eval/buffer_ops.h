/* SPDX-License-Identifier: Apache-2.0 */
/* lmhlo ops by the evaluators of their graph ops. An op with a buffer form has a twin: the graph op of the same row
 * with tensors for its buffers, detached, whose hook is run on the contents of the inputs; what it gives is written to
 * the outputs. So an op has one meaning. */
#ifndef HD_IR_EVAL_BUFFER_OPS_H_
#define HD_IR_EVAL_BUFFER_OPS_H_

#include "ir/eval/memory.h"

/* The twin of |op|, null for ops that only hold regions (fusions, control flow). Its regions are copies: their values
 * need slots as those of |op| do. */
hd_op *hd_buffer_twin(hd_op *op, hd_arena *scratch);

#endif
