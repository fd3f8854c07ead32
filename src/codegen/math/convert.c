/* SPDX-License-Identifier: Apache-2.0 */
/* Widening puts exponent and mantissa at the places of f32 and multiplies by a power of two, which rebiases and
 * normalises denormals in one exact step. Narrowing has two roundings side by side: normal results by adding half a
 * unit to the integer, denormal results by adding a float whose unit is the format's smallest denormal. */
#include "codegen/math/convert.h"

#include "codegen/math/emitter.h"

static uint64_t mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

/* The pattern of |f| without sign that stands for NaN (quiet), and the largest finite one. */
static uint64_t nan_magnitude(const hd_float_format *f) {
  int bits = f->exponent_bits + f->mantissa_bits;
  if (f->special == HD_FLOAT_IEEE) return (mask(f->exponent_bits) << f->mantissa_bits) | 1ull << (f->mantissa_bits - 1);
  return mask(bits);
}
static uint64_t largest_magnitude(const hd_float_format *f) {
  int bits = f->exponent_bits + f->mantissa_bits;
  if (f->special == HD_FLOAT_IEEE) return (mask(f->exponent_bits) << f->mantissa_bits) - 1;
  return f->special == HD_FLOAT_FN ? mask(bits) - 1 : mask(bits);
}

static V equals(E *e, V a, uint64_t c) { return m_cmp(e, MATH_IEQ, a, m_int(e, c)); }
static V choose(E *e, V c, uint64_t a, V b) { return m_isel(e, c, m_int(e, a), b); }

/* |bits|: a pattern of |f| in the low bits of an i32; gives f32. */
static V widen(E *e, const hd_float_format *f, V bits) {
  int magnitude_bits = f->exponent_bits + f->mantissa_bits;
  if (f->bits == 16 && f->exponent_bits == 8) return m_float(e, m_ishlc(e, bits, 16));
  if (f->special == HD_FLOAT_E8M0) {
    V shifted = choose(e, equals(e, bits, 0), 0x00400000, m_ishlc(e, bits, 23));
    return m_float(e, choose(e, equals(e, bits, 0xff), 0x7fc00000, shifted));
  }
  V magnitude = m_iandc(e, bits, mask(magnitude_bits));
  V at_f32 = m_ishlc(e, magnitude, 23 - f->mantissa_bits);
  V value = m_bits(e, m_mulc(e, m_float(e, at_f32), __builtin_ldexp(1, 127 - f->bias)));
  if (f->special == HD_FLOAT_IEEE) {
    V special = m_cmp(e, MATH_IUGT, magnitude, m_int(e, largest_magnitude(f)));
    value = m_isel(e, special, m_iorc(e, at_f32, 0x7f800000), value);
  } else if (f->special == HD_FLOAT_FN) {
    value = choose(e, equals(e, magnitude, nan_magnitude(f)), 0x7fc00000, value);
  }
  V sign = m_ishlc(e, m_iandc(e, bits, 1ull << (f->bits - 1)), 32 - f->bits);
  value = m_ior(e, value, sign);
  if (f->special == HD_FLOAT_FNUZ) value = choose(e, equals(e, bits, 1ull << (f->bits - 1)), 0x7fc00000, value);
  return m_float(e, value);
}

/* x >> shift, to nearest, ties to even. */
static V round_shift(E *e, V x, int shift) {
  V odd = m_iandc(e, m_ishrc(e, x, shift), 1);
  return m_ishrc(e, m_iadd(e, m_iaddc(e, x, (1ull << (shift - 1)) - 1), odd), shift);
}

/* f8E8M0FNU: zeros and what rounds below 2^-127 give 0; negative numbers, infinity and NaN give NaN. */
static V narrow_exponent(E *e, V bits) {
  V rounded = round_shift(e, bits, m_mantissa(e)), zero = m_int(e, 0);
  if (hd_math_is64(e)) { /* the difference of the biases is even, so ties go the same way */
    rounded = m_isubc(e, rounded, (uint64_t)(m_bias(e) - 127));
    rounded = m_isel(e, m_cmp(e, MATH_ILT, rounded, zero), zero, rounded);
  } else { /* 2^-127 is denormal in f32, and 1.5 2^-127 still goes there */
    V one = m_isel(e, m_cmp(e, MATH_IUGT, bits, m_int(e, 0x00600000)), m_int(e, 1), zero);
    rounded = m_isel(e, m_cmp(e, MATH_IULT, bits, m_int(e, 0x00800000)), one, rounded);
  }
  V bad = m_either(e, m_cmp(e, MATH_IUGT, rounded, m_int(e, 254)), m_cmp(e, MATH_ILT, bits, zero));
  V minus_zero = equals(e, bits, hd_math_is64(e) ? 1ull << 63 : 1ull << 31);
  return m_isel(e, minus_zero, zero, choose(e, bad, 0xff, rounded));
}

/* x (f32 or f64): its pattern in |f|, in the low bits of an integer of x's width. */
static V narrow(E *e, const hd_float_format *f, V x) {
  V bits = m_bits(e, x);
  if (f->special == HD_FLOAT_E8M0) return narrow_exponent(e, bits);
  int width = hd_math_is64(e) ? 64 : 32, mantissa = m_mantissa(e), shift = mantissa - f->mantissa_bits;
  int lift = m_bias(e) - f->bias; /* exponent fields differ by this */
  uint64_t infinity = mask(width - 1) & ~mask(mantissa);
  V magnitude = m_iandc(e, bits, mask(width - 1));
  V rounded = round_shift(e, m_isubc(e, magnitude, (uint64_t)lift << mantissa), shift);
  if (lift > 0) { /* a sum with 1.0 at the weight of the smallest denormal's unit holds the rounded count of units */
    double magic = __builtin_ldexp(1, 1 - f->bias - f->mantissa_bits + mantissa);
    V sum = m_bits(e, m_addc(e, m_float(e, magnitude), magic));
    V count = m_isub(e, sum, m_bits(e, m_const(e, magic)));
    V below = m_cmp(e, MATH_IULT, magnitude, m_int(e, (uint64_t)(lift + 1) << mantissa));
    rounded = m_isel(e, below, count, rounded);
  }
  uint64_t largest = largest_magnitude(f), over = largest;
  if (f->special == HD_FLOAT_IEEE) over = mask(f->exponent_bits) << f->mantissa_bits;
  if (f->special == HD_FLOAT_FN) over = nan_magnitude(f);
  uint64_t sign_bit = 1ull << (f->bits - 1);
  V sign = m_iandc(e, m_ishrc(e, bits, width - f->bits), sign_bit);
  V is_over = m_cmp(e, MATH_IUGT, rounded, m_int(e, largest));
  V is_nan = m_cmp(e, MATH_IUGT, magnitude, m_int(e, infinity));
  switch (f->special) {
    case HD_FLOAT_FNUZ: { /* one NaN, in the place of -0 */
      V sign_or_zero = m_isel(e, equals(e, rounded, 0), m_int(e, 0), sign);
      return choose(e, m_either(e, is_over, is_nan), sign_bit, m_ior(e, rounded, sign_or_zero));
    }
    case HD_FLOAT_FINITE_NO_NAN: /* NaN as hd_float_encode has it: all ones without the sign */
      return choose(e, is_nan, nan_magnitude(f), m_ior(e, choose(e, is_over, over, rounded), sign));
    case HD_FLOAT_IEEE: {
      V payload = m_iandc(e, m_ishrc(e, bits, shift), mask(f->mantissa_bits));
      rounded = choose(e, is_over, over, rounded);
      return m_ior(e, m_isel(e, is_nan, m_iorc(e, payload, nan_magnitude(f)), rounded), sign);
    }
    default:
      return m_ior(e, choose(e, m_either(e, is_over, is_nan), over, rounded), sign);
  }
}

/* The type of |like|'s shape with |element|. */
static hd_type shaped(hd_type like, hd_type element) {
  return hd_type_is_shaped(like) ? hd_type_with_element(like, element) : element;
}

hd_value *hd_convert_emit_pattern(hd_builder *b, hd_value *value, hd_float_kind from, hd_float_kind to) {
  const hd_float_format *source = &hd_float_formats[from], *target = &hd_float_formats[to];
  hd_type f32 = shaped(value->type, hd_f32(b->context)), f64 = shaped(value->type, hd_type_float(b->context, HD_F64));
  if (from == to) return value;
  E e;
  if (source->bits < 32) {
    hd_math_emitter_init(&e, b, f32);
    V bits = hd_build(b, HD_OP_arith_extui, e.types[MATH_I], value);
    if (source->bits < 8) bits = m_iandc(&e, bits, mask(source->bits));
    value = widen(&e, source, bits);
    from = HD_F32;
  }
  if (to == HD_F32) return from == HD_F32 ? value : hd_build(b, HD_OP_arith_truncf, f32, value);
  if (to == HD_F64) return hd_build(b, HD_OP_arith_extf, f64, value);
  hd_math_emitter_init(&e, b, value->type);
  V bits = narrow(&e, target, value);
  hd_type small = hd_type_integer(b->context, target->bits <= 8 ? 8 : 16, HD_SIGNLESS);
  return hd_build(b, HD_OP_arith_trunci, shaped(value->type, small), bits);
}

hd_value *hd_convert_emit(hd_builder *b, hd_value *value, hd_type to) {
  hd_type from = hd_type_element(value->type), element = hd_type_element(to);
  if (from->kind != HD_TYPE_FLOAT || element->kind != HD_TYPE_FLOAT || shaped(value->type, element) != to) return NULL;
  if (from->float_kind == HD_TF32 || element->float_kind == HD_TF32) return NULL; /* no type of values */
  if (from == element) return value;
  const hd_float_format *source = &hd_float_formats[from->float_kind], *target = &hd_float_formats[element->float_kind];
  hd_type pattern = hd_type_integer(b->context, (uint32_t)source->bits, HD_SIGNLESS),
          i8 = hd_type_integer(b->context, 8, HD_SIGNLESS);
  if (source->bits < 32) value = hd_build(b, HD_OP_arith_bitcast, shaped(value->type, pattern), value);
  if (source->bits < 8) value = hd_build(b, HD_OP_arith_extui, shaped(value->type, i8), value);
  value = hd_convert_emit_pattern(b, value, from->float_kind, element->float_kind);
  pattern = hd_type_integer(b->context, (uint32_t)target->bits, HD_SIGNLESS);
  if (target->bits < 8) value = hd_build(b, HD_OP_arith_trunci, shaped(value->type, pattern), value);
  return target->bits < 32 ? hd_build(b, HD_OP_arith_bitcast, to, value) : value;
}
