/* SPDX-License-Identifier: Apache-2.0 */
/* disc-transpose-of-dot: a transpose that puts columns of a product before its rows becomes the product of exchanged
 * sides.
 *
 *   %d = stablehlo.dot_general %a, %b ...  : [batch, m, n]     ->     %t = stablehlo.dot_general %b, %a ... : [batch, n, m]
 *   %t = stablehlo.transpose %d            : [batch, n, m]
 *
 * So what follows a transposed product (the update of a weight by its gradient) can be done on the product's tiles. Where
 * other dims move too, a transpose is left that keeps the last one, and a product writes through that: heads of attention,
 * [b, h, d, q] to [b, q, h, d]. The sums are the same bits: products commute, and their order along k stays. Products that
 * others read too are left, and those with an algorithm, which tells the sides apart. Guarantees nothing. */
#include "ir/op_info.h"
#include "ir/ops/stablehlo.h"
#include "passes/passes.h"

/* Does the last dim of the result come from the |m| dims after the |batch| ones, and are the |n| dims after those before
 * it? */
static bool exchanges_sides(hd_attr permutation, int64_t batch, int64_t m, int64_t n) {
  return m && n && hd_attr_int_at(permutation, (size_t)(batch + m + n - 1)) == batch + m - 1;
}

/* What is left of |permutation| for the exchanged product. */
static hd_attr rest_of(hd_context *context, hd_attr permutation, int64_t batch, int64_t m, int64_t n, bool *out_none) {
  int64_t rest[HD_MAX_RANK];
  *out_none = true;
  for (int64_t d = 0; d < batch + m + n; ++d) {
    int64_t from = hd_attr_int_at(permutation, (size_t)d);
    rest[d] = from < batch ? from : from < batch + m ? from + n : from - m;
    *out_none &= rest[d] == d;
  }
  return hd_attr_i64_array(context, rest, (size_t)(batch + m + n));
}

static bool rewrite(hd_op *transpose, hd_op *dot) {
  hd_value *lhs = hd_operand(dot, 0), *rhs = hd_operand(dot, 1);
  hd_context *context = hd_op_context(dot);
  hd_attr numbers = hd_stablehlo_dot_general_dot_dimension_numbers(dot),
          precision = hd_op_attr_get(dot, HD_NAME_precision_config);
  hd_attr parts[4] = {hd_attr_stablehlo_dot_rhs_batching_dimensions(numbers),
                      hd_attr_stablehlo_dot_lhs_batching_dimensions(numbers),
                      hd_attr_stablehlo_dot_rhs_contracting_dimensions(numbers),
                      hd_attr_stablehlo_dot_lhs_contracting_dimensions(numbers)};
  int64_t batch = (int64_t)hd_attr_count(parts[0]);
  int64_t n = hd_type_rank(rhs->type) - batch - (int64_t)hd_attr_count(parts[2]);
  int64_t m = hd_type_rank(lhs->type) - batch - (int64_t)hd_attr_count(parts[3]);
  hd_attr permutation = hd_stablehlo_transpose_permutation(transpose);
  if (!exchanges_sides(permutation, batch, m, n)) return false;
  if (precision && hd_attr_count(precision) == 2)
    precision = hd_attr_array(context, (hd_attr[]){precision->array.items[1], precision->array.items[0]}, 2);
  hd_attr_arg attrs[2] = {{HD_NAME_dot_dimension_numbers, hd_attr_struct(context, numbers->structure.row, parts, 4)},
                          {HD_NAME_precision_config, precision}};
  hd_builder b = hd_builder_before(transpose);
  b.loc = hd_loc_fused(context, (hd_loc[]){dot->loc, transpose->loc}, 2, NULL);
  bool none;
  hd_type type = hd_result(transpose, 0)->type;
  hd_attr rest = rest_of(context, permutation, batch, m, n, &none);
  if (!none) { /* the exchanged product's dims, in its own order */
    int64_t dims[HD_MAX_RANK];
    for (int64_t d = 0; d < batch + m + n; ++d) dims[hd_attr_int_at(rest, (size_t)d)] = type->shaped.dims[d];
    type = hd_type_tensor(type->shaped.element, dims, type->shaped.rank, NULL);
  }
  hd_value *swapped = hd_build_one_(&b, dot->info->opcode, type, (hd_value *[]){rhs, lhs}, 2, attrs, precision ? 2 : 1);
  if (!none) swapped = hd_stablehlo_transpose(&b, rest, swapped);
  hd_op_replace(transpose, &swapped);
  hd_op_erase(dot);
  return true;
}

static bool visit(hd_op *op, void *user) {
  hd_pass *pass = user;
  if (!hd_op_is(op, HD_OP_stablehlo_transpose)) return true;
  hd_value *operand = hd_operand(op, 0);
  hd_op *dot = hd_value_op(operand);
  if (dot && hd_op_is(dot, HD_OP_stablehlo_dot_general) && hd_value_has_one_use(operand) &&
      !hd_stablehlo_dot_general_algorithm(dot) && rewrite(op, dot))
    pass->changed = true;
  return true;
}

bool hd_pass_transpose_of_dot(hd_pass *pass, hd_op *func) {
  hd_walk_post(func, visit, pass);
  return true;
}
