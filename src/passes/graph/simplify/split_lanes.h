/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of disc-split-large-ops: ops on several tensors side by side. */
#ifndef HD_PASSES_GRAPH_SIMPLIFY_SPLIT_LANES_H_
#define HD_PASSES_GRAPH_SIMPLIFY_SPLIT_LANES_H_

#include "pass/pass.h"

/* Is |op| one whose region computes on an element of each of several tensors? */
bool hd_has_lanes(const hd_op *op);
/* |op| as several, each of some of its tensors and of at most |max_bytes| of parameters; false with an error at |op|
 * when what one result depends on is more. */
bool hd_split_lanes(hd_pass *pass, hd_op *op, int64_t max_bytes);

#endif
