/* SPDX-License-Identifier: Apache-2.0 */
/* What does not change in a loop and is in a branch of an if or case there. The branch may never be taken, so:
 *
 *   - Ops that cost next to nothing move before the loop: constants, and elementwise ops or ops that move elements
 *     whose operands and results have at most MOST_ELEMENTS elements. That is less than the jump around them.
 *   - What every branch computes moves before the if, one for all: whichever branch is taken, it was needed. From there
 *     it leaves the loop as any op of the loop's own block does.
 *
 *   do {                                                    %k = stablehlo.constant     %e = stablehlo.exponential %x
 *     if %p { %e = exponential %x; %k = constant ... }      while ...
 *     else  { %e = exponential %x; sine %e }           ->     if %p { ... } else { sine %x, which may be expensive }
 *   }
 *
 * All must be pure and free of errors; what leaves a branch that may not be taken, also of dims that contradict.
 * Branches in branches are looked into, from the inside. */
#include "passes/graph/loop/loop_invariant_code_motion.h"
#include "passes/graph/simplify/cse.h"

enum { MOST_ELEMENTS = 64, MOST_USES = 256 };

static bool is_branch(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_if) || hd_op_is(op, HD_OP_stablehlo_case);
}

static bool is_small(hd_type type) {
  int64_t count = hd_type_is_tensor(type) ? hd_type_num_elements(type) : -1;
  return count >= 0 && count <= MOST_ELEMENTS;
}

static bool costs_nothing(hd_op *op) {
  if (hd_op_is(op, HD_OP_stablehlo_constant) || hd_op_is(op, HD_OP_stablehlo_get_dimension_size)) return true;
  if (!hd_op_has_any_trait(op, HD_TRAIT(ELEMENTWISE) | HD_TRAIT(MOVES_ELEMENTS)) &&
      !hd_op_is(op, HD_OP_stablehlo_iota) && !hd_op_is(op, HD_OP_stablehlo_concatenate))
    return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!is_small(hd_operand_type(op, i))) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!is_small(hd_result_type(op, i))) return false;
  return true;
}

/* An op of |block| that is equal to |op|. It uses |op|'s first operand too, so the uses of that are looked through. */
static hd_op *equal_in(hd_block *block, hd_op *op) {
  uint32_t steps = 0;
  if (!op->operand_count) return NULL;
  hd_for_each_use(use, hd_operand(op, 0)) {
    if (++steps > MOST_USES) return NULL;
    if (use->owner->block == block && hd_ops_equal(use->owner, op)) return use->owner;
  }
  return NULL;
}

static hd_block *block_of(hd_op *branch, uint32_t r) { return hd_op_region(branch, r)->first; }

/* Moves |op|, of the first branch, before |branch| when all others compute it too. */
static bool move_common(hd_op *branch, hd_op *op) {
  for (uint32_t r = 1; r < branch->region_count; ++r)
    if (!equal_in(block_of(branch, r), op)) return false;
  for (uint32_t r = 1; r < branch->region_count; ++r)
    for (hd_op *other; (other = equal_in(block_of(branch, r), op));) {
      for (uint32_t i = 0; i < other->result_count; ++i) hd_value_replace_uses(hd_result(other, i), hd_result(op, i));
      hd_op_erase(other);
    }
  hd_op_move_before(op, branch);
  return true;
}

static bool leave_branch(hd_hoisting *h, hd_op *branch, hd_op *loop) {
  bool moved = false;
  for (uint32_t r = 0; r < branch->region_count; ++r)
    if (!block_of(branch, r)) return false;
  for (uint32_t r = 0; r < branch->region_count; ++r)
    hd_for_each_op_safe(op, block_of(branch, r)) {
      if (is_branch(op)) moved |= leave_branch(h, op, loop);
      if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || op->region_count || !hd_op_is_speculatable(op) ||
          (h->may_move && !h->may_move(op)) || !hd_uses_only_outside(op, loop))
        continue;
      if (costs_nothing(op) && hd_may_speculate(h, op)) {
        hd_op_move_before(op, loop);
        moved = true;
      } else if (!r) {
        moved |= move_common(branch, op);
      }
    }
  return moved;
}

bool hd_hoist_from_branches(hd_hoisting *h, hd_op *loop) {
  bool moved = false;
  for (uint32_t r = 0; r < loop->region_count; ++r)
    hd_for_each_block(block, hd_op_region(loop, r))
      hd_for_each_op_safe(op, block)
        if (is_branch(op)) moved |= leave_branch(h, op, loop);
  return moved;
}
