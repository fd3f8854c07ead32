/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/own_index.h"

#include "codegen/emit/generate_ops.h"
#include "codegen/emit/lower.h"

static bool reads_at_own_index(hd_shapes *shapes, hd_op *op, hd_value *buffer) {
  return hd_is_elementwise(op) && hd_type_rank(hd_buffer_output(op, 0)->type) == hd_type_rank(buffer->type) &&
         hd_shapes_same(shapes, hd_buffer_output(op, 0), buffer);
}

static bool find_readers(hd_shapes *shapes, const hd_kernel_ops *ops, hd_value *buffer, hd_map *seen, hd_arena *arena) {
  for (size_t i = 0; i < ops->count; ++i)
    for (uint32_t k = 0; k < hd_buffer_input_count(ops->ops[i]); ++k) {
      bool is_new;
      if (hd_operand(ops->ops[i], k) != buffer) continue;
      if (!reads_at_own_index(shapes, ops->ops[i], buffer)) return false;
      hd_map_insert(arena, seen, ops->ops[i], &is_new);
      if (is_new && !find_readers(shapes, ops, hd_buffer_output(ops->ops[i], 0), seen, arena)) return false;
    }
  return true;
}

bool hd_is_read_at_own_index(hd_shapes *shapes, const hd_kernel_ops *ops, hd_value *buffer, hd_arena *arena) {
  return find_readers(shapes, ops, buffer, &(hd_map){0}, arena);
}
