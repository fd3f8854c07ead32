/* SPDX-License-Identifier: Apache-2.0 */
/* Ops of older programs, where a tensor in shared memory is a value: inserting a slice gives a new one. What
 * triton-upgrade makes of them is held to this. */
#include <string.h>

#include "eval/tile/memory.h"
#include "ir/ops/ttg.h"

HD_EVAL_HOOK(ttg_alloc_tensor) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  hd_undefined_elements(hd_tensor_element(out), hd_tensor_data(out), hd_tensor_count(out));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(ttg_dealloc_tensor) { return HD_STATUS_OK; }

/* |*out_offset| and the strides of a part of |tensor| that begins at |index|, elements. */
static hd_status part_of(const hd_tensor *tensor, const int64_t *index, const int64_t *sizes, int64_t *out_offset,
                         int64_t *strides) {
  uint32_t rank = hd_tensor_rank(tensor);
  hd_strides_of(rank, hd_tensor_dims(tensor), strides);
  *out_offset = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    if (index[d] < 0 || index[d] > hd_tensor_dims(tensor)[d] - sizes[d])
      return hd_make_status(HD_INVALID_ARGUMENT, "index %lld of dim %u is not in [0, %lld]", (long long)index[d], d,
                            (long long)(hd_tensor_dims(tensor)[d] - sizes[d]));
    *out_offset += index[d] * strides[d];
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(ttg_insert_slice) {
  hd_type type = hd_result_type(op, 0), element = hd_type_element(type);
  uint32_t rank = type->shaped.rank;
  int64_t index[HD_MAX_RANK] = {0}, sizes[HD_MAX_RANK], strides[HD_MAX_RANK], dense[HD_MAX_RANK], offset;
  int64_t axis =
      hd_op_is(op, HD_OP_ttg_insert_slice) ? hd_ttg_insert_slice_axis(op) : hd_ttg_insert_slice_async_axis(op);
  hd_tensor loaded = {0};
  memcpy(sizes, type->shaped.dims, rank * sizeof *sizes);
  index[axis] = hd_eval_int(&in[2]);
  sizes[axis] = 1;
  HD_TRY(part_of(&in[1], index, sizes, &offset, strides));
  HD_TRY(hd_eval_value(frame, type, out));
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[1]), hd_tensor_count(out) * hd_tensor_element_bytes(out));
  HD_TRY(hd_eval_tensor(frame, element, rank, sizes, &loaded));
  hd_status status = hd_global_load(frame, &in[0], hd_optional_operand(op, in, 3), hd_optional_operand(op, in, 4),
                                    element, hd_tensor_data(&loaded));
  size_t bytes = hd_tensor_element_bytes(out);
  hd_strides_of(rank, sizes, dense);
  if (hd_is_ok(status))
    hd_tensor_copy_strided(rank, sizes, bytes, (char *)hd_tensor_data(out) + offset * (int64_t)bytes, strides,
                           hd_tensor_data(&loaded), dense);
  hd_tensor_release(&loaded);
  return status;
}

HD_EVAL_HOOK(ttg_extract_slice) {
  uint32_t rank = hd_tensor_rank(&in[0]);
  hd_attr offsets = hd_ttg_extract_slice_static_offsets(op), given = hd_ttg_extract_slice_static_sizes(op);
  int64_t index[HD_MAX_RANK], sizes[HD_MAX_RANK], strides[HD_MAX_RANK], dense[HD_MAX_RANK], offset;
  const hd_tensor *dynamic = in + 1;
  if (rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the limit", rank);
  for (uint32_t d = 0; d < rank; ++d) {
    index[d] = hd_attr_int_at(offsets, d);
    sizes[d] = hd_attr_int_at(given, d);
    if (index[d] == HD_DYNAMIC) index[d] = hd_eval_int(dynamic++);
  }
  HD_TRY(part_of(&in[0], index, sizes, &offset, strides));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  size_t bytes = hd_tensor_element_bytes(out);
  hd_strides_of(rank, sizes, dense);
  hd_tensor_copy_strided(rank, sizes, bytes, hd_tensor_data(out), dense,
                         (const char *)hd_tensor_data(&in[0]) + offset * (int64_t)bytes, strides);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(ttg_memdesc_subview) {
  const hd_shared_view *view = hd_shared_view_of(&in[0]);
  hd_memdesc from = hd_memdesc_of(in[0].type), to = hd_memdesc_of(hd_result_type(op, 0));
  int64_t offset = view->offset;
  for (uint32_t d = 0; d < from.rank; ++d) offset += hd_eval_int(&in[d + 1]) * view->strides[d];
  return hd_shared_view_create(frame, hd_result_type(op, 0), view->storage, offset,
                               view->strides + (from.rank - to.rank), out);
}
