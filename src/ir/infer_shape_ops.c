/* SPDX-License-Identifier: Apache-2.0 */
/* Result types of ops that move, cut, join and pad elements. */
#include "ir/constraints.h"
#include "ir/infer.h"

/* The result of an op on unranked operands: an unranked tensor of the first one's element. */
static bool unranked(const hd_op_state *state, hd_type *out) {
  *out = hd_type_unranked_tensor(hd_type_element(hd_state_type(state, 0)));
  return true;
}

#define LOAD_OR_UNRANKED(sketch, i)                                               \
  do {                                                                            \
    if (!hd_is_ranked(hd_state_type(state, (i)))) return unranked(state, out);    \
    if (!hd_sketch_of(state, hd_state_type(state, (i)), &(sketch))) return false; \
  } while (0)

bool hd_infer_broadcast(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  LOAD_OR_UNRANKED(in, 0);
  int64_t sizes[HD_MAX_RANK];
  uint32_t count;
  if (!hd_state_list(state, HD_NAME_broadcast_sizes, sizes, &count)) return false;
  if (count + in.rank > HD_MAX_RANK) return hd_infer_error(state, "expects a result of rank %d at most", HD_MAX_RANK);
  hd_sketch result = hd_sketch_unknown(count + in.rank);
  for (uint32_t i = 0; i < count; ++i) {
    if (sizes[i] < 0)
      return hd_infer_error(state, "expects broadcast sizes of 0 or more, got %lld", (long long)sizes[i]);
    result.dims[i] = sizes[i];
  }
  for (uint32_t i = 0; i < in.rank; ++i) hd_sketch_copy_dim(&result, count + i, &in, i);
  *out = hd_sketch_type(state, hd_type_element(hd_state_type(state, 0)), &result);
  return true;
}

bool hd_infer_transpose(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  LOAD_OR_UNRANKED(in, 0);
  int64_t permutation[HD_MAX_RANK];
  if (!hd_state_ints(state, HD_NAME_permutation, in.rank, 0, permutation)) return false;
  if (!hd_check_dims(state, "permutation entries", permutation, in.rank, in.rank)) return false;
  hd_sketch result = hd_sketch_unknown(in.rank);
  for (uint32_t i = 0; i < in.rank; ++i) hd_sketch_copy_dim(&result, i, &in, (uint32_t)permutation[i]);
  *out = hd_sketch_type(state, hd_type_element(hd_state_type(state, 0)), &result);
  return true;
}

bool hd_infer_reverse(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0);
  int64_t dims[HD_MAX_RANK];
  uint32_t count;
  if (!hd_state_list(state, HD_NAME_dimensions, dims, &count)) return false;
  if (hd_is_ranked(type) && !hd_check_dims(state, "dimensions", dims, count, type->shaped.rank)) return false;
  *out = type;
  return true;
}

bool hd_infer_concatenate(const hd_op_state *state, hd_type *out) {
  if (!state->operand_count) return hd_infer_error(state, "expects at least one operand");
  int64_t axis = hd_state_int(state, HD_NAME_dimension, 0), total = 0, bound = 0;
  hd_type element = hd_type_element(hd_state_type(state, 0));
  hd_sketch result = {0};
  bool have = false;
  for (size_t i = 0; i < state->operand_count; ++i) {
    hd_type type = hd_state_type(state, i);
    hd_sketch in;
    if (!hd_elements_compatible(hd_type_element(type), element))
      return hd_infer_error(state, "expects operands of one element type, operand #%zu differs", i);
    if (!hd_is_ranked(type)) {
      total = HD_DYNAMIC;
      continue;
    }
    if (!hd_sketch_of(state, type, &in)) return false;
    if (axis < 0 || axis >= in.rank)
      return hd_infer_error(state, "expects a dimension in [0, %u), got %lld", in.rank, (long long)axis);
    int64_t size = in.dims[axis];
    int64_t size_bound = size != HD_DYNAMIC ? size : in.bounds[axis];
    if (size == HD_DYNAMIC || total == HD_DYNAMIC)
      total = HD_DYNAMIC;
    else if (__builtin_add_overflow(total, size, &total))
      return hd_infer_error(state, "expects a result of fewer elements");
    if (size_bound == HD_DYNAMIC || bound == HD_DYNAMIC)
      bound = HD_DYNAMIC;
    else if (__builtin_add_overflow(bound, size_bound, &bound))
      return hd_infer_error(state, "expects a result of fewer elements");
    if (!have) {
      result = in;
      have = true;
      continue;
    }
    if (in.rank != result.rank)
      return hd_infer_error(state, "expects operands of one rank, got %u and %u", result.rank, in.rank);
    for (uint32_t d = 0; d < in.rank; ++d) {
      int64_t before = result.dims[d];
      if (d != (uint32_t)axis && !hd_sketch_meet_dim(&result, d, &in, d))
        return hd_infer_error(state, "expects operands that agree outside of dimension %lld, dim %u differs: %s and %s",
                              (long long)axis, d, hd_dim_text(before), hd_dim_text(in.dims[d]));
      if (!result.encoding) result.encoding = in.encoding;
    }
  }
  if (!have) return unranked(state, out);
  result.dims[axis] = total;
  result.bounds[axis] = total == HD_DYNAMIC ? bound : HD_DYNAMIC;
  *out = hd_sketch_type(state, element, &result);
  return true;
}

bool hd_infer_slice(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  LOAD_OR_UNRANKED(in, 0);
  int64_t start[HD_MAX_RANK], limit[HD_MAX_RANK], stride[HD_MAX_RANK];
  if (!hd_state_ints(state, HD_NAME_start_indices, in.rank, 0, start) ||
      !hd_state_ints(state, HD_NAME_limit_indices, in.rank, 0, limit) ||
      !hd_state_ints(state, HD_NAME_strides, in.rank, 1, stride))
    return false;
  hd_sketch result = hd_sketch_unknown(in.rank);
  for (uint32_t i = 0; i < in.rank; ++i) {
    if (start[i] < 0)
      return hd_infer_error(state, "expects start indices of 0 or more, got %lld in dim %u", (long long)start[i], i);
    if (limit[i] < start[i])
      return hd_infer_error(state, "expects limits not below starts, got %lld below %lld in dim %u",
                            (long long)limit[i], (long long)start[i], i);
    int64_t most = in.dims[i] != HD_DYNAMIC ? in.dims[i] : in.bounds[i];
    if (most != HD_DYNAMIC && limit[i] > most)
      return hd_infer_error(state, "expects limits within the operand, got %lld of %lld in dim %u", (long long)limit[i],
                            (long long)most, i);
    if (stride[i] < 1)
      return hd_infer_error(state, "expects strides of 1 or more, got %lld in dim %u", (long long)stride[i], i);
    int64_t span = limit[i] - start[i];
    result.dims[i] = span / stride[i] + (span % stride[i] != 0);
  }
  *out = hd_sketch_type(state, hd_type_element(hd_state_type(state, 0)), &result);
  return true;
}

/* Start indices of dynamic_slice and dynamic_update_slice: one scalar integer per dim, of one type. */
static bool check_starts(const hd_op_state *state, size_t first, uint32_t rank) {
  if (state->operand_count - first != rank)
    return hd_infer_error(state, "expects %u start indices, got %zu", rank, state->operand_count - first);
  for (size_t i = first; i < state->operand_count; ++i) {
    hd_type type = hd_state_type(state, i);
    if (hd_is_ranked(type) && type->shaped.rank != 0)
      return hd_infer_error(state, "expects scalar start indices, got rank %u for operand #%zu", type->shaped.rank, i);
    if (hd_type_element(type) != hd_type_element(hd_state_type(state, first)))
      return hd_infer_error(state, "expects start indices of one type");
  }
  return true;
}

bool hd_infer_dynamic_slice(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  LOAD_OR_UNRANKED(in, 0);
  int64_t sizes[HD_MAX_RANK];
  if (!check_starts(state, 1, in.rank) || !hd_state_ints(state, HD_NAME_slice_sizes, in.rank, 0, sizes)) return false;
  hd_sketch result = hd_sketch_unknown(in.rank);
  for (uint32_t i = 0; i < in.rank; ++i) {
    int64_t most = in.dims[i] != HD_DYNAMIC ? in.dims[i] : in.bounds[i];
    if (sizes[i] < 0 || (most != HD_DYNAMIC && sizes[i] > most))
      return hd_infer_error(state, "expects slice sizes in [0, %s], got %lld in dim %u", hd_dim_text(most),
                            (long long)sizes[i], i);
    result.dims[i] = sizes[i];
  }
  *out = hd_sketch_type(state, hd_type_element(hd_state_type(state, 0)), &result);
  return true;
}

bool hd_infer_dynamic_update_slice(const hd_op_state *state, hd_type *out) {
  hd_sketch in, update;
  *out = hd_state_type(state, 0);
  if (!hd_elements_compatible(hd_type_element(*out), hd_type_element(hd_state_type(state, 1))))
    return hd_infer_error(state, "expects operand and update of one element type");
  if (!hd_is_ranked(*out) || !hd_is_ranked(hd_state_type(state, 1))) return true;
  if (!hd_sketch_of(state, *out, &in) || !hd_sketch_of(state, hd_state_type(state, 1), &update)) return false;
  if (in.rank != update.rank)
    return hd_infer_error(state, "expects an update of rank %u, got rank %u", in.rank, update.rank);
  for (uint32_t i = 0; i < in.rank; ++i)
    if (in.dims[i] != HD_DYNAMIC && update.dims[i] != HD_DYNAMIC && update.dims[i] > in.dims[i])
      return hd_infer_error(state, "expects an update no larger than the operand, got %lld of %lld in dim %u",
                            (long long)update.dims[i], (long long)in.dims[i], i);
  return check_starts(state, 2, in.rank);
}

/* size + low + high + (size - 1) * interior, or -1 on overflow. */
static int64_t padded(int64_t size, int64_t low, int64_t high, int64_t interior) {
  int64_t between, sum;
  if (__builtin_mul_overflow(size > 0 ? size - 1 : 0, interior, &between) ||
      __builtin_add_overflow(size, between, &sum) || __builtin_add_overflow(sum, low, &sum) ||
      __builtin_add_overflow(sum, high, &sum))
    return -1;
  return sum;
}

/* The result of padding with known amounts. */
static bool pad(const hd_op_state *state, const hd_sketch *in, const int64_t *low, const int64_t *high,
                const int64_t *interior, hd_type *out) {
  hd_sketch result = hd_sketch_unknown(in->rank);
  result.encoding = in->encoding;
  for (uint32_t i = 0; i < in->rank; ++i) {
    if (interior[i] < 0)
      return hd_infer_error(state, "expects interior padding of 0 or more, got %lld in dim %u", (long long)interior[i],
                            i);
    if (in->dims[i] == HD_DYNAMIC) {
      int64_t bound = in->bounds[i] == HD_DYNAMIC ? -1 : padded(in->bounds[i], low[i], high[i], interior[i]);
      if (bound >= 0) result.bounds[i] = bound;
      continue;
    }
    result.dims[i] = padded(in->dims[i], low[i], high[i], interior[i]);
    if (result.dims[i] < 0) return hd_infer_error(state, "expects a padded size of 0 or more in dim %u", i);
  }
  *out = hd_sketch_type(state, hd_type_element(hd_state_type(state, 0)), &result);
  return true;
}

static bool check_padding_value(const hd_op_state *state) {
  hd_type value = hd_state_type(state, 1);
  if (hd_is_ranked(value) && value->shaped.rank)
    return hd_infer_error(state, "expects a scalar padding value, got rank %u", value->shaped.rank);
  if (!hd_elements_compatible(hd_type_element(value), hd_type_element(hd_state_type(state, 0))))
    return hd_infer_error(state, "expects a padding value of the operand's element type");
  return true;
}

bool hd_infer_pad(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  if (!check_padding_value(state)) return false;
  LOAD_OR_UNRANKED(in, 0);
  int64_t low[HD_MAX_RANK], high[HD_MAX_RANK], interior[HD_MAX_RANK];
  return hd_state_ints(state, HD_NAME_edge_padding_low, in.rank, 0, low) &&
         hd_state_ints(state, HD_NAME_edge_padding_high, in.rank, 0, high) &&
         hd_state_ints(state, HD_NAME_interior_padding, in.rank, 0, interior) &&
         pad(state, &in, low, high, interior, out);
}

/* A shape operand has as many elements as |rank|, where it is known. */
static bool check_length(const hd_op_state *state, size_t i, uint32_t rank) {
  hd_type type = hd_state_type(state, i);
  int64_t length = hd_is_ranked(type) && type->shaped.rank == 1 ? type->shaped.dims[0] : HD_DYNAMIC;
  if (length != HD_DYNAMIC && length != rank)
    return hd_infer_error(state, "expects operand #%zu to have %u elements, got %lld", i, rank, (long long)length);
  return true;
}

bool hd_infer_dynamic_pad(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  if (!check_padding_value(state)) return false;
  LOAD_OR_UNRANKED(in, 0);
  int64_t low[HD_MAX_RANK], high[HD_MAX_RANK], interior[HD_MAX_RANK];
  for (size_t i = 2; i < 5; ++i)
    if (!check_length(state, i, in.rank)) return false;
  if (hd_state_constant(state, 2, in.rank, low) && hd_state_constant(state, 3, in.rank, high) &&
      hd_state_constant(state, 4, in.rank, interior))
    return pad(state, &in, low, high, interior, out);
  hd_sketch result = hd_sketch_unknown(in.rank);
  *out = hd_sketch_type(state, hd_type_element(hd_state_type(state, 0)), &result);
  return true;
}

bool hd_infer_real_dynamic_slice(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  LOAD_OR_UNRANKED(in, 0);
  int64_t start[HD_MAX_RANK], limit[HD_MAX_RANK], stride[HD_MAX_RANK];
  for (size_t i = 1; i < 4; ++i)
    if (!check_length(state, i, in.rank)) return false;
  hd_sketch result = hd_sketch_unknown(in.rank);
  if (hd_state_constant(state, 1, in.rank, start) && hd_state_constant(state, 2, in.rank, limit) &&
      hd_state_constant(state, 3, in.rank, stride)) {
    for (uint32_t i = 0; i < in.rank; ++i) {
      if (start[i] < 0 || limit[i] < start[i] || stride[i] < 1)
        return hd_infer_error(state,
                              "expects 0 <= start <= limit and a stride of 1 or more, got %lld, %lld, %lld in dim %u",
                              (long long)start[i], (long long)limit[i], (long long)stride[i], i);
      int64_t span = limit[i] - start[i];
      result.dims[i] = span / stride[i] + (span % stride[i] != 0);
    }
  }
  *out = hd_sketch_type(state, hd_type_element(hd_state_type(state, 0)), &result);
  return true;
}

/* The result whose shape operand |i| gives: its constants, else unknown dims. */
static bool from_shape_operand(const hd_op_state *state, size_t i, hd_type element, hd_type *out) {
  hd_type type = hd_state_type(state, i), hint = hd_state_hint(state, 0);
  int64_t length = hd_is_ranked(type) && type->shaped.rank == 1 ? type->shaped.dims[0] : HD_DYNAMIC;
  if (length == HD_DYNAMIC) {
    *out = hint && hd_is_ranked(hint) ? hd_type_with_element(hint, element) : hd_type_unranked_tensor(element);
    return true;
  }
  if (length > HD_MAX_RANK)
    return hd_infer_error(state, "expects a result of rank %d at most, got %lld", HD_MAX_RANK, (long long)length);
  hd_sketch result = hd_sketch_unknown((uint32_t)length);
  int64_t dims[HD_MAX_RANK];
  if (hd_state_constant(state, i, result.rank, dims))
    for (uint32_t d = 0; d < result.rank; ++d) result.dims[d] = dims[d] < 0 ? HD_DYNAMIC : dims[d];
  *out = hd_sketch_type(state, element, &result);
  return true;
}

bool hd_infer_dynamic_reshape(const hd_op_state *state, hd_type *out) {
  return from_shape_operand(state, 1, hd_type_element(hd_state_type(state, 0)), out);
}
bool hd_infer_dynamic_broadcast_in_dim(const hd_op_state *state, hd_type *out) {
  return from_shape_operand(state, 1, hd_type_element(hd_state_type(state, 0)), out);
}
bool hd_infer_dynamic_iota(const hd_op_state *state, hd_type *out) {
  hd_type hint = hd_state_hint(state, 0);
  return hint && from_shape_operand(state, 0, hd_type_element(hint), out);
}
bool hd_infer_rng(const hd_op_state *state, hd_type *out) {
  for (size_t i = 0; i < 2; ++i) {
    hd_type type = hd_state_type(state, i);
    if (hd_is_ranked(type) && type->shaped.rank)
      return hd_infer_error(state, "expects scalar parameters, got rank %u", type->shaped.rank);
  }
  if (hd_type_element(hd_state_type(state, 0)) != hd_type_element(hd_state_type(state, 1)))
    return hd_infer_error(state, "expects parameters of one element type");
  return from_shape_operand(state, 2, hd_type_element(hd_state_type(state, 0)), out);
}

static bool check_axis(const hd_op_state *state, uint32_t rank) {
  int64_t axis = hd_state_int(state, HD_NAME_dimension, 0);
  if (axis >= 0 && axis < rank) return true;
  return hd_infer_error(state, "expects a dimension in [0, %u), got %lld", rank, (long long)axis);
}

bool hd_infer_get_dimension_size(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0);
  if (hd_is_ranked(type) && !check_axis(state, type->shaped.rank)) return false;
  *out = hd_type_tensor(hd_i32(state->context), NULL, 0, NULL);
  return true;
}

bool hd_infer_set_dimension_size(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  hd_type size = hd_state_type(state, 1);
  if (hd_is_ranked(size) && size->shaped.rank)
    return hd_infer_error(state, "expects a scalar size, got rank %u", size->shaped.rank);
  LOAD_OR_UNRANKED(in, 0);
  if (!check_axis(state, in.rank)) return false;
  uint32_t axis = (uint32_t)hd_state_int(state, HD_NAME_dimension, 0);
  int64_t value;
  if (hd_state_constant(state, 1, 1, &value) && value == in.dims[axis]) {
    *out = hd_state_type(state, 0);
    return true;
  }
  if (in.dims[axis] != HD_DYNAMIC) in.bounds[axis] = in.dims[axis];
  in.dims[axis] = HD_DYNAMIC;
  *out = hd_sketch_type(state, hd_type_element(hd_state_type(state, 0)), &in);
  return true;
}
