/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/graph/hlo_build.h"

#include "ir/number.h"

hd_value *hd_hlo(hd_builder *b, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count,
                 const char *name, hd_attr attr) {
  return hd_build_one_(b, opcode, type, operands, count, &(hd_attr_arg){name, attr}, name ? 1 : 0);
}

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
  hd_type scalar = hd_type_tensor(hd_i32(b->context), NULL, 0, NULL);
  hd_value *size =
      hd_hlo(b, HD_OP_stablehlo_get_dimension_size, scalar, &x, 1, "dimension", hd_attr_i64(b->context, i));
  return hd_hlo(b, HD_OP_stablehlo_reshape, vector_of_sizes(b, 1), &size, 1, NULL, NULL);
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
  return hd_build(b, opcode, lhs->type, lhs, rhs);
}

hd_value *hd_hlo_shape(hd_builder *b, hd_value *const *sizes, uint32_t count) {
  if (count)
    return hd_hlo(b, HD_OP_stablehlo_concatenate, vector_of_sizes(b, count), sizes, count, "dimension",
                  hd_attr_i64(b->context, 0));
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
  if (hd_type_is_static(type) && (hd_type_is_static(x->type) || rank == 0))
    return hd_hlo(b, HD_OP_stablehlo_reshape, type, &x, 1, NULL, NULL);
  return hd_hlo(b, HD_OP_stablehlo_dynamic_reshape, type, (hd_value *[]){x, hd_hlo_shape(b, sizes, rank)}, 2, NULL,
                NULL);
}

hd_value *hd_hlo_retype(hd_builder *b, hd_value *x, hd_type type) {
  if (x->type == type) return x;
  if (hd_type_is_static(type)) return hd_hlo(b, HD_OP_stablehlo_reshape, type, &x, 1, NULL, NULL);
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, hd_type_rank(type) + 1);
  hd_hlo_sizes_of(b, x, sizes);
  return hd_hlo(b, HD_OP_stablehlo_dynamic_reshape, type, (hd_value *[]){x, hd_hlo_shape(b, sizes, hd_type_rank(type))},
                2, NULL, NULL);
}

hd_value *hd_hlo_broadcast(hd_builder *b, hd_value *x, hd_type type, const int64_t *axes, hd_value *shape) {
  type = hd_type_with_element(type, hd_type_element(x->type));
  if (x->type == type && hd_type_is_static(type)) return x;
  hd_attr dims = hd_attr_i64_array(b->context, axes, hd_type_rank(x->type));
  if (hd_type_is_static(type) && hd_type_is_static(x->type))
    return hd_hlo(b, HD_OP_stablehlo_broadcast_in_dim, type, &x, 1, "broadcast_dimensions", dims);
  return hd_hlo(b, HD_OP_stablehlo_dynamic_broadcast_in_dim, type, (hd_value *[]){x, shape}, 2, "broadcast_dimensions",
                dims);
}

hd_value *hd_hlo_transpose(hd_builder *b, hd_value *x, const int64_t *permutation) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t *dims = hd_new_array(&b->module->arena, int64_t, rank + 1),
          *whole = hd_new_array(&b->module->arena, int64_t, rank + 1);
  bool identity = true;
  hd_op *inner = hd_value_op(x);
  if (!hd_op_is(inner, HD_OP_stablehlo_transpose)) inner = NULL;
  hd_attr first = inner ? hd_op_attr_get(inner, "permutation") : NULL;
  for (uint32_t i = 0; i < rank; ++i) {
    whole[i] = first ? hd_attr_int_at(first, (size_t)permutation[i]) : permutation[i];
    identity &= whole[i] == i;
    dims[i] = hd_type_dim(x->type, (uint32_t)permutation[i]);
  }
  if (inner) x = hd_operand(inner, 0);
  if (identity) return x;
  return hd_hlo(b, HD_OP_stablehlo_transpose, hd_type_with_dims(x->type, dims, rank), &x, 1, "permutation",
                hd_attr_i64_array(b->context, whole, rank));
}

hd_value *hd_hlo_convert(hd_builder *b, hd_value *x, hd_type element) {
  if (hd_type_element(x->type) == element) return x;
  return hd_hlo(b, HD_OP_stablehlo_convert, hd_type_with_element(x->type, element), &x, 1, NULL, NULL);
}

hd_value *hd_hlo_zero(hd_builder *b, hd_type element) {
  static const char bytes[16];
  hd_type type = hd_type_tensor(element, NULL, 0, NULL);
  return hd_build_hlo_constant(b, hd_attr_dense(type, bytes, hd_type_element_bytes(element), true));
}

hd_value *hd_hlo_compare(hd_builder *b, const char *direction, hd_value *lhs, hd_value *rhs) {
  int64_t value = 0;
  hd_enum_case_value(HD_ENUM_stablehlo_comparison_direction, hd_str_of(direction), &value);
  return hd_hlo(b, HD_OP_stablehlo_compare, hd_type_with_element(lhs->type, hd_i1(b->context)),
                (hd_value *[]){lhs, rhs}, 2, "comparison_direction",
                hd_attr_enum(b->context, HD_ENUM_stablehlo_comparison_direction, value));
}
