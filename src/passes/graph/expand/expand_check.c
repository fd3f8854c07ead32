/* SPDX-License-Identifier: Apache-2.0 */
/* custom_call @check.eq and its kin where they have a result, which says whether all elements are as expected: the
 * comparisons of eval/graph/check.c, element by element, and a count of those that do not hold. */
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"

#define BINARY(name, x, y) hd_build_binary(b, HD_OP_stablehlo_##name, x, y)
#define UNARY(name, x) hd_build(b, HD_OP_stablehlo_##name, (x)->type, x)

/* |x| - |y| without sign, at most |limit|? Both are 64-bit integers. */
static hd_value *within(hd_builder *b, hd_value *x, hd_value *y, int64_t limit) {
  hd_type u64 = hd_type_integer(b->context, 64, HD_UNSIGNED);
  hd_value *distance = BINARY(subtract, BINARY(maximum, x, y), BINARY(minimum, x, y));
  if (hd_type_element(distance->type) != u64)
    distance = hd_stablehlo_bitcast_convert(b, hd_type_with_element(distance->type, u64), distance);
  return hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LE, distance, hd_hlo_int_like(b, distance, limit));
}

static hd_value *integers_hold(hd_builder *b, const hd_expectation_call *rule, hd_value *x, hd_value *y) {
  hd_type element = hd_type_element(x->type);
  if (rule->kind != HD_EXPECT_CLOSE) return hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, x, y);
  bool no_sign = element->integer.signedness == HD_UNSIGNED || element->integer.width == 1;
  hd_type wide = hd_type_integer(b->context, 64, no_sign ? HD_UNSIGNED : HD_SIGNLESS);
  return within(b, hd_hlo_convert(b, x, wide), hd_hlo_convert(b, y, wide), rule->max_ulp);
}

/* Patterns as integers that count steps: ... -denormal, 0, +denormal ... */
static hd_value *steps(hd_builder *b, hd_value *x) {
  hd_type element = hd_type_element(x->type);
  uint32_t width = hd_type_bits(element);
  hd_type raw = hd_type_integer(b->context, width, width == 64 ? HD_SIGNLESS : HD_UNSIGNED);
  x = hd_stablehlo_bitcast_convert(b, hd_type_with_element(x->type, raw), x);
  x = hd_hlo_convert(b, x, hd_i64(b->context));
  if (element->float_kind == HD_F8E8M0FNU) return x; /* has no sign */
  int64_t magnitude = (int64_t)((UINT64_C(1) << (width - 1)) - 1);
  hd_value *size = BINARY(and, x, hd_hlo_int_like(b, x, magnitude)),
           *same = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, x, size);
  return hd_stablehlo_select(b, same, size, UNARY(negate, size));
}

static hd_value *floats_hold(hd_builder *b, const hd_expectation_call *rule, hd_value *x, hd_value *y) {
  hd_value *same = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, x, y);
  if (rule->kind == HD_EXPECT_EQ) return same;
  hd_value *nan_x = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_NE, x, x),
           *nan_y = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_NE, y, y);
  hd_value *nans = BINARY(and, nan_x, nan_y), *near;
  hd_type f64 = hd_type_float(b->context, HD_F64);
  hd_value *p = hd_hlo_convert(b, x, f64), *q = hd_hlo_convert(b, y, f64);
  if (rule->kind == HD_EXPECT_ALMOST_EQ) {
    hd_value *apart = UNARY(abs, BINARY(subtract, p, q)); /* NaN or infinite where an operand is not finite */
    near = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LE, apart, hd_hlo_float_like(b, apart, rule->tolerance));
  } else {
    hd_value *finite = BINARY(and, hd_stablehlo_is_finite(b, p), hd_stablehlo_is_finite(b, q));
    near = BINARY(and, finite, within(b, steps(b, x), steps(b, y), rule->max_ulp));
  }
  return BINARY(or, BINARY(or, same, nans), near);
}

static hd_value *elements_hold(hd_builder *b, const hd_expectation_call *rule, hd_value *x, hd_value *y) {
  hd_type element = hd_type_element(x->type);
  if (element->kind == HD_TYPE_INTEGER) return integers_hold(b, rule, x, y);
  if (element->kind != HD_TYPE_COMPLEX) return floats_hold(b, rule, x, y);
  hd_type part = hd_type_with_element(x->type, element->shaped.element);
#define PART(name, z) hd_build(b, HD_OP_stablehlo_##name, part, z)
  return BINARY(and, floats_hold(b, rule, PART(real, x), PART(real, y)),
                floats_hold(b, rule, PART(imag, x), PART(imag, y)));
#undef PART
}

bool hd_expand_expectation(hd_builder *b, hd_op *op, const hd_expectation_call *rule, hd_value **results) {
  hd_type type = op->operand_count == 2 ? hd_operand_type(op, 0) : NULL;
  hd_type pred = hd_type_tensor(hd_type_integer(b->context, 1, HD_SIGNLESS), NULL, 0, NULL);
  if (!type || op->result_count != 1 || hd_result_type(op, 0) != pred || !hd_type_has_rank(type) ||
      hd_operand_type(op, 1) != type || hd_type_rank(type) > HD_MAX_RANK)
    return hd_op_error(op, "expects two tensors of one type and the result tensor<i1>, or none in 'heddle check'");
  hd_type_kind kind = hd_type_element(type)->kind;
  if ((kind != HD_TYPE_INTEGER && kind != HD_TYPE_FLOAT && kind != HD_TYPE_COMPLEX) ||
      hd_type_bits(hd_type_element(type)) > (kind == HD_TYPE_COMPLEX ? 128 : 64))
    return hd_op_error(op, "expects tensors of numbers of 64 bits at most");
  hd_value *holds = elements_hold(b, rule, hd_operand(op, 0), hd_operand(op, 1));
  if (hd_type_rank(type)) {
    int64_t axes[HD_MAX_RANK];
    for (uint32_t i = 0; i < hd_type_rank(type); ++i) axes[i] = i;
    hd_value *misfits = hd_hlo_convert(b, UNARY(not, holds), hd_i64(b->context));
    misfits = hd_hlo_reduce_add(b, misfits, axes, hd_type_rank(type));
    holds = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, misfits, hd_hlo_int_like(b, misfits, 0));
  }
  results[0] = holds;
  return true;
}
