/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions of a module call which: whose calls end, and how large the program is with each call in its callee's
 * place. Calls that call twice each grow without end, so what copies or runs them asks first. Thread-compatible; it
 * holds as long as functions and calls are not changed. */
#ifndef HD_ANALYSIS_CALL_GRAPH_H_
#define HD_ANALYSIS_CALL_GRAPH_H_

#include "base/map.h"
#include "ir/op.h"

enum { HD_PROGRAM_MOST_OPS = 1 << 21 };

typedef struct hd_call_graph {
  hd_map functions;
} hd_call_graph;

/* Of the functions in |module| itself. Linear in its ops; all memory is |arena|'s. */
void hd_call_graph_init(hd_call_graph *graph, hd_op *module, hd_arena *arena);
/* Is |function| one of them, and do its calls end: is it in no cycle, and on no way from one to another? */
bool hd_call_graph_ends(const hd_call_graph *graph, hd_op *function);
/* With the calls of |function| in place of which their callees are, and |written| ops more, is the program still of
 * HD_PROGRAM_MOST_OPS? Recursive calls count as they are written. Reports at the call that is too much. */
bool hd_call_graph_check_size(const hd_call_graph *graph, hd_op *function, uint64_t written);

#endif
