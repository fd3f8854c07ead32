/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hoist.h"

enum { MAX_DEPTH = 16 };

static bool can_hoist(hd_value *value, hd_op *loop, unsigned depth) {
  hd_op *op = hd_value_op(value);
  if (!op) return !hd_op_is_ancestor(loop, hd_block_parent_op(hd_value_block(value)));
  if (!hd_op_is_ancestor(loop, op)) return true;
  if (depth > MAX_DEPTH || op->region_count || !hd_op_is_pure(op)) return false;
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
