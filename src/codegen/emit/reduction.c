/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/reduction.h"

#include <math.h>

#include "codegen/emit/lower.h"
#include "ir/ops/stablehlo.h"

bool hd_is_simple_reduction(const hd_op *op) {
  if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce || hd_buffer_output_count(op) != 1) return false;
  hd_op *inner = hd_op_reducer(op);
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  if (!inner || element->kind == HD_TYPE_COMPLEX || hd_type_element(hd_buffer_output(op, 0)->type) != element)
    return false;
  return hd_neutral_of(hd_opcode_get(inner)) != HD_NEUTRAL_NONE;
}

/* Are the reduced dims those of [from, from + count), each once? */
static bool reduces_range(const hd_op *op, uint32_t from, uint32_t count) {
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  bool seen[HD_MAX_RANK] = {false};
  for (uint32_t i = 0; i < count; ++i) {
    int64_t d = hd_attr_int_at(dims, i);
    if (d < from || d >= from + count || d >= HD_MAX_RANK || seen[d]) return false;
    seen[d] = true;
  }
  return true;
}

bool hd_is_row_reduction(const hd_op *op) {
  if (!hd_is_simple_reduction(op)) return false;
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0)),
           count = (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(op));
  return count && count <= rank && reduces_range(op, rank - count, count);
}

bool hd_is_column_reduction(const hd_op *op, uint32_t *out_begin, uint32_t *out_end) {
  if (!hd_is_simple_reduction(op)) return false;
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0)), count = (uint32_t)hd_attr_count(dims);
  *out_begin = rank;
  for (uint32_t i = 0; i < count; ++i)
    if (hd_attr_int_at(dims, i) < *out_begin) *out_begin = (uint32_t)hd_attr_int_at(dims, i);
  *out_end = *out_begin + count;
  return count && *out_end <= rank && reduces_range(op, *out_begin, count) && (*out_end < rank || !*out_begin);
}

hd_element hd_reduction_identity(hd_builder *b, const hd_op *op, uint32_t lanes) {
  hd_type element = hd_type_element(hd_operand_type(op, 0)), type = hd_lanes_type(hd_compute_type(element), lanes);
  hd_type part = hd_type_element(type);
  bool is_float = part->kind == HD_TYPE_FLOAT,
       no_sign = element->kind == HD_TYPE_INTEGER &&
                 (element->integer.signedness == HD_UNSIGNED || element->integer.width == 1);
  uint32_t width = hd_type_bits(part);
  int64_t least = no_sign ? 0 : width >= 64 ? INT64_MIN : -(1ll << (width - 1));
  int64_t most = no_sign ? -1 : width >= 64 ? INT64_MAX : (1ll << (width - 1)) - 1;
  const struct {
    double of_floats;
    int64_t of_integers;
  } values[] = {
      [HD_NEUTRAL_ZERO] = {-0.0, 0},
      [HD_NEUTRAL_ONE] = {1, 1},
      [HD_NEUTRAL_LOWEST] = {-INFINITY, least},
      [HD_NEUTRAL_HIGHEST] = {INFINITY, most},
      [HD_NEUTRAL_ALL_BITS] = {0, -1},
  };
  hd_neutral neutral = hd_neutral_of(hd_opcode_get(hd_op_reducer(op)));
  return (hd_element){is_float ? hd_build_float(b, type, values[neutral].of_floats)
                               : hd_build_int(b, type, values[neutral].of_integers),
                      NULL};
}

bool hd_reduction_combine(hd_builder *b, const hd_op *op, hd_element x, hd_element y, uint32_t lanes, hd_element *out) {
  hd_type element = hd_type_element(hd_operand_type(op, 0)), types[2] = {element, element};
  hd_element pair[2] = {x, y};
  hd_op *inner = hd_op_reducer(op);
  return hd_emit_elementwise(b, inner, hd_opcode_get(inner), types, pair, element, lanes, out);
}

uint32_t hd_stage_of(const hd_map *stages, hd_value *buffer) {
  hd_map_entry *entry = hd_map_find(stages, buffer);
  return entry ? (uint32_t)entry->value.i64 : 0;
}

uint32_t hd_plan_stages(const hd_kernel_ops *ops, hd_map *stages, hd_arena *arena) {
  uint32_t last = 0;
  for (size_t i = 0; i < ops->count; ++i) {
    hd_op *op = ops->ops[i];
    uint32_t stage = 0;
    for (uint32_t o = 0; o < hd_buffer_input_count(op); ++o) {
      uint32_t at = hd_stage_of(stages, hd_operand(op, o));
      if (at > stage) stage = at;
    }
    if (hd_is_row_reduction(op)) ++stage;
    hd_map_insert(arena, stages, hd_buffer_output(op, 0), NULL)->value.i64 = stage;
    if (stage > last) last = stage;
  }
  return last;
}
