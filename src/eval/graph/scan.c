/* SPDX-License-Identifier: Apache-2.0 */
/* scan: the body runs once for each place of the scanned dim, in order or from the last to the first, on a slice of
 * each input and on the carries; its first values become slices of the outputs, the others the next carries. */
#include <string.h>

#include "eval/core/frame.h"
#include "ir/ops/interfaces.h"

typedef struct scan {
  hd_eval_frame *frame;
  hd_op *op;
  uint32_t inputs, outputs, carries, axis;
  int64_t size;
} scan;

static hd_status begin(scan *s, const hd_tensor *in) {
  hd_scan_counts(s->op, &s->inputs, &s->outputs);
  s->carries = s->op->operand_count - s->inputs;
  s->axis = (uint32_t)hd_scan_like_dimension(s->op);
  s->size = hd_attr_int_or(hd_scan_like_scan_dim_size_attr(s->op), s->inputs ? hd_tensor_dims(&in[0])[s->axis] : 0);
  for (uint32_t i = 0; i < s->inputs; ++i)
    if (hd_tensor_dims(&in[i])[s->axis] != s->size)
      return hd_make_status(HD_INVALID_ARGUMENT, "input #%u has size %lld in the scanned dim, expected %lld", i,
                            (long long)hd_tensor_dims(&in[i])[s->axis], (long long)s->size);
  return HD_STATUS_OK;
}

/* Copies the slice of |whole| at |at| to |slice|, or back. */
static void move(const scan *s, const hd_tensor *whole, int64_t at, const hd_tensor *slice, bool back) {
  const int64_t *dims = hd_tensor_dims(whole);
  size_t outer = 1, inner = hd_tensor_element_bytes(whole);
  for (uint32_t d = 0; d < hd_tensor_rank(whole); ++d)
    if (d != s->axis) *(d < s->axis ? &outer : &inner) *= (size_t)dims[d];
  for (size_t o = 0; o < outer; ++o) {
    char *one = (char *)hd_tensor_data(whole) + (o * (size_t)s->size + (size_t)at) * inner,
         *other = (char *)hd_tensor_data(slice) + o * inner;
    memcpy(back ? one : other, back ? other : one, inner);
  }
}

static hd_status take_slice(const scan *s, const hd_tensor *whole, int64_t at, hd_tensor *out) {
  int64_t dims[HD_MAX_RANK];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < hd_tensor_rank(whole); ++d)
    if (d != s->axis) dims[rank++] = hd_tensor_dims(whole)[d];
  HD_TRY(hd_eval_tensor(s->frame, hd_tensor_element(whole), rank, dims, out));
  move(s, whole, at, out, false);
  return HD_STATUS_OK;
}

/* Output |i| gets |slice| at |at|; the first slice tells its dims. */
static hd_status put_slice(const scan *s, uint32_t i, int64_t at, const hd_tensor *slice, hd_tensor *out) {
  int64_t dims[HD_MAX_RANK];
  uint32_t rank = hd_tensor_rank(slice) + 1;
  if (rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the limit");
  for (uint32_t d = 0; d < rank; ++d) dims[d] = d == s->axis ? s->size : hd_tensor_dims(slice)[d < s->axis ? d : d - 1];
  if (!out->type) HD_TRY(hd_eval_result(s->frame, s->op, i, rank, dims, out));
  if (!hd_dims_equal(rank, dims, hd_tensor_dims(out)))
    return hd_make_status(HD_INVALID_ARGUMENT, "output #%u differs in shape from step to step", i);
  move(s, out, at, slice, true);
  return HD_STATUS_OK;
}

/* One step; |values| has the carries after room for the slices and is given the next ones. */
static hd_status step(const scan *s, int64_t at, const hd_tensor *in, hd_tensor *values, hd_tensor *made,
                      hd_tensor *out) {
  hd_status status = HD_STATUS_OK;
  for (uint32_t i = 0; i < s->inputs && hd_is_ok(status); ++i) status = take_slice(s, &in[i], at, &values[i]);
  if (hd_is_ok(status))
    status = hd_eval_region(s->frame, s->op, 0, values, s->inputs + s->carries, made, s->outputs + s->carries);
  for (uint32_t i = 0; i < s->inputs; ++i) hd_tensor_release(&values[i]);
  if (!hd_is_ok(status)) return status;
  for (uint32_t i = 0; i < s->outputs; ++i) {
    if (hd_is_ok(status)) status = put_slice(s, i, at, &made[i], &out[i]);
    hd_tensor_release(&made[i]);
  }
  for (uint32_t i = 0; i < s->carries; ++i) {
    hd_tensor_release(&values[s->inputs + i]);
    values[s->inputs + i] = made[s->outputs + i];
    made[s->outputs + i] = (hd_tensor){0};
  }
  return hd_is_ok(status) ? hd_eval_poll(s->frame) : status;
}

/* A slice of zeros as a step would have of |whole|. */
static hd_status zero_slice(const scan *s, const hd_tensor *whole, hd_tensor *out) {
  int64_t dims[HD_MAX_RANK];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < hd_tensor_rank(whole); ++d)
    if (d != s->axis) dims[rank++] = hd_tensor_dims(whole)[d];
  HD_TRY(hd_eval_tensor(s->frame, hd_tensor_element(whole), rank, dims, out));
  memset(hd_tensor_data(out), 0, out->buffer->size);
  return HD_STATUS_OK;
}

/* Outputs of no steps. What their types leave open a step on zeros tells, whose values nobody sees. */
static hd_status empty_outputs(const scan *s, const hd_tensor *in, hd_tensor *values, hd_tensor *made, hd_tensor *out) {
  bool open = false;
  hd_status status = HD_STATUS_OK;
  for (uint32_t i = 0; i < s->outputs; ++i)
    for (uint32_t d = 0; d < hd_type_rank(hd_result_type(s->op, i)); ++d)
      open |= d != s->axis && hd_type_dim(hd_result_type(s->op, i), d) == HD_DYNAMIC;
  if (open && !hd_op_is_pure(s->op))
    return hd_make_status(HD_UNIMPLEMENTED, "has outputs whose dims only a step tells that has effects");
  for (uint32_t i = 0; i < s->inputs && open && hd_is_ok(status); ++i) status = zero_slice(s, &in[i], &values[i]);
  if (open && hd_is_ok(status))
    status = hd_eval_region(s->frame, s->op, 0, values, s->inputs + s->carries, made, s->outputs + s->carries);
  bool ran = open && hd_is_ok(status);
  for (uint32_t i = 0; i < s->inputs; ++i) hd_tensor_release(&values[i]);
  for (uint32_t i = 0; i < s->outputs && hd_is_ok(status); ++i) {
    hd_type type = hd_result_type(s->op, i);
    int64_t dims[HD_MAX_RANK];
    for (uint32_t d = 0; d < hd_type_rank(type); ++d)
      dims[d] = d == s->axis ? 0 : open ? hd_tensor_dims(&made[i])[d < s->axis ? d : d - 1] : hd_type_dim(type, d);
    status = hd_eval_result(s->frame, s->op, i, hd_type_rank(type), dims, &out[i]);
  }
  for (uint32_t i = 0; ran && i < s->outputs + s->carries; ++i) hd_tensor_release(&made[i]);
  return status;
}

HD_EVAL_HOOK(scan) {
  scan s = {.frame = frame, .op = op};
  HD_TRY(begin(&s, in));
  hd_tensor *values, *made;
  HD_TRY(hd_eval_temp(frame, op->operand_count + 1, sizeof *values, &values));
  HD_TRY(hd_eval_temp(frame, op->result_count + 1, sizeof *made, &made));
  for (uint32_t i = 0; i < s.carries; ++i) values[s.inputs + i] = hd_tensor_retain(in[s.inputs + i]);
  bool reverse = hd_scan_like_is_reverse(op);
  hd_status status = HD_STATUS_OK;
  for (int64_t k = 0; k < s.size && hd_is_ok(status); ++k)
    status = step(&s, reverse ? s.size - 1 - k : k, in, values, made, out);
  if (!s.size && hd_is_ok(status)) status = empty_outputs(&s, in, values, made, out);
  for (uint32_t i = 0; i < s.carries; ++i) {
    if (hd_is_ok(status))
      out[s.outputs + i] = values[s.inputs + i];
    else
      hd_tensor_release(&values[s.inputs + i]);
  }
  return status;
}
