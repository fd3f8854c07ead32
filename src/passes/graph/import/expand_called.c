/* SPDX-License-Identifier: Apache-2.0 */
/* Custom calls that are handed a computation become ops whose region it is; inline calls this on the entry.
 *
 *   custom_call @stablehlo.dynamic_reduce_window(%x.., %init.., sizes, strides, base, dilations, padding) {@f}
 *     -> mhlo.associative_scan where the window is all elements up to each, or from each on, and the initial values
 *        absorb the padding, else pads, windows and loops (expand_window.c)
 *   custom_call @ApproxTopK(%x.., %init..) {@less, top_k}
 *     -> a stable sort and its front: the exact answer is one of the right ones. */
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_window.h"
#include "passes/graph/import/inline_calls.h"
#include "passes/graph/loop/recognize_scans.h"

enum { MAX_INPUTS = HD_WINDOW_MAX_INPUTS };

/* The integer at |i| in row-major order when it is a constant through concatenations and reshapes. */
static bool constant_at(hd_value *value, int64_t i, int64_t *out) {
  for (int depth = 0; depth < 64; ++depth) {
    hd_attr attr = hd_value_constant(value);
    if (attr) {
      if (!hd_attr_is(attr, HD_ATTR_DENSE) || i >= (int64_t)hd_attr_count(attr)) return false;
      *out = hd_attr_int_at(attr, (size_t)i);
      return true;
    }
    hd_op *op = hd_value_op(value);
    if (!op || !op->operand_count || !hd_type_is_static(hd_operand_type(op, 0))) return false;
    switch (hd_opcode_get(op)) {
      case HD_OP_stablehlo_concatenate: {
        if (hd_stablehlo_concatenate_dimension(op)) return false;
        uint32_t k = 0;
        int64_t count = 0;
        for (; k < op->operand_count; ++k) {
          count = hd_type_num_elements(hd_operand_type(op, k));
          if (count < 0) return false;
          if (i < count) break;
          i -= count;
        }
        if (k == op->operand_count) return false;
        value = hd_operand(op, k);
        break;
      }
      case HD_OP_stablehlo_reshape:
      case HD_OP_stablehlo_convert:
      case HD_OP_stablehlo_broadcast_in_dim: {
        int64_t from = hd_type_num_elements(hd_operand_type(op, 0)), to = hd_type_num_elements(value->type);
        if (from != to && from != 1) return false;
        if (from == 1) i = 0;
        value = hd_operand(op, 0);
        break;
      }
      default:
        return false;
    }
  }
  return false;
}

/* Element |i| of an integer tensor as a size: a constant where it is known. False with an error: it is beyond sizes. */
static bool size_at(const hd_windows *w, hd_value *flat, hd_value *value, int64_t i, hd_value **out) {
  int64_t known;
  bool is_known = constant_at(value, i, &known);
  if (is_known && (known < INT32_MIN || known > INT32_MAX))
    return hd_op_error(w->op, "describes its windows by %lld, expected a number of 32 bits", (long long)known);
  *out = is_known ? hd_hlo_size(w->b, known) : hd_hlo_slice(w->b, flat, 0, i, i + 1);
  return true;
}

static bool known(hd_value *size) { return hd_hlo_known_size(size) != HD_DYNAMIC; }

static bool read_windows(hd_windows *w) {
  hd_op *op = w->op;
  hd_builder *b = w->b;
  hd_value *parts[5], *flat[5];
  for (uint32_t k = 0; k < 5; ++k) {
    int64_t count = k == 4 ? 2 * (int64_t)w->rank : w->rank;
    parts[k] = hd_operand(op, 2 * w->inputs + k);
    if (!hd_type_is_static(parts[k]->type) || hd_type_element(parts[k]->type)->kind != HD_TYPE_INTEGER ||
        hd_type_num_elements(parts[k]->type) != count)
      return hd_op_error(op, "expects operand %u to be %lld integers", 2 * w->inputs + k, (long long)count);
    flat[k] = hd_hlo_convert(b, hd_hlo_reshape_to(b, parts[k], &count, 1), hd_i32(b->context));
  }
  for (uint32_t d = 0; d < w->rank; ++d) {
    hd_window_dim *at = &w->dims[d];
    hd_value **fields[] = {&at->size, &at->stride, &at->base, &at->dilation};
    for (uint32_t k = 0; k < 4; ++k)
      if (!size_at(w, flat[k], parts[k], d, fields[k])) return false;
    if (!size_at(w, flat[4], parts[4], 2 * (int64_t)d, &at->low) ||
        !size_at(w, flat[4], parts[4], 2 * (int64_t)d + 1, &at->high))
      return false;
    at->loops = !known(at->size) || !known(at->stride) || !known(at->dilation);
    at->pads = at->loops || !known(at->low) || !known(at->high) || !known(at->base);
  }
  return true;
}

static bool prefix_window(hd_builder *b, hd_op *op, hd_block *body, const hd_prefix *prefix, hd_value **results) {
  uint32_t inputs = op->result_count;
  hd_value *operands[2 * MAX_INPUTS];
  for (uint32_t i = 0; i < 2 * inputs; ++i) operands[i] = hd_operand(op, i);
  if (!hd_init_absorbs_padding(&b->module->arena, operands + inputs, inputs, body)) return false;
  hd_op *scan = hd_build_associative_scan(b, operands, inputs, body, prefix->axis, prefix->reverse);
  for (uint32_t i = 0; scan && i < inputs; ++i)
    results[i] = hd_hlo_retype(b, hd_result(scan, i), hd_result_type(op, i));
  return scan != NULL;
}

static bool dynamic_reduce_window(hd_builder *b, hd_op *op, hd_block *body, const hd_prefix *prefix,
                                  hd_value **results) {
  hd_windows w = {.b = b, .op = op, .body = body};
  hd_value *x[MAX_INPUTS];
  if (op->operand_count < 7 || op->operand_count % 2 == 0)
    return hd_op_error(op, "expects inputs, initial values and five operands that describe the window");
  w.inputs = (op->operand_count - 5) / 2;
  if (w.inputs > MAX_INPUTS || w.inputs != op->result_count || body->arg_count != 2 * w.inputs ||
      body->last->operand_count != w.inputs)
    return hd_op_error(op, "expects up to %d inputs, as many results, and a computation of two of each", MAX_INPUTS);
  for (uint32_t i = 0; i < w.inputs; ++i) {
    x[i] = hd_operand(op, i);
    w.init[i] = hd_operand(op, w.inputs + i);
    if (!hd_type_has_rank(x[i]->type) || hd_type_rank(x[i]->type) != hd_type_rank(x[0]->type) ||
        hd_type_rank(x[i]->type) > HD_MAX_RANK || !hd_type_has_rank(w.init[i]->type) || hd_type_rank(w.init[i]->type) ||
        hd_type_element(w.init[i]->type) != hd_type_element(x[i]->type) ||
        hd_type_element(hd_result_type(op, i)) != hd_type_element(x[i]->type) ||
        hd_type_rank(hd_result_type(op, i)) != hd_type_rank(x[i]->type))
      return hd_op_error(op, "expects inputs and results of one rank, and scalar initial values of their elements");
  }
  w.rank = hd_type_rank(x[0]->type);
  if (prefix && prefix_window(b, op, body, prefix, results)) return true;
  if (!read_windows(&w)) return false;
  if (!hd_expand_windows(&w, x)) return false;
  for (uint32_t i = 0; i < w.inputs; ++i) results[i] = hd_hlo_retype(b, x[i], hd_result_type(op, i));
  return true;
}

static bool approx_top_k(hd_builder *b, hd_op *op, hd_block *body, hd_value **results) {
  hd_attr config = hd_discardable_mhlo_backend_config(op);
  if (!hd_attr_is(config, HD_ATTR_DICT)) config = hd_stablehlo_custom_call_backend_config(op);
  hd_attr dim = hd_attr_is(config, HD_ATTR_DICT) ? hd_dict_get(config, HD_NAME_reduction_dim) : NULL;
  uint32_t inputs = body->arg_count / 2;
  if (!inputs || inputs > MAX_INPUTS || inputs != op->result_count || op->operand_count < 2 * inputs ||
      !hd_attr_is(dim, HD_ATTR_INTEGER))
    return hd_op_error(op, "expects inputs, as many initial values and results, a comparator and its reduction_dim");
  hd_value *x[MAX_INPUTS], *sizes[HD_MAX_RANK];
  hd_type types[MAX_INPUTS];
  for (uint32_t i = 0; i < inputs; ++i) {
    x[i] = hd_operand(op, i);
    types[i] = x[i]->type;
    if (!hd_type_has_rank(types[i]) || hd_type_rank(types[i]) > HD_MAX_RANK ||
        hd_type_rank(types[i]) != hd_type_rank(types[0]) ||
        hd_type_rank(hd_result_type(op, i)) != hd_type_rank(types[0]))
      return hd_op_error(op, "expects inputs and results of one rank");
    for (uint32_t d = 0; d < hd_type_rank(types[0]); ++d) {
      int64_t first = hd_type_dim(types[0], d), size = hd_type_dim(types[i], d);
      if (first != HD_DYNAMIC && size != HD_DYNAMIC && first != size)
        return hd_op_error(op, "expects inputs of one shape, got %lld and %lld at dim %u", (long long)first,
                           (long long)size, d);
    }
  }
  uint32_t rank = hd_type_rank(types[0]);
  int64_t axis = dim->integer < 0 ? dim->integer + rank : dim->integer;
  int64_t k = axis >= 0 && axis < (int64_t)rank ? hd_type_dim(hd_result_type(op, 0), (uint32_t)axis) : HD_DYNAMIC;
  if (k == HD_DYNAMIC)
    return hd_op_error(op, "expects a known size of its result along reduction_dim, got an unknown one");
  for (uint32_t i = 0; i < inputs; ++i) {
    int64_t most = hd_type_dim(types[i], (uint32_t)axis);
    if (most != HD_DYNAMIC && k > most)
      return hd_op_error(op, "expects at most %lld results along its reduction_dim, got %lld", (long long)most,
                         (long long)k);
  }
  hd_attr_arg attrs[] = {{HD_NAME_dimension, hd_attr_i64(b->context, axis)},
                         {HD_NAME_is_stable, hd_attr_bool(b->context, true)}};
  hd_op *sorted = hd_build_op(b, HD_OP_stablehlo_sort, x, inputs, types, inputs, attrs, 2, 1);
  hd_expand_give_body(b, body, sorted);
  for (uint32_t d = 0; d < rank; ++d)
    sizes[d] =
        hd_type_dim(types[0], d) == HD_DYNAMIC ? hd_hlo_size_of(b, x[0], d) : hd_hlo_size(b, hd_type_dim(types[0], d));
  for (uint32_t i = 0; i < inputs; ++i) {
    results[i] =
        hd_hlo_slice_sized(b, hd_result(sorted, i), (uint32_t)axis, hd_hlo_size(b, 0), hd_hlo_size(b, k), sizes);
    results[i] = hd_hlo_retype(b, results[i], hd_result_type(op, i));
  }
  return true;
}

bool hd_expand_called(hd_builder *b, hd_op *call, hd_op *callee, const hd_prefix *prefix, hd_value **results) {
  hd_str target = hd_stablehlo_custom_call_call_target_name(call);
  hd_block *body = hd_op_region(callee, 0)->first;
  results[0] = NULL;
  if (hd_str_is(target, "stablehlo.dynamic_reduce_window"))
    return dynamic_reduce_window(b, call, body, prefix, results);
  if (hd_str_is(target, "ApproxTopK")) return approx_top_k(b, call, body, results);
  return true;
}
