/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of ops that move elements, of reductions over whole dims, and the table of all rules. */
#include "analysis/indexing/of_op.h"

#include "analysis/buffer_op.h"

uint32_t hd_op_maps_rank(const hd_op_maps *m, uint32_t input) { return hd_type_rank(hd_operand_type(m->op, input)); }

hd_dim hd_op_maps_dim(const hd_op_maps *m, uint32_t input, uint32_t d) {
  return hd_shapes_dim(m->in->shapes, hd_op_maps_input(m, input), d);
}

hd_dim hd_op_maps_output_dim(const hd_op_maps *m, uint32_t d) { return hd_shapes_dim(m->in->shapes, m->output, d); }

int64_t hd_op_maps_int(const hd_op_maps *m, hd_name name, uint32_t i, int64_t absent) {
  return hd_attr_int_at_or(hd_op_attr_get(m->op, name), i, absent);
}

hd_index_map *hd_op_map(const hd_op_maps *m, uint32_t input, uint32_t ranges, uint32_t runtimes, uint32_t constraints) {
  uint32_t rank = hd_type_rank(m->output->type);
  hd_index_map *map = hd_index_map_create(m->in, rank, ranges, runtimes, hd_op_maps_rank(m, input));
  map->constraints = hd_new_array(m->in->arena, hd_index_constraint, constraints);
  for (uint32_t d = 0; d < rank; ++d) hd_index_variable_size(m->in, &map->variables[d], hd_op_maps_output_dim(m, d));
  return map;
}

hd_affine hd_op_map_range(const hd_op_maps *m, hd_index_map *map, uint32_t i, uint32_t input, uint32_t d) {
  hd_index_variable_size(m->in, &map->variables[map->dim_count + i], hd_op_maps_dim(m, input, d));
  return hd_affine_symbol(m->in->context, i);
}

hd_affine hd_op_map_runtime(const hd_op_maps *m, hd_index_map *map, uint32_t i, uint32_t input, const hd_affine *index,
                            uint32_t count, hd_dim last) {
  hd_index_variable *v = &map->variables[map->dim_count + map->range_count + i];
  hd_index_variable_size(m->in, v, hd_dim_add(m->in->table, last, hd_dim_const(m->in->table, 1)));
  v->value = hd_op_maps_input(m, input);
  hd_affine *copy = hd_new_array(m->in->arena, hd_affine, count);
  for (uint32_t k = 0; k < count; ++k) copy[k] = index[k];
  v->index = copy;
  v->index_count = count;
  v->clamps = true;
  return hd_affine_symbol(m->in->context, map->range_count + i);
}

bool hd_op_maps_add(hd_op_maps *m, uint32_t input, hd_index_map *map) {
  for (uint32_t i = 0; map && i < map->result_count; ++i)
    if (!map->results[i]) return false;
  map = hd_index_map_simplify(map);
  if (map) hd_vec_push(m->in->arena, &m->inputs[input], map);
  return map != NULL;
}

bool hd_op_maps_add_scalar(hd_op_maps *m, uint32_t input) {
  return hd_op_maps_rank(m, input) == 0 && hd_op_maps_add(m, input, hd_op_map(m, input, 0, 0, 0));
}

static bool add_identity(hd_op_maps *m, uint32_t input) {
  if (hd_op_maps_rank(m, input) != hd_type_rank(m->output->type)) return hd_op_maps_add_scalar(m, input);
  hd_index_map *map = hd_index_map_identity(m->in, m->output);
  if (map) hd_vec_push(m->in->arena, &m->inputs[input], map);
  return map != NULL;
}

static hd_affine dim(const hd_op_maps *m, int64_t d) { return hd_affine_dim(m->in->context, d); }

/* ---- rules ---- */

/* Operand elements at the result's index; operands of rank 0 are the same everywhere. */
static bool pointwise(hd_op_maps *m) {
  if (hd_op_broadcasts_implicitly(m->op)) return false;
  for (uint32_t i = 0; i < m->input_count; ++i)
    if (!add_identity(m, i)) return false;
  return true;
}

/* Result i is operand i. */
static bool pairwise(hd_op_maps *m) { return add_identity(m, m->result); }
static bool first_operand(hd_op_maps *m) { return add_identity(m, 0); }

/* Dim |d| of input |input|, which lies along dim |to| of the result: 0 where the size is 1. Where only the run tells
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

static bool broadcast_in_dim(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->result_count; ++d)
    map->results[d] = spread(m, 0, d, (uint32_t)hd_op_maps_int(m, HD_NAME_broadcast_dimensions, d, d));
  return hd_op_maps_add(m, 0, map);
}

static bool broadcast(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->result_count; ++d) map->results[d] = dim(m, map->dim_count - map->result_count + d);
  return hd_op_maps_add(m, 0, map);
}

/* chlo.broadcast_*: the last dims lie along each other. */
static bool broadcasting(hd_op_maps *m) {
  if (hd_attr_count(hd_op_attr_get(m->op, HD_NAME_broadcast_dimensions))) return false;
  for (uint32_t i = 0; i < m->input_count; ++i) {
    hd_index_map *map = hd_op_map(m, i, 0, 0, 0);
    for (uint32_t d = 0; d < map->result_count; ++d)
      map->results[d] = spread(m, i, d, map->dim_count - map->result_count + d);
    if (!hd_op_maps_add(m, i, map)) return false;
  }
  return true;
}

static bool transpose(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->dim_count; ++d) map->results[hd_op_maps_int(m, HD_NAME_permutation, d, d)] = dim(m, d);
  return hd_op_maps_add(m, 0, map);
}

static bool reverse(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->dim_count; ++d) {
    map->results[d] = dim(m, d);
    if (hd_attr_find_int(hd_op_attr_get(m->op, HD_NAME_dimensions), d) < 0) continue;
    hd_affine size = hd_index_of_dim(m->in, hd_op_maps_dim(m, 0, d));
    hd_affine back = size ? hd_index_add(m->in, hd_index_scale(m->in, dim(m, d), -1), size) : NULL;
    map->results[d] = back ? hd_index_offset(m->in, back, -1) : NULL;
  }
  return hd_op_maps_add(m, 0, map);
}

static bool slice(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->dim_count; ++d)
    map->results[d] = hd_index_offset(m->in, hd_index_scale(m->in, dim(m, d), hd_op_maps_int(m, HD_NAME_strides, d, 1)),
                                      hd_op_maps_int(m, HD_NAME_start_indices, d, 0));
  return hd_op_maps_add(m, 0, map);
}

/* Element |i| of operand |input|, as the shape analysis knows it. */
static hd_affine element(const hd_op_maps *m, uint32_t input, uint32_t i) {
  return hd_index_of_dim(m->in, hd_shapes_element(m->in->shapes, hd_op_maps_input(m, input), i));
}

static hd_affine binary(const hd_op_maps *m, hd_affine_kind kind, hd_affine a, hd_affine b) {
  return a && b ? hd_affine_binary(m->in->context, kind, a, b) : NULL;
}

static bool real_dynamic_slice(hd_op_maps *m) {
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  for (uint32_t d = 0; d < map->dim_count; ++d)
    map->results[d] = hd_index_add(m->in, binary(m, HD_AFFINE_MUL, dim(m, d), element(m, 3, d)), element(m, 1, d));
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

static bool dynamic_slice(hd_op_maps *m) {
  if (!starts_are_scalars(m, 1)) return false;
  uint32_t rank = hd_op_maps_rank(m, 0);
  hd_index_map *map = hd_op_map(m, 0, 0, rank, 0);
  for (uint32_t d = 0; d < rank; ++d)
    map->results[d] =
        hd_index_add(m->in, dim(m, d), start_index(m, map, d, 1, hd_op_maps_dim(m, 0, d), hd_op_maps_output_dim(m, d)));
  return hd_op_maps_add(m, 0, map);
}

/* 0 <= expr < size. */
static bool within(hd_op_maps *m, hd_index_map *map, hd_affine expr, hd_dim size) {
  int64_t count;
  if (!expr || !size) return false;
  if (hd_dim_is_const(m->in->table, size, &count)) {
    hd_index_map_constrain(map, expr, 0, count - 1);
    return true;
  }
  hd_affine below = hd_index_add(m->in, expr, hd_index_scale(m->in, hd_index_of_dim(m->in, size), -1));
  if (!below) return false;
  hd_index_map_constrain(map, expr, 0, INT64_MAX);
  hd_index_map_constrain(map, below, INT64_MIN, -1);
  return true;
}

static bool dynamic_update_slice(hd_op_maps *m) {
  if (!add_identity(m, 0) || !starts_are_scalars(m, 2)) return false;
  uint32_t rank = hd_op_maps_rank(m, 0);
  hd_index_map *map = hd_op_map(m, 1, 0, rank, 2 * rank);
  for (uint32_t d = 0; d < rank; ++d) {
    hd_affine start = start_index(m, map, d, 2, hd_op_maps_dim(m, 0, d), hd_op_maps_dim(m, 1, d));
    map->results[d] = hd_index_add(m->in, dim(m, d), hd_index_scale(m->in, start, -1));
    if (!within(m, map, map->results[d], hd_op_maps_dim(m, 1, d))) return false;
  }
  return hd_op_maps_add(m, 1, map);
}

/* The result's index less |low|, in steps of |interior| + 1. */
static bool pad_dim(hd_op_maps *m, hd_index_map *map, uint32_t d, hd_affine low, hd_affine interior) {
  hd_affine step = hd_index_offset(m->in, interior, 1),
            at = hd_index_add(m->in, dim(m, d), hd_index_scale(m->in, low, -1));
  hd_affine rest = binary(m, HD_AFFINE_MOD, at, step);
  map->results[d] = binary(m, HD_AFFINE_FLOORDIV, at, step);
  if (!rest || !within(m, map, map->results[d], hd_op_maps_dim(m, 0, d))) return false;
  hd_index_map_constrain(map, rest, 0, 0);
  return true;
}

static bool pad(hd_op_maps *m) {
  bool is_dynamic = m->opcode == HD_OP_stablehlo_dynamic_pad;
  hd_context *c = m->in->context;
  uint32_t rank = hd_op_maps_rank(m, 0);
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 3 * rank);
  for (uint32_t d = 0; d < rank; ++d) {
    hd_affine low =
                  is_dynamic ? element(m, 2, d) : hd_affine_const(c, hd_op_maps_int(m, HD_NAME_edge_padding_low, d, 0)),
              interior =
                  is_dynamic ? element(m, 4, d) : hd_affine_const(c, hd_op_maps_int(m, HD_NAME_interior_padding, d, 0));
    if (!low || !interior || !pad_dim(m, map, d, low, interior)) return false;
  }
  return hd_op_maps_add(m, 0, map) && hd_op_maps_add_scalar(m, 1);
}

static bool concatenate(hd_op_maps *m) {
  uint32_t along = (uint32_t)hd_op_int_attr(m->op, HD_NAME_dimension, 0);
  hd_dim offset = hd_dim_const(m->in->table, 0);
  for (uint32_t i = 0; i < m->input_count; ++i) {
    hd_index_map *map = hd_op_map(m, i, 0, 0, 2);
    for (uint32_t d = 0; d < map->dim_count; ++d) map->results[d] = dim(m, d);
    hd_affine before = hd_index_of_dim(m->in, offset);
    map->results[along] = hd_index_add(m->in, dim(m, along), hd_index_scale(m->in, before, -1));
    if (!within(m, map, map->results[along], hd_op_maps_dim(m, i, along)) || !hd_op_maps_add(m, i, map)) return false;
    offset = hd_dim_add(m->in->table, offset, hd_op_maps_dim(m, i, along));
  }
  return true;
}

static bool reduce(hd_op_maps *m) {
  hd_attr dims = hd_op_attr_get(m->op, HD_NAME_dimensions);
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
static bool sort(hd_op_maps *m) {
  int64_t along = hd_op_int_attr(m->op, HD_NAME_dimension, -1);
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
static bool bitcast_convert(hd_op_maps *m) {
  uint32_t from = hd_op_maps_rank(m, 0), to = hd_type_rank(m->output->type);
  if (from == to) return add_identity(m, 0);
  hd_index_map *map = hd_op_map(m, 0, from > to, 0, 0);
  for (uint32_t d = 0; d < from; ++d) map->results[d] = d < to ? dim(m, d) : hd_op_map_range(m, map, 0, 0, d);
  return hd_op_maps_add(m, 0, map);
}

/* A size alone is read. */
static bool no_elements(hd_op_maps *m) { return m->op != NULL; }

static const hd_op_map_rule rules[HD_OPCODE_COUNT] = {
    [HD_OP_stablehlo_select] = pointwise,
    [HD_OP_stablehlo_clamp] = pointwise,
    [HD_OP_stablehlo_map] = pointwise,
    [HD_OP_mhlo_copy] = pointwise,
    [HD_OP_stablehlo_optimization_barrier] = pairwise,
    [HD_OP_stablehlo_set_dimension_size] = first_operand,
    [HD_OP_stablehlo_get_dimension_size] = no_elements,
    [HD_OP_stablehlo_broadcast] = broadcast,
    [HD_OP_stablehlo_broadcast_in_dim] = broadcast_in_dim,
    [HD_OP_stablehlo_dynamic_broadcast_in_dim] = broadcast_in_dim,
    [HD_OP_stablehlo_reshape] = hd_index_of_reshape,
    [HD_OP_stablehlo_dynamic_reshape] = hd_index_of_reshape,
    [HD_OP_mhlo_bitcast] = hd_index_of_reshape,
    [HD_OP_stablehlo_bitcast_convert] = bitcast_convert,
    [HD_OP_stablehlo_transpose] = transpose,
    [HD_OP_stablehlo_reverse] = reverse,
    [HD_OP_stablehlo_slice] = slice,
    [HD_OP_stablehlo_real_dynamic_slice] = real_dynamic_slice,
    [HD_OP_stablehlo_dynamic_slice] = dynamic_slice,
    [HD_OP_stablehlo_dynamic_update_slice] = dynamic_update_slice,
    [HD_OP_stablehlo_pad] = pad,
    [HD_OP_stablehlo_dynamic_pad] = pad,
    [HD_OP_stablehlo_concatenate] = concatenate,
    [HD_OP_stablehlo_reduce] = reduce,
    [HD_OP_stablehlo_sort] = sort,
    [HD_OP_mhlo_fusion] = hd_index_of_fusion,
};

static hd_op_map_rule rule_of(const hd_op *op, hd_opcode opcode) {
  if (rules[opcode]) return rules[opcode];
  const hd_op_info *info = hd_op_info_of(opcode);
  if (info->traits & HD_TRAIT(ELEMENTWISE)) return pointwise;
  if (info->traits & HD_TRAIT(CONSTANT_LIKE)) return no_elements;
  if (opcode == HD_OP_stablehlo_iota || opcode == HD_OP_stablehlo_dynamic_iota) return no_elements;
  return hd_op_is_chlo_broadcast(op) ? broadcasting : NULL;
}

static bool all_ranked(const hd_op_maps *m) {
  for (uint32_t i = 0; i < m->input_count; ++i)
    if (!hd_type_has_rank(hd_operand_type(m->op, i))) return false;
  return hd_type_has_rank(m->output->type);
}

bool hd_index_output_to_input(hd_indexing *in, hd_op *op, uint32_t result, hd_index_maps *out) {
  bool is_buffer = op->info->derived_from != 0;
  if (result >= (is_buffer ? hd_buffer_output_count(op) : op->result_count)) return false;
  hd_op_maps m = {.in = in, .op = op, .opcode = hd_buffer_opcode(op), .result = result, .inputs = out};
  m.input_count = is_buffer ? hd_buffer_input_count(op) : op->operand_count;
  m.output = is_buffer ? hd_buffer_output(op, result) : hd_result(op, result);
  for (uint32_t i = 0; i < op->operand_count; ++i) out[i] = (hd_index_maps){0};
  hd_op_map_rule rule = rule_of(op, m.opcode);
  return rule && all_ranked(&m) && rule(&m);
}

bool hd_index_input_to_output(hd_indexing *in, hd_op *op, uint32_t operand, hd_index_maps *out) {
  uint32_t results = op->info->derived_from ? hd_buffer_output_count(op) : op->result_count;
  hd_index_maps *inputs = hd_new_array(in->arena, hd_index_maps, op->operand_count);
  uint32_t rank = hd_type_has_rank(hd_operand_type(op, operand)) ? hd_type_rank(hd_operand_type(op, operand)) : 0;
  hd_dim *sizes = hd_new_array(in->arena, hd_dim, rank + 1);
  for (uint32_t d = 0; d < rank; ++d) sizes[d] = hd_shapes_dim(in->shapes, hd_operand(op, operand), d);
  for (uint32_t r = 0; r < results; ++r) {
    out[r] = (hd_index_maps){0};
    if (!hd_index_output_to_input(in, op, r, inputs)) return false;
    for (size_t k = 0; k < inputs[operand].len; ++k) {
      hd_index_map *converse = hd_index_map_converse(inputs[operand].data[k], sizes);
      if (!converse) return false;
      hd_vec_push(in->arena, &out[r], converse);
    }
  }
  return true;
}
