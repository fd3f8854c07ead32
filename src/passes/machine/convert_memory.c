/* SPDX-License-Identifier: Apache-2.0 */
/* memref and vector accesses to loads and stores by address. */
#include "ir/ops/interfaces.h"
#include "passes/machine/converter.h"

enum { NSW_NUW = 3, INBOUNDS_NUW = 7, DYNAMIC_INDEX = INT32_MIN };

static hd_value *exact(hd_converter *c, hd_opcode opcode, hd_value *x, hd_value *y) {
  hd_attr_arg attrs[] = {{HD_NAME_overflowFlags, hd_attr_i32(c->context, NSW_NUW)}};
  return hd_build_one_(&c->b, opcode, x->type, (hd_value *[]){x, y}, 2, attrs, 1);
}

/* A size that the kernel is not given has a poison in its place, which is dead in the end. */
hd_value *hd_machine_size(hd_converter *c, hd_type type, const hd_machine_parts *memref, uint32_t d) {
  if (!memref->at[1 + d] && type->shaped.dims[d] == HD_DYNAMIC)
    return hd_build_one_(&c->b, HD_OP_llvm_mlir_poison, c->index, NULL, 0, NULL, 0);
  return memref->at[1 + d] ? memref->at[1 + d] : hd_machine_index(c, type->shaped.dims[d]);
}

hd_value *hd_machine_offset(hd_converter *c, hd_value *base, hd_value *at, hd_type stored) {
  at = hd_machine_resize(c, at, hd_i64(c->context), false);
  hd_attr_arg attrs[] = {{HD_NAME_elem_type, hd_attr_type(stored)},
                         {HD_NAME_rawConstantIndices, hd_attr_i32_array(c->context, (int32_t[]){DYNAMIC_INDEX}, 1)},
                         {HD_NAME_noWrapFlags, hd_attr_i32(c->context, INBOUNDS_NUW)}};
  return hd_build_one_(&c->b, HD_OP_llvm_getelementptr, base->type, (hd_value *[]){base, at}, 2, attrs, 3);
}

/* By |layout|, of known strides. */
static hd_value *strided_index(hd_converter *c, hd_op *op, uint32_t first, hd_attr layout) {
  hd_value *at = hd_machine_index(c, layout->strided.offset == HD_DYNAMIC ? 0 : layout->strided.offset);
  for (uint32_t d = 0; d < hd_operand_type(op, first)->shaped.rank; ++d) {
    hd_value *step = hd_machine_index(c, layout->strided.strides[d]);
    at = exact(c, HD_OP_llvm_add, at, exact(c, HD_OP_llvm_mul, hd_machine_one(c, op, first + 1 + d), step));
  }
  return at;
}

hd_value *hd_machine_address(hd_converter *c, hd_op *op, uint32_t first, hd_type stored) {
  const hd_machine_parts *memref = hd_machine_operand(c, op, first);
  hd_type type = hd_operand_type(op, first);
  hd_value *at = NULL;
  if (type->shaped.layout)
    return hd_machine_offset(c, memref->at[0], strided_index(c, op, first, type->shaped.layout), stored);
  for (uint32_t d = 0; d < type->shaped.rank; ++d) {
    hd_value *index = hd_machine_one(c, op, first + 1 + d);
    at =
        at ? exact(c, HD_OP_llvm_add, exact(c, HD_OP_llvm_mul, at, hd_machine_size(c, type, memref, d)), index) : index;
  }
  return at ? hd_machine_offset(c, memref->at[0], at, stored) : memref->at[0];
}

static hd_value *load(hd_converter *c, hd_op *op, hd_value *from, hd_type stored, int64_t alignment) {
  (void)op;
  hd_attr_arg attrs[] = {{HD_NAME_alignment, alignment ? hd_attr_i64(c->context, alignment) : NULL}};
  return hd_build_one_(&c->b, HD_OP_llvm_load, stored, &from, 1, attrs, 1);
}

static void store(hd_converter *c, hd_value *value, hd_value *to, int64_t alignment) {
  hd_attr_arg attrs[] = {{HD_NAME_alignment, alignment ? hd_attr_i64(c->context, alignment) : NULL}};
  hd_build_op(&c->b, HD_OP_llvm_store, (hd_value *[]){value, to}, 2, NULL, 0, attrs, 1, 0);
}

/* A byte is true when any of its bits is set, as everywhere. */
hd_value *hd_machine_from_stored(hd_converter *c, hd_value *value, hd_type type) {
  if (hd_type_is_integer(hd_type_element(type), 1))
    return hd_machine_icmp(c, HD_LLVM_ICMP_NE, value, hd_machine_int(c, value->type, 0));
  return value->type == type ? value : hd_machine_resize(c, value, type, false);
}

hd_value *hd_machine_to_stored(hd_converter *c, hd_value *value, hd_type element, hd_type stored) {
  if (value->type == stored) return value;
  bool is_signed = element->kind == HD_TYPE_INDEX || (element->kind == HD_TYPE_INTEGER && element->integer.width > 1 &&
                                                      element->integer.signedness != HD_UNSIGNED);
  return hd_machine_resize(c, value, stored, is_signed);
}

bool hd_machine_element_types(hd_converter *c, hd_op *op, hd_type element, hd_type *out_type, hd_type *out_stored) {
  hd_type part = element->kind == HD_TYPE_COMPLEX ? element->shaped.element : element;
  *out_type = hd_machine_type(c, op, part);
  *out_stored = *out_type ? hd_machine_stored(c, op, part) : NULL;
  return *out_stored != NULL;
}

/* Complex numbers are as pairs, so their index counts twice. */
static hd_value *pair_address(hd_converter *c, hd_op *op, uint32_t first, hd_type stored, uint32_t part, bool is_pair) {
  if (!is_pair) return hd_machine_address(c, op, first, stored);
  hd_type pair = hd_type_vector(stored, (int64_t[]){2}, 1, NULL);
  hd_value *at = hd_machine_address(c, op, first, pair);
  return part ? hd_machine_offset(c, at, hd_machine_i64(c, 1), stored) : at;
}

HD_RULE(load) {
  (void)code;
  hd_type element = hd_result_type(op, 0), type, stored;
  bool is_pair = element->kind == HD_TYPE_COMPLEX;
  if (element->kind == HD_TYPE_VECTOR) return hd_op_error(op, "loads a vector element, expected a scalar");
  if (!hd_machine_element_types(c, op, element, &type, &stored)) return false;
  hd_machine_parts *parts = hd_machine_new_parts(c, is_pair ? 2 : 1);
  for (uint32_t p = 0; p < parts->count; ++p)
    parts->at[p] = hd_machine_from_stored(c, load(c, op, pair_address(c, op, 0, stored, p, is_pair), stored, 0), type);
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}

HD_RULE(store) {
  (void)code;
  hd_type element = hd_operand_type(op, 0), type, stored;
  bool is_pair = element->kind == HD_TYPE_COMPLEX;
  if (element->kind == HD_TYPE_VECTOR) return hd_op_error(op, "stores a vector element, expected a scalar");
  if (!hd_machine_element_types(c, op, element, &type, &stored)) return false;
  const hd_machine_parts *parts = hd_machine_operand(c, op, 0);
  for (uint32_t p = 0; p < parts->count; ++p)
    store(c, hd_machine_to_stored(c, parts->at[p], element, stored), pair_address(c, op, 1, stored, p, is_pair), 0);
  return true;
}

/* A vector without a promise is aligned as its elements are. */
static int64_t alignment_of(hd_op *op, hd_type stored) {
  return hd_attr_int_or(hd_with_alignment_alignment_if_any(op),
                        (int64_t)hd_type_element_bytes(hd_type_element(stored)));
}

HD_RULE(vector_load) {
  (void)code;
  hd_type vector = hd_result_type(op, 0), type, stored;
  if (!hd_machine_element_types(c, op, vector, &type, &stored)) return false;
  hd_value *at = hd_machine_address(c, op, 0, hd_type_element(stored));
  return hd_machine_result(c, op, hd_machine_from_stored(c, load(c, op, at, stored, alignment_of(op, stored)), type));
}

HD_RULE(vector_store) {
  (void)code;
  hd_type vector = hd_operand_type(op, 0), type, stored;
  if (!hd_machine_element_types(c, op, vector, &type, &stored)) return false;
  hd_value *value = hd_machine_to_stored(c, hd_machine_one(c, op, 0), vector->shaped.element, stored);
  store(c, value, hd_machine_address(c, op, 1, hd_type_element(stored)), alignment_of(op, stored));
  return true;
}

HD_RULE(dim) {
  (void)code;
  hd_type type = hd_operand_type(op, 0);
  int64_t d;
  if (!hd_value_constant_int(hd_operand(op, 1), &d) || d < 0 || d >= type->shaped.rank)
    return hd_op_error(op, "expected a constant dim, got a value of the run");
  return hd_machine_result(c, op, hd_machine_size(c, type, hd_machine_operand(c, op, 0), (uint32_t)d));
}

/* Dense buffers: the address stays, sizes multiply. */
HD_RULE(collapse) {
  (void)code;
  hd_attr groups = hd_reassociating_reassociation(op);
  const hd_machine_parts *from = hd_machine_operand(c, op, 0);
  hd_type source = hd_operand_type(op, 0), type = hd_result_type(op, 0);
  if (source->shaped.layout || type->shaped.layout) return hd_op_error(op, "has strides, expected a dense buffer");
  hd_machine_parts *parts = hd_machine_new_parts(c, 1 + type->shaped.rank);
  parts->at[0] = from->at[0];
  for (uint32_t d = 0; d < type->shaped.rank; ++d) {
    if (type->shaped.dims[d] != HD_DYNAMIC) continue;
    hd_attr group = groups->array.items[d];
    for (uint32_t i = 0; i < hd_attr_count(group); ++i) {
      hd_value *size = hd_machine_size(c, source, from, (uint32_t)hd_attr_int_at(group, i));
      parts->at[1 + d] = parts->at[1 + d] ? exact(c, HD_OP_llvm_mul, parts->at[1 + d], size) : size;
    }
  }
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}
