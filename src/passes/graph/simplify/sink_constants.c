/* SPDX-License-Identifier: Apache-2.0 */
/* disc-sink-constants: constants of one value that regions use from outside move in; out of reducers and comparators,
 * tables.
 *
 *   %z = stablehlo.constant 0.0                       "stablehlo.sort"(%x) ({
 *   "stablehlo.sort"(%x) ({                     ->    ^bb0(%a, %b):
 *   ^bb0(%a, %b):                                       %z = stablehlo.constant 0.0
 *     ... stablehlo.compare EQ, %a, %z ...              ... stablehlo.compare EQ, %a, %z ...
 *
 * MLIR's folding moves constants out of every region that is not isolated; kernels read a reducer as a function of its
 * arguments, and what is known of them is a constant there. Elements that differ are in memory, which a reducer has
 * from outside. Regions of loops and branches are host code: a constant moves in for the ops that compute or move its
 * elements, whose kernel then knows it (a division by 2 is no division by what memory holds); others keep what they
 * use, which would be written anew in each iteration. */
#include "analysis/captures.h"
#include "ir/ops/stablehlo.h"
#include "passes/passes.h"

typedef struct sinking {
  hd_pass *pass;
  hd_region *region;
  bool is_host;  /* of a loop or a branch */
  hd_map copies; /* outer constant -> its copy inside |region| */
} sinking;

static bool is_inside(const hd_region *region, hd_op *op) {
  for (hd_op *at = op; at; at = hd_op_parent(at))
    if (at->block && at->block->region == region) return true;
  return false;
}

static bool is_table(const hd_op *op) {
  hd_attr value = hd_op_is(op, HD_OP_stablehlo_constant) ? hd_stablehlo_constant_value(op) : NULL;
  return hd_attr_is(value, HD_ATTR_DENSE) && !value->dense.splat && hd_attr_count(value) != 1;
}

/* Is a constant a part of the kernel that |op| is in? */
static bool is_known_in_kernel(const hd_op *op, uint32_t operand) {
  return hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) || (hd_op_has_trait(op, HD_TRAIT(MOVES_ELEMENTS)) && operand == 0);
}

static bool sink_operands(hd_op *op, void *user) {
  sinking *s = user;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_op *constant = hd_value_op(hd_operand(op, i));
    if (!hd_op_is(constant, HD_OP_stablehlo_constant) || is_inside(s->region, constant) || is_table(constant)) continue;
    if (s->is_host && !is_known_in_kernel(op, i)) continue;
    hd_op *copy = hd_map_get(&s->copies, constant);
    if (!copy) {
      copy = hd_op_clone(s->pass->module, constant, &s->pass->arena, NULL);
      hd_op_prepend(copy, s->region->first);
      hd_map_set(&s->pass->arena, &s->copies, constant, copy);
    }
    hd_op_set_operand(op, i, hd_result(copy, 0));
    s->pass->changed = true;
  }
  return true;
}

static bool visit(hd_op *op, void *user) {
  hd_pass *pass = user;
  bool is_host = hd_op_has_trait(op, HD_TRAIT(LOOP_LIKE)) || hd_op_has_trait(op, HD_TRAIT(BRANCHES));
  if (!is_host && !hd_has_element_regions(op)) return true;
  hd_op_list tables = {0};
  if (!is_host) tables = hd_ops_where(op, is_table, &pass->arena);
  for (size_t i = 0; i < tables.len; ++i) hd_op_move_before(tables.data[i], op);
  pass->changed |= tables.len != 0;
  for (uint32_t r = 0; r < op->region_count; ++r) {
    sinking s = {.pass = pass, .region = hd_op_region(op, r), .is_host = is_host};
    hd_for_each_block(block, s.region)
      hd_for_each_op(inner, block) hd_walk_pre(inner, sink_operands, &s);
  }
  return true;
}

/* Inner ops first: an outer region has no copy on the way to an inner one, which would be dead. */
bool hd_pass_sink_constants(hd_pass *pass, hd_op *func) { return hd_walk_post(func, visit, pass); }
