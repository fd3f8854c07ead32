/* SPDX-License-Identifier: Apache-2.0 */
/* legalize-lhlo-control-flow: control flow on buffers becomes blocks and jumps.
 *
 *   "lmhlo.while"(%p) ({ cond: writes %p }, { body })    ->      cf.br ^head
 *                                                            ^head: cond   %0 = memref.load %p[]
 *                                                                 cf.cond_br %0, ^body, ^after
 *                                                            ^body: body   cf.br ^head
 *                                                            ^after:
 *   "lmhlo.if"(%p, ...) ({ a }, { b })                   ->      memref.load, cf.cond_br to a and b, which meet
 *                                                                in ^after
 *   "lmhlo.case"(%i, ...) ({ 0 }, { 1 }, ...)            ->      memref.load, cf.switch; an index outside takes
 *                                                                the last
 *   scf.while, scf.if, scf.index_switch, scf.for,        ->      the same, values as arguments of blocks
 *   scf.execute_region
 *
 * lmhlo.while decides by its last operand, lmhlo.if and lmhlo.case by their first, which must be in host memory.
 * Requires that each such op is in a function, or in another one of them: the regions of kernels and fusions have
 * one block. scf.parallel and scf.forall are loops of kernels and are left with what is inside. */
#include "base/vec.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/scf.h"
#include "passes/passes.h"

typedef struct lowering {
  hd_pass *pass;
  hd_vec(hd_op *) work;
  bool ok;
} lowering;

static void jump(hd_builder *b, hd_block *to, hd_value *const *values, size_t count) {
  hd_build_state(
      b,
      &(hd_op_state){
          .opcode = HD_OP_cf_br, .operands = values, .operand_count = count, .successors = &to, .successor_count = 1});
}

static void choose(hd_builder *b, hd_arena *arena, hd_value *condition, hd_block *yes, hd_value *const *yes_values,
                   uint32_t yes_count, hd_block *no, hd_value *const *no_values, uint32_t no_count) {
  hd_value **operands = hd_new_array(arena, hd_value *, 1 + yes_count + no_count);
  operands[0] = condition;
  for (uint32_t i = 0; i < yes_count; ++i) operands[1 + i] = yes_values[i];
  for (uint32_t i = 0; i < no_count; ++i) operands[1 + yes_count + i] = no_values[i];
  int32_t sizes[] = {1, (int32_t)yes_count, (int32_t)no_count};
  hd_op_attr segments = {hd_name_ident(b->context, HD_NAME_operandSegmentSizes),
                         hd_attr_i32_array(b->context, sizes, 3), true};
  hd_build_state(b, &(hd_op_state){.opcode = HD_OP_cf_cond_br,
                                   .operands = operands,
                                   .operand_count = 1 + yes_count + no_count,
                                   .attrs = &segments,
                                   .attr_count = 1,
                                   .successors = (hd_block *[]){yes, no},
                                   .successor_count = 2});
}

/* The blocks of |op|'s region |r|, moved in front of |before|; the first one. */
static hd_block *take(hd_op *op, uint32_t r, hd_block *before) {
  hd_region *region = hd_op_region(op, r);
  hd_block *first = region->first;
  for (hd_block *block = region->first, *next; block; block = next) {
    next = block->next;
    hd_block_unlink(block);
    hd_region_insert_after(before->prev, block);
  }
  return first;
}

static hd_builder at_end(hd_op *op, hd_block *block) {
  hd_builder b = hd_builder_at_end(op->module, block);
  b.loc = op->loc;
  return b;
}

/* The terminator of |block| gives way to a jump to |to| with its operands. */
static void leave(hd_op *op, hd_block *block, hd_block *to, bool with_values) {
  hd_op *end = block->last;
  hd_value **values = hd_new_array(&op->module->arena, hd_value *, end->operand_count + 1);
  uint32_t count = with_values ? end->operand_count : 0;
  for (uint32_t i = 0; i < count; ++i) values[i] = hd_operand(end, i);
  hd_op_erase(end);
  hd_builder b = at_end(op, block);
  jump(&b, to, values, count);
}

/* The block after |op|, with |op|'s results as its arguments. */
static hd_block *split_after(hd_op *op) {
  hd_block *after = hd_block_split(op->module, op->block, op->next);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *arg = hd_block_add_arg(op->module, after, hd_result_type(op, i));
    arg->loc = op->loc;
    hd_value_replace_uses(hd_result(op, i), arg);
  }
  return after;
}

static hd_value *load(hd_builder *b, hd_value *buffer) {
  return hd_build_one_(b, HD_OP_memref_load, hd_type_element(buffer->type), &buffer, 1, NULL, 0);
}

/* What |op| decides by: a signless scalar of |width| or |other| bits in host memory. */
static bool decides_by(hd_op *op, hd_value *buffer, uint32_t width, uint32_t other, const char *expected) {
  hd_type type = buffer->type;
  if (!hd_type_is(type, HD_TYPE_MEMREF) || hd_type_rank(type) != 0 || type->shaped.space)
    return hd_op_error(op, "legalize-lhlo-control-flow: expected its predicate as a scalar in host memory");
  hd_type element = hd_type_element(type);
  if (hd_type_is_integer(element, width) || hd_type_is_integer(element, other)) return true;
  return hd_op_error(op, "legalize-lhlo-control-flow: expected its predicate to be %s", expected);
}

static bool has_predicate(hd_op *op, uint32_t i) { return decides_by(op, hd_operand(op, i), 1, 1, "an i1"); }

static bool lower_while(lowering *l, hd_op *op) {
  hd_arena *arena = &l->pass->arena;
  bool scf = hd_op_is(op, HD_OP_scf_while);
  if (!scf && (!op->operand_count || !has_predicate(op, op->operand_count - 1))) return false;
  hd_block *before = op->block, *after = split_after(op), *head = take(op, 0, after), *body = take(op, 1, after);
  hd_value **values = hd_new_array(arena, hd_value *, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) values[i] = hd_operand(op, i);
  hd_builder b = hd_builder_before(op);
  jump(&b, head, values, scf ? op->operand_count : 0);
  hd_op *end = head->last;
  hd_builder decide = hd_builder_before(end);
  if (scf) {
    uint32_t count = end->operand_count - 1;
    hd_value **carried = hd_new_array(arena, hd_value *, count + 1);
    for (uint32_t i = 0; i < count; ++i) carried[i] = hd_operand(end, 1 + i);
    choose(&decide, arena, hd_operand(end, 0), body, carried, count, after, carried, count);
  } else {
    choose(&decide, arena, load(&decide, values[op->operand_count - 1]), body, NULL, 0, after, NULL, 0);
  }
  hd_op_erase(end);
  leave(op, after->prev, head, scf);
  hd_op_erase(op);
  (void)before;
  return true;
}

/* if: an empty else is the block after. */
static bool lower_if(lowering *l, hd_op *op) {
  bool scf = hd_op_is(op, HD_OP_scf_if);
  if (!scf && !has_predicate(op, 0)) return false;
  hd_block *after = split_after(op), *arms[2] = {after, after};
  hd_builder b = hd_builder_before(op);
  hd_value *condition = scf ? hd_operand(op, 0) : load(&b, hd_operand(op, 0));
  for (uint32_t r = 0; r < 2; ++r) {
    if (!hd_op_region(op, r)->first) continue;
    arms[r] = take(op, r, after);
    leave(op, after->prev, after, scf);
  }
  choose(&b, &l->pass->arena, condition, arms[0], NULL, 0, arms[1], NULL, 0);
  hd_op_erase(op);
  return true;
}

static bool lower_switch(lowering *l, hd_op *op) {
  hd_arena *arena = &l->pass->arena;
  hd_context *context = l->pass->context;
  bool scf = hd_op_is(op, HD_OP_scf_index_switch);
  if (!op->region_count) return hd_op_error(op, "legalize-lhlo-control-flow: expected at least one branch, got none");
  if (!scf && !decides_by(op, hd_operand(op, 0), 32, 64, "an index of 32 or 64 bits")) return false;
  uint32_t n = op->region_count - 1; /* besides the default */
  hd_attr given = scf ? hd_scf_index_switch_cases(op) : NULL;
  hd_block *after = split_after(op), **successors = hd_new_array(arena, hd_block *, n + 1);
  hd_builder b = hd_builder_before(op);
  hd_type i32 = hd_i32(context), i64 = hd_i64(context);
  hd_value *flag = scf ? hd_operand(op, 0) : load(&b, hd_operand(op, 0));
  if (flag->type->kind == HD_TYPE_INDEX) flag = hd_build(&b, HD_OP_arith_index_cast, i64, flag);
  int64_t *cases = hd_new_array(arena, int64_t, n + 1);
  int32_t *narrow = hd_new_array(arena, int32_t, n + 1), *none = hd_new_array(arena, int32_t, n + 1);
  for (uint32_t r = 0; r <= n; ++r) {
    /* scf has the default first, lmhlo.case last; cf.switch first. */
    uint32_t to = scf ? r : r == n ? 0 : r + 1;
    if (to) narrow[to - 1] = (int32_t)(cases[to - 1] = given ? hd_attr_int_at(given, to - 1) : to - 1);
    successors[to] = take(op, r, after);
    leave(op, after->prev, after, scf);
  }
  int64_t count = n;
  hd_type type = hd_type_tensor(flag->type, &count, 1, NULL);
  hd_attr values = flag->type == i32 ? hd_attr_dense(type, narrow, n * sizeof *narrow, false)
                                     : hd_attr_dense(type, cases, n * sizeof *cases, false);
  hd_op_attr attrs[] = {
      {hd_name_ident(context, HD_NAME_operandSegmentSizes), hd_attr_i32_array(context, (int32_t[]){1, 0, 0}, 3), true},
      {hd_name_ident(context, HD_NAME_case_operand_segments), hd_attr_i32_array(context, none, n), true},
      {hd_name_ident(context, HD_NAME_case_values), n ? values : NULL, true}};
  hd_build_state(&b, &(hd_op_state){.opcode = HD_OP_cf_switch,
                                    .operands = &flag,
                                    .operand_count = 1,
                                    .attrs = attrs,
                                    .attr_count = n ? 3 : 2,
                                    .successors = successors,
                                    .successor_count = n + 1});
  hd_op_erase(op);
  return true;
}

/* ^head(%i, carried): %i < upper ? body : after;  body: next i, yielded -> ^head */
static bool lower_for(lowering *l, hd_op *op) {
  hd_arena *arena = &l->pass->arena;
  hd_module *module = op->module;
  uint32_t n = op->result_count;
  hd_value *upper = hd_operand(op, 1), *step = hd_operand(op, 2);
  hd_value **values = hd_new_array(arena, hd_value *, n + 1);
  values[0] = hd_operand(op, 0);
  for (uint32_t i = 0; i < n; ++i) values[1 + i] = hd_operand(op, 3 + i);
  hd_block *after = split_after(op), *head = hd_block_create(module), *body = take(op, 0, after);
  hd_region_insert_after(body->prev, head);
  for (uint32_t i = 0; i <= n; ++i) hd_block_add_arg(module, head, values[i]->type)->loc = op->loc;
  hd_builder b = hd_builder_before(op), decide = at_end(op, head);
  jump(&b, head, values, n + 1);
  bool is_unsigned = hd_scf_for_unsignedCmp_attr(op) != NULL;
  hd_value *more = hd_arith_cmpi(&decide, is_unsigned ? HD_ARITH_CMPI_ULT : HD_ARITH_CMPI_SLT, head->args[0], upper);
  choose(&decide, arena, more, body, head->args, n + 1, after, head->args + 1, n);
  hd_block *last = after->prev;
  hd_op *yield = last->last;
  hd_builder next = hd_builder_before(yield);
  hd_value **again = hd_new_array(arena, hd_value *, n + 1);
  again[0] = hd_build(&next, HD_OP_arith_addi, step->type, body->args[0], step);
  for (uint32_t i = 0; i < n; ++i) again[1 + i] = hd_operand(yield, i);
  jump(&next, head, again, n + 1);
  hd_op_erase(yield);
  hd_op_erase(op);
  return true;
}

static bool lower_execute_region(lowering *l, hd_op *op) {
  (void)l;
  hd_block *after = split_after(op), *first = take(op, 0, after);
  hd_builder b = hd_builder_before(op);
  jump(&b, first, NULL, 0);
  for (hd_block *block = first; block != after; block = block->next)
    if (hd_op_is(block->last, HD_OP_scf_yield)) leave(op, block, after, true);
  hd_op_erase(op);
  return true;
}

typedef bool (*lower_hook)(lowering *l, hd_op *op);

/* Null for what is no control flow. */
static lower_hook hook_of(const hd_op *op) {
  static const struct {
    hd_opcode opcode;
    lower_hook lower;
  } rows[] = {
      {HD_OP_lmhlo_while, lower_while}, {HD_OP_scf_while, lower_while},
      {HD_OP_lmhlo_if, lower_if},       {HD_OP_scf_if, lower_if},
      {HD_OP_lmhlo_case, lower_switch}, {HD_OP_scf_index_switch, lower_switch},
      {HD_OP_scf_for, lower_for},       {HD_OP_scf_execute_region, lower_execute_region},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (hd_op_is(op, rows[i].opcode)) return rows[i].lower;
  return NULL;
}

static bool is_control_flow(const hd_op *op) { return hook_of(op) != NULL; }

/* Outer ops come first, so that inner ones are in the function when it is their turn. Kernels and fusions are one
 * block each, and are left. */
static void collect_inside(lowering *l, hd_op *op) {
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      hd_for_each_op(inner, block) {
        if (!is_control_flow(inner)) continue;
        hd_vec_push(&l->pass->arena, &l->work, inner);
        collect_inside(l, inner);
      }
}

bool hd_pass_legalize_lhlo_control_flow(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func)) return true;
  lowering l = {.pass = pass};
  collect_inside(&l, func);
  for (size_t i = 0; i < l.work.len; ++i)
    if (!hook_of(l.work.data[i])(&l, l.work.data[i])) return false;
  pass->changed |= l.work.len > 0;
  return true;
}
