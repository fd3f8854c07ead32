/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/op.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static void link_use(hd_use *use, hd_value *value) {
  use->value = value;
  use->next = NULL;
  use->previous_next = NULL;
  if (!value) return;
  use->next = value->first_use;
  use->previous_next = &value->first_use;
  if (use->next) use->next->previous_next = &use->next;
  value->first_use = use;
}

static void unlink_use(hd_use *use) {
  if (!use->value) return;
  *use->previous_next = use->next;
  if (use->next) use->next->previous_next = use->previous_next;
  use->value = NULL;
}

static hd_ident name_of(hd_context *context, const hd_op_info *info) {
  hd_ident *name = &context->opcode_idents[info->opcode];
  return *name ? *name : (*name = hd_ident_cstr(context, info->name));
}

hd_op *hd_op_create(hd_module *module, const hd_op_state *state) {
  hd_arena *arena = &module->arena;
  hd_op *op = hd_new(arena, hd_op);
  op->module = module;
  op->info = hd_op_info_of(state->opcode);
  op->name = state->name ? state->name : name_of(module->context, op->info);
  op->loc = state->loc ? state->loc : hd_loc_unknown(module->context);
  op->operand_count = (uint32_t)state->operand_count;
  op->operands = hd_new_array(arena, hd_use, state->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    op->operands[i].owner = op;
    op->operands[i].index = i;
    link_use(&op->operands[i], state->operands[i]);
  }
  op->result_count = (uint32_t)state->result_count;
  op->results = hd_new_array(arena, hd_value, state->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i)
    op->results[i] = (hd_value){.type = state->result_types[i], .owner.op = op, .index = i};
  op->region_count = (uint32_t)state->region_count;
  op->regions = hd_new_array(arena, hd_region, state->region_count);
  for (uint32_t i = 0; i < op->region_count; ++i) {
    op->regions[i].op = op;
    if (state->regions && state->regions[i]) hd_region_take(&op->regions[i], state->regions[i]);
  }
  op->successor_count = (uint32_t)state->successor_count;
  op->successors = hd_new_array(arena, hd_block *, state->successor_count);
  if (state->successor_count)
    memcpy(op->successors, state->successors, state->successor_count * sizeof *op->successors);
  hd_op_take_attrs(op, state);
  return op;
}

static void insert(hd_op *op, hd_block *block, hd_op *before) {
  op->block = block;
  op->next = before;
  op->prev = before ? before->prev : block->last;
  if (op->prev)
    op->prev->next = op;
  else
    block->first = op;
  if (before)
    before->prev = op;
  else
    block->last = op;
  block->ordered = false;
}

void hd_op_insert_before(hd_op *op, hd_op *anchor) { insert(op, anchor->block, anchor); }
void hd_op_insert_after(hd_op *op, hd_op *anchor) { insert(op, anchor->block, anchor->next); }
void hd_op_append(hd_op *op, hd_block *block) { insert(op, block, NULL); }
void hd_op_prepend(hd_op *op, hd_block *block) { insert(op, block, block->first); }

void hd_op_unlink(hd_op *op) {
  if (!op->block) return;
  if (op->prev)
    op->prev->next = op->next;
  else
    op->block->first = op->next;
  if (op->next)
    op->next->prev = op->prev;
  else
    op->block->last = op->prev;
  op->prev = op->next = NULL;
  op->block = NULL;
}

void hd_op_move_before(hd_op *op, hd_op *anchor) {
  hd_op_unlink(op);
  hd_op_insert_before(op, anchor);
}

static bool drop_operands(hd_op *op, void *user) {
  (void)user;
  for (uint32_t i = 0; i < op->operand_count; ++i) unlink_use(&op->operands[i]);
  return true;
}

void hd_op_drop_operands(hd_op *op) { hd_walk_pre(op, drop_operands, NULL); }

void hd_op_erase(hd_op *op) {
  hd_op_drop_operands(op);
  hd_op_unlink(op);
}

void hd_op_set_operand(hd_op *op, uint32_t i, hd_value *value) {
  unlink_use(&op->operands[i]);
  link_use(&op->operands[i], value);
}

void hd_op_set_operands(hd_op *op, hd_value *const *values, size_t count) {
  /* |values| may be read from the old operands, so the new list is made before the old one goes. */
  hd_use *uses = hd_new_array(&op->module->arena, hd_use, count);
  for (size_t i = 0; i < count; ++i) uses[i].value = values[i];
  for (uint32_t i = 0; i < op->operand_count; ++i) unlink_use(&op->operands[i]);
  op->operands = uses;
  op->operand_count = (uint32_t)count;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *value = uses[i].value;
    uses[i].owner = op;
    uses[i].index = i;
    link_use(&uses[i], value);
  }
}

static void item_range(const hd_op *op, const hd_signature_list *list, hd_name segments, uint32_t total, size_t item,
                       uint32_t *out_start, uint32_t *out_count) {
  hd_attr sizes = hd_op_attr_get(op, segments);
  *out_start = *out_count = 0;
  if (sizes && hd_attr_count(sizes) == list->count) {
    for (size_t i = 0; i < item; ++i) *out_start += (uint32_t)hd_attr_int_at(sizes, i);
    *out_count = (uint32_t)hd_attr_int_at(sizes, item);
    return;
  }
  /* Without segments, all variable items have one size: what is left, shared evenly. */
  uint32_t fixed = (uint32_t)(list->count - list->variable);
  uint32_t each = list->variable && total > fixed ? (total - fixed) / (uint32_t)list->variable : 0;
  for (size_t i = 0; i <= item && i < list->count; ++i) {
    *out_start += *out_count;
    *out_count = list->items[i].arity == HD_ONE ? 1 : each;
  }
}

void hd_op_operand_range(const hd_op *op, size_t item, uint32_t *out_start, uint32_t *out_count) {
  const hd_signature *signature = hd_signature_of(hd_op_context(op), op->info->opcode);
  item_range(op, &signature->args, HD_NAME_operandSegmentSizes, op->operand_count, item, out_start, out_count);
}

void hd_op_result_range(const hd_op *op, size_t item, uint32_t *out_start, uint32_t *out_count) {
  const hd_signature *signature = hd_signature_of(hd_op_context(op), op->info->opcode);
  item_range(op, &signature->results, HD_NAME_resultSegmentSizes, op->result_count, item, out_start, out_count);
}

void hd_scan_counts(const hd_op *op, uint32_t *out_inputs, uint32_t *out_outputs) {
  uint32_t first;
  hd_op_operand_range(op, 0, &first, out_inputs);
  hd_op_result_range(op, 0, &first, out_outputs);
}

void hd_op_successor_operands(const hd_op *op, uint32_t i, uint32_t *out_start, uint32_t *out_count) {
  *out_start = 0;
  *out_count = op->operand_count;
  if (hd_op_is(op, HD_OP_cf_cond_br) || hd_op_is(op, HD_OP_llvm_cond_br))
    hd_op_operand_range(op, 1 + i, out_start, out_count);
  if (!hd_op_is(op, HD_OP_cf_switch) && !hd_op_is(op, HD_OP_llvm_switch)) return;
  hd_attr segments = hd_op_attr_get(op, HD_NAME_case_operand_segments);
  hd_op_operand_range(op, 1, out_start, out_count);
  for (uint32_t k = 1; k <= i; ++k) {
    *out_start += *out_count;
    *out_count = k - 1 < hd_attr_count(segments) ? (uint32_t)hd_attr_int_at(segments, k - 1) : 0;
  }
}

hd_op *hd_block_parent_op(const hd_block *block) { return block && block->region ? block->region->op : NULL; }
hd_op *hd_op_parent(const hd_op *op) { return hd_block_parent_op(op->block); }

hd_op *hd_op_function(hd_op *op) {
  while (op && !hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE))) op = hd_op_parent(op);
  return op;
}

bool hd_op_is_ancestor(const hd_op *ancestor, const hd_op *op) {
  for (; op; op = hd_op_parent(op))
    if (op == ancestor) return true;
  return false;
}

bool hd_op_is_before(hd_op *a, hd_op *b) {
  HD_ASSERT(a->block == b->block);
  if (!a->block->ordered) {
    uint32_t order = 0;
    hd_for_each_op(op, a->block) op->order = order++;
    a->block->ordered = true;
  }
  return a->order < b->order;
}

hd_op *hd_block_ancestor_op(hd_block *block, hd_op *op) {
  while (op && op->block != block) op = hd_op_parent(op);
  return op;
}

hd_op *hd_value_op(const hd_value *value) { return value->is_block_arg ? NULL : value->owner.op; }
hd_block *hd_value_block(const hd_value *value) {
  if (value->is_block_arg) return value->owner.block;
  return value->owner.op ? value->owner.op->block : NULL; /* a use before its definition was read has no op */
}

hd_loc hd_value_loc(const hd_value *value) {
  if (!value->is_block_arg) return value->owner.op->loc;
  if (value->loc) return value->loc;
  hd_op *parent = hd_block_parent_op(value->owner.block);
  return parent ? parent->loc : NULL;
}

void hd_value_replace_uses_except(hd_value *from, hd_value *to, const hd_op *except) {
  if (from == to) return;
  for (hd_use *use = from->first_use, *next; use; use = next) {
    next = use->next;
    if (use->owner == except) continue;
    unlink_use(use);
    link_use(use, to);
  }
}

void hd_value_replace_uses(hd_value *from, hd_value *to) { hd_value_replace_uses_except(from, to, NULL); }

void hd_op_replace(hd_op *op, hd_value *const *values) {
  for (uint32_t i = 0; i < op->result_count; ++i) hd_value_replace_uses(&op->results[i], values[i]);
  hd_op_erase(op);
}

static void free_arena(void *arena) { hd_arena_free(arena); }

hd_module *hd_module_alloc(hd_context *context) {
  hd_module *module = hd_new(&context->arena, hd_module);
  module->context = context;
  hd_arena_init(&module->arena, &context->budget);
  *hd_arena_on_free(&context->arena, free_arena) = &module->arena;
  return module;
}

hd_module *hd_module_create(hd_context *context, hd_loc loc) {
  hd_module *module = hd_module_alloc(context);
  module->op = hd_op_create(module, &(hd_op_state){.opcode = HD_OP_builtin_module, .loc = loc, .region_count = 1});
  hd_region_append(&module->op->regions[0], hd_block_create(module));
  return module;
}

void hd_module_free(hd_module *module) {
  if (module) hd_arena_free(&module->arena);
}
