/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction level of widen.h: ops on scalars and vectors that are already. */
#include "codegen/widen.h"
#include "ir/ops/arith.h"

hd_type hd_stored_form(const hd_stored_element *element, hd_type type) {
  if (type == element->narrow) return element->stored;
  if (type->kind != HD_TYPE_VECTOR && type->kind != HD_TYPE_MEMREF) return type;
  hd_type stored = hd_stored_form(element, type->shaped.element);
  return stored == type->shaped.element ? type : hd_type_with_element(type, stored);
}

static hd_type with_element(hd_type type, hd_type element) {
  return hd_type_is_shaped(type) ? hd_type_with_element(type, element) : element;
}

static hd_value *emit_narrow_bits(hd_builder *b, const hd_stored_element *element, hd_value *stored, hd_type narrow) {
  return hd_build(b, HD_OP_arith_bitcast, with_element(narrow, element->narrow), stored);
}

/* bf16 has its values in f32, so this is exact. */
hd_value *hd_emit_widened(hd_builder *b, const hd_stored_element *element, hd_value *stored, hd_type narrow) {
  return hd_build(b, HD_OP_arith_extf, with_element(narrow, element->wide),
                  emit_narrow_bits(b, element, stored, narrow));
}

hd_value *hd_emit_rounded(hd_builder *b, const hd_stored_element *element, hd_value *wide) {
  hd_value *narrow = hd_build(b, HD_OP_arith_truncf, with_element(wide->type, element->narrow), wide);
  return hd_build(b, HD_OP_arith_bitcast, with_element(wide->type, element->stored), narrow);
}

/* |x| rounded to a multiple of 2^shift, to odd where it is between two: a further rounding to fewer
 * bits comes out as if it were the only one. */
static hd_value *round_to_odd(hd_builder *b, hd_value *x, int64_t shift) {
  hd_value *low = hd_build_int(b, x->type, ((int64_t)1 << shift) - 1);
  hd_value *rest = hd_build_binary(b, HD_OP_arith_andi, x, low);
  hd_value *is_between = hd_arith_cmpi(b, HD_ARITH_CMPI_NE, rest, hd_build_int(b, x->type, 0));
  hd_value *odd = hd_build_binary(b, HD_OP_arith_shli, hd_build(b, HD_OP_arith_extui, x->type, is_between),
                                  hd_build_int(b, x->type, shift));
  return hd_build_binary(b, HD_OP_arith_ori, hd_build_binary(b, HD_OP_arith_subi, x, rest), odd);
}

/* Integers that the wide type does not hold would be rounded twice. Those of a magnitude of 2^(shift + 9) and more lose
 * |shift| bits to odd, which leaves at most 24 and, below the bits of bf16, at least one. */
static hd_value *hold_in_wide(hd_builder *b, hd_value *x, bool is_signed) {
  uint32_t bits = hd_type_bits(hd_type_element(x->type));
  enum { KEPT = 9, STEP = 15 }; /* 15 + 9 = 24 bits of f32; 9 are the 8 of bf16 and one to round by */
  hd_value *held = x;
  for (int64_t shift = STEP; shift + KEPT < bits - (is_signed ? 1 : 0); shift += STEP) {
    int64_t bound = (int64_t)1 << (shift + KEPT);
    hd_value *from = x, *to = hd_build_int(b, x->type, bound);
    if (is_signed) {
      from = hd_build_binary(b, HD_OP_arith_addi, x, to);
      to = hd_build_int(b, x->type, (int64_t)((uint64_t)bound * 2));
    }
    hd_value *is_large = hd_arith_cmpi(b, HD_ARITH_CMPI_UGE, from, to);
    held = hd_build(b, HD_OP_arith_select, x->type, is_large, round_to_odd(b, x, shift), held);
  }
  return held;
}

/* |sum|, what the fma |op| gives in the wide type, rounded to odd: the product is exact there, so that what the
 * sum lost is known (Knuth's TwoSum). Products below the range of f32 are not: where one is all but half of
 * bf16's smallest number, its last bit is lost. */
static hd_value *sum_to_odd(hd_builder *b, hd_op *op, hd_value *sum) {
  hd_value *added = hd_operand(op, 2);
  hd_value *product = hd_build_binary(b, HD_OP_arith_mulf, hd_operand(op, 0), hd_operand(op, 1));
  hd_value *of_added = hd_build_binary(b, HD_OP_arith_subf, sum, product);
  hd_value *of_product = hd_build_binary(b, HD_OP_arith_subf, sum, of_added);
  hd_value *lost = hd_build_binary(b, HD_OP_arith_addf, hd_build_binary(b, HD_OP_arith_subf, product, of_product),
                                   hd_build_binary(b, HD_OP_arith_subf, added, of_added));
  hd_type i32 = with_element(sum->type, hd_type_integer(b->context, 32, HD_SIGNLESS));
  hd_value *bits = hd_build(b, HD_OP_arith_bitcast, i32, sum), *one = hd_build_int(b, i32, 1);
  hd_value *zero = hd_build_float(b, sum->type, 0);
  hd_value *is_between = hd_arith_cmpf(b, HD_ARITH_CMPF_ONE, lost, zero);
  hd_value *is_even =
      hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, hd_build_binary(b, HD_OP_arith_andi, bits, one), hd_build_int(b, i32, 0));
  hd_value *away = hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, hd_arith_cmpf(b, HD_ARITH_CMPF_OLT, lost, zero),
                                 hd_arith_cmpf(b, HD_ARITH_CMPF_OLT, sum, zero));
  hd_value *step = hd_build(b, HD_OP_arith_select, i32, away, one, hd_build_int(b, i32, -1));
  hd_value *odd = hd_build(b, HD_OP_arith_select, i32, hd_build_binary(b, HD_OP_arith_andi, is_between, is_even),
                           hd_build_binary(b, HD_OP_arith_addi, bits, step), bits);
  return hd_build(b, HD_OP_arith_bitcast, sum->type, odd);
}

void hd_widen_operand(const hd_stored_element *element, hd_op *op, uint32_t i, hd_type narrow) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value *stored = hd_operand(op, i);
  bool converts = hd_op_is(op, HD_OP_arith_extf);
  hd_op_set_operand(op, i, (converts ? emit_narrow_bits : hd_emit_widened)(&b, element, stored, narrow));
}

void hd_round_result(const hd_stored_element *element, hd_op *op, uint32_t i) {
  hd_builder b = hd_builder_after(op);
  b.loc = op->loc;
  hd_value *result = hd_result(op, i), *stored;
  if (hd_op_is(op, HD_OP_arith_truncf)) { /* rounds by itself, and once */
    stored = hd_build(&b, HD_OP_arith_bitcast, with_element(result->type, element->stored), result);
    hd_value_replace_uses_except(result, stored, hd_value_op(stored));
    return;
  }
  bool is_signed = hd_op_is(op, HD_OP_arith_sitofp);
  if (is_signed || hd_op_is(op, HD_OP_arith_uitofp)) {
    hd_builder before = hd_builder_before(op);
    before.loc = op->loc;
    hd_op_set_operand(op, 0, hold_in_wide(&before, hd_operand(op, 0), is_signed));
  }
  result->type = with_element(result->type, element->wide);
  hd_value *narrow = hd_build(&b, HD_OP_arith_truncf, with_element(result->type, element->narrow), result);
  stored = hd_build(&b, HD_OP_arith_bitcast, with_element(result->type, element->stored), narrow);
  hd_value_replace_uses_except(result, stored, hd_value_op(narrow));
}

void hd_round_once(hd_op *op) {
  if (!hd_op_is(op, HD_OP_math_fma) && !hd_op_is(op, HD_OP_vector_fma)) return;
  hd_op *narrow = hd_result(op, 0)->first_use->owner;
  hd_builder b = hd_builder_before(narrow);
  b.loc = op->loc;
  hd_op_set_operand(narrow, 0, sum_to_odd(&b, op, hd_result(op, 0)));
}
