/* SPDX-License-Identifier: Apache-2.0 */
/* The shape dialect. A shape is a tensor of extents, or, as !shape.shape, a buffer of them as int64_t; a size is an
 * index, or, as !shape.size, one int64_t; a witness is a bool; a value with a shape is a pair of both.
 *
 * A shape that has no meaning (of operands that do not broadcast together, of extents that differ) ends the run where
 * it arises, as does a constraint that does not hold: so a witness that exists holds, unless it is a constant. */
#include <string.h>

#include "base/strbuf.h"
#include "eval/core/scalar.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/shape.h"

static bool is(hd_type type, int row) { return hd_type_is(type, HD_TYPE_DIALECT) && type->dialect.row == row; }
static bool is_shape(hd_type type) { return is(type, HD_TYPE_ROW_shape_shape); }
static bool is_size(hd_type type) { return is(type, HD_TYPE_ROW_shape_size); }
static bool is_value_shape(hd_type type) { return is(type, HD_TYPE_ROW_shape_value_shape); }

/* Extents, alive for the time of one op. */
typedef hd_eval_ints extents;

static const char *text_of(extents e) { return hd_dims_text((uint32_t)e.count, e.data); }

static hd_status extents_of(hd_eval_frame *frame, const hd_tensor *value, extents *out) {
  if (!is_shape(value->type)) return hd_eval_operand_ints(frame, value, "a shape", out);
  *out = (extents){value->buffer->size / sizeof(int64_t), (const int64_t *)hd_tensor_data(value)};
  return HD_STATUS_OK;
}

static hd_status give_shape(hd_eval_frame *frame, hd_op *op, uint32_t i, extents e, hd_tensor *out) {
  if (e.count > HD_MAX_RANK)
    return hd_make_status(HD_UNIMPLEMENTED, "rank %zu is above the evaluator's limit", e.count);
  hd_type type = hd_result_type(op, i);
  if (hd_type_is_tensor(type)) {
    HD_TRY(hd_eval_result(frame, op, i, 1, &(int64_t){(int64_t)e.count}, &out[i]));
    hd_store_ints(hd_tensor_element(&out[i]), hd_tensor_data(&out[i]), e.count, e.data);
    return HD_STATUS_OK;
  }
  HD_TRY(hd_tensor_buffer_create(hd_frame_heap(frame), e.count * sizeof *e.data, &out[i].buffer));
  if (e.count) memcpy(out[i].buffer->data, e.data, e.count * sizeof *e.data);
  out[i].type = type;
  return HD_STATUS_OK;
}

static int64_t size_of(const hd_tensor *value) {
  if (is_size(value->type)) return *(const int64_t *)hd_tensor_data(value);
  return hd_eval_int(value);
}

static hd_status give_size(hd_eval_frame *frame, hd_op *op, int64_t size, hd_tensor *out) {
  hd_type type = hd_result_type(op, 0);
  if (!is_size(type)) return hd_eval_int_result(frame, op, 0, size, out);
  HD_TRY(hd_tensor_buffer_create(hd_frame_heap(frame), sizeof size, &out->buffer));
  *(int64_t *)hd_tensor_data(out) = size;
  out->type = type;
  return HD_STATUS_OK;
}

static hd_status give_witness(hd_eval_frame *frame, hd_op *op, bool holds, hd_tensor *out) {
  HD_TRY(hd_tensor_buffer_create(hd_frame_heap(frame), sizeof holds, &out->buffer));
  *(bool *)hd_tensor_data(out) = holds;
  out->type = hd_result_type(op, 0);
  return HD_STATUS_OK;
}
static bool holds(const hd_tensor *witness) { return *(const bool *)hd_tensor_data(witness); }

/* ---- sizes and constants ---- */

HD_EVAL_HOOK(shape_const_size) { return give_size(frame, op, hd_shape_const_size_value(op), out); }

HD_EVAL_HOOK(shape_const_shape) {
  extents e;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_shape, &e));
  return give_shape(frame, op, 0, e, out);
}

HD_EVAL_HOOK(shape_const_witness) { return give_witness(frame, op, hd_shape_const_witness_passing(op), out); }

static int64_t sum(int64_t x, int64_t y) { return (int64_t)((uint64_t)x + (uint64_t)y); }
static int64_t product(int64_t x, int64_t y) { return (int64_t)((uint64_t)x * (uint64_t)y); }
static int64_t greater(int64_t x, int64_t y) { return x > y ? x : y; }
static int64_t lesser(int64_t x, int64_t y) { return x < y ? x : y; }

HD_EVAL_HOOK(shape_add) { return give_size(frame, op, sum(size_of(&in[0]), size_of(&in[1])), out); }
HD_EVAL_HOOK(shape_mul) { return give_size(frame, op, product(size_of(&in[0]), size_of(&in[1])), out); }

HD_EVAL_HOOK(shape_div) {
  int64_t x = size_of(&in[0]), y = size_of(&in[1]);
  if (!y) return hd_make_status(HD_INVALID_ARGUMENT, "divides by zero");
  if (y == -1) return give_size(frame, op, (int64_t)(0 - (uint64_t)x), out);
  return give_size(frame, op, x / y - (x % y != 0 && (x < 0) != (y < 0)), out);
}

HD_EVAL_HOOK(shape_index_to_size) { return give_size(frame, op, size_of(&in[0]), out); }
HD_EVAL_HOOK(shape_size_to_index) { return give_size(frame, op, size_of(&in[0]), out); }

static bool is_of_sizes(const hd_tensor *value) {
  return is_size(value->type) || (!is_shape(value->type) && !hd_tensor_is_tensor(value));
}

/* |combine| of two sizes, or of two shapes extent by extent. */
static hd_status pairwise(hd_eval_frame *frame, hd_op *op, int64_t (*combine)(int64_t, int64_t), const hd_tensor *in,
                          hd_tensor *out) {
  if (is_of_sizes(&in[0])) return give_size(frame, op, combine(size_of(&in[0]), size_of(&in[1])), out);
  extents x, y;
  HD_TRY(extents_of(frame, &in[0], &x));
  HD_TRY(extents_of(frame, &in[1], &y));
  if (x.count != y.count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected shapes of one rank, got %s and %s", text_of(x), text_of(y));
  int64_t *both;
  HD_TRY(hd_eval_temp(frame, x.count + 1, sizeof *both, &both));
  for (size_t i = 0; i < x.count; ++i) both[i] = combine(x.data[i], y.data[i]);
  return give_shape(frame, op, 0, (extents){x.count, both}, out);
}
HD_EVAL_HOOK(shape_max) { return pairwise(frame, op, greater, in, out); }
HD_EVAL_HOOK(shape_min) { return pairwise(frame, op, lesser, in, out); }

/* ---- shapes of values, extents of shapes ---- */

static hd_status dims_of(hd_eval_frame *frame, const hd_tensor *value, extents *out) {
  if (is_value_shape(value->type)) return extents_of(frame, hd_tuple_get(value, 1), out);
  if (!hd_tensor_is_tensor(value))
    return hd_make_status(HD_UNIMPLEMENTED, "reads the shape of a value that is no tensor");
  *out = (extents){hd_tensor_rank(value), hd_tensor_dims(value)};
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(shape_shape_of) {
  extents e;
  HD_TRY(dims_of(frame, &in[0], &e));
  return give_shape(frame, op, 0, e, out);
}

static hd_status extent(hd_eval_frame *frame, hd_op *op, extents e, int64_t at, hd_tensor *out) {
  if (at < 0 || at >= (int64_t)e.count)
    return hd_make_status(HD_INVALID_ARGUMENT, "reads extent %lld of a shape of rank %zu", (long long)at, e.count);
  return give_size(frame, op, e.data[at], out);
}

HD_EVAL_HOOK(shape_dim) {
  extents e;
  HD_TRY(dims_of(frame, &in[0], &e));
  return extent(frame, op, e, size_of(&in[1]), out);
}

HD_EVAL_HOOK(shape_get_extent) {
  extents e;
  HD_TRY(extents_of(frame, &in[0], &e));
  return extent(frame, op, e, size_of(&in[1]), out);
}

HD_EVAL_HOOK(shape_rank) {
  extents e;
  HD_TRY(extents_of(frame, &in[0], &e));
  return give_size(frame, op, (int64_t)e.count, out);
}

HD_EVAL_HOOK(shape_num_elements) {
  extents e;
  int64_t count;
  HD_TRY(extents_of(frame, &in[0], &e));
  if (!hd_dims_product((uint32_t)e.count, e.data, &count))
    return hd_make_status(HD_INVALID_ARGUMENT, "the number of elements of %s overflows", text_of(e));
  return give_size(frame, op, count, out);
}

HD_EVAL_HOOK(shape_from_extents) {
  int64_t *sizes;
  HD_TRY(hd_eval_temp(frame, op->operand_count + 1, sizeof *sizes, &sizes));
  for (uint32_t i = 0; i < op->operand_count; ++i) sizes[i] = size_of(&in[i]);
  return give_shape(frame, op, 0, (extents){op->operand_count, sizes}, out);
}

/* The same extents as another kind of shape. */
static hd_status same(hd_eval_frame *frame, hd_op *op, const hd_tensor *shape, hd_tensor *out) {
  extents e;
  HD_TRY(extents_of(frame, shape, &e));
  return give_shape(frame, op, 0, e, out);
}
HD_EVAL_HOOK(shape_from_extent_tensor) { return same(frame, op, &in[0], out); }
HD_EVAL_HOOK(shape_to_extent_tensor) { return same(frame, op, &in[0], out); }
HD_EVAL_HOOK(shape_value_as_shape) {
  return same(frame, op, is_value_shape(in[0].type) ? hd_tuple_get(&in[0], 0) : &in[0], out);
}
HD_EVAL_HOOK(shape_any) {
  if (!op->operand_count) return hd_make_status(HD_INVALID_ARGUMENT, "chooses from no shapes");
  return same(frame, op, &in[0], out);
}

HD_EVAL_HOOK(shape_value_of) {
  out[0] = hd_tensor_retain(*hd_tuple_get(&in[0], 0));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(shape_with_shape) {
  hd_tensor pair[2] = {is_value_shape(in[0].type) ? *hd_tuple_get(&in[0], 0) : in[0], in[1]};
  HD_TRY(hd_tensor_create_tuple(hd_frame_heap(frame), hd_result_type(op, 0), pair, 2, out));
  for (int i = 0; i < 2; ++i) hd_tensor_retain(pair[i]);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(shape_concat) {
  extents x, y;
  int64_t *all;
  HD_TRY(extents_of(frame, &in[0], &x));
  HD_TRY(extents_of(frame, &in[1], &y));
  HD_TRY(hd_eval_temp(frame, x.count + y.count + 1, sizeof *all, &all));
  if (x.count) memcpy(all, x.data, x.count * sizeof *all);
  if (y.count) memcpy(all + x.count, y.data, y.count * sizeof *all);
  return give_shape(frame, op, 0, (extents){x.count + y.count, all}, out);
}

/* An index below zero counts from the end. */
HD_EVAL_HOOK(shape_split_at) {
  extents e;
  HD_TRY(extents_of(frame, &in[0], &e));
  int64_t at = size_of(&in[1]), rank = (int64_t)e.count;
  if (at < -rank || at > rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "splits a shape of rank %zu at %lld", e.count, (long long)at);
  size_t head = (size_t)(at < 0 ? at + rank : at);
  HD_TRY(give_shape(frame, op, 0, (extents){head, e.data}, out));
  return give_shape(frame, op, 1, (extents){e.count - head, e.data + head}, out);
}

HD_EVAL_HOOK(shape_reduce) {
  extents e;
  hd_block *body = hd_op_region(op, 0)->first;
  uint32_t n = op->result_count;
  HD_TRY(extents_of(frame, &in[0], &e));
  if (!body || body->arg_count != n + 2) return hd_make_status(HD_INVALID_ARGUMENT, "expected %u arguments", n + 2);
  hd_tensor *args;
  HD_TRY(hd_eval_temp(frame, n + 2, sizeof *args, &args));
  for (uint32_t k = 0; k < n; ++k) out[k] = hd_tensor_retain(in[1 + k]);
  for (size_t i = 0; i < e.count; ++i) {
    HD_TRY(hd_eval_value(frame, body->args[0]->type, &args[0]));
    *(int64_t *)hd_tensor_data(&args[0]) = (int64_t)i;
    hd_status status = hd_tensor_buffer_create(hd_frame_heap(frame), sizeof(int64_t), &args[1].buffer);
    if (hd_is_ok(status)) {
      *(int64_t *)args[1].buffer->data = e.data[i];
      args[1].type = body->args[1]->type;
      for (uint32_t k = 0; k < n; ++k) args[2 + k] = out[k];
      memset(out, 0, n * sizeof *out);
      status = hd_eval_region(frame, op, 0, args, n + 2, out, n);
      for (uint32_t k = 0; k < n; ++k) hd_tensor_release(&args[2 + k]);
    }
    hd_tensor_release(&args[0]);
    hd_tensor_release(&args[1]);
    HD_TRY(status);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(shape_debug_print) {
  const hd_eval_options *options = hd_frame_options(frame);
  bool one = is_of_sizes(&in[0]);
  int64_t size = one ? size_of(&in[0]) : 0;
  extents e = {1, &size};
  if (!one) HD_TRY(extents_of(frame, &in[0], &e));
  if (options->print) options->print(options->print_user, text_of(e));
  out[0] = hd_tensor_retain(in[0]);
  return HD_STATUS_OK;
}

/* ---- relations of shapes, and what holds under them ---- */

/* What all operands broadcast to, in |room| for HD_MAX_RANK extents; false and the two that differ when they do
 * not. Ranks are aligned at the end. */
static hd_status broadcast(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, int64_t *room, extents *out,
                           bool *out_fits) {
  *out = (extents){0, room};
  *out_fits = true;
  for (uint32_t k = 0; k < op->operand_count; ++k) {
    extents e;
    HD_TRY(extents_of(frame, &in[k], &e));
    if (e.count > HD_MAX_RANK)
      return hd_make_status(HD_UNIMPLEMENTED, "rank %zu is above the evaluator's limit", e.count);
    if (e.count > out->count) {
      memmove(room + (e.count - out->count), room, out->count * sizeof *room);
      for (size_t i = 0; i < e.count - out->count; ++i) room[i] = 1;
      out->count = e.count;
    }
    for (size_t i = 0; i < e.count; ++i) {
      int64_t *all = &room[out->count - e.count + i];
      if (*all == 1)
        *all = e.data[i];
      else if (e.data[i] != 1 && e.data[i] != *all)
        *out_fits = false;
    }
  }
  return HD_STATUS_OK;
}

/* The failure of |op|, whose operands are shapes: its own message, or |what| and the shapes. */
static hd_status unfit(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, const char *what) {
  hd_str message = hd_attr_text(hd_with_error_text_error_if_any(op));
  if (message.len) return hd_make_status(HD_INVALID_ARGUMENT, "%.*s", (int)message.len, message.data);
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  for (uint32_t k = 0; k < op->operand_count; ++k) {
    extents e;
    if (hd_is_ok(extents_of(frame, &in[k], &e))) hd_strbuf_printf(&text, "%s%s", k ? ", " : "", text_of(e));
  }
  hd_status status = hd_make_status(HD_INVALID_ARGUMENT, "%s: %s", what, hd_strbuf_text(&text));
  hd_arena_free(&scratch);
  return status;
}

static const char DO_NOT_BROADCAST[] = "shapes do not broadcast together";

HD_EVAL_HOOK(shape_broadcast) {
  int64_t room[HD_MAX_RANK];
  extents all;
  bool fits;
  HD_TRY(broadcast(frame, op, in, room, &all, &fits));
  return fits ? give_shape(frame, op, 0, all, out) : unfit(frame, op, in, DO_NOT_BROADCAST);
}

HD_EVAL_HOOK(shape_is_broadcastable) {
  int64_t room[HD_MAX_RANK];
  extents all;
  bool fits;
  HD_TRY(broadcast(frame, op, in, room, &all, &fits));
  return hd_eval_int_result(frame, op, 0, fits, out);
}

HD_EVAL_HOOK(shape_cstr_broadcastable) {
  int64_t room[HD_MAX_RANK];
  extents all;
  bool fits;
  HD_TRY(broadcast(frame, op, in, room, &all, &fits));
  return fits ? give_witness(frame, op, true, out) : unfit(frame, op, in, DO_NOT_BROADCAST);
}

static hd_status all_equal(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, bool *out) {
  *out = true;
  for (uint32_t k = 1; k < op->operand_count; ++k) {
    extents x, y;
    HD_TRY(extents_of(frame, &in[0], &x));
    HD_TRY(extents_of(frame, &in[k], &y));
    *out &= x.count == y.count && hd_dims_equal((uint32_t)x.count, x.data, y.data);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(shape_shape_eq) {
  bool equal;
  HD_TRY(all_equal(frame, op, in, &equal));
  return hd_eval_int_result(frame, op, 0, equal, out);
}

HD_EVAL_HOOK(shape_cstr_eq) {
  bool equal;
  HD_TRY(all_equal(frame, op, in, &equal));
  return equal ? give_witness(frame, op, true, out) : unfit(frame, op, in, "shapes differ");
}

HD_EVAL_HOOK(shape_cstr_require) {
  hd_str message = hd_shape_cstr_require_msg(op);
  if (!hd_eval_int(&in[0])) return hd_make_status(HD_INVALID_ARGUMENT, "%.*s", (int)message.len, message.data);
  return give_witness(frame, op, true, out);
}

/* The least precise of both, which for known sizes means that they are equal. */
HD_EVAL_HOOK(shape_meet) {
  if (is_of_sizes(&in[0])) {
    int64_t x = size_of(&in[0]), y = size_of(&in[1]);
    hd_str message = hd_shape_meet_error(op);
    if (x == y) return give_size(frame, op, x, out);
    if (message.len) return hd_make_status(HD_INVALID_ARGUMENT, "%.*s", (int)message.len, message.data);
    return hd_make_status(HD_INVALID_ARGUMENT, "sizes differ: %lld, %lld", (long long)x, (long long)y);
  }
  bool equal;
  HD_TRY(all_equal(frame, op, in, &equal));
  return equal ? same(frame, op, &in[0], out) : unfit(frame, op, in, "shapes differ");
}

HD_EVAL_HOOK(shape_assuming_all) {
  bool all = true;
  for (uint32_t i = 0; i < op->operand_count; ++i) all &= holds(&in[i]);
  return give_witness(frame, op, all, out);
}

HD_EVAL_HOOK(shape_assuming) {
  if (!holds(&in[0])) return hd_make_status(HD_INVALID_ARGUMENT, "runs under a witness that does not hold");
  return hd_eval_region(frame, op, 0, NULL, 0, out, op->result_count);
}
