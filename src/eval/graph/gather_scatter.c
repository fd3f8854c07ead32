/* SPDX-License-Identifier: Apache-2.0 */
/* gather, dynamic_gather, scatter, torch_index_select: elements picked and updated by index, by the definitions of the
 * StableHLO specification. */
#include <string.h>

#include "eval/graph/reduce.h"
#include "eval/graph/shape_ops.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

/* Positions, one per result or update element, that the dimension numbers take apart. */
typedef struct indexing {
  hd_eval_ints offset_axes;   /* result (update) dims that walk inside a slice */
  hd_eval_ints dropped_axes;  /* operand dims of slice size 1 that the result lacks */
  hd_eval_ints operand_batch; /* operand dims that go with dims of the indices */
  hd_eval_ints indices_batch;
  hd_eval_ints index_map; /* component i of an index vector is for operand dim index_map[i] */
  int64_t vector_axis;    /* dim of the indices that holds an index vector */
} indexing;

static bool contains(const hd_eval_ints *list, int64_t value) {
  for (size_t i = 0; i < list->count; ++i)
    if (list->data[i] == value) return true;
  return false;
}

static hd_status read_gather(hd_eval_frame *frame, hd_attr numbers, indexing *out) {
  if (!numbers) return hd_make_status(HD_INVALID_ARGUMENT, "lacks its dimension numbers");
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_gather_offset_dims(numbers), &out->offset_axes));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_gather_collapsed_slice_dims(numbers), &out->dropped_axes));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_gather_operand_batching_dims(numbers), &out->operand_batch));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_gather_start_indices_batching_dims(numbers), &out->indices_batch));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_gather_start_index_map(numbers), &out->index_map));
  out->vector_axis = hd_attr_stablehlo_gather_index_vector_dim(numbers);
  return HD_STATUS_OK;
}

static hd_status read_scatter(hd_eval_frame *frame, hd_attr numbers, indexing *out) {
  if (!numbers) return hd_make_status(HD_INVALID_ARGUMENT, "lacks its dimension numbers");
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_scatter_update_window_dims(numbers), &out->offset_axes));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_scatter_inserted_window_dims(numbers), &out->dropped_axes));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_scatter_input_batching_dims(numbers), &out->operand_batch));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_scatter_scatter_indices_batching_dims(numbers), &out->indices_batch));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_scatter_scatter_dims_to_operand_dims(numbers), &out->index_map));
  out->vector_axis = hd_attr_stablehlo_scatter_index_vector_dim(numbers);
  return HD_STATUS_OK;
}

/* Checks the numbers against the ranks; |moved_rank| is that of the result or the updates. */
static hd_status check_indexing(const indexing *x, const hd_tensor *operand, const hd_tensor *indices,
                                uint32_t moved_rank) {
  uint32_t rank = hd_tensor_rank(operand), indices_rank = hd_tensor_rank(indices);
  if (hd_class_of(hd_tensor_element(indices)) != HD_CLASS_INT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected integer indices");
  HD_TRY(hd_eval_check_axes(&x->offset_axes, moved_rank, "offset dims"));
  HD_TRY(hd_eval_check_axes(&x->dropped_axes, rank, "collapsed dims"));
  HD_TRY(hd_eval_check_axes(&x->operand_batch, rank, "operand batching dims"));
  HD_TRY(hd_eval_check_axes(&x->indices_batch, indices_rank, "indices batching dims"));
  HD_TRY(hd_eval_check_axes(&x->index_map, rank, "index map"));
  if (x->operand_batch.count != x->indices_batch.count)
    return hd_make_status(HD_INVALID_ARGUMENT, "batching dims: operand has %zu, indices have %zu",
                          x->operand_batch.count, x->indices_batch.count);
  if (x->vector_axis < 0 || x->vector_axis > (int64_t)indices_rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "index_vector_dim: expected one in [0, %u], got %lld", indices_rank,
                          (long long)x->vector_axis);
  if (x->offset_axes.count + x->dropped_axes.count + x->operand_batch.count != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "offset, collapsed and batching dims do not add up to rank %u", rank);
  int64_t components = x->vector_axis == (int64_t)indices_rank ? 1 : hd_tensor_dims(indices)[x->vector_axis];
  if (components != (int64_t)x->index_map.count)
    return hd_make_status(HD_INVALID_ARGUMENT, "index vectors have %lld entries, the index map has %zu",
                          (long long)components, x->index_map.count);
  uint32_t batch_rank = indices_rank - (x->vector_axis < (int64_t)indices_rank);
  if (batch_rank + x->offset_axes.count != moved_rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected rank %zu, got %u", batch_rank + x->offset_axes.count,
                          moved_rank);
  return HD_STATUS_OK;
}

/* The start in the operand for the slice that result (update) position |index| belongs to. */
static void read_start(const indexing *x, const hd_tensor *indices, uint32_t moved_rank, const int64_t *index,
                       uint32_t operand_rank, int64_t *start) {
  uint32_t indices_rank = hd_tensor_rank(indices), at = 0;
  int64_t strides[HD_MAX_RANK], batch[HD_MAX_RANK] = {0}, offset = 0;
  hd_strides_of(indices_rank, hd_tensor_dims(indices), strides);
  /* batch coordinates, in order, are the indices' dims but the vector's */
  for (uint32_t i = 0; i < moved_rank; ++i) {
    if (contains(&x->offset_axes, i)) continue;
    if ((int64_t)at == x->vector_axis) ++at;
    batch[at] = index[i];
    offset += index[i] * strides[at];
    ++at;
  }
  for (uint32_t i = 0; i < operand_rank; ++i) start[i] = 0;
  int64_t step = x->vector_axis < (int64_t)indices_rank ? strides[x->vector_axis] : 0;
  for (size_t i = 0; i < x->index_map.count; ++i)
    start[x->index_map.data[i]] =
        hd_int_at(hd_tensor_element(indices), hd_tensor_data(indices), (size_t)(offset + (int64_t)i * step));
  for (size_t i = 0; i < x->operand_batch.count; ++i) start[x->operand_batch.data[i]] = batch[x->indices_batch.data[i]];
}

/* Adds the position inside the slice: offset coordinate i belongs to the i-th operand dim that is kept. */
static void inside_slice(const indexing *x, const int64_t *index, uint32_t operand_rank, int64_t *out) {
  size_t next = 0;
  for (uint32_t i = 0; i < operand_rank; ++i) {
    out[i] = 0;
    if (contains(&x->dropped_axes, i) || contains(&x->operand_batch, i)) continue;
    out[i] = index[x->offset_axes.data[next++]];
  }
}

/* XLA takes offset dims in ascending order; the verifier asks for it. */

static hd_status gather(hd_eval_frame *frame, hd_op *op, const hd_tensor *operand, const hd_tensor *indices,
                        const hd_eval_ints *sizes, hd_tensor *out) {
  indexing x;
  HD_TRY(read_gather(frame, hd_gather_like_dimension_numbers(op), &x));
  uint32_t rank = hd_tensor_rank(operand), indices_rank = hd_tensor_rank(indices);
  uint32_t batch_rank = indices_rank - (x.vector_axis < (int64_t)indices_rank);
  if (batch_rank + x.offset_axes.count > HD_MAX_RANK)
    return hd_make_status(HD_UNIMPLEMENTED, "rank is above the limit");
  uint32_t result_rank = batch_rank + (uint32_t)x.offset_axes.count;
  HD_TRY(check_indexing(&x, operand, indices, result_rank));
  if (sizes->count != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "slice_sizes: expected %u entries, got %zu", rank, sizes->count);
  for (uint32_t i = 0; i < rank; ++i) {
    if (sizes->data[i] < 0 || sizes->data[i] > hd_tensor_dims(operand)[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "slice size %lld does not fit dim %u of size %lld",
                            (long long)sizes->data[i], i, (long long)hd_tensor_dims(operand)[i]);
    if ((contains(&x.dropped_axes, i) || contains(&x.operand_batch, i)) && sizes->data[i] > 1)
      return hd_make_status(HD_INVALID_ARGUMENT, "slice size of collapsed dim %u is %lld, expected 1", i,
                            (long long)sizes->data[i]);
  }
  int64_t dims[HD_MAX_RANK];
  uint32_t at = 0;
  size_t next = 0;
  for (uint32_t i = 0; i < result_rank; ++i) {
    if (contains(&x.offset_axes, i)) continue;
    if ((int64_t)at == x.vector_axis) ++at;
    dims[i] = hd_tensor_dims(indices)[at++];
  }
  for (uint32_t i = 0; i < rank; ++i)
    if (!contains(&x.dropped_axes, i) && !contains(&x.operand_batch, i))
      dims[x.offset_axes.data[next++]] = sizes->data[i];
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(operand), result_rank, dims, out));
  if (!hd_tensor_count(out)) return HD_STATUS_OK;
  if (!hd_tensor_count(operand))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected elements in the collapsed dims, which the result reads");
  int64_t strides[HD_MAX_RANK], index[HD_MAX_RANK] = {0}, start[HD_MAX_RANK], inside[HD_MAX_RANK];
  hd_strides_of(rank, hd_tensor_dims(operand), strides);
  size_t bytes = hd_tensor_element_bytes(out), to = 0;
  for (size_t i = 0; i < x.operand_batch.count; ++i)
    if (hd_tensor_dims(operand)[x.operand_batch.data[i]] != hd_tensor_dims(indices)[x.indices_batch.data[i]])
      return hd_make_status(HD_INVALID_ARGUMENT, "batching dims of operand and indices differ");
  do {
    read_start(&x, indices, result_rank, index, rank, start);
    inside_slice(&x, index, rank, inside);
    int64_t from = 0;
    for (uint32_t i = 0; i < rank; ++i) {
      bool collapsed = contains(&x.dropped_axes, i); /* reads one element, for a slice of none too */
      int64_t last = hd_tensor_dims(operand)[i] - (collapsed ? 1 : sizes->data[i]);
      int64_t first = start[i] < 0 ? 0 : start[i] > last ? last : start[i];
      from += (first + inside[i]) * strides[i];
    }
    memcpy((char *)hd_tensor_data(out) + to++ * bytes, (const char *)hd_tensor_data(operand) + from * (int64_t)bytes,
           bytes);
  } while (hd_index_next(result_rank, dims, index));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(gather) {
  hd_eval_ints sizes;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_slice_sizes, &sizes));
  return gather(frame, op, &in[0], &in[1], &sizes, out);
}

HD_EVAL_HOOK(dynamic_gather) {
  hd_eval_ints sizes;
  HD_TRY(hd_eval_operand_ints(frame, &in[2], hd_name_text(HD_NAME_slice_sizes), &sizes));
  return gather(frame, op, &in[0], &in[1], &sizes, out);
}

/* The body combines the old values of all operands with the updates; positions outside are left out. Updates are taken
 * in row-major order. */
HD_EVAL_HOOK(scatter) {
  size_t n = op->operand_count / 2;
  if (op->operand_count != 2 * n + 1 || !n || op->result_count != n)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected as many updates and results as inputs");
  const hd_tensor *operand = &in[0], *indices = &in[n], *updates = &in[n + 1];
  indexing x;
  HD_TRY(read_scatter(frame, hd_stablehlo_scatter_scatter_dimension_numbers(op), &x));
  uint32_t rank = hd_tensor_rank(operand), update_rank = hd_tensor_rank(updates);
  HD_TRY(check_indexing(&x, operand, indices, update_rank));
  uint32_t at = 0;
  for (uint32_t i = 0; i < update_rank; ++i) {
    if (contains(&x.offset_axes, i)) continue;
    if ((int64_t)at == x.vector_axis) ++at;
    if (hd_tensor_dims(updates)[i] != hd_tensor_dims(indices)[at])
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %u of the updates is %lld, expected %lld", i,
                            (long long)hd_tensor_dims(updates)[i], (long long)hd_tensor_dims(indices)[at]);
    ++at;
  }
  for (size_t i = 0; i < x.operand_batch.count; ++i)
    if (hd_tensor_dims(operand)[x.operand_batch.data[i]] != hd_tensor_dims(indices)[x.indices_batch.data[i]])
      return hd_make_status(HD_INVALID_ARGUMENT, "batching dims of input and indices differ");
  hd_type *types;
  const void **data;
  hd_tensor *results;
  HD_TRY(hd_eval_temp(frame, 2 * n, sizeof *types, &types));
  HD_TRY(hd_eval_temp(frame, 2 * n, sizeof *data, &data));
  HD_TRY(hd_eval_temp(frame, n, sizeof *results, &results));
  for (size_t k = 0; k < n; ++k) {
    HD_TRY(hd_eval_same_dims(operand, &in[k]));
    HD_TRY(hd_eval_same_dims(updates, &in[n + 1 + k]));
    types[n + k] = hd_tensor_element(&in[n + 1 + k]);
    HD_TRY(hd_eval_result(frame, op, (uint32_t)k, rank, hd_tensor_dims(operand), &out[k]));
    types[k] = hd_tensor_element(&out[k]);
    hd_convert_elements(hd_tensor_element(&in[k]), hd_tensor_data(&in[k]), types[k], hd_tensor_data(&out[k]),
                        hd_tensor_count(&out[k]));
  }
  if (!hd_tensor_count(updates)) return HD_STATUS_OK;
  const hd_elementwise *kernel = n == 1 && types[0] == types[1] ? hd_body_kernel(op, 0, types[0]) : NULL;
  int64_t strides[HD_MAX_RANK], index[HD_MAX_RANK] = {0}, start[HD_MAX_RANK], inside[HD_MAX_RANK];
  hd_strides_of(rank, hd_tensor_dims(operand), strides);
  size_t from = 0;
  do {
    read_start(&x, indices, update_rank, index, rank, start);
    inside_slice(&x, index, rank, inside);
    int64_t to = 0;
    bool fits = true;
    for (uint32_t i = 0; i < rank && fits; ++i) {
      int64_t position;
      fits = !__builtin_add_overflow(start[i], inside[i], &position) && position >= 0 &&
             position < hd_tensor_dims(operand)[i];
      to += fits ? position * strides[i] : 0;
    }
    size_t source = from++;
    if (!fits) continue;
    for (size_t k = 0; k < n; ++k) {
      data[k] = (const char *)hd_tensor_data(&out[k]) + (size_t)to * hd_type_element_bytes(types[k]);
      data[n + k] = (const char *)hd_tensor_data(&in[n + 1 + k]) + source * hd_type_element_bytes(types[n + k]);
    }
    if (kernel) {
      hd_elementwise_apply2(kernel, types[0], data[0], data[1], (void *)(uintptr_t)data[0]);
      continue;
    }
    HD_TRY(hd_eval_scalar_body(frame, op, 0, 2 * n, types, data, results, n));
    for (size_t k = 0; k < n; ++k) {
      hd_convert_elements(hd_tensor_element(&results[k]), hd_tensor_data(&results[k]), types[k],
                          (void *)(uintptr_t)data[k], 1);
      hd_tensor_release(&results[k]);
    }
  } while (hd_index_next(update_rank, hd_tensor_dims(updates), index));
  return HD_STATUS_OK;
}

/* result[b..., i..., r...] = operand[b..., index[b..., i...], r...] */
HD_EVAL_HOOK(torch_index_select) {
  const hd_tensor *operand = &in[0], *index = &in[1];
  int64_t axis = hd_stablehlo_torch_index_select_dim(op), batches = hd_stablehlo_torch_index_select_batch_dims(op);
  uint32_t rank = hd_tensor_rank(operand), index_rank = hd_tensor_rank(index);
  if (batches < 0) batches += index_rank;
  if (axis < 0) axis += rank;
  if (axis < batches || axis >= (int64_t)rank || batches < 0 || batches > (int64_t)index_rank ||
      hd_class_of(hd_tensor_element(index)) != HD_CLASS_INT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected integer indices, batch_dims up to dim, and dim below rank %u",
                          rank);
  int64_t dims[2 * HD_MAX_RANK];
  uint32_t result_rank = 0;
  for (int64_t i = 0; i < axis; ++i) dims[result_rank++] = hd_tensor_dims(operand)[i];
  for (uint32_t i = (uint32_t)batches; i < index_rank; ++i) dims[result_rank++] = hd_tensor_dims(index)[i];
  for (uint32_t i = (uint32_t)axis + 1; i < rank; ++i) dims[result_rank++] = hd_tensor_dims(operand)[i];
  if (result_rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the limit");
  for (int64_t i = 0; i < batches; ++i)
    if (hd_tensor_dims(index)[i] != hd_tensor_dims(operand)[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "batch dims of operand and indices differ");
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(operand), result_rank, dims, out));
  if (!hd_tensor_count(out)) return HD_STATUS_OK;
  int64_t strides[HD_MAX_RANK], index_strides[HD_MAX_RANK], position[HD_MAX_RANK] = {0};
  hd_strides_of(rank, hd_tensor_dims(operand), strides);
  hd_strides_of(index_rank, hd_tensor_dims(index), index_strides);
  uint32_t picked = index_rank - (uint32_t)batches;
  size_t bytes = hd_tensor_element_bytes(out), to = 0;
  do {
    int64_t at = 0, from = 0;
    for (int64_t i = 0; i < batches; ++i) at += position[i] * index_strides[i];
    for (uint32_t i = 0; i < picked; ++i) at += position[axis + i] * index_strides[batches + i];
    int64_t chosen = hd_int_at(hd_tensor_element(index), hd_tensor_data(index), (size_t)at);
    int64_t size = hd_tensor_dims(operand)[axis];
    if (!size) return hd_make_status(HD_OUT_OF_RANGE, "expected no indices into a dim without elements");
    chosen = chosen < 0 ? 0 : chosen >= size ? size - 1 : chosen; /* as gather, which it is */
    for (int64_t i = 0; i < axis; ++i) from += position[i] * strides[i];
    from += chosen * strides[axis];
    for (uint32_t i = (uint32_t)axis + 1; i < rank; ++i) from += position[i + picked - 1] * strides[i];
    memcpy((char *)hd_tensor_data(out) + to++ * bytes, (const char *)hd_tensor_data(operand) + from * (int64_t)bytes,
           bytes);
  } while (hd_index_next(result_rank, dims, position));
  return HD_STATUS_OK;
}
