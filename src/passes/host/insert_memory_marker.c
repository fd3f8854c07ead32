/* SPDX-License-Identifier: Apache-2.0 */
/* disc-insert-memory-marker: every buffer says in its type whether it is in the memory of the host or of the device.
 *
 *   %b = memref.alloc() : memref<4xf32>
 *   "lmhlo.add"(%x, %x, %b) {hd.placement = ["device"]}
 *   %i = memref.alloc() : memref<i32>
 *   ->
 *   %b = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
 *   "lmhlo.add"(%x, %x, %b)
 *   %i = memref.alloc() {hd.host} : memref<i32>
 *
 * The memory space is the marker: it is part of the type, so no pass can lose it. Host memory has none, so allocations
 * of it are marked, and disc-convert-memory-marker can tell those that were forgotten. What tells where a buffer is:
 * buffer_places.h. A buffer that nothing tells of is the host's; a space that is there stays. Requires hd.placed =
 * "buffers", which disc-placement-fixer gives. A buffer that would have to be in both memories is an error at the op
 * that wants the second one. */
#include "ir/ops/discardable.h"
#include "ir/ops/enums.h"
#include "ir/ops/interfaces.h"
#include "passes/analyses.h"
#include "passes/passes.h"

static bool mark_host(hd_op *op, void *user) {
  hd_pass *pass = user;
  if (!hd_op_is(op, HD_OP_memref_alloc) || hd_result_type(op, 0)->shaped.space || hd_discardable_host(op)) return true;
  hd_discardable_set_host(op, true);
  pass->changed = true;
  return true;
}

bool hd_pass_insert_memory_marker(hd_pass *pass, hd_op *func) {
  if (hd_discardable_placed(func) != HD_PLACED_BUFFERS)
    return hd_op_error(func,
                       "disc-insert-memory-marker: expected hd.placed = \"buffers\": run disc-placement-fixer first");
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_buffer_places *places = hd_pass_places(pass, func);
  for (size_t i = 0; i < places->conflicts.len; ++i)
    hd_op_error(places->conflicts.data[i],
                "disc-insert-memory-marker: a buffer would be on the host and on the device: expected a copy");
  if (places->conflicts.len) return false;
  hd_attr space = hd_attr_of_gpu_address_space(pass->context, HD_GPU_ADDRESS_SPACE_GLOBAL);
  for (size_t i = 0; i < places->values.len; ++i) {
    hd_value *value = places->values.data[i];
    if (hd_buffer_place(places, value) != HD_PLACEMENT_DEVICE || value->type->shaped.space) continue;
    hd_type t = value->type;
    value->type = hd_type_memref(t->shaped.element, t->shaped.dims, t->shaped.rank, t->shaped.layout, space);
    pass->changed = true;
  }
  hd_walk_pre(func, mark_host, pass);
  hd_type type = hd_function_like_function_type(func)->type_value;
  hd_type *ins = hd_new_array(&pass->arena, hd_type, entry->arg_count + 1),
          *outs = hd_new_array(&pass->arena, hd_type, type->function.out_count + 1);
  for (uint32_t i = 0; i < entry->arg_count; ++i) ins[i] = entry->args[i]->type;
  for (uint32_t i = 0; i < type->function.out_count; ++i) outs[i] = type->function.outs[i];
  hd_for_each_block(block, hd_op_region(func, 0)) {
    if (!hd_op_is(block->last, HD_OP_func_return)) continue;
    for (uint32_t i = 0; i < block->last->operand_count; ++i) outs[i] = hd_operand_type(block->last, i);
  }
  hd_function_like_set_function_type(
      func, hd_attr_type(hd_type_function(pass->context, ins, entry->arg_count, outs, type->function.out_count)));
  return true;
}
