/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow graphs: regions of several blocks, whose arguments become phis, and the branches of cf. */
#include "ir/ops/interfaces.h"
#include "target/llvm/translate.h"

static bool branch_to(hd_lower *l, hd_op *op, hd_block *target, uint32_t first, uint32_t count,
                      LLVMBasicBlockRef from) {
  if (target->arg_count != count)
    return hd_lower_fail(l, op, "passes %u values to a block of %u arguments", count, target->arg_count);
  for (uint32_t i = 0; i < count; ++i) {
    hd_parts *phis = hd_lower_parts(l, target->args[i]), *values = hd_lower_parts(l, hd_operand(op, first + i));
    if (phis->count != values->count) return hd_lower_fail(l, op, "passes a value of another type");
    for (uint32_t p = 0; p < phis->count; ++p) {
      if (LLVMTypeOf(phis->at[p]) != LLVMTypeOf(values->at[p]))
        return hd_lower_fail(l, op, "passes a value of another type");
      LLVMAddIncoming(phis->at[p], &values->at[p], &from, 1);
    }
  }
  return true;
}

static LLVMBasicBlockRef block_of(hd_lower *l, hd_block *block) { return hd_map_get(&l->blocks, block); }

static bool lower_br(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(l->builder);
  LLVMBuildBr(l->builder, block_of(l, op->successors[0]));
  return branch_to(l, op, op->successors[0], 0, op->operand_count, from);
}

/* The blocks to branch to, one per successor. LLVM's phis tell edges by their source: a successor that is twice is
 * reached over a block of its own the second time. Leaves the builder in the branching block. */
static LLVMBasicBlockRef *edges(hd_lower *l, hd_op *op, LLVMBasicBlockRef **out_from) {
  LLVMBasicBlockRef start = LLVMGetInsertBlock(l->builder);
  LLVMBasicBlockRef *to = hd_new_array(l->arena, LLVMBasicBlockRef, op->successor_count);
  LLVMBasicBlockRef *from = *out_from = hd_new_array(l->arena, LLVMBasicBlockRef, op->successor_count);
  for (uint32_t i = 0; i < op->successor_count; ++i) {
    to[i] = block_of(l, op->successors[i]);
    from[i] = start;
    for (uint32_t k = 0; k < i; ++k) {
      if (op->successors[k] != op->successors[i]) continue;
      LLVMBasicBlockRef edge = hd_lower_block(l, "edge");
      LLVMPositionBuilderAtEnd(l->builder, edge);
      LLVMBuildBr(l->builder, to[i]);
      to[i] = from[i] = edge;
      break;
    }
  }
  LLVMPositionBuilderAtEnd(l->builder, start);
  return to;
}

/* Operands from |at| go to the successors in turn. */
static bool branch_to_all(hd_lower *l, hd_op *op, uint32_t at, const LLVMBasicBlockRef *from) {
  for (uint32_t i = 0; i < op->successor_count; ++i) {
    uint32_t args = op->successors[i]->arg_count;
    if (at + args > op->operand_count) return hd_lower_fail(l, op, "passes too few values to its successors");
    if (!branch_to(l, op, op->successors[i], at, args, from[i])) return false;
    at += args;
  }
  return at == op->operand_count || hd_lower_fail(l, op, "passes too many values to its successors");
}

static bool lower_cond_br(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  LLVMBasicBlockRef *from, *to = edges(l, op, &from);
  LLVMBuildCondBr(l->builder, hd_lower_operand(l, op, 0), to[0], to[1]);
  return branch_to_all(l, op, 1, from);
}

static bool lower_switch(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_attr cases = hd_switch_like_case_values(op);
  size_t count = cases ? hd_attr_count(cases) : 0;
  if (op->successor_count != count + 1) return hd_lower_fail(l, op, "expected one successor per case and a default");
  LLVMBasicBlockRef *from, *to = edges(l, op, &from);
  LLVMValueRef flag = hd_lower_operand(l, op, 0);
  LLVMValueRef choice = LLVMBuildSwitch(l->builder, flag, to[0], (unsigned)count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < i; ++k)
      if (hd_attr_int_at(cases, k) == hd_attr_int_at(cases, i)) return hd_lower_fail(l, op, "has a case twice");
    LLVMAddCase(choice, hd_lower_int(LLVMTypeOf(flag), (uint64_t)hd_attr_int_at(cases, i)), to[i + 1]);
  }
  return branch_to_all(l, op, 1, from);
}

/* Blocks in an order in which a value's definition comes before its uses: reverse postorder from the entry. What
 * cannot be reached is left out. */
static void postorder(hd_lower *l, hd_block *entry, hd_map *seen, hd_block ***out, size_t *out_count) {
  struct frame {
    hd_block *block;
    uint32_t next;
  };
  hd_vec(struct frame) stack = {0};
  hd_vec(hd_block *) order = {0};
  hd_map_insert(l->arena, seen, entry, NULL);
  hd_vec_push(l->arena, &stack, (struct frame){entry, 0});
  while (stack.len) {
    struct frame *top = &hd_vec_last(&stack);
    hd_op *last = top->block->last;
    if (last && top->next < last->successor_count) {
      hd_block *successor = last->successors[top->next++];
      bool is_new;
      hd_map_insert(l->arena, seen, successor, &is_new);
      if (is_new) hd_vec_push(l->arena, &stack, (struct frame){successor, 0});
      continue;
    }
    hd_vec_push(l->arena, &order, top->block);
    --stack.len;
  }
  *out = order.data;
  *out_count = order.len;
}

bool hd_lower_cfg(hd_lower *l, hd_region *region) {
  hd_map seen = {0};
  hd_block **order;
  size_t count;
  postorder(l, region->first, &seen, &order, &count);
  hd_map_set(l->arena, &l->blocks, region->first, LLVMGetInsertBlock(l->builder));
  for (size_t i = count - 1; i-- > 0;) {
    hd_block *block = order[i];
    LLVMBasicBlockRef lowered = hd_lower_block(l, "bb");
    hd_map_set(l->arena, &l->blocks, block, lowered);
    LLVMPositionBuilderAtEnd(l->builder, lowered);
    for (uint32_t a = 0; a < block->arg_count; ++a)
      if (!hd_lower_phis(l, region->op, block->args[a])) return false;
  }
  for (size_t i = count; i-- > 0;) {
    hd_block *block = order[i];
    LLVMPositionBuilderAtEnd(l->builder, block_of(l, block));
    if (!block->last || !hd_op_has_trait(block->last, HD_TRAIT(TERMINATOR)))
      return hd_lower_fail(l, region->op, "has a block without a terminator");
    hd_for_each_op(op, block)
      if (!hd_lower_op(l, op)) return false;
  }
  return true;
}

const hd_handler hd_handlers_cfg[] = {
    {"cf.br", lower_br, 0, NULL},
    {"cf.cond_br", lower_cond_br, 0, NULL},
    {"cf.switch", lower_switch, 0, NULL},
    {NULL, NULL, 0, NULL},
};
