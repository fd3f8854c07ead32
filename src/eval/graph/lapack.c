/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/graph/lapack.h"

#include <string.h>

#include "eval/graph/lapack_routines.h"
#include "eval/graph/shape_ops.h"
#include "ir/element_types.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"

enum { MAX_TENSORS = 12 };

/* The order of memory that |layouts| (dims from minor to major) asks for: the buffer's dim i is dim out[i]. */
static hd_status order_of(hd_attr layouts, uint32_t i, uint32_t rank, int64_t *out) {
  hd_attr layout = hd_attr_is(layouts, HD_ATTR_ARRAY) && i < layouts->array.count ? layouts->array.items[i] : NULL;
  bool given = layout && hd_attr_count(layout) == rank, seen[HD_MAX_RANK] = {false};
  for (uint32_t d = 0; d < rank; ++d) {
    out[d] = given ? hd_attr_int_at(layout, rank - 1 - d) : d;
    if (out[d] < 0 || out[d] >= rank || seen[out[d]])
      return hd_make_status(HD_INVALID_ARGUMENT, "a layout is no order of the dims");
    seen[out[d]] = true;
  }
  return HD_STATUS_OK;
}

typedef struct lapack_call {
  hd_tensor tensors[MAX_TENSORS];         /* in the order of memory that the call asks for */
  int64_t dims[MAX_TENSORS][HD_MAX_RANK]; /* as the routine sees them */
  hd_eval_lapack_tensor given[MAX_TENSORS];
  uint32_t count;
} lapack_call;

/* |written|: which dim of the buffer each dim of the routine is, where a pass moved them; null: |dims| are its own. */
static hd_status add(lapack_call *c, hd_type element, uint32_t rank, const int64_t *dims, hd_attr written) {
  hd_element_type type = hd_element_type_of(element);
  if (type == HD_ELEMENT_INVALID) return hd_make_status(HD_INVALID_ARGUMENT, "a tensor's elements are not LAPACK's");
  bool moved = written && hd_attr_count(written) == rank, seen[HD_MAX_RANK] = {false};
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t at = moved ? hd_attr_int_at(written, d) : d;
    if (at < 0 || at >= rank || seen[at])
      return hd_make_status(HD_INVALID_ARGUMENT, "a layout is no order of the dims");
    seen[at] = true;
    c->dims[c->count][d] = dims[at];
  }
  c->given[c->count] = (hd_eval_lapack_tensor){
      .data = hd_tensor_data(&c->tensors[c->count]), .type = type, .rank = (int32_t)rank, .dims = c->dims[c->count]};
  ++c->count;
  return HD_STATUS_OK;
}

static hd_attr entry(hd_attr list, uint32_t i) {
  return hd_attr_is(list, HD_ATTR_ARRAY) && i < list->array.count ? list->array.items[i] : NULL;
}

/* The dims of result |r|: its type's, or what the operand that stands for them says. */
static hd_status dims_of(hd_eval_frame *frame, hd_op *op, uint32_t r, const hd_tensor *in, int64_t *out) {
  hd_type type = hd_result_type(op, r);
  if (!hd_type_has_rank(type) || hd_type_rank(type) > HD_MAX_RANK)
    return hd_make_status(HD_UNIMPLEMENTED, "a result has no known rank");
  if (hd_type_rank(type)) memcpy(out, type->shaped.dims, hd_type_rank(type) * sizeof *out);
  if (hd_type_is_static(type)) return HD_STATUS_OK;
  hd_attr list = hd_discardable_indices_of_shape_operands(op), order = entry(hd_discardable_result_dims(op), r);
  int64_t k = list && r < hd_attr_count(list) ? hd_attr_int_at(list, r) : -1;
  hd_eval_ints ints;
  if (k < 0 || k >= (int64_t)op->operand_count) return hd_make_status(HD_UNIMPLEMENTED, "a result has unknown dims");
  HD_TRY(hd_eval_operand_ints(frame, &in[k], "dims", &ints));
  if (ints.count != hd_type_rank(type))
    return hd_make_status(HD_INVALID_ARGUMENT, "a result's dims are of another rank");
  for (uint32_t d = 0; d < ints.count; ++d) {
    int64_t to = order && hd_attr_count(order) == ints.count ? hd_attr_int_at(order, d) : d;
    if (ints.data[d] < 0 || to < 0 || to >= (int64_t)ints.count)
      return hd_make_status(HD_INVALID_ARGUMENT, "a result's dims are no sizes");
    out[to] = ints.data[d];
  }
  return HD_STATUS_OK;
}

static hd_status run(hd_eval_frame *frame, hd_op *op, hd_str target, const hd_tensor *in, hd_tensor *out,
                     lapack_call *c) {
  hd_attr ins = hd_stablehlo_custom_call_operand_layouts(op), outs = hd_stablehlo_custom_call_result_layouts(op);
  int64_t order[HD_MAX_RANK], dims[HD_MAX_RANK], placed[HD_MAX_RANK];
  uint32_t inputs = 0;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (hd_op_is_shape_operand(op, i)) continue;
    if (c->count == MAX_TENSORS) return hd_make_status(HD_INVALID_ARGUMENT, "has too many operands");
    uint32_t rank = hd_tensor_rank(&in[i]);
    HD_TRY(order_of(ins, i, rank, order));
    HD_TRY(hd_eval_transposed(frame, &in[i], order, &c->tensors[c->count]));
    HD_TRY(add(c, hd_tensor_element(&in[i]), rank, hd_tensor_dims(&in[i]), entry(hd_discardable_operand_dims(op), i)));
    ++inputs;
  }
  for (uint32_t r = 0; r < op->result_count; ++r) {
    if (c->count == MAX_TENSORS) return hd_make_status(HD_INVALID_ARGUMENT, "has too many results");
    HD_TRY(dims_of(frame, op, r, in, dims));
    uint32_t rank = hd_type_rank(hd_result_type(op, r));
    HD_TRY(order_of(outs, r, rank, order));
    for (uint32_t d = 0; d < rank; ++d) placed[d] = dims[order[d]];
    hd_type element = hd_type_element(hd_result_type(op, r));
    HD_TRY(hd_eval_tensor(frame, element, rank, placed, &c->tensors[c->count]));
    HD_TRY(add(c, element, rank, dims, entry(hd_discardable_result_dims(op), r)));
  }
  hd_attr config = hd_discardable_mhlo_backend_config(op);
  hd_eval_lapack_call call = {
      .config = config ? config : hd_stablehlo_custom_call_backend_config(op),
      .inputs = c->given,
      .outputs = c->given + inputs,
      .input_count = (int32_t)inputs,
      .output_count = (int32_t)op->result_count,
  };
  if (!hd_attr_is(call.config, HD_ATTR_DICT)) call.config = NULL;
  char name[64];
  if (target.len >= sizeof name) return hd_make_status(HD_NOT_FOUND, "no such routine of LAPACK");
  memcpy(name, target.data, target.len);
  name[target.len] = 0;
  HD_TRY(hd_lapack_evaluate(frame, name, &call));
  for (uint32_t r = 0; r < op->result_count; ++r) {
    const hd_tensor *made = &c->tensors[inputs + r];
    uint32_t rank = hd_tensor_rank(made);
    HD_TRY(order_of(outs, r, rank, order));
    for (uint32_t d = 0; d < rank; ++d) placed[order[d]] = d;
    HD_TRY(hd_eval_transposed(frame, made, placed, &out[r]));
  }
  return HD_STATUS_OK;
}

hd_status hd_eval_lapack(hd_eval_frame *frame, hd_op *op, hd_str target, const hd_tensor *in, hd_tensor *out) {
  lapack_call c = {.count = 0};
  hd_status status = run(frame, op, target, in, out, &c);
  for (uint32_t i = 0; i < MAX_TENSORS; ++i) hd_tensor_release(&c.tensors[i]);
  return status;
}
