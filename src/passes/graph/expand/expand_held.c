/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of hlo-expand: ops that hold others for a scheduler. What they hold is where the results are wanted.
 *
 *   %r = "mhlo.fusion"(%x) ({ ^bb0(%a): ops, return %b })   ->   the ops on %x, %b for %r
 *   async_start(%x) ({ ... }), async_done                   ->   the ops of the region in place of async_done */
#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "passes/graph/expand/expand_hlo.h"

/* The ops of |holder|'s region in place of |op|, on |holder|'s operands, as those of fusion |number| unless that is 0.
 */
static bool put_region(hd_op *op, hd_op *holder, int64_t number, const char *expected) {
  hd_block *body = holder ? hd_op_region(holder, 0)->first : NULL;
  if (!body || !body->last || body->arg_count > holder->operand_count || body->last->operand_count != op->result_count)
    return hd_op_error(op, "expects %s", expected);
  hd_arena *arena = &op->module->arena;
  hd_map values = {0};
  for (uint32_t i = 0; i < body->arg_count; ++i) hd_map_set(arena, &values, body->args[i], hd_operand(holder, i));
  hd_for_each_op(inner, body) {
    if (inner == body->last) break;
    hd_op *copy = hd_op_clone(op->module, inner, arena, &values);
    if (number) hd_discardable_set_fusion(copy, number);
    hd_op_insert_before(copy, op);
  }
  hd_value **results = hd_new_array(arena, hd_value *, op->result_count + 1);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *value = hd_operand(body->last, i), *mapped = hd_map_get(&values, value);
    results[i] = mapped ? mapped : value;
  }
  hd_op_replace(op, results);
  return true;
}

/* async_done of an async_start in sight, and fusions that a compiler before this one made. */
static bool expand_held(hd_op *op, int64_t *fusions) {
  if (hd_op_is(op, HD_OP_mhlo_fusion))
    return put_region(op, op, ++*fusions, "a region of its inputs that gives its results");
  hd_op *start = hd_value_op(hd_operand(op, 0));
  if (!put_region(op, hd_op_is(start, HD_OP_stablehlo_async_start) ? start : NULL, 0, "the result of an async_start"))
    return false;
  if (!hd_value_has_uses(hd_result(start, 0))) hd_op_erase(start);
  return true;
}

static bool holds_ops(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_async_done) || hd_op_is(op, HD_OP_mhlo_fusion);
}

static bool mark_none(hd_op *op, void *user) {
  (void)user;
  bool counts = hd_op_parent(op) && hd_holds_program(hd_op_parent(op)) && !hd_op_has_trait(op, HD_TRAIT(TERMINATOR));
  if (counts && !hd_discardable_fusion_attr(op)) hd_discardable_set_fusion(op, 0);
  return true;
}

/* What is held inside of another comes first, so copies of a region have none. Fusions of the program stay what they
 * are:
 * disc-fusion reads their numbers. */
bool hd_expand_held(hd_pass *pass, hd_op *func) {
  hd_op_list held = hd_ops_inner_first(func, holds_ops, &pass->arena);
  int64_t fusions = 0;
  for (size_t i = 0; i < held.len; ++i) {
    if (!expand_held(held.data[i], &fusions)) return false;
    pass->changed = true;
  }
  if (fusions) hd_walk_pre(func, mark_none, NULL);
  return true;
}
