/* SPDX-License-Identifier: Apache-2.0 */
/* gather-to-slice: a gather of one slice at a constant index, or at indices a step apart (gather_steps.c), is a slice,
 * which only moves indices.
 *
 *   %i = stablehlo.constant dense<2> : tensor<1xi32>
 *   gather %x[n, 3], %i : n x 1, dim 1 left out   ->   reshape (slice %x [0:n, 2:3])
 *
 * JAX writes x[:, 2] and x[2:, 1:-1] so under unknown dims. A gather is computed in a kernel of its own; slices and
 * reshapes are part of whatever reads them. Starts are clamped as the gather clamps them: here where the room after
 * them is known or proven, else in the arithmetic of the sizes. */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/ops/structs.h"
#include "passes/analyses.h"
#include "passes/graph/hlo_build.h"
#include "passes/graph/simplify/gather_steps.h"
#include "passes/graph/simplify/slice_at.h"
#include "passes/passes.h"

typedef struct slicer {
  hd_pass *pass;
  hd_op *func;
  hd_shapes *shapes; /* made when first asked for */
} slicer;

static hd_shapes *shapes_of(slicer *ctx) {
  if (!ctx->shapes) ctx->shapes = hd_pass_shapes(ctx->pass, ctx->func);
  return ctx->shapes;
}

/* False where the run tells the indices or there are several. */
static bool place_of(slicer *ctx, hd_op *op, hd_slice_place *out) {
  hd_slice_window window;
  if (!hd_slice_window_of_gather(op, &window)) return false;
  hd_type from = window.whole->type;
  out->type = window.type;
  for (uint32_t d = 0; d < hd_type_rank(from); ++d) {
    int64_t start = window.starts[d], room;
    out->starts[d] = start < 0 ? 0 : start;
    out->clamps[d] = false;
    if (out->starts[d] == 0) continue;
    int64_t most = hd_type_dim(from, d) == HD_DYNAMIC ? INT32_MAX : hd_type_dim(from, d);
    if (start > most) out->starts[d] = start = most;
    hd_dim_table *table = &shapes_of(ctx)->table;
    hd_dim length = hd_slice_window_length(ctx->shapes, &window, d),
           whole = hd_shapes_dim(ctx->shapes, window.whole, d),
           behind = length && whole ? hd_dim_sub(table, whole, length) : NULL;
    if (behind && hd_dim_is_const(table, behind, &room))
      out->starts[d] = room < 0 ? 0 : start < room ? start : room;
    else
      out->clamps[d] = !behind || !hd_dim_at_most(table, hd_dim_const(table, start), behind);
  }
  for (uint32_t d = 0; d < hd_type_rank(from); ++d) /* starts that the run adds to are of i32 */
    if (out->starts[d] > INT32_MAX && !(hd_type_is_static(from) && hd_type_is_static(out->type))) return false;
  return true;
}

static bool visit(hd_op *op, void *user) {
  slicer *ctx = user;
  bool is_dynamic = hd_op_is(op, HD_OP_stablehlo_dynamic_gather);
  if (!is_dynamic && !hd_op_is(op, HD_OP_stablehlo_gather)) return true;
  hd_attr n = hd_gather_like_dimension_numbers(op);
  hd_attr collapsed = hd_attr_stablehlo_gather_collapsed_slice_dims(n);
  hd_value *x = hd_operand(op, 0);
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = hd_type_rank(x->type);
  hd_slice_place at;
  if (!place_of(ctx, op, &at)) {
    ctx->pass->changed |= hd_gather_steps(shapes_of(ctx), op, n);
    return true;
  }
  hd_builder b = hd_builder_before(op);
  hd_value *sizes[HD_MAX_RANK], *lengths = is_dynamic ? hd_hlo_convert(&b, hd_operand(op, 2), hd_i32(b.context)) : NULL;
  hd_value *taken = hd_slice_at(&b, x, &at, lengths);
  uint32_t kept = 0;
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_find_int(collapsed, d) < 0) sizes[kept++] = hd_hlo_size_of(&b, taken, d);
  hd_value *result = kept == rank ? taken : hd_hlo_reshape(&b, taken, sizes, kept);
  if (result->type != type) result = hd_hlo_retype(&b, result, type);
  hd_op_replace(op, &result);
  ctx->pass->changed = true;
  return true;
}

bool hd_pass_gather_to_slice(hd_pass *pass, hd_op *func) {
  slicer ctx = {pass, func, NULL};
  return hd_walk_pre(func, visit, &ctx);
}
