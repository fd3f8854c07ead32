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
#include "passes/graph/simplify/sccp.h"

#include "eval/fold.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/scf.h"
#include "passes/passes.h"

const struct hd_attr_storage hd_sccp_varies;

typedef struct calls {
  hd_vec(hd_op *) ops;
} calls;

static hd_attr state_of(hd_sccp *s, hd_value *value) {
  hd_attr constant = hd_value_constant(value);
  return constant ? constant : hd_map_get(&s->values, value);
}

static void queue(hd_sccp *s, hd_op *op) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert(&s->pass->arena, &s->queued, op, &is_new);
  if (entry->value.ptr) return;
  entry->value.ptr = op;
  hd_vec_push(&s->pass->arena, &s->work, op);
}

/* |value| may also be |state|. */
static void join(hd_sccp *s, hd_value *value, hd_attr state) {
  hd_attr old = hd_map_get(&s->values, value);
  if (!state || old == state || old == HD_SCCP_VARIES) return;
  if (state != HD_SCCP_VARIES && state->type != value->type) state = HD_SCCP_VARIES;
  hd_map_set(&s->pass->arena, &s->values, value, (void *)(old ? HD_SCCP_VARIES : state));
  hd_for_each_use(use, value) queue(s, use->owner);
}

static void reach(hd_sccp *s, hd_block *block) {
  if (!block || hd_map_get(&s->live, block)) return;
  hd_map_set(&s->pass->arena, &s->live, block, block);
  hd_for_each_op(op, block) queue(s, op);
}

static void join_operands(hd_sccp *s, hd_op *from, uint32_t first, hd_value *const *to, uint32_t count) {
  for (uint32_t i = 0; i < count && first + i < from->operand_count; ++i)
    join(s, to[i], state_of(s, hd_operand(from, first + i)));
}

static void join_results(hd_sccp *s, hd_op *from, uint32_t first, hd_op *to) {
  for (uint32_t i = 0; i < to->result_count && first + i < from->operand_count; ++i)
    join(s, hd_result(to, i), state_of(s, hd_operand(from, first + i)));
}

static void results_vary(hd_sccp *s, hd_op *op) {
  for (uint32_t i = 0; i < op->result_count; ++i) join(s, hd_result(op, i), HD_SCCP_VARIES);
}

hd_block *hd_sccp_entry(hd_op *op, uint32_t r) { return r < op->region_count ? hd_op_region(op, r)->first : NULL; }

static void enter(hd_sccp *s, hd_op *op, uint32_t r, uint32_t first_operand, uint32_t first_arg) {
  hd_block *block = hd_sccp_entry(op, r);
  if (!block) return;
  if (block->arg_count > first_arg)
    join_operands(s, op, first_operand, block->args + first_arg, block->arg_count - first_arg);
  reach(s, block);
}

static bool known_int(hd_attr state, int64_t *out) {
  return state && state != HD_SCCP_VARIES && hd_attr_splat_int(state, out);
}

int64_t hd_sccp_region_taken(hd_sccp *s, hd_op *op) {
  hd_attr state = op->operand_count ? state_of(s, hd_operand(op, 0)) : HD_SCCP_VARIES;
  int64_t value;
  if (!state) return -2;
  if (!known_int(state, &value)) return -1;
  if (hd_op_is(op, HD_OP_stablehlo_case))
    return value < 0 || value >= (int64_t)op->region_count ? (int64_t)op->region_count - 1 : value;
  if (!hd_op_is(op, HD_OP_scf_index_switch)) return value ? 0 : 1;
  hd_attr cases = hd_scf_index_switch_cases(op); /* region 0 is the default one */
  for (size_t i = 0; i < hd_attr_count(cases); ++i)
    if (hd_attr_int_at(cases, i) == value) return (int64_t)i + 1;
  return 0;
}

static void visit_branches(hd_sccp *s, hd_op *op) {
  int64_t taken = hd_sccp_region_taken(s, op);
  for (uint32_t r = 0; r < op->region_count && taken >= -1; ++r)
    if (taken < 0 || r == taken) reach(s, hd_sccp_entry(op, r));
}

static void visit_for(hd_sccp *s, hd_op *op) {
  int64_t lower, upper;
  bool known = known_int(state_of(s, hd_operand(op, 0)), &lower) && known_int(state_of(s, hd_operand(op, 1)), &upper) &&
               !hd_scf_for_unsignedCmp_attr(op);
  hd_block *body = hd_sccp_entry(op, 0);
  if (!known || lower >= upper) join_results(s, op, 3, op);
  if (known && lower >= upper) return;
  join(s, body->args[0], HD_SCCP_VARIES);
  enter(s, op, 0, 3, 1);
}

/* Ends of the body and of the condition of a loop. */
static void visit_loop_end(hd_sccp *s, hd_op *end, hd_op *loop) {
  hd_block *first = hd_sccp_entry(loop, 0), *second = hd_sccp_entry(loop, 1);
  int64_t condition;
  if (end->block->region == &loop->regions[1]) {
    join_operands(s, end, 0, first->args, first->arg_count);
    queue(s, first->last);
    return;
  }
  hd_attr state = state_of(s, hd_operand(end, 0));
  if (!state) return;
  bool decided = known_int(state, &condition);
  for (uint32_t i = 0; i < loop->result_count; ++i) {
    hd_attr carried = state_of(s, hd_op_is(loop, HD_OP_scf_while) ? hd_operand(end, 1 + i) : first->args[i]);
    if (!decided || !condition) join(s, hd_result(loop, i), carried);
    if (!decided || condition) join(s, second->args[i], carried);
  }
  if (!decided || condition) reach(s, second);
}

/* A terminator of a region: where its operands go depends on what the region belongs to. */
static void visit_region_end(hd_sccp *s, hd_op *end, hd_op *parent) {
  if (hd_op_has_trait(parent, HD_TRAIT(WHILE))) {
    visit_loop_end(s, end, parent);
  } else if (hd_op_has_trait(parent, HD_TRAIT(BRANCHES)) || hd_op_is(parent, HD_OP_scf_execute_region)) {
    join_results(s, end, 0, parent);
  } else if (hd_op_is(parent, HD_OP_scf_for)) {
    hd_block *body = hd_sccp_entry(parent, 0);
    join_operands(s, end, 0, body->args + 1, body->arg_count - 1);
    join_results(s, end, 0, parent);
  } else if (hd_op_is(parent, HD_OP_func_func)) {
    calls *c = hd_map_get(&s->callable, parent);
    for (size_t i = 0; c && i < c->ops.len; ++i)
      if (hd_map_get(&s->live, c->ops.data[i]->block)) join_results(s, end, 0, c->ops.data[i]);
  }
}

int64_t hd_sccp_successor_taken(hd_sccp *s, hd_op *op) {
  bool is_switch = hd_op_is(op, HD_OP_cf_switch);
  hd_attr state = is_switch || hd_op_is(op, HD_OP_cf_cond_br) ? state_of(s, hd_operand(op, 0)) : HD_SCCP_VARIES;
  int64_t value;
  if (!state) return -2;
  if (!known_int(state, &value)) return -1;
  if (!is_switch) return value ? 0 : 1;
  hd_attr values = hd_switch_like_case_values(op);
  for (size_t i = 0; values && i < hd_attr_count(values); ++i)
    if (hd_attr_int_at(values, i) == value) return (int64_t)i + 1;
  return 0;
}

static void visit_jump(hd_sccp *s, hd_op *op) {
  bool known = hd_op_is(op, HD_OP_cf_br) || hd_op_is(op, HD_OP_cf_cond_br) || hd_op_is(op, HD_OP_cf_switch);
  int64_t taken = hd_sccp_successor_taken(s, op);
  for (uint32_t i = 0; i < op->successor_count && taken >= -1; ++i) {
    hd_block *to = op->successors[i];
    if (taken >= 0 && i != taken) continue;
    uint32_t start, count;
    hd_op_successor_operands(op, i, &start, &count);
    for (uint32_t a = 0; a < to->arg_count; ++a)
      join(s, to->args[a], known && a < count ? state_of(s, hd_operand(op, start + a)) : HD_SCCP_VARIES);
    reach(s, to);
  }
}

static void visit_terminator(hd_sccp *s, hd_op *op) {
  hd_op *parent = hd_op_parent(op);
  if (op->successor_count)
    visit_jump(s, op);
  else if (parent)
    visit_region_end(s, op, parent);
}

static void visit_call(hd_sccp *s, hd_op *op) {
  hd_op *callee = hd_symbol_resolve(op, hd_call_like_callee(op));
  hd_block *entry = callee && hd_map_get(&s->callable, callee) ? hd_sccp_entry(callee, 0) : NULL;
  if (!entry) {
    results_vary(s, op);
    return;
  }
  join_operands(s, op, 0, entry->args, entry->arg_count);
  reach(s, entry);
  hd_for_each_block(block, hd_op_region(callee, 0))
    if (hd_op_is(block->last, HD_OP_func_return) && hd_map_get(&s->live, block)) queue(s, block->last);
}

static void fold(hd_sccp *s, hd_op *op) {
  hd_arena *arena = &s->pass->arena;
  hd_attr *operands = hd_new_array(arena, hd_attr, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_attr state = state_of(s, hd_operand(op, i));
    if (!state) return; /* visited again when it is known */
    operands[i] = state == HD_SCCP_VARIES ? NULL : state;
  }
  hd_fold_result *folded = hd_new_array(arena, hd_fold_result, op->result_count + 1);
  if (!hd_op_is_pure(op) || !hd_op_fold_with(op, operands, arena, folded)) {
    results_vary(s, op);
    return;
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    bool is_operand = false;
    for (uint32_t k = 0; k < op->operand_count; ++k) is_operand |= hd_operand(op, k) == folded[i].value;
    hd_attr state = folded[i].attr ? folded[i].attr : is_operand ? state_of(s, folded[i].value) : HD_SCCP_VARIES;
    join(s, hd_result(op, i), state);
  }
}

static void visit(hd_sccp *s, hd_op *op) {
  if (!op->block || !hd_map_get(&s->live, op->block)) return;
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) {
    visit_terminator(s, op);
    return;
  }
  if (hd_op_has_trait(op, HD_TRAIT(BRANCHES))) {
    visit_branches(s, op);
    if (hd_op_is(op, HD_OP_scf_if) && !hd_sccp_entry(op, 1)) results_vary(s, op);
    return;
  }
  if (hd_op_has_trait(op, HD_TRAIT(WHILE))) {
    enter(s, op, 0, 0, 0);
    if (hd_sccp_entry(op, 0)) queue(s, hd_sccp_entry(op, 0)->last);
    return;
  }
  switch (hd_opcode_get(op)) {
    case HD_OP_scf_execute_region:
      reach(s, hd_sccp_entry(op, 0));
      return;
    case HD_OP_scf_for:
      visit_for(s, op);
      return;
    case HD_OP_func_call:
      visit_call(s, op);
      return;
    default:
      break;
  }
  for (uint32_t r = 0; r < op->region_count; ++r) {
    if (hd_map_get(&s->callable, op)) break; /* reached by its calls */
    hd_for_each_block(block, hd_op_region(op, r))
      if (block == hd_op_region(op, r)->first) {
        for (uint32_t a = 0; a < block->arg_count; ++a) join(s, block->args[a], HD_SCCP_VARIES);
        reach(s, block);
      }
  }
  if (op->result_count) fold(s, op);
}

/* Which functions only calls name ---------------------------------------------------------------------------------- */

static void unfollow(hd_op *from, hd_attr symbol, void *user) {
  hd_sccp *s = user;
  hd_op *target = hd_symbol_resolve(from, symbol);
  if (target && !(hd_op_is(from, HD_OP_func_call) && hd_call_like_callee(from) == symbol))
    hd_map_remove(&s->callable, target);
}

static bool add_private(hd_op *op, void *user) {
  hd_sccp *s = user;
  if (hd_op_is(op, HD_OP_func_func) && hd_symbol_is_private(op) && hd_op_region(op, 0)->first)
    hd_map_set(&s->pass->arena, &s->callable, op, hd_new(&s->pass->arena, calls));
  return true;
}

static bool add_uses(hd_op *op, void *user) {
  hd_sccp *s = user;
  hd_op_each_symbol(op, unfollow, s);
  hd_op *target = hd_op_is(op, HD_OP_func_call) ? hd_symbol_resolve(op, hd_call_like_callee(op)) : NULL;
  calls *c = target ? hd_map_get(&s->callable, target) : NULL;
  if (c) hd_vec_push(&s->pass->arena, &c->ops, op);
  return true;
}
bool hd_pass_sccp(hd_pass *pass, hd_op *module) {
  hd_sccp s = {.pass = pass};
  hd_walk_pre(module, add_private, &s);
  hd_walk_pre(module, add_uses, &s);
  reach(&s, hd_module_body(pass->module));
  while (s.work.len) {
    hd_op *op = hd_vec_pop(&s.work);
    hd_map_insert(&pass->arena, &s.queued, op, NULL)->value.ptr = NULL;
    visit(&s, op);
  }
  if (hd_option_bool(pass, "simplify-branches")) hd_sccp_simplify(&s, module);
  hd_sccp_write(&s, module);
  return true;
}
