/* SPDX-License-Identifier: Apache-2.0 */
/* reduce, reduce_window, select_and_scatter, map: ops whose body works on scalars.
 *
 * Elements are combined in row-major order of the reduced indices, starting from the initial value, each step rounded
 * to the body's element type. A body of one elementwise op is applied directly; any other is run as a region. */
#include "eval/graph/reduce.h"

#include <string.h>

#include "eval/graph/elementwise.h"
#include "eval/graph/window.h"
#include "ir/ops/interfaces.h"

const hd_elementwise *hd_body_kernel(hd_op *op, uint32_t region, hd_type element) {
  if (region >= op->region_count) return NULL;
  hd_block *block = hd_op_region(op, region)->first;
  if (!block || block->next || block->arg_count != 2 || !block->first || block->first->next != block->last) return NULL;
  hd_op *body = block->first, *end = block->last;
  if (body == end || body->result_count != 1 || body->operand_count != 2 || end->operand_count != 1 ||
      hd_operand(end, 0) != hd_result(body, 0) || hd_operand(body, 0) != block->args[0] ||
      hd_operand(body, 1) != block->args[1])
    return NULL;
  for (int i = 0; i < 2; ++i)
    if (!hd_type_is(block->args[i]->type, HD_TYPE_TENSOR) || block->args[i]->type->shaped.rank ||
        block->args[i]->type->shaped.element != element)
      return NULL;
  hd_type type = hd_result_type(body, 0);
  if (!hd_type_is(type, HD_TYPE_TENSOR) || type->shaped.element != element) return NULL;
  const hd_elementwise *kernel = hd_elementwise_of(body);
  if (!kernel || kernel->operands != 2) return NULL;
  switch (hd_class_of(element)) {
    case HD_CLASS_INT:
      return kernel->ints ? kernel : NULL;
    case HD_CLASS_FLOAT:
      return kernel->floats ? kernel : NULL;
    case HD_CLASS_COMPLEX:
      return kernel->complexes ? kernel : NULL;
    default:
      return NULL;
  }
}

/* A scalar tensor of the body's argument type from element |data| of type |from|. */
static hd_status scalar_of(hd_eval_frame *frame, hd_type argument, hd_type from, const void *data, hd_tensor *out) {
  hd_type element = hd_type_is_tensor(argument) ? argument->shaped.element : from;
  HD_TRY(hd_eval_tensor(frame, element, 0, NULL, out));
  if (element == from)
    memcpy(hd_tensor_data(out), data, hd_type_element_bytes(from));
  else
    hd_convert_elements(from, data, element, hd_tensor_data(out), 1);
  return HD_STATUS_OK;
}

hd_status hd_eval_scalar_body(hd_eval_frame *frame, hd_op *op, uint32_t region, size_t count, const hd_type *types,
                              const void *const *data, hd_tensor *results, size_t result_count) {
  hd_tensor local[16] = {0}, *args = local;
  hd_block *block = region < op->region_count ? hd_op_region(op, region)->first : NULL;
  if (!block || block->arg_count != count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a body of %zu arguments", count);
  if (count > 16) {
    HD_TRY(hd_eval_temp(frame, count, sizeof *args, &args));
  }
  hd_status status = HD_STATUS_OK;
  for (size_t i = 0; hd_is_ok(status) && i < count; ++i)
    status = scalar_of(frame, block->args[i]->type, types[i], data[i], &args[i]);
  if (hd_is_ok(status)) status = hd_eval_region(frame, op, region, args, count, results, result_count);
  for (size_t i = 0; i < count; ++i) hd_tensor_release(&args[i]);
  bool scalars = true;
  for (size_t i = 0; hd_is_ok(status) && i < result_count; ++i)
    scalars &= hd_tensor_is_tensor(&results[i]) && hd_tensor_count(&results[i]) == 1;
  if (scalars) return status;
  for (size_t i = 0; i < result_count; ++i) hd_tensor_release(&results[i]);
  return hd_make_status(HD_INVALID_ARGUMENT, "expected a body that gives scalars");
}

hd_status hd_eval_scalar_call(hd_eval_frame *frame, hd_op *function, size_t count, const hd_type *types,
                              const void *const *data, hd_tensor *results, size_t result_count) {
  hd_tensor args[16] = {0};
  hd_block *block = hd_op_region(function, 0)->first;
  hd_status status = HD_STATUS_OK;
  if (count > 16 || block->arg_count != count || hd_function_result_count(function) != result_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a computation of %zu arguments and %zu results", count,
                          result_count);
  for (size_t i = 0; i < count && hd_is_ok(status); ++i)
    status = scalar_of(frame, block->args[i]->type, types[i], data[i], &args[i]);
  if (hd_is_ok(status)) status = hd_eval_call(frame, function, args, count, results);
  for (size_t i = 0; i < count; ++i) hd_tensor_release(&args[i]);
  for (size_t i = 0; i < result_count && hd_is_ok(status); ++i)
    if (!hd_tensor_is_tensor(&results[i]) || hd_tensor_count(&results[i]) != 1)
      status = hd_make_status(HD_INVALID_ARGUMENT, "expected a computation that gives scalars");
  return status;
}

/* State of a reduction of |n| tensors at once. */
typedef struct reducer {
  hd_eval_frame *frame;
  hd_op *op;
  size_t n;
  const hd_tensor *inputs;
  hd_tensor *outputs;
  const hd_elementwise *kernel; /* the body, when n is 1 and it is one op */
  hd_op *function;              /* the body, when it is not region 0 of |op| */
  hd_type *types;               /* 2n: of accumulators, then of elements */
  const void **data;            /* 2n pointers */
  hd_tensor *results;
} reducer;

/* Result element |to| of every output takes in what |data|[n...] point to, of |types|[n...]. */
static hd_status combine(reducer *r, size_t to) {
  size_t n = r->n;
  for (size_t i = 0; i < n; ++i)
    r->data[i] = (const char *)hd_tensor_data(&r->outputs[i]) + to * hd_tensor_element_bytes(&r->outputs[i]);
  if (r->kernel && r->types[1] == r->types[0]) {
    hd_elementwise_apply2(r->kernel, r->types[0], r->data[0], r->data[1], (void *)(uintptr_t)r->data[0]);
    return HD_STATUS_OK;
  }
  if (r->function)
    HD_TRY(hd_eval_scalar_call(r->frame, r->function, 2 * n, r->types, r->data, r->results, n));
  else
    HD_TRY(hd_eval_scalar_body(r->frame, r->op, 0, 2 * n, r->types, r->data, r->results, n));
  for (size_t i = 0; i < n; ++i) {
    hd_tensor *result = &r->results[i];
    hd_convert_elements(hd_tensor_element(result), hd_tensor_data(result), r->types[i], (void *)(uintptr_t)r->data[i],
                        1);
    hd_tensor_release(result);
  }
  return HD_STATUS_OK;
}

/* Takes in element |from| of every input. */
static hd_status combine_input(reducer *r, size_t to, size_t from) {
  for (size_t i = 0; i < r->n; ++i) {
    r->data[r->n + i] = (const char *)hd_tensor_data(&r->inputs[i]) + from * hd_tensor_element_bytes(&r->inputs[i]);
    r->types[r->n + i] = hd_tensor_element(&r->inputs[i]);
  }
  return combine(r, to);
}

/* Takes in the initial values, which padding and holes stand for. */
static hd_status combine_initial(reducer *r, size_t to) {
  for (size_t i = 0; i < r->n; ++i) {
    r->data[r->n + i] = hd_tensor_data(&r->inputs[r->n + i]);
    r->types[r->n + i] = hd_tensor_element(&r->inputs[r->n + i]);
  }
  return combine(r, to);
}

/* Checks operands (n inputs of one shape, n scalar initial values) and makes outputs of |dims| filled with the initial
 * values, which combine() then updates in place. */
static hd_status start(hd_eval_frame *frame, hd_op *op, hd_op *function, size_t n, const hd_tensor *in, hd_tensor *out,
                       uint32_t rank, const int64_t *dims, reducer *r) {
  if (!n || op->operand_count < 2 * n || op->result_count != n || (!function && op->operand_count != 2 * n))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected as many initial values and results as inputs");
  *r = (reducer){.frame = frame, .op = op, .n = n, .inputs = in, .outputs = out, .function = function};
  HD_TRY(hd_eval_temp(frame, 2 * n, sizeof *r->types, &r->types));
  HD_TRY(hd_eval_temp(frame, 2 * n, sizeof *r->data, &r->data));
  HD_TRY(hd_eval_temp(frame, n, sizeof *r->results, &r->results));
  for (size_t i = 0; i < n; ++i) {
    HD_TRY(hd_eval_same_dims(&in[0], &in[i]));
    const hd_tensor *init = &in[n + i];
    if (!hd_tensor_is_tensor(init) || hd_tensor_count(init) != 1)
      return hd_make_status(HD_INVALID_ARGUMENT, "initial value %zu: expected a scalar", i);
    HD_TRY(hd_eval_result(frame, op, (uint32_t)i, rank, dims, &out[i]));
    hd_type element = hd_tensor_element(&out[i]);
    r->types[i] = element;
    r->types[n + i] = hd_tensor_element(&in[i]);
    size_t bytes = hd_type_element_bytes(element), count = hd_tensor_count(&out[i]);
    char value[16];
    hd_convert_elements(hd_tensor_element(init), hd_tensor_data(init), element, value, 1);
    for (size_t k = 0; k < count; ++k) memcpy((char *)hd_tensor_data(&out[i]) + k * bytes, value, bytes);
  }
  if (n == 1 && !function) r->kernel = hd_body_kernel(op, 0, r->types[0]);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(reduce) {
  hd_eval_ints axes;
  uint32_t rank = hd_tensor_rank(&in[0]), kept = 0;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_dimensions, &axes));
  HD_TRY(hd_eval_check_axes(&axes, rank, "dimensions"));
  uint64_t mask = 0;
  for (size_t i = 0; i < axes.count; ++i) mask |= UINT64_C(1) << axes.data[i];
  int64_t dims[HD_MAX_RANK], strides[HD_MAX_RANK], kept_strides[HD_MAX_RANK], out_step[HD_MAX_RANK] = {0};
  hd_strides_of(rank, hd_tensor_dims(&in[0]), strides);
  for (uint32_t i = 0; i < rank; ++i)
    if (!(mask >> i & 1)) dims[kept++] = hd_tensor_dims(&in[0])[i];
  hd_strides_of(kept, dims, kept_strides);
  kept = 0;
  for (uint32_t i = 0; i < rank; ++i)
    if (!(mask >> i & 1)) out_step[i] = kept_strides[kept++];
  reducer r;
  HD_TRY(start(frame, op, NULL, op->operand_count / 2, in, out, kept, dims, &r));
  size_t count = hd_tensor_count(&in[0]);
  if (!count) return HD_STATUS_OK;
  /* Row-major order over the whole input is row-major order within every result element. */
  int64_t index[HD_MAX_RANK] = {0};
  size_t at = 0;
  do {
    int64_t to = 0;
    for (uint32_t i = 0; i < rank; ++i) to += index[i] * out_step[i];
    if ((at & 0xffff) == 0) HD_TRY(hd_eval_poll(frame));
    HD_TRY(combine_input(&r, (size_t)to, at++));
  } while (hd_index_next(rank, hd_tensor_dims(&in[0]), index));
  return HD_STATUS_OK;
}

static hd_status reduce_windows(hd_eval_frame *frame, hd_op *op, hd_op *function, size_t n, const hd_window *given,
                                const hd_tensor *in, hd_tensor *out) {
  hd_window window = *given;
  uint32_t rank = window.rank;
  int64_t dims[HD_MAX_RANK], strides[HD_MAX_RANK], window_count;
  HD_TRY(hd_window_output(&window, hd_tensor_dims(&in[0]), dims));
  reducer r;
  HD_TRY(start(frame, op, function, n, in, out, rank, dims, &r));
  if (!hd_tensor_count(&out[0]) || !hd_dims_product(rank, window.size, &window_count) || !window_count)
    return HD_STATUS_OK;
  hd_strides_of(rank, hd_tensor_dims(&in[0]), strides);
  int64_t position[HD_MAX_RANK] = {0};
  size_t to = 0, taps = 0;
  do {
    HD_TRY(hd_eval_poll(frame));
    int64_t tap[HD_MAX_RANK] = {0};
    do {
      int64_t from = 0, input;
      bool inside = true;
      if ((++taps & 0xfff) == 0) HD_TRY(hd_eval_poll(frame));
      for (uint32_t d = 0; d < rank && inside; ++d) {
        inside = hd_window_input(&window, d, position[d], tap[d], hd_tensor_dims(&in[0])[d], &input);
        from += input * strides[d];
      }
      HD_TRY(inside ? combine_input(&r, to, (size_t)from) : combine_initial(&r, to));
    } while (hd_index_next(rank, window.size, tap));
    ++to;
  } while (hd_index_next(rank, dims, position));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(reduce_window) {
  hd_eval_ints sizes, padding;
  hd_window window;
  uint32_t rank = hd_tensor_rank(&in[0]);
  HD_TRY(hd_eval_ints_attr_or(frame, op, HD_NAME_window_dimensions, rank, 1, &sizes));
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_padding, &padding));
  HD_TRY(hd_window_read(frame, op,
                        &(hd_window_names){HD_NAME_window_strides, HD_NAME_base_dilations, HD_NAME_window_dilations},
                        rank, sizes.data, &padding, &window));
  return reduce_windows(frame, op, NULL, op->operand_count / 2, &window, in, out);
}

/* Each element along the dim takes in the one before it, or the initial value: in order, or from the last on. */
HD_EVAL_HOOK(associative_scan) {
  uint32_t rank = hd_tensor_rank(&in[0]);
  int64_t axis = hd_scan_like_dimension(op);
  if (axis < 0 || axis >= rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a dimension in [0, %u), got %lld", rank, (long long)axis);
  const int64_t *dims = hd_tensor_dims(&in[0]);
  bool reverse = hd_scan_like_is_reverse(op);
  reducer r;
  HD_TRY(start(frame, op, NULL, op->operand_count / 2, in, out, rank, dims, &r));
  size_t count = hd_tensor_count(&in[0]), inner = 1;
  for (uint32_t d = (uint32_t)axis + 1; d < rank; ++d) inner *= (size_t)dims[d];
  size_t length = (size_t)dims[axis];
  for (size_t step = 0; step < count; ++step) {
    size_t lane = step % inner, line = step / inner, row = line % length;
    if ((step & 0xffff) == 0) HD_TRY(hd_eval_poll(frame));
    size_t at = (line - row + (reverse ? length - 1 - row : row)) * inner + lane;
    for (size_t i = 0; row && i < r.n; ++i) {
      size_t bytes = hd_tensor_element_bytes(&out[i]);
      char *to = (char *)hd_tensor_data(&out[i]) + at * bytes;
      memcpy(to, reverse ? to + inner * bytes : to - inner * bytes, bytes);
    }
    HD_TRY(combine_input(&r, at, at));
  }
  return HD_STATUS_OK;
}

/* Inputs, initial values, then the window as operands: sizes, strides, base dilations, window dilations, padding. */
hd_status hd_eval_dynamic_reduce_window(hd_eval_frame *frame, hd_op *op, hd_op *function, const hd_tensor *in,
                                        hd_tensor *out) {
  if (op->operand_count < 7 || op->operand_count % 2 == 0)
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "expected inputs, initial values and five operands that describe the window");
  size_t n = (op->operand_count - 5) / 2;
  uint32_t rank = hd_tensor_rank(&in[0]);
  hd_window window = {.rank = rank};
  int64_t *const lists[] = {window.size, window.stride, window.base_dilation, window.window_dilation};
  hd_eval_ints list;
  for (size_t k = 0; k < 4; ++k) {
    HD_TRY(hd_eval_operand_ints(frame, &in[2 * n + k], "window", &list));
    if (list.count != rank)
      return hd_make_status(HD_INVALID_ARGUMENT, "window: expected %u entries, got %zu", rank, list.count);
    for (uint32_t i = 0; i < rank; ++i) {
      if (list.data[i] < (k ? 1 : 0))
        return hd_make_status(HD_INVALID_ARGUMENT, "window: entry %u is %lld", i, (long long)list.data[i]);
      lists[k][i] = list.data[i];
    }
  }
  hd_tensor flat;
  const hd_tensor *padding = &in[2 * n + 4];
  int64_t count = (int64_t)hd_tensor_count(padding);
  HD_TRY(hd_eval_reshaped(frame, padding, hd_tensor_element(padding), 1, &count, &flat));
  hd_status status = hd_eval_operand_ints(frame, &flat, "padding", &list);
  hd_tensor_release(&flat);
  HD_TRY(status);
  if (list.count != 2 * (size_t)rank) return hd_make_status(HD_INVALID_ARGUMENT, "padding: expected %u pairs", rank);
  for (uint32_t i = 0; i < rank; ++i) {
    window.low[i] = list.data[2 * i];
    window.high[i] = list.data[2 * i + 1];
  }
  return reduce_windows(frame, op, function, n, &window, in, out);
}

HD_EVAL_HOOK(select_and_scatter) {
  const hd_tensor *operand = &in[0], *source = &in[1], *init = &in[2];
  uint32_t rank = hd_tensor_rank(operand);
  hd_eval_ints sizes, padding;
  hd_window window;
  HD_TRY(hd_eval_ints_attr_or(frame, op, HD_NAME_window_dimensions, rank, 1, &sizes));
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_padding, &padding));
  HD_TRY(hd_window_read(frame, op, &(hd_window_names){.strides = HD_NAME_window_strides}, rank, sizes.data, &padding,
                        &window));
  int64_t dims[HD_MAX_RANK], strides[HD_MAX_RANK];
  HD_TRY(hd_window_output(&window, hd_tensor_dims(operand), dims));
  if (hd_tensor_rank(source) != rank || !hd_dims_equal(rank, dims, hd_tensor_dims(source)))
    return hd_make_status(HD_INVALID_ARGUMENT, "source: expected %s, got %s", hd_dims_text(rank, dims),
                          hd_dims_text(hd_tensor_rank(source), hd_tensor_dims(source)));
  HD_TRY(hd_eval_result(frame, op, 0, rank, hd_tensor_dims(operand), out));
  hd_type element = hd_tensor_element(operand), to_element = hd_tensor_element(out);
  size_t bytes = hd_type_element_bytes(element), to_bytes = hd_type_element_bytes(to_element);
  char value[16];
  hd_convert_elements(hd_tensor_element(init), hd_tensor_data(init), to_element, value, 1);
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i)
    memcpy((char *)hd_tensor_data(out) + i * to_bytes, value, to_bytes);
  int64_t windows;
  if (!hd_tensor_count(source) || !hd_dims_product(rank, window.size, &windows) || !windows) return HD_STATUS_OK;
  hd_strides_of(rank, hd_tensor_dims(operand), strides);
  const char *data = hd_tensor_data(operand);
  int64_t position[HD_MAX_RANK] = {0};
  size_t from = 0, taps = 0;
  do {
    HD_TRY(hd_eval_poll(frame));
    int64_t tap[HD_MAX_RANK] = {0}, selected = -1;
    do {
      int64_t at = 0, input;
      bool inside = true;
      if ((++taps & 0xfff) == 0) HD_TRY(hd_eval_poll(frame));
      for (uint32_t d = 0; d < rank && inside; ++d) {
        inside = hd_window_input(&window, d, position[d], tap[d], hd_tensor_dims(operand)[d], &input);
        at += input * strides[d];
      }
      if (!inside) continue;
      if (selected < 0) {
        selected = at;
        continue;
      }
      hd_tensor keep = {0};
      HD_TRY(hd_eval_scalar_body(frame, op, 0, 2, (hd_type[]){element, element},
                                 (const void *[]){data + (size_t)selected * bytes, data + (size_t)at * bytes}, &keep,
                                 1));
      bool kept = hd_tensor_is_tensor(&keep) && *(const char *)hd_tensor_data(&keep);
      hd_tensor_release(&keep);
      if (!kept) selected = at;
    } while (hd_index_next(rank, window.size, tap));
    if (selected >= 0) {
      hd_tensor sum = {0};
      char *to = (char *)hd_tensor_data(out) + (size_t)selected * to_bytes;
      size_t source_bytes = hd_tensor_element_bytes(source);
      HD_TRY(hd_eval_scalar_body(frame, op, 1, 2, (hd_type[]){to_element, hd_tensor_element(source)},
                                 (const void *[]){to, (const char *)hd_tensor_data(source) + from * source_bytes}, &sum,
                                 1));
      hd_convert_elements(hd_tensor_element(&sum), hd_tensor_data(&sum), to_element, to, 1);
      hd_tensor_release(&sum);
    }
    ++from;
  } while (hd_index_next(rank, dims, position));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(map) {
  size_t n = op->operand_count;
  if (!n) return hd_make_status(HD_INVALID_ARGUMENT, "expected at least one operand");
  for (size_t i = 1; i < n; ++i) HD_TRY(hd_eval_same_dims(&in[0], &in[i]));
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type *types, element = hd_tensor_element(out);
  const void **data;
  HD_TRY(hd_eval_temp(frame, n, sizeof *types, &types));
  HD_TRY(hd_eval_temp(frame, n, sizeof *data, &data));
  size_t bytes = hd_type_element_bytes(element);
  for (size_t k = 0, count = hd_tensor_count(out); k < count; ++k) {
    for (size_t i = 0; i < n; ++i) {
      types[i] = hd_tensor_element(&in[i]);
      data[i] = (const char *)hd_tensor_data(&in[i]) + k * hd_tensor_element_bytes(&in[i]);
    }
    hd_tensor result = {0};
    HD_TRY(hd_eval_scalar_body(frame, op, 0, n, types, data, &result, 1));
    hd_convert_elements(hd_tensor_element(&result), hd_tensor_data(&result), element,
                        (char *)hd_tensor_data(out) + k * bytes, 1);
    hd_tensor_release(&result);
  }
  return HD_STATUS_OK;
}
