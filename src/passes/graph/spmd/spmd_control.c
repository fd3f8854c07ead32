/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of control flow: the layouts of what loops carry and branches give. */
#include "passes/graph/spmd/spmd.h"

/* The ops of |from| in a new block of |region|, with |layouts| for its arguments. The builder is at its end. */
static bool copy_block(hd_spmd *s, hd_block *from, hd_region *region, const hd_layout *layouts) {
  hd_block *block = hd_block_create(s->pass->module);
  hd_region_append(region, block);
  for (uint32_t i = 0; i < from->arg_count; ++i) {
    hd_value *arg = hd_block_add_arg(s->pass->module, block, hd_layout_type(s, from->args[i]->type, layouts[i]));
    arg->loc = from->args[i]->loc;
    hd_spmd_set(s, from->args[i], arg, layouts[i]);
  }
  s->b = hd_builder_at_end(s->pass->module, block);
  return hd_spmd_block(s, from);
}

static void terminate(hd_spmd *s, hd_op *end, const hd_layout *layouts) {
  hd_value **values = hd_new_array(s->arena, hd_value *, end->operand_count + 1u);
  for (uint32_t i = 0; i < end->operand_count; ++i) values[i] = hd_spmd_as(s, hd_operand(end, i), layouts[i]);
  hd_build_op(&s->b, hd_opcode_get(end), values, end->operand_count, NULL, 0, NULL, 0, 0);
}

static hd_op *empty_copy(hd_spmd *s, hd_op *op, const hd_layout *operands, const hd_layout *results) {
  hd_value **values = hd_new_array(s->arena, hd_value *, op->operand_count + 1u);
  hd_type *types = hd_new_array(s->arena, hd_type, op->result_count + 1u);
  for (uint32_t i = 0; i < op->operand_count; ++i) values[i] = hd_spmd_as(s, hd_operand(op, i), operands[i]);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_layout_type(s, hd_result_type(op, i), results[i]);
  return hd_build_op(&s->b, hd_opcode_get(op), values, op->operand_count, types, op->result_count, NULL, 0,
                     op->region_count);
}

enum { LOOP_ROUNDS = 3 };

/* A carried value that begins whole and ends a step in parts is carried in those parts: as many rounds as that takes,
 * of which the last is kept. */
bool hd_spmd_loop(hd_spmd *s, hd_op *op) {
  hd_plan p = hd_plan_of(s, op);
  hd_builder outer = s->b;
  hd_op *end = hd_op_region(op, 1)->first->last;
  for (uint32_t i = 0; i < op->operand_count; ++i) p.operands[i] = hd_layout_of(s, hd_operand(op, i));
  for (int round = 0;; ++round) {
    s->b = outer;
    hd_op *made = empty_copy(s, op, p.operands, p.operands);
    if (!copy_block(s, hd_op_region(op, 1)->first, hd_op_region(made, 1), p.operands)) return false;
    bool changed = false;
    for (uint32_t i = 0; round + 1 < LOOP_ROUNDS && i < op->operand_count; ++i) {
      hd_layout before = hd_layout_copy(s, p.operands[i]);
      hd_layout_merge(s, &p.operands[i], hd_spmd_get(s, hd_operand(end, i))->layout, hd_operand_type(op, i));
      changed |= !hd_layout_equal(before, p.operands[i]);
    }
    if (changed) {
      hd_op_erase(made);
      continue;
    }
    terminate(s, end, p.operands);
    if (!copy_block(s, hd_op_region(op, 0)->first, hd_op_region(made, 0), p.operands)) return false;
    hd_layout one = {0};
    terminate(s, hd_op_region(op, 0)->first->last, &one);
    s->b = outer;
    for (uint32_t i = 0; i < op->result_count; ++i) hd_spmd_set(s, hd_result(op, i), hd_result(made, i), p.operands[i]);
    return true;
  }
}

/* Results are as the first branch leaves them. */
bool hd_spmd_branch(hd_spmd *s, hd_op *op) {
  hd_plan p = hd_plan_of(s, op);
  hd_builder outer = s->b;
  hd_op *made = empty_copy(s, op, p.operands, p.results);
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_block *from = hd_op_region(op, r)->first;
    if (!copy_block(s, from, hd_op_region(made, r), NULL)) return false;
    for (uint32_t i = 0; !r && i < op->result_count; ++i) p.results[i] = hd_layout_of(s, hd_operand(from->last, i));
    terminate(s, from->last, p.results);
  }
  s->b = outer;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_result(made, i)->type = hd_layout_type(s, hd_result_type(op, i), p.results[i]);
    hd_spmd_set(s, hd_result(op, i), hd_result(made, i), p.results[i]);
  }
  return true;
}
