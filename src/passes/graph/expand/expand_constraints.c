/* SPDX-License-Identifier: Apache-2.0 */
/* What the shape function of an op (ir/shapes) requires, written as assertions in front of what it is expanded
 * to:
 *
 *   "stablehlo.scatter"(%x, %at, %u)   ->   %p = compare EQ, size of dim 0 of %u, size of dim 0 of %at
 *                                           custom_call @shape_assertion(%p, ..) "dim 0 of operand 2 is {0}, expected
 *                                           ..."
 *
 * Sizes are compared as tensor<1xi64>, whose arithmetic does not wrap. What an op demands of the elements of an operand
 * is left to the ops that read them. */
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"
#include "passes/graph/shape/shape_values.h"
#include "shape/shapes.h"

static hd_value *number(hd_builder *b, int64_t value) {
  int64_t one = 1;
  return hd_build_hlo_constant(b, hd_attr_dense(hd_type_tensor(hd_i64(b->context), &one, 1, NULL), &value, 8, true));
}

/* floor(lhs / rhs) or what is left of it, |rhs| a positive number. Division rounds to zero, so |lhs|, which bounds are
 * known of, is moved up by a multiple of |rhs| to where that is the same; null where none does. */
static hd_value *divide(hd_builder *b, bool quotient, hd_value *lhs, int64_t lower, int64_t rhs) {
  if (rhs < 1 || lower < -(INT64_C(1) << 62)) return NULL;
  int64_t times = lower < 0 ? -(lower + 1) / rhs + 1 : 0;
  hd_value *by = number(b, rhs);
  if (times) lhs = hd_stablehlo_add(b, lhs, number(b, times * rhs));
  lhs = hd_build_binary(b, quotient ? HD_OP_stablehlo_divide : HD_OP_stablehlo_remainder, lhs, by);
  return quotient && times ? hd_stablehlo_subtract(b, lhs, number(b, times)) : lhs;
}

static hd_value *write_dim(hd_builder *b, hd_dim dim);

static hd_value *write_symbol(hd_builder *b, const hd_symbol_origin *from) {
  if (from->kind == HD_SYMBOL_ELEMENT) return NULL;
  hd_value *size = hd_hlo_convert(b, hd_hlo_size_of(b, from->value, from->index), hd_i64(b->context));
  if (from->kind != HD_SYMBOL_QUOTIENT) return size;
  size = hd_stablehlo_add(b, size, number(b, from->offset));
  return divide(b, true, size, from->offset, from->divisor);
}

static hd_value *write_atom(hd_builder *b, const hd_atom *atom) {
  if (atom->kind == HD_ATOM_SYMBOL) return write_symbol(b, atom->origin);
  hd_value *lhs = write_dim(b, atom->lhs), *rhs = write_dim(b, atom->rhs);
  if (!lhs || !rhs) return NULL;
  switch (atom->kind) {
    case HD_ATOM_FLOORDIV:
    case HD_ATOM_MOD:
      return divide(b, atom->kind == HD_ATOM_FLOORDIV, lhs, hd_dim_lower(atom->lhs), hd_hlo_known_size(rhs));
    case HD_ATOM_MIN:
      return hd_stablehlo_minimum(b, lhs, rhs);
    default:
      return hd_stablehlo_maximum(b, lhs, rhs);
  }
}

/* |dim| as tensor<1xi64>; null where it reads elements or divides by what is no number. */
static hd_value *write_dim(hd_builder *b, hd_dim dim) {
  hd_value *total = NULL;
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    const hd_dim_term *term = &dim->terms[i];
    hd_value *product = term->coefficient == 1 ? NULL : number(b, term->coefficient);
    for (uint32_t k = 0; k < term->atom_count; ++k) {
      hd_value *factor = write_atom(b, term->atoms[k]);
      if (!factor) return NULL;
      product = product ? hd_stablehlo_multiply(b, product, factor) : factor;
    }
    total = total ? hd_stablehlo_add(b, total, product) : product;
  }
  if (!total) return number(b, dim->constant);
  return dim->constant ? hd_stablehlo_add(b, total, number(b, dim->constant)) : total;
}

void hd_expand_constraints(hd_builder *b, hd_op *func, hd_op *op, hd_arena *arena) {
  hd_shapes *shapes = hd_shapes_of_constraints(func, op, arena);
  for (size_t i = 0; i < shapes->guards.len; ++i) {
    const hd_shape_guard *guard = &shapes->guards.data[i];
    if (!guard->lhs || !guard->rhs || hd_dim_reads_elements(guard->lhs) || hd_dim_reads_elements(guard->rhs)) continue;
    hd_value *sides[2] = {write_dim(b, guard->lhs), write_dim(b, guard->rhs)};
    if (!sides[0] || !sides[1]) continue;
    for (int k = 0; k < 2; ++k) sides[k] = hd_hlo_reshape_to(b, sides[k], NULL, 0);
    hd_value *holds = hd_stablehlo_compare(
        b, guard->relation == HD_SHAPE_AT_MOST ? HD_STABLEHLO_COMPARE_LE : HD_STABLEHLO_COMPARE_EQ, sides[0], sides[1]);
    if (guard->relation == HD_SHAPE_SPREADS)
      holds = hd_stablehlo_or(
          b, holds, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, sides[0], hd_hlo_int_like(b, sides[0], 1)));
    hd_shape_assert_of(b, holds, sides, 2, hd_str_of(hd_shapes_guard_constraint(guard, arena)));
  }
}
