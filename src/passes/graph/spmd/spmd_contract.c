/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of products, convolutions, gathers and scatters. A sum over a dim that devices share is the sum of their sums.
 */
#include <string.h>

#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/spmd/spmd.h"

/* Splits |dim| of each layout in the same way, as the first that is split; later ones follow where they can, and all
 * are whole where one cannot. */
static hd_split tie(hd_spmd *s, hd_layout *a, uint32_t i, hd_layout *b, uint32_t k, int64_t size) {
  hd_split split = a->dims[i].count >= b->dims[k].count ? a->dims[i] : b->dims[k];
  a->dims[i] = b->dims[k] = (hd_split){0};
  hd_layout_split(s, a, i, split, size);
  hd_layout_split(s, b, k, split, size);
  if (!hd_split_equal(a->dims[i], b->dims[k])) a->dims[i] = b->dims[k] = (hd_split){0};
  return a->dims[i];
}

/* |split| unless |layout| or |more| uses one of its axes. */
static hd_split unless_used(hd_split split, hd_layout layout, hd_split more) {
  for (uint8_t i = 0; i < split.count; ++i) {
    bool used = hd_layout_uses(layout, split.axes[i]);
    for (uint8_t k = 0; k < more.count; ++k) used |= more.axes[k] == split.axes[i];
    if (used) return (hd_split){0};
  }
  return split;
}

static void append(hd_split *to, hd_split more) {
  for (uint8_t i = 0; i < more.count; ++i) to->axes[to->count++] = more.axes[i];
}

/* ---- dot_general ----------------------------------------------------------------------------------------------- */

typedef struct dot {
  hd_attr lhs_batch, rhs_batch, lhs_contract, rhs_contract;
} dot;

static bool is_free(hd_attr batch, hd_attr contract, uint32_t d) {
  return hd_attr_find_int(batch, d) < 0 && hd_attr_find_int(contract, d) < 0;
}

bool hd_spmd_dot(hd_spmd *s, hd_op *op) {
  hd_attr numbers = hd_stablehlo_dot_general_dot_dimension_numbers(op);
  dot n = {hd_attr_stablehlo_dot_lhs_batching_dimensions(numbers),
           hd_attr_stablehlo_dot_rhs_batching_dimensions(numbers),
           hd_attr_stablehlo_dot_lhs_contracting_dimensions(numbers),
           hd_attr_stablehlo_dot_rhs_contracting_dimensions(numbers)};
  hd_layout in[2] = {hd_layout_of(s, hd_operand(op, 0)), hd_layout_of(s, hd_operand(op, 1))};
  hd_type lhs = hd_operand_type(op, 0);
  hd_layout out = hd_layout_whole(s, hd_result_type(op, 0));
  uint32_t at = 0;
  hd_split over = {0};
  size_t batches = n.lhs_batch ? hd_attr_count(n.lhs_batch) : 0,
         contractions = n.lhs_contract ? hd_attr_count(n.lhs_contract) : 0;
  for (size_t i = 0; i < batches; ++i) {
    uint32_t l = (uint32_t)hd_attr_int_at(n.lhs_batch, i), r = (uint32_t)hd_attr_int_at(n.rhs_batch, i);
    out.dims[at++] = tie(s, &in[0], l, &in[1], r, hd_type_dim(lhs, l));
  }
  /* Free dims of the lhs go first: rows of a batch. Then contracted dims, then columns. */
  for (uint32_t d = 0; d < in[0].rank; ++d) {
    if (!is_free(n.lhs_batch, n.lhs_contract, d)) continue;
    for (uint8_t i = 0; i < in[0].dims[d].count; ++i)
      for (uint32_t e = 0; e < in[1].rank; ++e)
        for (uint8_t k = 0; k < in[1].dims[e].count; ++k)
          if (in[1].dims[e].axes[k] == in[0].dims[d].axes[i] && hd_attr_find_int(n.rhs_batch, e) < 0)
            in[1].dims[e] = (hd_split){0};
    in[0].dims[d] = out.dims[at] = unless_used(in[0].dims[d], out, over);
    ++at;
  }
  for (size_t i = 0; i < contractions; ++i) {
    uint32_t l = (uint32_t)hd_attr_int_at(n.lhs_contract, i), r = (uint32_t)hd_attr_int_at(n.rhs_contract, i);
    hd_split split = tie(s, &in[0], l, &in[1], r, hd_type_dim(lhs, l));
    if (unless_used(split, out, over).count != split.count || over.count + split.count > HD_SPLIT_AXES)
      in[0].dims[l] = in[1].dims[r] = (hd_split){0};
    else
      append(&over, split);
  }
  for (uint32_t d = 0; d < in[1].rank; ++d) {
    if (!is_free(n.rhs_batch, n.rhs_contract, d)) continue;
    in[1].dims[d] = out.dims[at] = unless_used(in[1].dims[d], out, over);
    ++at;
  }
  hd_op *made = hd_spmd_emit(s, op, in, &out);
  if (over.count) hd_spmd_set(s, hd_result(op, 0), hd_spmd_all_sum(s, hd_result(made, 0), over), out);
  return true;
}

/* ---- convolution ----------------------------------------------------------------------------------------------- */

bool hd_spmd_convolution(hd_spmd *s, hd_op *op) {
  hd_attr numbers = hd_convolution_like_dimension_numbers(op);
  hd_layout have[2] = {hd_layout_of(s, hd_operand(op, 0)), hd_layout_of(s, hd_operand(op, 1))};
  hd_layout in[2] = {hd_layout_whole(s, hd_operand_type(op, 0)), hd_layout_whole(s, hd_operand_type(op, 1))};
  hd_layout out = hd_layout_whole(s, hd_result_type(op, 0));
  hd_split over = {0};
  uint32_t batch = (uint32_t)hd_attr_stablehlo_conv_input_batch_dimension(numbers),
           result_batch = (uint32_t)hd_attr_stablehlo_conv_output_batch_dimension(numbers),
           feature = (uint32_t)hd_attr_stablehlo_conv_input_feature_dimension(numbers),
           kernel_in = (uint32_t)hd_attr_stablehlo_conv_kernel_input_feature_dimension(numbers),
           kernel_out = (uint32_t)hd_attr_stablehlo_conv_kernel_output_feature_dimension(numbers),
           result_feature = (uint32_t)hd_attr_stablehlo_conv_output_feature_dimension(numbers);
  bool grouped = hd_convolution_like_feature_group_count(op) != 1 || hd_convolution_like_batch_group_count(op) != 1;
  if (hd_convolution_like_batch_group_count(op) == 1) in[0].dims[batch] = out.dims[result_batch] = have[0].dims[batch];
  if (!grouped) {
    in[0].dims[feature] = unless_used(have[0].dims[feature], in[0], over);
    in[1].dims[kernel_in] = have[1].dims[kernel_in];
    over = tie(s, &in[0], feature, &in[1], kernel_in, hd_type_dim(hd_operand_type(op, 0), feature));
    in[1].dims[kernel_out] = out.dims[result_feature] = unless_used(have[1].dims[kernel_out], out, over);
  }
  hd_op *made = hd_spmd_emit(s, op, in, &out);
  if (over.count) hd_spmd_set(s, hd_result(op, 0), hd_spmd_all_sum(s, hd_result(made, 0), over), out);
  return true;
}

/* ---- gather ---------------------------------------------------------------------------------------------------- */

static size_t count_of(hd_attr list) { return list ? hd_attr_count(list) : 0; }

/* Dims of the operand that are whole in each slice and that no index moves stay split, as do dims of the indices. */
bool hd_spmd_gather(hd_spmd *s, hd_op *op) {
  hd_attr n = hd_gather_like_dimension_numbers(op), offsets = hd_attr_stablehlo_gather_offset_dims(n),
          collapsed = hd_attr_stablehlo_gather_collapsed_slice_dims(n),
          batch = hd_attr_stablehlo_gather_operand_batching_dims(n),
          index_batch = hd_attr_stablehlo_gather_start_indices_batching_dims(n),
          map = hd_attr_stablehlo_gather_start_index_map(n), sizes = hd_gather_like_slice_sizes(op);
  hd_layout in[2] = {hd_layout_of(s, hd_operand(op, 0)), hd_layout_of(s, hd_operand(op, 1))};
  hd_layout out = hd_layout_whole(s, hd_result_type(op, 0));
  int64_t *local = hd_new_array(s->arena, int64_t, in[0].rank + 1u),
          index_dim = hd_attr_stablehlo_gather_index_vector_dim(n);
  for (size_t i = 0; i < count_of(batch); ++i) {
    uint32_t d = (uint32_t)hd_attr_int_at(batch, i), k = (uint32_t)hd_attr_int_at(index_batch, i);
    tie(s, &in[0], d, &in[1], k, hd_type_dim(hd_operand_type(op, 0), d));
  }
  if (index_dim < in[1].rank) in[1].dims[index_dim] = (hd_split){0};
  for (uint32_t r = 0, d = 0; r < out.rank; ++r) {
    if (hd_attr_find_int(offsets, r) >= 0) continue;
    if (d == index_dim) ++d;
    if (d < in[1].rank) out.dims[r] = in[1].dims[d];
    ++d;
  }
  for (uint32_t d = 0, k = 0; d < in[0].rank; ++d) {
    local[d] = hd_attr_int_at(sizes, d);
    if (hd_attr_find_int(batch, d) >= 0) continue;
    bool stays = local[d] == hd_type_dim(hd_operand_type(op, 0), d) && hd_attr_find_int(map, d) < 0 &&
                 hd_attr_find_int(collapsed, d) < 0;
    in[0].dims[d] = stays ? unless_used(in[0].dims[d], out, (hd_split){0}) : (hd_split){0};
    if (hd_attr_find_int(collapsed, d) >= 0) continue;
    out.dims[hd_attr_int_at(offsets, k++)] = in[0].dims[d];
    local[d] /= hd_split_parts(s, in[0].dims[d]);
  }
  hd_op *made = hd_spmd_emit(s, op, in, &out);
  hd_gather_like_set_slice_sizes(made, hd_attr_i64_array(s->pass->context, local, in[0].rank));
  return true;
}

/* ---- scatter --------------------------------------------------------------------------------------------------- */

static bool adds(hd_op *op) { return hd_op_is(hd_op_reducer(op), HD_OP_stablehlo_add); }

static bool is_zero(hd_value *value) {
  hd_op *op = hd_value_op(value);
  if (hd_op_is(op, HD_OP_stablehlo_broadcast_in_dim) || hd_op_is(op, HD_OP_sdy_sharding_constraint))
    return is_zero(hd_operand(op, 0));
  hd_attr attr = hd_value_constant(value);
  if (!hd_attr_is(attr, HD_ATTR_DENSE) || !attr->dense.splat) return false;
  for (size_t i = 0; i < attr->dense.size; ++i)
    if (attr->dense.data[i]) return false;
  return true;
}

/* How the tensors of a scatter are, all inputs and results alike and all updates alike. */
typedef struct scatter {
  hd_layout input, indices, updates;
  hd_split over; /* devices that have addends */
} scatter;

/* The dim of the updates for dim |k| of the indices. */
static uint32_t update_dim(hd_attr windows, int64_t index_dim, uint32_t k) {
  uint32_t u = 0, left = k > index_dim ? k - 1 : k;
  for (;; ++u) {
    if (hd_attr_find_int(windows, u) >= 0) continue;
    if (!left--) return u;
  }
}

/* |split| where the axes of none of the three are in it yet. */
static hd_split unused(hd_split split, const scatter *p) {
  return unless_used(unless_used(unless_used(split, p->input, p->over), p->indices, p->over), p->updates, p->over);
}

/* Dims of a batch are split together; window dims that are whole stay split. Sums into zeros may have their updates in
 * parts along the dims of the indices: each device adds its own. */
bool hd_spmd_scatter(hd_spmd *s, hd_op *op) {
  uint32_t count = op->operand_count / 2, at = count + 1u;
  hd_attr n = hd_stablehlo_scatter_scatter_dimension_numbers(op),
          windows = hd_attr_stablehlo_scatter_update_window_dims(n),
          inserted = hd_attr_stablehlo_scatter_inserted_window_dims(n),
          batch = hd_attr_stablehlo_scatter_input_batching_dims(n),
          index_batch = hd_attr_stablehlo_scatter_scatter_indices_batching_dims(n),
          map = hd_attr_stablehlo_scatter_scatter_dims_to_operand_dims(n);
  hd_type input = hd_operand_type(op, 0), indices = hd_operand_type(op, count), updates = hd_operand_type(op, at);
  hd_layout have = hd_layout_of(s, hd_operand(op, 0)), index_have = hd_layout_of(s, hd_operand(op, count)),
            update_have = hd_layout_of(s, hd_operand(op, at));
  int64_t index_dim = hd_attr_stablehlo_scatter_index_vector_dim(n);
  scatter p = {hd_layout_whole(s, input), hd_layout_whole(s, indices), hd_layout_whole(s, updates), {0}};
  for (size_t i = 0; i < count_of(batch); ++i) {
    uint32_t d = (uint32_t)hd_attr_int_at(batch, i), k = (uint32_t)hd_attr_int_at(index_batch, i),
             u = update_dim(windows, index_dim, k);
    hd_split split = have.dims[d];
    if (index_have.dims[k].count > split.count) split = index_have.dims[k];
    if (update_have.dims[u].count > split.count) split = update_have.dims[u];
    split = unused(split, &p);
    if (hd_type_dim(input, d) % hd_split_parts(s, split)) continue;
    p.input.dims[d] = p.indices.dims[k] = p.updates.dims[u] = split;
  }
  for (uint32_t k = 0; count == 1 && adds(op) && is_zero(hd_operand(op, 0)) && k < p.indices.rank; ++k) {
    if (k == index_dim || hd_attr_find_int(index_batch, k) >= 0) continue;
    uint32_t u = update_dim(windows, index_dim, k);
    hd_split split = unused(update_have.dims[u].count ? update_have.dims[u] : index_have.dims[k], &p);
    if (!split.count || p.over.count + split.count > HD_SPLIT_AXES) continue;
    p.indices.dims[k] = p.updates.dims[u] = split;
    append(&p.over, split);
  }
  for (uint32_t d = 0, k = 0; d < p.input.rank; ++d) {
    if (hd_attr_find_int(inserted, d) >= 0 || hd_attr_find_int(batch, d) >= 0) continue;
    uint32_t u = (uint32_t)hd_attr_int_at(windows, k++);
    if (hd_type_dim(input, d) != hd_type_dim(updates, u) || hd_attr_find_int(map, d) >= 0) continue;
    p.input.dims[d] = p.updates.dims[u] = unused(have.dims[d].count ? have.dims[d] : update_have.dims[u], &p);
  }
  hd_layout *in = hd_new_array(s->arena, hd_layout, op->operand_count),
            *out = hd_new_array(s->arena, hd_layout, op->result_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) in[i] = i < count ? p.input : i == count ? p.indices : p.updates;
  for (uint32_t i = 0; i < op->result_count; ++i) out[i] = p.input;
  hd_op *made = hd_spmd_emit(s, op, in, out);
  if (p.over.count) hd_spmd_set(s, hd_result(op, 0), hd_spmd_all_sum(s, hd_result(made, 0), p.over), p.input);
  return true;
}
