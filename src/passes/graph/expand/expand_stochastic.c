/* SPDX-License-Identifier: Apache-2.0 */
/* mhlo.stochastic_convert(%x, %random): towards zero, or one further where the fraction, as a number of all random
 * bits, is above the random one. Numbers beyond the result's are its limits, NaN is 0.
 *
 * In f64, which holds what any of it is: fractions of numbers from 2^53 on are 0. */
#include <math.h>

#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"

#define BINARY(name, x, y) hd_build_binary(b, HD_OP_stablehlo_##name, x, y)
#define UNARY(name, x) hd_build(b, HD_OP_stablehlo_##name, (x)->type, x)

bool hd_expand_stochastic_convert(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *random = hd_operand(op, 1);
  hd_type to = hd_type_element(hd_result_type(op, 0)), bits = hd_type_element(random->type);
  if (to->kind != HD_TYPE_INTEGER || to->integer.signedness == HD_UNSIGNED || hd_type_bits(to) < 2 ||
      hd_type_bits(to) > 64)
    return hd_op_misfit_error(op, to, NULL, "expects signed integers as result");
  uint32_t width = hd_type_bits(to);
  int64_t most = INT64_MAX >> (64 - width), least = -most - 1;
  hd_type f64 = hd_type_float(b->context, HD_F64);
  hd_value *x = hd_hlo_convert(b, hd_operand(op, 0), f64), *size = UNARY(abs, x), *whole = UNARY(floor, size);
  hd_value *scale = hd_hlo_float_like(b, x, ldexp(1, (int)hd_type_bits(bits)));
  hd_value *fraction = hd_hlo_convert(b, BINARY(multiply, BINARY(subtract, size, whole), scale), bits);
  hd_value *up = hd_hlo_convert(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, random, fraction), f64);
  hd_value *rounded = BINARY(add, whole, up), *zero = hd_hlo_zero_like(b, x);
  hd_value *with_sign = hd_stablehlo_select(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, x, zero),
                                            UNARY(negate, rounded), rounded);
  hd_value *above = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GE, x, hd_hlo_float_like(b, x, (double)most)),
           *below = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LE, x, hd_hlo_float_like(b, x, (double)least)),
           *is_number = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, x, x);
  hd_value *inside = hd_stablehlo_select(b, BINARY(or, above, below), zero, with_sign);
  hd_value *result = hd_hlo_convert(b, hd_stablehlo_select(b, is_number, inside, zero), to);
  result = hd_stablehlo_select(b, below, hd_hlo_int_like(b, result, least), result);
  results[0] =
      hd_hlo_retype(b, hd_stablehlo_select(b, above, hd_hlo_int_like(b, result, most), result), hd_result_type(op, 0));
  return true;
}
