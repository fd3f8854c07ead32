/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory: buffers, views of them, and copies. Asynchronous copies are done when they begin, so that commits and
 * waits have nothing left to do. */
#include <string.h>

#include "eval/tile/memory.h"
#include "ir/ops/ttg.h"

hd_status hd_shared_view_create(hd_eval_frame *frame, hd_type type, hd_storage *storage, int64_t offset,
                                const int64_t *strides, hd_tensor *out) {
  hd_memdesc m = hd_memdesc_of(type);
  *out = (hd_tensor){0};
  if (m.rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the limit", m.rank);
  HD_TRY(
      hd_tensor_buffer_create(hd_frame_heap(frame), sizeof(hd_shared_view) + m.rank * sizeof *strides, &out->buffer));
  out->type = type;
  hd_shared_view *view = (hd_shared_view *)(void *)out->buffer->data;
  *view = (hd_shared_view){storage, offset};
  if (m.rank) memcpy(view->strides, strides, m.rank * sizeof *strides);
  return HD_STATUS_OK;
}

hd_status hd_shared_place(const hd_tensor *value, char **out) {
  const hd_shared_view *view = hd_shared_view_of(value);
  hd_memdesc m = hd_memdesc_of(value->type);
  int64_t low, high, bytes = (int64_t)hd_type_element_bytes(m.element);
  *out = NULL;
  if (!view->storage->buffer) return hd_make_status(HD_INVALID_ARGUMENT, "uses shared memory after it is freed");
  if (!bytes || !hd_strided_span(m.rank, m.dims, view->strides, view->offset, &low, &high) || low < 0 ||
      high >= (int64_t)view->storage->size / bytes)
    return hd_make_status(HD_INVALID_ARGUMENT, "reaches out of its shared memory of %zu bytes", view->storage->size);
  *out = view->storage->data + view->offset * bytes;
  return HD_STATUS_OK;
}

hd_status hd_shared_read(hd_eval_frame *frame, const hd_tensor *value, hd_tensor *out) {
  hd_memdesc m = hd_memdesc_of(value->type);
  int64_t strides[HD_MAX_RANK];
  char *from;
  HD_TRY(hd_shared_place(value, &from));
  HD_TRY(hd_eval_tensor(frame, m.element, m.rank, m.dims, out));
  hd_strides_of(m.rank, m.dims, strides);
  hd_tensor_copy_strided(m.rank, m.dims, hd_tensor_element_bytes(out), hd_tensor_data(out), strides, from,
                         hd_shared_view_of(value)->strides);
  return HD_STATUS_OK;
}

hd_status hd_shared_write(const hd_tensor *value, const hd_tensor *tensor) {
  hd_memdesc m = hd_memdesc_of(value->type);
  int64_t strides[HD_MAX_RANK];
  char *to;
  HD_TRY(hd_shared_place(value, &to));
  if (hd_tensor_rank(tensor) != m.rank || !hd_dims_equal(m.rank, hd_tensor_dims(tensor), m.dims) ||
      hd_tensor_element(tensor) != m.element)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %s where shared memory has %s",
                          hd_dims_text(hd_tensor_rank(tensor), hd_tensor_dims(tensor)), hd_dims_text(m.rank, m.dims));
  hd_strides_of(m.rank, m.dims, strides);
  hd_tensor_copy_strided(m.rank, m.dims, hd_tensor_element_bytes(tensor), to, hd_shared_view_of(value)->strides,
                         hd_tensor_data(tensor), strides);
  return HD_STATUS_OK;
}

hd_status hd_shared_allocate(hd_eval_frame *frame, hd_op *op, const hd_tensor *content, hd_tensor *out) {
  hd_type type = hd_result_type(op, 0);
  hd_memdesc m = hd_memdesc_of(type);
  int64_t count, strides[HD_MAX_RANK];
  size_t bytes = hd_type_element_bytes(m.element);
  hd_storage *storage;
  if (m.rank > HD_MAX_RANK || !bytes) return hd_make_status(HD_UNIMPLEMENTED, "is of a shape that has no memory");
  if (!hd_dims_product(m.rank, m.dims, &count) || (uint64_t)count > SIZE_MAX / 4 / bytes)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "the number of elements of a buffer overflows");
  HD_TRY(hd_storage_create(frame, (size_t)count * bytes, op, true, &storage));
  hd_strides_of(m.rank, m.dims, strides);
  HD_TRY(hd_shared_view_create(frame, type, storage, 0, strides, out));
  return content ? hd_shared_write(out, content) : HD_STATUS_OK;
}

HD_EVAL_HOOK(ttg_local_alloc) { return hd_shared_allocate(frame, op, op->operand_count ? &in[0] : NULL, out); }

HD_EVAL_HOOK(ttg_local_dealloc) { return hd_storage_free(frame, hd_shared_view_of(&in[0])->storage); }

HD_EVAL_HOOK(ttg_local_load) { return hd_shared_read(frame, &in[0], out); }

HD_EVAL_HOOK(ttg_local_store) { return hd_shared_write(&in[1], &in[0]); }

/* ---- views ---- */

HD_EVAL_HOOK(ttg_memdesc_index) {
  const hd_shared_view *view = hd_shared_view_of(&in[0]);
  hd_memdesc m = hd_memdesc_of(in[0].type);
  int64_t index = hd_eval_int(&in[1]);
  if (!m.rank || index < 0 || index >= m.dims[0])
    return hd_make_status(HD_INVALID_ARGUMENT, "index %lld is not in [0, %lld)", (long long)index,
                          m.rank ? (long long)m.dims[0] : 0);
  /* with all dims but the first, or with one in its place */
  bool same = hd_memdesc_of(hd_result_type(op, 0)).rank == m.rank;
  return hd_shared_view_create(frame, hd_result_type(op, 0), view->storage, view->offset + index * view->strides[0],
                               view->strides + (same ? 0 : 1), out);
}

HD_EVAL_HOOK(ttg_memdesc_subslice) {
  const hd_shared_view *view = hd_shared_view_of(&in[0]);
  hd_eval_ints offsets;
  int64_t at = view->offset;
  HD_TRY(hd_eval_ints_of(frame, hd_ttg_memdesc_subslice_offsets(op), &offsets));
  for (uint32_t i = 0; i < offsets.count && i < hd_memdesc_of(in[0].type).rank; ++i)
    at += offsets.data[i] * view->strides[i];
  return hd_shared_view_create(frame, hd_result_type(op, 0), view->storage, at, view->strides, out);
}

HD_EVAL_HOOK(ttg_memdesc_trans) {
  const hd_shared_view *view = hd_shared_view_of(&in[0]);
  uint32_t rank = hd_memdesc_of(in[0].type).rank;
  int64_t strides[HD_MAX_RANK];
  hd_eval_ints order;
  HD_TRY(hd_eval_ints_of(frame, hd_ttg_memdesc_trans_order(op), &order));
  HD_TRY(hd_eval_check_axes(&order, rank, "order"));
  for (uint32_t i = 0; i < rank && i < order.count; ++i) strides[i] = view->strides[order.data[i]];
  return hd_shared_view_create(frame, hd_result_type(op, 0), view->storage, view->offset, strides, out);
}

/* Elements that are one after the other may be seen in another shape. */
HD_EVAL_HOOK(ttg_memdesc_reshape) {
  const hd_shared_view *view = hd_shared_view_of(&in[0]);
  hd_memdesc from = hd_memdesc_of(in[0].type), to = hd_memdesc_of(hd_result_type(op, 0));
  int64_t dense[HD_MAX_RANK], strides[HD_MAX_RANK];
  if (to.rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the limit", to.rank);
  hd_strides_of(from.rank, from.dims, dense);
  for (uint32_t i = 0; i < from.rank; ++i)
    if (from.dims[i] > 1 && dense[i] != view->strides[i])
      return hd_make_status(HD_UNIMPLEMENTED,
                            "reshapes a part of shared memory, or one with its dims in another order");
  hd_strides_of(to.rank, to.dims, strides);
  return hd_shared_view_create(frame, hd_result_type(op, 0), view->storage, view->offset, strides, out);
}

/* ---- asynchronous copies, done at once ---- */

HD_EVAL_HOOK(ttg_async_copy_global_to_local) {
  hd_memdesc m = hd_memdesc_of(in[1].type);
  hd_tensor loaded = {0};
  HD_TRY(hd_eval_tensor(frame, m.element, m.rank, m.dims, &loaded));
  hd_status status = hd_tensor_count(&loaded) == hd_lanes_of(in[0].type)
                         ? hd_global_load(frame, &in[0], hd_optional_operand(op, in, 2), hd_optional_operand(op, in, 3),
                                          m.element, hd_tensor_data(&loaded))
                         : hd_make_status(HD_INVALID_ARGUMENT, "copies %zu elements to a buffer of %zu",
                                          hd_lanes_of(in[0].type), hd_tensor_count(&loaded));
  if (hd_is_ok(status)) status = hd_shared_write(&in[1], &loaded);
  hd_tensor_release(&loaded);
  *out = hd_async_token(hd_result_type(op, 0));
  return status;
}

HD_EVAL_HOOK(ttg_async_commit_group) {
  *out = hd_async_token(hd_result_type(op, 0));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(ttg_async_wait) {
  *out = hd_async_token(hd_result_type(op, 0));
  return HD_STATUS_OK;
}

/* A program is one thread here. */
HD_EVAL_HOOK(ttg_barrier) { return HD_STATUS_OK; }

/* The end of the program frees it. */
HD_EVAL_HOOK(ttg_global_scratch_alloc) {
  int64_t bytes = hd_ttg_global_scratch_alloc_nbytes(op);
  hd_storage *storage;
  if (bytes < 0) return hd_make_status(HD_INVALID_ARGUMENT, "allocates %lld bytes", (long long)bytes);
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  HD_TRY(hd_storage_create(frame, (size_t)bytes, op, true, &storage));
  uint64_t address = (uint64_t)(uintptr_t)storage->data;
  memcpy(hd_tensor_data(out), &address, 8);
  return HD_STATUS_OK;
}
