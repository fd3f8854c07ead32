/* SPDX-License-Identifier: Apache-2.0 */
/* disc-loop-invariant: stablehlo.while carries what changes, and computes what depends on it.
 *
 *   %0:2 = stablehlo.while(%i = %zero, %x = %a)         %e = stablehlo.exponential %a
 *     cond { %i < %n }                             ->   %0 = stablehlo.while(%i = %zero)
 *     do { %e = stablehlo.exponential %x                  cond { %i < %n }
 *          return f(%i, %e), %x }                         do { return f(%i, %e) }
 *
 * 1. A carried tuple is carried as its elements.
 * 2. A transparent argument, one that the body gives back as it was (or gives its initial value), goes: uses in both
 *    regions and of the result become uses of the initial value. So does one that only its own next value reads.
 * 3. Ops of which all operands, those of inner regions too, are defined outside move before the loop, in order, so that
 *    chains move as a whole; inner loops come first. The condition runs at least once, so its ops need to be pure; ops
 *    of the body must be free of errors too, those of dims that contradict included, since it may never run.
 *
 * With `keep-inflating` what only spreads few elements over many (broadcasts, iota) stays in the loop: the kernels
 * there read through it, where before the loop it would be written to memory.
 *
 * 4. Out of branches of an if or case in the loop, also nested ones, move what costs the path not taken next to
 *    nothing, and what every branch computes (branch_invariants.c).
 *
 * Leaves ops with effects. */
#include "base/vec.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/graph/loop/loop_invariant_code_motion.h"
#include "passes/passes.h"

static hd_block *region_block(hd_op *loop, uint32_t r) { return hd_op_region(loop, r)->first; }

/* A loop with |operands| takes the place of |loop|'s regions; the results of |loop| are the caller's to replace. */
static hd_op *build_loop(hd_op *loop, hd_value **operands, uint32_t count, hd_arena *arena) {
  hd_builder b = hd_builder_before(loop);
  hd_type *types = hd_new_array(arena, hd_type, count + 1);
  for (uint32_t i = 0; i < count; ++i) types[i] = operands[i]->type;
  return hd_build_like(&b, loop, HD_OP_stablehlo_while, operands, count, types, count);
}

/* Result |i| of a loop is where entry |from|[i] of |entries| says, or, of a tuple, element |part|[i] of that. */
static void place(hd_op *loop, hd_attr entries, const uint32_t *from, const uint32_t *part, hd_arena *arena) {
  if (!hd_attr_is(entries, HD_ATTR_ARRAY)) return;
  hd_attr *own = hd_new_array(arena, hd_attr, loop->result_count + 1);
  for (uint32_t i = 0; i < loop->result_count; ++i) {
    own[i] = from[i] < entries->array.count ? entries->array.items[from[i]] : NULL;
    if (own[i] && part && part[i] != UINT32_MAX)
      own[i] = hd_attr_is(own[i], HD_ATTR_ARRAY) && part[i] < own[i]->array.count ? own[i]->array.items[part[i]] : NULL;
    if (!own[i]) return; /* the verifier says what is wrong with them */
  }
  hd_placement_set_entries(loop, hd_attr_array(loop->module->context, own, loop->result_count));
}

/* Tuples ---------------------------------------------------------------------------------------------------------- */

static hd_value *element_of(hd_builder *b, hd_value *tuple, uint32_t i) {
  hd_op *op = hd_value_op(tuple);
  if (hd_op_is(op, HD_OP_stablehlo_tuple)) return hd_operand(op, i);
  return hd_stablehlo_get_tuple_element(b, i, tuple);
}

/* get_tuple_element of |elements| in place of |tuple|; a tuple is made again for other uses. */
static void use_elements(hd_builder *b, hd_value *tuple, hd_value *const *elements) {
  for (hd_use *use = tuple->first_use, *next; use; use = next) {
    next = use->next;
    if (!hd_op_is(use->owner, HD_OP_stablehlo_get_tuple_element)) continue;
    hd_value *element = elements[hd_stablehlo_get_tuple_element_index(use->owner)];
    hd_op_replace(use->owner, &element);
  }
  if (!hd_value_has_uses(tuple)) return;
  hd_value_replace_uses(tuple, hd_stablehlo_tuple(b, elements, tuple->type->function.in_count));
}

/* The loop with carried tuple |at| taken apart. */
static hd_op *open_tuple(hd_op *loop, uint32_t at, hd_arena *arena) {
  hd_module *module = loop->module;
  uint32_t n = hd_operand_type(loop, at)->function.in_count, count = loop->operand_count - 1 + n;
  hd_value **operands = hd_new_array(arena, hd_value *, count + 1), **elements = hd_new_array(arena, hd_value *, n + 1);
  hd_builder before = hd_builder_before(loop);
  uint32_t *from = hd_new_array(arena, uint32_t, count + 1), *part = hd_new_array(arena, uint32_t, count + 1);
  for (uint32_t i = 0, to = 0; i < loop->operand_count; ++i)
    for (uint32_t k = 0; k < (i == at ? n : 1); ++k) {
      from[to] = i;
      part[to] = i == at ? k : UINT32_MAX;
      operands[to++] = i == at ? element_of(&before, hd_operand(loop, i), k) : hd_operand(loop, i);
    }
  for (uint32_t r = 0; r < 2; ++r) {
    hd_block *block = region_block(loop, r);
    hd_value *tuple = block->args[at];
    for (uint32_t k = 0; k < n; ++k)
      elements[k] = hd_block_insert_arg(module, block, at + 1 + k, tuple->type->function.ins[k]);
    hd_builder start = hd_builder_at_start(module, block);
    start.loc = loop->loc;
    use_elements(&start, tuple, elements);
    hd_block_erase_arg(block, at);
    if (r == 0) continue;
    hd_op *yield = block->last;
    hd_builder end = hd_builder_before(yield);
    hd_value **values = hd_new_array(arena, hd_value *, count + 1);
    for (uint32_t i = 0, to = 0; i < yield->operand_count; ++i)
      for (uint32_t k = 0; k < (i == at ? n : 1); ++k)
        values[to++] = i == at ? element_of(&end, hd_operand(yield, i), k) : hd_operand(yield, i);
    hd_op_set_operands(yield, values, count);
  }
  hd_op *opened = build_loop(loop, operands, count, arena);
  place(opened, hd_placement_entries(loop), from, part, arena);
  for (uint32_t k = 0; k < n; ++k) elements[k] = hd_result(opened, at + k);
  hd_builder after = hd_builder_after(opened);
  use_elements(&after, hd_result(loop, at), elements);
  for (uint32_t i = 0; i < loop->result_count; ++i)
    if (i != at) hd_value_replace_uses(hd_result(loop, i), hd_result(opened, i < at ? i : i - 1 + n));
  hd_op_erase(loop);
  return opened;
}

/* Carried values that say nothing -----------------------------------------------------------------------------------
 */

typedef struct liveness {
  hd_op *loop;
  hd_block *body;
  bool *live; /* per carried value */
  hd_map seen;
  hd_vec(hd_value *) work;
  hd_arena *arena;
} liveness;

static bool need_operands(hd_op *op, void *user) {
  liveness *l = user;
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_vec_push(l->arena, &l->work, hd_operand(op, i));
  return true;
}

static void need_op(liveness *l, hd_op *op) {
  if (!op || hd_map_get(&l->seen, op)) return;
  hd_map_set(l->arena, &l->seen, op, op);
  hd_walk_pre(op, need_operands, l);
}

/* Which carried values the results that are used, the condition and effects depend on. */
static void find_live(liveness *l) {
  hd_op *yield = l->body->last;
  for (uint32_t i = 0; i < l->loop->result_count; ++i)
    if (hd_value_has_uses(hd_result(l->loop, i)) || hd_value_has_uses(region_block(l->loop, 0)->args[i]))
      hd_vec_push(l->arena, &l->work, l->body->args[i]);
  hd_for_each_op(op, l->body)
    if (op != yield && !hd_op_is_pure(op)) need_op(l, op);
  while (l->work.len) {
    hd_value *value = hd_vec_pop(&l->work);
    hd_block *home = hd_value_block(value);
    if (home == l->body && value->is_block_arg) {
      if (l->live[value->index]) continue;
      l->live[value->index] = true;
      hd_vec_push(l->arena, &l->work, hd_operand(yield, value->index));
    } else if (!value->is_block_arg && hd_op_is_ancestor(l->loop, hd_value_op(value))) {
      need_op(l, hd_block_ancestor_op(l->body, hd_value_op(value)));
    }
  }
}

/* The loop without the carried values that are transparent or not live. */
static hd_op *drop_carried(hd_op *loop, hd_arena *arena) {
  uint32_t n = loop->operand_count, kept = 0;
  hd_block *cond = region_block(loop, 0), *body = region_block(loop, 1);
  hd_op *yield = body->last;
  liveness l = {.loop = loop, .body = body, .live = hd_new_array(arena, bool, n + 1), .arena = arena};
  for (uint32_t i = 0; i < n; ++i) {
    hd_value *init = hd_operand(loop, i), *next = hd_operand(yield, i);
    if ((next != body->args[i] && next != init) || init->type != body->args[i]->type ||
        init->type != cond->args[i]->type || init->type != hd_result_type(loop, i))
      continue;
    hd_value_replace_uses(cond->args[i], init);
    hd_value_replace_uses(body->args[i], init);
    hd_value_replace_uses(hd_result(loop, i), init);
  }
  find_live(&l);
  hd_value **operands = hd_new_array(arena, hd_value *, n + 1), **values = hd_new_array(arena, hd_value *, n + 1);
  uint32_t *from = hd_new_array(arena, uint32_t, n + 1);
  for (uint32_t i = 0; i < n; ++i)
    if (l.live[i]) from[kept] = i, operands[kept] = hd_operand(loop, i), values[kept++] = hd_operand(yield, i);
  if (kept == n) return loop;
  hd_op_set_operands(yield, values, kept);
  /* What computed the dropped values alone is dead now. */
  for (hd_op *op = yield->prev, *previous; op; op = previous) {
    previous = op->prev;
    if (hd_op_is_trivially_dead(op)) hd_op_erase(op);
  }
  for (uint32_t i = n; i-- > 0;)
    if (!l.live[i]) hd_block_erase_arg(cond, i), hd_block_erase_arg(body, i);
  hd_op *smaller = build_loop(loop, operands, kept, arena);
  place(smaller, hd_placement_entries(loop), from, NULL, arena);
  for (uint32_t i = 0, to = 0; i < n; ++i)
    if (l.live[i]) hd_value_replace_uses(hd_result(loop, i), hd_result(smaller, to++));
  hd_op_erase(loop);
  return smaller;
}

enum { SMALL = 64 }; /* elements that cost nothing to keep */

static bool is_not_inflating(hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_broadcast:
    case HD_OP_stablehlo_broadcast_in_dim:
    case HD_OP_stablehlo_dynamic_broadcast_in_dim:
    case HD_OP_stablehlo_iota:
    case HD_OP_stablehlo_dynamic_iota: {
      hd_type type = hd_result_type(op, 0);
      int64_t count = hd_type_num_elements(type),
              from = op->operand_count ? hd_type_num_elements(hd_operand_type(op, 0)) : 0;
      return count >= 0 && (count <= SMALL || count <= from);
    }
    default:
      return true;
  }
}

typedef struct invariants {
  hd_pass *pass;
  hd_hoisting hoisting;
} invariants;

static bool visit(hd_op *loop, void *user) {
  invariants *in = user;
  hd_pass *pass = in->pass;
  if (!hd_op_is(loop, HD_OP_stablehlo_while)) return true;
  if (!region_block(loop, 0) || !region_block(loop, 1))
    return hd_op_error(loop, "expects a block in each region, got none");
  for (uint32_t i = 0; i < loop->operand_count; ++i)
    if (hd_type_is(hd_operand_type(loop, i), HD_TYPE_TUPLE)) {
      loop = open_tuple(loop, i--, &pass->arena);
      pass->changed = true;
    }
  for (;;) {
    uint32_t carried = loop->operand_count;
    loop = drop_carried(loop, &pass->arena);
    bool hoisted = hd_hoist_invariant(&in->hoisting, loop, 0);
    while (hd_hoist_from_branches(&in->hoisting, loop)) {
      hoisted = true;
      hd_hoist_invariant(&in->hoisting, loop, 0);
    }
    pass->changed |= hoisted || loop->operand_count != carried;
    if (!hoisted || loop->operand_count == carried) return true;
  }
}

bool hd_pass_loop_invariant(hd_pass *pass, hd_op *func) {
  bool keep = hd_option_bool(pass, "keep-inflating");
  invariants in = {pass, {.pass = pass, .func = func, .may_move = keep ? is_not_inflating : NULL}};
  if (!hd_walk_post(func, visit, &in)) return false;
  if (pass->changed) hd_op_erase_dead_inside(func); /* tuples that were taken apart */
  return true;
}
