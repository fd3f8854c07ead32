/* SPDX-License-Identifier: Apache-2.0 */
/* disc-loop-batch-dot: a loop that multiplies one row of a tensor after the other by one matrix reads the rows of one
 * product before it.
 *
 *   stablehlo.while(%i = 0) cond { %i < dim 0 of %x } do {         %p = stablehlo.dot_general %x, %w
 *     %r = stablehlo.dynamic_slice %x, %i ... : 1xbxk       ->     stablehlo.while(%i = 0) ... {
 *     %d = stablehlo.dot_general %r, %w       : bxn                  %d = stablehlo.dynamic_slice %p, %i ... : bxn
 *   }                                                              }
 *
 * Recurrent layers project their inputs that way: the large product reads the matrix once for all steps, not once a
 * step. A slice of the product clamps its start as the slice of %x did, so the result is the same for every start. The
 * sums of one element have the same terms.
 *
 * Done where the loop counts from 0 to the size of the sliced dim, so that nothing is computed that no step reads, and
 * where the product is at most GROWTH times the size of %x and cannot fail, should there be no rows. Leaves products in
 * branches and in inner loops of values that change with the outer one. */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/analyses.h"
#include "passes/graph/dot/dot.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"
#include "shape/shapes.h"

enum { GROWTH = 8 }; /* the product's elements over those of the tensor that it multiplies */

typedef struct batcher {
  hd_pass *pass;
  hd_shapes *shapes; /* null until a loop may need it */
  hd_op *func;
} batcher;

/* A dot of a row of |x|, with all that is needed to say it as a row of a dot. */
typedef struct row_dot {
  hd_op *loop, *dot, *slice;
  uint32_t side;        /* the operand that is the row */
  hd_value *x;          /* what the row is of */
  uint32_t dim;         /* the dim of |x| that rows go along */
  bool keeps_dim;       /* as one of size 1 in the row that the dot reads */
  hd_dot_side sides[2]; /* of the dot, the row's as dims of |x| */
} row_dot;

static bool is_outside(hd_value *value, hd_op *loop) {
  hd_op *parent = hd_block_parent_op(hd_value_block(value));
  return parent && !hd_op_is_ancestor(loop, parent);
}

static bool is_constant(hd_value *value, int64_t expected) {
  int64_t constant;
  return hd_value_constant_int(value, &constant) && constant == expected;
}

/* The value that the loop counts up to, from 0 in steps of 1; null when it does not. */
static hd_value *trip_count(hd_op *loop) {
  hd_block *cond = hd_op_region(loop, 0)->first, *body = hd_op_region(loop, 1)->first;
  hd_op *compare = hd_value_op(hd_operand(cond->last, 0));
  if (!hd_op_is(compare, HD_OP_stablehlo_compare) ||
      hd_stablehlo_compare_comparison_direction(compare) != HD_STABLEHLO_COMPARE_LT)
    return NULL;
  hd_value *counter = hd_operand(compare, 0), *limit = hd_operand(compare, 1);
  if (!counter->is_block_arg || hd_value_block(counter) != cond || !is_outside(limit, loop)) return NULL;
  hd_value *arg = body->args[counter->index];
  hd_op *next = hd_value_op(hd_operand(body->last, counter->index));
  if (!hd_op_is(next, HD_OP_stablehlo_add) || !is_constant(hd_operand(loop, counter->index), 0)) return NULL;
  uint32_t side = hd_operand(next, 0) == arg ? 0 : 1;
  return hd_operand(next, side) == arg && is_constant(hd_operand(next, 1 - side), 1) ? limit : NULL;
}

static bool same_dim(batcher *w, hd_value *a, uint32_t i, hd_value *b, uint32_t j) {
  return hd_dim_equal(&w->shapes->table, hd_shapes_dim(w->shapes, a, i), hd_shapes_dim(w->shapes, b, j));
}

/* Is r->slice a row of r->x, all of its other dims, and the loop as long as there are rows? */
static bool slices_rows(batcher *w, row_dot *r, hd_value *limit) {
  hd_value *row = hd_result(r->slice, 0);
  uint32_t rank = hd_type_rank(row->type), found = 0;
  if (rank > HD_COMPILED_MAX_RANK) return false;
  for (uint32_t d = 0; d < rank; ++d) {
    if (same_dim(w, row, d, r->x, d)) continue;
    if (hd_type_dim(row->type, d) != 1) return false;
    r->dim = d;
    ++found;
  }
  hd_dim trips = hd_shapes_element(w->shapes, limit, 0);
  return found == 1 && trips && hd_dim_equal(&w->shapes->table, trips, hd_shapes_dim(w->shapes, r->x, r->dim));
}

/* Does |read| have the dims of the row, all of them or all but the one of size 1? */
static bool drops_dim(batcher *w, row_dot *r, hd_value *read) {
  hd_value *row = hd_result(r->slice, 0);
  uint32_t rank = hd_type_rank(row->type);
  r->keeps_dim = hd_type_rank(read->type) == rank;
  if (!r->keeps_dim && hd_type_rank(read->type) + 1 != rank) return false;
  for (uint32_t d = 0, to = 0; d < rank; ++d)
    if ((d != r->dim || r->keeps_dim) && !same_dim(w, row, d, read, to++)) return false;
  return true;
}

/* |dims| of the row that the dot reads, as dims of x. */
static void as_dims_of_x(const row_dot *r, hd_dot_dims *dims) {
  for (uint32_t i = 0; i < dims->count; ++i)
    if (!r->keeps_dim && dims->items[i] >= (int64_t)r->dim) ++dims->items[i];
}

static bool match(batcher *w, row_dot *r, hd_value *limit) {
  hd_value *read = hd_operand(r->dot, r->side), *matrix = hd_operand(r->dot, 1 - r->side);
  hd_op *op = hd_value_op(read);
  if (!is_outside(matrix, r->loop)) return false;
  if (hd_is_reshape_like(op)) op = hd_value_op(hd_operand(op, 0));
  if (!hd_op_is(op, HD_OP_stablehlo_dynamic_slice) && !hd_op_is(op, HD_OP_stablehlo_real_dynamic_slice)) return false;
  r->slice = op;
  r->x = hd_operand(op, 0);
  hd_dot_side *row = &r->sides[r->side], *other = &r->sides[1 - r->side];
  if (!is_outside(r->x, r->loop) || !hd_dot_side_of(r->dot, 0, &r->sides[0]) ||
      !hd_dot_side_of(r->dot, 1, &r->sides[1]) || row->batch.count)
    return false;
  int64_t columns = 1, terms = 1;
  for (uint32_t i = 0; i < other->rest.count; ++i)
    if (hd_type_dim(matrix->type, (uint32_t)other->rest.items[i]) == HD_DYNAMIC ||
        __builtin_mul_overflow(columns, hd_type_dim(matrix->type, (uint32_t)other->rest.items[i]), &columns))
      return false;
  for (uint32_t i = 0; i < other->contract.count; ++i)
    if (hd_type_dim(matrix->type, (uint32_t)other->contract.items[i]) == HD_DYNAMIC ||
        __builtin_mul_overflow(terms, hd_type_dim(matrix->type, (uint32_t)other->contract.items[i]), &terms))
      return false;
  if (columns / GROWTH > terms || !terms || !columns) return false;
  if (!w->shapes) w->shapes = hd_pass_shapes(w->pass, w->func);
  if (!slices_rows(w, r, limit) || !drops_dim(w, r, read) || hd_shapes_may_fail(w->shapes, r->dot)) return false;
  as_dims_of_x(r, &row->rest);
  as_dims_of_x(r, &row->contract);
  if (!r->keeps_dim) { /* the dim that the row dropped is one of the product's */
    uint32_t at = row->rest.count++;
    for (; at > 0 && row->rest.items[at - 1] > (int64_t)r->dim; --at) row->rest.items[at] = row->rest.items[at - 1];
    row->rest.items[at] = r->dim;
  }
  return !hd_dot_has(&row->contract, r->dim) && row->rest.count + other->rest.count <= HD_COMPILED_MAX_RANK;
}

/* The product of all rows, before the loop; |*out_dim| is the dim that they go along. */
static hd_value *batch(const row_dot *r, hd_builder *before, uint32_t *out_dim) {
  int64_t dims[HD_COMPILED_MAX_RANK];
  uint32_t rank = 0;
  hd_value *sides[2] = {hd_operand(r->dot, 0), hd_operand(r->dot, 1)};
  hd_value *row = hd_result(r->slice, 0);
  sides[r->side] = r->x;
  for (uint32_t s = 0; s < 2; ++s)
    for (uint32_t i = 0; i < r->sides[s].rest.count; ++i) {
      uint32_t d = (uint32_t)r->sides[s].rest.items[i];
      if (s == r->side && d == r->dim) *out_dim = rank;
      /* The row's type may know sizes that the type of x does not. */
      hd_type from = s == r->side && d != r->dim ? row->type : sides[s]->type;
      dims[rank++] = hd_type_dim(from, d);
    }
  hd_type type = hd_type_with_dims(hd_result_type(r->dot, 0), dims, rank);
  return hd_build_dot(before, r->dot, sides[0], sides[1], &r->sides[0], &r->sides[1], type);
}

/* The start of the row in |all|, of which all other sizes are known. */
static hd_value *static_row(const row_dot *r, hd_builder *b, hd_value *all, uint32_t dim) {
  uint32_t rank = hd_type_rank(all->type);
  hd_value *starts[HD_COMPILED_MAX_RANK], *start = hd_operand(r->slice, 1 + r->dim);
  int64_t sizes[HD_COMPILED_MAX_RANK];
  hd_value *zero = hd_hlo_zero(b, hd_type_element(start->type));
  for (uint32_t d = 0; d < rank; ++d) {
    starts[d] = d == dim ? start : zero;
    sizes[d] = d == dim ? 1 : hd_type_dim(all->type, d);
  }
  return hd_stablehlo_dynamic_slice(b, hd_attr_i64_array(b->context, sizes, rank), all, starts, rank);
}

static void rewrite(row_dot *r) {
  uint32_t dim = 0;
  hd_builder before = hd_builder_before(r->loop), b = hd_builder_before(r->dot);
  before.loc = b.loc = r->dot->loc;
  hd_value *all = batch(r, &before, &dim), *sizes[HD_COMPILED_MAX_RANK], *row;
  uint32_t rank = hd_type_rank(all->type), kept = 0;
  hd_hlo_sizes_of(&before, all, sizes);
  if (hd_op_is(r->slice, HD_OP_stablehlo_dynamic_slice)) {
    row = static_row(r, &b, all, dim);
  } else {
    hd_value *from = hd_hlo_slice(&b, hd_operand(r->slice, 1), 0, r->dim, (int64_t)r->dim + 1);
    from = hd_hlo_convert(&b, from, hd_i32(b.context));
    row = hd_hlo_slice_sized(&b, all, dim, from, hd_hlo_size_op(&b, HD_OP_stablehlo_add, from, hd_hlo_size(&b, 1)),
                             sizes);
  }
  for (uint32_t d = 0; d < rank; ++d)
    if (d != dim || r->keeps_dim) sizes[kept++] = d == dim ? hd_hlo_size(&b, 1) : sizes[d];
  hd_value *value = hd_hlo_retype(&b, hd_hlo_reshape(&b, row, sizes, kept), hd_result_type(r->dot, 0));
  hd_op_replace(r->dot, &value);
}

static bool visit(hd_op *loop, void *user) {
  batcher *w = user;
  if (!hd_op_is(loop, HD_OP_stablehlo_while)) return true;
  hd_value *limit = trip_count(loop);
  if (!limit) return true;
  hd_for_each_op_safe(op, hd_op_region(loop, 1)->first) {
    if (!hd_op_is(op, HD_OP_stablehlo_dot_general)) continue;
    for (uint32_t side = 0; side < 2; ++side) {
      row_dot r = {.loop = loop, .dot = op, .side = side};
      if (!match(w, &r, limit)) continue;
      rewrite(&r);
      w->pass->changed = true;
      break;
    }
  }
  /* Rows of x that nobody reads now. */
  for (hd_op *op = hd_op_region(loop, 1)->first->last->prev, *previous; w->pass->changed && op; op = previous) {
    previous = op->prev;
    if (hd_op_is_trivially_dead(op)) hd_op_erase(op);
  }
  return true;
}

bool hd_pass_loop_batch_dot(hd_pass *pass, hd_op *func) {
  batcher w = {.pass = pass, .func = func};
  return hd_walk_post(func, visit, &w);
}
