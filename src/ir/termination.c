/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that certainly end: what is left out of a program must not be what keeps it from ending. */
#include "ir/ops/stablehlo.h"

/* Does the body hand argument |i| on, one larger (|step| 1) or smaller (-1)? */
static bool counts(hd_value *next, hd_value *arg, int64_t step) {
  hd_op *op = hd_value_op(next);
  int64_t by;
  if (!op || op->operand_count != 2 || hd_operand(op, 0) != arg || !hd_value_constant_int(hd_operand(op, 1), &by))
    return false;
  if (hd_op_is(op, HD_OP_stablehlo_add)) return by == step;
  return hd_op_is(op, HD_OP_stablehlo_subtract) && by == -step;
}

/* Does |condition|, a value of the condition's block, become false some time? A counter that goes up by one below a
 * bound that stays does; of a conjunction one part is enough. */
static bool becomes_false(hd_op *loop, hd_value *condition, int depth) {
  hd_block *test = hd_op_region(loop, 0)->first, *body = hd_op_region(loop, 1)->first;
  hd_op *op = hd_value_op(condition);
  int64_t constant;
  if (hd_value_constant_int(condition, &constant)) return !constant;
  if (!op || op->operand_count < 1 || depth > 8) return false;
  if (hd_op_is(op, HD_OP_stablehlo_reshape)) return becomes_false(loop, hd_operand(op, 0), depth + 1);
  if (hd_op_is(op, HD_OP_stablehlo_and))
    return becomes_false(loop, hd_operand(op, 0), depth + 1) || becomes_false(loop, hd_operand(op, 1), depth + 1);
  if (!hd_op_is(op, HD_OP_stablehlo_compare)) return false;
  bool less = hd_stablehlo_compare_comparison_direction(op) == HD_STABLEHLO_COMPARE_LT,
       greater = hd_stablehlo_compare_comparison_direction(op) == HD_STABLEHLO_COMPARE_GT;
  for (uint32_t side = 0; side < 2; ++side) {
    hd_value *counter = hd_operand(op, side), *bound = hd_operand(op, 1 - side);
    if (!counter->is_block_arg || counter->owner.block != test || counter->index >= body->arg_count) continue;
    bool stays = bound->is_block_arg
                     ? bound->owner.block != test || (bound->index < body->last->operand_count &&
                                                      hd_operand(body->last, bound->index) == body->args[bound->index])
                     : hd_value_op(bound)->block != test || hd_value_constant_int(bound, &constant);
    bool below = side ? greater : less, above = side ? less : greater;
    if (!stays || hd_type_element(counter->type)->kind != HD_TYPE_INTEGER || !(below || above)) continue;
    if (counts(hd_operand(body->last, counter->index), body->args[counter->index], below ? 1 : -1)) return true;
  }
  return false;
}

bool hd_op_may_run_forever(hd_op *op) {
  if (hd_op_is(op, HD_OP_scf_while)) return true;
  if (!hd_op_is(op, HD_OP_stablehlo_while)) return false;
  hd_block *test = hd_op_region(op, 0)->first, *body = hd_op_region(op, 1)->first;
  if (!test || !body || !test->last || !body->last || !test->last->operand_count ||
      body->last->operand_count != body->arg_count)
    return true;
  return !becomes_false(op, hd_operand(test->last, 0), 0);
}
