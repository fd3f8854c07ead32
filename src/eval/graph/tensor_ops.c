/* SPDX-License-Identifier: Apache-2.0 */
/* The tensor dialect: tensors as values, with sizes that are values too. Where tensor leaves the content undefined
 * (tensor.empty) it is zero here and no program should read it. */
#include <string.h>

#include "eval/core/run.h"
#include "eval/core/scalar.h"
#include "ir/ops/interfaces.h"

static hd_status check_index(int64_t index, int64_t size, uint32_t dim) {
  if (index >= 0 && index < size) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "index %lld is outside of dim %u of size %lld", (long long)index, dim,
                        (long long)size);
}

/* The place of the element of |tensor| at |indices|. */
static hd_status place(const hd_tensor *tensor, const hd_tensor *indices, size_t *out) {
  size_t at = 0;
  for (uint32_t i = 0; i < hd_tensor_rank(tensor); ++i) {
    int64_t index = hd_eval_int(&indices[i]), size = hd_tensor_dims(tensor)[i];
    HD_TRY(check_index(index, size, i));
    at = at * (size_t)size + (size_t)index;
  }
  *out = at * hd_tensor_element_bytes(tensor);
  return HD_STATUS_OK;
}

/* A tensor of the result's type with |sizes| for its unknown dims. */
static hd_status sized(hd_eval_frame *frame, hd_op *op, const hd_tensor *sizes, uint32_t count, hd_tensor *out) {
  int64_t *dims;
  hd_type type = hd_result_type(op, 0);
  HD_TRY(hd_eval_sizes(frame, type, sizes, count, &dims));
  return hd_eval_result(frame, op, 0, type->shaped.rank, dims, out);
}

static hd_status copy_of(hd_eval_frame *frame, const hd_tensor *tensor, hd_tensor *out) {
  HD_TRY(hd_tensor_create(hd_frame_heap(frame), tensor->type, out));
  if (tensor->buffer->size) memcpy(hd_tensor_data(out), hd_tensor_data(tensor), tensor->buffer->size);
  return HD_STATUS_OK;
}

/* ---- types and sizes ---- */

/* A value has all its sizes; the frame checks that they are those of the type. */
HD_EVAL_HOOK(tensor_cast) {
  out[0] = hd_tensor_retain(in[0]);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tensor_bitcast) {
  hd_type element = hd_result_type(op, 0)->shaped.element;
  if (hd_type_element_bytes(element) != hd_tensor_element_bytes(&in[0]))
    return hd_make_status(HD_INVALID_ARGUMENT, "source and result differ in the size of elements");
  return hd_eval_reshaped(frame, &in[0], element, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out);
}

HD_EVAL_HOOK(tensor_dim) {
  int64_t i = hd_eval_int(&in[1]);
  if (i < 0 || i >= (int64_t)hd_tensor_rank(&in[0]))
    return hd_make_status(HD_INVALID_ARGUMENT, "dim %lld of rank %u", (long long)i, hd_tensor_rank(&in[0]));
  return hd_eval_int_result(frame, op, 0, hd_tensor_dims(&in[0])[i], out);
}

HD_EVAL_HOOK(tensor_rank) { return hd_eval_int_result(frame, op, 0, hd_tensor_rank(&in[0]), out); }

HD_EVAL_HOOK(tensor_reshape) {
  hd_eval_ints sizes;
  HD_TRY(hd_eval_operand_ints(frame, &in[1], "shape", &sizes));
  return hd_eval_reshaped(frame, &in[0], hd_tensor_element(&in[0]), (uint32_t)sizes.count, sizes.data, out);
}

HD_EVAL_HOOK(tensor_collapse_shape) {
  hd_attr groups = hd_reassociating_reassociation(op);
  int64_t dims[HD_MAX_RANK];
  size_t count = hd_attr_count(groups);
  if (count > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank %zu is above the limit", count);
  for (size_t g = 0; g < count; ++g) {
    hd_attr group = groups->array.items[g];
    dims[g] = 1;
    for (size_t k = 0; k < hd_attr_count(group); ++k)
      if (__builtin_mul_overflow(dims[g], hd_tensor_dims(&in[0])[hd_attr_int_at(group, k)], &dims[g]))
        return hd_make_status(HD_INVALID_ARGUMENT, "dim %zu of the result overflows", g);
  }
  return hd_eval_reshaped(frame, &in[0], hd_tensor_element(&in[0]), (uint32_t)count, dims, out);
}

HD_EVAL_HOOK(tensor_expand_shape) {
  int64_t *dims;
  size_t count;
  HD_TRY(hd_eval_mixed(frame, op, in, 1, HD_NAME_static_output_shape, &dims, &count));
  return hd_eval_reshaped(frame, &in[0], hd_tensor_element(&in[0]), (uint32_t)count, dims, out);
}

/* ---- elements ---- */

HD_EVAL_HOOK(tensor_empty) {
  HD_TRY(sized(frame, op, in, op->operand_count, out));
  memset(hd_tensor_data(out), 0, out->buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tensor_extract) {
  size_t at;
  HD_TRY(place(&in[0], in + 1, &at));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), (const char *)hd_tensor_data(&in[0]) + at, out->buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tensor_insert) {
  size_t at;
  HD_TRY(place(&in[1], in + 2, &at));
  HD_TRY(copy_of(frame, &in[1], out));
  memcpy((char *)hd_tensor_data(out) + at, hd_tensor_data(&in[0]), in[0].buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tensor_from_elements) {
  HD_TRY(sized(frame, op, NULL, 0, out));
  size_t bytes = hd_tensor_element_bytes(out);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    memcpy((char *)hd_tensor_data(out) + i * bytes, hd_tensor_data(&in[i]), bytes);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tensor_splat) {
  HD_TRY(sized(frame, op, in + 1, op->operand_count - 1, out));
  size_t bytes = hd_tensor_element_bytes(out);
  for (size_t i = 0; i < hd_tensor_count(out); ++i)
    memcpy((char *)hd_tensor_data(out) + i * bytes, hd_tensor_data(&in[0]), bytes);
  return HD_STATUS_OK;
}

/* *to, of |bytes|, = what the region of |op| gives at |index|. */
static hd_status element_at(hd_eval_frame *frame, hd_op *op, uint32_t rank, const int64_t *index, size_t bytes,
                            char *to) {
  hd_tensor args[HD_MAX_RANK], value = {0};
  hd_status status = HD_STATUS_OK;
  uint32_t made = 0;
  for (; made < rank && hd_is_ok(status); ++made) {
    status = hd_eval_value(frame, hd_type_index(hd_frame_context(frame)), &args[made]);
    if (hd_is_ok(status)) *(int64_t *)hd_tensor_data(&args[made]) = index[made];
  }
  if (hd_is_ok(status)) status = hd_eval_region(frame, op, 0, args, rank, &value, 1);
  if (hd_is_ok(status) && (!value.buffer || value.buffer->size != bytes))
    status = hd_make_status(HD_INVALID_ARGUMENT, "has a region that gives %zu bytes for an element of %zu",
                            value.buffer ? value.buffer->size : 0, bytes);
  if (hd_is_ok(status)) memcpy(to, hd_tensor_data(&value), bytes);
  hd_tensor_release(&value);
  while (made-- > 0) hd_tensor_release(&args[made]);
  return status;
}

HD_EVAL_HOOK(tensor_generate) {
  HD_TRY(sized(frame, op, in, op->operand_count, out));
  int64_t index[HD_MAX_RANK] = {0};
  uint32_t rank = hd_tensor_rank(out);
  size_t bytes = hd_tensor_element_bytes(out), at = 0;
  if (!hd_tensor_count(out)) return HD_STATUS_OK;
  do {
    HD_TRY(element_at(frame, op, rank, index, bytes, (char *)hd_tensor_data(out) + at));
    HD_TRY(hd_eval_poll(frame));
    at += bytes;
  } while (hd_index_next(rank, hd_tensor_dims(out), index));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tensor_pad) {
  int64_t *low, *high, index[HD_MAX_RANK] = {0}, dims[HD_MAX_RANK];
  size_t low_count, high_count;
  HD_TRY(hd_eval_mixed(frame, op, in, 1, HD_NAME_static_low, &low, &low_count));
  HD_TRY(hd_eval_mixed(frame, op, in, 2, HD_NAME_static_high, &high, &high_count));
  uint32_t rank = hd_tensor_rank(&in[0]);
  if (low_count != rank || high_count != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u amounts of padding, got %zu and %zu", rank, low_count,
                          high_count);
  for (uint32_t i = 0; i < rank; ++i) {
    if (low[i] < 0 || high[i] < 0) return hd_make_status(HD_INVALID_ARGUMENT, "pads dim %u by less than nothing", i);
    if (__builtin_add_overflow(low[i], hd_tensor_dims(&in[0])[i], &dims[i]) ||
        __builtin_add_overflow(dims[i], high[i], &dims[i]))
      return hd_make_status(HD_INVALID_ARGUMENT, "the size of dim %u overflows", i);
  }
  HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
  size_t bytes = hd_tensor_element_bytes(out);
  char *to = hd_tensor_data(out);
  const char *from = hd_tensor_data(&in[0]);
  if (!hd_tensor_count(out)) return HD_STATUS_OK;
  do {
    bool inside = true;
    size_t at = 0;
    for (uint32_t i = 0; i < rank; ++i) {
      int64_t size = hd_tensor_dims(&in[0])[i], k = index[i] - low[i];
      inside &= k >= 0 && k < size;
      at = at * (size_t)size + (size_t)k;
    }
    if (inside)
      memcpy(to, from + at * bytes, bytes);
    else
      HD_TRY(element_at(frame, op, rank, index, bytes, to));
    to += bytes;
  } while (hd_index_next(rank, dims, index));
  return HD_STATUS_OK;
}

/* ---- parts ---- */

HD_EVAL_HOOK(tensor_concat) {
  int64_t dim = hd_attr_int_or(hd_along_dim_dim_attr(op), -1), dims[HD_MAX_RANK], strides[HD_MAX_RANK];
  uint32_t rank = op->operand_count ? hd_tensor_rank(&in[0]) : 0;
  if (dim < 0 || dim >= (int64_t)rank) return hd_make_status(HD_INVALID_ARGUMENT, "has no dim %lld", (long long)dim);
  memcpy(dims, hd_tensor_dims(&in[0]), rank * sizeof *dims);
  for (uint32_t k = 1; k < op->operand_count; ++k)
    for (uint32_t i = 0; i < rank; ++i) {
      int64_t size = hd_tensor_dims(&in[k])[i];
      if (i == dim) {
        if (__builtin_add_overflow(dims[i], size, &dims[i]))
          return hd_make_status(HD_INVALID_ARGUMENT, "the size of dim %u overflows", i);
      } else if (size != dims[i])
        return hd_make_status(HD_INVALID_ARGUMENT, "operands 0 and %u differ in dim %u: %lld and %lld", k, i,
                              (long long)dims[i], (long long)size);
    }
  HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
  if (!hd_tensor_count(out)) return HD_STATUS_OK;
  hd_strides_of(rank, dims, strides);
  size_t bytes = hd_tensor_element_bytes(out);
  char *to = hd_tensor_data(out);
  for (uint32_t k = 0; k < op->operand_count; ++k) {
    int64_t from_strides[HD_MAX_RANK];
    hd_strides_of(rank, hd_tensor_dims(&in[k]), from_strides);
    hd_tensor_copy_strided(rank, hd_tensor_dims(&in[k]), bytes, to, strides, hd_tensor_data(&in[k]), from_strides);
    to += (size_t)(hd_tensor_dims(&in[k])[dim] * strides[dim]) * bytes;
  }
  return HD_STATUS_OK;
}

/* A strided part of a tensor: operands and static lists of |op| from operand item |item| on. */
typedef struct part {
  int64_t *sizes;
  int64_t strides[HD_MAX_RANK]; /* of neighbours in the part, in elements of the whole; 0: there are none */
  size_t offset;                /* in bytes */
} part;

static hd_status part_of(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, size_t item, const hd_tensor *whole,
                         part *out) {
  int64_t *offsets, *steps, strides[HD_MAX_RANK], offset = 0;
  size_t counts[3];
  uint32_t rank = hd_tensor_rank(whole);
  HD_TRY(hd_eval_mixed(frame, op, in, item, HD_NAME_static_offsets, &offsets, &counts[0]));
  HD_TRY(hd_eval_mixed(frame, op, in, item + 1, HD_NAME_static_sizes, &out->sizes, &counts[1]));
  HD_TRY(hd_eval_mixed(frame, op, in, item + 2, HD_NAME_static_strides, &steps, &counts[2]));
  for (int i = 0; i < 3; ++i)
    if (counts[i] != rank)
      return hd_make_status(HD_INVALID_ARGUMENT, "expected %u offsets, sizes and strides, got %zu", rank, counts[i]);
  hd_strides_of(rank, hd_tensor_dims(whole), strides);
  for (uint32_t i = 0; i < rank; ++i) {
    int64_t size = hd_tensor_dims(whole)[i];
    if (out->sizes[i] < 0) return hd_make_status(HD_INVALID_ARGUMENT, "takes less than nothing of dim %u", i);
    out->strides[i] = 0;
    if (out->sizes[i] == 0) continue;
    int64_t low, high;
    HD_TRY(check_index(offsets[i], size, i));
    if (!hd_strided_span(1, &out->sizes[i], &steps[i], offsets[i], &low, &high))
      return hd_make_status(HD_INVALID_ARGUMENT, "takes %lld elements of dim %u at steps of %lld, which overflows",
                            (long long)out->sizes[i], i, (long long)steps[i]);
    HD_TRY(check_index(low, size, i));
    HD_TRY(check_index(high, size, i));
    offset += offsets[i] * strides[i];
    if (out->sizes[i] > 1) out->strides[i] = steps[i] * strides[i];
  }
  out->offset = (size_t)offset * hd_tensor_element_bytes(whole);
  return HD_STATUS_OK;
}

/* The result may leave out dims of size 1. */
HD_EVAL_HOOK(tensor_extract_slice) {
  part p;
  HD_TRY(part_of(frame, op, in, 1, &in[0], &p));
  uint32_t rank = hd_tensor_rank(&in[0]), kept = 0, wanted = hd_result_type(op, 0)->shaped.rank;
  int64_t dims[HD_MAX_RANK], strides[HD_MAX_RANK];
  hd_attr fixed = hd_with_static_sizes_static_sizes(op);
  for (uint32_t i = 0; i < rank; ++i) {
    bool drop = rank - i > wanted - kept && hd_attr_int_at(fixed, i) == 1;
    if (drop) continue;
    if (kept == wanted) return hd_make_status(HD_INVALID_ARGUMENT, "the result has too few dims");
    dims[kept++] = p.sizes[i];
  }
  HD_TRY(hd_eval_result(frame, op, 0, kept, dims, out));
  hd_strides_of(rank, p.sizes, strides);
  const char *from = hd_tensor_data(&in[0]);
  hd_tensor_copy_strided(rank, p.sizes, hd_tensor_element_bytes(out), hd_tensor_data(out), strides, from + p.offset,
                         p.strides);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tensor_insert_slice) {
  part p;
  HD_TRY(part_of(frame, op, in, 2, &in[1], &p));
  uint32_t rank = hd_tensor_rank(&in[1]);
  int64_t count, strides[HD_MAX_RANK];
  if (!hd_dims_product(rank, p.sizes, &count) || (size_t)count != hd_tensor_count(&in[0]))
    return hd_make_status(HD_INVALID_ARGUMENT, "puts %s into a part of %s",
                          hd_dims_text(hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0])), hd_dims_text(rank, p.sizes));
  HD_TRY(copy_of(frame, &in[1], out));
  hd_strides_of(rank, p.sizes, strides);
  char *to = hd_tensor_data(out);
  hd_tensor_copy_strided(rank, p.sizes, hd_tensor_element_bytes(out), to + p.offset, p.strides, hd_tensor_data(&in[0]),
                         strides);
  return HD_STATUS_OK;
}
