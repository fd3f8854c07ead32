/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks and regions: their arguments, and moving, splitting and erasing them. */
#include <string.h>

#include "ir/op.h"

hd_block *hd_block_create(hd_module *module) { return hd_new(&module->arena, hd_block); }

hd_value *hd_block_insert_arg(hd_module *module, hd_block *block, uint32_t at, hd_type type) {
  if (block->arg_count == block->arg_capacity) {
    block->arg_capacity = block->arg_capacity ? block->arg_capacity * 2 : 4;
    hd_value **grown = hd_new_array(&module->arena, hd_value *, block->arg_capacity);
    if (block->arg_count) memcpy(grown, block->args, block->arg_count * sizeof *grown);
    block->args = grown;
  }
  memmove(block->args + at + 1, block->args + at, (block->arg_count - at) * sizeof *block->args);
  hd_value *arg = hd_new(&module->arena, hd_value);
  *arg = (hd_value){.type = type, .owner.block = block, .is_block_arg = true};
  block->args[at] = arg;
  ++block->arg_count;
  for (uint32_t i = at; i < block->arg_count; ++i) block->args[i]->index = i;
  return arg;
}

hd_value *hd_block_add_arg(hd_module *module, hd_block *block, hd_type type) {
  return hd_block_insert_arg(module, block, block->arg_count, type);
}

void hd_block_erase_arg(hd_block *block, uint32_t index) {
  HD_ASSERT(!hd_value_has_uses(block->args[index]));
  --block->arg_count;
  memmove(block->args + index, block->args + index + 1, (block->arg_count - index) * sizeof *block->args);
  for (uint32_t i = index; i < block->arg_count; ++i) block->args[i]->index = i;
}

void hd_region_append(hd_region *region, hd_block *block) {
  block->region = region;
  block->prev = region->last;
  block->next = NULL;
  if (region->last)
    region->last->next = block;
  else
    region->first = block;
  region->last = block;
}

void hd_region_insert_after(hd_block *anchor, hd_block *block) {
  block->region = anchor->region;
  block->prev = anchor;
  block->next = anchor->next;
  if (anchor->next)
    anchor->next->prev = block;
  else
    anchor->region->last = block;
  anchor->next = block;
}

void hd_block_unlink(hd_block *block) {
  hd_region *region = block->region;
  if (!region) return;
  if (block->prev)
    block->prev->next = block->next;
  else
    region->first = block->next;
  if (block->next)
    block->next->prev = block->prev;
  else
    region->last = block->prev;
  block->prev = block->next = NULL;
  block->region = NULL;
}

void hd_block_erase(hd_block *block) {
  hd_for_each_op(op, block) hd_op_drop_operands(op);
  while (block->first) hd_op_unlink(block->first);
  hd_block_unlink(block);
}

hd_block *hd_block_split(hd_module *module, hd_block *block, hd_op *op) {
  hd_block *rest = hd_block_create(module);
  hd_region_insert_after(block, rest);
  for (hd_op *next; op; op = next) {
    next = op->next;
    hd_op_unlink(op);
    hd_op_append(op, rest);
  }
  return rest;
}

void hd_region_take(hd_region *to, hd_region *from) {
  for (hd_block *block = from->first, *next; block; block = next) {
    next = block->next;
    hd_block_unlink(block);
    hd_region_append(to, block);
  }
}

void hd_block_splice(hd_block *from, hd_block *block, hd_op *anchor) {
  for (hd_op *op = from->first, *next; op; op = next) {
    next = op->next;
    hd_op_unlink(op);
    if (anchor)
      hd_op_insert_before(op, anchor);
    else
      hd_op_append(op, block);
  }
}
