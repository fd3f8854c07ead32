/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hoist.h"

#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "ir/ops/hd.h"

enum { MAX_DEPTH = 16, MAX_USES = 64 };

static bool is_inside(hd_op *loop, hd_block *block) { return hd_op_is_ancestor(loop, hd_block_parent_op(block)); }

/* Does nothing in |loop| write |buffer|, and has the buffer no other name there? At most |*left| uses are looked at. */
static bool is_only_loaded(hd_value *buffer, hd_op *loop, unsigned *left) {
  hd_for_each_use(use, buffer) {
    hd_op *owner = use->owner;
    if (!(*left)--) return false;
    if (hd_op_is(owner, HD_OP_memref_load) || hd_op_is(owner, HD_OP_memref_dim)) continue;
    bool view = hd_op_has_trait(owner, HD_TRAIT(VIEW_LIKE));
    if (view ? !is_only_loaded(hd_result(owner, 0), loop, left)
             : owner->result_count || owner == loop || is_inside(loop, owner->block))
      return false;
  }
  return true;
}

/* A load that may as well be made before |loop|, should the loop not get to it: of a place that is there. */
static bool can_load_before(hd_op *load, hd_op *loop) {
  hd_value *buffer = hd_operand(load, 0);
  if (is_inside(loop, hd_value_block(buffer))) return false;
  for (uint32_t d = 0; d < hd_type_rank(buffer->type); ++d) {
    int64_t at;
    if (!hd_value_constant_int(hd_operand(load, 1 + d), &at) || at < 0 || at >= hd_type_dim(buffer->type, d))
      return false;
  }
  hd_value *root = hd_buffer_root(buffer);
  unsigned left = MAX_USES;
  return hd_is_allocation(root) && is_only_loaded(root, loop, &left);
}

static bool can_hoist(hd_value *value, hd_op *loop, unsigned depth) {
  hd_op *op = hd_value_op(value);
  if (!op) return !is_inside(loop, hd_value_block(value));
  if (!hd_op_is_ancestor(loop, op)) return true;
  if (depth > MAX_DEPTH || op->region_count) return false;
  if (hd_op_is(op, HD_OP_memref_load) ? !can_load_before(op, loop) : !hd_op_is_pure(op)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!can_hoist(hd_operand(op, i), loop, depth + 1)) return false;
  return true;
}

bool hd_can_hoist(hd_value *value, hd_op *loop) { return can_hoist(value, loop, 0); }

void hd_hoist(hd_value *value, hd_op *loop) {
  hd_op *op = hd_value_op(value);
  if (!op || !hd_op_is_ancestor(loop, op)) return;
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_hoist(hd_operand(op, i), loop);
  hd_op_move_before(op, loop);
}
