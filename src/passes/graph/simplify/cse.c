/* SPDX-License-Identifier: Apache-2.0 */
/* cse: of equal ops one is left.
 *
 *   %1 = arith.addi %a, %b             %1 = arith.addi %a, %b
 *   %2 = arith.addi %a, %b      ->     use(%1, %1)
 *   use(%1, %2)
 *
 * Ops are equal when they are pure, have no regions, and agree in name, operands, attributes and result types. An op is
 * replaced by an equal one before it in its block, or in a block around it. Dead ops go too. */
#include "passes/graph/simplify/cse.h"

#include "base/vec.h"
#include "passes/passes.h"

/* Ops that a later one may be equal to, by the hash of what equal ones share. The last come go first, when their block
 * ends, so a slot is freed as if it had never been taken. */
typedef struct seen_op {
  hd_op *op;
  uint64_t hash;
  size_t slot;
} seen_op;

typedef struct cse {
  hd_arena *arena;
  hd_visit reads_alike; /* may be null */
  void *user;
  bool changed;
  hd_vec(seen_op) seen;
  uint32_t *slots; /* index + 1 into |seen|, 0 when free */
  size_t slot_count;
  size_t floor; /* what was seen before it does not dominate */
} cse;

static uint64_t add_pointer(uint64_t hash, const void *pointer) {
  return hd_hash_mix(hash, (uint64_t)(uintptr_t)pointer);
}

static uint64_t hash_op(hd_op *op) {
  uint64_t hash = add_pointer(0, op->name);
  for (uint32_t i = 0; i < op->operand_count; ++i) hash = add_pointer(hash, hd_operand(op, i));
  hd_for_each_attr(attr, op) hash = add_pointer(add_pointer(hash, attr.name), attr.value);
  for (uint32_t i = 0; i < op->result_count; ++i) hash = add_pointer(hash, hd_result_type(op, i));
  return hash;
}

bool hd_ops_equal(hd_op *a, hd_op *b) {
  if (a->name != b->name || a->operand_count != b->operand_count || a->attr_count != b->attr_count ||
      a->result_count != b->result_count || a->region_count || b->region_count)
    return false;
  for (uint32_t i = 0; i < a->operand_count; ++i)
    if (hd_operand(a, i) != hd_operand(b, i)) return false;
  for (uint32_t i = hd_row_names(hd_opcode_get(a))->count; i-- > 0;)
    if (a->properties[i] != b->properties[i]) return false;
  for (uint32_t i = 0; i < a->attr_count; ++i)
    if (a->attrs[i].name != b->attrs[i].name || a->attrs[i].value != b->attrs[i].value) return false;
  for (uint32_t i = 0; i < a->result_count; ++i)
    if (hd_result_type(a, i) != hd_result_type(b, i)) return false;
  return true;
}

static void take_slot(cse *c, seen_op *seen, size_t index) {
  size_t at = seen->hash & (c->slot_count - 1);
  while (c->slots[at]) at = (at + 1) & (c->slot_count - 1);
  c->slots[at] = (uint32_t)index + 1;
  seen->slot = at;
}

/* The op before |op| that is equal to it; null: there is none, and |op| is seen from now on. */
static hd_op *find_equal(cse *c, hd_op *op) {
  uint64_t hash = hash_op(op);
  if (c->seen.len * 2 >= c->slot_count) {
    c->slot_count = c->slot_count ? c->slot_count * 2 : 256;
    c->slots = hd_new_array(c->arena, uint32_t, c->slot_count);
    for (size_t i = 0; i < c->seen.len; ++i) take_slot(c, &c->seen.data[i], i);
  }
  for (size_t at = hash & (c->slot_count - 1); c->slots[at]; at = (at + 1) & (c->slot_count - 1)) {
    const seen_op *other = &c->seen.data[c->slots[at] - 1];
    if (other->hash == hash && c->slots[at] > c->floor && hd_ops_equal(other->op, op)) return other->op;
  }
  hd_vec_push(c->arena, &c->seen, ((seen_op){.op = op, .hash = hash}));
  take_slot(c, &c->seen.data[c->seen.len - 1], c->seen.len - 1);
  return NULL;
}

/* |alone|: an equal op outside of the block need not dominate it. */
static void run_block(cse *c, hd_block *block, bool alone) {
  size_t outer = c->seen.len, floor = c->floor;
  if (alone) c->floor = outer;
  hd_for_each_op_safe(op, block) {
    if (hd_op_is_trivially_dead(op)) {
      hd_op_erase(op);
      c->changed = true;
      continue;
    }
    bool isolated = hd_op_has_trait(op, HD_TRAIT(ISOLATED));
    for (uint32_t r = 0; r < op->region_count; ++r) {
      hd_region *region = hd_op_region(op, r);
      /* Between blocks of a CFG an equal op need not dominate: each block starts anew. */
      hd_for_each_block(inner, region) run_block(c, inner, isolated || region->first != region->last);
    }
    if (op->region_count || !op->result_count) continue;
    if (!hd_op_is_pure(op) && !(c->reads_alike && c->reads_alike(op, c->user))) continue;
    hd_op *equal = find_equal(c, op);
    if (!equal) continue;
    hd_value **values = hd_new_array(c->arena, hd_value *, op->result_count);
    for (uint32_t i = 0; i < op->result_count; ++i) values[i] = hd_result(equal, i);
    hd_op_replace(op, values);
    c->changed = true;
  }
  while (c->seen.len > outer) c->slots[hd_vec_pop(&c->seen).slot] = 0;
  c->floor = floor;
}

bool hd_cse_block(hd_arena *arena, hd_block *block, hd_visit reads_alike, void *user) {
  cse c = {.arena = arena, .reads_alike = reads_alike, .user = user};
  run_block(&c, block, true);
  return c.changed;
}

bool hd_pass_cse(hd_pass *pass, hd_op *module) {
  for (uint32_t r = 0; r < module->region_count; ++r)
    hd_for_each_block(block, hd_op_region(module, r)) pass->changed |= hd_cse_block(&pass->arena, block, NULL, NULL);
  return true;
}
