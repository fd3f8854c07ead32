/* SPDX-License-Identifier: Apache-2.0 */
/* Types and values of the machine form. */
#include "ir/address_space.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/machine/converter.h"

static hd_type no_form(hd_op *op, hd_type type) {
  hd_op_misfit_error(op, type, NULL, "has a value of a type that has no machine form");
  return NULL;
}

static hd_type element_type(hd_converter *c, hd_op *op, hd_type type) {
  if (type->kind == HD_TYPE_INDEX) return c->index;
  if (type->kind == HD_TYPE_INTEGER && type->integer.width <= 64)
    return type->integer.signedness == HD_SIGNLESS ? type
                                                   : hd_type_integer(c->context, type->integer.width, HD_SIGNLESS);
  bool is_float = hd_type_is_float(type, HD_F16) || hd_type_is_float(type, HD_BF16) || hd_type_is_float(type, HD_F32) ||
                  hd_type_is_float(type, HD_F64);
  if (hd_machine_is_small_float(type)) return hd_type_integer(c->context, 8, HD_SIGNLESS);
  return is_float ? type : no_form(op, type);
}

hd_type hd_machine_type(hd_converter *c, hd_op *op, hd_type type) {
  if (type->kind == HD_TYPE_DIALECT && type->dialect.row == HD_TYPE_ROW_llvm_ptr) return type;
  if (type->kind != HD_TYPE_VECTOR) return element_type(c, op, type);
  if (type->shaped.rank != 1 || type->shaped.scalable) return no_form(op, type);
  hd_type element = element_type(c, op, type->shaped.element);
  return element ? hd_type_with_element(type, element) : NULL;
}

hd_type hd_machine_stored(hd_converter *c, hd_op *op, hd_type type) {
  hd_type in_register = hd_machine_type(c, op, type);
  if (!in_register) return NULL;
  if (hd_type_element(type)->kind == HD_TYPE_INDEX) /* whatever a kernel computes in */
    return in_register->kind == HD_TYPE_VECTOR ? hd_type_with_element(in_register, hd_i64(c->context))
                                               : hd_i64(c->context);
  hd_type element = hd_type_element(in_register), byte = hd_type_integer(c->context, 8, HD_SIGNLESS);
  if (element->kind != HD_TYPE_INTEGER || element->integer.width >= 8) return in_register;
  return in_register->kind == HD_TYPE_VECTOR ? hd_type_with_element(in_register, byte) : byte;
}

hd_type hd_machine_pointer(hd_context *context, int64_t space) {
  hd_attr params[] = {space ? hd_attr_i32(context, space) : NULL};
  return hd_type_dialect(context, HD_TYPE_ROW_llvm_ptr, params, 1);
}

int64_t hd_machine_space(hd_type type) {
  return hd_is_in_address_space(type, HD_GPU_ADDRESS_SPACE_GLOBAL)      ? HD_SPACE_GLOBAL
         : hd_is_in_address_space(type, HD_GPU_ADDRESS_SPACE_WORKGROUP) ? HD_SPACE_SHARED
         : hd_is_in_address_space(type, HD_GPU_ADDRESS_SPACE_PRIVATE)   ? HD_SPACE_PRIVATE
                                                                        : -1;
}

bool hd_machine_has_known_strides(hd_type type) {
  hd_attr layout = type->shaped.layout;
  if (!layout) return true;
  bool known = hd_attr_is(layout, HD_ATTR_STRIDED) && (layout->strided.offset >= 0 || hd_machine_has_own_offset(type));
  for (uint32_t d = 0; known && d < type->shaped.rank; ++d) known = layout->strided.strides[d] >= 0;
  return known;
}

bool hd_machine_has_own_offset(hd_type type) {
  hd_attr layout = type->shaped.layout;
  return hd_attr_is(layout, HD_ATTR_STRIDED) && layout->strided.offset == HD_DYNAMIC;
}

uint32_t hd_machine_part_count(hd_type type) {
  return type->kind == HD_TYPE_MEMREF ? 1 + type->shaped.rank : type->kind == HD_TYPE_COMPLEX ? 2 : 1;
}

bool hd_machine_part_types(hd_converter *c, hd_op *op, hd_type type, hd_type_list *out) {
  if (type->kind == HD_TYPE_MEMREF) {
    if (!hd_machine_has_known_strides(type))
      return hd_op_misfit_error(op, type, NULL, "has a buffer with strides that its type does not say");
    if (hd_machine_space(type) < 0)
      return hd_op_misfit_error(op, type, NULL, "has a buffer in a memory that no kernel reaches");
    hd_vec_push(c->arena, out, hd_machine_pointer(c->context, hd_machine_space(type)));
    for (uint32_t d = 0; d < type->shaped.rank; ++d)
      if (type->shaped.dims[d] == HD_DYNAMIC) hd_vec_push(c->arena, out, c->index);
    return true;
  }
  hd_type part = hd_machine_type(c, op, hd_type_is(type, HD_TYPE_COMPLEX) ? type->shaped.element : type);
  if (!part) return false;
  hd_vec_push(c->arena, out, part);
  if (type->kind == HD_TYPE_COMPLEX) hd_vec_push(c->arena, out, part);
  return true;
}

hd_type hd_machine_function_type(hd_context *context, hd_type result, const hd_type *ins, size_t count) {
  hd_arena scratch;
  hd_scratch_init(&scratch, &context->budget);
  hd_attr *items = hd_new_array(&scratch, hd_attr, count + 1);
  for (size_t i = 0; i < count; ++i) items[i] = hd_attr_type(ins[i]);
  if (!result) result = hd_type_dialect(context, HD_TYPE_ROW_llvm_void, NULL, 0);
  hd_attr params[] = {hd_attr_type(result), hd_attr_array(context, items, count), NULL};
  hd_type type = hd_type_dialect(context, HD_TYPE_ROW_llvm_func, params, 3);
  hd_arena_free(&scratch);
  return type;
}

/* ---- values ---- */

hd_machine_parts *hd_machine_new_parts(hd_converter *c, uint32_t count) {
  hd_machine_parts *parts = hd_arena_calloc(c->arena, 1, sizeof *parts + count * sizeof *parts->at);
  parts->count = count;
  return parts;
}

void hd_machine_set(hd_converter *c, hd_value *value, hd_machine_parts *parts) {
  hd_map_set(c->arena, &c->values, value, parts);
}

bool hd_machine_result(hd_converter *c, hd_op *op, hd_value *part) {
  hd_machine_parts *parts = hd_machine_new_parts(c, 1);
  parts->at[0] = part;
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}

hd_machine_parts *hd_machine_operand(hd_converter *c, hd_op *op, uint32_t i) {
  hd_machine_parts *parts = hd_map_get(&c->values, hd_operand(op, i));
  HD_ASSERT(parts); /* a function's values are its own, and definitions come first */
  return parts;
}

hd_value *hd_machine_int(hd_converter *c, hd_type type, int64_t value) {
  hd_attr attr = hd_attr_integer(hd_type_element(type), value);
  if (type->kind == HD_TYPE_VECTOR) {
    int64_t bits = value; /* the low bytes are the element's, in the order of this machine as everywhere */
    attr = hd_attr_dense(type, &bits, hd_type_element_bytes(type->shaped.element), true);
  }
  hd_attr_arg attrs[] = {{HD_NAME_value, attr}};
  return hd_build_one_(&c->b, HD_OP_llvm_mlir_constant, type, NULL, 0, attrs, 1);
}

hd_value *hd_machine_i64(hd_converter *c, int64_t value) { return hd_machine_int(c, hd_i64(c->context), value); }
hd_value *hd_machine_index(hd_converter *c, int64_t value) { return hd_machine_int(c, c->index, value); }

hd_type hd_machine_index_type(const hd_op *func) {
  return hd_type_integer(hd_op_context(func), hd_discardable_index_bits(func) == 32 ? 32 : 64, HD_SIGNLESS);
}

hd_value *hd_machine_binary(hd_converter *c, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build(&c->b, opcode, x->type, x, y);
}

hd_value *hd_machine_icmp(hd_converter *c, hd_enum_llvm_icmp_predicate predicate, hd_value *x, hd_value *y) {
  hd_attr_arg attrs[] = {{HD_NAME_predicate, hd_attr_of_llvm_icmp_predicate(c->context, predicate)}};
  return hd_build_one_(&c->b, HD_OP_llvm_icmp, hd_type_bool_like(x->type), (hd_value *[]){x, y}, 2, attrs, 1);
}

hd_value *hd_machine_resize(hd_converter *c, hd_value *value, hd_type type, bool is_signed) {
  uint32_t from = hd_type_bits(hd_type_element(value->type)), to = hd_type_bits(hd_type_element(type));
  if (from == to) return value;
  return hd_build(&c->b, to < from ? HD_OP_llvm_trunc : is_signed ? HD_OP_llvm_sext : HD_OP_llvm_zext, type, value);
}

hd_value *hd_machine_flagged(hd_converter *c, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count,
                             int64_t flags) {
  hd_attr_arg attrs[] = {
      {HD_NAME_fastmathFlags, flags ? hd_attr_enum(c->context, HD_ENUM_llvm_fastmath, flags) : NULL}};
  return hd_build_one_(&c->b, opcode, type, operands, count, attrs, flags ? 1 : 0);
}

/* reassoc is arith's lowest bit and llvm's highest; the others keep their order. */
int64_t hd_machine_flags(hd_op *op) {
  int64_t flags = hd_attr_int_or(hd_with_fastmath_fastmath_if_any(op), 0);
  return flags >> 1 | (flags & 1) << 6;
}
