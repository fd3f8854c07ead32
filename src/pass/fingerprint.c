/* SPDX-License-Identifier: Apache-2.0 */
/* Types and attributes are unique in their context and erased ops keep their memory until their module ends, so a
 * pointer stands for what it points to. */
#include "pass/fingerprint.h"

#include "base/mix.h"

static void put(uint64_t *hash, uint64_t word) { *hash = hd_mix(*hash + word + HD_MIX_STEP); }
static void put_pointer(uint64_t *hash, const void *pointer) { put(hash, (uint64_t)(uintptr_t)pointer); }

static void put_region(uint64_t *hash, hd_region *region) {
  hd_for_each_block(block, region) {
    put_pointer(hash, block);
    put(hash, block->arg_count);
    for (uint32_t i = 0; i < block->arg_count; ++i) {
      put_pointer(hash, block->args[i]);
      put_pointer(hash, block->args[i]->type);
    }
  }
  put(hash, 0);
}

/* Without the ops in its regions, each of which says itself in which block it is. */
static bool put_op(hd_op *op, void *user) {
  uint64_t *hash = user;
  put_pointer(hash, op);
  put_pointer(hash, op->block);
  put_pointer(hash, op->name);
  put(hash, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) put_pointer(hash, hd_operand(op, i));
  hd_for_each_attr(attr, op) {
    put_pointer(hash, attr.name);
    put_pointer(hash, attr.value);
  }
  put(hash, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) put_pointer(hash, hd_result_type(op, i));
  for (uint32_t i = 0; i < op->successor_count; ++i) put_pointer(hash, op->successors[i]);
  for (uint32_t i = 0; i < op->region_count; ++i) put_region(hash, hd_op_region(op, i));
  return true;
}

uint64_t hd_fingerprint(hd_op *op) {
  uint64_t hash = 0;
  hd_walk_pre(op, put_op, &hash);
  for (hd_op *at = op, *parent; (parent = hd_op_parent(at)); at = parent) {
    hd_for_each_op(beside, at->block) put_pointer(&hash, beside);
    put_op(parent, &hash);
  }
  return hash;
}
