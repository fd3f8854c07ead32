/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of gather and scatter: where a slice begins is a runtime variable per dim that the index vectors have. */
#include "analysis/indexing/of_op.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

typedef struct lists {
  hd_attr offset, dropped, operand_batch, indices_batch, index_map;
  int64_t vector;
} lists;

static lists lists_of_gather(hd_attr n) {
  return (lists){
      hd_attr_stablehlo_gather_offset_dims(n),           hd_attr_stablehlo_gather_collapsed_slice_dims(n),
      hd_attr_stablehlo_gather_operand_batching_dims(n), hd_attr_stablehlo_gather_start_indices_batching_dims(n),
      hd_attr_stablehlo_gather_start_index_map(n),       hd_attr_stablehlo_gather_index_vector_dim(n)};
}

static lists lists_of_scatter(hd_attr n) {
  return (lists){hd_attr_stablehlo_scatter_update_window_dims(n),
                 hd_attr_stablehlo_scatter_inserted_window_dims(n),
                 hd_attr_stablehlo_scatter_input_batching_dims(n),
                 hd_attr_stablehlo_scatter_scatter_indices_batching_dims(n),
                 hd_attr_stablehlo_scatter_scatter_dims_to_operand_dims(n),
                 hd_attr_stablehlo_scatter_index_vector_dim(n)};
}

static hd_affine dim(const hd_op_maps *m, int64_t d) { return hd_affine_dim(m->in->context, d); }

/* Puts |vector| at its place among |batch|, the coordinates of the other dims of the indices; how many there are. */
static uint32_t index_of(const lists *l, uint32_t rank, const hd_affine *batch, hd_affine vector, hd_affine *out) {
  for (uint32_t i = 0, b = 0; i < rank; ++i) out[i] = i == l->vector ? vector : batch[b++];
  return rank;
}

/* The batch coordinate that goes with dim |d| of the operand by the batching dims, null: none does. */
static hd_affine batch_of(const lists *l, uint32_t d, const hd_affine *batch) {
  int64_t at = hd_attr_find_int(l->operand_batch, d);
  if (at < 0) return NULL;
  int64_t i = hd_attr_int_at(l->indices_batch, (size_t)at);
  return batch[i - (i > l->vector)];
}

static bool is_kept(const lists *l, uint32_t d) {
  return hd_attr_find_int(l->dropped, d) < 0 && hd_attr_find_int(l->operand_batch, d) < 0;
}

/* ---- gather ---- */

static bool gather_indices(hd_op_maps *m, const lists *l, const hd_affine *batch) {
  uint32_t rank = hd_op_maps_rank(m, 1);
  bool has_vector = l->vector < rank;
  hd_index_map *map = hd_op_map(m, 1, has_vector, 0, 0);
  hd_affine vector = has_vector ? hd_op_map_range(m, map, 0, 1, (uint32_t)l->vector) : NULL;
  index_of(l, rank, batch, vector, map->results);
  return hd_op_maps_add(m, 1, map);
}

static bool gather_operand(hd_op_maps *m, const lists *l, const hd_affine *batch) {
  hd_indexing *in = m->in;
  uint32_t rank = hd_op_maps_rank(m, 0), starts = (uint32_t)hd_attr_count(l->index_map);
  hd_index_map *map = hd_op_map(m, 0, 0, starts, 0);
  hd_affine index[HD_MAX_RANK];
  for (uint32_t d = 0, kept = 0; d < rank; ++d) {
    hd_affine at = batch_of(l, d, batch);
    hd_dim size = hd_dim_const(in->table, 1);
    if (!at) at = hd_affine_const(in->context, 0);
    if (is_kept(l, d)) {
      int64_t offset = hd_attr_int_at(l->offset, kept++);
      at = dim(m, offset);
      size = hd_op_maps_output_dim(m, (uint32_t)offset);
    }
    int64_t component = hd_attr_find_int(l->index_map, d);
    if (component >= 0) {
      uint32_t count = index_of(l, hd_op_maps_rank(m, 1), batch, hd_affine_const(in->context, component), index);
      hd_dim last = hd_dim_sub(in->table, hd_op_maps_dim(m, 0, d), size);
      at = hd_index_add(in, at, hd_op_map_runtime(m, map, (uint32_t)component, 1, index, count, last));
    }
    map->results[d] = at;
  }
  return hd_op_maps_add(m, 0, map);
}

bool hd_index_of_gather(hd_op_maps *m) {
  lists l = lists_of_gather(hd_gather_like_dimension_numbers(m->op));
  hd_affine batch[HD_MAX_RANK];
  for (uint32_t d = 0, next = 0; d < hd_type_rank(m->output->type) && d < HD_MAX_RANK; ++d)
    if (hd_attr_find_int(l.offset, d) < 0) batch[next++] = dim(m, d);
  return gather_operand(m, &l, batch) && gather_indices(m, &l, batch);
}

/* ---- scatter ---- */

/* Which updates meet at an element: any whose start, with its place in the window, is that element. */
static bool scatter_update(hd_op_maps *m, const lists *l, uint32_t input, uint32_t indices) {
  hd_indexing *in = m->in;
  uint32_t rank = hd_type_rank(m->output->type), update_rank = hd_op_maps_rank(m, input),
           starts = (uint32_t)hd_attr_count(l->index_map), windows = (uint32_t)hd_attr_count(l->offset);
  hd_index_map *map = hd_op_map(m, input, update_rank - windows, starts, 2 * rank);
  hd_affine batch[HD_MAX_RANK], index[HD_MAX_RANK];
  for (uint32_t d = 0, next = 0; d < update_rank; ++d) {
    if (hd_attr_find_int(l->offset, d) >= 0) continue;
    map->results[d] = batch[next] = hd_op_map_range(m, map, next, input, d);
    ++next;
  }
  for (uint32_t d = 0, kept = 0; d < rank; ++d) {
    hd_affine start = batch_of(l, d, batch);
    int64_t component = hd_attr_find_int(l->index_map, d);
    if (component >= 0) {
      uint32_t count = index_of(l, hd_op_maps_rank(m, indices), batch, hd_affine_const(in->context, component), index);
      start = hd_op_map_runtime(m, map, (uint32_t)component, indices, index, count, NULL);
    }
    hd_affine at = start ? hd_index_add(in, dim(m, d), hd_index_scale(in, start, -1)) : dim(m, d);
    if (!at) return false;
    if (!is_kept(l, d)) {
      hd_index_map_constrain(map, at, 0, 0);
      continue;
    }
    uint32_t offset = (uint32_t)hd_attr_int_at(l->offset, kept++);
    map->results[offset] = at;
    if (!hd_op_map_within(m, map, at, hd_op_maps_dim(m, input, offset))) return false;
  }
  return hd_op_maps_add(m, input, map);
}

/* Any index may name an element. */
static bool scatter_indices(hd_op_maps *m, uint32_t indices) {
  uint32_t rank = hd_op_maps_rank(m, indices);
  hd_index_map *map = hd_op_map(m, indices, rank, 0, 0);
  for (uint32_t d = 0; d < rank; ++d) map->results[d] = hd_op_map_range(m, map, d, indices, d);
  return hd_op_maps_add(m, indices, map);
}

bool hd_index_of_scatter(hd_op_maps *m) {
  lists l = lists_of_scatter(hd_stablehlo_scatter_scatter_dimension_numbers(m->op));
  uint32_t half = m->input_count / 2;
  for (uint32_t i = 0; i < half; ++i)
    if (!hd_op_maps_add_identity(m, i) || !scatter_update(m, &l, half + 1 + i, half)) return false;
  return scatter_indices(m, half);
}

/* result[b..., i..., r...] = operand[b..., index[b..., i...], r...] */
bool hd_index_of_torch_index_select(hd_op_maps *m) {
  uint32_t rank = hd_op_maps_rank(m, 0), index_rank = hd_op_maps_rank(m, 1);
  int64_t along = hd_stablehlo_torch_index_select_dim(m->op),
          batches = hd_stablehlo_torch_index_select_batch_dims(m->op);
  if (batches < 0) batches += index_rank;
  if (along < 0) along += rank;
  hd_index_map *map = hd_op_map(m, 0, 0, 1, 0), *at = hd_op_map(m, 1, 0, 0, 0);
  hd_affine index[HD_MAX_RANK];
  for (uint32_t d = 0; d < index_rank; ++d) at->results[d] = index[d] = dim(m, d < batches ? d : along + (d - batches));
  hd_dim last = hd_dim_sub(m->in->table, hd_op_maps_dim(m, 0, (uint32_t)along), hd_dim_const(m->in->table, 1));
  for (uint32_t d = 0; d < rank; ++d)
    map->results[d] = d < along    ? dim(m, d)
                      : d == along ? hd_op_map_runtime(m, map, 0, 1, index, index_rank, last)
                                   : dim(m, d - 1 + index_rank - batches);
  return hd_op_maps_add(m, 0, map) && hd_op_maps_add(m, 1, at);
}
