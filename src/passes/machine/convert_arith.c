/* SPDX-License-Identifier: Apache-2.0 */
/* arith, math, complex and vector ops to llvm's. */
#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"
#include "passes/machine/converter.h"

static hd_type result_type(hd_converter *c, hd_op *op) { return hd_machine_type(c, op, hd_result_type(op, 0)); }

/* Narrow floats are patterns here, on which an op of integers would be another one. */
static bool refuse_narrow(hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_machine_is_small_float(hd_operand_type(op, i)))
      return hd_op_misfit_error(op, hd_operand_type(op, i), NULL, "computes on floats that have no machine form");
  return true;
}

static bool build(hd_converter *c, hd_op *op, int code, int64_t flags) {
  hd_type type = result_type(c, op);
  hd_value *operands[3];
  HD_ASSERT(op->operand_count <= 3);
  if (!type || !refuse_narrow(op)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_machine_one(c, op, i);
  hd_value *made = hd_machine_flagged(c, (hd_opcode)code, type, operands, op->operand_count, flags);
  int64_t wraps = hd_op_is(op, HD_OP_arith_addi)   ? hd_arith_addi_overflowFlags(op)
                  : hd_op_is(op, HD_OP_arith_muli) ? hd_arith_muli_overflowFlags(op)
                                                   : HD_ARITH_OVERFLOW_NONE;
  if (wraps) hd_op_attr_set(hd_value_op(made), HD_NAME_overflowFlags, hd_attr_i32(c->context, (int32_t)wraps));
  return hd_machine_result(c, op, made);
}

HD_RULE(same) { return build(c, op, code, 0); }
HD_RULE(with_flags) { return build(c, op, code, hd_machine_flags(op)); }

/* Functions are the device's where their op says so; all others were expanded. */
HD_RULE(approximate) {
  enum { APPROXIMATE = 32 }; /* afn of llvm.fastmath */
  if (!(hd_machine_flags(op) & APPROXIMATE))
    return hd_op_error(op, "has no machine form: expected expand-math before, or the flag afn");
  return hd_convert_with_flags(c, op, code);
}

/* |value|, of the device form, for |type|. */
static hd_attr constant_of(hd_op *op, hd_attr value, hd_type type) {
  if (value->type == type) return value;
  if (hd_attr_is(value, HD_ATTR_INTEGER)) return hd_attr_integer(type, value->integer);
  if (hd_attr_is(value, HD_ATTR_FLOAT)) return hd_attr_float_bits(type, value->floating.bits);
  if (hd_attr_is(value, HD_ATTR_DENSE))
    return hd_attr_dense(type, value->dense.data, value->dense.size, value->dense.splat);
  hd_op_error(op, "expected a number or a vector of known shape, got another type");
  return NULL;
}

HD_RULE(constant) {
  (void)code;
  hd_attr value = hd_constant_like_value(op);
  hd_type type = result_type(c, op);
  hd_attr attr = type ? constant_of(op, value, type) : NULL;
  if (!attr) return false;
  hd_attr_arg attrs[] = {{HD_NAME_value, attr}};
  return hd_machine_result(c, op, hd_build_one_(&c->b, HD_OP_llvm_mlir_constant, type, NULL, 0, attrs, 1));
}

/* Both dialects number their predicates alike. */
HD_RULE(compare_ints) {
  (void)code;
  hd_enum_llvm_icmp_predicate predicate = (hd_enum_llvm_icmp_predicate)hd_arith_cmpi_predicate(op);
  return hd_machine_result(c, op, hd_machine_icmp(c, predicate, hd_machine_one(c, op, 0), hd_machine_one(c, op, 1)));
}

/* Narrow floats compare as what they are in f32. */
HD_RULE(compare_floats) {
  (void)code;
  hd_type type = result_type(c, op), element = hd_type_element(hd_operand_type(op, 0));
  if (!type) return false;
  int64_t predicate = hd_arith_cmpf_predicate(op), flags = hd_machine_flags(op);
  hd_attr_arg attrs[] = {
      {HD_NAME_predicate, hd_attr_of_llvm_fcmp_predicate(c->context, (hd_enum_llvm_fcmp_predicate)predicate)},
      {HD_NAME_fastmathFlags, hd_attr_enum(c->context, HD_ENUM_llvm_fastmath, flags)}};
  hd_value *operands[] = {hd_machine_one(c, op, 0), hd_machine_one(c, op, 1)};
  for (int i = 0; i < 2 && hd_machine_is_small_float(element); ++i)
    operands[i] = hd_machine_convert_float(c, operands[i], element->float_kind, HD_F32);
  return hd_machine_result(c, op, hd_build_one_(&c->b, HD_OP_llvm_fcmp, type, operands, 2, attrs, flags ? 2 : 1));
}

/* Part by part; sizes of buffers, of which only the type knows, are equal. */
HD_RULE(select) {
  (void)code;
  hd_machine_parts *x = hd_machine_operand(c, op, 1), *y = hd_machine_operand(c, op, 2);
  hd_machine_parts *out = hd_machine_new_parts(c, x->count);
  hd_value *condition = hd_machine_one(c, op, 0);
  for (uint32_t i = 0; i < x->count; ++i)
    if (x->at[i]) out->at[i] = hd_build(&c->b, HD_OP_llvm_select, x->at[i]->type, condition, x->at[i], y->at[i]);
  hd_machine_set(c, hd_result(op, 0), out);
  return true;
}

HD_RULE(resize) {
  hd_type type = result_type(c, op);
  return type && hd_machine_result(c, op, hd_machine_resize(c, hd_machine_one(c, op, 0), type, code != 0));
}

/* Between floats, and between floats and integers. */
HD_RULE(convert_float) {
  hd_type type = result_type(c, op), from = hd_type_element(hd_operand_type(op, 0)),
          to = hd_type_element(hd_result_type(op, 0));
  if (!type || !hd_machine_type(c, op, hd_operand_type(op, 0))) return false;
  hd_value *value = hd_machine_one(c, op, 0);
  if (hd_machine_is_small_float(to) && from->kind != HD_TYPE_FLOAT)
    return hd_machine_result(c, op, hd_machine_narrow_of_int(c, value, code == HD_OP_llvm_sitofp, to->float_kind));
  if (hd_machine_is_small_float(from) && to->kind != HD_TYPE_FLOAT)
    value = hd_machine_convert_float(c, value, from->float_kind, HD_F32);
  else if (hd_machine_is_small_float(from) || hd_machine_is_small_float(to))
    return hd_machine_result(c, op, hd_machine_convert_float(c, value, from->float_kind, to->float_kind));
  return hd_machine_result(c, op, hd_build(&c->b, (hd_opcode)code, type, value));
}

HD_RULE(bitcast) {
  (void)code;
  hd_type type = result_type(c, op);
  hd_value *value = hd_machine_one(c, op, 0);
  if (!type) return false;
  bool pattern = hd_machine_is_small_float(hd_operand_type(op, 0)) || hd_machine_is_small_float(hd_result_type(op, 0));
  if (pattern) return hd_machine_result(c, op, hd_machine_resize(c, value, type, false));
  return hd_machine_result(c, op, value->type == type ? value : hd_build(&c->b, HD_OP_llvm_bitcast, type, value));
}

/* Quotients rounded down (code 0) or up (1), and up without sign (2): the truncated one, moved by one where something
 * is left and the signs say so. */
HD_RULE(rounded_division) {
  hd_value *x = hd_machine_one(c, op, 0), *y = hd_machine_one(c, op, 1);
  hd_value *quotient = hd_machine_binary(c, code == 2 ? HD_OP_llvm_udiv : HD_OP_llvm_sdiv, x, y);
  hd_value *rest = hd_machine_binary(c, HD_OP_llvm_sub, x, hd_machine_binary(c, HD_OP_llvm_mul, quotient, y));
  hd_value *zero = hd_machine_int(c, x->type, 0), *one = hd_machine_int(c, x->type, 1);
  hd_value *moves = hd_machine_icmp(c, HD_LLVM_ICMP_NE, rest, zero);
  if (code != 2) {
    hd_value *mixed = hd_machine_icmp(c, HD_LLVM_ICMP_SLT, hd_machine_binary(c, HD_OP_llvm_xor, x, y), zero);
    if (code == 1) mixed = hd_machine_binary(c, HD_OP_llvm_xor, mixed, hd_machine_int(c, mixed->type, 1));
    moves = hd_machine_binary(c, HD_OP_llvm_and, moves, mixed);
  }
  hd_value *moved = hd_machine_binary(c, code == 0 ? HD_OP_llvm_sub : HD_OP_llvm_add, quotient, one);
  return hd_machine_result(c, op, hd_build(&c->b, HD_OP_llvm_select, x->type, moves, moved, quotient));
}

/* The high word of a product of 64 bits, from products of halves; a negative operand takes the other off it. */
static hd_value *high_of_64(hd_converter *c, hd_value *x, hd_value *y, bool is_signed) {
  hd_type type = x->type;
  hd_value *half = hd_machine_int(c, type, 32), *mask = hd_machine_int(c, type, UINT32_MAX);
  hd_value *xl = hd_machine_binary(c, HD_OP_llvm_and, x, mask), *yl = hd_machine_binary(c, HD_OP_llvm_and, y, mask);
  hd_value *xh = hd_machine_binary(c, HD_OP_llvm_lshr, x, half), *yh = hd_machine_binary(c, HD_OP_llvm_lshr, y, half);
  hd_value *low = hd_machine_binary(c, HD_OP_llvm_mul, xl, yl);
  hd_value *a = hd_machine_binary(c, HD_OP_llvm_add, hd_machine_binary(c, HD_OP_llvm_mul, xh, yl),
                                  hd_machine_binary(c, HD_OP_llvm_lshr, low, half));
  hd_value *b = hd_machine_binary(c, HD_OP_llvm_add, hd_machine_binary(c, HD_OP_llvm_mul, xl, yh),
                                  hd_machine_binary(c, HD_OP_llvm_and, a, mask));
  hd_value *high = hd_machine_binary(c, HD_OP_llvm_mul, xh, yh);
  high = hd_machine_binary(c, HD_OP_llvm_add, high, hd_machine_binary(c, HD_OP_llvm_lshr, a, half));
  high = hd_machine_binary(c, HD_OP_llvm_add, high, hd_machine_binary(c, HD_OP_llvm_lshr, b, half));
  hd_value *sign = hd_machine_int(c, type, 63);
  for (int i = 0; i < 2 && is_signed; ++i) {
    hd_value *negative = hd_machine_binary(c, HD_OP_llvm_ashr, i ? y : x, sign);
    high = hd_machine_binary(c, HD_OP_llvm_sub, high, hd_machine_binary(c, HD_OP_llvm_and, negative, i ? x : y));
  }
  return high;
}

/* Low and high word of a product; |code|: 1 when signed. */
HD_RULE(wide_product) {
  hd_value *x = hd_machine_one(c, op, 0), *y = hd_machine_one(c, op, 1);
  uint32_t width = hd_type_bits(hd_type_element(x->type));
  hd_machine_parts *low = hd_machine_new_parts(c, 1), *high = hd_machine_new_parts(c, 1);
  low->at[0] = hd_machine_binary(c, HD_OP_llvm_mul, x, y);
  if (width > 32 && width != 64) return hd_op_error(op, "is of %u bits, expected up to 32 or 64", width);
  if (width == 64) {
    high->at[0] = high_of_64(c, x, y, code != 0);
  } else {
    hd_type element = hd_type_integer(c->context, 2 * width, HD_SIGNLESS);
    hd_type wide = x->type->kind == HD_TYPE_VECTOR ? hd_type_with_element(x->type, element) : element;
    hd_value *product = hd_machine_binary(c, HD_OP_llvm_mul, hd_machine_resize(c, x, wide, code != 0),
                                          hd_machine_resize(c, y, wide, code != 0));
    product = hd_machine_binary(c, HD_OP_llvm_lshr, product, hd_machine_int(c, wide, width));
    high->at[0] = hd_machine_resize(c, product, x->type, false);
  }
  hd_machine_set(c, hd_result(op, 0), low);
  hd_machine_set(c, hd_result(op, 1), high);
  return true;
}

/* Of zero it is the width; |code| is the intrinsic, also for abs, whose least number stays. */
HD_RULE(count_zeros) {
  hd_name name = code == HD_OP_llvm_intr_abs ? HD_NAME_is_int_min_poison : HD_NAME_is_zero_poison;
  hd_attr_arg attrs[] = {{name, hd_attr_bool(c->context, false)}};
  hd_value *x = hd_machine_one(c, op, 0);
  return hd_machine_result(c, op, hd_build_one_(&c->b, (hd_opcode)code, x->type, &x, 1, attrs, 1));
}

/* Between signs of one width. */
HD_RULE(cast) {
  (void)code;
  if (op->operand_count != 1 || op->result_count != 1)
    return hd_op_error(op, "expected one operand and one result, got %u and %u", op->operand_count, op->result_count);
  hd_type from = hd_machine_type(c, op, hd_operand_type(op, 0)), to = result_type(c, op);
  if (!from || !to) return false;
  if (from != to)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0), "casts what differs here");
  return hd_machine_result(c, op, hd_machine_one(c, op, 0));
}

HD_RULE(complex_part) { return hd_machine_result(c, op, hd_machine_operand(c, op, 0)->at[code]); }

HD_RULE(complex_create) {
  (void)code;
  hd_machine_parts *parts = hd_machine_new_parts(c, 2);
  for (uint32_t i = 0; i < 2; ++i) parts->at[i] = hd_machine_one(c, op, i);
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}
