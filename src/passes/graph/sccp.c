/* SPDX-License-Identifier: Apache-2.0 */
/* sccp: sparse conditional constant propagation, through calls, regions and blocks.
 *
 *   %c = stablehlo.constant dense<true>                      %c = stablehlo.constant dense<true>
 *   %0 = "stablehlo.if"(%c) ({ return %one }, { ... })   ->  (with simplify-branches the if is gone too)
 *   use(%0)                                                  use(%one)
 *
 * A value is unknown until an op that is reached gives it a constant; two different constants, or anything else, make
 * it varying. Only what is reached counts: a branch that constants rule out adds nothing, so constants go round loops.
 * Followed: cf branches, scf.if/for/while/index_switch/execute_region, stablehlo if/case/while, calls of private
 * functions that nothing but calls names. Arguments and results of any other region vary.
 *
 * Values that are constant are replaced and ops that are dead then go. With `simplify-branches` control flow that is
 * decided goes as well: the branch taken replaces the op, blocks that nothing reaches are erased. */
#include "base/vec.h"
#include "ir/fold.h"
#include "passes/passes.h"

/* Stands for "varies" where otherwise a constant stands; null is "not known yet". */
static const struct hd_attr_storage varies_storage;
#define VARIES (&varies_storage)

typedef struct sccp {
  hd_pass *pass;
  hd_map values;   /* hd_value -> constant or VARIES */
  hd_map live;     /* blocks that are reached */
  hd_map callable; /* functions that are followed -> their calls, a struct calls */
  hd_vec(hd_op *) work;
  hd_map queued;
} sccp;

typedef struct calls {
  hd_vec(hd_op *) ops;
} calls;

static hd_attr state_of(sccp *s, hd_value *value) {
  hd_attr constant = hd_value_constant(value);
  return constant ? constant : hd_map_get(&s->values, value);
}

static void queue(sccp *s, hd_op *op) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert(&s->pass->arena, &s->queued, op, &is_new);
  if (entry->value.ptr) return;
  entry->value.ptr = op;
  hd_vec_push(&s->pass->arena, &s->work, op);
}

/* |value| may also be |state|. */
static void join(sccp *s, hd_value *value, hd_attr state) {
  hd_attr old = hd_map_get(&s->values, value);
  if (!state || old == state || old == VARIES) return;
  if (state != VARIES && state->type != value->type) state = VARIES;
  hd_map_set(&s->pass->arena, &s->values, value, (void *)(old ? VARIES : state));
  hd_for_each_use(use, value) queue(s, use->owner);
}

static void reach(sccp *s, hd_block *block) {
  if (!block || hd_map_get(&s->live, block)) return;
  hd_map_set(&s->pass->arena, &s->live, block, block);
  hd_for_each_op(op, block) queue(s, op);
}

static void join_operands(sccp *s, hd_op *from, uint32_t first, hd_value *const *to, uint32_t count) {
  for (uint32_t i = 0; i < count && first + i < from->operand_count; ++i)
    join(s, to[i], state_of(s, hd_operand(from, first + i)));
}

static void join_results(sccp *s, hd_op *from, uint32_t first, hd_op *to) {
  for (uint32_t i = 0; i < to->result_count && first + i < from->operand_count; ++i)
    join(s, hd_result(to, i), state_of(s, hd_operand(from, first + i)));
}

static void results_vary(sccp *s, hd_op *op) {
  for (uint32_t i = 0; i < op->result_count; ++i) join(s, hd_result(op, i), VARIES);
}

static hd_block *entry_of(hd_op *op, uint32_t r) { return r < op->region_count ? hd_op_region(op, r)->first : NULL; }

static void enter(sccp *s, hd_op *op, uint32_t r, uint32_t first_operand, uint32_t first_arg) {
  hd_block *block = entry_of(op, r);
  if (!block) return;
  if (block->arg_count > first_arg)
    join_operands(s, op, first_operand, block->args + first_arg, block->arg_count - first_arg);
  reach(s, block);
}

static bool known_int(hd_attr state, int64_t *out) { return state && state != VARIES && hd_fold_int(state, out); }

/* The region that a branch op runs: its number, -1 when any may, -2 when that is not known yet. */
static int64_t region_taken(sccp *s, hd_op *op) {
  hd_attr state = op->operand_count ? state_of(s, hd_operand(op, 0)) : VARIES;
  int64_t value;
  if (!state) return -2;
  if (!known_int(state, &value)) return -1;
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_if:
    case HD_OP_scf_if:
      return value ? 0 : 1;
    case HD_OP_stablehlo_case:
      return value < 0 || value >= (int64_t)op->region_count ? (int64_t)op->region_count - 1 : value;
    default: { /* scf.index_switch: region 0 is the default one */
      hd_attr cases = hd_op_attr_get(op, "cases");
      for (size_t i = 0; i < hd_attr_count(cases); ++i)
        if (hd_attr_int_at(cases, i) == value) return (int64_t)i + 1;
      return 0;
    }
  }
}

static void visit_branches(sccp *s, hd_op *op) {
  int64_t taken = region_taken(s, op);
  for (uint32_t r = 0; r < op->region_count && taken >= -1; ++r)
    if (taken < 0 || r == taken) reach(s, entry_of(op, r));
}

static void visit_for(sccp *s, hd_op *op) {
  int64_t lower, upper;
  bool known = known_int(state_of(s, hd_operand(op, 0)), &lower) && known_int(state_of(s, hd_operand(op, 1)), &upper) &&
               !hd_op_attr_get(op, "unsignedCmp");
  hd_block *body = entry_of(op, 0);
  if (!known || lower >= upper) join_results(s, op, 3, op);
  if (known && lower >= upper) return;
  join(s, body->args[0], VARIES);
  enter(s, op, 0, 3, 1);
}

/* A terminator of a region: where its operands go depends on what the region belongs to. */
static void visit_region_end(sccp *s, hd_op *end, hd_op *parent) {
  uint32_t region = (uint32_t)(end->block->region - parent->regions);
  hd_block *first = entry_of(parent, 0), *second = entry_of(parent, 1);
  int64_t condition;
  switch (hd_opcode_get(parent)) {
    case HD_OP_stablehlo_if:
    case HD_OP_stablehlo_case:
    case HD_OP_scf_if:
    case HD_OP_scf_index_switch:
    case HD_OP_scf_execute_region:
      join_results(s, end, 0, parent);
      return;
    case HD_OP_scf_for:
      join_operands(s, end, 0, first->args + 1, first->arg_count - 1);
      join_results(s, end, 0, parent);
      return;
    case HD_OP_stablehlo_while:
    case HD_OP_scf_while: {
      bool scf = hd_op_is(parent, HD_OP_scf_while);
      if (region == 1) {
        join_operands(s, end, 0, first->args, first->arg_count);
        queue(s, first->last);
        return;
      }
      hd_attr state = state_of(s, hd_operand(end, 0));
      if (!state) return;
      bool decided = known_int(state, &condition);
      for (uint32_t i = 0; i < parent->result_count; ++i) {
        hd_attr carried = state_of(s, scf ? hd_operand(end, 1 + i) : first->args[i]);
        if (!decided || !condition) join(s, hd_result(parent, i), carried);
        if (!decided || condition) join(s, second->args[i], carried);
      }
      if (!decided || condition) reach(s, second);
      return;
    }
    case HD_OP_func_func: {
      calls *c = hd_map_get(&s->callable, parent);
      for (size_t i = 0; c && i < c->ops.len; ++i)
        if (hd_map_get(&s->live, c->ops.data[i]->block)) join_results(s, end, 0, c->ops.data[i]);
      return;
    }
    default:
      return;
  }
}

/* The successor that |op| goes to: its number, -1 when any may, -2 when that is not known yet. */
static int64_t successor_taken(sccp *s, hd_op *op) {
  bool is_switch = hd_op_is(op, HD_OP_cf_switch);
  hd_attr state = is_switch || hd_op_is(op, HD_OP_cf_cond_br) ? state_of(s, hd_operand(op, 0)) : VARIES;
  int64_t value;
  if (!state) return -2;
  if (!known_int(state, &value)) return -1;
  if (!is_switch) return value ? 0 : 1;
  hd_attr values = hd_op_attr_get(op, "case_values");
  for (size_t i = 0; values && i < hd_attr_count(values); ++i)
    if (hd_attr_int_at(values, i) == value) return (int64_t)i + 1;
  return 0;
}

/* The operands that |op| hands to successor |i|. */
static void successor_operands(hd_op *op, uint32_t i, uint32_t *start, uint32_t *count) {
  *start = 0;
  *count = op->operand_count;
  if (hd_op_is(op, HD_OP_cf_cond_br)) hd_op_operand_range(op, 1 + i, start, count);
  if (!hd_op_is(op, HD_OP_cf_switch)) return;
  hd_attr segments = hd_op_attr_get(op, "case_operand_segments");
  hd_op_operand_range(op, 1, start, count);
  for (uint32_t k = 1; k <= i; ++k) {
    *start += *count;
    *count = k - 1 < hd_attr_count(segments) ? (uint32_t)hd_attr_int_at(segments, k - 1) : 0;
  }
}

static void visit_jump(sccp *s, hd_op *op) {
  bool known = hd_op_is(op, HD_OP_cf_br) || hd_op_is(op, HD_OP_cf_cond_br) || hd_op_is(op, HD_OP_cf_switch);
  int64_t taken = successor_taken(s, op);
  for (uint32_t i = 0; i < op->successor_count && taken >= -1; ++i) {
    hd_block *to = op->successors[i];
    if (taken >= 0 && i != taken) continue;
    uint32_t start, count;
    successor_operands(op, i, &start, &count);
    for (uint32_t a = 0; a < to->arg_count; ++a)
      join(s, to->args[a], known && a < count ? state_of(s, hd_operand(op, start + a)) : VARIES);
    reach(s, to);
  }
}

static void visit_terminator(sccp *s, hd_op *op) {
  hd_op *parent = hd_op_parent(op);
  if (op->successor_count)
    visit_jump(s, op);
  else if (parent)
    visit_region_end(s, op, parent);
}

static void visit_call(sccp *s, hd_op *op) {
  hd_op *callee = hd_symbol_resolve(op, hd_op_attr_get(op, "callee"));
  hd_block *entry = callee && hd_map_get(&s->callable, callee) ? entry_of(callee, 0) : NULL;
  if (!entry) {
    results_vary(s, op);
    return;
  }
  join_operands(s, op, 0, entry->args, entry->arg_count);
  reach(s, entry);
  hd_for_each_block(block, hd_op_region(callee, 0)) if (hd_op_is(block->last, HD_OP_func_return) &&
                                                        hd_map_get(&s->live, block)) queue(s, block->last);
}

static void fold(sccp *s, hd_op *op) {
  hd_arena *arena = &s->pass->arena;
  hd_attr *operands = hd_new_array(arena, hd_attr, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_attr state = state_of(s, hd_operand(op, i));
    if (!state) return; /* visited again when it is known */
    operands[i] = state == VARIES ? NULL : state;
  }
  hd_fold_result *folded = hd_new_array(arena, hd_fold_result, op->result_count + 1);
  if (!hd_op_is_pure(op) || !hd_op_fold_with(op, operands, arena, folded)) {
    results_vary(s, op);
    return;
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    bool is_operand = false;
    for (uint32_t k = 0; k < op->operand_count; ++k) is_operand |= hd_operand(op, k) == folded[i].value;
    hd_attr state = folded[i].attr ? folded[i].attr : is_operand ? state_of(s, folded[i].value) : VARIES;
    join(s, hd_result(op, i), state);
  }
}

static void visit(sccp *s, hd_op *op) {
  if (!op->block || !hd_map_get(&s->live, op->block)) return;
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) {
    visit_terminator(s, op);
    return;
  }
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_if:
    case HD_OP_stablehlo_case:
    case HD_OP_scf_if:
    case HD_OP_scf_index_switch:
      visit_branches(s, op);
      if (hd_op_is(op, HD_OP_scf_if) && !entry_of(op, 1)) results_vary(s, op);
      return;
    case HD_OP_scf_execute_region:
      reach(s, entry_of(op, 0));
      return;
    case HD_OP_scf_for:
      visit_for(s, op);
      return;
    case HD_OP_stablehlo_while:
    case HD_OP_scf_while:
      enter(s, op, 0, 0, 0);
      if (entry_of(op, 0)) queue(s, entry_of(op, 0)->last);
      return;
    case HD_OP_func_call:
      visit_call(s, op);
      return;
    default:
      break;
  }
  for (uint32_t r = 0; r < op->region_count; ++r) {
    if (hd_map_get(&s->callable, op)) break; /* reached by its calls */
    hd_for_each_block(block, hd_op_region(op, r)) if (block == hd_op_region(op, r)->first) {
      for (uint32_t a = 0; a < block->arg_count; ++a) join(s, block->args[a], VARIES);
      reach(s, block);
    }
  }
  if (op->result_count) fold(s, op);
}

/* Which functions only calls name ---------------------------------------------------------------------------------- */

static void unfollow(hd_op *from, hd_attr symbol, void *user) {
  sccp *s = user;
  hd_op *target = hd_symbol_resolve(from, symbol);
  if (target && !(hd_op_is(from, HD_OP_func_call) && hd_op_attr_get(from, "callee") == symbol))
    hd_map_remove(&s->callable, target);
}

static bool add_private(hd_op *op, void *user) {
  sccp *s = user;
  if (hd_op_is(op, HD_OP_func_func) && hd_symbol_is_private(op) && hd_op_region(op, 0)->first)
    hd_map_set(&s->pass->arena, &s->callable, op, hd_new(&s->pass->arena, calls));
  return true;
}

static bool add_uses(hd_op *op, void *user) {
  sccp *s = user;
  hd_op_each_symbol(op, unfollow, s);
  hd_op *target = hd_op_is(op, HD_OP_func_call) ? hd_symbol_resolve(op, hd_op_attr_get(op, "callee")) : NULL;
  calls *c = target ? hd_map_get(&s->callable, target) : NULL;
  if (c) hd_vec_push(&s->pass->arena, &c->ops, op);
  return true;
}

/* What was found is written ---------------------------------------------------------------------------------------- */

static void replace(sccp *s, hd_value *value, hd_builder b, const hd_op *like) {
  hd_attr state = hd_map_get(&s->values, value);
  if (!state || state == VARIES || !hd_value_has_uses(value)) return;
  hd_value_replace_uses(value, hd_fold_materialise(&b, like, value->index, state));
  s->pass->changed = true;
}

static bool write(hd_op *op, void *user) {
  sccp *s = user;
  for (uint32_t r = 0; r < op->region_count; ++r) hd_for_each_block(block, hd_op_region(op, r)) {
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
static bool take_successor(sccp *s, hd_op *op) {
  int64_t taken = successor_taken(s, op);
  if (taken < 0) return false;
  uint32_t start, count;
  successor_operands(op, (uint32_t)taken, &start, &count);
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
  sccp *s = user;
  if (!op->block || !hd_map_get(&s->live, op->block)) return true;
  int64_t taken = -1;
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_if:
    case HD_OP_stablehlo_case:
    case HD_OP_scf_if:
    case HD_OP_scf_index_switch:
      taken = region_taken(s, op);
      if (taken < 0) return true;
      if (entry_of(op, (uint32_t)taken))
        take_region(op, entry_of(op, (uint32_t)taken));
      else
        hd_op_erase(op);
      break;
    case HD_OP_stablehlo_while: {
      if (!entry_of(op, 1) || hd_map_get(&s->live, entry_of(op, 1))) return true;
      hd_value **inits = hd_new_array(&s->pass->arena, hd_value *, op->operand_count + 1);
      for (uint32_t i = 0; i < op->operand_count; ++i) inits[i] = hd_operand(op, i);
      hd_op_replace(op, inits);
      break;
    }
    case HD_OP_cf_cond_br:
    case HD_OP_cf_switch:
      if (!take_successor(s, op)) return true;
      break;
    default:
      return true;
  }
  s->pass->changed = true;
  return true;
}

/* Blocks that nothing reaches, of a region that is reached. */
static bool drop_blocks(hd_op *op, void *user) {
  sccp *s = user;
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

bool hd_pass_sccp(hd_pass *pass, hd_op *module) {
  sccp s = {.pass = pass};
  hd_walk_pre(module, add_private, &s);
  hd_walk_pre(module, add_uses, &s);
  reach(&s, hd_module_body(pass->module));
  while (s.work.len) {
    hd_op *op = hd_vec_pop(&s.work);
    hd_map_insert(&pass->arena, &s.queued, op, NULL)->value.ptr = NULL;
    visit(&s, op);
  }
  if (hd_pass_bool(pass, "simplify-branches", false)) {
    hd_walk_post(module, simplify, &s);
    hd_walk_pre(module, drop_blocks, &s);
  }
  hd_walk_post(module, write, &s);
  return true;
}
