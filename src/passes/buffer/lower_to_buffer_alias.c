/* SPDX-License-Identifier: Apache-2.0 */
/* disc-lower-to-buffer-alias: two buffers become one: a reshape's, and those of which the first dies as the second
 * comes into being.
 *
 *   %a = memref.alloc                           %b = memref.alloc
 *   "lmhlo.add"(%x, %y, %a)              ->     "lmhlo.add"(%x, %y, %b)
 *   "lmhlo.copy"(%a, %b)
 *
 *   "lmhlo.dynamic_update_slice"(%a, %u, %i, %b)  ->  "lmhlo.dynamic_update_slice"(%a, %u, %i, %a)
 *
 * The second holds for scatter too, and, in loops, where %a is a carried buffer and %b the spare one that it changes
 * places with: the update is made in place and the spare buffer is not needed.
 *
 *   "lmhlo.reshape"(%a, %b)                     ->  %b = memref.reinterpret_cast %a
 *
 * So is a broadcast that puts dims of 1 in between.
 *
 *   "lmhlo.dynamic_update_slice"(%arg0, %u, %i, %b)  ->  %b = memref.alloc {hd.donor = 0}
 *
 * The last where the caller may donate %arg0 (tf.aliasing_output, jax.buffer_donor): whether it does is known at run
 * time, when %b's memory is %arg0's, or not and the update copies it. Results of kernels that read %arg0 where they
 * write, if at all, take its memory too (donors.c).
 *
 * Runs after fusion, which takes a buffer for a value. Only buffers that the function allocates are written over, and
 * only after their last reader: an argument, a constant, a value that is read later or yielded elsewhere is copied, as
 * the op does when its operand and output differ. */
#include "analysis/buffer_op.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/buffer/aliasing.h"
#include "passes/buffer/donors.h"

/* The branch that |block| is writes |value| of the block around it by |copy| alone. */
static bool is_branch_result(hd_value *value, hd_op *copy) {
  hd_op *parent = hd_block_parent_op(copy->block);
  if (!hd_op_is(parent, HD_OP_scf_if) && !hd_op_is(parent, HD_OP_scf_index_switch)) return false;
  if (!hd_is_allocation(value) || hd_value_block(value) != parent->block) return false;
  hd_for_each_use(use, value)
    if (use->owner != copy && hd_block_ancestor_op(copy->block, use->owner)) return false;
  return true;
}

/* Are two allocations of one type surely of one size? Where they only have to be, the check is after the writer.
 */
static bool same_sizes(const hd_op *a, const hd_op *b) {
  for (uint32_t i = 0; i < a->operand_count; ++i)
    if (hd_operand(a, i) != hd_operand(b, i)) return false;
  return true;
}

/* Ops inside a fusion have the fusion's place. */
static bool alias_copy(hd_aliasing *a, hd_op *copy) {
  hd_value *from = hd_operand(copy, 0), *to = hd_operand(copy, 1);
  a->pass->changed |= hd_mark_donor(a->func, copy, from, to);
  if (from->type != to->type || !hd_is_owned(from, copy->block) || !hd_has_no_views(from) || !hd_has_no_views(to) ||
      !hd_used_only(from, copy, false, false))
    return false;
  if (is_branch_result(to, copy) && hd_is_allocation(from) && same_sizes(hd_value_op(from), hd_value_op(to))) {
    hd_op_erase(copy);
    hd_buffer_become(from, to);
  } else if (hd_is_allocation(to) && hd_value_block(to) == copy->block && hd_used_only(to, copy, true, false)) {
    hd_op_erase(copy);
    hd_buffer_become(to, from);
  } else {
    return false;
  }
  a->pass->changed = true;
  return true;
}

/* The update that |op|, itself or a fusion of it and inline ops, makes. */
static hd_op *update_of(hd_op *op) {
  hd_op *found = op;
  if (hd_op_is(op, HD_OP_lmhlo_fusion)) {
    found = NULL;
    hd_for_each_op(inner, hd_op_region(op, 0)->first) {
      if (!inner->info->derived_from || hd_discardable_inline(inner)) continue;
      if (found) return NULL;
      found = inner;
    }
  }
  bool updates = found && found->info->derived_from &&
                 (hd_buffer_opcode(found) == HD_OP_stablehlo_dynamic_update_slice ||
                  hd_buffer_opcode(found) == HD_OP_stablehlo_scatter);
  return updates ? found : NULL;
}

static bool is_carried(hd_value *value, hd_block *block) {
  hd_op *loop = hd_block_parent_op(block);
  return !hd_value_op(value) && hd_value_block(value) == block && hd_op_is(loop, HD_OP_scf_while) &&
         hd_op_region(loop, 1)->first == block;
}

/* Where the loop's body yields |value|, if once; UINT32_MAX else. */
static uint32_t yielded_at(hd_value *value, hd_op *yield) {
  uint32_t found = UINT32_MAX;
  hd_for_each_use(use, value) {
    if (use->owner != yield) continue;
    if (found != UINT32_MAX) return UINT32_MAX;
    found = use->index;
  }
  return found;
}

/* |from| holds nothing that is needed once |op| has run: it is not read later, and a loop's body yields it as a spare
 * buffer at most. */
static bool dies_at(hd_value *from, hd_op *op) {
  if (!hd_has_no_views(from)) return false;
  if (hd_is_owned(from, op->block)) return hd_used_only(from, op, false, false);
  if (!is_carried(from, op->block) || !hd_used_only(from, op, false, true)) return false;
  if (hd_used_only(from, op, false, false)) return true; /* the body frees it */
  hd_op *loop = hd_block_parent_op(op->block);
  uint32_t slot = yielded_at(from, op->block->last), spares = (uint32_t)hd_discardable_spares(loop);
  return slot != UINT32_MAX && slot >= loop->operand_count - spares;
}

static uint32_t count_uses(hd_value *value, hd_op *inside) {
  uint32_t count = 0;
  hd_for_each_use(use, value) count += hd_op_is_ancestor(inside, use->owner);
  return count;
}

/* |to| becomes |from|. When both are carried, they also change places in what the body yields. */
static bool alias_update(hd_aliasing *a, hd_op *op, hd_op *update, uint32_t i) {
  hd_value *from = hd_operand(update, i), *to = hd_buffer_output(update, i);
  if (count_uses(from, op) == 1) a->pass->changed |= hd_mark_donor(a->func, op, from, to);
  if (from == to || from->type != to->type || count_uses(from, op) != 1 || !dies_at(from, op) || !hd_has_no_views(to))
    return false;
  bool spare = is_carried(to, op->block) && is_carried(from, op->block);
  if (!(hd_is_allocation(to) && hd_value_block(to) == op->block) && !spare) return false;
  if (!hd_used_only(to, op, true, false)) return false;
  if (!spare) {
    hd_buffer_become(to, from);
  } else {
    hd_op *yield = op->block->last;
    uint32_t dead = yielded_at(from, yield);
    hd_value_replace_uses(to, from);
    hd_op_set_operand(yield, dead, to);
  }
  a->pass->changed = true;
  return true;
}

/* Spare buffers that no step uses go, from the last to the first. */
static void drop_spares(hd_aliasing *a, hd_op *loop) {
  hd_block *before = hd_op_region(loop, 0)->first, *body = hd_op_region(loop, 1)->first;
  uint32_t count = loop->operand_count, spares = (uint32_t)hd_discardable_spares(loop), kept = 0, left = 0;
  hd_arena *arena = &a->pass->arena;
  hd_value **inits = hd_new_array(arena, hd_value *, count), **yields = hd_new_array(arena, hd_value *, count),
           **passed = hd_new_array(arena, hd_value *, count + 1), **results = hd_new_array(arena, hd_value *, count);
  hd_type *types = hd_new_array(arena, hd_type, count);
  bool *idle = hd_new_array(arena, bool, count);
  hd_op *yield = body->last, *condition = before->last;
  passed[0] = hd_operand(condition, 0);
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *own = body->args[i], *test = before->args[i];
    hd_use *use = own->first_use, *given = test->first_use;
    idle[i] = i >= count - spares && use && use->owner == yield && use->index == i && !use->next && given &&
              given->owner == condition && !given->next && !hd_result(loop, i)->first_use;
    if (idle[i]) continue;
    inits[kept] = hd_operand(loop, i);
    types[kept] = hd_result_type(loop, i);
    yields[kept] = hd_operand(yield, i);
    passed[1 + kept] = hd_operand(condition, 1 + i);
    results[kept++] = hd_result(loop, i);
    left += i >= count - spares;
  }
  if (kept == count) return;
  hd_op_set_operands(yield, yields, kept);
  hd_op_set_operands(condition, passed, kept + 1);
  for (uint32_t i = count; i-- > 0;)
    if (idle[i]) hd_block_erase_arg(before, i), hd_block_erase_arg(body, i);
  hd_builder b = hd_builder_before(loop);
  hd_region *regions[2] = {hd_op_region(loop, 0), hd_op_region(loop, 1)};
  hd_op_attr attr = {hd_name_ident(b.context, HD_NAME_hd_spares), hd_attr_i64(b.context, left), false};
  hd_op *smaller = hd_build_state(&b, &(hd_op_state){.opcode = HD_OP_scf_while,
                                                     .loc = loop->loc,
                                                     .operands = inits,
                                                     .operand_count = kept,
                                                     .result_types = types,
                                                     .result_count = kept,
                                                     .attrs = &attr,
                                                     .attr_count = 1,
                                                     .region_count = 2,
                                                     .regions = regions});
  hd_discardable_set_ends(smaller, hd_discardable_ends(loop));
  for (uint32_t i = 0; i < kept; ++i) hd_value_replace_uses(results[i], hd_result(smaller, i));
  hd_op_erase(loop);
}

static void alias_block(hd_aliasing *a, hd_block *block) {
  for (hd_op *op = block->first, *next; op; op = next) {
    next = op->next;
    if (hd_buffer_opcode(op) == HD_OP_mhlo_copy) {
      if (op->info->derived_from) alias_copy(a, op);
      continue;
    }
    if (op->info->derived_from && hd_keeps_elements(op)) {
      hd_alias_reshape(a, op);
      continue;
    }
    hd_op *update = update_of(op);
    if (update) {
      uint32_t outputs = hd_buffer_output_count(update);
      for (uint32_t i = 0; i < outputs; ++i) alias_update(a, op, update, i);
      continue;
    }
    for (uint32_t r = 0; !op->info->derived_from && r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r)) alias_block(a, inner);
    if (hd_op_is(op, HD_OP_scf_while)) drop_spares(a, op);
  }
}

bool hd_pass_lower_to_buffer_alias(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func)) return true;
  hd_aliasing a = {pass, func};
  hd_for_each_block(block, hd_op_region(func, 0)) alias_block(&a, block);
  pass->changed |= hd_donate_to_results(func, &pass->arena);
  return true;
}
