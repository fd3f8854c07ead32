/* SPDX-License-Identifier: Apache-2.0 */
/* Result types of reductions, windows, sorts and maps. */
#include "ir/infer.h"

/* The element of result |i|: what the region gives, else the hint's, else the init value's. */
static hd_type reduced_element(const hd_op_state *state, size_t region, size_t i, hd_type otherwise) {
  hd_type yielded = hd_state_yielded(state, region, (uint32_t)i), hint = hd_state_hint(state, i);
  if (yielded && hd_type_is_tensor(yielded)) return hd_type_element(yielded);
  return hd_type_element(hint ? hint : otherwise);
}

/* Inputs and init values in equal numbers, at least one each; the number in |out|. */
static bool halves(const hd_op_state *state, size_t *out) {
  *out = state->operand_count / 2;
  if (!*out || state->operand_count % 2)
    return hd_infer_error(state, "expects as many init values as inputs, and at least one, got %zu operands",
                          state->operand_count);
  if (!hd_check_result_count(state, *out)) return false;
  for (size_t i = *out; i < state->operand_count; ++i) {
    hd_type type = hd_state_type(state, i);
    if (hd_is_ranked(type) && type->shaped.rank)
      return hd_infer_error(state, "expects scalar init values, got rank %u", type->shaped.rank);
  }
  return true;
}

/* The inputs' shape met; false for differing ones. |out->rank| stays UINT32_MAX when none is ranked. */
static bool inputs_shape(const hd_op_state *state, size_t count, hd_sketch *out) {
  out->rank = UINT32_MAX;
  for (size_t i = 0; i < count; ++i) {
    hd_sketch other;
    if (!hd_is_ranked(hd_state_type(state, i))) continue;
    if (!hd_sketch_of(state, hd_state_type(state, i), &other)) return false;
    if (out->rank == UINT32_MAX) {
      *out = other;
      continue;
    }
    if (other.rank != out->rank)
      return hd_infer_error(state, "expects inputs of one rank, got %u and %u", out->rank, other.rank);
    for (uint32_t d = 0; d < other.rank; ++d) {
      int64_t before = out->dims[d];
      if (!hd_sketch_meet_dim(out, d, &other, d))
        return hd_infer_error(state, "expects inputs of one shape, dim %u differs: %s and %s", d, hd_dim_text(before),
                              hd_dim_text(other.dims[d]));
    }
  }
  return true;
}

bool hd_infer_reduce(const hd_op_state *state, hd_type *out) {
  size_t count;
  hd_sketch in;
  int64_t dims[HD_MAX_RANK];
  uint32_t dim_count;
  if (!halves(state, &count) || !inputs_shape(state, count, &in) ||
      !hd_state_list(state, HD_NAME_dimensions, dims, &dim_count))
    return false;
  hd_sketch result = {0};
  if (in.rank != UINT32_MAX) {
    if (!hd_check_dims(state, "dimensions", dims, dim_count, in.rank)) return false;
    result.encoding = in.encoding;
    for (uint32_t i = 0; i < in.rank; ++i) {
      bool reduced = false;
      for (uint32_t k = 0; k < dim_count; ++k) reduced |= dims[k] == i;
      if (!reduced) hd_sketch_copy_dim(&result, result.rank++, &in, i);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    hd_type element = reduced_element(state, 0, i, hd_state_type(state, count + i));
    out[i] = in.rank == UINT32_MAX ? hd_type_unranked_tensor(element) : hd_sketch_type(state, element, &result);
  }
  return true;
}

/* The number of positions of a window, HD_DYNAMIC when it is not known, -1 on overflow. */
static int64_t positions(int64_t in, int64_t window, int64_t stride, int64_t low, int64_t high, int64_t base,
                         int64_t dilation) {
  if (in == HD_DYNAMIC) return HD_DYNAMIC;
  int64_t size = 0, span = 0;
  if (in > 0 && (__builtin_mul_overflow(in - 1, base, &size) || __builtin_add_overflow(size, 1, &size))) return -1;
  if (window > 0 && (__builtin_mul_overflow(window - 1, dilation, &span) || __builtin_add_overflow(span, 1, &span)))
    return -1;
  if (__builtin_add_overflow(size, low, &size) || __builtin_add_overflow(size, high, &size)) return -1;
  return size <= 0 || span > size ? 0 : (size - span) / stride + 1;
}

/* The shape of the windows over |in|; window, strides, dilations and padding from the attributes. */
static bool window_shape(const hd_op_state *state, const hd_sketch *in, bool dilated, hd_sketch *out) {
  int64_t window[HD_MAX_RANK], strides[HD_MAX_RANK], base[HD_MAX_RANK], dilation[HD_MAX_RANK], pads[2 * HD_MAX_RANK];
  if (!hd_state_ints(state, HD_NAME_window_dimensions, in->rank, 1, window) ||
      !hd_state_ints(state, HD_NAME_window_strides, in->rank, 1, strides) ||
      !hd_state_ints(state, HD_NAME_padding, 2 * (size_t)in->rank, 0, pads))
    return false;
  for (uint32_t i = 0; i < in->rank; ++i) base[i] = dilation[i] = 1;
  if (dilated && (!hd_state_ints(state, HD_NAME_base_dilations, in->rank, 1, base) ||
                  !hd_state_ints(state, HD_NAME_window_dilations, in->rank, 1, dilation)))
    return false;
  *out = hd_sketch_unknown(in->rank);
  for (uint32_t i = 0; i < in->rank; ++i) {
    if (window[i] < 1 || strides[i] < 1 || base[i] < 1 || dilation[i] < 1)
      return hd_infer_error(state, "expects window sizes, strides and dilations of 1 or more in dim %u", i);
    out->dims[i] = positions(in->dims[i], window[i], strides[i], pads[2 * i], pads[2 * i + 1], base[i], dilation[i]);
    if (out->dims[i] == -1) return hd_infer_error(state, "the window of dim %u overflows", i);
    if (in->dims[i] != HD_DYNAMIC || in->bounds[i] == HD_DYNAMIC) continue;
    int64_t bound = positions(in->bounds[i], window[i], strides[i], pads[2 * i], pads[2 * i + 1], base[i], dilation[i]);
    if (bound >= 0) out->bounds[i] = bound;
    if (!out->encoding) out->encoding = in->encoding;
  }
  return true;
}

bool hd_infer_reduce_window(const hd_op_state *state, hd_type *out) {
  size_t count;
  hd_sketch in, result = {0};
  if (!halves(state, &count) || !inputs_shape(state, count, &in)) return false;
  if (in.rank != UINT32_MAX && !window_shape(state, &in, true, &result)) return false;
  for (size_t i = 0; i < count; ++i) {
    hd_type element = reduced_element(state, 0, i, hd_state_type(state, count + i));
    out[i] = in.rank == UINT32_MAX ? hd_type_unranked_tensor(element) : hd_sketch_type(state, element, &result);
  }
  return true;
}

bool hd_infer_select_and_scatter(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0), source_type = hd_state_type(state, 1), init = hd_state_type(state, 2);
  hd_sketch in, source, shape;
  hd_type element = reduced_element(state, 1, 0, type);
  *out = hd_type_with_element(type, element);
  if (hd_is_ranked(init) && init->shaped.rank)
    return hd_infer_error(state, "expects a scalar init value, got rank %u", init->shaped.rank);
  if (!hd_is_ranked(type)) return true;
  if (!hd_sketch_of(state, type, &in) || !window_shape(state, &in, false, &shape)) return false;
  if (!hd_is_ranked(source_type)) return true;
  if (!hd_sketch_of(state, source_type, &source)) return false;
  if (source.rank != in.rank)
    return hd_infer_error(state, "expects a source of rank %u, got rank %u", in.rank, source.rank);
  for (uint32_t i = 0; i < in.rank; ++i)
    if (shape.dims[i] != HD_DYNAMIC && source.dims[i] != HD_DYNAMIC && shape.dims[i] != source.dims[i])
      return hd_infer_error(state, "expects a source with one element per window, %lld in dim %u, got %lld",
                            (long long)shape.dims[i], i, (long long)source.dims[i]);
  return true;
}

bool hd_infer_sort(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  if (!state->operand_count) return hd_infer_error(state, "expects at least one operand");
  if (!hd_check_result_count(state, state->operand_count)) return false;
  if (!inputs_shape(state, state->operand_count, &in)) return false;
  int64_t axis = hd_state_int(state, HD_NAME_dimension, -1);
  if (in.rank != UINT32_MAX && (axis < -(int64_t)in.rank || axis >= in.rank) &&
      !(in.rank == 0 && (axis == -1 || axis == 0)))
    return hd_infer_error(state, "expects a dimension in [-%u, %u), got %lld", in.rank, in.rank, (long long)axis);
  for (size_t i = 0; i < state->operand_count; ++i) out[i] = hd_state_type(state, i);
  return true;
}

bool hd_infer_map(const hd_op_state *state, hd_type *out) {
  hd_sketch in;
  int64_t dims[HD_MAX_RANK];
  uint32_t count;
  if (!state->operand_count) return hd_infer_error(state, "expects at least one operand");
  if (!inputs_shape(state, state->operand_count, &in) || !hd_state_list(state, HD_NAME_dimensions, dims, &count))
    return false;
  hd_type element = reduced_element(state, 0, 0, hd_state_type(state, 0));
  if (in.rank == UINT32_MAX) {
    *out = hd_type_unranked_tensor(element);
    return true;
  }
  if (count != in.rank)
    return hd_infer_error(state, "expects 'dimensions' to list all %u dims, got %u", in.rank, count);
  for (uint32_t i = 0; i < count; ++i)
    if (dims[i] != i)
      return hd_infer_error(state, "expects 'dimensions' to be 0, 1, ..., got %lld at %u", (long long)dims[i], i);
  *out = hd_sketch_type(state, element, &in);
  return true;
}
