/* SPDX-License-Identifier: Apache-2.0 */
/* dot-to-reduce: a product of vectors is a sum of products, which is a kernel with what makes the vectors; in a loop,
 * one of a matrix and a vector too.
 *
 *   dot_general(%x, %y) contracting [1] x [1], batching [0] x [0]   ->   reduce(multiply(%x, %y)) by add across [1]
 *   dot_general(%w, %y) contracting [0] x [0], in a loop     ->   reduce(multiply(%w, broadcast %y)) by add across [0]
 *
 * A matrix product has nothing to reuse where one side has no free dims: all is read once. Operands are converted to
 * the type that the sum is computed in, f32 for floats below it, so what is rounded is the result alone, as in a dot. A
 * step of a loop that calls the library takes as long as the call; a kernel can be part of a small loop
 * (outline-loops). Floats below f32 stay the library's there, which multiplies pairs of them where the CPU does.
 *
 * Done where batching dims are in order and, of two vectors, dims of both sides are the same. Leaves sums of no dim,
 * complex numbers, bools, products with an algorithm, and small ones, which are written out (short_dims.h). */
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

static bool batch_is_in_order(const hd_dot_side *x) {
  for (uint32_t i = 1; i < x->batch.count; ++i)
    if (x->batch.items[i] < x->batch.items[i - 1]) return false;
  return true;
}

/* |x|: the operand with free dims, if there is one; |y|: the other one, which has none. */
typedef struct sides {
  hd_value *x, *y;
  hd_dot_side of_x, of_y;
} sides;

/* Of |of_x|'s dims and those of |of_y|, in their types. */
static bool have_equal_sizes(const sides *s, const hd_dot_dims *of_x, const hd_dot_dims *of_y) {
  for (uint32_t i = 0; i < of_x->count; ++i)
    if (hd_type_dim(s->x->type, (uint32_t)of_x->items[i]) != hd_type_dim(s->y->type, (uint32_t)of_y->items[i]))
      return false;
  return true;
}

static bool is_in_loop(hd_op *op) {
  for (hd_op *parent = hd_op_parent(op); parent; parent = hd_op_parent(parent))
    if (hd_op_is(parent, HD_OP_stablehlo_while)) return true;
  return false;
}

/* A vector by a vector, dim by dim. */
static bool takes_vectors(const sides *s) {
  return batch_is_in_order(&s->of_x) && equal_dims(&s->of_x.batch, &s->of_y.batch) &&
         equal_dims(&s->of_x.contract, &s->of_y.contract);
}

/* A step of a loop that multiplies a matrix by a vector. */
static bool takes_matrix(hd_op *op, const sides *s) {
  hd_type element = hd_type_element(s->x->type);
  bool narrow = element->kind == HD_TYPE_FLOAT && hd_type_bits(element) < 32;
  return !narrow && !s->of_x.batch.count && is_in_loop(op);
}

static bool is_of_vectors(hd_op *op, sides *s) {
  hd_dot_side lhs, rhs;
  if (!hd_dot_side_of(op, 0, &lhs) || !hd_dot_side_of(op, 1, &rhs)) return false;
  bool swap = rhs.rest.count > 0;
  *s = (sides){hd_operand(op, swap), hd_operand(op, !swap), swap ? rhs : lhs, swap ? lhs : rhs};
  if (s->of_y.rest.count || !s->of_x.contract.count) return false;
  if (s->of_x.rest.count ? !takes_matrix(op, s) : !takes_vectors(s)) return false;
  if (hd_op_is(op, HD_OP_stablehlo_dot_general) && hd_stablehlo_dot_general_algorithm(op)) return false;
  if (!have_equal_sizes(s, &s->of_x.contract, &s->of_y.contract)) return false;
  if (!have_equal_sizes(s, &s->of_x.batch, &s->of_y.batch)) return false;
  return !hd_is_small_product(op);
}

/* |y|, which is |s|.y converted, with the dims of |x|. It says its own sizes, so that a contracting dim of 1 is not
 * spread where the other side has more: that is an error, as in the dot. */
static hd_value *spread(hd_builder *b, const sides *s, hd_value *x, hd_value *y) {
  if (!s->of_x.rest.count) return y;
  int64_t axes[HD_COMPILED_MAX_RANK];
  hd_value *sizes[HD_COMPILED_MAX_RANK];
  uint32_t rank = hd_type_rank(x->type);
  bool known = hd_type_is_static(x->type) && hd_type_is_static(y->type);
  for (uint32_t d = 0; d < rank && !known; ++d) sizes[d] = hd_hlo_size_of(b, x, d);
  for (uint32_t i = 0; i < s->of_y.contract.count; ++i) {
    uint32_t of_x = (uint32_t)s->of_x.contract.items[i], of_y = (uint32_t)s->of_y.contract.items[i];
    axes[of_y] = of_x;
    if (!known) sizes[of_x] = hd_hlo_size_of(b, y, of_y);
  }
  return hd_hlo_broadcast(b, y, x->type, axes, known ? NULL : hd_hlo_shape(b, sizes, rank));
}

bool hd_pass_dot_to_reduce(hd_pass *pass, hd_op *func) {
  hd_op_list dots = hd_ops_where(func, hd_is_dot, &pass->arena);
  for (size_t i = 0; i < dots.len; ++i) {
    hd_op *op = dots.data[i];
    sides s;
    hd_type sum = sum_type(pass->context, op);
    if (!sum || !is_of_vectors(op, &s)) continue;
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    int64_t axes[HD_COMPILED_MAX_RANK];
    uint32_t count = 0;
    for (uint32_t d = 0; d < hd_type_rank(s.x->type); ++d)
      if (hd_dot_has(&s.of_x.contract, d)) axes[count++] = d;
    hd_value *lhs = hd_hlo_convert(&b, s.x, sum), *rhs = s.y == s.x ? lhs : hd_hlo_convert(&b, s.y, sum);
    rhs = spread(&b, &s, lhs, rhs);
    hd_value *value = hd_hlo_reduce_add(&b, hd_stablehlo_multiply(&b, lhs, rhs), axes, count);
    value = hd_hlo_retype(&b, hd_hlo_convert(&b, value, hd_type_element(hd_result_type(op, 0))), hd_result_type(op, 0));
    hd_op_replace(op, &value);
    pass->changed = true;
  }
  return true;
}
