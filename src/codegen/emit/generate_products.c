/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/generate_products.h"

#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

#define L hd_generator_lanes(g)

/* ---- roles of dims ---- */

static void add_dim(uint32_t *dims, uint32_t *count, int64_t dim) { dims[(*count)++] = (uint32_t)dim; }

static void roles_of_dot_general(hd_product *p) {
  hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(p->op);
  hd_attr lb = hd_attr_stablehlo_dot_lhs_batching_dimensions(n),
          lc = hd_attr_stablehlo_dot_lhs_contracting_dimensions(n);
  uint32_t at = 0, rank = hd_type_rank(p->out->type), lhs = hd_type_rank(hd_operand_type(p->op, 0));
  for (; at < hd_attr_count(lb); ++at) add_dim(p->batch, &p->batch_count, at);
  for (uint32_t d = 0; d < lhs; ++d)
    if (hd_attr_find_int(lb, d) < 0 && hd_attr_find_int(lc, d) < 0) add_dim(p->rows, &p->row_count, at++);
  for (; at < rank; ++at) add_dim(p->columns, &p->column_count, at);
  p->summed = hd_operand(p->op, 0);
  for (size_t i = 0; i < hd_attr_count(lc); ++i) add_dim(p->sums, &p->sum_count, hd_attr_int_at(lc, i));
}

static void roles_of_dot(hd_product *p) {
  uint32_t at = 0;
  if (hd_type_rank(hd_operand_type(p->op, 0)) == 2) add_dim(p->rows, &p->row_count, at++);
  if (hd_type_rank(hd_operand_type(p->op, 1)) == 2) add_dim(p->columns, &p->column_count, at);
  p->summed = hd_operand(p->op, 1);
  add_dim(p->sums, &p->sum_count, 0);
}

static void roles_of_convolution(hd_product *p) {
  hd_attr n = hd_convolution_like_dimension_numbers(p->op),
          kernel = hd_attr_stablehlo_conv_kernel_spatial_dimensions(n);
  int64_t feature = hd_attr_stablehlo_conv_output_feature_dimension(n);
  for (uint32_t d = 0; d < hd_type_rank(p->out->type); ++d)
    if (d != feature) add_dim(p->rows, &p->row_count, d);
  add_dim(p->columns, &p->column_count, feature);
  p->summed = hd_operand(p->op, 1);
  for (size_t i = 0; i < hd_attr_count(kernel); ++i) add_dim(p->sums, &p->sum_count, hd_attr_int_at(kernel, i));
  add_dim(p->sums, &p->sum_count, hd_attr_stablehlo_conv_kernel_input_feature_dimension(n));
  p->feature_groups = hd_convolution_like_feature_group_count(p->op);
  p->batch_groups = hd_convolution_like_batch_group_count(p->op);
}

bool hd_product_of(hd_op *op, hd_product *out) {
  *out = (hd_product){.op = op, .feature_groups = 1, .batch_groups = 1};
  hd_opcode opcode = hd_buffer_opcode(op);
  bool convolution = hd_is_convolution_like(op);
  if (!convolution && opcode != HD_OP_stablehlo_dot && opcode != HD_OP_stablehlo_dot_general) return false;
  out->out = hd_buffer_output(op, 0);
  if (hd_type_rank(out->out->type) > HD_COMPILED_MAX_RANK ||
      hd_type_rank(hd_operand_type(op, 0)) > HD_COMPILED_MAX_RANK ||
      hd_type_rank(hd_operand_type(op, 1)) > HD_COMPILED_MAX_RANK)
    return false;
  (convolution ? roles_of_convolution : opcode == HD_OP_stablehlo_dot ? roles_of_dot : roles_of_dot_general)(out);
  return true;
}

uint32_t hd_product_inner_sum(const hd_product *p, uint32_t i) {
  uint32_t last = p->sum_count - 1;
  switch (hd_buffer_opcode(p->op)) {
    case HD_OP_stablehlo_dot:
      return i ? 0 : hd_type_rank(hd_operand_type(p->op, 0)) - 1;
    case HD_OP_stablehlo_dot_general: {
      hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(p->op),
              sums = i ? hd_attr_stablehlo_dot_rhs_contracting_dimensions(n)
                       : hd_attr_stablehlo_dot_lhs_contracting_dimensions(n);
      return (uint32_t)hd_attr_int_at(sums, last);
    }
    default: {
      hd_attr n = hd_convolution_like_dimension_numbers(p->op);
      return (uint32_t)(i ? hd_attr_stablehlo_conv_kernel_input_feature_dimension(n)
                          : hd_attr_stablehlo_conv_input_feature_dimension(n));
    }
  }
}

hd_dim hd_product_group_features(hd_shapes *shapes, const hd_product *p) {
  hd_dim_table *t = &shapes->table;
  return hd_dim_floordiv(t, hd_shapes_dim(shapes, p->out, p->columns[0]),
                         hd_dim_const(t, p->feature_groups * p->batch_groups));
}

/* ---- elements of the operands ---- */

hd_lane_index hd_window_index(hd_generator *g, hd_lane_index out, hd_lane_index k, int64_t stride, int64_t dilation,
                              hd_lane_index low, int64_t base_dilation, hd_dim size, bool may_miss, hd_guard *inside) {
  hd_lane_index at =
      hd_lane_add(L, hd_lane_mul(L, out, hd_lane_const(L, stride)), hd_lane_mul(L, k, hd_lane_const(L, dilation)));
  at = hd_lane_sub(L, at, low);
  if (!may_miss) return at;
  hd_guard_add(g, inside, hd_lane_less(L, hd_lane_const(L, -1), at));
  if (base_dilation > 1) {
    hd_lane_index positive = hd_lane_max(L, at, hd_lane_const(L, 0)), by = hd_lane_const(L, base_dilation);
    hd_guard_add(g, inside, hd_lane_less(L, hd_lane_rem(L, positive, by), hd_lane_const(L, 1)));
    at = hd_lane_div(L, positive, by);
  }
  hd_guard_add(g, inside, hd_lane_less(L, at, hd_lane_scalar(hd_generate_dim(g, size))));
  return at;
}

static void place_dot_general(const hd_product *p, const hd_index_tuple *at, const hd_lane_index *terms,
                              hd_product_place *out) {
  hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(p->op);
  hd_attr batch[2] = {hd_attr_stablehlo_dot_lhs_batching_dimensions(n),
                      hd_attr_stablehlo_dot_rhs_batching_dimensions(n)},
          sums[2] = {hd_attr_stablehlo_dot_lhs_contracting_dimensions(n),
                     hd_attr_stablehlo_dot_rhs_contracting_dimensions(n)};
  hd_index_tuple *to[2] = {out->lhs, out->rhs};
  for (int side = 0; side < 2; ++side) {
    if (!to[side]) continue;
    const uint32_t *free = side ? p->columns : p->rows;
    for (uint32_t d = 0, next = 0; d < to[side]->rank; ++d) {
      int64_t b = hd_attr_find_int(batch[side], d), s = hd_attr_find_int(sums[side], d);
      to[side]->at[d] = b >= 0 ? at->at[b] : s >= 0 ? terms[s] : at->at[free[next++]];
    }
  }
}

static void place_dot(const hd_product *p, const hd_index_tuple *at, const hd_lane_index *terms,
                      hd_product_place *out) {
  if (out->lhs) {
    if (p->row_count) out->lhs->at[0] = at->at[p->rows[0]];
    out->lhs->at[out->lhs->rank - 1] = terms[0];
  }
  if (out->rhs) {
    out->rhs->at[0] = terms[0];
    if (p->column_count) out->rhs->at[1] = at->at[p->columns[0]];
  }
}

/* Of a convolution's lhs: the group's part of features or of the batch, and where the window is. */
static void place_input(hd_generator *g, const hd_product *p, const hd_index_tuple *at, const hd_lane_index *terms,
                        const hd_lane_index *known_group, hd_product_place *out) {
  hd_attr n = hd_convolution_like_dimension_numbers(p->op), strides = hd_convolution_like_window_strides(p->op),
          padding = hd_convolution_like_padding(p->op), lhs_dilation = hd_convolution_like_lhs_dilation(p->op),
          rhs_dilation = hd_convolution_like_rhs_dilation(p->op),
          in = hd_attr_stablehlo_conv_input_spatial_dimensions(n),
          to = hd_attr_stablehlo_conv_output_spatial_dimensions(n);
  bool dynamic = hd_buffer_opcode(p->op) == HD_OP_stablehlo_dynamic_conv;
  uint32_t spatial = p->sum_count - 1, out_batch = (uint32_t)hd_attr_stablehlo_conv_output_batch_dimension(n);
  hd_lane_index batch = at->at[out_batch], feature = terms[spatial];
  if (p->feature_groups > 1 || p->batch_groups > 1) {
    hd_lane_index group =
        known_group ? *known_group
                    : hd_lane_div(L, at->at[p->columns[0]],
                                  hd_lane_scalar(hd_generate_dim(g, hd_product_group_features(g->shapes, p))));
    hd_dim of_each = p->feature_groups > 1 ? hd_generator_dim_of(g, hd_operand(p->op, 1), p->sums[spatial])
                                           : hd_generator_dim_of(g, p->out, out_batch);
    hd_lane_index *part = p->feature_groups > 1 ? &feature : &batch;
    *part = hd_lane_add(L, hd_lane_mul(L, group, hd_lane_scalar(hd_generate_dim(g, of_each))), *part);
  }
  out->lhs->at[hd_attr_stablehlo_conv_input_feature_dimension(n)] = feature;
  out->lhs->at[hd_attr_stablehlo_conv_input_batch_dimension(n)] = batch;
  for (uint32_t i = 0; i < spatial; ++i) {
    uint32_t dim = (uint32_t)hd_attr_int_at(in, i);
    hd_lane_index low = dynamic ? hd_lane_scalar(hd_generate_scalar(g, hd_operand(p->op, 3 + 2 * i)))
                                : hd_lane_const(L, hd_attr_int_at_or(padding, 2 * i, 0));
    int64_t dilation = hd_attr_int_at_or(lhs_dilation, i, 1), known;
    hd_dim kernel = hd_generator_dim_of(g, hd_operand(p->op, 1), p->sums[i]);
    bool may_miss = dynamic || hd_attr_int_at_or(padding, 2 * i, 0) || hd_attr_int_at_or(padding, 2 * i + 1, 0) ||
                    dilation > 1 || !hd_dim_is_const(&g->shapes->table, kernel, &known);
    out->lhs->at[dim] = hd_window_index(g, at->at[hd_attr_int_at(to, i)], terms[i], hd_attr_int_at_or(strides, i, 1),
                                        hd_attr_int_at_or(rhs_dilation, i, 1), low, dilation,
                                        hd_generator_dim_of(g, hd_operand(p->op, 0), dim), may_miss, &out->inside);
  }
}

static void place_kernel(hd_generator *g, const hd_product *p, const hd_index_tuple *at, const hd_lane_index *terms,
                         hd_product_place *out) {
  hd_attr n = hd_convolution_like_dimension_numbers(p->op), reversal = hd_convolution_like_window_reversal(p->op);
  hd_dim_table *t = &g->shapes->table;
  uint32_t spatial = p->sum_count - 1;
  out->rhs->at[p->sums[spatial]] = terms[spatial];
  out->rhs->at[hd_attr_stablehlo_conv_kernel_output_feature_dimension(n)] = at->at[p->columns[0]];
  for (uint32_t i = 0; i < spatial; ++i) {
    hd_lane_index k = terms[i];
    if (hd_attr_int_at_or(reversal, i, 0)) {
      hd_dim size = hd_generator_dim_of(g, hd_operand(p->op, 1), p->sums[i]),
             last = hd_dim_sub(t, size, hd_dim_const(t, 1));
      k = hd_lane_sub(L, hd_lane_scalar(hd_generate_dim(g, last)), k);
    }
    out->rhs->at[p->sums[i]] = k;
  }
}

void hd_place_product(hd_generator *g, const hd_product *p, const hd_index_tuple *at, const hd_lane_index *terms,
                      const hd_lane_index *group, hd_product_place *out) {
  switch (hd_buffer_opcode(p->op)) {
    case HD_OP_stablehlo_dot_general:
      place_dot_general(p, at, terms, out);
      break;
    case HD_OP_stablehlo_dot:
      place_dot(p, at, terms, out);
      break;
    default:
      if (out->lhs) place_input(g, p, at, terms, group, out);
      if (out->rhs) place_kernel(g, p, at, terms, out);
  }
}

/* ---- arithmetic ---- */

bool hd_accumulate_product(hd_generator *g, const hd_product *p, hd_element lhs, hd_element rhs, hd_element accumulator,
                           hd_element *out) {
  hd_type element = hd_type_element(p->out->type), types[2] = {element, element};
  hd_element product, pair[2] = {lhs, rhs};
  for (uint32_t side = 0; side < 2; ++side) {
    hd_type from = hd_type_element(hd_operand_type(p->op, side));
    if (hd_compute_type(from) != hd_compute_type(element) &&
        !hd_emit_elementwise(g->b, p->op, HD_OP_stablehlo_convert, &from, &pair[side], element, g->lanes, &pair[side]))
      return false;
  }
  if (!hd_emit_elementwise(g->b, p->op, HD_OP_stablehlo_multiply, types, pair, element, g->lanes, &product))
    return false;
  pair[0] = accumulator;
  pair[1] = product;
  return hd_emit_elementwise(g->b, p->op, HD_OP_stablehlo_add, types, pair, element, g->lanes, out);
}
