/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/graph/window.h"

#include <string.h>

static hd_status read_list(hd_eval_frame *frame, hd_op *op, hd_name name, uint32_t rank, int64_t *out) {
  for (uint32_t i = 0; i < rank; ++i) out[i] = 1;
  if (!name) return HD_STATUS_OK;
  hd_eval_ints list;
  HD_TRY(hd_eval_ints_attr_or(frame, op, name, rank, 1, &list));
  for (uint32_t i = 0; i < rank; ++i) {
    if (list.data[i] < 1)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected 1 or more, got %lld", hd_name_text(name),
                            (long long)list.data[i]);
    out[i] = list.data[i];
  }
  return HD_STATUS_OK;
}

hd_status hd_window_read(hd_eval_frame *frame, hd_op *op, const hd_window_names *names, uint32_t rank,
                         const int64_t *sizes, const hd_eval_ints *padding, hd_window *out) {
  out->rank = rank;
  memcpy(out->size, sizes, rank * sizeof *sizes);
  for (uint32_t i = 0; i < rank; ++i)
    if (sizes[i] < 0) return hd_make_status(HD_INVALID_ARGUMENT, "window dim %u is negative", i);
  HD_TRY(read_list(frame, op, names->strides, rank, out->stride));
  HD_TRY(read_list(frame, op, names->base_dilations, rank, out->base_dilation));
  HD_TRY(read_list(frame, op, names->window_dilations, rank, out->window_dilation));
  if (padding->count && padding->count != 2 * (size_t)rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "padding: expected %u pairs, got %zu numbers", rank, padding->count);
  for (uint32_t i = 0; i < rank; ++i) {
    out->low[i] = padding->count ? padding->data[2 * i] : 0;
    out->high[i] = padding->count ? padding->data[2 * i + 1] : 0;
  }
  return HD_STATUS_OK;
}

/* 0, or (size - 1) * dilation + 1; false on overflow. */
static bool dilated(int64_t size, int64_t dilation, int64_t *out) {
  *out = 0;
  if (size <= 0) return true;
  return !__builtin_mul_overflow(size - 1, dilation, out) && !__builtin_add_overflow(*out, 1, out);
}

hd_status hd_window_output(const hd_window *w, const int64_t *in_dims, int64_t *out_dims) {
  for (uint32_t i = 0; i < w->rank; ++i) {
    int64_t base, window, padded;
    if (!dilated(in_dims[i], w->base_dilation[i], &base) || !dilated(w->size[i], w->window_dilation[i], &window) ||
        __builtin_add_overflow(base, w->low[i], &padded) || __builtin_add_overflow(padded, w->high[i], &padded))
      return hd_make_status(HD_INVALID_ARGUMENT, "window dim %u: the padded size overflows", i);
    out_dims[i] = padded <= 0 || window > padded ? 0 : (padded - window) / w->stride[i] + 1;
  }
  return HD_STATUS_OK;
}
