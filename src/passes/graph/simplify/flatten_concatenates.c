/* SPDX-License-Identifier: Apache-2.0 */
/* flatten-concatenates: what concatenates and slices of them only pass on is read where it comes from.
 *
 *   concatenate(concatenate(%a, %b), %c)       ->   concatenate(%a, %b, %c), where nothing else reads the inner one
 *   slice of concatenate(%a, %b), all in %b    ->   slice of %b
 *   concatenate(%a, %b), %a without elements   ->   concatenate(%b)
 *
 * A concatenate is in memory, since what follows reads it at other indices than its own. Padding by rows that are there
 * already (reflected, repeated), which is written as one concatenate after the other with slices of each, so takes one
 * copy for each dim, where it took two. Sizes along the dim must be known as far as a slice goes. */
#include "ir/ops/stablehlo.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"

enum { MOST_OPERANDS = 8 /* of a kernel: what has more is divided again (disc-split-large-ops) */ };

static bool is_concatenate(const hd_op *op) { return op && hd_op_is(op, HD_OP_stablehlo_concatenate); }

/* The size of operand |i| of |op| along its dim; HD_DYNAMIC where only the run tells. */
static int64_t size_of(const hd_op *op, uint32_t i) {
  hd_type type = hd_operand_type(op, i);
  return hd_type_has_rank(type) ? hd_type_dim(type, (uint32_t)hd_stablehlo_concatenate_dimension(op)) : HD_DYNAMIC;
}

/* What |op| reads of a concatenate is read from the operand that has all of it. */
static bool slice_operand(hd_op *op) {
  hd_op *source = hd_value_op(hd_operand(op, 0));
  if (!is_concatenate(source)) return false;
  uint32_t axis = (uint32_t)hd_stablehlo_concatenate_dimension(source);
  hd_attr starts = hd_stablehlo_slice_start_indices(op), limits = hd_stablehlo_slice_limit_indices(op);
  int64_t start = hd_attr_int_at(starts, axis), limit = hd_attr_int_at(limits, axis), before = 0;
  for (uint32_t i = 0; i < source->operand_count && start < limit; ++i) {
    int64_t size = size_of(source, i), at[HD_MAX_RANK], to[HD_MAX_RANK];
    if (size == HD_DYNAMIC || start < before) return false;
    if (limit > before + size) {
      before += size;
      continue;
    }
    hd_value *operand = hd_operand(source, i);
    uint32_t rank = hd_type_rank(operand->type);
    for (uint32_t d = 0; d < rank; ++d) {
      at[d] = hd_attr_int_at(starts, d) - (d == axis ? before : 0);
      to[d] = hd_attr_int_at(limits, d) - (d == axis ? before : 0);
    }
    hd_context *context = starts->context;
    hd_stablehlo_slice_set_start_indices(op, hd_attr_i64_array(context, at, rank));
    hd_stablehlo_slice_set_limit_indices(op, hd_attr_i64_array(context, to, rank));
    hd_op_set_operand(op, 0, operand);
    if (!hd_result(source, 0)->first_use) hd_op_erase(source);
    return true;
  }
  return false;
}

/* Is operand |i| of |op| a concatenate along the same dim that nothing else reads? */
static hd_op *inner_of(hd_op *op, uint32_t i) {
  hd_op *inner = hd_value_op(hd_operand(op, i));
  return is_concatenate(inner) && hd_value_has_one_use(hd_operand(op, i)) &&
                 hd_stablehlo_concatenate_dimension(inner) == hd_stablehlo_concatenate_dimension(op)
             ? inner
             : NULL;
}

static bool flatten(hd_op *op, hd_arena *arena) {
  hd_vec(hd_value *) operands = {0};
  hd_vec(hd_op *) gone = {0};
  bool changed = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_op *inner = inner_of(op, i);
    bool joins = inner && operands.len + inner->operand_count + (op->operand_count - i - 1) <= MOST_OPERANDS;
    if (joins) {
      for (uint32_t k = 0; k < inner->operand_count; ++k) hd_vec_push(arena, &operands, hd_operand(inner, k));
      hd_vec_push(arena, &gone, inner);
    } else if (size_of(op, i) || (!operands.len && i + 1 == op->operand_count)) {
      hd_vec_push(arena, &operands, hd_operand(op, i));
    } else {
      changed = true;
    }
  }
  if (!changed && !gone.len) return false;
  hd_op_set_operands(op, operands.data, operands.len);
  for (size_t i = 0; i < gone.len; ++i) hd_op_erase(gone.data[i]);
  if (operands.len > 1) return true;
  hd_builder b = hd_builder_before(op);
  hd_value *only = operands.data[0];
  if (only->type != hd_result_type(op, 0)) only = hd_hlo_retype(&b, only, hd_result_type(op, 0));
  hd_op_replace(op, &only);
  return true;
}

static bool visit(hd_op *op, void *user) {
  hd_pass *pass = user;
  if (hd_op_is(op, HD_OP_stablehlo_slice))
    while (slice_operand(op)) pass->changed = true;
  if (is_concatenate(op)) pass->changed |= flatten(op, &pass->arena);
  return true;
}

bool hd_pass_flatten_concatenates(hd_pass *pass, hd_op *func) { return hd_walk_pre(func, visit, pass); }
