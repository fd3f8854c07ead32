/* SPDX-License-Identifier: Apache-2.0 */
/* What rules share, and the table of all rules. */
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
  if (last) hd_index_variable_size(m->in, v, hd_dim_add(m->in->table, last, hd_dim_const(m->in->table, 1)));
  v->value = hd_op_maps_input(m, input);
  hd_affine *copy = hd_new_array(m->in->arena, hd_affine, count);
  for (uint32_t k = 0; k < count; ++k) copy[k] = index[k];
  v->index = copy;
  v->index_count = count;
  v->clamps = last != NULL;
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

hd_affine hd_op_maps_element(const hd_op_maps *m, uint32_t input, uint32_t i) {
  return hd_index_of_dim(m->in, hd_shapes_element(m->in->shapes, hd_op_maps_input(m, input), i));
}

bool hd_op_map_within(const hd_op_maps *m, hd_index_map *map, hd_affine expr, hd_dim size) {
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

bool hd_op_maps_add_identity(hd_op_maps *m, uint32_t input) {
  if (hd_op_maps_rank(m, input) != hd_type_rank(m->output->type)) return hd_op_maps_add_scalar(m, input);
  hd_index_map *map = hd_index_map_identity(m->in, m->output);
  if (map) hd_vec_push(m->in->arena, &m->inputs[input], map);
  return map != NULL;
}

/* A size alone is read. */
static bool no_elements(hd_op_maps *m) { return m->op != NULL; }

static const hd_op_map_rule rules[HD_OPCODE_COUNT] = {
    [HD_OP_stablehlo_select] = hd_index_of_pointwise,
    [HD_OP_stablehlo_clamp] = hd_index_of_pointwise,
    [HD_OP_stablehlo_map] = hd_index_of_pointwise,
    [HD_OP_mhlo_copy] = hd_index_of_pointwise,
    [HD_OP_stablehlo_optimization_barrier] = hd_index_of_pairwise,
    [HD_OP_stablehlo_set_dimension_size] = hd_index_of_first_operand,
    [HD_OP_stablehlo_get_dimension_size] = no_elements,
    [HD_OP_stablehlo_broadcast] = hd_index_of_broadcast,
    [HD_OP_stablehlo_broadcast_in_dim] = hd_index_of_broadcast_in_dim,
    [HD_OP_stablehlo_dynamic_broadcast_in_dim] = hd_index_of_broadcast_in_dim,
    [HD_OP_stablehlo_reshape] = hd_index_of_reshape,
    [HD_OP_stablehlo_dynamic_reshape] = hd_index_of_reshape,
    [HD_OP_mhlo_bitcast] = hd_index_of_bitcast,
    [HD_OP_stablehlo_bitcast_convert] = hd_index_of_bitcast_convert,
    [HD_OP_stablehlo_transpose] = hd_index_of_transpose,
    [HD_OP_stablehlo_reverse] = hd_index_of_reverse,
    [HD_OP_stablehlo_slice] = hd_index_of_slice,
    [HD_OP_stablehlo_real_dynamic_slice] = hd_index_of_real_dynamic_slice,
    [HD_OP_stablehlo_dynamic_slice] = hd_index_of_dynamic_slice,
    [HD_OP_stablehlo_dynamic_update_slice] = hd_index_of_dynamic_update_slice,
    [HD_OP_stablehlo_pad] = hd_index_of_pad,
    [HD_OP_stablehlo_dynamic_pad] = hd_index_of_pad,
    [HD_OP_stablehlo_concatenate] = hd_index_of_concatenate,
    [HD_OP_stablehlo_reduce] = hd_index_of_reduce,
    [HD_OP_stablehlo_reduce_window] = hd_index_of_reduce_window,
    [HD_OP_stablehlo_select_and_scatter] = hd_index_of_select_and_scatter,
    [HD_OP_stablehlo_dot] = hd_index_of_dot,
    [HD_OP_stablehlo_dot_general] = hd_index_of_dot_general,
    [HD_OP_stablehlo_convolution] = hd_index_of_convolution,
    [HD_OP_stablehlo_dynamic_conv] = hd_index_of_convolution,
    [HD_OP_stablehlo_gather] = hd_index_of_gather,
    [HD_OP_stablehlo_dynamic_gather] = hd_index_of_gather,
    [HD_OP_stablehlo_torch_index_select] = hd_index_of_torch_index_select,
    [HD_OP_stablehlo_scatter] = hd_index_of_scatter,
    [HD_OP_stablehlo_sort] = hd_index_of_sort,
    [HD_OP_mhlo_fusion] = hd_index_of_fusion,
};

static hd_op_map_rule rule_of(const hd_op *op, hd_opcode opcode) {
  if (rules[opcode]) return rules[opcode];
  const hd_op_info *info = hd_op_info_of(opcode);
  if (info->traits & HD_TRAIT(ELEMENTWISE)) return hd_index_of_pointwise;
  if (info->traits & HD_TRAIT(CONSTANT_LIKE)) return no_elements;
  if (opcode == HD_OP_stablehlo_iota || opcode == HD_OP_stablehlo_dynamic_iota) return no_elements;
  return hd_op_is_chlo_broadcast(op) ? hd_index_of_broadcasting : NULL;
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
