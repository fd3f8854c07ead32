/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions of ops whose result has a shape of its own: written in its type, given by an operand, or both. */
#include "ir/constraints.h"
#include "ir/shapes/shape_function.h"

/* Result 0 has the shape that operand |operand| holds; without a length the rank is what the program declares. With
 * |rest| a size may be -1, for what is left, so that one which is no number says nothing. */
static bool from_shape_operand(hd_shape_context *c, uint32_t operand, hd_type element, bool rest) {
  hd_type type = hd_state_type(c->state, operand), hint = hd_state_hint(c->state, 0);
  int64_t length = hd_is_ranked(type) && type->shaped.rank == 1 ? type->shaped.dims[0] : HD_DYNAMIC;
  bool declared = hint && hd_is_ranked(hint);
  if (length == HD_DYNAMIC && !declared) return hd_shape_result_unranked(c, 0, element);
  if (length > HD_MAX_RANK)
    return hd_shape_error(c, "expects a result of rank %d at most, got %lld", HD_MAX_RANK, (long long)length);
  if (length != HD_DYNAMIC && declared && hint->shaped.rank != length)
    return hd_shape_error(c, "expects operand #%u to have %u elements, one per result dim, got %lld", operand,
                          hint->shaped.rank, (long long)length);
  if (length == HD_DYNAMIC && !c->domain->at_run_time) return hd_shape_result_declared(c, 0, element);
  hd_extents shape;
  shape.rank = declared ? hint->shaped.rank : (uint32_t)length;
  for (uint32_t d = 0; d < shape.rank; ++d) {
    int64_t size;
    shape.at[d] = hd_extent_element(c, operand, d);
    if (rest && (!hd_extent_known(c, shape.at[d], &size) || size == -1)) shape.at[d] = hd_extent_unknown(c);
    hd_require_at_least(c, shape.at[d], 0);
  }
  hd_shape_result(c, 0, element, &shape);
  return true;
}

/* Operand and result have as many elements. */
static bool same_count(hd_shape_context *c) {
  hd_require_equal(c, hd_extent_count(c, 0), hd_extent_count(c, -1));
  return true;
}

bool hd_shape_of_dynamic_reshape(hd_shape_context *c) {
  return from_shape_operand(c, 1, hd_shape_element_type(c, 0), false) && !c->failed && same_count(c);
}

bool hd_shape_of_reshape_to_rest(hd_shape_context *c) {
  return from_shape_operand(c, 1, hd_shape_element_type(c, 0), true);
}

/* One unknown dim of a declared result is the quotient of the element counts. */
bool hd_shape_of_reshape(hd_shape_context *c) {
  hd_type hint = hd_state_hint(c->state, 0), element = hd_shape_element_type(c, 0);
  if (!hd_shape_result_declared(c, 0, element)) return false;
  uint32_t rank = hd_is_ranked(hint) ? hint->shaped.rank : 0, unknown = 0, at = 0;
  for (uint32_t d = 0; d < rank; ++d)
    if (hint->shaped.dims[d] == HD_DYNAMIC) ++unknown, at = d;
  if (unknown == 1 && c->domain->at_run_time) {
    hd_extents shape = hd_extents_unknown(c, rank);
    hd_extent known = hd_extent_number(c, 1);
    for (uint32_t d = 0; d < rank; ++d)
      if (d != at) known = hd_extent_mul(c, known, hd_extent_number(c, hint->shaped.dims[d]));
    shape.at[at] = hd_extent_floordiv(c, hd_extent_count(c, 0), known);
    hd_shape_result(c, 0, element, &shape);
  }
  return same_count(c);
}

/* Each operand dim is at a result dim of its size, or is 1. */
static bool spreads(hd_shape_context *c) {
  hd_type hint = c->out ? c->out[0] : hd_state_hint(c->state, 0);
  if (!hd_shape_is_ranked(c, 0) || !hd_is_ranked(hint)) return true;
  uint32_t rank = hd_shape_rank_of(c, 0);
  int64_t dims[HD_MAX_RANK];
  if (rank > HD_MAX_RANK)
    return hd_shape_error(c, "expects operands of rank %d at most, got rank %u", HD_MAX_RANK, rank);
  if (!hd_state_ints(c->state, HD_NAME_broadcast_dimensions, rank, 0, dims) ||
      !hd_check_dims(c->state, "broadcast dimensions", dims, rank, hint->shaped.rank))
    return false;
  for (uint32_t d = 0; d < rank; ++d)
    hd_require(c, HD_SHAPE_SPREADS, hd_extent_dim(c, 0, d), hd_extent_result_dim(c, 0, (uint32_t)dims[d]));
  return true;
}

bool hd_shape_of_broadcast_in_dim(hd_shape_context *c) {
  return hd_shape_result_declared(c, 0, hd_shape_element_type(c, 0)) && spreads(c);
}

bool hd_shape_of_dynamic_broadcast_in_dim(hd_shape_context *c) {
  return from_shape_operand(c, 1, hd_shape_element_type(c, 0), false) && !c->failed && spreads(c);
}

bool hd_shape_of_broadcast(hd_shape_context *c) {
  hd_extents in, out;
  hd_type element = hd_shape_element_type(c, 0);
  if (!hd_extents_of(c, 0, &in)) return !c->failed && hd_shape_result_unranked(c, 0, element);
  int64_t sizes[HD_MAX_RANK];
  uint32_t count;
  if (!hd_state_list(c->state, HD_NAME_broadcast_sizes, sizes, &count)) return false;
  if (count + in.rank > HD_MAX_RANK) return hd_shape_error(c, "expects a result of rank %d at most", HD_MAX_RANK);
  out.rank = count + in.rank;
  for (uint32_t d = 0; d < out.rank; ++d) out.at[d] = d < count ? hd_extent_number(c, sizes[d]) : in.at[d - count];
  hd_shape_result(c, 0, element, &out);
  return true;
}

bool hd_shape_of_dynamic_iota(hd_shape_context *c) {
  hd_type hint = hd_state_hint(c->state, 0);
  return hint && from_shape_operand(c, 0, hd_type_element(hint), false);
}

bool hd_shape_of_rng(hd_shape_context *c) {
  if (!hd_shape_check_scalars(c, "parameters", 0, 2)) return false;
  if (hd_shape_element_type(c, 0) != hd_shape_element_type(c, 1))
    return hd_shape_error(c, "expects parameters of one element type");
  return from_shape_operand(c, 2, hd_shape_element_type(c, 0), false);
}

/* Narrower elements add a last dim, wider ones take it. */
bool hd_shape_of_bitcast_convert(hd_shape_context *c) {
  hd_type hint = hd_state_hint(c->state, 0), from = hd_shape_element_type(c, 0),
          to = hint ? hd_type_element(hint) : NULL;
  hd_extents shape;
  if (!hint) return false;
  if ((from->kind == HD_TYPE_COMPLEX) != (to->kind == HD_TYPE_COMPLEX))
    return hd_shape_error(c, "expects operand and result to be both complex or both not");
  if (!hd_extents_of(c, 0, &shape)) return !c->failed && hd_shape_result_declared(c, 0, to);
  uint32_t x = hd_type_bits(from), y = hd_type_bits(to);
  if (!x || !y) return hd_shape_error(c, "expects element types with a width");
  if (x % y && y % x) return hd_shape_error(c, "expects one width to divide the other, got %u and %u bits", x, y);
  if (x < y) {
    if (!shape.rank) return hd_shape_error(c, "expects an operand of rank 1 or more, got rank 0");
    hd_require_equal(c, shape.at[--shape.rank], hd_extent_number(c, y / x));
  } else if (x > y) {
    if (shape.rank == HD_MAX_RANK) return hd_shape_error(c, "expects a result of rank %d at most", HD_MAX_RANK);
    shape.at[shape.rank++] = hd_extent_number(c, x / y);
  }
  hd_shape_result(c, 0, to, &shape);
  return true;
}

/* The size that the program gives is at most the dim's own, which then bounds it. */
bool hd_shape_of_set_dimension_size(hd_shape_context *c) {
  hd_extents shape;
  hd_type element = hd_shape_element_type(c, 0);
  if (!hd_shape_check_scalars(c, "sizes", 1, 2)) return false;
  if (!hd_extents_of(c, 0, &shape)) return !c->failed && hd_shape_result_unranked(c, 0, element);
  int64_t axis = hd_state_int(c->state, HD_NAME_dimension, 0), value, dim;
  if (axis < 0 || axis >= shape.rank)
    return hd_shape_error(c, "expects a dimension in [0, %u), got %lld", shape.rank, (long long)axis);
  hd_extent size = hd_extent_element(c, 1, 0);
  hd_require_at_least(c, size, 0);
  hd_require_at_most(c, size, shape.at[axis]);
  if (hd_extent_known(c, size, &value) && hd_extent_known(c, shape.at[axis], &dim) && value == dim) {
    hd_shape_result_like(c, 0, 0, NULL);
    return true;
  }
  shape.at[axis] = hd_extent_min(c, hd_extent_unknown(c), shape.at[axis]);
  hd_shape_result(c, 0, element, &shape);
  return true;
}
