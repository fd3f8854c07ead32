/* SPDX-License-Identifier: Apache-2.0 */
/* Products of vectors. */
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "eval/machine/vectors.h"
#include "ir/ops/vector.h"

/* *to = a * b, rounded to |type|, which may be wider than theirs. */
static hd_status multiply(hd_type a_type, const char *a, hd_type b_type, const char *b, hd_type type, char *to) {
  hd_number_class class = hd_class_of(type);
  if (class != hd_class_of(a_type) || class != hd_class_of(b_type) || class == HD_CLASS_COMPLEX)
    return hd_make_status(HD_INVALID_ARGUMENT, "multiplies elements of different kinds");
  if (class == HD_CLASS_INT) {
    int64_t x, y;
    hd_load_ints(a_type, a, 1, &x);
    hd_load_ints(b_type, b, 1, &y);
    int64_t product = (int64_t)((uint64_t)x * (uint64_t)y);
    hd_store_ints(type, to, 1, &product);
    return HD_STATUS_OK;
  }
  double x, y;
  hd_load_doubles(a_type, a, 1, &x);
  hd_load_doubles(b_type, b, 1, &y);
  x *= y;
  hd_store_doubles(type, to, 1, &x);
  return HD_STATUS_OK;
}

/* The lane of |type|, a vector or a scalar, at the results of |map| for |index|. */
static hd_status lane_at(hd_attr map, hd_type type, const int64_t *index, size_t *out) {
  *out = 0;
  uint32_t rank = hd_type_is(type, HD_TYPE_VECTOR) ? type->shaped.rank : 0;
  if (!hd_attr_is(map, HD_ATTR_AFFINE_MAP) || map->affine.count != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "has a map of other dims than its operand");
  for (uint32_t r = 0; r < rank; ++r) {
    hd_affine e = map->affine.results[r];
    if (e->kind != HD_AFFINE_DIM) return hd_make_status(HD_INVALID_ARGUMENT, "has a map that is no projection");
    *out = *out * (size_t)type->shaped.dims[r] + (size_t)index[e->value];
  }
  return HD_STATUS_OK;
}

/* Into |out|, which is of what the lanes of the result come together in. */
static hd_status contract(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  hd_attr maps = hd_vector_contract_indexing_maps(op);
  const hd_tensor *mask = hd_eval_take_mask(frame);
  int64_t sizes[HD_MAX_RANK], index[HD_MAX_RANK] = {0};
  if (hd_attr_count(maps) != 3 || !hd_attr_is(maps->array.items[0], HD_ATTR_AFFINE_MAP) ||
      maps->array.items[0]->affine.dims > HD_MAX_RANK)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected three maps");
  uint32_t dims = maps->array.items[0]->affine.dims;
  for (uint32_t d = 0; d < dims; ++d) sizes[d] = -1;
  for (uint32_t o = 0; o < 2; ++o) {
    hd_attr map = maps->array.items[o];
    for (uint32_t r = 0; hd_attr_is(map, HD_ATTR_AFFINE_MAP) && r < map->affine.count; ++r)
      if (map->affine.results[r]->kind == HD_AFFINE_DIM && r < in[o].type->shaped.rank)
        sizes[map->affine.results[r]->value] = in[o].type->shaped.dims[r];
  }
  size_t lanes = 1;
  for (uint32_t d = 0; d < dims; ++d) {
    if (sizes[d] < 1) return hd_make_status(HD_INVALID_ARGUMENT, "has a dim that no operand has");
    lanes *= (size_t)sizes[d];
  }
  if (mask && hd_lanes_of(mask->type) != lanes)
    return hd_make_status(HD_INVALID_ARGUMENT, "has a mask of another shape than its iterations");
  hd_type element = hd_type_element(out->type);
  hd_opcode combination = hd_arith_op_of_vector_kind(hd_vector_contract_kind(op), element);
  size_t at = 0;
  do {
    size_t a, b, c;
    if (mask && !*hd_vector_lane(mask, at++)) continue;
    HD_TRY(lane_at(maps->array.items[0], in[0].type, index, &a));
    HD_TRY(lane_at(maps->array.items[1], in[1].type, index, &b));
    HD_TRY(lane_at(maps->array.items[2], out->type, index, &c));
    char product[16];
    HD_TRY(multiply(hd_type_element(in[0].type), hd_vector_lane(&in[0], a), hd_type_element(in[1].type),
                    hd_vector_lane(&in[1], b), element, product));
    HD_TRY(hd_eval_combine(combination, element, hd_vector_lane(out, c), product, hd_vector_lane(out, c)));
  } while (hd_index_next(dims, sizes, index));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_contract) {
  hd_type result = hd_result_type(op, 0), wide = hd_vector_sum_type(result);
  hd_tensor sum = {0};
  if (in[2].type != result)
    return hd_make_status(HD_INVALID_ARGUMENT, "has an accumulator of another shape than its result");
  if (wide != result) {
    HD_TRY(hd_vector_convert(frame, &in[2], wide, &sum));
    hd_status status = contract(frame, op, in, &sum);
    if (hd_is_ok(status)) status = hd_vector_convert(frame, &sum, result, out);
    hd_tensor_release(&sum);
    return status;
  }
  HD_TRY(hd_eval_value(frame, result, out));
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[2]), out->buffer->size);
  return contract(frame, op, in, out);
}

/* The rows of lhs times rhs, a vector, or a scalar. */
HD_EVAL_HOOK(vector_outerproduct) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  hd_type element = hd_type_element(out->type);
  hd_opcode combination = hd_arith_op_of_vector_kind(hd_vector_outerproduct_kind(op), element);
  size_t columns = hd_type_is(in[1].type, HD_TYPE_VECTOR) ? hd_lanes_of(in[1].type) : 1;
  for (size_t i = 0, rows = hd_lanes_of(in[0].type); i < rows; ++i)
    for (size_t k = 0; k < columns; ++k) {
      char product[16], *to = hd_vector_lane(out, i * columns + k);
      HD_TRY(multiply(element, hd_vector_lane(&in[0], i), element, hd_vector_lane(&in[1], k), element, product));
      if (op->operand_count > 2)
        HD_TRY(hd_eval_combine(combination, element, hd_vector_lane(&in[2], i * columns + k), product, to));
      else
        memcpy(to, product, hd_vector_bytes(out->type));
    }
  return HD_STATUS_OK;
}
