/* SPDX-License-Identifier: Apache-2.0 */
/* What sccp has found, written: constants in place of values, and control flow that is decided. */
#include "eval/fold.h"
#include "passes/graph/simplify/sccp.h"

/* What was found is written ---------------------------------------------------------------------------------------- */

static void replace(hd_sccp *s, hd_value *value, hd_builder b, const hd_op *like) {
  hd_attr state = hd_map_get(&s->values, value);
  if (!state || state == HD_SCCP_VARIES || !hd_value_has_uses(value)) return;
  hd_value_replace_uses(value, hd_fold_materialise(&b, like, value->index, state));
  s->pass->changed = true;
}

static bool write(hd_op *op, void *user) {
  hd_sccp *s = user;
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r)) {
      if (!hd_map_get(&s->live, block)) continue;
      hd_builder start = hd_builder_at_start(s->pass->module, block);
      for (uint32_t a = 0; a < block->arg_count; ++a) {
        start.loc = hd_value_loc(block->args[a]);
        replace(s, block->args[a], start, op);
      }
    }
  if (op == s->pass->module->op || !hd_map_get(&s->live, op->block)) return true;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_builder after = hd_builder_after(op);
    after.loc = op->loc;
    replace(s, hd_result(op, i), after, op);
  }
  if (!hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) && op->result_count && hd_op_is_trivially_dead(op)) {
    hd_op_erase(op);
    s->pass->changed = true;
  }
  return true;
}

void hd_sccp_write(hd_sccp *s, hd_op *module) { hd_walk_post(module, write, s); }

/* Branches that are decided ---------------------------------------------------------------------------------------- */

static void take_region(hd_op *op, hd_block *block) {
  hd_op *end = block->last;
  hd_value **values = hd_new_array(&op->module->arena, hd_value *, op->result_count + 1);
  for (uint32_t i = 0; i < op->result_count; ++i) values[i] = hd_operand(end, i);
  hd_op_erase(end);
  hd_block_splice(block, op->block, op);
  hd_op_replace(op, values);
}

/* cf.br to the only block that |op| can go to takes its place. */
static bool take_successor(hd_sccp *s, hd_op *op) {
  int64_t taken = hd_sccp_successor_taken(s, op);
  if (taken < 0) return false;
  uint32_t start, count;
  hd_op_successor_operands(op, (uint32_t)taken, &start, &count);
  hd_value **values = hd_new_array(&s->pass->arena, hd_value *, count + 1);
  for (uint32_t i = 0; i < count; ++i) values[i] = hd_operand(op, start + i);
  hd_builder b = hd_builder_before(op);
  hd_build_state(&b, &(hd_op_state){.opcode = HD_OP_cf_br,
                                    .operands = values,
                                    .operand_count = count,
                                    .successors = &op->successors[taken],
                                    .successor_count = 1});
  hd_op_erase(op);
  return true;
}

static bool simplify(hd_op *op, void *user) {
  hd_sccp *s = user;
  if (!op->block || !hd_map_get(&s->live, op->block)) return true;
  if (hd_op_has_trait(op, HD_TRAIT(BRANCHES))) {
    int64_t taken = hd_sccp_region_taken(s, op);
    if (taken < 0) return true;
    if (hd_sccp_entry(op, (uint32_t)taken))
      take_region(op, hd_sccp_entry(op, (uint32_t)taken));
    else
      hd_op_erase(op);
  } else if (hd_op_is(op, HD_OP_stablehlo_while)) {
    if (!hd_sccp_entry(op, 1) || hd_map_get(&s->live, hd_sccp_entry(op, 1))) return true;
    hd_value **inits = hd_new_array(&s->pass->arena, hd_value *, op->operand_count + 1);
    for (uint32_t i = 0; i < op->operand_count; ++i) inits[i] = hd_operand(op, i);
    hd_op_replace(op, inits);
  } else if (hd_op_is(op, HD_OP_cf_cond_br) || hd_op_is(op, HD_OP_cf_switch)) {
    if (!take_successor(s, op)) return true;
  } else {
    return true;
  }
  s->pass->changed = true;
  return true;
}

/* Blocks that nothing reaches, of a region that is reached. */
static bool drop_blocks(hd_op *op, void *user) {
  hd_sccp *s = user;
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_region *region = hd_op_region(op, r);
    if (!region->first || !hd_map_get(&s->live, region->first)) continue;
    for (hd_block *block = region->first->next, *next; block; block = next) {
      next = block->next;
      if (hd_map_get(&s->live, block)) continue;
      hd_block_erase(block);
      s->pass->changed = true;
    }
  }
  return true;
}

void hd_sccp_simplify(hd_sccp *s, hd_op *module) {
  hd_walk_post(module, simplify, s);
  hd_walk_pre(module, drop_blocks, s);
}
