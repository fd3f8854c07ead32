/* SPDX-License-Identifier: Apache-2.0 */
/* disc-transpose-of-dot: a transpose that puts columns of a product before its rows becomes the product of exchanged
 * sides.
 *
 *   %d = stablehlo.dot_general %a, %b ...  : [batch, m, n]     ->     %t = stablehlo.dot_general %b, %a ... : [batch,
 *                                                                     n, m]
 *   %t = stablehlo.transpose %d            : [batch, n, m]
 *
 *   %d = stablehlo.dot_general %a, %b ...  : [m, n]        ->     %d = stablehlo.dot_general %b, %a ... : [n, m]
 *   stablehlo.dot_general %d, %c, batching_dims = [1] ...         stablehlo.dot_general %d, %c, batching_dims = [0] ...
 *
 * So what follows a transposed product (the update of a weight by its gradient) can be done on the product's tiles.
 * Where other dims move too, a transpose is left that keeps the last one, and a product writes through that: heads of
 * attention, [b, h, d, q] to [b, q, h, d]. A product of many small ones, of which each has a column of another product,
 * finds it in a row, side by side (a bilinear form: a tenth of the time). Products commute and their order along k
 * stays, so the sums are the same bits but for few rows, where which side has them may choose a kernel that sums by
 * lanes (docs/design/ products.md). Products that others read too are left, and those with an algorithm, which tells
 * the sides apart.
 * Guarantees nothing. */
#include "ir/op_info.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/dot/dot.h"
#include "passes/passes.h"

/* How many dims of a product's result are of batches, of rows and of columns, in this order. */
typedef struct result_dims {
  int64_t batch, m, n;
} result_dims;

static result_dims dims_of_result(hd_op *dot) {
  hd_attr numbers = hd_stablehlo_dot_general_dot_dimension_numbers(dot);
  int64_t batch = (int64_t)hd_attr_count(hd_attr_stablehlo_dot_lhs_batching_dimensions(numbers));
  return (result_dims){batch,
                       hd_type_rank(hd_operand_type(dot, 0)) - batch -
                           (int64_t)hd_attr_count(hd_attr_stablehlo_dot_lhs_contracting_dimensions(numbers)),
                       hd_type_rank(hd_operand_type(dot, 1)) - batch -
                           (int64_t)hd_attr_count(hd_attr_stablehlo_dot_rhs_contracting_dimensions(numbers))};
}

/* Where dim |d| of the result is in that of the exchanged product. */
static int64_t exchanged_dim(result_dims r, int64_t d) {
  return d < r.batch ? d : d < r.batch + r.m ? d + r.n : d - r.m;
}

/* |dot| with its sides exchanged, of |type|. */
static hd_value *exchange(hd_builder *b, hd_op *dot, hd_type type) {
  hd_attr numbers = hd_stablehlo_dot_general_dot_dimension_numbers(dot),
          precision = hd_with_precision_precision_config(dot);
  hd_attr parts[4] = {hd_attr_stablehlo_dot_rhs_batching_dimensions(numbers),
                      hd_attr_stablehlo_dot_lhs_batching_dimensions(numbers),
                      hd_attr_stablehlo_dot_rhs_contracting_dimensions(numbers),
                      hd_attr_stablehlo_dot_lhs_contracting_dimensions(numbers)};
  if (precision && hd_attr_count(precision) == 2)
    precision = hd_attr_array(b->context, (hd_attr[]){precision->array.items[1], precision->array.items[0]}, 2);
  hd_attr_arg attrs[2] = {{HD_NAME_dot_dimension_numbers, hd_attr_struct(b->context, numbers->structure.row, parts, 4)},
                          {HD_NAME_precision_config, precision}};
  return hd_build_one_(b, dot->info->opcode, type, (hd_value *[]){hd_operand(dot, 1), hd_operand(dot, 0)}, 2, attrs,
                       precision ? 2 : 1);
}

/* The product that makes |value| for one reader alone, and whose sides may be exchanged; null when there is none. */
static hd_op *exchangeable(hd_value *value) {
  hd_op *dot = hd_value_op(value);
  return hd_op_is(dot, HD_OP_stablehlo_dot_general) && hd_value_has_one_use(value) &&
                 !hd_stablehlo_dot_general_algorithm(dot)
             ? dot
             : NULL;
}

/* Does the last dim of the result come from the |m| dims after the |batch| ones, and are the |n| dims after those
 * before it? */
static bool exchanges_sides(hd_attr permutation, result_dims r) {
  return r.m && r.n && hd_attr_int_at(permutation, (size_t)(r.batch + r.m + r.n - 1)) == r.batch + r.m - 1;
}

/* What is left of |permutation| for the exchanged product. */
static hd_attr rest_of(hd_context *context, hd_attr permutation, result_dims r, bool *out_none) {
  int64_t rest[HD_MAX_RANK];
  *out_none = true;
  for (int64_t d = 0; d < r.batch + r.m + r.n; ++d) {
    rest[d] = exchanged_dim(r, hd_attr_int_at(permutation, (size_t)d));
    *out_none &= rest[d] == d;
  }
  return hd_attr_i64_array(context, rest, (size_t)(r.batch + r.m + r.n));
}

static bool take_transpose(hd_op *transpose, hd_op *dot) {
  hd_context *context = hd_op_context(dot);
  result_dims r = dims_of_result(dot);
  hd_attr permutation = hd_stablehlo_transpose_permutation(transpose);
  if (!exchanges_sides(permutation, r)) return false;
  hd_builder b = hd_builder_before(transpose);
  b.loc = hd_loc_fused(context, (hd_loc[]){dot->loc, transpose->loc}, 2, NULL);
  bool none;
  hd_type type = hd_result(transpose, 0)->type;
  hd_attr rest = rest_of(context, permutation, r, &none);
  if (!none) { /* the exchanged product's dims, in its own order */
    int64_t dims[HD_MAX_RANK];
    for (int64_t d = 0; d < r.batch + r.m + r.n; ++d) dims[hd_attr_int_at(rest, (size_t)d)] = type->shaped.dims[d];
    type = hd_type_tensor(type->shaped.element, dims, type->shaped.rank, NULL);
  }
  hd_value *swapped = exchange(&b, dot, type);
  if (!none) swapped = hd_stablehlo_transpose(&b, rest, swapped);
  hd_op_replace(transpose, &swapped);
  hd_op_erase(dot);
  return true;
}

/* Operand |i| of |reader| is a product whose last dim, one of its columns, is of |reader|'s batches, and the last one
 * of its rows is none: then the exchanged product is as |reader|'s matrices do. */
static hd_op *take_columns(hd_op *reader, uint32_t i) {
  hd_op *dot = exchangeable(hd_operand(reader, i));
  hd_dot_side sides[2];
  if (!dot || !hd_dot_side_of(reader, 0, &sides[0]) || !hd_dot_side_of(reader, 1, &sides[1])) return NULL;
  result_dims r = dims_of_result(dot);
  int64_t rank = r.batch + r.m + r.n;
  if (!r.m || !r.n || !hd_dot_has(&sides[i].batch, rank - 1) || hd_dot_has(&sides[i].batch, r.batch + r.m - 1))
    return NULL;
  hd_dot_dims *lists[] = {&sides[i].batch, &sides[i].contract, &sides[i].rest};
  for (int k = 0; k < 3; ++k)
    for (uint32_t d = 0; d < lists[k]->count; ++d) lists[k]->items[d] = exchanged_dim(r, lists[k]->items[d]);
  for (uint32_t d = 1; d < sides[i].rest.count; ++d) /* the result has them in order */
    if (sides[i].rest.items[d] < sides[i].rest.items[d - 1]) return NULL;
  int64_t dims[HD_COMPILED_MAX_RANK];
  hd_type type = hd_result_type(dot, 0);
  for (int64_t d = 0; d < rank; ++d) dims[exchanged_dim(r, d)] = type->shaped.dims[d];
  hd_builder before = hd_builder_before(dot), b = hd_builder_before(reader);
  hd_value *values[2] = {hd_operand(reader, 0), hd_operand(reader, 1)};
  values[i] = exchange(&before, dot, hd_type_tensor(type->shaped.element, dims, (uint32_t)rank, NULL));
  hd_value *result = hd_build_dot(&b, reader, values[0], values[1], &sides[0], &sides[1], hd_result_type(reader, 0));
  hd_op_replace(reader, &result);
  hd_op_erase(dot);
  return hd_value_op(result);
}

static bool is_reader(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_transpose) || hd_op_is(op, HD_OP_stablehlo_dot_general);
}

bool hd_pass_transpose_of_dot(hd_pass *pass, hd_op *func) {
  hd_op_list ops = hd_ops_where(func, is_reader, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    if (hd_op_is(op, HD_OP_stablehlo_transpose)) {
      hd_op *dot = exchangeable(hd_operand(op, 0));
      pass->changed |= dot && take_transpose(op, dot);
      continue;
    }
    for (uint32_t k = 0; k < 2; ++k) {
      hd_op *made = take_columns(op, k);
      pass->changed |= made != NULL;
      if (made) op = made;
    }
  }
  return true;
}
