/* SPDX-License-Identifier: Apache-2.0 */
/* Result types that do not follow from sizes: of constants, random bits, control flow, tuples and tokens. */
#include "ir/infer.h"

static hd_type token(const hd_op_state *state) {
  return hd_type_dialect(state->context, HD_TYPE_ROW_stablehlo_token, NULL, 0);
}

bool hd_infer_token(const hd_op_state *state, hd_type *out) {
  *out = token(state);
  return true;
}

/* What two branches give together: each dim that both know and agree on, else the larger bound. */
static hd_type either(hd_type a, hd_type b) {
  int64_t dims[HD_MAX_RANK], bounds[HD_MAX_RANK];
  hd_attr of_a = hd_type_bounds(a), of_b = hd_type_bounds(b);
  uint32_t rank = a->shaped.rank;
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t x = a->shaped.dims[d], y = b->shaped.dims[d];
    dims[d] = x == y ? x : HD_DYNAMIC;
    if (x == HD_DYNAMIC && of_a && d < hd_attr_count(of_a)) x = hd_attr_int_at(of_a, d);
    if (y == HD_DYNAMIC && of_b && d < hd_attr_count(of_b)) y = hd_attr_int_at(of_b, d);
    bounds[d] = x == HD_DYNAMIC || y == HD_DYNAMIC ? HD_DYNAMIC : x > y ? x : y;
  }
  hd_attr bounded = of_a ? a->shaped.encoding : of_b ? b->shaped.encoding : NULL;
  return hd_type_bounded(a->shaped.element, dims, bounds, rank, bounded ? bounded->structure.row : 0);
}

bool hd_infer_branches(const hd_op_state *state, hd_type *out) {
  if (!state->regions || !state->region_count) return false;
  size_t count = state->result_count;
  for (size_t r = 0; r < state->region_count; ++r) {
    hd_block *block = state->regions[r]->first;
    hd_op *last = block ? hd_block_terminator(block) : NULL;
    if (!last) return false;
    if (last->operand_count != count)
      return hd_infer_error(state, "expects branch %zu to give %zu values, got %u", r, count, last->operand_count);
    for (size_t i = 0; i < count; ++i) {
      hd_type type = hd_operand_type(last, (uint32_t)i);
      if (r == 0 || type == out[i]) {
        out[i] = type;
        continue;
      }
      if (!hd_types_compatible(out[i], type) && !hd_types_compatible(type, out[i]))
        return hd_infer_error(state, "expects all branches to give value #%zu of compatible types", i);
      if (hd_is_ranked(out[i]) && hd_is_ranked(type) && type->shaped.rank <= HD_MAX_RANK) out[i] = either(out[i], type);
    }
  }
  return true;
}

bool hd_infer_tuple(const hd_op_state *state, hd_type *out) {
  hd_type few[16],
      *types = state->operand_count <= 16 ? few : hd_new_array(&state->context->arena, hd_type, state->operand_count);
  for (size_t i = 0; i < state->operand_count; ++i) types[i] = hd_state_type(state, i);
  *out = hd_type_tuple(state->context, types, state->operand_count);
  return true;
}

bool hd_infer_get_tuple_element(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0);
  int64_t index = hd_state_int(state, HD_NAME_index, -1);
  if (type->kind != HD_TYPE_TUPLE) return hd_infer_error(state, "expects a tuple");
  if (index < 0 || index >= type->function.in_count)
    return hd_infer_error(state, "expects an index in [0, %u), got %lld", type->function.in_count, (long long)index);
  *out = type->function.ins[index];
  return true;
}

/* tensor<ui32>, the number of a replica or partition. */
bool hd_infer_process_id(const hd_op_state *state, hd_type *out) {
  *out = hd_type_tensor(hd_type_integer(state->context, 32, HD_UNSIGNED), NULL, 0, NULL);
  return true;
}

/* One lane, or sub-vector, per entry of the mask. */
bool hd_infer_vector_shuffle(const hd_op_state *state, hd_type *out) {
  hd_type a = hd_state_type(state, 0);
  hd_attr mask = hd_state_attr(state, HD_NAME_mask);
  if (a->kind != HD_TYPE_VECTOR || a->shaped.rank > HD_MAX_RANK) return hd_infer_error(state, "expects vectors");
  int64_t dims[HD_MAX_RANK] = {0};
  for (uint32_t i = 1; i < a->shaped.rank; ++i) dims[i] = a->shaped.dims[i];
  dims[0] = (int64_t)hd_attr_count(mask);
  *out = hd_type_vector(a->shaped.element, dims, a->shaped.rank ? a->shaped.rank : 1, NULL);
  return true;
}

bool hd_infer_constant(const hd_op_state *state, hd_type *out) {
  hd_attr value = hd_state_attr(state, HD_NAME_value);
  if (!value || !value->type) return hd_infer_error(state, "expects a typed 'value'");
  *out = value->type;
  return true;
}

bool hd_infer_get_dimension_size(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0);
  int64_t axis = hd_state_int(state, HD_NAME_dimension, 0);
  if (hd_is_ranked(type) && (axis < 0 || axis >= type->shaped.rank))
    return hd_infer_error(state, "expects a dimension in [0, %u), got %lld", type->shaped.rank, (long long)axis);
  *out = hd_type_tensor(hd_i32(state->context), NULL, 0, NULL);
  return true;
}

bool hd_infer_rng_bit_generator(const hd_op_state *state, hd_type *out) {
  hd_type hint = hd_state_hint(state, 1);
  if (!hint) return false; /* nothing tells the shape of the bits */
  out[0] = hd_state_type(state, 0);
  out[1] = hint;
  return true;
}

/* The state that XLA keeps: two words. */
bool hd_infer_rng_state(const hd_op_state *state, hd_type *out) {
  hd_type hint = hd_state_hint(state, 0);
  *out = hint ? hint : hd_type_tensor(hd_type_integer(state->context, 64, HD_UNSIGNED), (int64_t[]){2}, 1, NULL);
  return true;
}
