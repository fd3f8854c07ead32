/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/math/integer.h"

#include "codegen/math/emitter.h"
#include "ir/ops/arith.h"

static hd_value *choose(hd_builder *b, hd_value *condition, hd_value *x, hd_value *y) {
  return hd_build(b, HD_OP_arith_select, x->type, condition, x, y);
}

/* |y| with 0 (and, when signed, -1) replaced by 1, so that division is defined. */
static hd_value *safe_divisor(hd_builder *b, hd_value *y, hd_value *is_zero, hd_value *is_minus_one) {
  hd_value *one = hd_build_int(b, y->type, 1), *safe = choose(b, is_zero, one, y);
  return is_minus_one ? choose(b, is_minus_one, one, safe) : safe;
}

hd_value *hd_integer_divide_emit(hd_builder *b, hd_value *x, hd_value *y, bool is_signed) {
  hd_value *zero = hd_build_int(b, x->type, 0), *ones = hd_build_int(b, x->type, -1);
  hd_value *is_zero = hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, y, zero),
           *is_minus_one = is_signed ? hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, y, ones) : NULL;
  hd_value *safe = safe_divisor(b, y, is_zero, is_minus_one);
  hd_value *quotient = hd_build(b, is_signed ? HD_OP_arith_divsi : HD_OP_arith_divui, x->type, x, safe);
  if (is_signed) quotient = choose(b, is_minus_one, hd_build(b, HD_OP_arith_subi, x->type, zero, x), quotient);
  return choose(b, is_zero, ones, quotient);
}

hd_value *hd_integer_remainder_emit(hd_builder *b, hd_value *x, hd_value *y, bool is_signed) {
  hd_value *zero = hd_build_int(b, x->type, 0), *ones = hd_build_int(b, x->type, -1);
  hd_value *is_zero = hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, y, zero),
           *is_minus_one = is_signed ? hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, y, ones) : NULL;
  hd_value *safe = safe_divisor(b, y, is_zero, is_minus_one); /* by 1 for -1: the remainder is 0 as well */
  hd_value *rest = hd_build(b, is_signed ? HD_OP_arith_remsi : HD_OP_arith_remui, x->type, x, safe);
  return choose(b, is_zero, x, rest);
}

hd_value *hd_integer_shift_emit(hd_builder *b, hd_value *x, hd_value *amount, hd_shift direction) {
  uint32_t width = hd_type_bits(hd_type_element(x->type));
  hd_value *zero = hd_build_int(b, x->type, 0), *last = hd_build_int(b, x->type, width - 1);
  /* A width of 1 or 2 has no room for itself as a number, so the last legal amount is compared with. */
  hd_value *beyond = hd_arith_cmpi(b, HD_ARITH_CMPI_ULT, last, amount);
  if (direction == HD_SHIFT_RIGHT_ARITHMETIC)
    return hd_build(b, HD_OP_arith_shrsi, x->type, x, choose(b, beyond, last, amount));
  hd_value *legal = choose(b, beyond, zero, amount);
  hd_opcode opcode = direction == HD_SHIFT_LEFT ? HD_OP_arith_shli : HD_OP_arith_shrui;
  return choose(b, beyond, zero, hd_build(b, opcode, x->type, x, legal));
}

/* Squaring and multiplying, once per bit of y. */
hd_value *hd_integer_power_emit(hd_builder *b, hd_value *x, hd_value *y, bool is_signed) {
  uint32_t width = hd_type_bits(hd_type_element(x->type));
  hd_value *zero = hd_build_int(b, x->type, 0), *one = hd_build_int(b, x->type, 1), *power = one, *square = x,
           *bits = y;
  for (uint32_t i = 0; i < width; ++i) {
    hd_value *even = hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, hd_build(b, HD_OP_arith_andi, x->type, bits, one), zero);
    power = choose(b, even, power, hd_build(b, HD_OP_arith_muli, x->type, power, square));
    if (i + 1 == width) break;
    square = hd_build(b, HD_OP_arith_muli, x->type, square, square);
    bits = hd_build(b, HD_OP_arith_shrui, x->type, bits, one);
  }
  if (!is_signed) return power;
  /* Of x = ±1 the power by the pattern of y is right for negative y too: y is odd or even all the same. */
  hd_value *minus_one = hd_build_int(b, x->type, -1);
  hd_value *negative = hd_arith_cmpi(b, HD_ARITH_CMPI_SLT, y, zero);
  hd_value *unit = choose(b, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, x, one), power,
                          choose(b, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, x, minus_one), power, zero)); /* of 0 too */
  return choose(b, negative, unit, power);
}
