/* SPDX-License-Identifier: Apache-2.0 */
/* cse: of equal ops one is left.
 *
 *   %1 = arith.addi %a, %b             %1 = arith.addi %a, %b
 *   %2 = arith.addi %a, %b      ->     use(%1, %1)
 *   use(%1, %2)
 *
 * Ops are equal when they are pure, have no regions, and agree in name, operands, attributes and result types. An op is
 * replaced by an equal one before it in its block, or in a block around it. Dead ops go too. */
#include "passes/graph/cse.h"

#include "base/vec.h"
#include "passes/passes.h"

typedef struct scope {
  struct scope *outer;
  hd_map seen; /* content -> op */
} scope;

static void add_key(hd_strbuf *key, const void *pointer) { hd_strbuf_put(key, &pointer, sizeof pointer); }

static void make_key(hd_op *op, hd_strbuf *key) {
  add_key(key, op->name);
  for (uint32_t i = 0; i < op->operand_count; ++i) add_key(key, hd_operand(op, i));
  add_key(key, NULL);
  for (uint32_t i = 0; i < op->attr_count; ++i) {
    add_key(key, op->attrs[i].name);
    add_key(key, op->attrs[i].value);
  }
  add_key(key, NULL);
  for (uint32_t i = 0; i < op->result_count; ++i) add_key(key, hd_result_type(op, i));
}

bool hd_ops_equal(hd_op *a, hd_op *b) {
  if (a->name != b->name || a->operand_count != b->operand_count || a->attr_count != b->attr_count ||
      a->result_count != b->result_count || a->region_count || b->region_count)
    return false;
  for (uint32_t i = 0; i < a->operand_count; ++i)
    if (hd_operand(a, i) != hd_operand(b, i)) return false;
  for (uint32_t i = 0; i < a->attr_count; ++i)
    if (a->attrs[i].name != b->attrs[i].name || a->attrs[i].value != b->attrs[i].value) return false;
  for (uint32_t i = 0; i < a->result_count; ++i)
    if (hd_result_type(a, i) != hd_result_type(b, i)) return false;
  return true;
}

static hd_op *find_equal(scope *s, const hd_strbuf *key) {
  for (; s; s = s->outer) {
    hd_map_entry *entry = hd_map_find_bytes(&s->seen, key->data, key->len);
    if (entry) return entry->value.ptr;
  }
  return NULL;
}

typedef struct cse {
  hd_arena *arena;
  hd_visit reads_alike; /* may be null */
  void *user;
  bool changed;
  hd_strbuf key; /* of the op at hand; the scopes copy it */
} cse;

static void run_block(cse *c, hd_block *block, scope *outer) {
  scope s = {.outer = outer};
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
      hd_for_each_block(inner, region) run_block(c, inner, isolated || region->first != region->last ? NULL : &s);
    }
    if (op->region_count || !op->result_count) continue;
    if (!hd_op_is_pure(op) && !(c->reads_alike && c->reads_alike(op, c->user))) continue;
    c->key.len = 0;
    make_key(op, &c->key);
    hd_op *equal = find_equal(&s, &c->key);
    if (!equal) {
      hd_map_insert_bytes(c->arena, &s.seen, c->key.data, c->key.len, NULL)->value.ptr = op;
      continue;
    }
    hd_value **values = hd_new_array(c->arena, hd_value *, op->result_count);
    for (uint32_t i = 0; i < op->result_count; ++i) values[i] = hd_result(equal, i);
    hd_op_replace(op, values);
    c->changed = true;
  }
}

bool hd_cse_block(hd_arena *arena, hd_block *block, hd_visit reads_alike, void *user) {
  cse c = {.arena = arena, .reads_alike = reads_alike, .user = user};
  hd_strbuf_init(&c.key, arena);
  run_block(&c, block, NULL);
  return c.changed;
}

bool hd_pass_cse(hd_pass *pass, hd_op *module) {
  for (uint32_t r = 0; r < module->region_count; ++r)
    hd_for_each_block(block, hd_op_region(module, r)) pass->changed |= hd_cse_block(&pass->arena, block, NULL, NULL);
  return true;
}
