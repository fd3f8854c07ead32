/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of tensor and shape: element types, what regions take and give. */
#include "ir/hooks.h"
#include "ir/ops/tensor.h"

/* Region 0 takes |rank| indices and gives one |element|. */
static bool gives_element(hd_op *op, uint32_t rank, hd_type element) {
  hd_block *body = hd_op_region(op, 0)->first;
  hd_op *last = body ? hd_block_terminator(body) : NULL;
  if (!hd_verify_ending(op, 0, last, HD_OP_tensor_yield)) return false;
  if (body->arg_count != rank)
    return hd_op_error(op, "expects a body of %u arguments, one per dim, got %u", rank, body->arg_count);
  for (uint32_t i = 0; i < rank; ++i)
    if (!hd_type_is(body->args[i]->type, HD_TYPE_INDEX))
      return hd_op_misfit_error(op, body->args[i]->type, NULL, "expects body argument #%u of type index", i);
  return hd_operand_type(last, 0) == element ||
         hd_op_type_error(last, element, hd_operand_type(last, 0), "expects an element of the result");
}

bool hd_verify_generate(hd_op *op) {
  hd_type out = hd_result_type(op, 0);
  return hd_verify_alloc(op) && gives_element(op, out->shaped.rank, out->shaped.element);
}

bool hd_verify_tensor_pad(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  if (in->shaped.element != out->shaped.element)
    return hd_op_misfit_error(op, in->shaped.element, out->shaped.element,
                              "expects operand and result of one element type");
  if (in->shaped.rank != out->shaped.rank)
    return hd_op_error(op, "expects operand and result of one rank, got %u and %u", in->shaped.rank, out->shaped.rank);
  return gives_element(op, out->shaped.rank, out->shaped.element);
}

/* Along |dim| operands are added up to the result, in the others they have its size; what is unknown fits all. */
static bool verify_concat_sizes(hd_op *op, int64_t dim) {
  hd_type out = hd_result_type(op, 0);
  int64_t sum = 0, size;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    for (uint32_t d = 0; d < out->shaped.rank; ++d) {
      hd_type first = hd_operand_type(op, 0);
      int64_t wanted = hd_type_dim(out, d) != HD_DYNAMIC ? hd_type_dim(out, d) : hd_type_dim(first, d);
      size = hd_type_dim(hd_operand_type(op, i), d);
      if (d != dim && size != HD_DYNAMIC && wanted != HD_DYNAMIC && size != wanted)
        return hd_op_error(op, "expects dim %u of operand #%u to be %lld, got %lld", d, i, (long long)wanted,
                           (long long)size);
    }
    size = hd_type_dim(hd_operand_type(op, i), (uint32_t)dim);
    if (sum == HD_DYNAMIC || size == HD_DYNAMIC)
      sum = HD_DYNAMIC;
    else if (__builtin_add_overflow(sum, size, &sum))
      return hd_op_error(op, "expects sizes of dim %lld with a sum below 2^63, got more at operand #%u", (long long)dim,
                         i);
  }
  size = hd_type_dim(out, (uint32_t)dim);
  return sum == HD_DYNAMIC || size == HD_DYNAMIC || sum == size ||
         hd_op_error(op, "expects dim %lld of the result to be %lld, got %lld", (long long)dim, (long long)sum,
                     (long long)size);
}

bool hd_verify_concat(hd_op *op) {
  hd_type out = hd_result_type(op, 0);
  int64_t dim = hd_tensor_concat_dim(op);
  if (!op->operand_count) return hd_op_error(op, "expects one operand or more, got none");
  if (dim < 0 || dim >= out->shaped.rank)
    return hd_op_error(op, "expects a dim in [0, %u), got %lld", out->shaped.rank, (long long)dim);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type in = hd_operand_type(op, i);
    if (in->shaped.element != out->shaped.element)
      return hd_op_misfit_error(op, in->shaped.element, out->shaped.element,
                                "expects operand #%u and the result of one element type", i);
    if (in->shaped.rank != out->shaped.rank)
      return hd_op_error(op, "expects operand #%u and the result of one rank, got %u and %u", i, in->shaped.rank,
                         out->shaped.rank);
  }
  return verify_concat_sizes(op, dim);
}

bool hd_verify_tensor_bitcast(hd_op *op) {
  hd_type in = hd_type_element(hd_operand_type(op, 0)), out = hd_type_element(hd_result_type(op, 0));
  uint32_t width = hd_type_bits(in), wanted = hd_type_bits(out);
  return (width && width == wanted) ||
         hd_op_error(op, "expects elements of one width, got %u bits and %u bits", width, wanted);
}

static bool is_row(hd_type type, int row) { return hd_type_is(type, HD_TYPE_DIALECT) && type->dialect.row == row; }
static bool is_size(hd_type type) { return hd_type_is(type, HD_TYPE_INDEX) || is_row(type, HD_TYPE_ROW_shape_size); }

/* All are sizes or all are shapes. */
bool hd_verify_shapes_or_sizes(hd_op *op) {
  hd_type out = hd_result_type(op, 0);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (is_size(hd_operand_type(op, i)) != is_size(out))
      return hd_op_misfit_error(op, hd_operand_type(op, i), out, "expects only shapes or only sizes");
  return true;
}

/* One initial value per result; the body takes an index, an extent as the shape has it, and the values, and gives
 * them. */
bool hd_verify_shape_reduce(hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  hd_op *last = body ? hd_block_terminator(body) : NULL;
  uint32_t count = op->result_count;
  if (op->operand_count != count + 1)
    return hd_op_error(op, "expects %u initial values, one per result, got %u", count,
                       op->operand_count ? op->operand_count - 1 : 0);
  if (!hd_verify_ending(op, 0, last, HD_OP_shape_yield)) return false;
  if (body->arg_count != count + 2)
    return hd_op_error(op, "expects a body of %u arguments, got %u", count + 2, body->arg_count);
  if (last->operand_count != count)
    return hd_op_error(last, "gives %u values, but '%s' has %u results", last->operand_count, op->name->text, count);
  hd_type position = body->args[0]->type, extent = body->args[1]->type;
  if (!hd_type_is(position, HD_TYPE_INDEX))
    return hd_op_misfit_error(op, position, NULL, "expects body argument #0 of type index");
  bool of_tensor = !is_row(hd_operand_type(op, 0), HD_TYPE_ROW_shape_shape);
  if (of_tensor ? !hd_type_is(extent, HD_TYPE_INDEX) : !is_row(extent, HD_TYPE_ROW_shape_size))
    return hd_op_misfit_error(op, extent, NULL, "expects body argument #1, an extent, of type %s",
                              of_tensor ? "index" : "!shape.size");
  for (uint32_t i = 0; i < count; ++i) {
    hd_type type = hd_result_type(op, i);
    if (hd_operand_type(op, 1 + i) != type || body->args[2 + i]->type != type || hd_operand_type(last, i) != type)
      return hd_op_type_error(op, type,
                              hd_operand_type(op, 1 + i) != type ? hd_operand_type(op, 1 + i)
                              : body->args[2 + i]->type != type  ? body->args[2 + i]->type
                                                                 : hd_operand_type(last, i),
                              "expects initial value, body argument, yielded value and result #%u of one type", i);
  }
  return true;
}
