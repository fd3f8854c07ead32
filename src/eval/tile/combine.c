/* SPDX-License-Identifier: Apache-2.0 */
/* Ops of tt whose region computes one element from others: reductions, scans, maps. */
#include <string.h>

#include "eval/core/scalar.h"
#include "ir/ops/tt.h"

/* Element |at| of |tensor| as a scalar. */
static hd_status scalar_at(hd_eval_frame *frame, const hd_tensor *tensor, size_t at, hd_tensor *out) {
  size_t bytes = hd_tensor_element_bytes(tensor);
  HD_TRY(hd_eval_value(frame, hd_tensor_element(tensor), out));
  memcpy(hd_tensor_data(out), (const char *)hd_tensor_data(tensor) + at * bytes, bytes);
  return HD_STATUS_OK;
}

/* To element |at| of |tensor|, which of a reduction to a scalar is one. */
static hd_status put_at(const hd_tensor *scalar, hd_tensor *tensor, size_t at) {
  size_t bytes = hd_type_element_bytes(scalar->type);
  if (scalar->type != hd_type_element(tensor->type))
    return hd_make_status(HD_INVALID_ARGUMENT, "its region gives values of another type than the result's elements");
  memcpy((char *)hd_tensor_data(tensor) + at * bytes, hd_tensor_data(scalar), bytes);
  return HD_STATUS_OK;
}

static void release(hd_tensor *values, size_t count) {
  for (size_t i = 0; i < count; ++i) hd_tensor_release(&values[i]);
}

/* Lines of |type| along |axis|: |outer| times |inner| of them, |size| elements each, |inner| apart. */
typedef struct lines {
  int64_t outer, size, inner;
} lines;

static hd_status lines_of(hd_type type, int64_t axis, lines *out) {
  *out = (lines){1, 1, 1};
  if (!hd_type_is(type, HD_TYPE_TENSOR) || axis < 0 || axis >= (int64_t)type->shaped.rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an axis of its operands, got %lld", (long long)axis);
  for (uint32_t i = 0; i < type->shaped.rank; ++i) {
    int64_t *part = i < axis ? &out->outer : i == axis ? &out->size : &out->inner;
    *part *= type->shaped.dims[i];
  }
  return HD_STATUS_OK;
}

/* What the |n| operands of |op| have, combined along one line from |first| on by steps of |step|; |each| gets what
 * there is after every element, and where that is. |values| has room for three times |n|. */
typedef hd_status (*on_partial)(void *user, const hd_tensor *values, size_t at);

static hd_status combine_line(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, uint32_t n, int64_t size,
                              int64_t first, int64_t step, hd_tensor *values, on_partial each, void *user) {
  hd_tensor *results = values + 2 * n;
  for (uint32_t k = 0; k < n; ++k) HD_TRY(scalar_at(frame, &in[k], (size_t)first, &values[k]));
  for (int64_t i = 0;;) {
    if (each) HD_TRY(each(user, values, (size_t)(first + i * step)));
    if (++i == size) break;
    for (uint32_t k = 0; k < n; ++k) HD_TRY(scalar_at(frame, &in[k], (size_t)(first + i * step), &values[n + k]));
    hd_status status = hd_eval_region(frame, op, 0, values, 2 * n, results, n);
    release(values, 2 * n);
    HD_TRY(status);
    memcpy(values, results, n * sizeof *values);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_reduce) {
  uint32_t n = op->operand_count;
  lines l;
  hd_tensor *values;
  HD_TRY(lines_of(in[0].type, hd_tt_reduce_axis(op), &l));
  HD_TRY(hd_eval_temp(frame, 3 * n, sizeof *values, &values));
  if (l.size < 1) return hd_make_status(HD_INVALID_ARGUMENT, "has no elements to combine");
  for (uint32_t k = 0; k < n; ++k) HD_TRY(hd_eval_value(frame, hd_result_type(op, k), &out[k]));
  for (int64_t o = 0; o < l.outer; ++o)
    for (int64_t i = 0; i < l.inner; ++i) {
      HD_TRY(combine_line(frame, op, in, n, l.size, o * l.size * l.inner + i, l.inner, values, NULL, NULL));
      for (uint32_t k = 0; k < n; ++k) HD_TRY(put_at(&values[k], &out[k], (size_t)(o * l.inner + i)));
      release(values, n);
      HD_TRY(hd_eval_poll(frame));
    }
  return HD_STATUS_OK;
}

typedef struct scanned {
  hd_tensor *out;
  uint32_t n;
} scanned;

static hd_status keep_partial(void *user, const hd_tensor *values, size_t at) {
  scanned *s = user;
  for (uint32_t k = 0; k < s->n; ++k) HD_TRY(put_at(&values[k], &s->out[k], at));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_scan) {
  scanned s = {out, op->operand_count};
  bool reverse = hd_tt_scan_reverse(op);
  lines l;
  hd_tensor *values;
  HD_TRY(lines_of(in[0].type, hd_tt_scan_axis(op), &l));
  HD_TRY(hd_eval_temp(frame, 3 * s.n, sizeof *values, &values));
  for (uint32_t k = 0; k < s.n; ++k) HD_TRY(hd_eval_value(frame, hd_result_type(op, k), &out[k]));
  for (int64_t o = 0; o < l.outer && l.size > 0; ++o)
    for (int64_t i = 0; i < l.inner; ++i) {
      int64_t first = o * l.size * l.inner + i, last = first + (l.size - 1) * l.inner;
      HD_TRY(combine_line(frame, op, in, s.n, l.size, reverse ? last : first, reverse ? -l.inner : l.inner, values,
                          keep_partial, &s));
      release(values, s.n);
      HD_TRY(hd_eval_poll(frame));
    }
  return HD_STATUS_OK;
}

/* The region takes `pack` elements of the first operand, then of the next, and gives as many of each result. */
HD_EVAL_HOOK(tt_map_elementwise) {
  int64_t pack = hd_tt_map_elementwise_pack(op);
  uint32_t n = op->operand_count, m = op->result_count;
  size_t count = n ? hd_tensor_count(&in[0]) : 0, group = pack > 0 ? (size_t)pack : 0;
  hd_tensor *args, *results;
  if (!group || group > 1024 || count % group)
    return hd_make_status(HD_INVALID_ARGUMENT, "does not divide %zu elements by %lld", count, (long long)pack);
  for (uint32_t k = 0; k < n; ++k)
    if (hd_tensor_count(&in[k]) != count) return hd_make_status(HD_INVALID_ARGUMENT, "has operands of several sizes");
  HD_TRY(hd_eval_temp(frame, n * group, sizeof *args, &args));
  HD_TRY(hd_eval_temp(frame, m * group, sizeof *results, &results));
  for (uint32_t k = 0; k < m; ++k) {
    HD_TRY(hd_eval_value(frame, hd_result_type(op, k), &out[k]));
    if (hd_tensor_count(&out[k]) != count) return hd_make_status(HD_INVALID_ARGUMENT, "has results of several sizes");
  }
  for (size_t at = 0; at < count; at += group) {
    for (size_t i = 0; i < n * group; ++i) HD_TRY(scalar_at(frame, &in[i / group], at + i % group, &args[i]));
    hd_status status = hd_eval_region(frame, op, 0, args, n * group, results, m * group);
    release(args, n * group);
    HD_TRY(status);
    for (size_t i = 0; i < m * group; ++i) HD_TRY(put_at(&results[i], &out[i / group], at + i % group));
    release(results, m * group);
  }
  return HD_STATUS_OK;
}
