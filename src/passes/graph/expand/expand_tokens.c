/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens become empty tensors: effects run in the order of the program, so a token says nothing more.
 *
 *   func.func @main(%t: !stablehlo.token, ...) -> !stablehlo.token   ->   (%t: tensor<0xi1>, ...) -> tensor<0xi1>
 *   stablehlo.create_token, stablehlo.after_all %t, %u               ->   stablehlo.constant dense<> : tensor<0xi1> */
#include "ir/ops/interfaces.h"
#include "passes/graph/expand/expand_hlo.h"

typedef struct tokens {
  hd_pass *pass;
  hd_type empty;
  hd_vec(hd_op *) makers;
} tokens;

static void retype(tokens *t, hd_value *value) {
  if (!hd_type_is_token(value->type)) return;
  value->type = t->empty;
  t->pass->changed = true;
}

static bool visit(hd_op *op, void *user) {
  tokens *t = user;
  for (uint32_t i = 0; i < op->result_count; ++i) retype(t, hd_result(op, i));
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      for (uint32_t i = 0; i < block->arg_count; ++i) retype(t, block->args[i]);
  if (hd_op_is(op, HD_OP_stablehlo_create_token) || hd_op_is(op, HD_OP_stablehlo_after_all))
    hd_vec_push(&t->pass->arena, &t->makers, op);
  return true;
}

void hd_expand_tokens(hd_pass *pass, hd_op *func) {
  hd_block *entry = hd_op_region(func, 0)->first;
  int64_t zero = 0;
  tokens t = {.pass = pass, .empty = hd_type_tensor(hd_i1(pass->context), &zero, 1, NULL)};
  hd_walk_pre(func, visit, &t);
  for (size_t i = 0; i < t.makers.len; ++i) {
    hd_builder b = hd_builder_before(t.makers.data[i]);
    hd_value *value = hd_build_hlo_constant(&b, hd_attr_dense(t.empty, NULL, 0, false));
    hd_op_replace(t.makers.data[i], &value);
  }
  if (!entry || !entry->last || !pass->changed) return;
  hd_type *ins = hd_new_array(&pass->arena, hd_type, entry->arg_count + 1);
  hd_type *outs = hd_new_array(&pass->arena, hd_type, entry->last->operand_count + 1);
  for (uint32_t i = 0; i < entry->arg_count; ++i) ins[i] = entry->args[i]->type;
  for (uint32_t i = 0; i < entry->last->operand_count; ++i) outs[i] = hd_operand_type(entry->last, i);
  hd_function_like_set_function_type(
      func, hd_attr_type(hd_type_function(pass->context, ins, entry->arg_count, outs, entry->last->operand_count)));
}
