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
 * to three of them (or more) go the same way; `keep` leaves a tensor as it is. Groups and batch groups stay. Both
 * forms that gradients have are convolutions with other dimension numbers, which the transposes undo: by the filter
 * (lhs batch and feature exchanged) and by the input (dilated lhs and a reversed filter, whose reverse becomes
 * window_reversal).
 *
 * Transposes that meet are one, and none when they cancel. A transpose after a convolution moves down to the one in
 * front of the next (transpose_sink.h). With `fold` one that stays after its convolution is no op of its own: the
 * convolution writes in that order, and reads its input as it is, for a library that can. Ops placed on the host and
 * quantized ones are left. */
#include "base/vec.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/graph/hlo_build.h"
#include "passes/graph/layout/transpose_sink.h"
#include "passes/passes.h"

typedef struct rewriter {
  hd_pass *pass;
  hd_str input, filter, output;
  hd_op_list ops; /* of one result */
  hd_map feeding; /* ops that lead to a convolution or a reduction */
  hd_map own;     /* transposes after convolutions */
} rewriter;

/* How one of the three tensors is to be: its dims in that order, and where they are then. */
typedef struct layout {
  uint32_t rank;
  bool identity;
  int64_t order[HD_COMPILED_MAX_RANK]; /* dim i of the new form is dim order[i] of the old one */
  int64_t first, second, spatial[HD_COMPILED_MAX_RANK];
} layout;

/* |name| says it: 'n'/'o' is |first|, 'c'/'i' |second|, 'h' all |spatial|; "keep": as it is. */
static layout lay_out(hd_str name, int64_t first, int64_t second, hd_attr spatial) {
  layout l = {.rank = (uint32_t)hd_attr_count(spatial) + 2, .identity = true, .first = first, .second = second};
  uint32_t at = 0;
  if (hd_str_is(name, "keep")) {
    for (; at < l.rank; ++at) l.order[at] = at;
    for (size_t s = 0; s < hd_attr_count(spatial); ++s) l.spatial[s] = hd_attr_int_at(spatial, s);
    return l;
  }
  for (size_t i = 0; i < name.len; ++i) {
    char c = name.data[i];
    if (c == 'n' || c == 'o') l.first = at, l.order[at++] = first;
    if (c == 'c' || c == 'i') l.second = at, l.order[at++] = second;
    for (size_t s = 0; c == 'h' && s < hd_attr_count(spatial); ++s)
      l.spatial[s] = at, l.order[at++] = hd_attr_int_at(spatial, s);
  }
  for (uint32_t d = 0; d < at; ++d) l.identity &= l.order[d] == d;
  return l;
}

static hd_attr i64_of(hd_context *context, int64_t value) { return hd_attr_i64(context, value); }

/* |filter|'s spatial dims that a reverse in front of it turns round; the reverse is stepped over. */
static hd_value *unreverse(hd_op *op, hd_attr kernel_spatial, bool *reversed) {
  hd_value *filter = hd_operand(op, 1);
  hd_op *reverse = hd_value_op(filter);
  if (!hd_op_is(reverse, HD_OP_stablehlo_reverse)) return filter;
  hd_attr dims = hd_stablehlo_reverse_dimensions(reverse);
  size_t n = hd_attr_count(kernel_spatial), hits = 0;
  bool turned[HD_COMPILED_MAX_RANK] = {0};
  for (size_t i = 0; i < hd_attr_count(dims); ++i)
    for (size_t s = 0; s < n; ++s)
      if (hd_attr_int_at(dims, i) == hd_attr_int_at(kernel_spatial, s)) turned[s] = true, ++hits;
  if (hits != hd_attr_count(dims)) return filter;
  for (size_t s = 0; s < n; ++s) reversed[s] ^= turned[s];
  return hd_operand(reverse, 0);
}

static void own(rewriter *r, hd_value *result) {
  hd_op *op = hd_value_op(result);
  if (hd_op_is(op, HD_OP_stablehlo_transpose)) hd_map_set(&r->pass->arena, &r->own, op, op);
}

static bool rewrite(rewriter *r, hd_op *op) {
  hd_context *context = r->pass->context;
  hd_attr n = hd_convolution_like_dimension_numbers(op), reversal = hd_convolution_like_window_reversal(op);
  hd_attr in = hd_attr_stablehlo_conv_input_spatial_dimensions(n),
          kernel = hd_attr_stablehlo_conv_kernel_spatial_dimensions(n),
          out = hd_attr_stablehlo_conv_output_spatial_dimensions(n);
  size_t spatial = hd_attr_count(in);
  if (spatial + 2 > HD_COMPILED_MAX_RANK)
    return hd_op_error(op, "disc-conv-rewriter takes up to %d spatial dims, got %zu", HD_COMPILED_MAX_RANK - 2,
                       spatial);
  layout x = lay_out(r->input, hd_attr_stablehlo_conv_input_batch_dimension(n),
                     hd_attr_stablehlo_conv_input_feature_dimension(n), in),
         w = lay_out(r->filter, hd_attr_stablehlo_conv_kernel_output_feature_dimension(n),
                     hd_attr_stablehlo_conv_kernel_input_feature_dimension(n), kernel),
         y = lay_out(r->output, hd_attr_stablehlo_conv_output_batch_dimension(n),
                     hd_attr_stablehlo_conv_output_feature_dimension(n), out);
  bool reversed[HD_COMPILED_MAX_RANK] = {0};
  for (size_t s = 0; reversal && s < spatial && s < hd_attr_count(reversal); ++s)
    reversed[s] = hd_attr_int_at(reversal, s) != 0;
  hd_builder b = hd_builder_before(op);
  hd_value *filter = unreverse(op, kernel, reversed);
  hd_value *operands[3] = {hd_hlo_transpose(&b, hd_operand(op, 0), x.order), hd_hlo_transpose(&b, filter, w.order),
                           op->operand_count > 2 ? hd_operand(op, 2) : NULL};
  hd_attr params[] = {
      i64_of(context, x.first),  i64_of(context, x.second), hd_attr_i64_array(context, x.spatial, spatial),
      i64_of(context, w.second), i64_of(context, w.first),  hd_attr_i64_array(context, w.spatial, spatial),
      i64_of(context, y.first),  i64_of(context, y.second), hd_attr_i64_array(context, y.spatial, spatial)};
  hd_attr numbers = hd_attr_struct(context, HD_STRUCT_stablehlo_conv, params, sizeof params / sizeof *params);
  if (numbers == n && operands[0] == hd_operand(op, 0) && operands[1] == hd_operand(op, 1)) return true;
  int64_t dims[HD_COMPILED_MAX_RANK], back[HD_COMPILED_MAX_RANK];
  for (uint32_t d = 0; d < y.rank; ++d) {
    dims[d] = hd_type_dim(hd_result_type(op, 0), (uint32_t)y.order[d]);
    back[y.order[d]] = d;
  }
  hd_type type = hd_type_with_dims(hd_result_type(op, 0), dims, y.rank);
  hd_op *conv = hd_build_like(&b, op, hd_opcode_get(op), operands, op->operand_count, &type, 1);
  hd_convolution_like_set_dimension_numbers(conv, numbers);
  bool any = false;
  for (size_t i = 0; i < spatial; ++i) any |= reversed[i];
  hd_convolution_like_set_window_reversal(conv,
                                          any || reversal ? hd_attr_bool_array(context, reversed, spatial) : NULL);
  hd_value *result = y.identity ? hd_result(conv, 0) : hd_hlo_transpose(&b, hd_result(conv, 0), back);
  hd_op_replace(op, &result);
  own(r, result);
  r->pass->changed = true;
  return true;
}

static bool on_host(hd_op *op) {
  hd_attr placement = hd_placement_entries(op);
  return hd_attr_is(placement, HD_ATTR_ARRAY) && placement->array.count &&
         hd_str_is(hd_ident_str(placement->array.items[0]->string), "host");
}

/* The scales of a quantized type may go along a dim. */
static bool is_quantized(hd_op *op) {
  bool any = hd_type_is(hd_type_element(hd_result_type(op, 0)), HD_TYPE_QUANT);
  for (uint32_t i = 0; i < 2; ++i) any |= hd_type_is(hd_type_element(hd_operand_type(op, i)), HD_TYPE_QUANT);
  return any;
}

static bool gives_one(const hd_op *op) { return op->result_count == 1; }

/* Where an op leads to through others of its kind. */
static char to_conv, to_reduce;

static bool leads(rewriter *r, const hd_op *op, const char *where) { return hd_map_get(&r->feeding, op) == where; }

/* Moves transposes down to where they meet others: in front of a convolution, or in a reduction, which takes those from
 * after convolutions. A program's own transpose stays there, since a reduction of trailing dims is the better one, and
 * what leads nowhere keeps them too: a convolution writes its result in any order, as one more kernel would not. */
static void sink(rewriter *r, hd_op *op) {
  bool behind = false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    behind |= hd_map_get(&r->own, hd_value_op(hd_operand(op, i))) != NULL;
  bool wanted = leads(r, op, &to_conv) || (behind && leads(r, op, &to_reduce));
  hd_value *result = wanted ? hd_sink_transpose(op) : NULL;
  if (!result) return;
  own(r, result);
  r->pass->changed = true;
}

static void mark_feeding(rewriter *r) {
  for (size_t i = r->ops.len; i-- > 0;) {
    hd_op *op = r->ops.data[i];
    bool reduces = hd_op_is(op, HD_OP_stablehlo_reduce);
    if (!hd_may_sink_transpose(op) && !hd_op_is(op, HD_OP_stablehlo_transpose)) continue;
    char *where = reduces ? &to_reduce : NULL;
    hd_for_each_use(use, hd_result(op, 0)) {
      if (hd_is_convolution_like(use->owner) || leads(r, use->owner, &to_conv))
        where = reduces ? where : &to_conv;
      else if (!where && leads(r, use->owner, &to_reduce))
        where = &to_reduce;
    }
    if (where) hd_map_set(&r->pass->arena, &r->feeding, op, where);
  }
}

/* A transpose that stayed after its convolution is the order in which that writes; then it reads in any order too. */
static bool fold(hd_op *op, void *user) {
  rewriter *r = user;
  hd_op *conv = hd_op_is(op, HD_OP_stablehlo_transpose) ? hd_value_op(hd_operand(op, 0)) : NULL;
  if (!conv || !hd_is_convolution_like(conv) || !hd_map_get(&r->own, op) || !hd_value_has_one_use(hd_operand(op, 0)))
    return true;
  hd_context *context = r->pass->context;
  hd_attr p = hd_stablehlo_transpose_permutation(op), n = hd_convolution_like_dimension_numbers(conv), params[9];
  hd_op *front = hd_value_op(hd_operand(conv, 0));
  hd_attr q = hd_op_is(front, HD_OP_stablehlo_transpose) ? hd_stablehlo_transpose_permutation(front) : NULL;
  hd_attr in = hd_attr_stablehlo_conv_input_spatial_dimensions(n),
          out = hd_attr_stablehlo_conv_output_spatial_dimensions(n);
  int64_t from[HD_COMPILED_MAX_RANK], to[HD_COMPILED_MAX_RANK],
      batch = hd_attr_stablehlo_conv_input_batch_dimension(n),
      feature = hd_attr_stablehlo_conv_input_feature_dimension(n);
  for (size_t s = 0; s < hd_attr_count(out); ++s) {
    from[s] = q ? hd_attr_int_at(q, (size_t)hd_attr_int_at(in, s)) : hd_attr_int_at(in, s);
    to[s] = hd_attr_find_int(p, hd_attr_int_at(out, s));
  }
  params[0] = i64_of(context, q ? hd_attr_int_at(q, (size_t)batch) : batch);
  params[1] = i64_of(context, q ? hd_attr_int_at(q, (size_t)feature) : feature);
  params[2] = hd_attr_i64_array(context, from, hd_attr_count(in));
  params[3] = hd_attr_stablehlo_conv_kernel_input_feature_dimension_attr(n);
  params[4] = hd_attr_stablehlo_conv_kernel_output_feature_dimension_attr(n);
  params[5] = hd_attr_stablehlo_conv_kernel_spatial_dimensions(n);
  params[6] = i64_of(context, hd_attr_find_int(p, hd_attr_stablehlo_conv_output_batch_dimension(n)));
  params[7] = i64_of(context, hd_attr_find_int(p, hd_attr_stablehlo_conv_output_feature_dimension(n)));
  params[8] = hd_attr_i64_array(context, to, hd_attr_count(out));
  if (q) hd_op_set_operand(conv, 0, hd_operand(front, 0));
  hd_convolution_like_set_dimension_numbers(conv, hd_attr_struct(context, HD_STRUCT_stablehlo_conv, params, 9));
  hd_value *result = hd_result(conv, 0);
  result->type = hd_result_type(op, 0);
  hd_op_replace(op, &result);
  return true;
}

static bool drop_dead(hd_op *op, void *user) {
  (void)user;
  if (hd_op_is(op, HD_OP_stablehlo_transpose) && hd_op_is_trivially_dead(op)) hd_op_erase(op);
  return true;
}

static bool known(hd_str value, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (hd_str_is(value, names[i])) return true;
  return false;
}

bool hd_pass_conv_rewriter(hd_pass *pass, hd_op *func) {
  static const char *const data[] = {"nchw", "nhwc", "keep"}, *const filters[] = {"oihw", "ohwi", "hwio", "keep"};
  rewriter r = {.pass = pass,
                .input = hd_option_string(pass, "input"),
                .filter = hd_option_string(pass, "filter"),
                .output = hd_option_string(pass, "output")};
  if (!known(r.input, data, 3) || !known(r.output, data, 3) || !known(r.filter, filters, 4))
    return hd_op_error(func,
                       "disc-conv-rewriter: expected input and output nchw, nhwc or keep, filter oihw, ohwi, hwio or "
                       "keep, got %.*s, %.*s, %.*s",
                       (int)r.input.len, r.input.data, (int)r.output.len, r.output.data, (int)r.filter.len,
                       r.filter.data);
  r.ops = hd_ops_where(func, gives_one, &pass->arena);
  mark_feeding(&r);
  for (size_t i = 0; i < r.ops.len; ++i) {
    hd_op *op = r.ops.data[i];
    if (hd_is_convolution_like(op)) {
      if (!on_host(op) && !is_quantized(op) && !rewrite(&r, op)) return false;
    } else {
      sink(&r, op);
    }
  }
  if (hd_option_bool(pass, "fold")) hd_walk_post(func, fold, &r);
  if (pass->changed) hd_walk_post(func, drop_dead, NULL);
  return true;
}
