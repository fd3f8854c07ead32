/* SPDX-License-Identifier: Apache-2.0 */
/* loop-invariant-code-motion: what a loop computes from values of outside alone is computed before it.
 *
 *   scf.for ... { %1 = arith.muli %a, %b ... }   ->   %1 = arith.muli %a, %b   scf.for ... { ... }
 *
 * Only ops that cannot fail and have no effects move, since the loop may run zero times. Inner loops come first, so an
 * op leaves as many loops as it can. */
#include "passes/graph/loop/loop_invariant_code_motion.h"

#include "passes/analyses.h"
#include "passes/passes.h"

static bool check_inner(hd_op *op, void *user) {
  hd_op **both = user; /* the op that would move, and the loop */
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_op *parent = hd_block_parent_op(hd_value_block(hd_operand(op, i)));
    if (parent && hd_op_is_ancestor(both[1], parent) && !hd_op_is_ancestor(both[0], parent)) return false;
  }
  return true;
}

bool hd_uses_only_outside(hd_op *op, hd_op *loop) {
  hd_op *both[2] = {op, loop};
  return hd_walk_pre(op, check_inner, both);
}

static bool has_known_dims(hd_op *op, void *user) {
  (void)user;
  return hd_op_has_known_dims(op);
}

/* Operands that broadcast together surely do when they have one shape or are scalars. */
static bool surely_broadcast(hd_shapes *shapes, hd_op *op) {
  hd_value *shaped = NULL;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *operand = hd_operand(op, i);
    if (hd_type_has_rank(operand->type) && !hd_type_rank(operand->type)) continue;
    if (shaped && !hd_shapes_same(shapes, shaped, operand)) return false;
    shaped = operand;
  }
  return true;
}

bool hd_may_speculate(hd_hoisting *h, hd_op *op) {
  bool broadcasts = hd_op_is_chlo_broadcast(op) || hd_op_broadcasts_implicitly(op); /* fails for its dims alone */
  if (broadcasts ? !hd_op_is_pure(op) : !hd_op_is_speculatable(op)) return false;
  if (hd_walk_pre(op, has_known_dims, NULL)) return true; /* the verifier has seen them */
  if (!h->shapes) h->shapes = hd_pass_shapes(h->pass, h->func);
  return broadcasts ? surely_broadcast(h->shapes, op) : !hd_shapes_may_fail(h->shapes, op);
}

bool hd_hoist_invariant(hd_hoisting *h, hd_op *loop, int always) {
  bool moved = false;
  for (uint32_t r = 0; r < loop->region_count; ++r)
    hd_for_each_block(block, hd_op_region(loop, r))
      hd_for_each_op_safe(op, block) {
        if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || (h->may_move && !h->may_move(op)) ||
            !hd_uses_only_outside(op, loop) || !((int)r == always ? hd_op_is_pure(op) : hd_may_speculate(h, op)))
          continue;
        hd_op_move_before(op, loop);
        moved = true;
      }
  return moved;
}

typedef struct hoister {
  hd_pass *pass;
  hd_hoisting hoisting;
} hoister;

static bool visit(hd_op *loop, void *user) {
  hoister *h = user;
  if (!hd_op_has_trait(loop, HD_TRAIT(LOOP_LIKE)) || hd_op_has_trait(loop, HD_TRAIT(ISOLATED))) return true;
  bool tests_first = hd_op_is(loop, HD_OP_stablehlo_while) || hd_op_is(loop, HD_OP_scf_while);
  hd_op *func = hd_op_function(loop);
  if (!func) return true;
  if (h->hoisting.func != func) h->hoisting.func = func, h->hoisting.shapes = NULL;
  h->pass->changed |= hd_hoist_invariant(&h->hoisting, loop, tests_first ? 0 : -1);
  return true;
}

bool hd_pass_loop_invariant_code_motion(hd_pass *pass, hd_op *module) {
  hoister h = {.pass = pass, .hoisting = {.pass = pass}};
  return hd_walk_post(module, visit, &h);
}
