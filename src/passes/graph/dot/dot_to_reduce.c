/* SPDX-License-Identifier: Apache-2.0 */
/* dot-to-reduce: a product of vectors is a sum of products, which is a kernel with what makes the vectors.
 *
 *   dot_general(%x, %y) contracting [1] x [1], batching [0] x [0]   ->   reduce(multiply(%x, %y)) by add across [1]
 *
 * A matrix product has nothing to reuse where neither side has free dims: both are read once. Operands are converted to
 * the type that the sum is computed in, f32 for floats below it, so what is rounded is the result alone, as in a dot.
 *
 * Done where the batching and contracting dims of both sides are the same and batching dims are in order. Leaves sums
 * of no dim, complex numbers, bools, products with an algorithm, and small ones, which are written out (short_dims.h).
 */
#include "analysis/short_dims.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/dot/dot.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"

static bool equal_dims(const hd_dot_dims *a, const hd_dot_dims *b) {
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->items[i] != b->items[i]) return false;
  return a->count == b->count;
}

/* The type that |op|'s sums are computed in; null where this pass has none. */
static hd_type sum_type(hd_context *context, const hd_op *op) {
  hd_type from = hd_type_element(hd_operand_type(op, 0)), to = hd_type_element(hd_result_type(op, 0));
  if (from != hd_type_element(hd_operand_type(op, 1)) || from->kind != to->kind) return NULL;
  if (from->kind == HD_TYPE_INTEGER)
    return from->integer.width > 1 && hd_type_bits(to) >= hd_type_bits(from) ? to : NULL;
  if (from->kind != HD_TYPE_FLOAT) return NULL;
  hd_type wider = hd_type_bits(to) >= hd_type_bits(from) ? to : from;
  return hd_type_bits(wider) < 32 ? hd_f32(context) : wider;
}

static bool is_of_vectors(hd_op *op, hd_dot_side *x) {
  hd_dot_side y;
  if (!hd_dot_side_of(op, 0, x) || !hd_dot_side_of(op, 1, &y)) return false;
  if (x->rest.count || y.rest.count || !x->contract.count || !equal_dims(&x->batch, &y.batch) ||
      !equal_dims(&x->contract, &y.contract))
    return false;
  for (uint32_t i = 1; i < x->batch.count; ++i)
    if (x->batch.items[i] < x->batch.items[i - 1]) return false;
  if (hd_op_is(op, HD_OP_stablehlo_dot_general) && hd_stablehlo_dot_general_algorithm(op)) return false;
  hd_type a = hd_operand_type(op, 0), b = hd_operand_type(op, 1);
  for (uint32_t d = 0; d < hd_type_rank(a); ++d)
    if (hd_type_dim(a, d) != hd_type_dim(b, d)) return false;
  return !hd_is_small_product(op);
}

bool hd_pass_dot_to_reduce(hd_pass *pass, hd_op *func) {
  hd_op_list dots = hd_ops_where(func, hd_is_dot, &pass->arena);
  for (size_t i = 0; i < dots.len; ++i) {
    hd_op *op = dots.data[i];
    hd_dot_side x;
    hd_type sum = sum_type(pass->context, op);
    if (!sum || !is_of_vectors(op, &x)) continue;
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    int64_t axes[HD_COMPILED_MAX_RANK];
    uint32_t count = 0;
    for (uint32_t d = 0; d < hd_type_rank(hd_operand_type(op, 0)); ++d)
      if (hd_dot_has(&x.contract, d)) axes[count++] = d;
    hd_value *lhs = hd_hlo_convert(&b, hd_operand(op, 0), sum), *rhs = lhs;
    if (hd_operand(op, 1) != hd_operand(op, 0)) rhs = hd_hlo_convert(&b, hd_operand(op, 1), sum);
    hd_value *value = hd_hlo_reduce_add(&b, hd_stablehlo_multiply(&b, lhs, rhs), axes, count);
    value = hd_hlo_retype(&b, hd_hlo_convert(&b, value, hd_type_element(hd_result_type(op, 0))), hd_result_type(op, 0));
    hd_op_replace(op, &value);
    pass->changed = true;
  }
  return true;
}
