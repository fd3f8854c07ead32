/* SPDX-License-Identifier: Apache-2.0 */
/* scan becomes a loop of the program, one place of the scanned dim a step:
 *
 *   "chlo.scan"(%x, %c) ({ f })   ->   %out = broadcast 0, while (i < n) {
 *                                        %y, %c = f(dynamic_slice %x [i], %c), %out = dynamic_update_slice %out, %y [i]
 *                                        }
 *
 * Dims of an output that neither its type nor the body's tells are those that the body gives on zeros, before the loop:
 * an expression of the dims that go in, as a rule, so nothing of that is computed. A step whose slice has others is an
 * error of the run. */
#include "ir/ops/chlo.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/element_loop.h"
#include "passes/graph/expand/expand_hlo.h"
#include "passes/graph/shape/shape_values.h"

static hd_value **array(hd_builder *b, uint32_t count) {
  return hd_new_array(&b->module->arena, hd_value *, (size_t)count + 1);
}

/* |sizes| without the one of |axis|. */
static hd_value **others(hd_builder *b, hd_value *const *sizes, uint32_t rank, uint32_t axis) {
  hd_value **out = array(b, rank);
  for (uint32_t d = 0, at = 0; d < rank; ++d)
    if (d != axis) out[at++] = sizes[d];
  return out;
}

/* The place |at| of |axis|, 0 elsewhere. */
static void put_starts(hd_builder *b, hd_value *at, uint32_t rank, uint32_t axis, hd_value **out) {
  for (uint32_t d = 0; d < rank; ++d) out[d] = d == axis ? at : hd_element_number(b, hd_hlo_size(b, 0));
}

static hd_value *slice_at(hd_builder *b, hd_value *x, hd_value *at, uint32_t axis) {
  uint32_t rank = hd_type_rank(x->type);
  hd_value **sizes = array(b, rank), **starts = array(b, rank);
  hd_hlo_sizes_of(b, x, sizes);
  hd_value **kept = others(b, sizes, rank, axis);
  if (!hd_type_is_static(x->type)) {
    int64_t one = 1;
    hd_value *from = hd_hlo_reshape_to(b, at, &one, 1),
             *to = hd_hlo_size_op(b, HD_OP_stablehlo_add, from, hd_hlo_size(b, 1));
    return hd_hlo_reshape(b, hd_hlo_slice_sized(b, x, axis, from, to, sizes), kept, rank - 1);
  }
  int64_t *dims = hd_new_array(&b->module->arena, int64_t, rank);
  for (uint32_t d = 0; d < rank; ++d) dims[d] = d == axis ? 1 : hd_type_dim(x->type, d);
  put_starts(b, at, rank, axis, starts);
  hd_value *slice = hd_stablehlo_dynamic_slice(b, hd_attr_i64_array(b->context, dims, rank), x, starts, rank);
  return hd_hlo_reshape(b, slice, kept, rank - 1);
}

/* |out| with |slice| at the place |at|. */
static hd_value *with_slice(hd_builder *b, hd_value *out, hd_value *slice, hd_value *at, uint32_t axis) {
  uint32_t rank = hd_type_rank(out->type);
  hd_value **sizes = array(b, rank), **starts = array(b, rank);
  for (uint32_t d = 0; d < rank; ++d)
    sizes[d] = d == axis ? hd_hlo_size(b, 1) : hd_hlo_size_of(b, slice, d < axis ? d : d - 1);
  slice = hd_hlo_reshape(b, slice, sizes, rank);
  put_starts(b, at, rank, axis, starts);
  return hd_stablehlo_dynamic_update_slice(b, out, slice, starts, rank);
}

/* The values of the body on zeros in place of slices, for their dims. */
static void probe(hd_builder *b, hd_op *op, uint32_t inputs, uint32_t axis, hd_value **made) {
  hd_block *body = hd_op_region(op, 0)->first;
  hd_value **arguments = array(b, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *x = arguments[i] = hd_operand(op, i);
    if (i < inputs) {
      uint32_t rank = hd_type_rank(x->type), kept = 0;
      hd_value **sizes = array(b, rank);
      int64_t *dims = hd_new_array(&b->module->arena, int64_t, rank + 1);
      hd_hlo_sizes_of(b, x, sizes);
      for (uint32_t d = 0; d < rank; ++d)
        if (d != axis) dims[kept++] = hd_type_dim(x->type, d);
      hd_type type = hd_type_with_dims(x->type, dims, rank - 1);
      arguments[i] = hd_hlo_broadcast(b, hd_hlo_zero(b, hd_type_element(type)), type, NULL,
                                      hd_hlo_shape(b, others(b, sizes, rank, axis), rank - 1));
    }
    arguments[i] = hd_hlo_retype(b, arguments[i], body->args[i]->type);
  }
  hd_element_apply(b, body, arguments, made);
}

/* What the outputs are before the first step; false when their dims are not known, with an error at |op|. */
static bool empty_outputs(hd_builder *b, hd_op *op, uint32_t inputs, uint32_t outputs, hd_value *count, uint32_t axis,
                          hd_value **out) {
  hd_op *yield = hd_op_region(op, 0)->first->last;
  hd_value **made = NULL;
  for (uint32_t i = 0; i < outputs; ++i) {
    hd_type type = hd_result_type(op, i), slice = hd_operand_type(yield, i);
    uint32_t rank = hd_type_rank(type);
    hd_value **sizes = array(b, rank);
    for (uint32_t d = 0; d < rank; ++d) {
      uint32_t of_slice = d < axis ? d : d - 1;
      int64_t dim = hd_type_dim(type, d);
      if (d != axis && dim == HD_DYNAMIC) dim = hd_type_dim(slice, of_slice);
      if (d == axis || dim != HD_DYNAMIC) {
        sizes[d] = d == axis ? count : hd_hlo_size(b, dim);
        continue;
      }
      if (!hd_op_is_pure(op))
        return hd_op_error(
            op, "has no compiled path for output #%u, whose dim %u only its body tells, which has effects", i, d);
      if (!made) probe(b, op, inputs, axis, made = array(b, op->result_count));
      sizes[d] = hd_hlo_size_of(b, made[i], of_slice);
    }
    out[i] = hd_hlo_broadcast(b, hd_hlo_zero(b, hd_type_element(type)), type, NULL, hd_hlo_shape(b, sizes, rank));
  }
  return true;
}

/* Asserts that |slice|, which a step makes of output |i|, has the dims that |out| has room for. */
static void demand_slice(hd_builder *b, const hd_op *op, uint32_t i, hd_value *out, hd_value *slice, uint32_t axis) {
  for (uint32_t d = 0; d < hd_type_rank(slice->type); ++d) {
    if (hd_type_dim(slice->type, d) != HD_DYNAMIC &&
        hd_type_dim(slice->type, d) == hd_type_dim(out->type, d < axis ? d : d + 1))
      continue;
    hd_value *sizes[] = {hd_element_number(b, hd_hlo_size_of(b, slice, d)),
                         hd_element_number(b, hd_hlo_size_of(b, out, d < axis ? d : d + 1))};
    hd_strbuf message;
    hd_strbuf_init(&message, &b->module->arena);
    hd_strbuf_printf(&message, "%s: dim %u of the slice of output #%u is {0}, expected {1}", op->name->text, d, i);
    hd_shape_assert_of(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, sizes[0], sizes[1]), sizes, 2,
                       hd_str_of(hd_strbuf_text(&message)));
  }
}

bool hd_expand_scan(hd_builder *b, hd_op *op, hd_value **results) {
  uint32_t inputs, outputs;
  hd_scan_counts(op, &inputs, &outputs);
  uint32_t axis = (uint32_t)hd_scan_like_dimension(op), carries = op->operand_count - inputs, n = outputs + carries;
  int64_t size = hd_attr_int_or(hd_scan_like_scan_dim_size_attr(op), HD_DYNAMIC);
  hd_value *count = size != HD_DYNAMIC ? hd_hlo_size(b, size) : hd_hlo_size_of(b, hd_operand(op, 0), axis);
  hd_value **starts = array(b, n), **arguments = array(b, op->operand_count), **made = array(b, n);
  if (!empty_outputs(b, op, inputs, outputs, count, axis, starts)) return false;
  for (uint32_t i = 0; i < carries; ++i) starts[outputs + i] = hd_operand(op, inputs + i);
  if (hd_hlo_known_size(count) == 0) { /* no slice of one fits, and no step is made */
    for (uint32_t i = 0; i < n; ++i) results[i] = hd_hlo_retype(b, starts[i], hd_result_type(op, i));
    return true;
  }
  hd_element_loop l = hd_element_loop_open(b, 0, count, starts, n);
  hd_builder *in = &l.in;
  hd_value *at = l.at;
  if (hd_scan_like_is_reverse(op)) {
    hd_value *last = hd_hlo_size_op(in, HD_OP_stablehlo_subtract, count, hd_hlo_size(in, 1));
    at = hd_stablehlo_subtract(in, hd_element_number(in, last), at);
  }
  hd_block *body = hd_op_region(op, 0)->first;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    arguments[i] = i < inputs ? slice_at(in, hd_operand(op, i), at, axis) : l.carried[outputs + i - inputs];
    arguments[i] = hd_hlo_retype(in, arguments[i], body->args[i]->type);
  }
  hd_element_apply(in, body, arguments, made);
  for (uint32_t i = 0; i < outputs; ++i) {
    demand_slice(in, op, i, l.carried[i], made[i], axis);
    made[i] = with_slice(in, l.carried[i], made[i], at, axis);
  }
  for (uint32_t i = outputs; i < n; ++i) made[i] = hd_hlo_retype(in, made[i], starts[i]->type);
  hd_element_loop_close(&l, NULL, made, results);
  for (uint32_t i = 0; i < n; ++i) results[i] = hd_hlo_retype(b, results[i], hd_result_type(op, i));
  return true;
}
