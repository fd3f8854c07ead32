/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of scf and cf: what regions and successors take and give. */
#include "ir/hooks.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/scf.h"

static hd_op *terminator(hd_op *op, uint32_t r) {
  hd_block *block = r < op->region_count ? hd_op_region(op, r)->first : NULL;
  return block ? hd_block_terminator(block) : NULL;
}

/* |from|'s operands from |first| on have the types of |op|'s results. */
static bool gives_results(hd_op *op, hd_op *from, uint32_t first) {
  if (from->operand_count - first != op->result_count)
    return hd_op_error(from, "gives %u values, but '%s' has %u results", from->operand_count - first, op->name->text,
                       op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_operand_type(from, first + i) != hd_result_type(op, i))
      return hd_op_type_error(from, hd_result_type(op, i), hd_operand_type(from, first + i),
                              "type of value #%u differs from the results of '%s'", i, op->name->text);
  return true;
}

static bool expects_block(hd_op *op, uint32_t r) {
  return terminator(op, r) || hd_op_error(op, "expects a block with a terminator in region #%u, got none", r);
}

bool hd_verify_scf_for(hd_op *op) {
  if (!expects_block(op, 0)) return false;
  hd_block *block = hd_op_region(op, 0)->first;
  uint32_t carried = op->operand_count - 3;
  if (op->result_count != carried)
    return hd_op_error(op, "expects %u results, one per initial value, got %u", carried, op->result_count);
  if (block->arg_count != carried + 1)
    return hd_op_error(op, "expects a body of %u arguments, got %u", carried + 1, block->arg_count);
  if (block->args[0]->type != hd_operand_type(op, 0))
    return hd_op_type_error(op, hd_operand_type(op, 0), block->args[0]->type,
                            "expects the induction variable in the type of the bounds");
  for (uint32_t i = 0; i < carried; ++i)
    if (block->args[1 + i]->type != hd_operand_type(op, 3 + i) || hd_result_type(op, i) != hd_operand_type(op, 3 + i))
      return hd_op_type_error(
          op, hd_operand_type(op, 3 + i),
          block->args[1 + i]->type != hd_operand_type(op, 3 + i) ? block->args[1 + i]->type : hd_result_type(op, i),
          "expects initial value, body argument and result #%u of one type", i);
  hd_op *last = terminator(op, 0);
  return hd_verify_ending(op, 0, last, HD_OP_scf_yield) && gives_results(op, last, 0);
}

/* Regions without arguments, each of which gives the results. */
static bool region_results(hd_op *op, uint32_t r, hd_opcode ending) {
  if (!expects_block(op, r)) return false;
  uint32_t arguments = hd_op_region(op, r)->first->arg_count;
  if (arguments) return hd_op_error(op, "expects region #%u to take no arguments, got %u", r, arguments);
  hd_op *last = terminator(op, r);
  return hd_verify_ending(op, r, last, ending) && gives_results(op, last, 0);
}

bool hd_verify_scf_if(hd_op *op) {
  if (!region_results(op, 0, HD_OP_scf_yield)) return false;
  if (!hd_op_region(op, 1)->first)
    return !op->result_count ||
           hd_op_error(op, "expects an else region for its %u results, got none", op->result_count);
  return region_results(op, 1, HD_OP_scf_yield);
}

bool hd_verify_scf_index_switch(hd_op *op) {
  hd_attr cases = hd_scf_index_switch_cases(op);
  if (op->region_count != hd_attr_count(cases) + 1)
    return hd_op_error(op, "expects %zu case regions, got %u", hd_attr_count(cases),
                       op->region_count ? op->region_count - 1 : 0);
  for (uint32_t r = 0; r < op->region_count; ++r)
    if (!region_results(op, r, HD_OP_scf_yield)) return false;
  return true;
}

bool hd_verify_scf_while(hd_op *op) {
  if (!expects_block(op, 0) || !expects_block(op, 1)) return false;
  hd_block *before = hd_op_region(op, 0)->first, *after = hd_op_region(op, 1)->first;
  if (before->arg_count != op->operand_count)
    return hd_op_error(op, "expects the first region to take %u arguments, got %u", op->operand_count,
                       before->arg_count);
  for (uint32_t i = 0; i < before->arg_count; ++i)
    if (before->args[i]->type != hd_operand_type(op, i))
      return hd_op_type_error(op, hd_operand_type(op, i), before->args[i]->type,
                              "expects argument #%u of the first region in the type of the operand", i);
  if (after->arg_count != op->result_count)
    return hd_op_error(op, "expects the second region to take %u arguments, got %u", op->result_count,
                       after->arg_count);
  for (uint32_t i = 0; i < after->arg_count; ++i)
    if (after->args[i]->type != hd_result_type(op, i))
      return hd_op_type_error(op, hd_result_type(op, i), after->args[i]->type,
                              "expects argument #%u of the second region in the type of the result", i);
  hd_op *condition = terminator(op, 0), *yield = terminator(op, 1);
  if (!hd_verify_ending(op, 0, condition, HD_OP_scf_condition) || !hd_verify_ending(op, 1, yield, HD_OP_scf_yield) ||
      !gives_results(op, condition, 1))
    return false;
  if (yield->operand_count != op->operand_count)
    return hd_op_error(yield, "gives %u values, but 'scf.while' carries %u", yield->operand_count, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_operand_type(yield, i) != hd_operand_type(op, i))
      return hd_op_type_error(yield, hd_operand_type(op, i), hd_operand_type(yield, i),
                              "type of value #%u differs from the carried one", i);
  return true;
}

bool hd_verify_scf_execute_region(hd_op *op) {
  hd_region *region = hd_op_region(op, 0);
  if (!region->first) return hd_op_error(op, "expects a block in region #0, got none");
  if (region->first->arg_count)
    return hd_op_error(op, "expects region #0 to take no arguments, got %u", region->first->arg_count);
  hd_for_each_block(block, region) {
    hd_op *last = hd_block_terminator(block);
    if (hd_op_is(last, HD_OP_scf_yield) && !gives_results(op, last, 0)) return false;
  }
  return true;
}

bool hd_verify_scf_parallel(hd_op *op) {
  if (!expects_block(op, 0)) return false;
  uint32_t start, lower, upper, step, inits;
  hd_op_operand_range(op, 0, &start, &lower);
  hd_op_operand_range(op, 1, &start, &upper);
  hd_op_operand_range(op, 2, &start, &step);
  hd_op_operand_range(op, 3, &start, &inits);
  hd_block *block = hd_op_region(op, 0)->first;
  if (!lower || lower != upper || lower != step)
    return hd_op_error(op, "expects as many lower bounds, upper bounds and steps, got %u, %u and %u", lower, upper,
                       step);
  if (block->arg_count != lower)
    return hd_op_error(op, "expects a body of %u arguments, got %u", lower, block->arg_count);
  for (uint32_t i = 0; i < lower; ++i)
    if (!hd_type_is(block->args[i]->type, HD_TYPE_INDEX))
      return hd_op_misfit_error(op, block->args[i]->type, NULL, "expects body argument #%u of type index", i);
  if (inits != op->result_count)
    return hd_op_error(op, "expects %u results, one per initial value, got %u", inits, op->result_count);
  hd_op *last = terminator(op, 0);
  return hd_verify_ending(op, 0, last, HD_OP_scf_reduce) && gives_results(op, last, 0);
}

static bool has_parent(hd_op *op, hd_opcode opcode) {
  hd_op *parent = hd_op_parent(op);
  return hd_op_is(parent, opcode) || hd_op_error(op, "expects parent op '%s', got %s", hd_op_info_of(opcode)->name,
                                                 parent ? parent->name->text : "none");
}

bool hd_verify_scf_reduce(hd_op *op) {
  if (!has_parent(op, HD_OP_scf_parallel)) return false;
  if (op->region_count != op->operand_count)
    return hd_op_error(op, "expects %u regions, one per operand, got %u", op->operand_count, op->region_count);
  for (uint32_t r = 0; r < op->region_count; ++r) {
    if (!expects_block(op, r)) return false;
    hd_block *block = hd_op_region(op, r)->first;
    hd_op *last = hd_block_terminator(block);
    hd_type type = hd_operand_type(op, r);
    if (block->arg_count != 2 || block->args[0]->type != type || block->args[1]->type != type)
      return hd_op_type_error(op, type, block->arg_count ? block->args[block->arg_count - 1]->type : NULL,
                              "expects region #%u to take two values of the operand's type", r);
    if (!hd_op_is(last, HD_OP_scf_reduce_return) || hd_operand_type(last, 0) != type)
      return hd_op_type_error(op, type, last->operand_count ? hd_operand_type(last, 0) : NULL,
                              "expects region #%u to end with 'scf.reduce.return' of the operand's type", r);
  }
  return true;
}

bool hd_verify_scf_condition(hd_op *op) { return has_parent(op, HD_OP_scf_while); }

bool hd_verify_scf_yield(hd_op *op) {
  hd_op *parent = hd_op_parent(op);
  switch (parent ? hd_opcode_get(parent) : HD_OP_UNREGISTERED) {
    case HD_OP_scf_for:
    case HD_OP_scf_if:
    case HD_OP_scf_while:
    case HD_OP_scf_index_switch:
    case HD_OP_scf_execute_region:
      return true;
    default:
      return hd_op_error(op, "expects a parent of scf with results, got %s", parent ? parent->name->text : "none");
  }
}

/* Operands from |first| on go to successor |i|. */
static bool branch(hd_op *op, uint32_t i, uint32_t first, uint32_t count) {
  hd_block *block = op->successors[i];
  if (block->arg_count != count)
    return hd_op_error(op, "branch has %u operands for successor #%u, but target block has %u", count, i,
                       block->arg_count);
  for (uint32_t k = 0; k < count; ++k)
    if (block->args[k]->type != hd_operand_type(op, first + k))
      return hd_op_type_error(op, block->args[k]->type, hd_operand_type(op, first + k),
                              "type mismatch for operand #%u of successor #%u", k, i);
  return true;
}

bool hd_verify_br(hd_op *op) {
  if (op->successor_count != 1) return hd_op_error(op, "expects 1 successor, got %u", op->successor_count);
  return branch(op, 0, 0, op->operand_count);
}

bool hd_verify_cond_br(hd_op *op) {
  if (op->successor_count != 2) return hd_op_error(op, "expects 2 successors, got %u", op->successor_count);
  for (uint32_t i = 0; i < 2; ++i) {
    uint32_t start, count;
    hd_op_operand_range(op, 1 + i, &start, &count);
    if (!branch(op, i, start, count)) return false;
  }
  return true;
}

bool hd_verify_switch(hd_op *op) {
  hd_attr values = hd_switch_like_case_values(op), segments = hd_switch_like_case_operand_segments(op);
  size_t cases = hd_attr_count(segments);
  if (op->successor_count != cases + 1 || hd_attr_count(values) != cases)
    return hd_op_error(
        op, "expects one successor and one segment per case value, got %zu values, %zu segments and %u successors",
        hd_attr_count(values), cases, op->successor_count);
  uint32_t start, count;
  hd_op_operand_range(op, 1, &start, &count);
  if (!branch(op, 0, start, count)) return false;
  hd_op_operand_range(op, 2, &start, &count);
  int64_t left = count;
  for (size_t i = 0; i < cases; ++i) {
    int64_t size = hd_attr_int_at(segments, i);
    if (size < 0 || size > left)
      return hd_op_error(op,
                         "expects case segments that add up to %u operands, got %lld in segment #%zu with %lld left",
                         count, (long long)size, i, (long long)left);
    if (!branch(op, (uint32_t)i + 1, start, (uint32_t)size)) return false;
    start += (uint32_t)size;
    left -= size;
  }
  return !left || hd_op_error(op, "expects case segments that add up to %u operands, got %lld", count,
                              (long long)(count - left));
}
