/* SPDX-License-Identifier: Apache-2.0 */
/* disc-conv-rewriter: convolutions in the layouts that a library takes, by transposes around them.
 *
 *   conv(%x, %w) [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
 *   ->
 *   %xt = transpose %x, [0, 3, 1, 2]   %wt = transpose %w, [3, 2, 0, 1]
 *   %y = conv(%xt, %wt) [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]
 *   transpose %y, [0, 2, 3, 1]
 *
 * Options: `input` and `output` nchw or nhwc, `filter` oihw, ohwi or hwio; h and w stand for all spatial dims, so one
 * to three of them (or more) go the same way. Groups and batch groups stay. Both forms that gradients have are
 * convolutions with other dimension numbers, which the transposes undo: by the filter (lhs batch and feature exchanged)
 * and by the input (dilated lhs and a reversed filter, whose reverse becomes window_reversal).
 *
 * Transposes that meet are one, and none when they cancel. A transpose behind a convolution moves down through
 * elementwise ops whose other operands are transposed alike, constants that are one number, or broadcasts, so that it
 * meets the one in front of the next convolution. Ops placed on the host are left. */
#include "base/vec.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"

enum { MAX_RANK = 16 };

typedef struct rewriter {
  hd_pass *pass;
  hd_str input, filter, output;
  hd_vec(hd_op *) ops;
  hd_map feeding;
} rewriter;

/* The dims of a tensor in the order that |layout| says: 'n'/'o' is |first|, 'c'/'i' |second|, 'h' all |spatial|. */
static uint32_t arrange(hd_str layout, int64_t first, int64_t second, hd_attr spatial, int64_t *out) {
  uint32_t count = 0;
  for (size_t i = 0; i < layout.len; ++i) {
    char c = layout.data[i];
    if (c == 'n' || c == 'o') out[count++] = first;
    if (c == 'c' || c == 'i') out[count++] = second;
    for (size_t s = 0; c == 'h' && s < hd_attr_count(spatial); ++s) out[count++] = hd_attr_int_at(spatial, s);
  }
  return count;
}

static hd_attr i64_of(hd_context *context, int64_t value) { return hd_attr_i64(context, value); }

/* Where |layout| puts a kind of dim: as arrange, of a tensor that has the layout. */
static void places(hd_str layout, size_t spatial, int64_t *first, int64_t *second, int64_t *spatial_dims) {
  int64_t at = 0;
  for (size_t i = 0; i < layout.len; ++i) {
    char c = layout.data[i];
    if (c == 'n' || c == 'o') *first = at++;
    if (c == 'c' || c == 'i') *second = at++;
    for (size_t s = 0; c == 'h' && s < spatial; ++s) spatial_dims[s] = at++;
  }
}

/* |filter|'s spatial dims that a reverse in front of it turns round; the reverse is stepped over. */
static hd_value *unreverse(hd_op *op, hd_attr kernel_spatial, bool *reversed) {
  hd_value *filter = hd_operand(op, 1);
  hd_op *reverse = hd_value_op(filter);
  if (!hd_op_is(reverse, HD_OP_stablehlo_reverse)) return filter;
  hd_attr dims = hd_op_attr_get(reverse, "dimensions");
  size_t n = hd_attr_count(kernel_spatial), hits = 0;
  bool turned[MAX_RANK] = {0};
  for (size_t i = 0; i < hd_attr_count(dims); ++i)
    for (size_t s = 0; s < n; ++s)
      if (hd_attr_int_at(dims, i) == hd_attr_int_at(kernel_spatial, s)) turned[s] = true, ++hits;
  if (hits != hd_attr_count(dims)) return filter;
  for (size_t s = 0; s < n; ++s) reversed[s] ^= turned[s];
  return hd_operand(reverse, 0);
}

static bool rewrite(rewriter *r, hd_op *op) {
  hd_context *context = r->pass->context;
  hd_attr n = hd_op_attr_get(op, "dimension_numbers"), reversal = hd_op_attr_get(op, "window_reversal");
  hd_attr in = hd_struct_get(n, "input_spatial_dimensions"), kernel = hd_struct_get(n, "kernel_spatial_dimensions"),
          out = hd_struct_get(n, "output_spatial_dimensions");
  size_t spatial = hd_attr_count(in);
  if (spatial + 2 > MAX_RANK)
    return hd_op_error(op, "disc-conv-rewriter takes up to %d spatial dims, got %zu", MAX_RANK - 2, spatial);
  int64_t lhs[MAX_RANK], rhs[MAX_RANK], to[MAX_RANK], back[MAX_RANK], dims[MAX_RANK];
#define DIM(name) hd_struct_get(n, name)->integer
  arrange(r->input, DIM("input_batch_dimension"), DIM("input_feature_dimension"), in, lhs);
  arrange(r->filter, DIM("kernel_output_feature_dimension"), DIM("kernel_input_feature_dimension"), kernel, rhs);
  uint32_t rank = arrange(r->output, DIM("output_batch_dimension"), DIM("output_feature_dimension"), out, to);
#undef DIM
  bool reversed[MAX_RANK] = {0};
  for (size_t s = 0; reversal && s < spatial && s < hd_attr_count(reversal); ++s)
    reversed[s] = hd_attr_int_at(reversal, s) != 0;
  hd_builder b = hd_builder_before(op);
  hd_value *filter = unreverse(op, kernel, reversed);
  hd_value *operands[3] = {hd_hlo_transpose(&b, hd_operand(op, 0), lhs), hd_hlo_transpose(&b, filter, rhs),
                           op->operand_count > 2 ? hd_operand(op, 2) : NULL};
  int64_t a[3][2], s[3][MAX_RANK];
  places(r->input, spatial, &a[0][0], &a[0][1], s[0]);
  places(r->filter, spatial, &a[1][0], &a[1][1], s[1]);
  places(r->output, spatial, &a[2][0], &a[2][1], s[2]);
  hd_attr params[] = {i64_of(context, a[0][0]), i64_of(context, a[0][1]), hd_attr_i64_array(context, s[0], spatial),
                      i64_of(context, a[1][1]), i64_of(context, a[1][0]), hd_attr_i64_array(context, s[1], spatial),
                      i64_of(context, a[2][0]), i64_of(context, a[2][1]), hd_attr_i64_array(context, s[2], spatial)};
  hd_attr numbers = hd_attr_struct(context, HD_STRUCT_stablehlo_conv, params, sizeof params / sizeof *params);
  if (numbers == n && operands[0] == hd_operand(op, 0) && operands[1] == hd_operand(op, 1)) return true;
  bool identity = true;
  for (uint32_t d = 0; d < rank; ++d) {
    dims[d] = hd_type_dim(hd_result_type(op, 0), (uint32_t)to[d]);
    back[to[d]] = d;
    identity &= to[d] == d;
  }
  hd_type type = hd_type_with_dims(hd_result_type(op, 0), dims, rank);
  hd_op *conv = hd_build_state(&b, &(hd_op_state){.opcode = hd_opcode_get(op),
                                                  .name = op->name,
                                                  .loc = op->loc,
                                                  .operands = operands,
                                                  .operand_count = op->operand_count,
                                                  .result_types = &type,
                                                  .result_count = 1,
                                                  .attrs = op->attrs,
                                                  .attr_count = op->attr_count});
  hd_op_attr_set(conv, "dimension_numbers", numbers);
  bool any = false;
  for (size_t i = 0; i < spatial; ++i) any |= reversed[i];
  hd_op_attr_set(conv, "window_reversal", any || reversal ? hd_attr_bool_array(context, reversed, spatial) : NULL);
  hd_value *result = identity ? hd_result(conv, 0) : hd_hlo_transpose(&b, hd_result(conv, 0), back);
  hd_op_replace(op, &result);
  r->pass->changed = true;
  return true;
}

/* Transposes go down -------------------------------------------------------------------------------------------------
 */

/* Operand |x| of an elementwise op as it is before a transpose by |permutation| to |like|'s dims; null when it has no
 * such form. */
static hd_value *untransposed(hd_builder *b, hd_value *x, hd_attr permutation, hd_value *like) {
  hd_op *op = hd_value_op(x);
  if (hd_op_is(op, HD_OP_stablehlo_transpose))
    return hd_op_attr_get(op, "permutation") == permutation ? hd_operand(op, 0) : NULL;
  hd_attr constant = hd_value_constant(x);
  if (hd_attr_is(constant, HD_ATTR_DENSE) && constant->dense.splat) {
    hd_type type = hd_type_with_dims(x->type, like->type->shaped.dims, hd_type_rank(like->type));
    return hd_build_hlo_constant(b, hd_attr_dense(type, constant->dense.data, constant->dense.size, true));
  }
  bool dynamic = hd_op_is(op, HD_OP_stablehlo_dynamic_broadcast_in_dim);
  if (!dynamic && !hd_op_is(op, HD_OP_stablehlo_broadcast_in_dim)) return NULL;
  hd_attr axes = hd_op_attr_get(op, "broadcast_dimensions");
  uint32_t rank = hd_type_rank(like->type);
  int64_t moved[MAX_RANK];
  hd_value *sizes[MAX_RANK] = {0};
  if (rank > MAX_RANK) return NULL;
  for (size_t i = 0; i < hd_attr_count(axes); ++i)
    moved[i] = hd_attr_int_at(permutation, (size_t)hd_attr_int_at(axes, i));
  if (dynamic) hd_hlo_sizes_of(b, like, sizes);
  return hd_hlo_broadcast(b, hd_operand(op, 0), like->type, moved, dynamic ? hd_hlo_shape(b, sizes, rank) : NULL);
}

/* f(transpose x, transpose y) -> transpose f(x, y) */
static bool sink(hd_op *op) {
  if (!hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) || op->result_count != 1 || op->region_count || !op->operand_count ||
      op->operand_count > 3 || !hd_type_has_rank(hd_result_type(op, 0)))
    return false;
  hd_op *first = NULL;
  for (uint32_t i = 0; i < op->operand_count && !first; ++i)
    if (hd_op_is(hd_value_op(hd_operand(op, i)), HD_OP_stablehlo_transpose)) first = hd_value_op(hd_operand(op, i));
  if (!first) return false;
  hd_attr permutation = hd_op_attr_get(first, "permutation");
  hd_value *like = hd_operand(first, 0), *operands[3];
  uint32_t rank = hd_type_rank(like->type);
  int64_t dims[MAX_RANK], forward[MAX_RANK];
  if (rank > MAX_RANK || rank != hd_type_rank(hd_result_type(op, 0))) return false;
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (hd_type_rank(hd_operand_type(op, i)) != rank) return false;
    operands[i] = untransposed(&b, hd_operand(op, i), permutation, like);
    if (!operands[i]) return false;
  }
  for (uint32_t d = 0; d < rank; ++d) {
    forward[d] = hd_attr_int_at(permutation, d);
    dims[forward[d]] = hd_type_dim(hd_result_type(op, 0), d);
  }
  hd_type type = hd_type_with_dims(hd_result_type(op, 0), dims, rank);
  hd_op *moved = hd_build_state(&b, &(hd_op_state){.opcode = hd_opcode_get(op),
                                                   .name = op->name,
                                                   .loc = op->loc,
                                                   .operands = operands,
                                                   .operand_count = op->operand_count,
                                                   .result_types = &type,
                                                   .result_count = 1,
                                                   .attrs = op->attrs,
                                                   .attr_count = op->attr_count});
  hd_value *result = hd_hlo_transpose(&b, hd_result(moved, 0), forward);
  hd_op_replace(op, &result);
  return true;
}

static bool is_conv(hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_convolution) || hd_op_is(op, HD_OP_stablehlo_dynamic_conv);
}

static bool on_host(hd_op *op) {
  hd_attr placement = hd_op_attr_get(op, "hd.placement");
  return hd_attr_is(placement, HD_ATTR_ARRAY) && placement->array.count &&
         hd_str_is(hd_ident_str(placement->array.items[0]->string), "host");
}

static bool collect(hd_op *op, void *user) {
  rewriter *r = user;
  if (op->result_count == 1) hd_vec_push(&r->pass->arena, &r->ops, op);
  return true;
}

/* The elementwise ops that reach a convolution through others of their kind: only there a transpose is worth moving. */
static void mark_feeding(rewriter *r) {
  for (size_t i = r->ops.len; i-- > 0;) {
    hd_op *op = r->ops.data[i];
    if (!hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) && !hd_op_is(op, HD_OP_stablehlo_transpose)) continue;
    hd_for_each_use(use, hd_result(op, 0)) {
      if (!is_conv(use->owner) && !hd_map_get(&r->feeding, use->owner)) continue;
      hd_map_set(&r->pass->arena, &r->feeding, op, op);
      break;
    }
  }
}

static bool known(hd_str value, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (hd_str_is(value, names[i])) return true;
  return false;
}

bool hd_pass_conv_rewriter(hd_pass *pass, hd_op *func) {
  static const char *const data[] = {"nchw", "nhwc"}, *const filters[] = {"oihw", "ohwi", "hwio"};
  rewriter r = {.pass = pass,
                .input = hd_pass_string(pass, "input", "nchw"),
                .filter = hd_pass_string(pass, "filter", "oihw"),
                .output = hd_pass_string(pass, "output", "nchw")};
  if (!known(r.input, data, 2) || !known(r.output, data, 2) || !known(r.filter, filters, 3))
    return hd_op_error(func,
                       "disc-conv-rewriter: expected input and output nchw or nhwc, filter oihw, ohwi or hwio, "
                       "got %.*s, %.*s, %.*s",
                       (int)r.input.len, r.input.data, (int)r.output.len, r.output.data, (int)r.filter.len,
                       r.filter.data);
  hd_walk_pre(func, collect, &r);
  mark_feeding(&r);
  for (size_t i = 0; i < r.ops.len; ++i) {
    hd_op *op = r.ops.data[i];
    if (is_conv(op) && !on_host(op)) {
      if (!rewrite(&r, op)) return false;
    } else if (hd_map_get(&r.feeding, op)) {
      pass->changed |= sink(op);
    }
  }
  return true;
}
