/* SPDX-License-Identifier: Apache-2.0 */
/* sort and top_k. A stable merge sort: an inconsistent comparator gives some order, never a failure. Sorting stably is
 * allowed whether or not is_stable asks for it. */
#include <string.h>

#include "eval/graph/elementwise.h"
#include "eval/graph/reduce.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"

/* Compares two elements of a line by index. */
typedef struct order {
  hd_eval_frame *frame;
  hd_op *op; /* its first region compares, or it is a function */
  size_t n;
  const hd_tensor *inputs;
  int64_t start, stride; /* the line, in elements */
  hd_type *types;        /* 2n */
  const void **data;     /* 2n */
} order;

static hd_status comes_before(order *o, int64_t a, int64_t b, bool *out) {
  for (size_t i = 0; i < o->n; ++i) {
    size_t bytes = hd_tensor_element_bytes(&o->inputs[i]);
    const char *base = hd_tensor_data(&o->inputs[i]);
    o->data[2 * i] = base + (size_t)(o->start + a * o->stride) * bytes;
    o->data[2 * i + 1] = base + (size_t)(o->start + b * o->stride) * bytes;
  }
  hd_tensor result = {0};
  if (hd_op_has_trait(o->op, HD_TRAIT(FUNCTION_LIKE)))
    HD_TRY(hd_eval_scalar_call(o->frame, o->op, 2 * o->n, o->types, o->data, &result, 1));
  else
    HD_TRY(hd_eval_scalar_body(o->frame, o->op, 0, 2 * o->n, o->types, o->data, &result, 1));
  *out = *(const char *)hd_tensor_data(&result) != 0;
  hd_tensor_release(&result);
  return HD_STATUS_OK;
}

/* Sorts |ids| by |less|; |other| is as long. Merges runs of 1, 2, 4, ... */
typedef hd_status (*less_fn)(void *user, int64_t a, int64_t b, bool *out);

static hd_status merge_sort(int64_t *ids, int64_t *other, int64_t count, less_fn less, void *user) {
  for (int64_t width = 1; width < count; width *= 2) {
    for (int64_t low = 0; low < count; low += 2 * width) {
      int64_t middle = low + width < count ? low + width : count,
              high = middle + width < count ? middle + width : count;
      int64_t a = low, b = middle;
      for (int64_t to = low; to < high; ++to) {
        bool right = a >= middle;
        if (!right && b < high) HD_TRY(less(user, ids[b], ids[a], &right));
        other[to] = right ? ids[b++] : ids[a++];
      }
    }
    memcpy(ids, other, (size_t)count * sizeof *ids);
  }
  return HD_STATUS_OK;
}

static hd_status less_by_region(void *user, int64_t a, int64_t b, bool *out) { return comes_before(user, a, b, out); }

/* Sorts |n| inputs along |axis| by the first region of |comparator|. */
static hd_status sort(hd_eval_frame *frame, hd_op *comparator, int64_t axis, size_t n, const hd_tensor *in,
                      hd_tensor *out) {
  uint32_t rank = hd_tensor_rank(&in[0]);
  if (axis < 0) axis += rank;
  if (rank == 0) {
    for (size_t i = 0; i < n; ++i) out[i] = hd_tensor_retain(in[i]);
    return HD_STATUS_OK;
  }
  if (axis < 0 || axis >= (int64_t)rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "dimension: expected one in [-%u, %u)", rank, rank);
  for (size_t i = 0; i < n; ++i) {
    HD_TRY(hd_eval_same_dims(&in[0], &in[i]));
    HD_TRY(hd_eval_tensor(frame, hd_tensor_element(&in[i]), rank, hd_tensor_dims(&in[0]), &out[i]));
  }
  if (!hd_tensor_count(&in[0])) return HD_STATUS_OK;
  order o = {.frame = frame, .op = comparator, .n = n, .inputs = in};
  HD_TRY(hd_eval_temp(frame, 2 * n, sizeof *o.types, &o.types));
  HD_TRY(hd_eval_temp(frame, 2 * n, sizeof *o.data, &o.data));
  for (size_t i = 0; i < 2 * n; ++i) o.types[i] = hd_tensor_element(&in[i / 2]);
  int64_t strides[HD_MAX_RANK], dims[HD_MAX_RANK], index[HD_MAX_RANK] = {0};
  hd_strides_of(rank, hd_tensor_dims(&in[0]), strides);
  memcpy(dims, hd_tensor_dims(&in[0]), rank * sizeof *dims);
  int64_t length = dims[axis], *ids, *other;
  dims[axis] = 1;
  o.stride = strides[axis];
  HD_TRY(hd_eval_temp(frame, (size_t)length, sizeof *ids, &ids));
  HD_TRY(hd_eval_temp(frame, (size_t)length, sizeof *other, &other));
  do {
    o.start = 0;
    for (uint32_t i = 0; i < rank; ++i) o.start += index[i] * strides[i];
    for (int64_t i = 0; i < length; ++i) ids[i] = i;
    HD_TRY(merge_sort(ids, other, length, less_by_region, &o));
    for (size_t k = 0; k < n; ++k) {
      size_t bytes = hd_tensor_element_bytes(&in[k]);
      for (int64_t i = 0; i < length; ++i)
        memcpy((char *)hd_tensor_data(&out[k]) + (size_t)(o.start + i * o.stride) * bytes,
               (const char *)hd_tensor_data(&in[k]) + (size_t)(o.start + ids[i] * o.stride) * bytes, bytes);
    }
    HD_TRY(hd_eval_poll(frame));
  } while (hd_index_next(rank, dims, index));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(sort) {
  size_t n = op->operand_count;
  if (!n || op->result_count != n) return hd_make_status(HD_INVALID_ARGUMENT, "expected as many results as inputs");
  return sort(frame, op, hd_stablehlo_sort_dimension(op), n, in, out);
}

/* The exact answer: all sorted, and of that as much as the result holds. */
hd_status hd_eval_approx_top_k(hd_eval_frame *frame, hd_op *op, hd_op *function, const hd_tensor *in, hd_tensor *out) {
  hd_attr config = hd_discardable_mhlo_backend_config(op);
  if (!hd_attr_is(config, HD_ATTR_DICT)) config = hd_stablehlo_custom_call_backend_config(op);
  hd_attr dim = hd_attr_is(config, HD_ATTR_DICT) ? hd_dict_get(config, HD_NAME_reduction_dim) : NULL;
  size_t n = op->result_count;
  uint32_t rank = n ? hd_tensor_rank(&in[0]) : 0;
  if (!n || op->operand_count < 2 * n || !hd_attr_is(dim, HD_ATTR_INTEGER) ||
      hd_op_region(function, 0)->first->arg_count != 2 * n)
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "expected inputs, as many initial values and results, a comparator and its reduction_dim");
  int64_t axis = dim->integer < 0 ? dim->integer + rank : dim->integer;
  hd_type type = hd_result_type(op, 0);
  int64_t k = hd_type_has_rank(type) && axis >= 0 && axis < (int64_t)rank && hd_type_rank(type) == rank
                  ? hd_type_dim(type, (uint32_t)axis)
                  : HD_DYNAMIC;
  if (k < 0 || k > hd_tensor_dims(&in[0])[axis])
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a known number of results along dim %lld of the input",
                          (long long)axis);
  hd_tensor *sorted;
  HD_TRY(hd_eval_temp(frame, n, sizeof *sorted, &sorted));
  memset(sorted, 0, n * sizeof *sorted);
  hd_status status = sort(frame, function, axis, n, in, sorted);
  int64_t dims[HD_MAX_RANK], outer = 1, inner = 1;
  memcpy(dims, hd_tensor_dims(&in[0]), rank * sizeof *dims);
  for (uint32_t d = 0; d < rank; ++d) *(d < axis ? &outer : &inner) *= d == axis ? 1 : dims[d];
  int64_t length = dims[axis];
  dims[axis] = k;
  for (size_t i = 0; i < n && hd_is_ok(status); ++i) {
    status = hd_eval_result(frame, op, (uint32_t)i, rank, dims, &out[i]);
    size_t line = (size_t)inner * hd_tensor_element_bytes(&in[i]);
    for (int64_t o = 0; o < outer && hd_is_ok(status); ++o)
      memcpy((char *)hd_tensor_data(&out[i]) + (size_t)(o * k) * line,
             (const char *)hd_tensor_data(&sorted[i]) + (size_t)(o * length) * line, (size_t)k * line);
  }
  for (size_t i = 0; i < n; ++i) hd_tensor_release(&sorted[i]);
  return status;
}

/* ---- top_k: the k largest of the last dim, floats in the total order; equal ones in order of index ---- */

typedef struct keys {
  const int64_t *keys;
  bool is_unsigned, smallest;
} keys;

static hd_status larger_first(void *user, int64_t a, int64_t b, bool *out) {
  const keys *k = user;
  int64_t x = k->smallest ? k->keys[b] : k->keys[a], y = k->smallest ? k->keys[a] : k->keys[b];
  *out = k->is_unsigned ? (uint64_t)x > (uint64_t)y : x > y;
  return HD_STATUS_OK;
}

static hd_status top_k(hd_eval_frame *frame, hd_op *op, const hd_tensor *operand, int64_t k, bool largest,
                       hd_tensor *out) {
  uint32_t rank = hd_tensor_rank(operand);
  hd_type element = hd_tensor_element(operand);
  hd_number_class class = hd_class_of(element);
  if (!rank || (class != HD_CLASS_INT && class != HD_CLASS_FLOAT))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a tensor of rank 1 or more of integers or floats");
  int64_t dims[HD_MAX_RANK], length = hd_tensor_dims(operand)[rank - 1];
  memcpy(dims, hd_tensor_dims(operand), rank * sizeof *dims);
  if (k < 0 || k > length)
    return hd_make_status(HD_INVALID_ARGUMENT, "k: expected one in [0, %lld], got %lld", (long long)length,
                          (long long)k);
  dims[rank - 1] = k;
  HD_TRY(hd_eval_result(frame, op, 0, rank, dims, &out[0]));
  HD_TRY(hd_eval_result(frame, op, 1, rank, dims, &out[1]));
  if (!hd_tensor_count(&out[0])) return HD_STATUS_OK;
  int64_t *line, *ids, *other;
  HD_TRY(hd_eval_temp(frame, (size_t)length, sizeof *line, &line));
  HD_TRY(hd_eval_temp(frame, (size_t)length, sizeof *ids, &ids));
  HD_TRY(hd_eval_temp(frame, (size_t)length, sizeof *other, &other));
  size_t bytes = hd_type_element_bytes(element), lines = hd_tensor_count(operand) / (size_t)length;
  size_t id_bytes = hd_tensor_element_bytes(&out[1]);
  hd_type i64 = hd_i64(hd_frame_context(frame));
  keys user = {line, class == HD_CLASS_INT && hd_is_unsigned(element), !largest};
  for (size_t at = 0; at < lines; ++at) {
    const char *from = (const char *)hd_tensor_data(operand) + at * (size_t)length * bytes;
    if (class == HD_CLASS_INT) {
      hd_load_ints(element, from, (size_t)length, line);
    } else {
      for (int64_t i = 0; i < length; ++i) line[i] = hd_eval_total_order_key(element, from + (size_t)i * bytes);
    }
    for (int64_t i = 0; i < length; ++i) ids[i] = i;
    HD_TRY(merge_sort(ids, other, length, larger_first, &user));
    for (int64_t i = 0; i < k; ++i) {
      size_t to = at * (size_t)k + (size_t)i;
      memcpy((char *)hd_tensor_data(&out[0]) + to * bytes, from + (size_t)ids[i] * bytes, bytes);
      hd_convert_elements(i64, &ids[i], hd_tensor_element(&out[1]), (char *)hd_tensor_data(&out[1]) + to * id_bytes, 1);
    }
  }
  return HD_STATUS_OK;
}

/* An attribute of the op, or of the op that a custom call stands for. */
static int64_t int_attr(hd_op *op, hd_name name, int64_t otherwise) {
  hd_attr attr = hd_op_attr_get(op, name);
  if (!attr) attr = hd_dict_get(hd_discardable_mhlo_attributes(op), name);
  return hd_attr_is(attr, HD_ATTR_INTEGER) ? attr->integer : otherwise;
}

HD_EVAL_HOOK(chlo_top_k) { return top_k(frame, op, &in[0], int_attr(op, HD_NAME_k, -1), true, out); }

HD_EVAL_HOOK(mhlo_topk) {
  return top_k(frame, op, &in[0], int_attr(op, HD_NAME_k, -1), int_attr(op, HD_NAME_largest, 1) != 0, out);
}

HD_EVAL_HOOK(chlo_dynamic_top_k) {
  if (hd_tensor_count(&in[1]) != 1) return hd_make_status(HD_INVALID_ARGUMENT, "k: expected a scalar");
  return top_k(frame, op, &in[0], hd_int_at(hd_tensor_element(&in[1]), hd_tensor_data(&in[1]), 0), true, out);
}
