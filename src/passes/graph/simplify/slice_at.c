/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/graph/simplify/slice_at.h"

#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/ops/structs.h"
#include "passes/graph/hlo_build.h"

/* Index |k| of |indices|, a dense constant. */
static int64_t index_at(hd_attr indices, size_t k) {
  int64_t index = hd_attr_int_at(indices, indices->dense.splat ? 0 : k);
  bool is_unsigned = hd_type_element(indices->type)->integer.signedness == HD_UNSIGNED;
  return index < 0 && is_unsigned ? INT64_MAX : index;
}

/* The dimension numbers of both, by what they mean. */
typedef struct numbers {
  hd_attr batching, map, left_out;
  int64_t index_vector;
} numbers;

static bool window_of(const numbers *n, hd_value *indices, hd_slice_window *out) {
  hd_attr at = hd_value_constant(indices);
  if (hd_attr_count(n->batching) || !hd_attr_is(at, HD_ATTR_DENSE) || hd_type_rank(indices->type) > 1) return false;
  if (n->index_vector != 0) return false; /* each index is a window of its own */
  uint32_t rank = hd_type_rank(out->whole->type), next = 0;
  int64_t dims[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t k = hd_attr_find_int(n->map, d);
    out->starts[d] = k < 0 ? 0 : index_at(at, (size_t)k);
    out->of_part[d] = hd_attr_find_int(n->left_out, d) >= 0 ? HD_NOT_IN_PART : next++;
    dims[d] = out->of_part[d] == HD_NOT_IN_PART ? 1 : hd_type_dim(out->part->type, out->of_part[d]);
  }
  out->type = hd_type_with_dims(out->whole->type, dims, rank);
  return true;
}

bool hd_slice_window_of_gather(hd_op *op, hd_slice_window *out) {
  hd_attr attr = hd_gather_like_dimension_numbers(op);
  numbers n = {hd_attr_stablehlo_gather_operand_batching_dims(attr), hd_attr_stablehlo_gather_start_index_map(attr),
               hd_attr_stablehlo_gather_collapsed_slice_dims(attr), hd_attr_stablehlo_gather_index_vector_dim(attr)};
  *out = (hd_slice_window){.whole = hd_operand(op, 0), .part = hd_result(op, 0)};
  return window_of(&n, hd_operand(op, 1), out);
}

bool hd_slice_window_of_scatter(hd_op *op, hd_slice_window *out) {
  hd_attr attr = hd_stablehlo_scatter_scatter_dimension_numbers(op);
  numbers n = {hd_attr_stablehlo_scatter_input_batching_dims(attr),
               hd_attr_stablehlo_scatter_scatter_dims_to_operand_dims(attr),
               hd_attr_stablehlo_scatter_inserted_window_dims(attr), hd_attr_stablehlo_scatter_index_vector_dim(attr)};
  *out = (hd_slice_window){.whole = hd_operand(op, 0), .part = hd_operand(op, 2)};
  return window_of(&n, hd_operand(op, 1), out);
}

hd_dim hd_slice_window_length(hd_shapes *shapes, const hd_slice_window *window, uint32_t d) {
  uint32_t of_part = window->of_part[d];
  return of_part == HD_NOT_IN_PART ? hd_dim_const(&shapes->table, 1) : hd_shapes_dim(shapes, window->part, of_part);
}

hd_value *hd_slice_at(hd_builder *b, hd_value *x, const hd_slice_place *at, hd_value *lengths) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t limits[HD_MAX_RANK], strides[HD_MAX_RANK];
  hd_value *from[HD_MAX_RANK], *ones[HD_MAX_RANK], *size[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) limits[d] = at->starts[d] + hd_type_dim(at->type, d), strides[d] = 1;
  if (hd_type_is_static(x->type) && hd_type_is_static(at->type)) {
    return hd_stablehlo_slice(b, hd_attr_i64_array(b->context, at->starts, rank),
                              hd_attr_i64_array(b->context, limits, rank), hd_attr_i64_array(b->context, strides, rank),
                              x);
  }
  for (uint32_t d = 0; d < rank; ++d) {
    from[d] = hd_hlo_size(b, at->starts[d]), ones[d] = hd_hlo_size(b, 1);
    if (lengths && !at->clamps[d]) continue;
    int64_t known = hd_type_dim(at->type, d);
    size[d] = known == HD_DYNAMIC ? hd_hlo_slice(b, lengths, 0, d, d + 1) : hd_hlo_size(b, known);
    if (!at->clamps[d]) continue;
    hd_value *room = hd_hlo_size_op(b, HD_OP_stablehlo_subtract, hd_hlo_size_of(b, x, d), size[d]);
    from[d] = hd_stablehlo_maximum(b, hd_stablehlo_minimum(b, from[d], room), hd_hlo_size(b, 0));
  }
  hd_value *begin = hd_hlo_shape(b, from, rank),
           *end = hd_stablehlo_add(b, lengths ? lengths : hd_hlo_shape(b, size, rank), begin);
  /* The type knows more than the operands: that a length is 1. */
  return hd_build(b, HD_OP_stablehlo_real_dynamic_slice, at->type, x, begin, end, hd_hlo_shape(b, ones, rank));
}
