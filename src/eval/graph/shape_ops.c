/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that move elements without computing on them: constants, reshapes, broadcasts, slices, pads, concatenations; with
 * their dynamic forms, whose shapes come from operands. */
#include "eval/graph/shape_ops.h"

#include <string.h>

#include "eval/core/broadcast.h"
#include "eval/core/frame.h"
#include "eval/core/quantized.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/quantized.h"

HD_EVAL_HOOK(constant) {
  (void)in;
  hd_attr value = hd_stablehlo_constant_value(op);
  HD_TRY(hd_tensor_from_attr(hd_frame_heap(frame), value, out));
  return hd_eval_as_stored(frame, out, hd_quantized_element(hd_result_type(op, 0)));
}

static hd_status reshape_to(hd_eval_frame *frame, hd_op *op, const hd_tensor *operand, uint32_t rank,
                            const int64_t *dims, hd_tensor *out) {
  (void)op;
  return hd_eval_reshaped(frame, operand, hd_tensor_element(operand), rank, dims, out);
}

HD_EVAL_HOOK(reshape) {
  hd_type type = hd_result_type(op, 0);
  if (!hd_type_is(type, HD_TYPE_TENSOR)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a ranked result");
  if (type->shaped.rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the evaluator's limit");
  /* One unknown dim follows from the number of elements. */
  int64_t dims[HD_MAX_RANK], known = 1, unknown = -1, count = (int64_t)hd_tensor_count(&in[0]);
  for (uint32_t i = 0; i < type->shaped.rank; ++i) {
    dims[i] = type->shaped.dims[i];
    if (dims[i] == HD_DYNAMIC) {
      if (unknown >= 0) return hd_make_status(HD_INVALID_ARGUMENT, "expected at most one unknown dim in the result");
      unknown = i;
    } else if (__builtin_mul_overflow(known, dims[i], &known)) {
      return hd_make_status(HD_INVALID_ARGUMENT, "the number of elements of the result overflows");
    }
  }
  if (unknown >= 0) {
    if (known == 0 || count % known)
      return hd_make_status(HD_INVALID_ARGUMENT, "cannot reshape %lld elements to multiples of %lld", (long long)count,
                            (long long)known);
    dims[unknown] = count / known;
  }
  return reshape_to(frame, op, &in[0], type->shaped.rank, dims, out);
}

HD_EVAL_HOOK(dynamic_reshape) {
  hd_eval_ints shape;
  HD_TRY(hd_eval_operand_ints(frame, &in[1], "output_shape", &shape));
  for (size_t i = 0; i < shape.count; ++i)
    if (shape.data[i] < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %zu of output_shape is %lld", i, (long long)shape.data[i]);
  return reshape_to(frame, op, &in[0], (uint32_t)shape.count, shape.data, out);
}

/* The dims of a result: those known in its type, the rest from |op|'s only other source, which fails. */
static hd_status static_result_dims(hd_op *op, const int64_t **out_dims, uint32_t *out_rank) {
  hd_type type = hd_result_type(op, 0);
  if (!hd_type_is_static(type)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a result of known dims");
  *out_dims = type->shaped.dims;
  *out_rank = type->shaped.rank;
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(broadcast_in_dim) {
  const int64_t *dims = NULL;
  uint32_t rank = 0;
  hd_eval_ints axes;
  HD_TRY(static_result_dims(op, &dims, &rank));
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_broadcast_dimensions, &axes));
  return hd_eval_broadcast_to(frame, &in[0], &axes, rank, dims, out);
}

HD_EVAL_HOOK(broadcast) {
  hd_eval_ints sizes;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_broadcast_sizes, &sizes));
  uint32_t from_rank = hd_tensor_rank(&in[0]);
  if (sizes.count + from_rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the limit");
  int64_t dims[HD_MAX_RANK], axes[HD_MAX_RANK];
  for (size_t i = 0; i < sizes.count; ++i) dims[i] = sizes.data[i];
  for (uint32_t i = 0; i < from_rank; ++i) {
    dims[sizes.count + i] = hd_tensor_dims(&in[0])[i];
    axes[i] = (int64_t)sizes.count + i;
  }
  return hd_eval_broadcast_to(frame, &in[0], &(hd_eval_ints){from_rank, axes}, (uint32_t)sizes.count + from_rank, dims,
                              out);
}

HD_EVAL_HOOK(dynamic_broadcast_in_dim) {
  hd_eval_ints axes, shape;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_broadcast_dimensions, &axes));
  HD_TRY(hd_eval_operand_ints(frame, &in[1], "output_dimensions", &shape));
  return hd_eval_broadcast_to(frame, &in[0], &axes, (uint32_t)shape.count, shape.data, out);
}

HD_EVAL_HOOK(transpose) {
  hd_eval_ints permutation;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_permutation, &permutation));
  uint32_t rank = hd_tensor_rank(&in[0]);
  if (permutation.count != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "permutation: expected %u entries, got %zu", rank, permutation.count);
  HD_TRY(hd_eval_check_axes(&permutation, rank, "permutation"));
  HD_TRY(hd_eval_transposed(frame, &in[0], permutation.data, out));
  /* the dim along which there are scales has moved with its elements */
  hd_type q = hd_quantized_element(hd_result_type(op, 0));
  if (q && !hd_frame_is_expressing(frame)) out->type = hd_type_with_element(out->type, q);
  return HD_STATUS_OK;
}

hd_status hd_eval_transposed(hd_eval_frame *frame, const hd_tensor *operand, const int64_t *permutation,
                             hd_tensor *out) {
  uint32_t rank = hd_tensor_rank(operand);
  int64_t dims[HD_MAX_RANK], from_strides[HD_MAX_RANK], strides[HD_MAX_RANK], to_strides[HD_MAX_RANK];
  hd_strides_of(rank, hd_tensor_dims(operand), from_strides);
  for (uint32_t i = 0; i < rank; ++i) {
    dims[i] = hd_tensor_dims(operand)[permutation[i]];
    strides[i] = from_strides[permutation[i]];
  }
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(operand), rank, dims, out));
  hd_strides_of(rank, dims, to_strides);
  hd_tensor_copy_strided(rank, dims, hd_tensor_element_bytes(operand), hd_tensor_data(out), to_strides,
                         hd_tensor_data(operand), strides);
  return HD_STATUS_OK;
}

/* A slice: |start| inclusive, |limit| exclusive, |stride| at least 1; checked against the operand. */
static hd_status slice(hd_eval_frame *frame, const hd_tensor *operand, const int64_t *start, const int64_t *limit,
                       const int64_t *stride, hd_tensor *out) {
  uint32_t rank = hd_tensor_rank(operand);
  int64_t dims[HD_MAX_RANK], from_strides[HD_MAX_RANK], to_strides[HD_MAX_RANK], offset = 0;
  hd_strides_of(rank, hd_tensor_dims(operand), from_strides);
  for (uint32_t i = 0; i < rank; ++i) {
    int64_t size = hd_tensor_dims(operand)[i];
    if (start[i] < 0 || start[i] > limit[i] || limit[i] > size || stride[i] < 1)
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %u: slice %lld:%lld:%lld does not fit a size of %lld", i,
                            (long long)start[i], (long long)limit[i], (long long)stride[i], (long long)size);
    int64_t length = limit[i] - start[i];
    dims[i] = length ? (length - 1) / stride[i] + 1 : 0;
    offset += start[i] * from_strides[i];
  }
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(operand), rank, dims, out));
  if (!hd_tensor_count(out)) return HD_STATUS_OK;
  int64_t strides[HD_MAX_RANK];
  /* a stride beyond the size is never taken, but its product may overflow */
  for (uint32_t i = 0; i < rank; ++i) strides[i] = dims[i] > 1 ? from_strides[i] * stride[i] : 0;
  hd_strides_of(rank, dims, to_strides);
  size_t bytes = hd_tensor_element_bytes(operand);
  hd_tensor_copy_strided(rank, dims, bytes, hd_tensor_data(out), to_strides,
                         (const char *)hd_tensor_data(operand) + offset * (int64_t)bytes, strides);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(slice) {
  hd_eval_ints start, limit, stride;
  uint32_t rank = hd_tensor_rank(&in[0]);
  HD_TRY(hd_eval_ints_attr_or(frame, op, HD_NAME_start_indices, rank, 0, &start));
  HD_TRY(hd_eval_ints_attr_or(frame, op, HD_NAME_limit_indices, rank, 0, &limit));
  HD_TRY(hd_eval_ints_attr_or(frame, op, HD_NAME_strides, rank, 1, &stride));
  return slice(frame, &in[0], start.data, limit.data, stride.data, out);
}

HD_EVAL_HOOK(real_dynamic_slice) {
  hd_eval_ints start, limit, stride;
  uint32_t rank = hd_tensor_rank(&in[0]);
  HD_TRY(hd_eval_operand_ints(frame, &in[1], hd_name_text(HD_NAME_start_indices), &start));
  HD_TRY(hd_eval_operand_ints(frame, &in[2], hd_name_text(HD_NAME_limit_indices), &limit));
  HD_TRY(hd_eval_operand_ints(frame, &in[3], "strides", &stride));
  if (start.count != rank || limit.count != rank || stride.count != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u starts, limits and strides", rank);
  return slice(frame, &in[0], start.data, limit.data, stride.data, out);
}

/* Start indices given as one scalar operand per dim, clamped so that |sizes| fit. */
static hd_status clamped_starts(const hd_tensor *indices, size_t count, const hd_tensor *operand, const int64_t *sizes,
                                int64_t *out) {
  uint32_t rank = hd_tensor_rank(operand);
  if (count != rank) return hd_make_status(HD_INVALID_ARGUMENT, "expected %u start indices, got %zu", rank, count);
  for (uint32_t i = 0; i < rank; ++i) {
    if (hd_tensor_rank(&indices[i]) || hd_class_of(hd_tensor_element(&indices[i])) != HD_CLASS_INT)
      return hd_make_status(HD_INVALID_ARGUMENT, "start index %u: expected an integer scalar", i);
    int64_t value = hd_int_at(hd_tensor_element(&indices[i]), hd_tensor_data(&indices[i]), 0);
    int64_t last = hd_tensor_dims(operand)[i] - sizes[i];
    if (sizes[i] < 0 || last < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %u: a slice of %lld does not fit a size of %lld", i,
                            (long long)sizes[i], (long long)hd_tensor_dims(operand)[i]);
    out[i] = value < 0 ? 0 : value > last ? last : value;
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(dynamic_slice) {
  hd_eval_ints sizes;
  uint32_t rank = hd_tensor_rank(&in[0]);
  int64_t start[HD_MAX_RANK], limit[HD_MAX_RANK], stride[HD_MAX_RANK];
  HD_TRY(hd_eval_ints_attr_or(frame, op, HD_NAME_slice_sizes, rank, 0, &sizes));
  HD_TRY(clamped_starts(in + 1, op->operand_count - 1, &in[0], sizes.data, start));
  for (uint32_t i = 0; i < rank; ++i) {
    limit[i] = start[i] + sizes.data[i];
    stride[i] = 1;
  }
  return slice(frame, &in[0], start, limit, stride, out);
}

HD_EVAL_HOOK(dynamic_update_slice) {
  const hd_tensor *operand = &in[0], *update = &in[1];
  uint32_t rank = hd_tensor_rank(operand);
  if (hd_tensor_rank(update) != rank || hd_tensor_element(update) != hd_tensor_element(operand))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an update of the operand's rank and element type");
  int64_t start[HD_MAX_RANK], strides[HD_MAX_RANK], update_strides[HD_MAX_RANK], offset = 0;
  HD_TRY(clamped_starts(in + 2, op->operand_count - 2, operand, hd_tensor_dims(update), start));
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(operand), rank, hd_tensor_dims(operand), out));
  memcpy(hd_tensor_data(out), hd_tensor_data(operand), out->buffer->size);
  hd_strides_of(rank, hd_tensor_dims(operand), strides);
  hd_strides_of(rank, hd_tensor_dims(update), update_strides);
  for (uint32_t i = 0; i < rank; ++i) offset += start[i] * strides[i];
  size_t bytes = hd_tensor_element_bytes(operand);
  hd_tensor_copy_strided(rank, hd_tensor_dims(update), bytes, (char *)hd_tensor_data(out) + offset * (int64_t)bytes,
                         strides, hd_tensor_data(update), update_strides);
  return HD_STATUS_OK;
}

hd_status hd_eval_concatenated(hd_eval_frame *frame, const hd_tensor *parts, size_t count, int64_t axis,
                               hd_tensor *out) {
  if (!count) return hd_make_status(HD_INVALID_ARGUMENT, "expected at least one operand");
  uint32_t rank = hd_tensor_rank(&parts[0]);
  if (axis < 0 || axis >= (int64_t)rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "dimension: expected one in [0, %u), got %lld", rank, (long long)axis);
  int64_t dims[HD_MAX_RANK], strides[HD_MAX_RANK], from_strides[HD_MAX_RANK];
  memcpy(dims, hd_tensor_dims(&parts[0]), rank * sizeof *dims);
  dims[axis] = 0;
  for (size_t k = 0; k < count; ++k) {
    if (hd_tensor_rank(&parts[k]) != rank || hd_tensor_element(&parts[k]) != hd_tensor_element(&parts[0]))
      return hd_make_status(HD_INVALID_ARGUMENT, "operand %zu: expected the rank and element type of operand 0", k);
    for (uint32_t i = 0; i < rank; ++i)
      if (i != axis && hd_tensor_dims(&parts[k])[i] != dims[i])
        return hd_make_status(HD_INVALID_ARGUMENT, "operand %zu: dim %u is %lld, expected %lld", k, i,
                              (long long)hd_tensor_dims(&parts[k])[i], (long long)dims[i]);
    if (__builtin_add_overflow(dims[axis], hd_tensor_dims(&parts[k])[axis], &dims[axis]))
      return hd_make_status(HD_INVALID_ARGUMENT, "the size of the result overflows");
  }
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(&parts[0]), rank, dims, out));
  hd_strides_of(rank, dims, strides);
  size_t bytes = hd_tensor_element_bytes(out);
  int64_t at = 0;
  for (size_t k = 0; k < count; ++k) {
    hd_strides_of(rank, hd_tensor_dims(&parts[k]), from_strides);
    hd_tensor_copy_strided(rank, hd_tensor_dims(&parts[k]), bytes,
                           (char *)hd_tensor_data(out) + at * strides[axis] * (int64_t)bytes, strides,
                           hd_tensor_data(&parts[k]), from_strides);
    at += hd_tensor_dims(&parts[k])[axis];
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(concatenate) {
  return hd_eval_concatenated(frame, in, op->operand_count, hd_stablehlo_concatenate_dimension(op), out);
}

/* |low|, |high| of any sign, |interior| of 0 or more. */
static hd_status pad(hd_eval_frame *frame, const hd_tensor *operand, const hd_tensor *value, const hd_eval_ints *low,
                     const hd_eval_ints *high, const hd_eval_ints *interior, hd_tensor *out) {
  uint32_t rank = hd_tensor_rank(operand);
  if (hd_tensor_element(value) != hd_tensor_element(operand) || hd_tensor_rank(value))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a scalar padding value of the operand's element type");
  if (low->count != rank || high->count != rank || interior->count != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u paddings per side", rank);
  int64_t dims[HD_MAX_RANK];
  for (uint32_t i = 0; i < rank; ++i) {
    int64_t size = hd_tensor_dims(operand)[i], gaps = size > 0 ? size - 1 : 0, spread, total;
    if (interior->data[i] < 0) return hd_make_status(HD_INVALID_ARGUMENT, "dim %u: interior padding is negative", i);
    if (__builtin_mul_overflow(gaps, interior->data[i], &spread) || __builtin_add_overflow(size, spread, &total) ||
        __builtin_add_overflow(total, low->data[i], &total) || __builtin_add_overflow(total, high->data[i], &total))
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %u: the padded size overflows", i);
    if (total < 0) return hd_make_status(HD_INVALID_ARGUMENT, "dim %u: the padded size is %lld", i, (long long)total);
    dims[i] = total;
  }
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(operand), rank, dims, out));
  size_t bytes = hd_tensor_element_bytes(out), count = hd_tensor_count(out);
  char *to = hd_tensor_data(out);
  for (size_t i = 0; i < count; ++i) memcpy(to + i * bytes, hd_tensor_data(value), bytes);
  if (!count || !hd_tensor_count(operand)) return HD_STATUS_OK;
  /* Only operand elements that land inside are copied: per dim the first and last. */
  int64_t first[HD_MAX_RANK], extent[HD_MAX_RANK], from_strides[HD_MAX_RANK], to_strides[HD_MAX_RANK], from_offset = 0,
                                                                                                       to_offset = 0;
  hd_strides_of(rank, hd_tensor_dims(operand), from_strides);
  hd_strides_of(rank, dims, to_strides);
  for (uint32_t i = 0; i < rank; ++i) {
    /* One element has no gap: whatever step it is given, it must not overflow. */
    int64_t size = hd_tensor_dims(operand)[i], step = size > 1 ? interior->data[i] + 1 : 1, room;
    first[i] = low->data[i] >= 0 ? 0 : -(low->data[i] + 1) / step + 1;
    /* the last target position, as an offset from element 0 */
    if (__builtin_sub_overflow(dims[i] - 1, low->data[i], &room)) room = INT64_MAX;
    int64_t last = room < 0 ? -1 : room / step;
    if (last > size - 1) last = size - 1;
    extent[i] = last - first[i] + 1;
    if (extent[i] <= 0) return HD_STATUS_OK;
    from_offset += first[i] * from_strides[i];
    to_offset += (low->data[i] + first[i] * step) * to_strides[i];
    to_strides[i] = extent[i] > 1 ? to_strides[i] * step : 0;
  }
  hd_tensor_copy_strided(rank, extent, bytes, to + to_offset * (int64_t)bytes, to_strides,
                         (const char *)hd_tensor_data(operand) + from_offset * (int64_t)bytes, from_strides);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(pad) {
  hd_eval_ints low, high, interior;
  uint32_t rank = hd_tensor_rank(&in[0]);
  HD_TRY(hd_eval_ints_attr_or(frame, op, HD_NAME_edge_padding_low, rank, 0, &low));
  HD_TRY(hd_eval_ints_attr_or(frame, op, HD_NAME_edge_padding_high, rank, 0, &high));
  HD_TRY(hd_eval_ints_attr_or(frame, op, HD_NAME_interior_padding, rank, 0, &interior));
  return pad(frame, &in[0], &in[1], &low, &high, &interior, out);
}

HD_EVAL_HOOK(dynamic_pad) {
  hd_eval_ints low, high, interior;
  HD_TRY(hd_eval_operand_ints(frame, &in[2], hd_name_text(HD_NAME_edge_padding_low), &low));
  HD_TRY(hd_eval_operand_ints(frame, &in[3], hd_name_text(HD_NAME_edge_padding_high), &high));
  HD_TRY(hd_eval_operand_ints(frame, &in[4], hd_name_text(HD_NAME_interior_padding), &interior));
  return pad(frame, &in[0], &in[1], &low, &high, &interior, out);
}

HD_EVAL_HOOK(reverse) {
  hd_eval_ints axes;
  uint32_t rank = hd_tensor_rank(&in[0]);
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_dimensions, &axes));
  HD_TRY(hd_eval_check_axes(&axes, rank, "dimensions"));
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(&in[0]), rank, hd_tensor_dims(&in[0]), out));
  if (!hd_tensor_count(out)) return HD_STATUS_OK;
  int64_t strides[HD_MAX_RANK], from_strides[HD_MAX_RANK], offset = 0;
  hd_strides_of(rank, hd_tensor_dims(out), strides);
  memcpy(from_strides, strides, sizeof strides);
  for (size_t i = 0; i < axes.count; ++i) {
    int64_t axis = axes.data[i];
    offset += (hd_tensor_dims(out)[axis] - 1) * strides[axis];
    from_strides[axis] = -strides[axis];
  }
  size_t bytes = hd_tensor_element_bytes(out);
  hd_tensor_copy_strided(rank, hd_tensor_dims(out), bytes, hd_tensor_data(out), strides,
                         (const char *)hd_tensor_data(&in[0]) + offset * (int64_t)bytes, from_strides);
  return HD_STATUS_OK;
}

static hd_status iota(hd_eval_frame *frame, hd_op *op, uint32_t rank, const int64_t *dims, hd_tensor *out) {
  int64_t axis = hd_iota_like_iota_dimension(op);
  if (axis < 0 || axis >= (int64_t)rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "iota_dimension: expected one in [0, %u), got %lld", rank,
                          (long long)axis);
  HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
  hd_type element = hd_tensor_element(out), i64 = hd_i64(hd_frame_context(frame));
  size_t bytes = hd_type_element_bytes(element), count = hd_tensor_count(out);
  int64_t strides[HD_MAX_RANK];
  hd_strides_of(rank, dims, strides);
  char *to = hd_tensor_data(out);
  for (size_t i = 0; i < count; ++i) {
    int64_t value = (int64_t)i / strides[axis] % dims[axis];
    hd_convert_elements(i64, &value, element, to + i * bytes, 1);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(iota) {
  (void)in;
  const int64_t *dims = NULL;
  uint32_t rank = 0;
  HD_TRY(static_result_dims(op, &dims, &rank));
  return iota(frame, op, rank, dims, out);
}

HD_EVAL_HOOK(dynamic_iota) {
  hd_eval_ints shape;
  HD_TRY(hd_eval_operand_ints(frame, &in[0], "output_shape", &shape));
  if (shape.count > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the evaluator's limit");
  return iota(frame, op, (uint32_t)shape.count, shape.data, out);
}

HD_EVAL_HOOK(get_dimension_size) {
  int64_t axis = hd_stablehlo_get_dimension_size_dimension(op);
  uint32_t rank = hd_tensor_rank(&in[0]);
  if (axis < 0 || axis >= (int64_t)rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "dimension: expected one in [0, %u), got %lld", rank, (long long)axis);
  HD_TRY(hd_eval_result(frame, op, 0, 0, NULL, out));
  int64_t size = hd_tensor_dims(&in[0])[axis];
  hd_convert_elements(hd_i64(hd_frame_context(frame)), &size, hd_tensor_element(out), hd_tensor_data(out), 1);
  return HD_STATUS_OK;
}

/* The elements beyond the size are dropped: a tensor of the evaluator has exactly its dims. */
HD_EVAL_HOOK(set_dimension_size) {
  int64_t axis = hd_stablehlo_set_dimension_size_dimension(op);
  uint32_t rank = hd_tensor_rank(&in[0]);
  if (axis < 0 || axis >= (int64_t)rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "dimension: expected one in [0, %u), got %lld", rank, (long long)axis);
  if (hd_tensor_rank(&in[1]) || hd_class_of(hd_tensor_element(&in[1])) != HD_CLASS_INT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an integer scalar size");
  int64_t size = hd_int_at(hd_tensor_element(&in[1]), hd_tensor_data(&in[1]), 0);
  int64_t start[HD_MAX_RANK] = {0}, limit[HD_MAX_RANK], stride[HD_MAX_RANK];
  for (uint32_t i = 0; i < rank; ++i) {
    limit[i] = hd_tensor_dims(&in[0])[i];
    stride[i] = 1;
  }
  limit[axis] = size;
  return slice(frame, &in[0], start, limit, stride, out);
}
