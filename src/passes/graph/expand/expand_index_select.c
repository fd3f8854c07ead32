/* SPDX-License-Identifier: Apache-2.0 */
/* torch_index_select becomes a gather: the index's dims after the batch dims are in the place of dim |dim|.
 *
 *   stablehlo.torch_index_select %x, %i     ->     if (result has elements) gather %x, %i else broadcast 0
 *
 * The branch is there where a dim of %x that a gather demands an element of may have none: empty results are picked
 * from empty tensors too. */
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/element_loop.h"
#include "passes/graph/expand/expand_hlo.h"
#include "passes/graph/shape/shape_values.h"

hd_value *hd_build_pick(hd_builder *b, hd_value *x, hd_value *index, int64_t dim, int64_t batches, hd_type type) {
  uint32_t rank = hd_type_rank(x->type), index_rank = hd_type_rank(index->type), offsets = 0;
  int64_t offset[HD_MAX_RANK], batch[HD_MAX_RANK], sizes[HD_MAX_RANK];
  hd_value *lengths[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    if (d < batches) batch[d] = d;
    if (d >= batches && d != dim) offset[offsets++] = d < dim ? d : d - 1 + (index_rank - batches);
    sizes[d] = d < batches || d == dim ? 1 : hd_type_dim(x->type, d);
  }
  hd_attr params[6] = {hd_attr_i64_array(b->context, offset, offsets),
                       hd_attr_i64_array(b->context, &dim, 1),
                       hd_attr_i64_array(b->context, batch, (size_t)batches),
                       hd_attr_i64_array(b->context, batch, (size_t)batches),
                       hd_attr_i64_array(b->context, &dim, 1),
                       hd_attr_i64(b->context, index_rank)};
  hd_attr numbers = hd_attr_struct(b->context, HD_STRUCT_stablehlo_gather, params, 6);
  if (hd_type_is_static(x->type))
    return hd_hlo_retype(b, hd_stablehlo_gather(b, numbers, hd_attr_i64_array(b->context, sizes, rank), x, index),
                         type);
  for (uint32_t d = 0; d < rank; ++d) lengths[d] = sizes[d] == 1 ? hd_hlo_size(b, 1) : hd_hlo_size_of(b, x, d);
  hd_value *shape = hd_hlo_shape(b, lengths, rank);
  return hd_hlo_retype(b, hd_stablehlo_dynamic_gather(b, numbers, x, index, shape), type);
}

/* The least known size among the dims of |x| that take slices of size 1; 0 where one is unknown. */
static int64_t least_of(hd_value *x, int64_t batches, int64_t dim) {
  int64_t least = INT64_MAX;
  for (int64_t d = 0; d <= dim; ++d) {
    int64_t size = hd_type_dim(x->type, (uint32_t)d);
    if ((d < batches || d == dim) && size < least) least = size == HD_DYNAMIC ? 0 : size;
  }
  return least;
}

bool hd_expand_torch_index_select(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *x = hd_operand(op, 0), *index = hd_operand(op, 1), *sizes[2 * HD_MAX_RANK];
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = hd_type_rank(x->type), index_rank = hd_type_rank(index->type), count = 0;
  int64_t dim = hd_stablehlo_torch_index_select_dim(op), batches = hd_stablehlo_torch_index_select_batch_dims(op);
  if (dim < 0) dim += rank;
  if (batches < 0) batches += index_rank;
  if (rank + index_rank > HD_MAX_RANK || batches < 0 || batches > dim || dim >= (int64_t)rank)
    return hd_op_error(op, "expects batch_dims up to dim, and dim below the rank");
  if (least_of(x, batches, dim) > 0) {
    results[0] = hd_build_pick(b, x, index, dim, batches, type);
    return true;
  }
  for (uint32_t d = 0; d < rank; ++d) {
    if (d != dim) sizes[count++] = hd_hlo_size_of(b, x, d);
    for (uint32_t i = (uint32_t)batches; d == dim && i < index_rank; ++i) sizes[count++] = hd_hlo_size_of(b, index, i);
  }
  results[0] = hd_hlo_broadcast(b, hd_hlo_zero(b, hd_type_element(type)), type, NULL, hd_hlo_shape(b, sizes, count));
  hd_value *some = hd_hlo_size(b, 1), *one = some; /* 0 or 1: counts of elements may be above 2^31 */
  for (uint32_t d = 0; d < count; ++d) {
    int64_t known = hd_hlo_known_size(sizes[d]);
    if (known == HD_DYNAMIC)
      some =
          hd_hlo_size_op(b, HD_OP_stablehlo_multiply, some, hd_hlo_size_op(b, HD_OP_stablehlo_minimum, sizes[d], one));
    else if (!known)
      return true; /* as it is */
  }
  hd_value *zero = hd_element_number(b, hd_hlo_size(b, 0));
  some = hd_element_number(b, some);
  if (hd_type_dim(x->type, (uint32_t)dim) == 0) { /* nothing can be picked from it */
    hd_shape_assert(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, some, zero),
                    HD_STR("torch_index_select: expected no indices into a dim without elements"));
    return true;
  }
  for (int64_t d = 0; d < batches; ++d)
    if (hd_type_dim(x->type, (uint32_t)d) == 0) return true;
  hd_value *any = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GT, some, zero);
  hd_op *branch = hd_build_op(b, HD_OP_stablehlo_if, &any, 1, &type, 1, NULL, 0, 2);
  hd_builder then = hd_hlo_open_region(b, branch, 0, NULL, 0), other = hd_hlo_open_region(b, branch, 1, NULL, 0);
  hd_value *picked = hd_build_pick(&then, x, index, dim, batches, type);
  hd_build_op(&then, HD_OP_stablehlo_return, &picked, 1, NULL, 0, NULL, 0, 0);
  hd_build_op(&other, HD_OP_stablehlo_return, results, 1, NULL, 0, NULL, 0, 0);
  results[0] = hd_result(branch, 0);
  return true;
}
