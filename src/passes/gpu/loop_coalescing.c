/* SPDX-License-Identifier: Apache-2.0 */
/* disc-loop-coalescing: a parallel nest becomes one flat loop from 0 in steps of 1.
 *
 *   scf.parallel (%i, %j) = (%c0, %c0) to (%d0, %d1) step (%c1, %c1)      %n = arith.muli %d0, %d1
 *     use(%i, %j)                                                   ->    scf.parallel (%k) = (%c0) to (%n) step (%c1)
 *                                                                           %j = arith.remui %k, %d1
 *                                                                           %i = arith.divui %k, %d1
 *
 * Other bounds and steps are made 0 and 1 on the way; products of known sizes are known. A loop in a loop is
 * one nest of both where there is nothing else but pure ops in the outer one, and the inner one's bounds
 * come from outside. Loops with results stay. */
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/gpu/linear_accesses.h"
#include "passes/passes.h"

typedef struct nest {
  hd_value *lower, *upper, *step;
} nest;

static bool is_constant(hd_value *value, int64_t expected) {
  int64_t known;
  return hd_value_constant_int(value, &known) && known == expected;
}

/* Iterations of one dim: max(0, ceil((upper - lower) / step)). */
static hd_value *iterations(hd_builder *b, const nest *n) {
  hd_value *span = is_constant(n->lower, 0) ? n->upper : hd_build_binary(b, HD_OP_arith_subi, n->upper, n->lower);
  if (!is_constant(n->lower, 0)) span = hd_build_binary(b, HD_OP_arith_maxsi, span, hd_build_index(b, 0));
  return is_constant(n->step, 1) ? span : hd_build_binary(b, HD_OP_arith_ceildivsi, span, n->step);
}

/* What is known stays known: a range of known size has one launch. */
static hd_value *product(hd_builder *b, hd_value *x, hd_value *y) {
  int64_t p, q, r;
  bool known = hd_value_constant_int(x, &p) && hd_value_constant_int(y, &q) && !__builtin_mul_overflow(p, q, &r);
  return known ? hd_build_index(b, r) : hd_build_binary(b, HD_OP_arith_muli, x, y);
}

/* The loop that is all of |loop|'s body but pure ops before it, with bounds from outside; null: it is no nest. */
static hd_op *nested_in(hd_op *loop) {
  hd_op *end = hd_op_region(loop, 0)->first->last, *inner = end->prev;
  if (!hd_op_is(inner, HD_OP_scf_parallel) || inner->result_count) return NULL;
  for (hd_op *op = inner->prev; op; op = op->prev)
    if (!hd_op_is_speculatable(op)) return NULL;
  for (uint32_t i = 0; i < inner->operand_count; ++i)
    if (hd_op_is_ancestor(loop, hd_block_parent_op(hd_value_block(hd_operand(inner, i))))) return NULL;
  return inner;
}

/* Takes the dims and the body of |inner| into |loop|. */
static void absorb(hd_pass *pass, hd_op *loop, hd_op *inner) {
  hd_block *body = hd_op_region(loop, 0)->first, *from = hd_op_region(inner, 0)->first;
  uint32_t outer = body->arg_count, more = from->arg_count, rank = outer + more;
  hd_value **operands = hd_new_array(&pass->arena, hd_value *, 3 * rank);
  for (uint32_t part = 0; part < 3; ++part) {
    for (uint32_t d = 0; d < outer; ++d) operands[part * rank + d] = hd_operand(loop, part * outer + d);
    for (uint32_t d = 0; d < more; ++d) operands[part * rank + outer + d] = hd_operand(inner, part * more + d);
  }
  for (uint32_t d = 0; d < more; ++d) {
    hd_value *at = hd_block_add_arg(pass->module, body, from->args[d]->type);
    hd_value_replace_uses(from->args[d], at);
  }
  hd_op_erase(from->last);
  hd_block_splice(from, body, inner);
  if (!hd_discardable_threads_attr(loop)) hd_discardable_set_threads_attr(loop, hd_discardable_threads_attr(inner));
  if (!hd_discardable_kernel_name_attr(loop))
    hd_discardable_set_kernel_name_attr(loop, hd_discardable_kernel_name_attr(inner));
  hd_op_erase(inner);
  int32_t n = (int32_t)rank;
  hd_op_set_operands(loop, operands, 3 * rank);
  hd_segmented_set_operandSegmentSizes(loop, hd_attr_i32_array(pass->context, (int32_t[]){n, n, n, 0}, 4));
  pass->changed = true;
}

static void coalesce(hd_pass *pass, hd_op *loop) {
  for (hd_op *inner = nested_in(loop); inner; inner = nested_in(loop)) absorb(pass, loop, inner);
  hd_block *body = hd_op_region(loop, 0)->first;
  uint32_t rank = body->arg_count;
  nest *dims = hd_new_array(&pass->arena, nest, rank);
  for (uint32_t d = 0; d < rank; ++d)
    dims[d] = (nest){hd_operand(loop, d), hd_operand(loop, rank + d), hd_operand(loop, 2 * rank + d)};
  if (rank == 1 && is_constant(dims[0].lower, 0) && is_constant(dims[0].step, 1)) return;
  hd_builder b = hd_builder_before(loop), in = hd_builder_at_start(pass->module, body);
  in.loc = b.loc = loop->loc;
  hd_value **sizes = hd_new_array(&pass->arena, hd_value *, rank), *total = NULL;
  for (uint32_t d = 0; d < rank; ++d) {
    sizes[d] = iterations(&b, &dims[d]);
    if (is_constant(sizes[d], 1)) continue;
    total = total ? product(&b, total, sizes[d]) : sizes[d];
  }
  if (!total) total = hd_build_index(&b, 1);
  hd_value *flat = hd_block_add_arg(pass->module, body, total->type), *rest = flat;
  bool outer_left = false; /* is there a dim of more than one iteration outside of d? */
  for (uint32_t d = rank; d-- > 0;) {
    hd_value *at;
    outer_left = false;
    for (uint32_t o = 0; o < d; ++o) outer_left |= !is_constant(sizes[o], 1);
    if (is_constant(sizes[d], 1)) {
      at = hd_build_index(&in, 0);
    } else if (outer_left) {
      at = hd_build_binary(&in, HD_OP_arith_remui, rest, sizes[d]);
      rest = hd_build_binary(&in, HD_OP_arith_divui, rest, sizes[d]);
    } else {
      at = rest;
    }
    if (!is_constant(dims[d].step, 1)) at = hd_build_binary(&in, HD_OP_arith_muli, at, dims[d].step);
    if (!is_constant(dims[d].lower, 0)) at = hd_build_binary(&in, HD_OP_arith_addi, at, dims[d].lower);
    hd_value_replace_uses(body->args[d], at);
  }
  for (uint32_t d = rank; d-- > 0;) hd_block_erase_arg(body, d);
  hd_op_set_operands(loop, (hd_value *[]){hd_build_index(&b, 0), total, hd_build_index(&b, 1)}, 3);
  hd_segmented_set_operandSegmentSizes(loop, hd_attr_i32_array(pass->context, (int32_t[]){1, 1, 1, 0}, 4));
  hd_fold_positions(loop, &pass->arena);
  pass->changed = true;
}

static void run_block(hd_pass *pass, hd_block *block) {
  hd_for_each_op_safe(op, block) {
    if (hd_op_is(op, HD_OP_scf_parallel)) {
      if (!op->result_count) coalesce(pass, op);
      continue;
    }
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r)) run_block(pass, inner);
  }
}

bool hd_pass_loop_coalescing(hd_pass *pass, hd_op *func) {
  hd_for_each_block(block, hd_op_region(func, 0)) run_block(pass, block);
  return true;
}
