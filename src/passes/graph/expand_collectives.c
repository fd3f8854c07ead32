/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives of the only process: a compiled program is one replica of one partition. */
#include "passes/graph/expand_hlo.h"

/* Groups may name process 0 only; -1 fills up short rows. */
static bool names_others(hd_attr groups) {
  for (size_t i = 0; hd_attr_is(groups, HD_ATTR_DENSE) && i < hd_attr_count(groups); ++i)
    if (hd_attr_int_at(groups, i) > 0) return true;
  return groups && !hd_attr_is(groups, HD_ATTR_DENSE);
}

bool hd_expand_alone(hd_builder *b, hd_op *op, hd_value **results) {
  (void)b;
  if (names_others(hd_op_attr_get(op, "replica_groups")) || hd_op_int_attr(op, "split_count", 1) != 1)
    return hd_op_error(op, "needs more than one process, and a compiled program is one");
  for (uint32_t i = 0; i < op->result_count; ++i) {
    results[i] = hd_operand(op, i);
    hd_type type = hd_result_type(op, i);
    results[i] = hd_hlo_retype(b, results[i], type);
  }
  return true;
}

/* What nobody sends is zero. */
bool hd_expand_collective_permute(hd_builder *b, hd_op *op, hd_value **results) {
  hd_attr pairs = hd_op_attr_get(op, "source_target_pairs");
  if (names_others(pairs)) return hd_op_error(op, "needs more than one process, and a compiled program is one");
  results[0] = pairs && hd_attr_count(pairs) ? hd_operand(op, 0) : hd_hlo_zero_like(b, hd_operand(op, 0));
  return true;
}

bool hd_expand_process_id(hd_builder *b, hd_op *op, hd_value **results) {
  uint32_t zero = 0;
  results[0] = hd_build_hlo_constant(b, hd_attr_dense(hd_result_type(op, 0), &zero, sizeof zero, true));
  return true;
}

bool hd_expand_exchange(hd_builder *b, hd_op *op, hd_value **results) {
  (void)b, (void)results;
  return hd_op_error(op, "exchanges data with a host or another process, and a compiled program has none");
}

/* async_done of an async_start in sight: the ops of its region, here. */
bool hd_expand_async_done(hd_builder *b, hd_op *op, hd_value **results) {
  hd_op *start = hd_value_op(hd_operand(op, 0));
  hd_block *body = hd_op_is(start, HD_OP_stablehlo_async_start) ? hd_op_region(start, 0)->first : NULL;
  if (!body || !body->last || body->arg_count != start->operand_count || body->last->operand_count != op->result_count)
    return hd_op_error(op, "expects the result of an async_start");
  hd_arena *arena = &b->module->arena;
  hd_map values = {0};
  for (uint32_t i = 0; i < body->arg_count; ++i) hd_map_set(arena, &values, body->args[i], hd_operand(start, i));
  hd_for_each_op(inner, body) {
    if (inner == body->last) break;
    hd_op_insert_before(hd_op_clone(b->module, inner, arena, &values), op);
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *value = hd_operand(body->last, i), *mapped = hd_map_get(&values, value);
    results[i] = mapped ? mapped : value;
  }
  return true;
}
