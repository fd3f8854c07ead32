/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions of elementwise ops: operands of one shape, or that broadcast together, and an element type. */
#include "ir/constraints.h"
#include "ir/shapes/shape_function.h"

/* Where dim |d| of operand |operand| is in a result of |rank| dims: broadcast_dimensions place an operand of lower
 * rank, others are counted from the right. */
static bool broadcast_map(hd_shape_context *c, uint32_t operand, uint32_t rank, int64_t *map) {
  uint32_t own = hd_shape_rank_of(c, operand), given;
  for (uint32_t d = 0; d < own; ++d) map[d] = rank - own + d;
  if (own == rank || !hd_state_attr(c->state, HD_NAME_broadcast_dimensions)) return true;
  if (!hd_state_list(c->state, HD_NAME_broadcast_dimensions, map, &given)) return false;
  if (given != own) return hd_shape_error(c, "expects %u broadcast_dimensions, got %u", own, given);
  return hd_check_dims(c->state, hd_name_text(HD_NAME_broadcast_dimensions), map, given, rank);
}

/* Numpy's rule. That sizes which only the run knows agree, the ops demand that this one becomes. */
static bool broadcast(hd_shape_context *c, hd_type element) {
  uint32_t rank = 0, count = (uint32_t)c->state->operand_count;
  for (uint32_t i = 0; i < count; ++i) {
    if (!hd_shape_is_ranked(c, i)) return hd_shape_result_unranked(c, 0, element);
    if (hd_shape_rank_of(c, i) > rank) rank = hd_shape_rank_of(c, i);
  }
  if (rank > HD_MAX_RANK)
    return hd_shape_error(c, "expects operands of rank %d at most, got rank %u", HD_MAX_RANK, rank);
  hd_extents shape;
  shape.rank = rank;
  for (uint32_t d = 0; d < rank; ++d) shape.at[d] = hd_extent_number(c, 1);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t map[HD_MAX_RANK], a, b;
    if (!broadcast_map(c, i, rank, map)) return false;
    for (uint32_t d = 0; d < hd_shape_rank_of(c, i); ++d) {
      hd_extent dim = hd_extent_dim(c, i, d), *so_far = &shape.at[map[d]];
      if (hd_extent_known(c, dim, &b) && hd_extent_known(c, *so_far, &a) && a != 1 && b != 1)
        hd_expect(c, HD_SHAPE_EQUAL, dim, *so_far);
      *so_far = hd_extent_broadcast(c, *so_far, dim);
    }
  }
  hd_shape_result(c, 0, element, &shape);
  return true;
}

/* The shape that all operands from |first| on have together, with |element|. */
static bool met(hd_shape_context *c, uint32_t first, hd_type element) {
  hd_extents shape;
  uint32_t count = (uint32_t)c->state->operand_count;
  if (count > 1 && hd_state_attr(c->state, HD_NAME_broadcast_dimensions)) return broadcast(c, element);
  if (!hd_extents_meet_operands(c, "operands", first, count, &shape)) return false;
  if (shape.rank == UINT32_MAX) return hd_shape_result_unranked(c, 0, element);
  hd_shape_result(c, 0, element, &shape);
  return true;
}

bool hd_shape_of_same(hd_shape_context *c) {
  if (!c->state->operand_count) return false;
  /* An encoding that is not a list of bounds belongs to the operand and is kept. */
  if (c->state->operand_count > 1 && hd_type_is_tensor(hd_state_type(c->state, 0)))
    return met(c, 0, hd_shape_element_type(c, 0));
  hd_shape_result_like(c, 0, 0, NULL);
  return true;
}

bool hd_shape_of_pred(hd_shape_context *c) { return met(c, 0, hd_i1(c->state->context)); }

bool hd_shape_of_real_part(hd_shape_context *c) {
  hd_type element = hd_shape_element_type(c, 0);
  return met(c, 0, element->kind == HD_TYPE_COMPLEX ? element->shaped.element : element);
}

bool hd_shape_of_complex(hd_shape_context *c) {
  hd_type element = hd_shape_element_type(c, 0);
  if (element != hd_shape_element_type(c, 1))
    return hd_shape_error(c, "expects real and imaginary part of one element type");
  if (!hd_type_is_float(element, HD_F32) && !hd_type_is_float(element, HD_F64))
    return hd_shape_error(c, "expects parts of f32 or f64");
  return met(c, 0, hd_type_complex(element));
}

/* The shape of the operands, with the element that the result is declared with. */
bool hd_shape_of_converted(hd_shape_context *c) {
  hd_type hint = hd_state_hint(c->state, 0);
  return met(c, 0, hint ? hd_type_element(hint) : hd_shape_element_type(c, 0));
}

bool hd_shape_of_clamp(hd_shape_context *c) {
  hd_type element = hd_shape_element_type(c, 1);
  hd_extents shape;
  for (uint32_t i = 0; i < 3; i += 2)
    if (!hd_elements_compatible(hd_shape_element_type(c, i), element))
      return hd_shape_error(c, "expects %s to have the element type of the operand", i ? "max" : "min");
  if (hd_state_attr(c->state, HD_NAME_broadcast_dimensions)) return broadcast(c, element);
  if (!hd_extents_of(c, 1, &shape)) return !c->failed && hd_shape_result_unranked(c, 0, element);
  for (uint32_t i = 0; i < 3; i += 2)
    if (!hd_extents_meet_operand(c, i, true, &shape)) return false;
  hd_shape_result(c, 0, element, &shape);
  return true;
}

bool hd_shape_of_select(hd_shape_context *c) {
  hd_type element = hd_shape_element_type(c, 1);
  hd_extents shape;
  if (!hd_elements_compatible(element, hd_shape_element_type(c, 2)))
    return hd_shape_error(c, "expects on_true and on_false of one element type");
  if (hd_state_attr(c->state, HD_NAME_broadcast_dimensions)) return broadcast(c, element);
  if (!hd_extents_meet_operands(c, "on_true and on_false", 1, 3, &shape)) return false;
  if (shape.rank == UINT32_MAX) return hd_shape_result_unranked(c, 0, element);
  if (!hd_extents_meet_operand(c, 0, true, &shape)) return false;
  hd_shape_result(c, 0, element, &shape);
  return true;
}

bool hd_shape_of_constant_like(hd_shape_context *c) {
  hd_attr value = hd_state_attr(c->state, HD_NAME_value);
  if (!value || !value->type) return hd_shape_error(c, "expects a typed 'value'");
  if (!hd_type_is_shaped(hd_state_type(c->state, 0))) return false;
  hd_shape_result_like(c, 0, 0, value->type);
  return true;
}

bool hd_shape_of_chlo_broadcast(hd_shape_context *c) {
  hd_type element = hd_shape_element_type(c, 0);
  if (hd_shape_element_type(c, 1) != element) return hd_shape_error(c, "expects operands of one element type");
  return broadcast(c, element);
}
bool hd_shape_of_chlo_broadcast_compare(hd_shape_context *c) {
  if (hd_shape_element_type(c, 1) != hd_shape_element_type(c, 0))
    return hd_shape_error(c, "expects operands of one element type");
  return broadcast(c, hd_i1(c->state->context));
}
bool hd_shape_of_chlo_broadcast_complex(hd_shape_context *c) {
  hd_type element = hd_shape_element_type(c, 0);
  if (element->kind != HD_TYPE_FLOAT) return hd_shape_error(c, "expects real operands");
  return broadcast(c, hd_type_complex(element));
}
bool hd_shape_of_chlo_broadcast_select(hd_shape_context *c) {
  hd_type element = hd_shape_element_type(c, 1);
  if (hd_shape_element_type(c, 2) != element)
    return hd_shape_error(c, "expects on_true and on_false of one element type");
  return broadcast(c, element);
}
