/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of one sign are ordered as their numbers, so the neighbour is the pattern one up (away from zero) or down.
 */
#include "codegen/math/next_after.h"

#include <math.h>

#include "ir/number.h"
#include "ir/ops/arith.h"

hd_value *hd_next_after_emit(hd_builder *b, hd_value *x, hd_value *y) {
  hd_type type = x->type, element = hd_type_element(type);
  if (element->kind != HD_TYPE_FLOAT || hd_float_formats[element->float_kind].bits > 64) return NULL;
  const hd_float_format *f = &hd_float_formats[element->float_kind];
  hd_type bits_type = hd_type_integer(b->context, (uint32_t)f->bits, HD_SIGNLESS);
  if (hd_type_is_shaped(type)) bits_type = hd_type_with_element(type, bits_type);
  hd_value *one = hd_build_int(b, bits_type, 1), *zero = hd_build_int(b, bits_type, 0);
  hd_value *a = hd_build(b, HD_OP_arith_bitcast, bits_type, x), *c = hd_build(b, HD_OP_arith_bitcast, bits_type, y);
  hd_value *up = hd_build(b, HD_OP_arith_addi, bits_type, a, one),
           *down = hd_build(b, HD_OP_arith_subi, bits_type, a, one);
  hd_value *rises = hd_arith_cmpf(b, HD_ARITH_CMPF_OLT, x, y), *next;
  if (f->special == HD_FLOAT_E8M0) { /* neither sign nor zero */
    next = hd_build(b, HD_OP_arith_select, bits_type, rises, up, down);
  } else {
    hd_value *sign_bit = hd_build_int(b, bits_type, (int64_t)(~0ull << (f->bits - 1)));
    hd_value *sign = hd_build(b, HD_OP_arith_andi, bits_type, a, sign_bit);
    /* towards larger numbers patterns grow when positive, shrink when negative */
    hd_value *is_positive = hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, sign, zero);
    hd_value *shrinks = hd_build(b, HD_OP_arith_xori, rises->type, rises, is_positive);
    next = hd_build(b, HD_OP_arith_select, bits_type, shrinks, down, up);
    if (f->special == HD_FLOAT_FNUZ) /* the pattern of -0 is NaN */
      next = hd_build(b, HD_OP_arith_select, bits_type, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, next, sign_bit), zero, next);
    /* from either zero: the smallest number with the sign of y */
    hd_value *smallest =
        hd_build(b, HD_OP_arith_ori, bits_type, hd_build(b, HD_OP_arith_andi, bits_type, c, sign_bit), one);
    hd_value *magnitude = hd_build(b, HD_OP_arith_xori, bits_type, a, sign);
    next =
        hd_build(b, HD_OP_arith_select, bits_type, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, magnitude, zero), smallest, next);
  }
  next = hd_build(b, HD_OP_arith_select, bits_type, hd_arith_cmpf(b, HD_ARITH_CMPF_OEQ, x, y), c, next);
  if (f->special != HD_FLOAT_FINITE_NO_NAN) {
    hd_value *nan = hd_build_int(b, bits_type, (int64_t)hd_float_encode(element->float_kind, NAN));
    next = hd_build(b, HD_OP_arith_select, bits_type, hd_arith_cmpf(b, HD_ARITH_CMPF_UNO, x, y), nan, next);
  }
  return hd_build(b, HD_OP_arith_bitcast, type, next);
}
