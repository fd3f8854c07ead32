/* SPDX-License-Identifier: Apache-2.0 */
/* What a buffer op (lmhlo.add %x, %y, %out) is and writes. */
#ifndef HD_ANALYSIS_BUFFER_OP_H_
#define HD_ANALYSIS_BUFFER_OP_H_

#include "ir/builder.h"

/* The graph-level opcode of a buffer op (lmhlo.add gives HD_OP_stablehlo_add). */
hd_opcode hd_buffer_opcode(const hd_op *op);
/* A buffer op's outputs are its last operands that are memrefs: how many, and which. */
uint32_t hd_buffer_output_count(const hd_op *op);
hd_value *hd_buffer_output(const hd_op *op, uint32_t i);
/* Does |op|, no fusion, read memory that it writes, though it is none that updates in place? */
bool hd_buffer_reads_own_output(const hd_op *op);
uint32_t hd_buffer_input_count(const hd_op *op);
/* The last of the inputs are what the op's regions use from outside (captures.h): how many, and which. */
uint32_t hd_buffer_capture_count(const hd_op *op);
hd_value *hd_buffer_capture(const hd_op *op, uint32_t i);
/* Is |buffer| what a memref.alloc gives? */
static inline bool hd_is_allocation(const hd_value *buffer) {
  return hd_op_is(hd_value_op(buffer), HD_OP_memref_alloc);
}
/* Is |buffer| the memory of a constant whose elements differ? It stays in the artifact, for every run: nothing else is
 * written there. */
bool hd_buffer_holds_constant(hd_value *buffer);
/* An element of the result is an element of one operand, or its index (iota). */
bool hd_only_moves_indices(const hd_op *op);

#endif
