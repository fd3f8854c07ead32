/* SPDX-License-Identifier: Apache-2.0 */
/* Between element types: conversions, patterns, fewer bits of precision. */
#include <math.h>

#include "codegen/emit/emission.h"
#include "ir/number.h"
#include "ir/ops/arith.h"
#include "ir/ops/stablehlo.h"

/* Toward zero; out of range goes to the nearest end, NaN to 0. Both ends are taken as floats where the upper one is
 * one; else what is above it is converted to nothing and not chosen. A NaN is the low end on the way. Comparisons whose
 * result a mask holds are few: they cost more than extrema. */
static hd_value *float_to_int(hd_emission *e, hd_value *x, hd_type from) {
  hd_type element = hd_type_element(from);
  uint32_t width = hd_type_bits(e->out), precision = hd_float_formats[element->float_kind].mantissa_bits + 1;
  bool no_sign = hd_emit_is_unsigned(e->out);
  uint32_t digits = width - (no_sign ? 0 : 1); /* numbers are below 2^digits */
  hd_value *lower = hd_build_float(e->b, from, no_sign ? 0 : -ldexp(1, (int)digits)),
           *above = hd_build_float(e->b, from, ldexp(1, (int)digits));
  hd_value *inside = hd_emit_select_value(e->b, hd_arith_cmpf(e->b, HD_ARITH_CMPF_OGT, x, lower), x, lower);
  if (digits <= precision) {
    hd_value *upper = hd_build_float(e->b, from, ldexp(1, (int)digits) - 1);
    inside = hd_emit_select_value(e->b, hd_arith_cmpf(e->b, HD_ARITH_CMPF_OLT, inside, upper), inside, upper);
  }
  hd_value *whole = hd_build(e->b, no_sign ? HD_OP_arith_fptoui : HD_OP_arith_fptosi, e->out_type, inside);
  if (digits > precision) {
    int64_t most = digits >= 64 ? -1 : (int64_t)((1ull << digits) - 1);
    whole = hd_emit_select_value(e->b, hd_arith_cmpf(e->b, HD_ARITH_CMPF_OGE, x, above),
                                 hd_build_int(e->b, e->out_type, most), whole);
  }
  if (no_sign) return whole;
  return hd_emit_select_value(e->b, hd_arith_cmpf(e->b, HD_ARITH_CMPF_UNO, x, x), hd_build_int(e->b, e->out_type, 0),
                              whole);
}

static hd_value *resize_int(hd_emission *e, hd_value *x) {
  uint32_t from = hd_type_bits(e->in), to = hd_type_bits(e->out);
  if (e->in->kind == HD_TYPE_INDEX || e->out->kind == HD_TYPE_INDEX)
    return hd_build(e->b, HD_OP_arith_index_cast, e->out_type, x);
  if (to == from) return x;
  hd_opcode opcode = to < from                    ? HD_OP_arith_trunci
                     : hd_emit_is_unsigned(e->in) ? HD_OP_arith_extui
                                                  : HD_OP_arith_extsi;
  return hd_build(e->b, opcode, e->out_type, x);
}

static hd_value *convert_part(hd_emission *e, hd_value *x) {
  bool from_float = hd_type_is(e->in, HD_TYPE_FLOAT), to_float = hd_type_is(e->out, HD_TYPE_FLOAT);
  if (hd_type_is_integer(e->out, 1) && !hd_type_is_integer(e->in, 1))
    return from_float ? hd_arith_cmpf(e->b, HD_ARITH_CMPF_UNE, x, hd_build_float(e->b, x->type, 0))
                      : hd_arith_cmpi(e->b, HD_ARITH_CMPI_NE, x, hd_build_int(e->b, x->type, 0));
  if (!from_float && !to_float) return resize_int(e, x);
  if (!from_float) { /* rounds once, to the element type and not to the type of computation */
    bool narrow = e->out != hd_compute_type(e->out);
    hd_type type = narrow ? hd_lanes_type(e->out, e->lanes) : e->out_type;
    x = hd_build(e->b, hd_emit_is_unsigned(e->in) ? HD_OP_arith_uitofp : HD_OP_arith_sitofp, type, x);
    return narrow ? hd_build(e->b, HD_OP_arith_extf, e->out_type, x) : x;
  }
  if (!to_float) return float_to_int(e, x, x->type);
  uint32_t from = hd_type_bits(hd_type_element(x->type)), to = hd_type_bits(hd_type_element(e->out_type));
  if (from < to) x = hd_build(e->b, HD_OP_arith_extf, e->out_type, x);
  if (e->out != hd_compute_type(e->out)) { /* an explicit conversion rounds, once */
    x = hd_build(e->b, HD_OP_arith_truncf, hd_lanes_type(e->out, e->lanes), x);
    return hd_build(e->b, HD_OP_arith_extf, e->out_type, x);
  }
  if (from > to) x = hd_build(e->b, HD_OP_arith_truncf, e->out_type, x);
  return x;
}

bool hd_emit_convert(hd_emission *e, hd_element *out) {
  hd_emission parts = *e;
  if (hd_type_is(e->in, HD_TYPE_COMPLEX)) parts.in = e->in->shaped.element;
  if (hd_type_is(e->out, HD_TYPE_COMPLEX)) parts.out = e->out->shaped.element;
  out->re = convert_part(&parts, e->x[0].re);
  if (hd_type_is_integer(e->out, 1) && e->x[0].im) /* true where any part is not zero */
    out->re = hd_build(e->b, HD_OP_arith_ori, out->re->type, out->re, convert_part(&parts, e->x[0].im));
  if (hd_type_is(e->out, HD_TYPE_COMPLEX))
    out->im = e->x[0].im ? convert_part(&parts, e->x[0].im) : hd_build_float(e->b, e->out_type, 0);
  return true;
}

bool hd_can_emit_bitcast(hd_type in, hd_type out) {
  return in == out || (hd_type_bits(in) == hd_type_bits(out) && !hd_type_is(in, HD_TYPE_COMPLEX) &&
                       !hd_type_is(out, HD_TYPE_COMPLEX));
}

bool hd_emit_bitcast(hd_emission *e, hd_element *out) {
  *out = e->x[0];
  if (e->in == e->out) return true;
  if (!hd_can_emit_bitcast(e->in, e->out)) return false;
  hd_value *raw = hd_emit_narrow(e->b, e->in, e->x[0], e->lanes).re;
  hd_type to = hd_lanes_type(hd_memory_type(e->out), e->lanes);
  raw = raw->type == to ? raw : hd_build(e->b, HD_OP_arith_bitcast, to, raw);
  *out = hd_emit_widen(e->b, e->out, (hd_element){raw, NULL}, e->lanes);
  return true;
}

/* Rounds to fewer exponent and mantissa bits, staying in the type: integer arithmetic on the pattern. */
bool hd_emit_reduce_precision(hd_emission *e, hd_element *out) {
  const hd_float_format *f = &hd_float_formats[e->in->float_kind];
  int64_t exponent_bits = hd_stablehlo_reduce_precision_exponent_bits(e->op),
          mantissa_bits = hd_stablehlo_reduce_precision_mantissa_bits(e->op);
  if (exponent_bits < 1 || mantissa_bits < 0) return false;
  hd_builder *b = e->b;
  hd_type bits = hd_lanes_type(hd_type_integer(b->context, (uint32_t)f->bits, HD_SIGNLESS), e->lanes);
  /* On the element's own pattern: its subnormals are no subnormals of the type of computation, and what is
   * too large for it is what it has for that. */
  hd_value *x = e->x[0].re, *given = x;
  bool narrow = e->in != hd_compute_type(e->in);
  if (narrow) {
    x = hd_build(b, HD_OP_arith_truncf, hd_lanes_type(e->in, e->lanes), x);
    given = hd_build(b, HD_OP_arith_extf, given->type, x);
  }
  hd_value *pattern = hd_build(b, HD_OP_arith_bitcast, bits, x);
#define I(op, a, c) hd_build(b, HD_OP_arith_##op, bits, a, c)
#define K(v) hd_build_int(b, bits, (int64_t)(v))
  if (mantissa_bits < f->mantissa_bits) {
    int drop = f->mantissa_bits - (int)mantissa_bits;
    hd_value *odd = I(andi, I(shrui, pattern, K(drop)), K(1));
    hd_value *bias = I(addi, odd, K((1ull << (drop - 1)) - 1));
    pattern = I(andi, I(addi, pattern, bias), K(~((1ull << drop) - 1)));
  }
  uint64_t sign_mask = f->special == HD_FLOAT_E8M0 ? 0 : 1ull << (f->bits - 1);
  if (exponent_bits < f->exponent_bits) {
    uint64_t bias = f->bias, reduced_bias = (1ull << (exponent_bits - 1)) - 1;
    uint64_t exponent_mask = ((1ull << f->exponent_bits) - 1) << f->mantissa_bits;
    hd_value *exponent = I(andi, pattern, K(exponent_mask)), *sign_bit = I(andi, pattern, K(sign_mask));
    hd_value *too_big = hd_arith_cmpi(e->b, HD_ARITH_CMPI_UGT, exponent, K((bias + reduced_bias) << f->mantissa_bits));
    hd_value *too_small =
        hd_arith_cmpi(e->b, HD_ARITH_CMPI_ULE, exponent, K((bias - reduced_bias) << f->mantissa_bits));
    pattern = hd_emit_select_value(b, too_big, I(ori, sign_bit, K(exponent_mask)), pattern);
    pattern = hd_emit_select_value(b, too_small, sign_bit, pattern);
  }
  if (f->special == HD_FLOAT_FNUZ) /* what would be -0 is NaN there */
    pattern = hd_emit_select_value(b, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, pattern, K(sign_mask)), K(0), pattern);
#undef I
#undef K
  hd_value *rounded = hd_build(b, HD_OP_arith_bitcast, x->type, pattern);
  if (narrow) rounded = hd_build(b, HD_OP_arith_extf, given->type, rounded);
  out->re = hd_emit_select_value(b, hd_arith_cmpf(b, HD_ARITH_CMPF_UNO, given, given), given, rounded); /* NaN stays */
  return true;
}
