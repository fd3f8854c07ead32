/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of ops that move elements, and of reductions over whole dims. */
#include "analysis/indexing/of_op.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

static hd_affine dim(const hd_op_maps *m, int64_t d) { return hd_affine_dim(m->in->context, d); }

/* Operand elements at the result's index; operands of rank 0 are the same everywhere. */
bool hd_index_of_pointwise(hd_op_maps *m) {
  if (hd_op_broadcasts_implicitly(m->op)) return false;
  for (uint32_t i = 0; i < m->input_count; ++i)
    if (!hd_op_maps_add_identity(m, i)) return false;
  return true;
}

/* Result i is operand i. */
bool hd_index_of_pairwise(hd_op_maps *m) { return hd_op_maps_add_identity(m, m->result); }
bool hd_index_of_first_operand(hd_op_maps *m) { return hd_op_maps_add_identity(m, 0); }

/* Dim |d| of input |input|, which is along dim |to| of the result: 0 where the size is 1. Where only the run tells
 * whether it is, the remainder is 0 or the index. */
static hd_affine spread(const hd_op_maps *m, uint32_t input, uint32_t d, uint32_t to) {
  hd_dim_table *table = m->in->table;
  hd_dim size = hd_op_maps_dim(m, input, d), whole = hd_op_maps_output_dim(m, to);
  int64_t known;
  if (hd_dim_is_const(table, size, &known)) return known == 1 ? hd_affine_const(m->in->context, 0) : dim(m, to);
  if (hd_dim_equal(table, size, whole)) return dim(m, to);
  hd_affine by = hd_index_of_dim(m->in, size);
  return by ? hd_affine_binary(m->in->context, HD_AFFINE_MOD, dim(m, to), by) : NULL;
}

bool hd_index_of_broadcast_in_dim(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->result_count; ++d)
    map->results[d] = spread(m, 0, d, (uint32_t)hd_op_maps_int(m, HD_NAME_broadcast_dimensions, d, d));
  return hd_op_maps_add(m, 0, map);
}

bool hd_index_of_broadcast(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->result_count; ++d) map->results[d] = dim(m, map->dim_count - map->result_count + d);
  return hd_op_maps_add(m, 0, map);
}

/* chlo.broadcast_*: the last dims are along each other. */
bool hd_index_of_broadcasting(hd_op_maps *m) {
  if (hd_attr_count(hd_broadcasting_broadcast_dimensions(m->op))) return false;
  for (uint32_t i = 0; i < m->input_count; ++i) {
    hd_index_map *map = hd_op_map(m, i, 0, 0, 0);
    for (uint32_t d = 0; d < map->result_count; ++d)
      map->results[d] = spread(m, i, d, map->dim_count - map->result_count + d);
    if (!hd_op_maps_add(m, i, map)) return false;
  }
  return true;
}

bool hd_index_of_transpose(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->dim_count; ++d) map->results[hd_op_maps_int(m, HD_NAME_permutation, d, d)] = dim(m, d);
  return hd_op_maps_add(m, 0, map);
}

bool hd_index_of_reverse(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->dim_count; ++d) {
    map->results[d] = dim(m, d);
    if (hd_attr_find_int(hd_stablehlo_reverse_dimensions(m->op), d) < 0) continue;
    hd_affine size = hd_index_of_dim(m->in, hd_op_maps_dim(m, 0, d));
    hd_affine back = size ? hd_index_add(m->in, hd_index_scale(m->in, dim(m, d), -1), size) : NULL;
    map->results[d] = back ? hd_index_offset(m->in, back, -1) : NULL;
  }
  return hd_op_maps_add(m, 0, map);
}

bool hd_index_of_slice(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->dim_count; ++d)
    map->results[d] = hd_index_offset(m->in, hd_index_scale(m->in, dim(m, d), hd_op_maps_int(m, HD_NAME_strides, d, 1)),
                                      hd_op_maps_int(m, HD_NAME_start_indices, d, 0));
  return hd_op_maps_add(m, 0, map);
}

static hd_affine binary(const hd_op_maps *m, hd_affine_kind kind, hd_affine a, hd_affine b) {
  return a && b ? hd_affine_binary(m->in->context, kind, a, b) : NULL;
}

bool hd_index_of_real_dynamic_slice(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->dim_count; ++d)
    map->results[d] = hd_index_add(m->in, binary(m, HD_AFFINE_MUL, dim(m, d), hd_op_maps_element(m, 3, d)),
                                   hd_op_maps_element(m, 1, d));
  return hd_op_maps_add(m, 0, map);
}

/* Start indices from operand |first| on, for a window of input |window| or of the output in input |whole|. */
static hd_affine start_index(hd_op_maps *m, hd_index_map *map, uint32_t d, uint32_t first, hd_dim whole,
                             hd_dim window) {
  return hd_op_map_runtime(m, map, d, first + d, NULL, 0, hd_dim_sub(m->in->table, whole, window));
}

static bool starts_are_scalars(hd_op_maps *m, uint32_t first) {
  for (uint32_t i = first; i < m->input_count; ++i)
    if (!hd_op_maps_add_scalar(m, i)) return false;
  return m->input_count == first + hd_type_rank(m->output->type);
}

bool hd_index_of_dynamic_slice(hd_op_maps *m) {
  if (!starts_are_scalars(m, 1)) return false;
  uint32_t rank = hd_op_maps_rank(m, 0);
  hd_index_map *map = hd_op_map(m, 0, 0, rank, 0);
  for (uint32_t d = 0; d < rank; ++d)
    map->results[d] =
        hd_index_add(m->in, dim(m, d), start_index(m, map, d, 1, hd_op_maps_dim(m, 0, d), hd_op_maps_output_dim(m, d)));
  return hd_op_maps_add(m, 0, map);
}

bool hd_index_of_dynamic_update_slice(hd_op_maps *m) {
  if (!hd_op_maps_add_identity(m, 0) || !starts_are_scalars(m, 2)) return false;
  uint32_t rank = hd_op_maps_rank(m, 0);
  hd_index_map *map = hd_op_map(m, 1, 0, rank, 2 * rank);
  for (uint32_t d = 0; d < rank; ++d) {
    hd_affine start = start_index(m, map, d, 2, hd_op_maps_dim(m, 0, d), hd_op_maps_dim(m, 1, d));
    map->results[d] = hd_index_add(m->in, dim(m, d), hd_index_scale(m->in, start, -1));
    if (!hd_op_map_within(m, map, map->results[d], hd_op_maps_dim(m, 1, d))) return false;
  }
  return hd_op_maps_add(m, 1, map);
}

/* The result's index less |low|, in steps of |interior| + 1. */
static bool pad_dim(hd_op_maps *m, hd_index_map *map, uint32_t d, hd_affine low, hd_affine interior) {
  hd_affine step = hd_index_offset(m->in, interior, 1),
            at = hd_index_add(m->in, dim(m, d), hd_index_scale(m->in, low, -1));
  hd_affine rest = binary(m, HD_AFFINE_MOD, at, step);
  map->results[d] = binary(m, HD_AFFINE_FLOORDIV, at, step);
  if (!rest || !hd_op_map_within(m, map, map->results[d], hd_op_maps_dim(m, 0, d))) return false;
  hd_index_map_constrain(map, rest, 0, 0);
  return true;
}

bool hd_index_of_pad(hd_op_maps *m) {
  bool is_dynamic = m->opcode == HD_OP_stablehlo_dynamic_pad;
  hd_context *c = m->in->context;
  uint32_t rank = hd_op_maps_rank(m, 0);
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 3 * rank);
  for (uint32_t d = 0; d < rank; ++d) {
    hd_affine low = is_dynamic ? hd_op_maps_element(m, 2, d)
                               : hd_affine_const(c, hd_op_maps_int(m, HD_NAME_edge_padding_low, d, 0)),
              interior = is_dynamic ? hd_op_maps_element(m, 4, d)
                                    : hd_affine_const(c, hd_op_maps_int(m, HD_NAME_interior_padding, d, 0));
    if (!low || !interior || !pad_dim(m, map, d, low, interior)) return false;
  }
  return hd_op_maps_add(m, 0, map) && hd_op_maps_add_scalar(m, 1);
}

bool hd_index_of_concatenate(hd_op_maps *m) {
  uint32_t along = (uint32_t)hd_stablehlo_concatenate_dimension(m->op);
  hd_dim offset = hd_dim_const(m->in->table, 0);
  for (uint32_t i = 0; i < m->input_count; ++i) {
    hd_index_map *map = hd_op_map(m, i, 0, 0, 2);
    for (uint32_t d = 0; d < map->dim_count; ++d) map->results[d] = dim(m, d);
    hd_affine before = hd_index_of_dim(m->in, offset);
    map->results[along] = hd_index_add(m->in, dim(m, along), hd_index_scale(m->in, before, -1));
    if (!hd_op_map_within(m, map, map->results[along], hd_op_maps_dim(m, i, along)) || !hd_op_maps_add(m, i, map))
      return false;
    offset = hd_dim_add(m->in->table, offset, hd_op_maps_dim(m, i, along));
  }
  return true;
}

bool hd_index_of_reduce(hd_op_maps *m) {
  hd_attr dims = hd_stablehlo_reduce_dimensions(m->op);
  uint32_t half = m->input_count / 2;
  for (uint32_t i = 0; i < half; ++i) {
    hd_index_map *map = hd_op_map(m, i, (uint32_t)hd_attr_count(dims), 0, 0);
    uint32_t kept = 0, range = 0;
    for (uint32_t d = 0; d < map->result_count; ++d)
      map->results[d] = hd_attr_find_int(dims, d) >= 0 ? hd_op_map_range(m, map, range++, i, d) : dim(m, kept++);
    if (!hd_op_maps_add(m, i, map) || !hd_op_maps_add_scalar(m, half + i)) return false;
  }
  return true;
}

/* Where an element goes depends on its whole line, of every operand. */
bool hd_index_of_sort(hd_op_maps *m) {
  int64_t along = hd_stablehlo_sort_dimension(m->op);
  for (uint32_t i = 0; i < m->input_count; ++i) {
    hd_index_map *map = hd_op_map(m, i, 1, 0, 0);
    for (uint32_t d = 0; d < map->dim_count; ++d)
      map->results[d] =
          d == (along < 0 ? along + map->dim_count : along) ? hd_op_map_range(m, map, 0, i, d) : dim(m, d);
    if (!hd_op_maps_add(m, i, map)) return false;
  }
  return true;
}

/* The same bits as other elements: a last dim appears or vanishes where widths differ. */
bool hd_index_of_bitcast_convert(hd_op_maps *m) {
  uint32_t from = hd_op_maps_rank(m, 0), to = hd_type_rank(m->output->type);
  if (from == to) return hd_op_maps_add_identity(m, 0);
  hd_index_map *map = hd_op_map(m, 0, from > to, 0, 0);
  for (uint32_t d = 0; d < from; ++d) map->results[d] = d < to ? dim(m, d) : hd_op_map_range(m, map, 0, 0, d);
  return hd_op_maps_add(m, 0, map);
}
