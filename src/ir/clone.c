/* SPDX-License-Identifier: Apache-2.0 */
/* Copies ops with their regions. Values and blocks that the map does not know stay as they are, so a clone may use
 * what is defined outside. Forward references (graph regions, CFG back edges) are patched after a region is copied. */
#include "ir/op.h"

static hd_value *mapped(hd_map *map, hd_value *value) {
  hd_value *found = hd_map_get(map, value);
  return found ? found : value;
}

static hd_op *clone_op(hd_module *module, hd_op *op, hd_arena *scratch, hd_map *map) {
  hd_value **operands = hd_new_array(scratch, hd_value *, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = mapped(map, hd_operand(op, i));
  hd_type *types = hd_new_array(scratch, hd_type, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_result_type(op, i);
  hd_block **successors = hd_new_array(scratch, hd_block *, op->successor_count);
  for (uint32_t i = 0; i < op->successor_count; ++i) {
    hd_block *block = hd_map_get(map, op->successors[i]);
    successors[i] = block ? block : op->successors[i];
  }
  hd_op *copy = hd_op_create(module, &(hd_op_state){.context = module->context,
                                                    .loc = op->loc,
                                                    .opcode = op->info->opcode,
                                                    .name = op->name,
                                                    .operands = operands,
                                                    .operand_count = op->operand_count,
                                                    .result_types = types,
                                                    .result_count = op->result_count,
                                                    .properties = op->properties,
                                                    .attrs = op->attrs,
                                                    .attr_count = op->attr_count,
                                                    .successors = successors,
                                                    .successor_count = op->successor_count,
                                                    .region_count = op->region_count});
  for (uint32_t i = 0; i < op->result_count; ++i) hd_map_set(scratch, map, &op->results[i], &copy->results[i]);
  for (uint32_t i = 0; i < op->region_count; ++i)
    hd_region_clone_into(module, &op->regions[i], &copy->regions[i], scratch, map);
  return copy;
}

typedef struct patch_state {
  hd_map *map;
} patch_state;

static bool patch_forward_uses(hd_op *op, void *user) {
  hd_map *map = ((patch_state *)user)->map;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *now = mapped(map, hd_operand(op, i));
    if (now != hd_operand(op, i)) hd_op_set_operand(op, i, now);
  }
  return true;
}

void hd_region_clone_into(hd_module *module, hd_region *from, hd_region *to, hd_arena *scratch, hd_map *map) {
  for (hd_block *block = from->first; block; block = block->next) {
    hd_block *copy = hd_block_create(module);
    for (uint32_t i = 0; i < block->arg_count; ++i) {
      hd_value *arg = hd_block_add_arg(module, copy, block->args[i]->type);
      arg->loc = block->args[i]->loc;
      hd_map_set(scratch, map, block->args[i], arg);
    }
    hd_region_append(to, copy);
    hd_map_set(scratch, map, block, copy);
  }
  for (hd_block *block = from->first; block; block = block->next)
    hd_for_each_op(op, block) hd_op_append(clone_op(module, op, scratch, map), hd_map_get(map, block));
  patch_state state = {map};
  for (hd_block *block = from->first; block; block = block->next) {
    hd_block *copy = hd_map_get(map, block);
    hd_for_each_op(op, copy) hd_walk_pre(op, patch_forward_uses, &state);
  }
}

hd_op *hd_op_clone(hd_module *module, hd_op *op, hd_arena *scratch, hd_map *map) {
  hd_map local = {0};
  return clone_op(module, op, scratch, map ? map : &local);
}

hd_module *hd_module_clone(hd_module *module) {
  hd_arena scratch;
  hd_scratch_init(&scratch, &module->context->budget);
  hd_module *copy = hd_module_alloc(module->context);
  copy->op = hd_op_clone(copy, module->op, &scratch, NULL);
  hd_arena_free(&scratch);
  return copy;
}
