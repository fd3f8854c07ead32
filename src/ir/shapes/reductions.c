/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions of reductions, windows, sorts, maps and scans. */
#include "ir/shapes/shape_function.h"

/* The element of result |i|: what the region gives, else the declared one, else |otherwise|'s. */
static hd_type reduced_element(hd_shape_context *c, size_t region, size_t i, hd_type otherwise) {
  hd_type yielded = hd_state_yielded(c->state, region, (uint32_t)i), hint = hd_state_hint(c->state, i);
  if (yielded && hd_type_is_tensor(yielded)) return hd_type_element(yielded);
  return hd_type_element(hint ? hint : otherwise);
}

/* Inputs of one shape, and an init value for each. */
static bool inputs_and_inits(hd_shape_context *c, uint32_t *count, hd_extents *in) {
  size_t operands = c->state->operand_count;
  *count = (uint32_t)operands / 2;
  if (!*count || operands % 2)
    return hd_shape_error(c, "expects as many init values as inputs, and at least one, got %zu operands", operands);
  return hd_check_result_count(c->state, *count) &&
         hd_shape_check_scalars(c, "init values", *count, (uint32_t)operands) &&
         hd_extents_meet_operands(c, "inputs", 0, *count, in);
}

/* A result for each of |count| inputs. */
static bool results(hd_shape_context *c, uint32_t count, const hd_extents *shape) {
  for (uint32_t i = 0; i < count; ++i) {
    hd_type element = reduced_element(c, 0, i, hd_state_type(c->state, count + i));
    if (shape->rank == UINT32_MAX)
      hd_shape_result_unranked(c, i, element);
    else
      hd_shape_result(c, i, element, shape);
  }
  return true;
}

bool hd_shape_of_reduce(hd_shape_context *c) {
  hd_extents in, out;
  int64_t dims[HD_MAX_RANK];
  uint32_t count, dim_count;
  if (!inputs_and_inits(c, &count, &in) || !hd_state_list(c->state, HD_NAME_dimensions, dims, &dim_count)) return false;
  if (in.rank == UINT32_MAX) return results(c, count, &in);
  if (!hd_check_dims(c->state, "dimensions", dims, dim_count, in.rank)) return false;
  out.rank = 0;
  for (uint32_t d = 0; d < in.rank; ++d) {
    bool reduced = false;
    for (uint32_t k = 0; k < dim_count; ++k) reduced |= dims[k] == d;
    if (!reduced) out.at[out.rank++] = in.at[d];
  }
  return results(c, count, &out);
}

/* |shape| becomes that of the windows over it, which attributes say. */
static bool windows(hd_shape_context *c, bool dilated, hd_extents *shape) {
  int64_t window[HD_MAX_RANK], strides[HD_MAX_RANK], base[HD_MAX_RANK], dilation[HD_MAX_RANK], pads[2 * HD_MAX_RANK];
  uint32_t rank = shape->rank;
  for (uint32_t d = 0; d < rank; ++d) base[d] = dilation[d] = 1;
  if (!hd_state_ints(c->state, HD_NAME_window_dimensions, rank, 1, window) ||
      !hd_state_ints(c->state, HD_NAME_window_strides, rank, 1, strides) ||
      !hd_state_ints(c->state, HD_NAME_padding, 2 * (size_t)rank, 0, pads) ||
      (dilated && (!hd_state_ints(c->state, HD_NAME_base_dilations, rank, 1, base) ||
                   !hd_state_ints(c->state, HD_NAME_window_dilations, rank, 1, dilation))))
    return false;
  for (uint32_t d = 0; d < rank; ++d) {
    if (window[d] < 1 || strides[d] < 1 || base[d] < 1 || dilation[d] < 1)
      return hd_shape_error(c, "expects window sizes, strides and dilations of 1 or more in dim %u", d);
    shape->at[d] =
        hd_extent_windows(c, shape->at[d], hd_extent_number(c, window[d]), hd_extent_number(c, pads[2 * d]),
                          hd_extent_number(c, pads[2 * d + 1]), (hd_window_numbers){strides[d], base[d], dilation[d]});
  }
  return true;
}

bool hd_shape_of_reduce_window(hd_shape_context *c) {
  hd_extents shape;
  uint32_t count;
  if (!inputs_and_inits(c, &count, &shape)) return false;
  if (shape.rank != UINT32_MAX && !windows(c, true, &shape)) return false;
  return results(c, count, &shape);
}

/* The source has an element for each window. */
bool hd_shape_of_select_and_scatter(hd_shape_context *c) {
  hd_extents shape;
  if (!hd_shape_check_scalars(c, "init values", 2, 3)) return false;
  if (hd_extents_of(c, 0, &shape) && windows(c, false, &shape) && hd_shape_is_ranked(c, 1)) {
    if (hd_shape_rank_of(c, 1) != shape.rank)
      return hd_shape_error(c, "expects a source of rank %u, got rank %u", shape.rank, hd_shape_rank_of(c, 1));
    for (uint32_t d = 0; d < shape.rank; ++d)
      hd_require_equal(c, hd_extent_dim(c, 1, d), hd_extent_named(shape.at[d], "the windows along dim", 0, d));
  }
  hd_shape_result_like(c, 0, 0, reduced_element(c, 1, 0, hd_state_type(c->state, 0)));
  return true;
}

bool hd_shape_of_sort(hd_shape_context *c) {
  hd_extents in;
  uint32_t count = (uint32_t)c->state->operand_count;
  if (!count) return hd_shape_error(c, "expects at least one operand");
  if (!hd_check_result_count(c->state, count) || !hd_extents_meet_operands(c, "inputs", 0, count, &in)) return false;
  int64_t axis = hd_state_int(c->state, HD_NAME_dimension, -1);
  if (in.rank != UINT32_MAX && (axis < -(int64_t)in.rank || axis >= in.rank) &&
      !(in.rank == 0 && (axis == -1 || axis == 0)))
    return hd_shape_error(c, "expects a dimension in [-%u, %u), got %lld", in.rank, in.rank, (long long)axis);
  for (uint32_t i = 0; i < count; ++i) hd_shape_result_like(c, i, i, NULL);
  return true;
}

bool hd_shape_of_associative_scan(hd_shape_context *c) {
  hd_extents in;
  uint32_t count;
  if (!inputs_and_inits(c, &count, &in)) return false;
  int64_t axis = hd_state_int(c->state, HD_NAME_dimension, 0);
  if (in.rank != UINT32_MAX && (axis < 0 || axis >= in.rank))
    return hd_shape_error(c, "expects a dimension in [0, %u), got %lld", in.rank, (long long)axis);
  for (uint32_t i = 0; i < count; ++i) hd_shape_result_like(c, i, i, NULL);
  return true;
}

bool hd_shape_of_map(hd_shape_context *c) {
  hd_extents in;
  int64_t dims[HD_MAX_RANK];
  uint32_t count, operands = (uint32_t)c->state->operand_count;
  if (!operands) return hd_shape_error(c, "expects at least one operand");
  if (!hd_extents_meet_operands(c, "inputs", 0, operands, &in) ||
      !hd_state_list(c->state, HD_NAME_dimensions, dims, &count))
    return false;
  hd_type element = reduced_element(c, 0, 0, hd_state_type(c->state, 0));
  if (in.rank == UINT32_MAX) return hd_shape_result_unranked(c, 0, element);
  if (count != in.rank) return hd_shape_error(c, "expects 'dimensions' to list all %u dims, got %u", in.rank, count);
  for (uint32_t i = 0; i < count; ++i)
    if (dims[i] != i)
      return hd_shape_error(c, "expects 'dimensions' to be 0, 1, ..., got %lld at %u", (long long)dims[i], i);
  hd_shape_result(c, 0, element, &in);
  return true;
}

bool hd_shape_of_top_k(hd_shape_context *c) {
  int64_t k = hd_state_int(c->state, HD_NAME_k, -1);
  hd_type element = hd_shape_element_type(c, 0), i32 = hd_i32(c->state->context);
  hd_extents shape;
  if (!hd_extents_of(c, 0, &shape))
    return !c->failed && hd_shape_result_unranked(c, 0, element) && hd_shape_result_unranked(c, 1, i32);
  if (shape.rank < 1) return hd_shape_error(c, "expects an operand of rank 1 or more");
  if (k < 0) return hd_shape_error(c, "expects k of 0 or more, got %lld", (long long)k);
  hd_extent chosen = hd_extent_number(c, k), *last = &shape.at[shape.rank - 1];
  hd_require_at_most(c, chosen, *last);
  *last = chosen;
  hd_shape_result(c, 0, element, &shape);
  hd_shape_result(c, 1, i32, &shape);
  return true;
}

/* All inputs have the scanned dim; what comes out of it, the body says. */
bool hd_shape_of_scan(hd_shape_context *c) {
  hd_attr segments = hd_state_attr(c->state, HD_NAME_operandSegmentSizes);
  int64_t inputs = hd_attr_count(segments) ? hd_attr_int_at(segments, 0) : 0,
          axis = hd_state_int(c->state, HD_NAME_dimension, 0),
          size = hd_state_int(c->state, HD_NAME_scan_dim_size, HD_DYNAMIC);
  for (uint32_t i = 0; i < inputs && i < c->state->operand_count; ++i) {
    if (!hd_shape_is_ranked(c, i)) continue;
    if (axis < 0 || axis >= hd_shape_rank_of(c, i) || axis >= hd_shape_rank_of(c, 0))
      return hd_shape_error(c, "expects operand #%u to have a dim %lld", i, (long long)axis);
    hd_require_equal(c, hd_extent_dim(c, i, (uint32_t)axis),
                     size == HD_DYNAMIC ? hd_extent_dim(c, 0, (uint32_t)axis) : hd_extent_number(c, size));
  }
  for (uint32_t r = 0; r < c->state->result_count; ++r)
    if (!hd_shape_result_declared(c, r, hd_type_element(hd_state_hint(c->state, r)))) return false;
  return true;
}
