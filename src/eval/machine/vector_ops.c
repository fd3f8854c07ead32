/* SPDX-License-Identifier: Apache-2.0 */
/* The vector dialect on values: making and rearranging vectors, and arithmetic.
 * Accesses to memory are in vector_memory.c. */
#include <math.h>
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "eval/machine/vectors.h"
#include "ir/ops/interfaces.h"

static size_t bytes_of(hd_type type) { return hd_vector_bytes(type); }
static char *lane(const hd_tensor *v, size_t i) { return hd_vector_lane(v, i); }

/* ---- making and rearranging ---- */

HD_EVAL_HOOK(vector_broadcast) {
  hd_type type = hd_result_type(op, 0), from = in[0].type;
  HD_TRY(hd_eval_value(frame, type, out));
  uint32_t rank = type->shaped.rank, missing = hd_type_is(from, HD_TYPE_VECTOR) ? rank - from->shaped.rank : rank;
  int64_t index[HD_MAX_RANK] = {0};
  size_t at = 0, bytes = bytes_of(type);
  if (!hd_lanes_of(type)) return HD_STATUS_OK;
  do {
    size_t source = 0;
    for (uint32_t d = missing; d < rank; ++d) {
      int64_t size = from->shaped.dims[d - missing];
      source = source * (size_t)size + (size_t)(size == 1 ? 0 : index[d]);
    }
    memcpy(lane(out, at++), lane(&in[0], source), bytes);
  } while (hd_index_next(rank, type->shaped.dims, index));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_step) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  hd_type element = hd_type_element(out->type);
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) hd_element_store(element, lane(out, i), (int64_t)i);
  return HD_STATUS_OK;
}

static hd_status box_mask(hd_eval_frame *frame, hd_type type, const int64_t *limits, hd_tensor *out) {
  HD_TRY(hd_eval_value(frame, type, out));
  int64_t index[HD_MAX_RANK] = {0};
  size_t at = 0;
  do {
    bool inside = true;
    for (uint32_t d = 0; d < type->shaped.rank; ++d) inside &= index[d] < limits[d];
    *lane(out, at++) = inside;
  } while (hd_index_next(type->shaped.rank, type->shaped.dims, index));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_create_mask) {
  int64_t *limits;
  HD_TRY(hd_eval_index_operands(frame, in, op->operand_count, &limits));
  return box_mask(frame, hd_result_type(op, 0), limits, out);
}

HD_EVAL_HOOK(vector_constant_mask) {
  hd_eval_ints limits;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_mask_dim_sizes, &limits));
  return box_mask(frame, hd_result_type(op, 0), limits.data, out);
}

/* The number of the first lane at the position of |op|, and how many lanes are there. */
static hd_status position_of(hd_op *op, hd_type whole, const hd_tensor *dynamic, size_t *out_first, size_t *out_count) {
  hd_attr list = hd_positioned_static_position(op);
  size_t n = hd_attr_count(list), first = 0, used = 0, count = 1;
  for (uint32_t d = 0; d < whole->shaped.rank; ++d) {
    int64_t at = 0, size = whole->shaped.dims[d];
    if (d < n) {
      at = hd_attr_int_at(list, d);
      if (at == HD_DYNAMIC) at = hd_eval_int(&dynamic[used++]);
      if (at < 0 || at >= size)
        return hd_make_status(HD_INVALID_ARGUMENT, "position %lld of %lld lanes", (long long)at, (long long)size);
    } else {
      count *= (size_t)size;
    }
    first = first * (size_t)size + (size_t)at;
  }
  *out_first = first;
  *out_count = count;
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_extract) {
  size_t first, count;
  HD_TRY(position_of(op, in[0].type, in + 1, &first, &count));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), lane(&in[0], first), out->buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_insert) {
  size_t first, count;
  HD_TRY(position_of(op, in[1].type, in + 2, &first, &count));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[1]), out->buffer->size);
  memcpy(lane(out, first), hd_tensor_data(&in[0]), in[0].buffer->size);
  return HD_STATUS_OK;
}

/* Copies between a vector and a box of another; |insert| writes the box. */
static void strided(hd_op *op, const hd_tensor *whole, hd_tensor *part, bool insert) {
  hd_attr offsets = hd_strided_slice_like_offsets(op), strides = hd_strided_slice_like_strides(op);
  uint32_t rank = whole->type->shaped.rank, small = part->type->shaped.rank;
  int64_t index[HD_MAX_RANK] = {0};
  size_t at = 0, bytes = bytes_of(whole->type);
  do {
    size_t source = 0;
    for (uint32_t d = 0; d < rank; ++d) {
      int64_t i = d + small >= rank ? index[d + small - rank] : 0;
      uint32_t listed = insert && d + small >= rank ? d + small - rank : d;
      int64_t stride = insert                       ? (d + small >= rank ? hd_attr_int_at(strides, listed) : 1)
                       : d < hd_attr_count(strides) ? hd_attr_int_at(strides, d)
                                                    : 1;
      int64_t offset = d < hd_attr_count(offsets) ? hd_attr_int_at(offsets, d) : 0;
      source = source * (size_t)whole->type->shaped.dims[d] + (size_t)(offset + i * stride);
    }
    if (insert)
      memcpy(lane(whole, source), lane(part, at++), bytes);
    else
      memcpy(lane(part, at++), lane(whole, source), bytes);
  } while (hd_index_next(small, part->type->shaped.dims, index));
}

HD_EVAL_HOOK(vector_extract_strided_slice) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  strided(op, &in[0], out, false);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_insert_strided_slice) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[1]), out->buffer->size);
  hd_tensor part = in[0];
  strided(op, out, &part, true);
  return HD_STATUS_OK;
}

/* Rows of both vectors in the order of the list. */
HD_EVAL_HOOK(vector_shuffle) {
  hd_eval_ints mask;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_mask, &mask));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  int64_t first = in[0].type->shaped.rank ? in[0].type->shaped.dims[0] : 1;
  size_t row = in[0].buffer->size / (size_t)first;
  int64_t second = (int64_t)(in[1].buffer->size / row);
  memset(hd_tensor_data(out), 0, out->buffer->size);
  for (size_t i = 0; i < mask.count; ++i) {
    int64_t k = mask.data[i];
    if (k < 0) continue; /* any value */
    if (k >= first + second) return hd_make_status(HD_INVALID_ARGUMENT, "takes row %lld", (long long)k);
    const hd_tensor *from = k < first ? &in[0] : &in[1];
    memcpy((char *)hd_tensor_data(out) + i * row,
           (char *)hd_tensor_data(from) + (size_t)(k < first ? k : k - first) * row, row);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_interleave) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  size_t bytes = bytes_of(out->type);
  for (size_t i = 0; i < hd_lanes_of(in[0].type); ++i) {
    memcpy(lane(out, 2 * i), lane(&in[0], i), bytes);
    memcpy(lane(out, 2 * i + 1), lane(&in[1], i), bytes);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_deinterleave) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), &out[0]));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 1), &out[1]));
  for (size_t i = 0; i < hd_lanes_of(in[0].type); ++i)
    memcpy(lane(&out[i % 2], i / 2), lane(&in[0], i), bytes_of(in[0].type));
  return HD_STATUS_OK;
}

/* The same bytes by another type. */
static hd_status same_bytes(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  if (out->buffer->size != in[0].buffer->size)
    return hd_make_status(HD_INVALID_ARGUMENT, "source and result differ in size");
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[0]), out->buffer->size);
  return HD_STATUS_OK;
}
HD_EVAL_HOOK(vector_shape_cast) { return same_bytes(frame, op, in, out); }
HD_EVAL_HOOK(vector_bitcast) { return same_bytes(frame, op, in, out); }

HD_EVAL_HOOK(vector_transpose) {
  hd_eval_ints order;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_permutation, &order));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  uint32_t rank = out->type->shaped.rank;
  int64_t from[HD_MAX_RANK], strides[HD_MAX_RANK], to[HD_MAX_RANK];
  hd_strides_of(rank, in[0].type->shaped.dims, from);
  for (uint32_t d = 0; d < rank; ++d) strides[d] = from[order.data[d]];
  hd_strides_of(rank, out->type->shaped.dims, to);
  hd_tensor_copy_strided(rank, out->type->shaped.dims, bytes_of(out->type), hd_tensor_data(out), to,
                         hd_tensor_data(&in[0]), strides);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_from_elements) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  for (uint32_t i = 0; i < op->operand_count; ++i) memcpy(lane(out, i), hd_tensor_data(&in[i]), bytes_of(out->type));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_to_elements) {
  for (uint32_t i = 0; i < op->result_count; ++i) {
    HD_TRY(hd_eval_value(frame, hd_result_type(op, i), &out[i]));
    memcpy(hd_tensor_data(&out[i]), lane(&in[0], i), bytes_of(in[0].type));
  }
  return HD_STATUS_OK;
}

/* ---- arithmetic ---- */

HD_EVAL_HOOK(vector_fma) { return hd_eval_math_fma(frame, op, in, out); }

static float normal_or_zero(float x) { return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x; }

HD_EVAL_HOOK(avx512_dot) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) {
    double sum, a[2], b[2];
    hd_load_doubles(hd_type_element(in[0].type), lane(&in[0], i), 1, &sum);
    hd_load_doubles(hd_type_element(in[1].type), lane(&in[1], 2 * i), 2, a);
    hd_load_doubles(hd_type_element(in[2].type), lane(&in[2], 2 * i), 2, b);
    for (int k = 1; k >= 0; --k)
      sum = normal_or_zero(fmaf(normal_or_zero((float)a[k]), normal_or_zero((float)b[k]), normal_or_zero((float)sum)));
    hd_store_doubles(hd_type_element(out->type), lane(out, i), 1, &sum);
  }
  return HD_STATUS_OK;
}

hd_type hd_vector_sum_type(hd_type type) {
  hd_type element = hd_type_element(type);
  if (element->kind != HD_TYPE_FLOAT || hd_type_bits(element) >= 32) return type;
  return hd_type_is_shaped(type) ? hd_type_with_element(type, hd_f32(type->context)) : hd_f32(type->context);
}

hd_status hd_vector_convert(hd_eval_frame *frame, const hd_tensor *from, hd_type type, hd_tensor *out) {
  HD_TRY(hd_eval_value(frame, type, out));
  for (size_t i = 0, count = hd_lanes_of(type); i < count; ++i) {
    double number;
    hd_load_doubles(hd_type_element(from->type), lane(from, i), 1, &number);
    hd_store_doubles(hd_type_element(type), lane(out, i), 1, &number);
  }
  return HD_STATUS_OK;
}

/* Runs |hook| on operands [first, op->operand_count) in the types that their lanes come together in. */
static hd_status combine_wide(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out,
                              hd_status (*hook)(hd_eval_frame *, hd_op *, const hd_tensor *, hd_tensor *)) {
  hd_type result = hd_result_type(op, 0), wide_result = hd_vector_sum_type(result);
  if (wide_result == result) return hook(frame, op, in, out);
  hd_tensor wide[2], made = {0};
  hd_status status = HD_STATUS_OK;
  uint32_t count = 0;
  for (; count < op->operand_count && count < 2 && hd_is_ok(status); ++count)
    status = hd_vector_convert(frame, &in[count], hd_vector_sum_type(in[count].type), &wide[count]);
  if (hd_is_ok(status)) status = hook(frame, op, wide, &made);
  if (hd_is_ok(status)) status = hd_vector_convert(frame, &made, result, out);
  for (uint32_t i = 0; i < count; ++i) hd_tensor_release(&wide[i]);
  hd_tensor_release(&made);
  return status;
}

static hd_status reduce(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  HD_TRY(hd_eval_value(frame, hd_vector_sum_type(hd_result_type(op, 0)), out));
  const hd_tensor *mask = hd_eval_take_mask(frame);
  size_t count = hd_lanes_of(in[0].type);
  bool any = op->operand_count > 1;
  hd_opcode combination = hd_arith_op_of_vector_kind(hd_vector_reduction_kind(op), out->type);
  if (mask && hd_lanes_of(mask->type) != count)
    return hd_make_status(HD_INVALID_ARGUMENT, "has a mask of another shape than its vector");
  if (any) memcpy(hd_tensor_data(out), hd_tensor_data(&in[1]), out->buffer->size);
  for (size_t i = 0; i < count; ++i) {
    if (mask && !*lane(mask, i)) continue;
    if (any)
      HD_TRY(hd_eval_combine(combination, out->type, hd_tensor_data(out), lane(&in[0], i), hd_tensor_data(out)));
    else
      memcpy(hd_tensor_data(out), lane(&in[0], i), out->buffer->size);
    any = true;
  }
  return any ? HD_STATUS_OK : hd_make_status(HD_UNIMPLEMENTED, "reduces no lane and has no initial value");
}

HD_EVAL_HOOK(vector_reduction) { return combine_wide(frame, op, in, out, reduce); }

static hd_status reduce_dims(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  hd_eval_ints dims;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_reduction_dims, &dims));
  HD_TRY(hd_eval_value(frame, in[1].type, out));
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[1]), out->buffer->size);
  const hd_tensor *mask = hd_eval_take_mask(frame);
  hd_type source = in[0].type, element = hd_type_element(source);
  hd_opcode combination = hd_arith_op_of_vector_kind(hd_vector_multi_reduction_kind(op), element);
  if (mask && hd_lanes_of(mask->type) != hd_lanes_of(source))
    return hd_make_status(HD_INVALID_ARGUMENT, "has a mask of another shape than its vector");
  int64_t index[HD_MAX_RANK] = {0};
  for (size_t at = 0; at == 0 || hd_index_next(source->shaped.rank, source->shaped.dims, index); ++at) {
    size_t to = 0;
    if (mask && !*lane(mask, at)) continue;
    for (uint32_t d = 0; d < source->shaped.rank; ++d) {
      bool reduced = false;
      for (size_t i = 0; i < dims.count; ++i) reduced |= dims.data[i] == d;
      if (!reduced) to = to * (size_t)source->shaped.dims[d] + (size_t)index[d];
    }
    HD_TRY(hd_eval_combine(combination, element, lane(out, to), lane(&in[0], at), lane(out, to)));
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_multi_reduction) { return combine_wide(frame, op, in, out, reduce_dims); }
