/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/plan.h"

#include "base/vec.h"
#include "eval/core/graph_op.h"
#include "eval/core/wide.h"
#include "ir/address_space.h"
#include "ir/quantized.h"

typedef struct death {
  hd_op *op; /* the last user */
  uint32_t slot;
} death;

static uint32_t slot_of(const hd_plans *plans, const hd_value *value) {
  hd_map_entry *entry = hd_map_find(&plans->slots, value);
  return entry ? (uint32_t)entry->value.i64 : (uint32_t)HD_NO_SLOT;
}

static void number_region(hd_plans *plans, hd_region *region, uint32_t *next) {
  hd_arena *arena = plans->arena;
  hd_for_each_block(block, region) {
    for (uint32_t i = 0; i < block->arg_count; ++i)
      hd_map_insert(arena, &plans->slots, block->args[i], NULL)->value.i64 = (*next)++;
    hd_for_each_op(op, block) {
      for (uint32_t i = 0; i < op->result_count; ++i)
        hd_map_insert(arena, &plans->slots, &op->results[i], NULL)->value.i64 = (*next)++;
      uint32_t first = *next;
      for (uint32_t r = 0; r < op->region_count; ++r) number_region(plans, hd_op_region(op, r), next);
      if (hd_op_is(op, HD_OP_gpu_launch) || hd_op_is(op, HD_OP_scf_parallel)) {
        hd_slot_range *range = hd_new(arena, hd_slot_range);
        *range = (hd_slot_range){first, *next - first};
        hd_map_set(arena, &plans->ranges, op, range);
      }
      hd_op *graph_op = hd_buffer_graph_op(op, arena);
      hd_op *wide = plans->widens ? hd_widened_op(graph_op ? graph_op : op, arena) : NULL;
      if (wide) {
        hd_map_set(arena, &plans->wides, graph_op ? graph_op : op, wide);
        number_region(plans, hd_op_region(wide, 0), next);
      }
      if (!graph_op) continue;
      hd_map_set(arena, &plans->graph_ops, op, graph_op);
      for (uint32_t i = 0; hd_buffer_graph_op_capture(graph_op, i); ++i)
        hd_map_insert(arena, &plans->slots, hd_buffer_graph_op_capture(graph_op, i), NULL)->value.i64 = (*next)++;
      for (uint32_t r = 0; r < graph_op->region_count; ++r) number_region(plans, hd_op_region(graph_op, r), next);
    }
  }
}

hd_slot_range hd_plan_function(hd_plans *plans, hd_op *function) {
  hd_slot_range *range = hd_map_get(&plans->functions, function);
  if (range) return *range;
  range = hd_new(plans->arena, hd_slot_range);
  for (uint32_t r = 0; r < function->region_count; ++r) number_region(plans, hd_op_region(function, r), &range->count);
  hd_map_set(plans->arena, &plans->functions, function, range);
  return *range;
}

hd_slot_range hd_plan_inside(const hd_plans *plans, const hd_op *op) {
  const hd_slot_range *range = hd_map_get(&plans->ranges, op);
  return range ? *range : (hd_slot_range){0, 0};
}

bool hd_eval_computes_expressed(const hd_op *op) {
  if (hd_op_acts_on_stored(op)) return false;
  bool any = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) any |= hd_quantized_element(hd_operand_type(op, i)) != NULL;
  for (uint32_t i = 0; i < op->result_count; ++i) any |= hd_quantized_element(hd_result_type(op, i)) != NULL;
  return any;
}

static bool op_converges(hd_op *op) {
  if (hd_op_has_trait(op, HD_TRAIT(CONVERGENT))) return true;
  if (hd_op_is(op, HD_OP_memref_alloca))
    return hd_is_in_address_space(hd_result_type(op, 0), HD_GPU_ADDRESS_SPACE_WORKGROUP);
  if (hd_op_is(op, HD_OP_gpu_launch)) return false;
  for (uint32_t r = 0; r < op->region_count; ++r)
    if (hd_region_converges(hd_op_region(op, r))) return true;
  return false;
}

static bool is_unit(hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_hd_launch:
    case HD_OP_hd_ral_call:
    case HD_OP_llvm_call:
    case HD_OP_gpu_launch:
    case HD_OP_gpu_launch_func:
    case HD_OP_scf_parallel:
    case HD_OP_memref_copy:
      return true;
    default:
      return op->info->derived_from && !hd_only_holds_regions(op);
  }
}

bool hd_region_converges(hd_region *region) {
  hd_for_each_block(block, region) {
    hd_for_each_op(op, block)
      if (op_converges(op)) return true;
  }
  return false;
}

/* The op of |block| after which |value| is not used any more: its last user, or what holds that user in a region. */
static hd_op *last_user(hd_block *block, hd_value *value, hd_op *from) {
  hd_op *last = from;
  hd_for_each_use(use, value) {
    hd_op *user = hd_block_ancestor_op(block, use->owner);
    if (!user) return NULL; /* used outside: by another block of the same region */
    if (!last || hd_op_is_before(last, user)) last = user;
  }
  return last;
}

hd_block_plan *hd_plan_block(hd_plans *plans, hd_block *block) {
  hd_map_entry *entry = hd_map_find(&plans->blocks, block);
  if (entry) return entry->value.ptr;
  hd_arena *arena = plans->arena;
  hd_block_plan *plan = hd_new(arena, hd_block_plan);
  hd_for_each_op(op, block) ++plan->step_count;
  plan->steps = hd_new_array(arena, hd_step, plan->step_count);
  plan->first_arg = block->arg_count ? slot_of(plans, block->args[0]) : 0;
  hd_map order = {0}; /* op -> step */
  size_t at = 0;
  hd_for_each_op(op, block) {
    hd_step *s = &plan->steps[at];
    hd_map_insert(arena, &order, op, NULL)->value.i64 = (int64_t)at++;
    s->op = op;
    s->expressed = hd_eval_computes_expressed(op);
    s->unit = is_unit(op);
    s->converges = op_converges(op);
    s->operands = hd_new_array(arena, uint32_t, op->operand_count);
    for (uint32_t i = 0; i < op->operand_count; ++i) s->operands[i] = slot_of(plans, hd_operand(op, i));
    s->result = op->result_count ? slot_of(plans, hd_result(op, 0)) : 0;
  }
  /* Two rounds over the values of the block: count who dies where, then write it down. */
  hd_vec(death) dying = {0};
  for (uint32_t i = 0; i < block->arg_count; ++i) {
    hd_op *last = last_user(block, block->args[i], NULL);
    if (last) hd_vec_push(arena, &dying, (death){last, plan->first_arg + i});
  }
  hd_for_each_op(op, block)
    for (uint32_t i = 0; i < op->result_count; ++i) {
      hd_op *last = last_user(block, hd_result(op, i), op);
      if (last) hd_vec_push(arena, &dying, (death){last, slot_of(plans, hd_result(op, i))});
    }
  for (size_t i = 0; i < dying.len; ++i) ++plan->steps[hd_map_find(&order, dying.data[i].op)->value.i64].death_count;
  for (size_t i = 0; i < plan->step_count; ++i) {
    plan->steps[i].deaths = hd_new_array(arena, uint32_t, plan->steps[i].death_count);
    plan->steps[i].death_count = 0;
  }
  for (size_t i = 0; i < dying.len; ++i) {
    hd_step *s = &plan->steps[hd_map_find(&order, dying.data[i].op)->value.i64];
    s->deaths[s->death_count++] = dying.data[i].slot;
  }
  hd_map_set(arena, &plans->blocks, block, plan);
  return plan;
}
