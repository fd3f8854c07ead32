/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of an op by its traits and what is in its regions: purity, deadness, operands that are shapes. */
#include <string.h>

#include "ir/op.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

static bool purity(hd_op *op, void *user) {
  (void)user;
  if (hd_op_may_run_forever(op)) return false;
  if (hd_op_has_trait(op, HD_TRAIT(PURE)) || hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) return true;
  return hd_op_has_trait(op, HD_TRAIT(RECURSIVE_EFFECTS)) &&
         !hd_op_has_any_trait(
             op, HD_TRAIT(READS) | HD_TRAIT(WRITES) | HD_TRAIT(ALLOCATES) | HD_TRAIT(FREES) | HD_TRAIT(SIDE_EFFECT));
}

bool hd_op_is_pure(hd_op *op) {
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) return false;
  if (hd_op_has_trait(op, HD_TRAIT(PURE)) && !op->region_count) return true;
  return hd_walk_pre(op, purity, NULL);
}

static bool cannot_fail(hd_op *op, void *user) {
  (void)user;
  return !hd_op_has_any_trait(op, HD_TRAIT(MAY_FAIL) | HD_TRAIT(LOOP_LIKE));
}

bool hd_op_is_speculatable(hd_op *op) { return hd_op_is_pure(op) && hd_walk_pre(op, cannot_fail, NULL); }

static bool is_unknown(hd_type type) { return hd_type_is_shaped(type) && !hd_type_is_static(type); }

bool hd_op_has_known_dims(const hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (is_unknown(hd_operand_type(op, i))) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (is_unknown(hd_result_type(op, i))) return false;
  return true;
}

uint32_t hd_op_buffer_count(const hd_op *op) {
  uint32_t count = 0;
  while (count < op->operand_count && hd_type_is(hd_operand_type(op, count), HD_TYPE_MEMREF)) ++count;
  return count;
}

bool hd_op_updates_in_place(const hd_op *op) {
  if (hd_discardable_order(op)) return false; /* the runtime's sort reads and writes by position */
  return op->info->derived_from && hd_op_info_of(op->info->derived_from)->traits & HD_TRAIT(IN_PLACE);
}

uint32_t hd_opcode_shape_operands(hd_opcode opcode, uint32_t *first) {
  static const struct {
    uint8_t first, count;
  } operands[HD_OPCODE_COUNT] = {
#define SHAPE_OPERANDS(opcode, first, count) [HD_OP_##opcode] = {first, count},
#include "ir/ops/shape_operands.inc"
  };
  *first = operands[opcode].first;
  return operands[opcode].count;
}

bool hd_op_is_shape_operand(const hd_op *op, uint32_t i) {
  if (hd_op_is(op, HD_OP_stablehlo_custom_call)) { /* as JAX says which operands are the dims of the results */
    hd_attr list = hd_discardable_indices_of_shape_operands(op);
    return list && hd_attr_find_int(list, i) >= 0;
  }
  uint32_t first, count = hd_opcode_shape_operands(hd_opcode_get(op), &first);
  return i >= first && i < first + count;
}

hd_op *hd_op_reducer(const hd_op *op) {
  hd_block *body = op->region_count ? hd_op_region(op, 0)->first : NULL;
  hd_op *inner = body ? body->first : NULL, *end = body ? body->last : NULL;
  if (!inner || inner->next != end || inner->operand_count != 2 || inner->result_count != 1 || body->arg_count != 2 ||
      end->operand_count != 1 || hd_operand(end, 0) != hd_result(inner, 0))
    return NULL;
  hd_value *a = hd_operand(inner, 0), *b = hd_operand(inner, 1);
  return a != b && hd_value_block(a) == body && hd_value_block(b) == body && a->is_block_arg && b->is_block_arg ? inner
                                                                                                                : NULL;
}

bool hd_op_broadcasts_implicitly(const hd_op *op) {
  if (!hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) || op->operand_count < 2 ||
      op->operand_count > HD_BROADCAST_MAX_OPERANDS)
    return false;
  hd_ident name = hd_name_ident(hd_op_context(op), HD_NAME_broadcast_dimensions);
  for (uint32_t i = 0; i < op->attr_count; ++i)
    if (op->attrs[i].name == name) return true;
  return false;
}

bool hd_op_is_chlo_broadcast(const hd_op *op) { return hd_str_starts(hd_ident_str(op->name), "chlo.broadcast_"); }

bool hd_op_is_trivially_dead(hd_op *op) {
  if (hd_op_has_any_trait(op, HD_TRAIT(TERMINATOR) | HD_TRAIT(SYMBOL))) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_value_has_uses(&op->results[i])) return false;
  return hd_op_is_pure(op);
}

bool hd_op_erase_dead_inside(hd_op *op) {
  bool any = false;
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(inner, hd_op_region(op, r)) any |= hd_block_erase_dead(inner);
  return any;
}

bool hd_block_erase_dead(hd_block *block) {
  bool any = false;
  for (hd_op *op = block->last, *previous; op; op = previous) {
    previous = op->prev;
    if (hd_op_is_trivially_dead(op)) {
      hd_op_erase(op);
      any = true;
      continue;
    }
    any |= hd_op_erase_dead_inside(op);
  }
  return any;
}

hd_attr hd_value_constant(const hd_value *value) {
  hd_op *op = hd_value_op(value);
  return op && hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) ? hd_constant_like_value(op) : NULL;
}

bool hd_value_constant_int(const hd_value *value, int64_t *out) {
  return hd_attr_splat_int(hd_value_constant(value), out);
}

static bool count_op(hd_op *op, void *user) {
  (void)op;
  ++*(size_t *)user;
  return true;
}

size_t hd_op_count(hd_op *root) {
  size_t count = 0;
  hd_walk_pre(root, count_op, &count);
  return count;
}
