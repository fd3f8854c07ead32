/* SPDX-License-Identifier: Apache-2.0 */
/* The maps of a whole program as text: heddle-opt --print-indexing-maps. */
#ifndef HD_ANALYSIS_INDEXING_PRINT_OPS_H_
#define HD_ANALYSIS_INDEXING_PRINT_OPS_H_

#include "ir/op.h"

/* Of each function with a body, for each op that has maps, the op on a line, then from each result to each operand and
 * back, then through the function from what it returns to its arguments. */
void hd_index_print_ops(hd_module *module, hd_strbuf *out);

#endif
