/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions of ops that cut, join, pad and turn tensors. */
#include "ir/constraints.h"
#include "ir/shapes/shape_function.h"

/* The dims of operand 0 into |in|, or an unranked result and a return. */
#define LOAD_OR_UNRANKED(in)                                                                                           \
  do {                                                                                                                 \
    if (!hd_extents_of(c, 0, &(in))) return !c->failed && hd_shape_result_unranked(c, 0, hd_shape_element_type(c, 0)); \
  } while (0)

bool hd_shape_of_transpose(hd_shape_context *c) {
  hd_extents in, out;
  LOAD_OR_UNRANKED(in);
  int64_t permutation[HD_MAX_RANK];
  if (!hd_state_ints(c->state, HD_NAME_permutation, in.rank, 0, permutation) ||
      !hd_check_dims(c->state, "permutation entries", permutation, in.rank, in.rank))
    return false;
  out.rank = in.rank;
  for (uint32_t d = 0; d < in.rank; ++d) out.at[d] = in.at[permutation[d]];
  hd_shape_result(c, 0, hd_shape_element_type(c, 0), &out);
  return true;
}

bool hd_shape_of_reverse(hd_shape_context *c) {
  int64_t dims[HD_MAX_RANK];
  uint32_t count;
  if (!hd_state_list(c->state, HD_NAME_dimensions, dims, &count)) return false;
  if (hd_shape_is_ranked(c, 0) && !hd_check_dims(c->state, "dimensions", dims, count, hd_shape_rank_of(c, 0)))
    return false;
  hd_shape_result_like(c, 0, 0, NULL);
  return true;
}

bool hd_shape_of_concatenate(hd_shape_context *c) {
  uint32_t count = (uint32_t)c->state->operand_count, axis = 0;
  if (!count) return hd_shape_error(c, "expects at least one operand");
  int64_t given = hd_state_int(c->state, HD_NAME_dimension, 0);
  hd_type element = hd_shape_element_type(c, 0);
  hd_extents shape;
  shape.rank = UINT32_MAX;
  hd_extent total = hd_extent_number(c, 0);
  for (uint32_t i = 0; i < count; ++i) {
    if (!hd_elements_compatible(hd_shape_element_type(c, i), element))
      return hd_shape_error(c, "expects operands of one element type, operand #%u differs", i);
    if (!hd_shape_is_ranked(c, i)) {
      total = hd_extent_unknown(c);
      continue;
    }
    uint32_t rank = hd_shape_rank_of(c, i);
    if (given < 0 || given >= rank)
      return hd_shape_error(c, "expects a dimension in [0, %u), got %lld", rank, (long long)given);
    axis = (uint32_t)given;
    if (shape.rank != UINT32_MAX && shape.rank != rank)
      return hd_shape_error(c, "expects operands of one rank, got %u and %u", shape.rank, rank);
    total = hd_extent_add(c, total, hd_extent_dim(c, i, axis));
    if (shape.rank == UINT32_MAX) {
      if (!hd_extents_of(c, i, &shape)) return false;
      continue;
    }
    shape.at[axis] = hd_extent_dim(c, i, axis);
    if (!hd_extents_meet_operand(c, i, false, &shape)) return false;
  }
  if (shape.rank == UINT32_MAX) return hd_shape_result_unranked(c, 0, element);
  shape.at[axis] = total;
  hd_shape_result(c, 0, element, &shape);
  return true;
}

/* The size of what is between |start| and |limit|, which must be in the dim, in steps of |stride|. */
static hd_extent slice_size(hd_shape_context *c, hd_extent start, hd_extent limit, hd_extent stride, hd_extent dim) {
  hd_extent zero = hd_extent_number(c, 0), one = hd_extent_number(c, 1);
  hd_require_at_least(c, start, 0);
  hd_require_at_most(c, start, limit);
  hd_require_at_most(c, limit, dim);
  hd_require_at_least(c, stride, 1);
  hd_extent length = hd_extent_max(c, hd_extent_sub(c, limit, start), zero);
  return hd_extent_ceildiv(c, length, hd_extent_max(c, stride, one));
}

bool hd_shape_of_slice(hd_shape_context *c) {
  hd_extents shape;
  LOAD_OR_UNRANKED(shape);
  int64_t start[HD_MAX_RANK], limit[HD_MAX_RANK], stride[HD_MAX_RANK];
  if (!hd_state_ints(c->state, HD_NAME_start_indices, shape.rank, 0, start) ||
      !hd_state_ints(c->state, HD_NAME_limit_indices, shape.rank, 0, limit) ||
      !hd_state_ints(c->state, HD_NAME_strides, shape.rank, 1, stride))
    return false;
  for (uint32_t d = 0; d < shape.rank; ++d)
    shape.at[d] = slice_size(c, hd_extent_named(hd_extent_number(c, start[d]), "start", 0, d),
                             hd_extent_named(hd_extent_number(c, limit[d]), "limit", 0, d),
                             hd_extent_named(hd_extent_number(c, stride[d]), "stride", 0, d), shape.at[d]);
  hd_shape_result(c, 0, hd_shape_element_type(c, 0), &shape);
  return true;
}

/* Operand |i| has an element for each of |rank| dims, where its length is known. */
static bool check_length(hd_shape_context *c, uint32_t i, uint32_t rank) {
  hd_type type = hd_state_type(c->state, i);
  int64_t length = hd_is_ranked(type) && type->shaped.rank == 1 ? type->shaped.dims[0] : HD_DYNAMIC;
  if (length == HD_DYNAMIC || length == rank) return true;
  return hd_shape_error(c, "expects operand #%u to have %u elements, got %lld", i, rank, (long long)length);
}

bool hd_shape_of_real_dynamic_slice(hd_shape_context *c) {
  hd_extents shape;
  LOAD_OR_UNRANKED(shape);
  for (uint32_t i = 1; i < 4; ++i)
    if (!check_length(c, i, shape.rank)) return false;
  for (uint32_t d = 0; d < shape.rank; ++d)
    shape.at[d] =
        slice_size(c, hd_extent_element(c, 1, d), hd_extent_element(c, 2, d), hd_extent_element(c, 3, d), shape.at[d]);
  hd_shape_result(c, 0, hd_shape_element_type(c, 0), &shape);
  return true;
}

/* Start indices of dynamic_slice and dynamic_update_slice: one scalar integer per dim, of one type. */
static bool check_starts(hd_shape_context *c, uint32_t first, uint32_t rank) {
  uint32_t count = (uint32_t)c->state->operand_count;
  if (count - first != rank) return hd_shape_error(c, "expects %u start indices, got %u", rank, count - first);
  for (uint32_t i = first; i < count; ++i)
    if (hd_shape_element_type(c, i) != hd_shape_element_type(c, first))
      return hd_shape_error(c, "expects start indices of one type");
  return hd_shape_check_scalars(c, "start indices", first, count);
}

bool hd_shape_of_dynamic_slice(hd_shape_context *c) {
  hd_extents shape;
  LOAD_OR_UNRANKED(shape);
  int64_t sizes[HD_MAX_RANK];
  if (!check_starts(c, 1, shape.rank) || !hd_state_ints(c->state, HD_NAME_slice_sizes, shape.rank, 0, sizes))
    return false;
  for (uint32_t d = 0; d < shape.rank; ++d) {
    hd_extent size = hd_extent_named(hd_extent_number(c, sizes[d]), "slice size", 0, d);
    hd_require_at_least(c, size, 0);
    hd_require_at_most(c, size, shape.at[d]);
    shape.at[d] = size;
  }
  hd_shape_result(c, 0, hd_shape_element_type(c, 0), &shape);
  return true;
}

bool hd_shape_of_dynamic_update_slice(hd_shape_context *c) {
  if (!hd_elements_compatible(hd_shape_element_type(c, 0), hd_shape_element_type(c, 1)))
    return hd_shape_error(c, "expects operand and update of one element type");
  if (hd_shape_is_ranked(c, 0) && hd_shape_is_ranked(c, 1)) {
    uint32_t rank = hd_shape_rank_of(c, 0);
    if (rank != hd_shape_rank_of(c, 1))
      return hd_shape_error(c, "expects an update of rank %u, got rank %u", rank, hd_shape_rank_of(c, 1));
    for (uint32_t d = 0; d < rank; ++d) hd_require_at_most(c, hd_extent_dim(c, 1, d), hd_extent_dim(c, 0, d));
    if (!check_starts(c, 2, rank)) return false;
  }
  hd_shape_result_like(c, 0, 0, NULL);
  return true;
}

/* Padding may take away no more than there is. */
static hd_extent padded(hd_shape_context *c, hd_extent size, hd_extent low, hd_extent high, hd_extent interior) {
  hd_require_at_least(c, interior, 0);
  hd_extent total = hd_extent_padded(c, size, low, high, interior);
  hd_require_at_least(c, hd_extent_named(total, "the padded size of dim", 0, size.place.dim), 0);
  return hd_extent_max(c, total, hd_extent_number(c, 0));
}

static bool check_padding_value(hd_shape_context *c) {
  if (!hd_shape_check_scalars(c, "padding value", 1, 2)) return false;
  return hd_elements_compatible(hd_shape_element_type(c, 1), hd_shape_element_type(c, 0)) ||
         hd_shape_error(c, "expects a padding value of the operand's element type");
}

bool hd_shape_of_pad(hd_shape_context *c) {
  hd_extents shape;
  if (!check_padding_value(c)) return false;
  LOAD_OR_UNRANKED(shape);
  int64_t low[HD_MAX_RANK], high[HD_MAX_RANK], interior[HD_MAX_RANK];
  if (!hd_state_ints(c->state, HD_NAME_edge_padding_low, shape.rank, 0, low) ||
      !hd_state_ints(c->state, HD_NAME_edge_padding_high, shape.rank, 0, high) ||
      !hd_state_ints(c->state, HD_NAME_interior_padding, shape.rank, 0, interior))
    return false;
  for (uint32_t d = 0; d < shape.rank; ++d)
    shape.at[d] = padded(c, shape.at[d], hd_extent_number(c, low[d]), hd_extent_number(c, high[d]),
                         hd_extent_named(hd_extent_number(c, interior[d]), "interior padding", 0, d));
  hd_shape_result(c, 0, hd_shape_element_type(c, 0), &shape);
  return true;
}

bool hd_shape_of_dynamic_pad(hd_shape_context *c) {
  hd_extents shape;
  if (!check_padding_value(c)) return false;
  LOAD_OR_UNRANKED(shape);
  for (uint32_t i = 2; i < 5; ++i)
    if (!check_length(c, i, shape.rank)) return false;
  for (uint32_t d = 0; d < shape.rank; ++d)
    shape.at[d] =
        padded(c, shape.at[d], hd_extent_element(c, 2, d), hd_extent_element(c, 3, d), hd_extent_element(c, 4, d));
  hd_shape_result(c, 0, hd_shape_element_type(c, 0), &shape);
  return true;
}
