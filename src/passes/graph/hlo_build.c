/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/graph/hlo_build.h"

#include <string.h>

#include "ir/number.h"

/* Sizes ----------------------------------------------------------------------------------------------------------- */

static hd_type vector_of_sizes(hd_builder *b, int64_t count) {
  return hd_type_tensor(hd_i32(b->context), &count, 1, NULL);
}

hd_value *hd_hlo_size(hd_builder *b, int64_t value) {
  int32_t size = (int32_t)value;
  return hd_build_hlo_constant(b, hd_attr_dense(vector_of_sizes(b, 1), &size, sizeof size, true));
}

hd_value *hd_hlo_size_of(hd_builder *b, hd_value *x, uint32_t i) {
  int64_t dim = hd_type_dim(x->type, i);
  if (dim != HD_DYNAMIC) return hd_hlo_size(b, dim);
  return hd_stablehlo_reshape(b, vector_of_sizes(b, 1), hd_stablehlo_get_dimension_size(b, i, x));
}

int64_t hd_hlo_known_size(const hd_value *size) {
  int64_t value;
  return hd_value_constant_int(size, &value) ? value : HD_DYNAMIC;
}

hd_value *hd_hlo_size_op(hd_builder *b, hd_opcode opcode, hd_value *lhs, hd_value *rhs) {
  int64_t l = hd_hlo_known_size(lhs), r = hd_hlo_known_size(rhs);
  if (l != HD_DYNAMIC && r != HD_DYNAMIC) {
    if (opcode == HD_OP_stablehlo_add) return hd_hlo_size(b, l + r);
    if (opcode == HD_OP_stablehlo_subtract) return hd_hlo_size(b, l - r);
    if (opcode == HD_OP_stablehlo_multiply) return hd_hlo_size(b, l * r);
    if (opcode == HD_OP_stablehlo_remainder && r) return hd_hlo_size(b, l % r);
  }
  if (opcode == HD_OP_stablehlo_multiply && l == 1) return rhs;
  if (opcode == HD_OP_stablehlo_multiply && r == 1) return lhs;
  return hd_build_binary(b, opcode, lhs, rhs);
}

hd_value *hd_hlo_shape(hd_builder *b, hd_value *const *sizes, uint32_t count) {
  if (count) return hd_stablehlo_concatenate(b, 0, sizes, count);
  return hd_build_hlo_constant(b, hd_attr_dense(vector_of_sizes(b, 0), NULL, 0, false));
}

void hd_hlo_sizes_of(hd_builder *b, hd_value *x, hd_value **out) {
  for (uint32_t i = 0; i < hd_type_rank(x->type); ++i) out[i] = hd_hlo_size_of(b, x, i);
}

/* Tensors --------------------------------------------------------------------------------------------------------- */

hd_value *hd_hlo_reshape(hd_builder *b, hd_value *x, hd_value *const *sizes, uint32_t rank) {
  int64_t *dims = hd_new_array(&b->module->arena, int64_t, rank + 1);
  for (uint32_t i = 0; i < rank; ++i) dims[i] = hd_hlo_known_size(sizes[i]);
  hd_type type = hd_type_tensor(hd_type_element(x->type), dims, rank, NULL);
  if (type == x->type && hd_type_is_static(type)) return x;
  if (hd_type_is_static(type) && (hd_type_is_static(x->type) || rank == 0)) return hd_stablehlo_reshape(b, type, x);
  return hd_stablehlo_dynamic_reshape(b, type, x, hd_hlo_shape(b, sizes, rank));
}

hd_value *hd_hlo_retype(hd_builder *b, hd_value *x, hd_type type) {
  if (x->type == type) return x;
  if (hd_type_is_static(type)) return hd_stablehlo_reshape(b, type, x);
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, hd_type_rank(type) + 1);
  hd_hlo_sizes_of(b, x, sizes);
  return hd_stablehlo_dynamic_reshape(b, type, x, hd_hlo_shape(b, sizes, hd_type_rank(type)));
}

hd_value *hd_hlo_broadcast(hd_builder *b, hd_value *x, hd_type type, const int64_t *axes, hd_value *shape) {
  type = hd_type_with_element(type, hd_type_element(x->type));
  if (x->type == type && hd_type_is_static(type)) return x;
  hd_attr dims = hd_attr_i64_array(b->context, axes, hd_type_rank(x->type));
  if (hd_type_is_static(type) && hd_type_is_static(x->type)) return hd_stablehlo_broadcast_in_dim(b, type, dims, x);
  return hd_stablehlo_dynamic_broadcast_in_dim(b, type, dims, x, shape);
}

hd_value *hd_hlo_transpose(hd_builder *b, hd_value *x, const int64_t *permutation) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t *whole = hd_new_array(&b->module->arena, int64_t, rank + 1);
  bool identity = true;
  hd_op *inner = hd_value_op(x);
  if (!hd_op_is(inner, HD_OP_stablehlo_transpose)) inner = NULL;
  hd_attr first = inner ? hd_stablehlo_transpose_permutation(inner) : NULL;
  for (uint32_t i = 0; i < rank; ++i) {
    whole[i] = first ? hd_attr_int_at(first, (size_t)permutation[i]) : permutation[i];
    identity &= whole[i] == i;
  }
  if (inner) x = hd_operand(inner, 0);
  if (identity) return x;
  return hd_stablehlo_transpose(b, hd_attr_i64_array(b->context, whole, rank), x);
}

hd_value *hd_hlo_convert(hd_builder *b, hd_value *x, hd_type element) {
  if (hd_type_element(x->type) == element) return x;
  return hd_stablehlo_convert(b, hd_type_with_element(x->type, element), x);
}

hd_value *hd_hlo_zero(hd_builder *b, hd_type element) {
  static const char bytes[16];
  hd_type type = hd_type_tensor(element, NULL, 0, NULL);
  return hd_build_hlo_constant(b, hd_attr_dense(type, bytes, hd_type_element_bytes(element), true));
}

/* Values like others, slices, ops with a region -------------------------------------------------------------------- */

hd_value *hd_hlo_splat_like(hd_builder *b, hd_value *like, const void *element, size_t bytes) {
  hd_type type = hd_type_tensor(hd_type_element(like->type), NULL, 0, NULL);
  if (hd_type_is_static(like->type)) {
    hd_attr all =
        hd_attr_dense(hd_type_with_dims(type, like->type->shaped.dims, hd_type_rank(like->type)), element, bytes, true);
    return hd_build_hlo_constant(b, all);
  }
  hd_value *scalar = hd_build_hlo_constant(b, hd_attr_dense(type, element, bytes, true));
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, hd_type_rank(like->type));
  for (uint32_t i = 0; i < hd_type_rank(like->type); ++i) sizes[i] = hd_hlo_size_of(b, like, i);
  return hd_hlo_broadcast(b, scalar, like->type, NULL, hd_hlo_shape(b, sizes, hd_type_rank(like->type)));
}

hd_value *hd_hlo_float_like(hd_builder *b, hd_value *like, double value) {
  hd_type element = hd_type_element(like->type);
  char bytes[8];
  hd_element_store(element, bytes, (int64_t)hd_float_encode(element->float_kind, value));
  return hd_hlo_splat_like(b, like, bytes, hd_type_element_bytes(element));
}

hd_value *hd_hlo_int_like(hd_builder *b, hd_value *like, int64_t value) {
  char bytes[16];
  hd_type element = hd_type_element(like->type);
  hd_element_store(element, bytes, value);
  return hd_hlo_splat_like(b, like, bytes, hd_type_element_bytes(element));
}

hd_value *hd_hlo_zero_like(hd_builder *b, hd_value *like) {
  char bytes[16] = {0};
  return hd_hlo_splat_like(b, like, bytes, hd_type_element_bytes(hd_type_element(like->type)));
}

hd_value *hd_hlo_shape_of(hd_builder *b, hd_value *x) {
  uint32_t rank = hd_type_rank(x->type);
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, rank + 1);
  for (uint32_t i = 0; i < rank; ++i) sizes[i] = hd_hlo_size_of(b, x, i);
  return hd_hlo_shape(b, sizes, rank);
}

hd_value *hd_hlo_broadcast_like(hd_builder *b, hd_value *x, hd_value *like, const int64_t *axes) {
  bool known = hd_type_is_static(like->type) && hd_type_is_static(x->type);
  return hd_hlo_broadcast(b, x, like->type, axes, known ? NULL : hd_hlo_shape_of(b, like));
}

hd_value *hd_hlo_reshape_to(hd_builder *b, hd_value *x, const int64_t *dims, size_t rank) {
  hd_type type = hd_type_with_dims(x->type, dims, rank);
  return x->type == type ? x : hd_stablehlo_reshape(b, type, x);
}

hd_value *hd_hlo_slice(hd_builder *b, hd_value *x, uint32_t axis, int64_t start, int64_t limit) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t *from = hd_new_array(&b->module->arena, int64_t, 3 * rank + 1), *to = from + rank, *step = to + rank;
  for (uint32_t d = 0; d < rank; ++d) {
    from[d] = d == axis ? start : 0;
    to[d] = d == axis ? limit : hd_type_dim(x->type, d);
    step[d] = 1;
  }
  return hd_stablehlo_slice(b, hd_attr_i64_array(b->context, from, rank), hd_attr_i64_array(b->context, to, rank),
                            hd_attr_i64_array(b->context, step, rank), x);
}

hd_value *hd_hlo_slice_sized(hd_builder *b, hd_value *x, uint32_t axis, hd_value *from, hd_value *to,
                             hd_value *const *sizes) {
  uint32_t rank = hd_type_rank(x->type);
  hd_arena *arena = &b->module->arena;
  int64_t *start = hd_new_array(arena, int64_t, rank + 1), *limit = hd_new_array(arena, int64_t, rank + 1),
          *stride = hd_new_array(arena, int64_t, rank + 1);
  hd_value **starts = hd_new_array(arena, hd_value *, rank + 1), **limits = hd_new_array(arena, hd_value *, rank + 1),
           **strides = hd_new_array(arena, hd_value *, rank + 1);
  bool known = true;
  for (uint32_t d = 0; d < rank; ++d) {
    starts[d] = d == axis ? from : hd_hlo_size(b, 0);
    limits[d] = d == axis ? to : sizes[d];
    strides[d] = hd_hlo_size(b, 1);
    start[d] = hd_hlo_known_size(starts[d]);
    limit[d] = hd_hlo_known_size(limits[d]);
    stride[d] = 1;
    known &= start[d] != HD_DYNAMIC && limit[d] != HD_DYNAMIC;
  }
  if (known)
    return hd_stablehlo_slice(b, hd_attr_i64_array(b->context, start, rank), hd_attr_i64_array(b->context, limit, rank),
                              hd_attr_i64_array(b->context, stride, rank), x);
  hd_value *from_all = hd_hlo_shape(b, starts, rank), *to_all = hd_hlo_shape(b, limits, rank);
  return hd_stablehlo_real_dynamic_slice(b, x, from_all, to_all, hd_hlo_shape(b, strides, rank));
}

hd_value *hd_hlo_iota(hd_builder *b, hd_type type, hd_value *like, uint32_t axis) {
  if (hd_type_is_static(type)) return hd_stablehlo_iota(b, type, axis);
  return hd_stablehlo_dynamic_iota(b, type, axis, hd_hlo_shape_of(b, like));
}

hd_value *hd_hlo_and(hd_builder *b, hd_value *x, hd_value *y) { return x ? hd_stablehlo_and(b, x, y) : y; }

hd_builder hd_hlo_open_region(hd_builder *b, hd_op *op, uint32_t region, const hd_type *types, size_t count) {
  hd_block *block = hd_block_create(b->module);
  hd_region_append(hd_op_region(op, region), block);
  for (size_t i = 0; i < count; ++i) hd_block_add_arg(b->module, block, types[i]);
  hd_builder inside = hd_builder_at_end(b->module, block);
  inside.loc = b->loc;
  return inside;
}

static hd_type scalar_of(hd_value *x) { return hd_type_tensor(hd_type_element(x->type), NULL, 0, NULL); }

hd_value *hd_hlo_reduce(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *init, const int64_t *axes,
                        size_t count) {
  int64_t *dims = hd_new_array(&b->module->arena, int64_t, hd_type_rank(x->type) + 1);
  uint32_t rank = 0;
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d) {
    bool gone = false;
    for (size_t i = 0; i < count; ++i) gone |= axes[i] == d;
    if (!gone) dims[rank++] = hd_type_dim(x->type, d);
  }
  hd_type scalar = scalar_of(x), type = hd_type_with_dims(x->type, dims, rank);
  hd_attr_arg attr = {HD_NAME_dimensions, hd_attr_i64_array(b->context, axes, count)};
  hd_op *op = hd_build_op(b, HD_OP_stablehlo_reduce, (hd_value *[]){x, init}, 2, &type, 1, &attr, 1, 1);
  hd_builder in = hd_hlo_open_region(b, op, 0, (hd_type[]){scalar, scalar}, 2);
  hd_build0(&in, HD_OP_stablehlo_return, hd_build(&in, opcode, scalar, in.block->args[0], in.block->args[1]));
  return hd_result(op, 0);
}

hd_value *hd_hlo_reduce_add(hd_builder *b, hd_value *x, const int64_t *axes, size_t count) {
  return hd_hlo_reduce(b, HD_OP_stablehlo_add, x, hd_hlo_zero(b, hd_type_element(x->type)), axes, count);
}

hd_op *hd_hlo_sort(hd_builder *b, hd_value *keys, hd_value *ids, uint32_t axis,
                   hd_enum_stablehlo_comparison_direction direction) {
  hd_type types[] = {keys->type, ids->type}, scalar = scalar_of(keys), id = scalar_of(ids);
  hd_attr_arg attrs[] = {{HD_NAME_dimension, hd_attr_i64(b->context, axis)},
                         {HD_NAME_is_stable, hd_attr_bool(b->context, true)}};
  hd_op *op = hd_build_op(b, HD_OP_stablehlo_sort, (hd_value *[]){keys, ids}, 2, types, 2, attrs, 2, 1);
  hd_builder in = hd_hlo_open_region(b, op, 0, (hd_type[]){scalar, scalar, id, id}, 4);
  hd_value *first = hd_stablehlo_compare(&in, direction, in.block->args[0], in.block->args[1]);
  if (hd_type_is(hd_type_element(scalar), HD_TYPE_FLOAT))
    hd_stablehlo_compare_set_compare_type(
        hd_value_op(first), hd_attr_of_stablehlo_comparison_type(b->context, HD_STABLEHLO_COMPARISON_TYPE_TOTALORDER));
  hd_build0(&in, HD_OP_stablehlo_return, first);
  return op;
}
