/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the evaluator as hooks see it; attributes, shapes and results as they read and make them. */
#include "eval/core/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "eval/core/state.h"

hd_heap *hd_frame_heap(hd_eval_frame *frame) { return frame->evaluator->heap; }
hd_arena *hd_frame_arena(hd_eval_frame *frame) { return &frame->evaluator->arena; }
hd_op *hd_frame_graph_op(hd_eval_frame *frame, hd_op *op) { return hd_map_get(&frame->evaluator->plans.graph_ops, op); }

hd_tensor *hd_frame_place(hd_eval_frame *frame, const hd_value *value) {
  return hd_frame_slot(frame, (uint32_t)hd_map_find(&frame->evaluator->plans.slots, value)->value.i64);
}

bool hd_frame_is_expressing(hd_eval_frame *frame) { return frame->evaluator->expressing; }
hd_context *hd_frame_context(hd_eval_frame *frame) { return frame->evaluator->context; }
const hd_eval_options *hd_frame_options(hd_eval_frame *frame) { return &frame->evaluator->options; }

hd_status hd_eval_temp(hd_eval_frame *frame, size_t count, size_t size, void *out_pointer_to_pointer) {
  hd_evaluator *e = frame->evaluator;
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  if (e->temp_count == e->temp_capacity) {
    size_t capacity = e->temp_capacity ? 2 * e->temp_capacity : 64;
    hd_tensor_buffer **grown = realloc(e->temps, capacity * sizeof *grown);
    if (!grown) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    e->temps = grown;
    e->temp_capacity = capacity;
  }
  hd_tensor_buffer *buffer;
  HD_TRY(hd_tensor_buffer_create(e->heap, bytes, &buffer));
  memset(buffer->data, 0, bytes);
  e->temps[e->temp_count++] = buffer;
  void *data = buffer->data;
  memcpy(out_pointer_to_pointer, &data, sizeof data);
  return HD_STATUS_OK;
}

uint64_t hd_eval_next_call(hd_eval_frame *frame) { return frame->evaluator->random_calls++; }

void hd_eval_check_failed(hd_eval_frame *frame, hd_op *op, const char *format, ...) {
  ++frame->evaluator->checks_failed;
  va_list args;
  va_start(args, format);
  hd_op_verror(op, format, args);
  va_end(args);
}

hd_status hd_eval_report(hd_evaluator *e, hd_op *op, hd_status status) {
  if (e->quiet) return status;
  if (!e->reported) {
    hd_error(e->context, op->loc, "'%s' op %s", op->name->text, hd_status_message(status));
    e->reported = true;
  }
  return status;
}

hd_status hd_eval_poll(hd_eval_frame *frame) {
  hd_evaluator *e = frame->evaluator;
  if (e->options.cancel && atomic_load_explicit(e->options.cancel, memory_order_relaxed))
    return hd_make_status(HD_CANCELLED, "evaluation was cancelled");
  if (e->deadline != 0 && hd_clock_seconds() > e->deadline)
    return hd_make_status(HD_DEADLINE_EXCEEDED, "evaluation took longer than %g s", e->options.timeout_s);
  return HD_STATUS_OK;
}

void hd_eval_drop_temps(hd_evaluator *e, size_t mark) {
  while (e->temp_count > mark) hd_tensor_buffer_release(e->temps[--e->temp_count]);
}

hd_status hd_eval_tensor(hd_eval_frame *frame, hd_type element, uint32_t rank, const int64_t *dims, hd_tensor *out) {
  *out = (hd_tensor){0};
  for (uint32_t i = 0; i < rank; ++i)
    if (dims[i] < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %u of the result is %lld, expected 0 or more", i,
                            (long long)dims[i]);
  return hd_tensor_create(hd_frame_heap(frame), hd_type_tensor(element, dims, rank, NULL), out);
}

hd_status hd_eval_result(hd_eval_frame *frame, hd_op *op, uint32_t i, uint32_t rank, const int64_t *dims,
                         hd_tensor *out) {
  *out = (hd_tensor){0};
  hd_type type = i < op->result_count ? hd_result_type(op, i) : NULL;
  if (!type || !hd_type_is_tensor(type)) return hd_make_status(HD_INVALID_ARGUMENT, "result %u is no tensor", i);
  hd_type element = type->shaped.element;
  if (element->kind == HD_TYPE_QUANT && hd_frame_is_expressing(frame)) element = element->quant.expressed;
  return hd_eval_tensor(frame, element, rank, dims, out);
}

hd_status hd_eval_reshaped(hd_eval_frame *frame, const hd_tensor *tensor, hd_type element, uint32_t rank,
                           const int64_t *dims, hd_tensor *out) {
  (void)frame;
  *out = (hd_tensor){0};
  int64_t count;
  if (rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the evaluator's limit", rank);
  if (!hd_dims_product(rank, dims, &count) || (size_t)count != hd_tensor_count(tensor))
    return hd_make_status(HD_INVALID_ARGUMENT, "cannot reshape %zu elements (%s) to %s", hd_tensor_count(tensor),
                          hd_dims_text(hd_tensor_rank(tensor), hd_tensor_dims(tensor)), hd_dims_text(rank, dims));
  *out = hd_tensor_retain(*tensor);
  out->type = hd_type_tensor(element, dims, rank, NULL);
  return HD_STATUS_OK;
}

hd_status hd_eval_ints_of(hd_eval_frame *frame, hd_attr attr, hd_eval_ints *out) {
  *out = (hd_eval_ints){0};
  size_t count = hd_attr_count(attr);
  if (!count) return HD_STATUS_OK;
  int64_t *data;
  HD_TRY(hd_eval_temp(frame, count, sizeof *data, &data));
  for (size_t i = 0; i < count; ++i) data[i] = hd_attr_int_at(attr, i);
  *out = (hd_eval_ints){count, data};
  return HD_STATUS_OK;
}

hd_status hd_eval_ints_attr(hd_eval_frame *frame, hd_op *op, hd_name name, hd_eval_ints *out) {
  return hd_eval_ints_of(frame, hd_op_attr_get(op, name), out);
}

hd_status hd_eval_ints_attr_or(hd_eval_frame *frame, hd_op *op, hd_name name, size_t count, int64_t otherwise,
                               hd_eval_ints *out) {
  *out = (hd_eval_ints){0};
  hd_attr attr = hd_op_attr_get(op, name);
  if (attr) {
    HD_TRY(hd_eval_ints_of(frame, attr, out));
    if (out->count == count) return HD_STATUS_OK;
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %zu entries, got %zu", hd_name_text(name), count,
                          out->count);
  }
  int64_t *data;
  HD_TRY(hd_eval_temp(frame, count, sizeof *data, &data));
  for (size_t i = 0; i < count; ++i) data[i] = otherwise;
  *out = (hd_eval_ints){count, data};
  return HD_STATUS_OK;
}

hd_status hd_eval_check_axes(const hd_eval_ints *axes, uint32_t rank, const char *what) {
  uint64_t seen = 0; /* a bit per dim */
  for (size_t i = 0; i < axes->count; ++i) {
    if (axes->data[i] < 0 || axes->data[i] >= (int64_t)rank)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected dims in [0, %u), got %lld", what, rank,
                            (long long)axes->data[i]);
    if (seen >> axes->data[i] & 1)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: dim %lld occurs twice", what, (long long)axes->data[i]);
    seen |= UINT64_C(1) << axes->data[i];
  }
  return HD_STATUS_OK;
}

hd_status hd_eval_operand_ints(hd_eval_frame *frame, const hd_tensor *tensor, const char *what, hd_eval_ints *out) {
  *out = (hd_eval_ints){0};
  if (!hd_tensor_is_tensor(tensor) || hd_tensor_rank(tensor) > 1 ||
      hd_class_of(hd_tensor_element(tensor)) != HD_CLASS_INT)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected a 1-D integer tensor", what);
  size_t count = hd_tensor_count(tensor);
  int64_t *data;
  HD_TRY(hd_eval_temp(frame, count, sizeof *data, &data));
  for (size_t i = 0; i < count; ++i) data[i] = hd_int_at(hd_tensor_element(tensor), hd_tensor_data(tensor), i);
  *out = (hd_eval_ints){count, data};
  return HD_STATUS_OK;
}

const char *hd_dims_text(uint32_t rank, const int64_t *dims) {
  static _Thread_local char texts[4][256];
  static _Thread_local unsigned next;
  char *text = texts[next++ % 4];
  size_t at = 0;
  if (!rank) return "(scalar)";
  text[0] = 0;
  for (uint32_t i = 0; i < rank && at < 220; ++i)
    at += (size_t)(dims[i] == HD_DYNAMIC ? snprintf(text + at, 256 - at, "%s?", i ? "x" : "")
                                         : snprintf(text + at, 256 - at, "%s%lld", i ? "x" : "", (long long)dims[i]));
  return text;
}

hd_status hd_eval_same_dims(const hd_tensor *a, const hd_tensor *b) {
  if (!hd_tensor_is_tensor(a) || !hd_tensor_is_tensor(b))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected tensors");
  if (hd_tensor_rank(a) == hd_tensor_rank(b) && hd_dims_equal(hd_tensor_rank(a), hd_tensor_dims(a), hd_tensor_dims(b)))
    return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "shapes differ: %s and %s",
                        hd_dims_text(hd_tensor_rank(a), hd_tensor_dims(a)),
                        hd_dims_text(hd_tensor_rank(b), hd_tensor_dims(b)));
}
