/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo-refine-shapes: result types say what the shape analysis knows.
 *
 *   %1 = stablehlo.dynamic_reshape %0, %c : tensor<4xf32> -> tensor<?x?xf32>   ->   tensor<2x2xf32>
 *
 * Arguments keep their types. Unknown dims that are found constant become so in results, in block arguments of loops
 * and in the function's result types. */
#include "ir/ops/interfaces.h"
#include "passes/analyses.h"
#include "passes/passes.h"
#include "shape/shapes.h"

typedef struct refinement {
  hd_pass *pass;
  hd_shapes *shapes;
} refinement;

static void refine(refinement *f, hd_value *value) {
  if (value->type->kind != HD_TYPE_TENSOR) return;
  uint32_t rank = hd_type_rank(value->type);
  int64_t *dims = hd_new_array(&f->pass->arena, int64_t, rank);
  bool found = false;
  for (uint32_t d = 0; d < rank; ++d) {
    dims[d] = hd_type_dim(value->type, d);
    if (dims[d] == HD_DYNAMIC && hd_dim_is_const(&f->shapes->table, hd_shapes_dim(f->shapes, value, d), &dims[d]))
      found = true;
  }
  if (!found) return;
  value->type = hd_type_with_dims(value->type, dims, rank);
  f->pass->changed = true;
}

static bool visit(hd_op *op, void *user) {
  refinement *f = user;
  for (uint32_t i = 0; i < op->result_count; ++i) refine(f, hd_result(op, i));
  if (op == f->shapes->func) return true;
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      for (uint32_t i = 0; i < block->arg_count; ++i) refine(f, block->args[i]);
  return true;
}

bool hd_pass_refine_shapes(hd_pass *pass, hd_op *func) {
  refinement f = {pass, hd_pass_shapes(pass, func)};
  hd_walk_pre(func, visit, &f);
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_op *ret = entry->last;
  hd_attr type = hd_function_like_function_type(func);
  if (!hd_op_has_trait(ret, HD_TRAIT(RETURN_LIKE)) || entry->next) return true;
  hd_type *outs = hd_new_array(&pass->arena, hd_type, ret->operand_count);
  for (uint32_t i = 0; i < ret->operand_count; ++i) outs[i] = hd_operand_type(ret, i);
  hd_type now = hd_type_function(pass->context, type->type_value->function.ins, type->type_value->function.in_count,
                                 outs, ret->operand_count);
  hd_function_like_set_function_type(func, hd_attr_type(now));
  return true;
}
