/* SPDX-License-Identifier: Apache-2.0 */
/* Single graph-level ops on scalars or vectors of lanes, as arith and math ops: the arithmetic of every kernel.
 *
 * Elements are computed in a compute type: f16, bf16 and smaller floats in f32 (rounded only where they are stored or
 * converted: excess precision), integers in the signless type of their width, complex as two parts. */
#ifndef HD_CODEGEN_EMIT_ELEMENTWISE_H_
#define HD_CODEGEN_EMIT_ELEMENTWISE_H_

#include "codegen/widen.h"

/* A constant of the element's compute type in all lanes; |data| is one element as in memory. */
hd_element hd_emit_constant(hd_builder *b, hd_type element, const void *data, uint32_t lanes);
hd_element hd_emit_select(hd_builder *b, hd_value *condition, hd_element yes, hd_element no);

/* The operand whose element type decides how an op is computed: the second of select and clamp, else the first. */
uint32_t hd_typed_operand(hd_opcode opcode);
/* True when hd_emit_elementwise has the op (by its graph-level opcode) at these element types. */
bool hd_can_emit_elementwise(hd_opcode opcode, hd_type operand_element, hd_type result_element);
/* Emits |op| (graph or buffer level; its attributes are read) on operands whose elements are |elements|. False, with an
 * error reported at the op, when it cannot. */
bool hd_emit_elementwise(hd_builder *b, hd_op *op, hd_opcode opcode, const hd_type *elements,
                         const hd_element *operands, hd_type result_element, uint32_t lanes, hd_element *out);

#endif
