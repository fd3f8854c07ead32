/* SPDX-License-Identifier: Apache-2.0 */
/* disc-gpu-conv-padding-legalization: convolutions pad both sides of a dim alike, by what is not negative.
 *
 *   conv(%x, %w) pad = [[0, 1], [-1, 2]], lhs_dilate = [1, 2]
 *   ->
 *   %p = pad %x, low = [0, -1], high = [1, 2], interior = [0, 1]
 *   conv(%p, %w) pad = [[0, 0], [0, 0]]
 *
 * The smaller of two sides stays with the convolution when it is positive, so pad = [[1, 2]] pads one row explicitly
 * and keeps [[1, 1]]. Dilation of the input is explicit holes. A dynamic_conv pads everything by dynamic_pad, from its
 * operand, and becomes a convolution. Negative padding may crop more than there is: a convolution has no windows then,
 * where a pad would be of negative size. So it crops all there is, at the run (dynamic_pad) where sizes are unknown and
 * the shape analysis does not rule it out. Convolutions that a library takes as they are are left: with
 * |library-products| those that crop nothing, since libraries pad both sides apart and have a gradient for a dilated
 * input. */
#include "base/vec.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/analyses.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"
#include "shape/shapes.h"

typedef struct legalizer {
  hd_pass *pass;
  hd_op *func;
  hd_shapes *shapes; /* null until asked */
} legalizer;

/* Padding of all dims of the input, in its layout. */
typedef struct padding {
  int64_t *low, *high, *interior, *kept; /* kept: pairs per spatial dim, what stays with the convolution */
  bool needed;
} padding;

static padding padding_of(legalizer *ctx, hd_op *op, hd_attr spatial, bool all) {
  hd_arena *arena = &ctx->pass->arena;
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  size_t n = hd_attr_count(spatial);
  padding p = {hd_new_array(arena, int64_t, rank + 1), hd_new_array(arena, int64_t, rank + 1),
               hd_new_array(arena, int64_t, rank + 1), hd_new_array(arena, int64_t, 2 * n + 1), all};
  hd_attr given = hd_convolution_like_padding(op), dilation = hd_convolution_like_lhs_dilation(op);
  for (size_t s = 0; s < n; ++s) {
    int64_t d = hd_attr_int_at(spatial, s), low = hd_attr_int_at_or(given, 2 * s, 0),
            high = hd_attr_int_at_or(given, 2 * s + 1, 0);
    int64_t common = low < high ? low : high;
    if (common < 0) common = 0;
    p.low[d] = low - common;
    p.high[d] = high - common;
    p.interior[d] = hd_attr_int_at_or(dilation, s, 1) - 1;
    p.kept[2 * s] = p.kept[2 * s + 1] = common;
    p.needed |= p.low[d] || p.high[d] || p.interior[d];
  }
  return p;
}

static int64_t padded(int64_t size, int64_t low, int64_t high, int64_t interior) {
  return size == HD_DYNAMIC ? HD_DYNAMIC : size + low + high + (size > 1 ? size - 1 : 0) * interior;
}

/* What crops a dim of known size beyond it crops it to nothing. True when one of unknown size may be cropped so. */
static bool limit_crops(legalizer *ctx, hd_op *op, hd_attr spatial, padding *p) {
  hd_value *x = hd_operand(op, 0), *amounts = hd_op_is(op, HD_OP_stablehlo_dynamic_conv) ? hd_operand(op, 2) : NULL;
  bool beyond = false;
  for (size_t s = 0; s < hd_attr_count(spatial); ++s) {
    uint32_t d = (uint32_t)hd_attr_int_at(spatial, s);
    int64_t all = padded(hd_type_dim(x->type, d), p->low[d], p->high[d], p->interior[d]);
    if (!amounts && (all >= 0 || (all == HD_DYNAMIC && p->low[d] + p->high[d] >= 0))) continue;
    if (!amounts && hd_type_dim(x->type, d) != HD_DYNAMIC) {
      p->high[d] -= all;
      continue;
    }
    if (!ctx->shapes) ctx->shapes = hd_pass_shapes(ctx->pass, ctx->func);
    hd_dim_table *t = &ctx->shapes->table;
    hd_dim low = amounts ? hd_shapes_element(ctx->shapes, amounts, 2 * (uint32_t)s) : hd_dim_const(t, p->low[d]),
           high = amounts ? hd_shapes_element(ctx->shapes, amounts, 2 * (uint32_t)s + 1) : hd_dim_const(t, p->high[d]);
    hd_dim sum = low && high ? hd_dim_add(t, hd_dim_add(t, low, high), hd_shapes_dim(ctx->shapes, x, d)) : NULL;
    beyond |= !sum || hd_dim_lower(sum) < 0;
  }
  return beyond;
}

static hd_value *pad(hd_builder *b, hd_value *x, const padding *p) {
  uint32_t rank = hd_type_rank(x->type);
  return hd_stablehlo_pad(b, hd_attr_i64_array(b->context, p->low, rank), hd_attr_i64_array(b->context, p->high, rank),
                          hd_attr_i64_array(b->context, p->interior, rank), x,
                          hd_hlo_zero(b, hd_type_element(x->type)));
}

/* |high|, but no less than what leaves nothing of |x| with |interior| between and |low| before its elements. */
static hd_value *limited(hd_builder *b, hd_value *x, hd_value *low, hd_value *high, hd_value *interior) {
  hd_value *sizes = hd_hlo_convert(b, hd_hlo_shape_of(b, x), hd_type_element(low->type));
  hd_value *less = hd_stablehlo_subtract(b, sizes, hd_hlo_int_like(b, sizes, 1));
  hd_value *gaps = hd_stablehlo_maximum(b, less, hd_hlo_zero_like(b, sizes));
  hd_value *holes = hd_stablehlo_multiply(b, gaps, interior);
  hd_value *all = hd_stablehlo_add(b, hd_stablehlo_add(b, sizes, holes), low);
  return hd_stablehlo_maximum(b, high, hd_stablehlo_negate(b, all));
}

/* What |p| says of the spatial dims, as a dynamic_conv has it. */
static hd_value *amounts_of(hd_builder *b, hd_arena *arena, hd_attr spatial, const padding *p) {
  size_t n = hd_attr_count(spatial);
  int64_t dims[] = {(int64_t)n, 2}, *all = hd_new_array(arena, int64_t, 2 * n + 1);
  for (size_t s = 0; s < n; ++s) {
    all[2 * s] = p->low[hd_attr_int_at(spatial, s)];
    all[2 * s + 1] = p->high[hd_attr_int_at(spatial, s)];
  }
  hd_type type = hd_type_tensor(hd_i64(b->context), dims, 2, NULL);
  return hd_build_hlo_constant(b, hd_attr_dense(type, all, 2 * n * sizeof *all, false));
}

/* Edges from |amounts|, tensor<nx2xi> as a dynamic_conv has it, in the order of the input's dims. */
static hd_value *dynamic_pad(hd_builder *b, hd_arena *arena, hd_op *op, hd_value *amounts, hd_attr spatial,
                             const padding *p, bool limit) {
  hd_value *x = hd_operand(op, 0), *edges[2];
  uint32_t rank = hd_type_rank(x->type);
  size_t n = hd_attr_count(spatial);
  hd_type element = hd_type_element(amounts->type);
  int64_t one = 1, length = rank;
  hd_type scalar = hd_type_tensor(element, &one, 1, NULL), vector = hd_type_tensor(element, &length, 1, NULL);
  hd_value **parts = hd_new_array(arena, hd_value *, rank + 1);
  hd_value *zero = hd_stablehlo_reshape(b, scalar, hd_hlo_zero(b, element));
  int64_t all = 2 * (int64_t)n; /* as a vector, whose elements the shape analysis follows */
  amounts = hd_stablehlo_reshape(b, hd_type_tensor(element, &all, 1, NULL), amounts);
  for (int side = 0; side < 2; ++side) {
    for (uint32_t d = 0; d < rank; ++d) parts[d] = zero;
    for (size_t s = 0; s < n; ++s) {
      int64_t start = 2 * (int64_t)s + side, limit = start + 1;
      parts[hd_attr_int_at(spatial, s)] =
          hd_stablehlo_slice(b, hd_attr_i64_array(b->context, &start, 1), hd_attr_i64_array(b->context, &limit, 1),
                             hd_attr_i64_array(b->context, &one, 1), amounts);
    }
    edges[side] = hd_stablehlo_concatenate(b, 0, parts, rank);
  }
  char *holes = hd_arena_zalloc(arena, rank * hd_type_element_bytes(element) + 1);
  int64_t *dims = hd_new_array(arena, int64_t, rank + 1);
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t interior = p->interior[d];
    memcpy(holes + d * hd_type_element_bytes(element), &interior, hd_type_element_bytes(element));
    dims[d] = hd_type_dim(x->type, d);
  }
  for (size_t s = 0; s < n; ++s) {
    int64_t d = hd_attr_int_at(spatial, s);
    bool known = !hd_op_is(op, HD_OP_stablehlo_dynamic_conv);
    dims[d] = known ? padded(dims[d], p->low[d], p->high[d], p->interior[d]) : HD_DYNAMIC;
  }
  hd_value *interior =
      hd_build_hlo_constant(b, hd_attr_dense(vector, holes, rank * hd_type_element_bytes(element), false));
  if (limit) edges[1] = limited(b, x, edges[0], edges[1], interior);
  /* A static convolution knows more sizes than the operands tell. */
  return hd_build(b, HD_OP_stablehlo_dynamic_pad, hd_type_with_dims(x->type, dims, rank), x,
                  hd_hlo_zero(b, hd_type_element(x->type)), edges[0], edges[1], interior);
}

static bool crops(hd_op *op) {
  hd_attr given = hd_convolution_like_padding(op);
  for (size_t i = 0; i < hd_attr_count(given); ++i)
    if (hd_attr_int_at(given, i) < 0) return true;
  return false;
}

static bool legalize(legalizer *ctx, hd_op *op) {
  hd_arena *arena = &ctx->pass->arena;
  hd_attr spatial = hd_attr_stablehlo_conv_input_spatial_dimensions(hd_convolution_like_dimension_numbers(op));
  bool dynamic = hd_op_is(op, HD_OP_stablehlo_dynamic_conv);
  if (!dynamic && hd_option_bool(ctx->pass, "library-products") && !crops(op)) return true;
  padding p = padding_of(ctx, op, spatial, dynamic);
  if (!p.needed) return true;
  if (hd_type_is(hd_type_element(hd_operand_type(op, 0)), HD_TYPE_QUANT))
    return hd_op_error(
        op, "disc-gpu-conv-padding-legalization: expected an input that is not quantized, got a quantized one");
  hd_builder b = hd_builder_before(op);
  size_t n = hd_attr_count(spatial);
  bool beyond = limit_crops(ctx, op, spatial, &p);
  hd_value *amounts = dynamic ? hd_operand(op, 2) : beyond ? amounts_of(&b, arena, spatial, &p) : NULL;
  hd_value *input = amounts ? dynamic_pad(&b, arena, op, amounts, spatial, &p, beyond) : pad(&b, hd_operand(op, 0), &p);
  hd_type result = hd_result_type(op, 0);
  hd_op *conv =
      hd_build_like(&b, op, HD_OP_stablehlo_convolution, (hd_value *[]){input, hd_operand(op, 1)}, 2, &result, 1);
  int64_t pair[] = {(int64_t)n, 2};
  hd_type type = hd_type_tensor(hd_i64(b.context), pair, 2, NULL);
  hd_convolution_like_set_padding(conv, hd_attr_dense(type, p.kept, 2 * n * sizeof(int64_t), n == 0));
  hd_convolution_like_set_lhs_dilation(conv, NULL);
  hd_value *value = hd_result(conv, 0);
  hd_op_replace(op, &value);
  ctx->pass->changed = true;
  return true;
}

bool hd_pass_gpu_conv_padding_legalization(hd_pass *pass, hd_op *func) {
  legalizer ctx = {.pass = pass, .func = func};
  hd_op_list convs = hd_ops_where(func, hd_is_convolution_like, &pass->arena);
  for (size_t i = 0; i < convs.len; ++i)
    if (!legalize(&ctx, convs.data[i])) return false;
  return true;
}
