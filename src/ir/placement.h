/* SPDX-License-Identifier: Apache-2.0 */
/* Where the results of graph ops are: in the memory of the host or of the device.
 *
 *   %0 = stablehlo.get_dimension_size %x, dim = 0 {hd.placement = ["host"]}
 *   %1 = stablehlo.tuple %0, %x {hd.placement = [["host", "device"]]}
 *
 * The attribute is inherent to graph ops, with one entry per result, and an array of entries for a tuple. Of a
 * function's arguments and results it is in arg_attrs and res_attrs, "device" when it is not written. In a function
 * with hd.placed = "graph" every graph op with results in its blocks and in regions of control flow has been given it,
 * and reads what is where it is. Passes on graph ops need not know of that: what they add or exchange
 * disc-placement-fixer completes before the step to buffers, which refuses what is not. With "buffers" buffer ops have
 * it, one entry per buffer that the op writes, which the verifier holds. Thread-compatible. */
#ifndef HD_IR_PLACEMENT_H_
#define HD_IR_PLACEMENT_H_

#include "ir/op.h"

typedef enum hd_placement { HD_PLACEMENT_NONE, HD_PLACEMENT_HOST, HD_PLACEMENT_DEVICE } hd_placement;

/* An entry; NONE for what is no entry (a tuple's array too). */
hd_placement hd_placement_of_attr(hd_attr attr);
hd_attr hd_placement_attr(hd_context *context, hd_placement placement);
/* The attribute of |op|: the array of its entries, null where it has none. */
static inline hd_attr hd_placement_entries(const hd_op *op) { return hd_op_attr_get(op, HD_NAME_hd_placement); }
static inline void hd_placement_set_entries(hd_op *op, hd_attr entries) {
  hd_op_attr_set(op, HD_NAME_hd_placement, entries);
}
/* The entry of a result of |type| that is there with all its elements. */
hd_attr hd_placement_attr_of_type(hd_type type, hd_placement placement, hd_context *context, hd_arena *scratch);
/* Of a result, an argument of a function, or an argument of a region of while, which is where the carried value does.
 * NONE where it is not known, and for tuples. */
hd_placement hd_placement_of(const hd_value *value);
/* Result |i| of the function. */
hd_placement hd_placement_of_function_result(const hd_op *func, uint32_t i);
/* True when operand |i| is read by the host whatever the op's own placement is: shapes, predicates, indices of case. */
bool hd_placement_is_host_operand(const hd_op *op, uint32_t i);
/* True for ops whose regions are programs of their own: their ops have placements as well. */
bool hd_placement_enters(const hd_op *op);
/* Reports each op of |func| that hd.placed is about and that has no placement, or reads what is elsewhere. */
bool hd_placement_is_complete(hd_op *func);
/* The same of functions of placed buffer ops alone; others may be incomplete. */
bool hd_placement_verify(hd_op *func);

#endif
