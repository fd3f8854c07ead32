/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers as two parts. */
#include <math.h>

#include "codegen/emit/emission.h"
#include "codegen/math/complex.h"

hd_element hd_emit_complex_extreme(hd_emission *e, bool most, hd_element x, hd_element y) {
  const char *order = most ? "olt" : "ogt";
  hd_value *re = CMPF(order, x.re, y.re), *same = CMPF("oeq", x.re, y.re), *im = CMPF(order, x.im, y.im);
#define LOGIC(op, p, q) hd_build(e->b, HD_OP_arith_##op, re->type, p, q)
  hd_value *takes = LOGIC(ori, re, LOGIC(andi, same, im)), *nan_x = CMPF("uno", x.re, x.im),
           *nan_y = CMPF("uno", y.re, y.im);
  takes = LOGIC(ori, takes, nan_y);
  return hd_emit_select(e->b, nan_x, x, hd_emit_select(e->b, takes, y, x));
#undef LOGIC
}

/* |quotient| of |x| by |y|, but where both parts are NaN what C's Annex G says: by zero and of infinities an infinity,
 * by infinities zero. */
static hd_element recovered_quotient(hd_emission *e, hd_element x, hd_element y, hd_element quotient) {
  hd_type type = quotient.re->type;
  hd_value *zero = hd_build_float(e->b, type, 0), *one = hd_build_float(e->b, type, 1),
           *infinity = hd_build_float(e->b, type, INFINITY);
#define LOGIC(op, p, q) hd_build(e->b, HD_OP_arith_##op, (p)->type, p, q)
#define ABS(v) math1(e, HD_OP_math_absf, v)
#define SIGNED(magnitude, v) hd_build(e->b, HD_OP_math_copysign, type, magnitude, v)
#define EITHER(order, v) LOGIC(ori, CMPF(order, ABS((v).re), infinity), CMPF(order, ABS((v).im), infinity))
#define BOTH(order, v, bound) LOGIC(andi, CMPF(order, ABS((v).re), bound), CMPF(order, ABS((v).im), bound))
#define UNIT(infinite, v) select(e->b, infinite, SIGNED(select(e->b, CMPF("oeq", ABS(v), infinity), one, zero), v), v)
  hd_value *by_zero = BOTH("oeq", y, zero);
  hd_value *of_infinity = LOGIC(andi, EITHER("oeq", x), BOTH("olt", y, infinity));
  hd_value *by_infinity = LOGIC(andi, EITHER("oeq", y), BOTH("olt", x, infinity));
  hd_element p = {UNIT(of_infinity, x.re), UNIT(of_infinity, x.im)};
  hd_element q = {UNIT(by_infinity, y.re), UNIT(by_infinity, y.im)};
  hd_value *factor = select(e->b, of_infinity, infinity, zero), *sign = SIGNED(infinity, y.re);
  hd_element other = {MULF(factor, ADDF(MULF(p.re, q.re), MULF(p.im, q.im))),
                      MULF(factor, SUBF(MULF(p.im, q.re), MULF(p.re, q.im)))};
  other = hd_emit_select(e->b, LOGIC(ori, of_infinity, by_infinity), other, quotient);
  other = hd_emit_select(e->b, by_zero, (hd_element){MULF(sign, x.re), MULF(sign, x.im)}, other);
  hd_value *lost = LOGIC(andi, CMPF("uno", quotient.re, quotient.re), CMPF("uno", quotient.im, quotient.im));
  return hd_emit_select(e->b, lost, other, quotient);
#undef LOGIC
#undef ABS
#undef SIGNED
#undef EITHER
#undef BOTH
#undef UNIT
}

bool hd_emit_complex(hd_emission *e, hd_opcode opcode, hd_element *out) {
  hd_value *a = e->x[0].re, *b = e->x[0].im;
  hd_value *c = NULL, *d = NULL;
  switch (opcode) {
    case HD_OP_stablehlo_add:
    case HD_OP_stablehlo_subtract:
    case HD_OP_stablehlo_multiply:
    case HD_OP_stablehlo_divide:
      c = e->x[1].re, d = e->x[1].im;
      break;
    default:
      break;
  }
  switch (opcode) {
    case HD_OP_stablehlo_add:
      *out = (hd_element){ADDF(a, c), ADDF(b, d)};
      return true;
    case HD_OP_stablehlo_subtract:
      *out = (hd_element){SUBF(a, c), SUBF(b, d)};
      return true;
    case HD_OP_stablehlo_multiply:
      *out = (hd_element){SUBF(MULF(a, c), MULF(b, d)), ADDF(MULF(a, d), MULF(b, c))};
      return true;
    case HD_OP_stablehlo_divide: {
      /* Scaled by the larger part of the divisor (Smith). */
      hd_value *real_larger = CMPF("oge", math1(e, HD_OP_math_absf, c), math1(e, HD_OP_math_absf, d));
      hd_value *large = select(e->b, real_larger, c, d), *small = select(e->b, real_larger, d, c);
      hd_value *p = select(e->b, real_larger, a, b), *q = select(e->b, real_larger, b, a);
      hd_value *r = DIVF(small, large), *scale = ADDF(large, MULF(small, r));
      hd_value *re = DIVF(ADDF(p, MULF(q, r)), scale), *im = DIVF(SUBF(q, MULF(p, r)), scale);
      im = select(e->b, real_larger, im, hd_build(e->b, HD_OP_arith_negf, im->type, im));
      *out = recovered_quotient(e, e->x[0], e->x[1], (hd_element){re, im});
      return true;
    }
    case HD_OP_stablehlo_maximum:
    case HD_OP_stablehlo_minimum:
      *out = hd_emit_complex_extreme(e, opcode == HD_OP_stablehlo_maximum, e->x[0], e->x[1]);
      return true;
    case HD_OP_stablehlo_negate:
      *out = (hd_element){math1(e, HD_OP_arith_negf, a), math1(e, HD_OP_arith_negf, b)};
      return true;
    case HD_OP_stablehlo_real:
      *out = (hd_element){a, NULL};
      return true;
    case HD_OP_stablehlo_imag:
      *out = (hd_element){b, NULL};
      return true;
    case HD_OP_stablehlo_abs: {
      /* hypot: the larger part times sqrt(1 + ratio^2); infinities win over NaN. */
      hd_value *x = math1(e, HD_OP_math_absf, a), *y = math1(e, HD_OP_math_absf, b),
               *zero = hd_build_float(e->b, x->type, 0);
      hd_value *infinity = hd_build_float(e->b, x->type, INFINITY), *one = hd_build_float(e->b, x->type, 1);
      hd_value *most = hd_build(e->b, HD_OP_arith_maximumf, x->type, x, y),
               *least = hd_build(e->b, HD_OP_arith_minimumf, x->type, x, y);
      hd_value *r = DIVF(least, most), *value = MULF(most, math1(e, HD_OP_math_sqrt, ADDF(one, MULF(r, r))));
      value = select(e->b, CMPF("oeq", most, zero), zero, value);
      hd_value *any = hd_build(e->b, HD_OP_arith_ori, CMPF("oeq", x, infinity)->type, CMPF("oeq", x, infinity),
                               CMPF("oeq", y, infinity));
      *out = (hd_element){select(e->b, any, infinity, value), NULL};
      return true;
    }
    default: {
      hd_complex_parts operands[2] = {{a, b}}, parts;
      if (opcode == HD_OP_stablehlo_power) operands[1] = (hd_complex_parts){e->x[1].re, e->x[1].im};
      if (!hd_math_expand_complex(e->b, opcode, operands, &parts)) return false;
      *out = (hd_element){parts.re, parts.im};
      return true;
    }
  }
}
