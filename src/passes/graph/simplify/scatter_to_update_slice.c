/* SPDX-License-Identifier: Apache-2.0 */
/* scatter-to-update-slice: a scatter of one window at a constant place, all of it inside, updates a slice.
 *
 *   scatter %x[n, m], [1, 1], %u[n - 2, m - 2] { return %new }       ->   dynamic_update_slice %x, %u, 1, 1
 *   scatter ... { %s = add %old, %new; return %s }                   ->   the same, %u + (slice %x [1:n - 1, 1:m - 1])
 *
 * JAX writes x.at[1:-1, 1:-1].set(u) and .add(u) so. Updates of a slice are done in place and may be part of the kernel
 * that computes them; a scatter is a kernel of its own, which reads its indices. A scatter leaves out a window that is
 * not all inside, where an update of a slice would move it: so that must be proven. */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/ops/structs.h"
#include "passes/analyses.h"
#include "passes/graph/hlo_build.h"
#include "passes/graph/simplify/slice_at.h"
#include "passes/passes.h"

typedef struct rewriter {
  hd_pass *pass;
  hd_op *func;
  hd_shapes *shapes; /* made when first asked for */
} rewriter;

/* Where the window is, and its type with all dims of the operand; false where the run tells it, or there are
 * several, or it is not proven to be inside. */
static bool place_of(rewriter *ctx, hd_op *op, hd_slice_place *out) {
  hd_slice_window window;
  if (!hd_slice_window_of_scatter(op, &window)) return false;
  if (!ctx->shapes) ctx->shapes = hd_pass_shapes(ctx->pass, ctx->func);
  hd_dim_table *table = &ctx->shapes->table;
  *out = (hd_slice_place){.type = window.type};
  for (uint32_t d = 0; d < hd_type_rank(window.type); ++d) {
    int64_t start = out->starts[d] = window.starts[d];
    hd_dim length = hd_slice_window_length(ctx->shapes, &window, d),
           whole = hd_shapes_dim(ctx->shapes, window.whole, d);
    if (start < 0 || start > INT32_MAX || !length || !whole) return false; /* indices are i32 */
    hd_dim end = hd_dim_add(table, length, hd_dim_const(table, start));
    if (!end || !hd_dim_at_most(table, end, whole)) return false;
  }
  return true;
}

/* Is a scatter's computation the update, or one op on it and on what was there? |*out| is that op, or null. */
static bool combiner_of(hd_op *op, hd_op **out) {
  const hd_block *body = hd_op_region(op, 0)->first;
  hd_value *given = hd_operand(body->last, 0);
  *out = NULL;
  if (given == body->args[1]) return true;
  hd_op *inner = *out = body->first;
  if (inner->next != body->last || inner->result_count != 1 || inner->operand_count != 2 ||
      given != hd_result(inner, 0) || !hd_op_has_trait(inner, HD_TRAIT(ELEMENTWISE)) ||
      given->type != body->args[0]->type)
    return false;
  for (uint32_t i = 0; i < 2; ++i)
    if (hd_operand(inner, i) != body->args[0] && hd_operand(inner, i) != body->args[1]) return false;
  return true;
}

/* |combiner| on the window of |op|'s operand and |update|. */
static hd_value *combine(hd_builder *b, hd_op *op, hd_op *combiner, hd_value *update, const hd_slice_place *at) {
  const hd_block *body = hd_op_region(op, 0)->first;
  hd_value *lengths = hd_type_is_static(at->type) ? NULL : hd_hlo_shape_of(b, update),
           *old = hd_slice_at(b, hd_operand(op, 0), at, lengths);
  hd_map map = {0};
  hd_map_set(&b->module->arena, &map, body->args[0], old);
  hd_map_set(&b->module->arena, &map, body->args[1], update);
  hd_op *copy = hd_op_clone(b->module, combiner, &b->module->arena, &map);
  hd_result(copy, 0)->type = old->type;
  hd_op_insert_before(copy, op);
  return hd_result(copy, 0);
}

static bool visit(hd_op *op, void *user) {
  rewriter *ctx = user;
  hd_slice_place at;
  if (!hd_op_is(op, HD_OP_stablehlo_scatter) || op->result_count != 1) return true;
  hd_value *x = hd_operand(op, 0), *update = hd_operand(op, 2);
  hd_op *combiner;
  if (hd_type_element(x->type) != hd_type_element(update->type) || hd_result_type(op, 0) != x->type ||
      !combiner_of(op, &combiner) || !place_of(ctx, op, &at))
    return true;
  hd_builder b = hd_builder_before(op);
  uint32_t rank = hd_type_rank(x->type), of_update = 0;
  hd_value *sizes[HD_MAX_RANK], *starts[HD_MAX_RANK];
  hd_attr inserted = hd_attr_stablehlo_scatter_inserted_window_dims(hd_stablehlo_scatter_scatter_dimension_numbers(op));
  for (uint32_t d = 0; d < rank; ++d) {
    bool is_inserted = hd_attr_find_int(inserted, d) >= 0;
    sizes[d] = is_inserted ? hd_hlo_size(&b, 1) : hd_hlo_size_of(&b, update, of_update++);
    starts[d] = hd_hlo_reshape(&b, hd_hlo_size(&b, at.starts[d]), NULL, 0);
  }
  if (of_update < rank) update = hd_hlo_reshape(&b, update, sizes, rank);
  if (combiner) update = combine(&b, op, combiner, update, &at);
  hd_value *result = hd_stablehlo_dynamic_update_slice(&b, x, update, starts, rank);
  hd_op_replace(op, &result);
  ctx->pass->changed = true;
  return true;
}

bool hd_pass_scatter_to_update_slice(hd_pass *pass, hd_op *func) {
  rewriter ctx = {pass, func, NULL};
  return hd_walk_pre(func, visit, &ctx);
}
