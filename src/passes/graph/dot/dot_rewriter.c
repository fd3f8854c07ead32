/* SPDX-License-Identifier: Apache-2.0 */
/* disc-dot-rewriter: transposes fold into dots, vectors come first, dots of one operand become
 * one, sizes become friendly to tensor cores.
 *
 *   dot_general(transpose(%a, [1, 0]), %b) contracting [1] x [0]   ->   dot_general(%a, %b) contracting [0] x [0]
 *
 *   dot_general(%matrix, %vector)           ->   dot_general(%vector, %matrix)
 *
 *   %1 = dot_general(%x, %v)                ->   %w = concatenate %v, %u    %y = dot_general(%x, %w)
 *   %2 = dot_general(%x, %u)                     %1 = slice %y, %2 = slice %y          (merge)
 *
 *   dot_general(%a, %b)                     ->   if (large and some size is no multiple of `align`)
 *                                                  slice(dot_general(pad %a, pad %b)) else dot_general(%a, %b)
 *
 * 1. Folding: stablehlo.dot becomes dot_general where that is needed. The free dims of the operand must keep their
 *    order, since the result has them in order.
 * 2. Vectors come first: where the rhs has no free dims, its lhs takes its place. So what follows works on a row, by
 *    vectors.
 * 3. `merge`: dots and dot_generals with one lhs (or one rhs), equal dims, attributes and element types, whose other
 *    operands differ in one free dim at most. They stand where the first one does, so the other operands must be known
 *    there, or be made there of few ops.
 * 4. `align=N` pads contracted and free dims by zeros. Sizes may be unknown, so the choice is made at run time, by the
 *    product of all sizes: from `min-size` multiply-adds on. A dot whose sizes are known is decided here. What is
 *    decided is tagged, so a second run leaves it. */
#include "base/vec.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/dot/dot.h"
#include "passes/passes.h"

static hd_dot_dims dims_of(hd_attr attr) {
  hd_dot_dims d = {.count = (uint32_t)hd_attr_count(attr)};
  for (uint32_t i = 0; i < d.count && i < HD_COMPILED_MAX_RANK; ++i) d.items[i] = hd_attr_int_at(attr, i);
  return d;
}

bool hd_dot_has(const hd_dot_dims *d, int64_t dim) {
  for (uint32_t i = 0; i < d->count; ++i)
    if (d->items[i] == dim) return true;
  return false;
}

bool hd_is_dot(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_dot_general) || hd_op_is(op, HD_OP_stablehlo_dot);
}

bool hd_dot_side_of(hd_op *op, uint32_t i, hd_dot_side *out) {
  uint32_t rank = hd_type_rank(hd_operand_type(op, i));
  *out = (hd_dot_side){0};
  if (rank > HD_COMPILED_MAX_RANK) return false;
  if (hd_op_is(op, HD_OP_stablehlo_dot)) {
    out->contract = (hd_dot_dims){.items = {i == 0 && rank == 2 ? 1 : 0}, .count = 1};
  } else {
    hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(op);
    out->batch = dims_of(i ? hd_attr_stablehlo_dot_rhs_batching_dimensions(n)
                           : hd_attr_stablehlo_dot_lhs_batching_dimensions(n));
    out->contract = dims_of(i ? hd_attr_stablehlo_dot_rhs_contracting_dimensions(n)
                              : hd_attr_stablehlo_dot_lhs_contracting_dimensions(n));
  }
  for (uint32_t d = 0; d < rank; ++d)
    if (!hd_dot_has(&out->batch, d) && !hd_dot_has(&out->contract, d)) out->rest.items[out->rest.count++] = d;
  return true;
}

static hd_attr numbers_of(hd_context *context, const hd_dot_side *lhs, const hd_dot_side *rhs) {
  hd_attr params[] = {hd_attr_i64_array(context, lhs->batch.items, lhs->batch.count),
                      hd_attr_i64_array(context, rhs->batch.items, rhs->batch.count),
                      hd_attr_i64_array(context, lhs->contract.items, lhs->contract.count),
                      hd_attr_i64_array(context, rhs->contract.items, rhs->contract.count)};
  return hd_attr_struct(context, HD_STRUCT_stablehlo_dot, params, 4);
}

hd_value *hd_build_dot(hd_builder *b, hd_op *op, hd_value *lhs, hd_value *rhs, const hd_dot_side *l,
                       const hd_dot_side *r, hd_type type) {
  hd_op *made = hd_build_like(b, op, HD_OP_stablehlo_dot_general, (hd_value *[]){lhs, rhs}, 2, &type, 1);
  hd_stablehlo_dot_general_set_dot_dimension_numbers(made, numbers_of(b->context, l, r));
  return hd_result(made, 0);
}

/* Dims of transpose(x) as dims of x; false when that would reorder the free ones. */
static bool through(hd_dot_side *s, hd_attr permutation) {
  hd_dot_dims *all[] = {&s->batch, &s->contract, &s->rest};
  for (int k = 0; k < 3; ++k)
    for (uint32_t i = 0; i < all[k]->count; ++i)
      all[k]->items[i] = hd_attr_int_at(permutation, (size_t)all[k]->items[i]);
  for (uint32_t i = 1; i < s->rest.count; ++i)
    if (s->rest.items[i] < s->rest.items[i - 1]) return false;
  return true;
}

static hd_op *fold_transposes(hd_pass *pass, hd_op *op) {
  hd_dot_side sides[2];
  hd_value *values[2];
  bool folded = false;
  for (uint32_t i = 0; i < 2; ++i) {
    if (!hd_dot_side_of(op, i, &sides[i])) return op;
    values[i] = hd_operand(op, i);
    hd_op *transpose = hd_value_op(values[i]);
    hd_dot_side moved = sides[i];
    if (!hd_op_is(transpose, HD_OP_stablehlo_transpose) ||
        !through(&moved, hd_stablehlo_transpose_permutation(transpose)))
      continue;
    sides[i] = moved;
    values[i] = hd_operand(transpose, 0);
    folded = true;
  }
  if (!folded) return op;
  hd_builder b = hd_builder_before(op);
  hd_value *value = hd_build_dot(&b, op, values[0], values[1], &sides[0], &sides[1], hd_result_type(op, 0));
  hd_op_replace(op, &value);
  pass->changed = true;
  return hd_value_op(value);
}

/* A matrix by a vector is the vector by the matrix: the same result, whose elements are then columns of one row. */
static hd_op *vector_first(hd_pass *pass, hd_op *op) {
  hd_dot_side sides[2];
  if (!hd_dot_side_of(op, 0, &sides[0]) || !hd_dot_side_of(op, 1, &sides[1])) return op;
  bool general = hd_op_is(op, HD_OP_stablehlo_dot_general);
  if (!sides[0].rest.count || sides[1].rest.count || (general && hd_stablehlo_dot_general_algorithm(op)) ||
      hd_type_element(hd_operand_type(op, 0)) != hd_type_element(hd_operand_type(op, 1)))
    return op;
  hd_builder b = hd_builder_before(op);
  hd_value *value =
      hd_build_dot(&b, op, hd_operand(op, 1), hd_operand(op, 0), &sides[1], &sides[0], hd_result_type(op, 0));
  hd_op *made = hd_value_op(value);
  hd_attr precision = hd_stablehlo_dot_general_precision_config(made);
  if (hd_attr_count(precision) == 2)
    hd_stablehlo_dot_general_set_precision_config(
        made, hd_attr_array(pass->context, (hd_attr[]){precision->array.items[1], precision->array.items[0]}, 2));
  hd_op_replace(op, &value);
  pass->changed = true;
  return made;
}

bool hd_pass_dot_rewriter(hd_pass *pass, hd_op *func) {
  int64_t align = hd_option_int(pass, "align"), min_size = hd_option_int(pass, "min-size");
  if (align < 0 || align > 1024)
    return hd_op_error(func, "disc-dot-rewriter: align must be 0 (off) to 1024, got %lld", (long long)align);
  hd_op_list dots = hd_ops_where(func, hd_is_dot, &pass->arena);
  for (size_t i = 0; i < dots.len; ++i) dots.data[i] = vector_first(pass, fold_transposes(pass, dots.data[i]));
  if (hd_option_bool(pass, "merge")) hd_dot_merge(pass, dots.data, dots.len);
  if (align > 1) {
    dots = hd_ops_where(func, hd_is_dot, &pass->arena);
    for (size_t i = 0; i < dots.len; ++i) hd_dot_align(pass, dots.data[i], align, min_size);
  }
  if (pass->changed) hd_op_erase_dead_inside(func); /* transposes that dots took in */
  return true;
}
