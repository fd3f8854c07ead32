/* SPDX-License-Identifier: Apache-2.0 */
/* transpose-of-concatenate: a transpose of a stack becomes a stack along another dim.
 *
 *   %s = stablehlo.concatenate %x, %y, dim = 0 : (1xn, 1xn) -> 2xn     ->   %u = stablehlo.transpose %x : 1xn -> nx1
 *   %t = stablehlo.transpose %s                : 2xn -> nx2                 %v = stablehlo.transpose %y : 1xn -> nx1
 *                                                                           %t = stablehlo.concatenate %u, %v, dim = 1
 *
 * The transposes that are left only move dims of one element, which no element moves for: so what is stacked is written
 * where it belongs, once, and may be computed there. Concatenates whose operands a transpose moves in memory, or that
 * others read too, are left. Guarantees nothing. */
#include "ir/op_info.h"
#include "ir/ops/interfaces.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"

/* Do the dims of |type| that may have more than one element keep their order? */
static bool moves_unit_dims(hd_type type, hd_attr permutation) {
  int64_t last = -1;
  for (uint32_t d = 0; d < hd_type_rank(type); ++d) {
    int64_t from = hd_attr_int_at(permutation, d);
    if (hd_type_dim(type, (uint32_t)from) == 1) continue;
    if (from < last) return false;
    last = from;
  }
  return true;
}

static bool is_stack(hd_op *concatenate, hd_attr permutation) {
  for (uint32_t i = 0; i < concatenate->operand_count; ++i)
    if (!moves_unit_dims(hd_operand_type(concatenate, i), permutation)) return false;
  return concatenate->operand_count > 0;
}

static bool is_transpose_of_concatenate(const hd_op *op) {
  if (!hd_op_is(op, HD_OP_stablehlo_transpose)) return false;
  hd_value *x = hd_operand(op, 0);
  return hd_op_is(hd_value_op(x), HD_OP_stablehlo_concatenate) && hd_value_has_one_use(x);
}

static void exchange(hd_op *transpose, hd_op *concatenate, hd_attr permutation, hd_arena *arena) {
  hd_builder b = hd_builder_before(transpose);
  uint32_t count = concatenate->operand_count, rank = hd_type_rank(hd_operand_type(transpose, 0));
  hd_value **parts = hd_new_array(arena, hd_value *, count);
  int64_t order[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) order[d] = hd_attr_int_at(permutation, d);
  b.loc = concatenate->loc;
  for (uint32_t i = 0; i < count; ++i) parts[i] = hd_hlo_transpose(&b, hd_operand(concatenate, i), order);
  int64_t axis = hd_attr_find_int(permutation, hd_stablehlo_concatenate_dimension(concatenate));
  hd_value *joined = hd_stablehlo_concatenate(&b, axis, parts, count);
  joined = hd_hlo_retype(&b, joined, hd_result_type(transpose, 0));
  hd_op_replace(transpose, &joined);
  hd_op_erase(concatenate);
}

bool hd_pass_transpose_of_concatenate(hd_pass *pass, hd_op *func) {
  hd_op_list ops = hd_ops_where(func, is_transpose_of_concatenate, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *transpose = ops.data[i], *concatenate = hd_value_op(hd_operand(transpose, 0));
    hd_attr permutation = hd_stablehlo_transpose_permutation(transpose);
    if (!is_stack(concatenate, permutation)) continue;
    exchange(transpose, concatenate, permutation, &pass->arena);
    pass->changed = true;
  }
  return true;
}
