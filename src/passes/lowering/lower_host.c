/* SPDX-License-Identifier: Apache-2.0 */
/* Integers and conditions of one element (loop counters, predicates, clamped positions) are computed by the host where
 * they are needed: a launch would cost more than the work. */
#include "codegen/emit/elementwise.h"
#include "ir/ops/stablehlo.h"
#include "passes/lowering/library.h"

/* The index of the only element. */
static hd_value **zeros(hd_lowering *ctx, hd_builder *b, hd_value *buffer) {
  uint32_t rank = hd_type_rank(buffer->type);
  hd_value **indices = hd_new_array(&ctx->pass->arena, hd_value *, rank + 1);
  for (uint32_t d = 0; d < rank; ++d) indices[d] = hd_build_index(b, 0);
  return indices;
}

bool hd_lower_host_arithmetic(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set) {
  hd_arena *arena = &ctx->pass->arena;
  hd_builder b = hd_builder_before(op);
  hd_map known = {0}; /* buffer -> hd_element */
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *each = set->ops.data[i];
    hd_opcode opcode = hd_buffer_opcode(each);
    hd_value *out = hd_buffer_output(each, 0);
    hd_element operands[4], *result = hd_new(arena, hd_element);
    hd_type types[4], type = hd_type_element(out->type);
    b.loc = each->loc;
    for (uint32_t o = 0; o < hd_buffer_input_count(each); ++o) {
      hd_value *buffer = hd_operand(each, o);
      hd_element *value = hd_map_get(&known, buffer);
      if (!value) {
        value = hd_new(arena, hd_element);
        *value = hd_load_element(&b, buffer, zeros(ctx, &b, buffer), arena);
        hd_map_set(arena, &known, buffer, value);
      }
      operands[o] = *value;
      types[o] = hd_type_element(buffer->type);
    }
    if (opcode == HD_OP_stablehlo_constant)
      *result = hd_emit_constant(&b, type, hd_stablehlo_constant_value(each)->dense.data, 0);
    else if (!hd_is_elementwise(each)) /* another shape of it */
      *result = operands[0];
    else if (!hd_emit_elementwise(&b, each, opcode, types, operands, type, 0, result))
      return false;
    hd_map_set(arena, &known, out, result);
  }
  for (size_t i = 0; i < set->outputs.len; ++i)
    hd_store_element(&b, set->outputs.data[i], zeros(ctx, &b, set->outputs.data[i]),
                     *(hd_element *)hd_map_get(&known, set->outputs.data[i]), arena);
  hd_op_erase(op);
  return true;
}
