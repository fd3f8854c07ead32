/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/graph/simplify/slice_at.h"

#include "ir/ops/stablehlo.h"
#include "passes/graph/hlo_build.h"

int64_t hd_index_at(hd_attr indices, size_t k) {
  int64_t index = hd_attr_int_at(indices, indices->dense.splat ? 0 : k);
  bool is_unsigned = hd_type_element(indices->type)->integer.signedness == HD_UNSIGNED;
  return index < 0 && is_unsigned ? INT64_MAX : index;
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
