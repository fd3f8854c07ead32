/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers as two parts. */
#include <math.h>
#include <string.h>

#include "codegen/emit/emission.h"
#include "ir/ops/arith.h"

/* The larger (smaller) by real, then imaginary part; the first NaN. */
static hd_element extreme(hd_emission *e, bool most, hd_element x, hd_element y) {
  hd_enum_arith_cmpf_predicate order = most ? HD_ARITH_CMPF_OLT : HD_ARITH_CMPF_OGT;
  hd_value *re = hd_arith_cmpf(e->b, order, x.re, y.re), *same = hd_arith_cmpf(e->b, HD_ARITH_CMPF_OEQ, x.re, y.re),
           *im = hd_arith_cmpf(e->b, order, x.im, y.im);
#define LOGIC(op, p, q) hd_build(e->b, HD_OP_arith_##op, re->type, p, q)
  hd_value *takes = LOGIC(ori, re, LOGIC(andi, same, im)), *nan_x = hd_arith_cmpf(e->b, HD_ARITH_CMPF_UNO, x.re, x.im),
           *nan_y = hd_arith_cmpf(e->b, HD_ARITH_CMPF_UNO, y.re, y.im);
  takes = LOGIC(ori, takes, nan_y);
  return hd_emit_select(e->b, nan_x, x, hd_emit_select(e->b, takes, y, x));
#undef LOGIC
}

/* Parts are compared in order, (re, im); with a NaN in any part numbers are in no order. */
static hd_value *compare(hd_emission *e, hd_enum_arith_cmpf_predicate order) {
  hd_element x = e->x[0], y = e->x[1];
#define LOGIC(op, p, q) hd_build(e->b, HD_OP_arith_##op, (p)->type, p, q)
  hd_value *im = hd_arith_cmpf(e->b, order, x.im, y.im);
  if (order == HD_ARITH_CMPF_UNE) return LOGIC(ori, hd_arith_cmpf(e->b, order, x.re, y.re), im);
  hd_value *both = LOGIC(andi, hd_arith_cmpf(e->b, HD_ARITH_CMPF_OEQ, x.re, y.re), im);
  if (order == HD_ARITH_CMPF_OEQ) return both;
  bool less = order == HD_ARITH_CMPF_OLT || order == HD_ARITH_CMPF_OLE;
  hd_value *first = LOGIC(andi, hd_arith_cmpf(e->b, less ? HD_ARITH_CMPF_OLT : HD_ARITH_CMPF_OGT, x.re, y.re),
                          hd_arith_cmpf(e->b, HD_ARITH_CMPF_ORD, x.im, y.im));
  return LOGIC(ori, first, both);
#undef LOGIC
}

/* |quotient| of |x| by |y|, but where both parts are NaN what C's Annex G says: by zero and of infinities an infinity,
 * by infinities zero. */
static hd_element recovered_quotient(hd_emission *e, hd_element x, hd_element y, hd_element quotient) {
  hd_type type = quotient.re->type;
  hd_value *zero = hd_build_float(e->b, type, 0), *one = hd_build_float(e->b, type, 1),
           *infinity = hd_build_float(e->b, type, INFINITY);
#define LOGIC(op, p, q) hd_build(e->b, HD_OP_arith_##op, (p)->type, p, q)
#define ABS(v) hd_emit_math(e, HD_OP_math_absf, v)
#define SIGNED(magnitude, v) hd_build(e->b, HD_OP_math_copysign, type, magnitude, v)
#define EITHER(order, v) \
  LOGIC(ori, hd_arith_cmpf(e->b, order, ABS((v).re), infinity), hd_arith_cmpf(e->b, order, ABS((v).im), infinity))
#define BOTH(order, v, bound) \
  LOGIC(andi, hd_arith_cmpf(e->b, order, ABS((v).re), bound), hd_arith_cmpf(e->b, order, ABS((v).im), bound))
#define UNIT(infinite, v) \
  hd_emit_select_value(   \
      e->b, infinite,     \
      SIGNED(hd_emit_select_value(e->b, hd_arith_cmpf(e->b, HD_ARITH_CMPF_OEQ, ABS(v), infinity), one, zero), v), v)
  hd_value *by_zero = BOTH(HD_ARITH_CMPF_OEQ, y, zero);
  hd_value *of_infinity = LOGIC(andi, EITHER(HD_ARITH_CMPF_OEQ, x), BOTH(HD_ARITH_CMPF_OLT, y, infinity));
  hd_value *by_infinity = LOGIC(andi, EITHER(HD_ARITH_CMPF_OEQ, y), BOTH(HD_ARITH_CMPF_OLT, x, infinity));
  hd_element p = {UNIT(of_infinity, x.re), UNIT(of_infinity, x.im)};
  hd_element q = {UNIT(by_infinity, y.re), UNIT(by_infinity, y.im)};
  hd_value *factor = hd_emit_select_value(e->b, of_infinity, infinity, zero), *sign = SIGNED(infinity, y.re);
  hd_element other = {HD_MULF(factor, HD_ADDF(HD_MULF(p.re, q.re), HD_MULF(p.im, q.im))),
                      HD_MULF(factor, HD_SUBF(HD_MULF(p.im, q.re), HD_MULF(p.re, q.im)))};
  other = hd_emit_select(e->b, LOGIC(ori, of_infinity, by_infinity), other, quotient);
  other = hd_emit_select(e->b, by_zero, (hd_element){HD_MULF(sign, x.re), HD_MULF(sign, x.im)}, other);
  hd_value *lost = LOGIC(andi, hd_arith_cmpf(e->b, HD_ARITH_CMPF_UNO, quotient.re, quotient.re),
                         hd_arith_cmpf(e->b, HD_ARITH_CMPF_UNO, quotient.im, quotient.im));
  return hd_emit_select(e->b, lost, other, quotient);
#undef LOGIC
#undef ABS
#undef SIGNED
#undef EITHER
#undef BOTH
#undef UNIT
}

bool hd_emit_complex(hd_emission *e, hd_element *out) {
  *out = (hd_element){e->x[0].re, e->x[1].re};
  return true;
}

bool hd_emit_complex_real(hd_emission *e, hd_element *out) {
  out->re = e->x[0].re;
  return true;
}

bool hd_emit_complex_imag(hd_emission *e, hd_element *out) {
  out->re = e->x[0].im;
  return true;
}

bool hd_emit_complex_add(hd_emission *e, hd_element *out) {
  hd_element x = e->x[0], y = e->x[1];
  *out = (hd_element){HD_ADDF(x.re, y.re), HD_ADDF(x.im, y.im)};
  return true;
}

bool hd_emit_complex_subtract(hd_emission *e, hd_element *out) {
  hd_element x = e->x[0], y = e->x[1];
  *out = (hd_element){HD_SUBF(x.re, y.re), HD_SUBF(x.im, y.im)};
  return true;
}

bool hd_emit_complex_multiply(hd_emission *e, hd_element *out) {
  hd_element x = e->x[0], y = e->x[1];
  *out = (hd_element){HD_SUBF(HD_MULF(x.re, y.re), HD_MULF(x.im, y.im)),
                      HD_ADDF(HD_MULF(x.re, y.im), HD_MULF(x.im, y.re))};
  return true;
}

/* |x| times a power of two where sums of its parts may overflow or are of few digits; *out_back undoes it. */
static hd_element scaled(hd_emission *e, hd_element x, hd_value **out_scale, hd_value **out_back) {
  bool is64 = hd_type_bits(x.re->type) == 64;
  hd_type type = x.re->type;
  hd_value *size = hd_build(e->b, HD_OP_arith_maximumf, type, hd_emit_math(e, HD_OP_math_absf, x.re),
                            hd_emit_math(e, HD_OP_math_absf, x.im));
#define NUMBER(value) hd_build_float(e->b, type, value)
  hd_value *huge = hd_arith_cmpf(e->b, HD_ARITH_CMPF_OGT, size, NUMBER(is64 ? 0x1p1020 : 0x1p124)),
           *tiny = hd_arith_cmpf(e->b, HD_ARITH_CMPF_OLT, size, NUMBER(is64 ? 0x1p-960 : 0x1p-100)), *one = NUMBER(1);
  hd_value *up = hd_emit_select_value(e->b, tiny, NUMBER(is64 ? 0x1p108 : 0x1p54), one),
           *down = hd_emit_select_value(e->b, tiny, NUMBER(is64 ? 0x1p-108 : 0x1p-54), one);
  *out_scale = hd_emit_select_value(e->b, huge, NUMBER(0x1p-6), up);
  *out_back = hd_emit_select_value(e->b, huge, NUMBER(0x1p6), down);
#undef NUMBER
  return (hd_element){HD_MULF(x.re, *out_scale), HD_MULF(x.im, *out_scale)};
}

/* By the larger part of the divisor (Smith). */
bool hd_emit_complex_divide(hd_emission *e, hd_element *out) {
  hd_value *scale_x, *scale_y, *back_x, *back_y;
  hd_element x = scaled(e, e->x[0], &scale_x, &back_x), y = scaled(e, e->x[1], &scale_y, &back_y);
  hd_value *a = x.re, *b = x.im, *c = y.re, *d = y.im, *back = HD_MULF(back_x, scale_y);
  hd_value *real_larger =
      hd_arith_cmpf(e->b, HD_ARITH_CMPF_OGE, hd_emit_math(e, HD_OP_math_absf, c), hd_emit_math(e, HD_OP_math_absf, d));
  hd_value *large = hd_emit_select_value(e->b, real_larger, c, d),
           *small = hd_emit_select_value(e->b, real_larger, d, c);
  hd_value *p = hd_emit_select_value(e->b, real_larger, a, b), *q = hd_emit_select_value(e->b, real_larger, b, a);
  hd_value *r = HD_DIVF(small, large), *scale = HD_ADDF(large, HD_MULF(small, r));
  hd_value *re = HD_DIVF(HD_ADDF(p, HD_MULF(q, r)), scale), *im = HD_DIVF(HD_SUBF(q, HD_MULF(p, r)), scale);
  im = hd_emit_select_value(e->b, real_larger, im, hd_build(e->b, HD_OP_arith_negf, im->type, im));
  *out = recovered_quotient(e, e->x[0], e->x[1], (hd_element){HD_MULF(re, back), HD_MULF(im, back)});
  return true;
}

bool hd_emit_complex_negate(hd_emission *e, hd_element *out) {
  *out = (hd_element){hd_emit_math(e, HD_OP_arith_negf, e->x[0].re), hd_emit_math(e, HD_OP_arith_negf, e->x[0].im)};
  return true;
}

/* hypot: the larger part times sqrt(1 + ratio^2); infinities win over NaN. */
bool hd_emit_complex_abs(hd_emission *e, hd_element *out) {
  hd_value *x = hd_emit_math(e, HD_OP_math_absf, e->x[0].re), *y = hd_emit_math(e, HD_OP_math_absf, e->x[0].im),
           *zero = hd_build_float(e->b, x->type, 0);
  hd_value *infinity = hd_build_float(e->b, x->type, INFINITY), *one = hd_build_float(e->b, x->type, 1);
  hd_value *most = hd_build(e->b, HD_OP_arith_maximumf, x->type, x, y),
           *least = hd_build(e->b, HD_OP_arith_minimumf, x->type, x, y);
  hd_value *r = HD_DIVF(least, most),
           *value = HD_MULF(most, hd_emit_math(e, HD_OP_math_sqrt, HD_ADDF(one, HD_MULF(r, r))));
  value = hd_emit_select_value(e->b, hd_arith_cmpf(e->b, HD_ARITH_CMPF_OEQ, most, zero), zero, value);
  hd_value *any = hd_build(e->b, HD_OP_arith_ori, hd_arith_cmpf(e->b, HD_ARITH_CMPF_OEQ, x, infinity)->type,
                           hd_arith_cmpf(e->b, HD_ARITH_CMPF_OEQ, x, infinity),
                           hd_arith_cmpf(e->b, HD_ARITH_CMPF_OEQ, y, infinity));
  *out = (hd_element){hd_emit_select_value(e->b, any, infinity, value), NULL};
  return true;
}

bool hd_emit_complex_maximum(hd_emission *e, hd_element *out) {
  *out = extreme(e, true, e->x[0], e->x[1]);
  return true;
}

bool hd_emit_complex_minimum(hd_emission *e, hd_element *out) {
  *out = extreme(e, false, e->x[0], e->x[1]);
  return true;
}

bool hd_emit_complex_clamp(hd_emission *e, hd_element *out) {
  *out = extreme(e, false, extreme(e, true, e->x[1], e->x[0]), e->x[2]);
  return true;
}

bool hd_emit_complex_compare(hd_emission *e, hd_element *out) {
  out->re = compare(e, hd_emission_predicates(e).of_floats);
  return true;
}
