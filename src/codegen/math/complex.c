/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/math/complex.h"

#include <math.h>

#include "codegen/math/emitter.h"
#include "codegen/math/families.h"

typedef hd_complex_parts C;

static V call1(E *e, hd_math_family f, V x) { return f(e, &x); }
static V call2(E *e, hd_math_family f, V x, V y) { return f(e, (V[]){x, y}); }
static V zero_of(E *e) { return m_const(e, 0); }

/* The larger and the smaller magnitude; NaN goes to both where one is NaN. */
static void ordered(E *e, C z, V *out_more, V *out_less) {
  V a = m_abs(e, z.re), b = m_abs(e, z.im), swap = m_lt(e, a, b);
  *out_more = m_sel(e, swap, b, a);
  *out_less = m_sel(e, swap, a, b);
}

/* |z| without overflow on the way; infinite where a part is. */
static V modulus(E *e, C z) {
  V more, less;
  ordered(e, z, &more, &less);
  V ratio = m_div(e, less, more), value = m_mul(e, more, m_sqrt(e, m_fmak(e, ratio, ratio, 1)));
  value = m_sel(e, m_eqc(e, more, 0), m_add(e, more, less), value);
  V infinite = m_either(e, m_eqc(e, more, m_inf()), m_eqc(e, less, m_inf()));
  return m_sel(e, infinite, m_const(e, m_inf()), value);
}

static C quotient(E *e, C n, C d) { /* scaled by the larger part of the divisor (Smith) */
  V real = m_cmp(e, MATH_GE, m_abs(e, d.re), m_abs(e, d.im));
  V large = m_sel(e, real, d.re, d.im), small = m_sel(e, real, d.im, d.re);
  V p = m_sel(e, real, n.re, n.im), q = m_sel(e, real, n.im, n.re);
  V ratio = m_div(e, small, large), scale = m_fma(e, small, ratio, large);
  V re = m_div(e, m_fma(e, q, ratio, p), scale), im = m_div(e, m_fnma(e, p, ratio, q), scale);
  return (C){re, m_sel(e, real, im, m_neg(e, im))};
}

static C product(E *e, C x, C y) {
  return (C){m_fms(e, x.re, y.re, m_mul(e, x.im, y.im)), m_fma(e, x.re, y.im, m_mul(e, x.im, y.re))};
}

/* radius (cos angle + i sin angle); real for angle 0, whatever the radius */
static C polar(E *e, V radius, V angle) {
  V real = m_eqc(e, angle, 0), re = m_mul(e, radius, call1(e, hd_math_cos, angle));
  V im = m_mul(e, radius, call1(e, hd_math_sin, angle));
  V none = m_eqc(e, radius, 0); /* e^-inf with any angle */
  re = m_sel(e, m_either(e, real, none), radius, re);
  return (C){re, m_sel(e, real, angle, m_sel(e, none, zero_of(e), im))};
}

/* Of no direction (b infinite or NaN) an infinite or a vanished radius is all that is known (Annex G of C). */
static C exponential(E *e, C z) {
  V cosine = call1(e, hd_math_cos, z.im), real = m_eqc(e, z.im, 0), none = m_eqc(e, z.re, -m_inf());
  V lost = m_both(e, m_isnan(e, cosine), m_eqc(e, m_abs(e, z.re), m_inf()));
  V parts[] = {m_sel(e, lost, m_const(e, 1), cosine), call1(e, hd_math_sin, z.im)};
  hd_math_exp_times(e, z.re, false, parts, 2);
  return (C){parts[0], m_sel(e, real, z.im, m_sel(e, none, zero_of(e), parts[1]))};
}

/* e^a cos b - 1 = (e^a - 1) cos b - 2 sin^2(b / 2); of no direction (b infinite) both parts are NaN. */
static C exponential_minus_one(E *e, C z) {
  C whole = exponential(e, z);
  V half = call1(e, hd_math_sin, m_mulc(e, z.im, 0.5)), cosine = call1(e, hd_math_cos, z.im);
  V re = m_fma(e, call1(e, hd_math_expm1, z.re), cosine, m_mul(e, m_mulc(e, half, -2), half));
  V large = m_gtc(e, z.re, 40);
  V none = m_isnan(e, cosine);
  return (C){m_sel(e, none, cosine, m_sel(e, large, whole.re, re)), m_sel(e, none, cosine, whole.im)};
}

/* log |z|: by log1p((more - 1)(more + 1) + less^2) near the unit circle, where the logarithm is small. */
static V log_modulus(E *e, C z) {
  V more, less;
  ordered(e, z, &more, &less);
  V ratio = m_div(e, less, more), square = m_mul(e, ratio, ratio);
  V far = m_fmac(e, call1(e, hd_math_log1p, square), 0.5, call1(e, hd_math_log, more));
  V excess = m_fma(e, m_subc(e, more, 1), m_addc(e, more, 1), m_mul(e, less, less));
  V near = m_mulc(e, call1(e, hd_math_log1p, excess), 0.5);
  V value = m_sel(e, m_both(e, m_gtc(e, more, 0.70710678), m_ltc(e, more, 2)), near, far);
  value = m_sel(e, m_both(e, m_eqc(e, more, 0), m_eqc(e, less, 0)), m_const(e, -m_inf()), value);
  V infinite = m_either(e, m_eqc(e, more, m_inf()), m_eqc(e, less, m_inf()));
  return m_sel(e, infinite, m_const(e, m_inf()), value);
}

static C logarithm(E *e, C z) { return (C){log_modulus(e, z), call2(e, hd_math_atan2, z.im, z.re)}; }

/* log |1 + z| = log1p(a (2 + a) + b^2) / 2 while a and b are small */
static C log_plus_one(E *e, C z) {
  C moved = {m_addc(e, z.re, 1), z.im};
  V excess = m_fma(e, z.re, m_addc(e, z.re, 2), m_mul(e, z.im, z.im)), more, less;
  ordered(e, z, &more, &less);
  V near = m_mulc(e, call1(e, hd_math_log1p, excess), 0.5);
  return (C){m_sel(e, m_ltc(e, more, 0.5), near, log_modulus(e, moved)), call2(e, hd_math_atan2, z.im, moved.re)};
}

/* z, times a power of two where its modulus may overflow (huge) or is of few digits (tiny). */
typedef struct {
  C z;
  V huge, tiny;
} scaled_number;

static scaled_number scaled(E *e, C z) {
  bool is64 = hd_math_is64(e);
  V more, less;
  ordered(e, z, &more, &less);
  V huge = m_gtc(e, more, is64 ? 0x1p1020 : 0x1p124), tiny = m_ltc(e, more, is64 ? 0x1p-960 : 0x1p-100);
  V up = m_sel(e, tiny, m_const(e, is64 ? 0x1p108 : 0x1p54), m_const(e, 1));
  V scale = m_sel(e, huge, m_const(e, 0x1p-6), up);
  return (scaled_number){{m_mul(e, z.re, scale), m_mul(e, z.im, scale)}, huge, tiny};
}

/* What the root of |degree| of a scaled number is multiplied by. */
static V root_back(E *e, scaled_number s, int degree) {
  double up = hd_math_is64(e) ? 108 : 54;
  V down = m_sel(e, s.tiny, m_const(e, exp2(-up / degree)), m_const(e, 1));
  return m_sel(e, s.huge, m_const(e, exp2(6.0 / degree)), down);
}

/* t = sqrt((|a| + |z|) / 2) and b / 2t, exchanged on the left half plane. */
static C square_root(E *e, C z) {
  scaled_number number = scaled(e, z);
  C s = number.z;
  V back = root_back(e, number, 2);
  V t = m_sqrt(e, m_mulc(e, m_add(e, m_abs(e, s.re), modulus(e, s)), 0.5));
  V other = m_mul(e, m_div(e, m_mulc(e, m_abs(e, s.im), 0.5), t), back);
  other = m_sel(e, m_eqc(e, t, 0), m_abs(e, z.im), other);
  t = m_mul(e, t, back);
  V left = m_ltc(e, z.re, 0);
  C root = {m_sel(e, left, other, t), m_copysign(e, m_sel(e, left, t, other), z.im)};
  /* infinite parts: an infinite imaginary part wins, then the real one */
  V inf = m_const(e, m_inf()), im_infinite = m_eqc(e, m_abs(e, z.im), m_inf()),
    re_infinite = m_eqc(e, m_abs(e, z.re), m_inf());
  V zero = m_sel(e, m_isnan(e, z.im), z.im, zero_of(e));
  root.re = m_sel(e, re_infinite, m_sel(e, left, zero, inf), root.re);
  root.im = m_sel(e, re_infinite, m_copysign(e, m_sel(e, left, inf, zero), z.im), root.im);
  return (C){m_sel(e, im_infinite, inf, root.re), m_sel(e, im_infinite, z.im, root.im)};
}

/* cosh and sinh of b are e^|b| / 2 far out, and may overflow where their products do not. */
static C sine_parts(E *e, C z, bool cosine) {
  V s = call1(e, hd_math_sin, z.re), c = call1(e, hd_math_cos, z.re);
  V outer[] = {s, c}, far = m_gtc(e, m_abs(e, z.im), 40), below = m_ltc(e, z.im, 0);
  hd_math_exp_times(e, m_abs(e, z.im), true, outer, 2);
  V h = call1(e, hd_math_cosh, z.im), k = call1(e, hd_math_sinh, z.im);
  V zero = zero_of(e), flat = m_eqc(e, z.im, 0), upright = m_eqc(e, z.re, 0); /* 0 times infinity is 0 here */
  V sh = m_sel(e, far, outer[0], m_mul(e, s, h)), ch = m_sel(e, far, outer[1], m_mul(e, c, h));
  for (int i = 0; i < 2; ++i) outer[i] = m_sel(e, below, m_neg(e, outer[i]), outer[i]);
  V sk = m_sel(e, far, outer[0], m_mul(e, s, k)), ck = m_sel(e, far, outer[1], m_mul(e, c, k));
  C y = cosine ? (C){ch, m_neg(e, sk)} : (C){sh, ck};
  V inf = m_const(e, m_inf()), lost = m_both(e, m_isnan(e, s), m_eqc(e, m_abs(e, z.im), m_inf()));
  if (cosine)
    y.re = m_sel(e, lost, inf, y.re); /* of no direction, but infinite */
  else
    y.im = m_sel(e, lost, inf, y.im);
  if (cosine) return (C){y.re, m_sel(e, m_either(e, flat, upright), zero, y.im)};
  return (C){m_sel(e, upright, z.re, y.re), m_sel(e, flat, z.im, y.im)};
}

/* With t = tan b, s = sinh a, c = cosh a: (c s (1 + t^2) + i t) / (1 + s^2 (1 + t^2)) (Kahan); far out ±1, but for an
 * infinite b, whose tangent is NaN, only where a is infinite too. */
static C tangent_h(E *e, C z) {
  V far = m_gtc(e, m_abs(e, z.re), hd_math_is64(e) ? 20 : 10), one = m_const(e, 1);
  V a = m_sel(e, far, one, z.re), t = call1(e, hd_math_tan, z.im), s = call1(e, hd_math_sinh, a),
    c = call1(e, hd_math_cosh, a);
  V beta = m_fmak(e, t, t, 1), d = m_fma(e, m_mul(e, s, s), beta, one);
  C y = {m_div(e, m_mul(e, m_mul(e, c, s), beta), d), m_div(e, t, d)};
  V twice = m_mulc(e, m_abs(e, z.re), -2), small = m_mulc(e, call1(e, hd_math_exp, twice), 4);
  V im = m_mul(e, small, m_mul(e, call1(e, hd_math_sin, z.im), call1(e, hd_math_cos, z.im)));
  im = m_sel(e, m_eqc(e, small, 0), m_copysign(e, zero_of(e), z.im), im);
  V none = m_both(e, m_isnan(e, t), m_ltc(e, m_abs(e, z.re), m_inf()));
  y = (C){m_sel(e, far, m_copysign(e, one, z.re), y.re), m_sel(e, far, im, y.im)};
  y.im = m_sel(e, m_eqc(e, z.im, 0), z.im, y.im);
  return (C){m_sel(e, none, m_sel(e, m_eqc(e, z.re, 0), z.re, t), y.re), m_sel(e, none, t, y.im)};
}

static C tangent(E *e, C z) { /* -i tanh(iz) */
  C y = tangent_h(e, (C){m_neg(e, z.im), z.re});
  return (C){y.im, m_neg(e, y.re)};
}

/* e^(y log x); of x = 0 the power is 0 or, for y = 0, 1. */
static C power(E *e, C x, C y) {
  C z = exponential(e, product(e, y, logarithm(e, x)));
  V zero = zero_of(e), none = m_both(e, m_eqc(e, x.re, 0), m_eqc(e, x.im, 0));
  V unit = m_both(e, m_eqc(e, y.re, 0), m_eqc(e, y.im, 0));
  V vanishes = m_both(e, none, m_gtc(e, y.re, 0));
  z = (C){m_sel(e, vanishes, zero, z.re), m_sel(e, vanishes, zero, z.im)};
  return (C){m_sel(e, unit, m_const(e, 1), z.re), m_sel(e, unit, zero, z.im)};
}

/* 1 / (1 + e^-z), by e^z on the left half plane. Next to a pole, where e^a cos b is near -1, 1 + e^a cos b is
 * (1 - e^a) + 2 e^a cos^2(b / 2), which cancels nothing. */
static C logistic(E *e, C z) {
  V left = m_ltc(e, z.re, 0), a = m_neg(e, m_abs(e, z.re));
  C away = {a, m_sel(e, left, z.im, m_neg(e, z.im))}, t = exponential(e, away);
  V half = call1(e, hd_math_cos, m_mulc(e, z.im, 0.5)), far = m_mul(e, m_mulc(e, call1(e, hd_math_exp, a), 2), half);
  V near = m_fms(e, far, half, call1(e, hd_math_expm1, a));
  C one = {m_const(e, 1), zero_of(e)}, over = {m_sel(e, m_ltc(e, t.re, -0.5), near, m_addc(e, t.re, 1)), t.im};
  return quotient(e, (C){m_sel(e, left, t.re, one.re), m_sel(e, left, t.im, one.im)}, over);
}

static C sign(E *e, C z) {
  C s = scaled(e, z).z;
  V r = modulus(e, s), none = m_eqc(e, r, 0), zero = zero_of(e);
  return (C){m_sel(e, none, zero, m_div(e, s.re, r)), m_sel(e, none, zero, m_div(e, s.im, r))};
}

static C inverse_root(E *e, C z) {
  C root = square_root(e, z), one = {m_const(e, 1), zero_of(e)}, y = quotient(e, one, root);
  V none = m_both(e, m_eqc(e, z.re, 0), m_eqc(e, z.im, 0)); /* of zero an infinite number of no known direction */
  V zero = zero_of(e), far = m_either(e, m_eqc(e, m_abs(e, z.re), m_inf()), m_eqc(e, m_abs(e, z.im), m_inf()));
  far = m_both(e, far, m_both(e, m_cmp(e, MATH_EQ, z.re, z.re), m_cmp(e, MATH_EQ, z.im, z.im)));
  y = (C){m_sel(e, far, zero, y.re), m_sel(e, far, zero, y.im)};
  return (C){m_sel(e, none, m_const(e, m_inf()), y.re), y.im};
}

static C cube_root(E *e, C z) {
  scaled_number s = scaled(e, z);
  V length = m_mul(e, call1(e, hd_math_cbrt, modulus(e, s.z)), root_back(e, s, 3));
  C root = polar(e, length, m_mulc(e, call2(e, hd_math_atan2, z.im, z.re), 1.0 / 3));
  V none = m_both(e, m_eqc(e, z.re, 0), m_eqc(e, z.im, 0));
  return (C){m_sel(e, none, z.re, root.re), m_sel(e, none, z.im, root.im)};
}

static C add_real(E *e, C z, double c) { return (C){m_addc(e, z.re, c), z.im}; }
static C negative(E *e, C z) { return (C){m_neg(e, z.re), m_neg(e, z.im)}; }
static C times_i(E *e, C z) { return (C){m_neg(e, z.im), z.re}; }
static C over_i(E *e, C z) { return (C){z.im, m_neg(e, z.re)}; }
static C one_minus(E *e, C z) { return (C){m_sub(e, m_const(e, 1), z.re), m_neg(e, z.im)}; }

/* The imaginary and the real part of conj(x) y. */
static V cross(E *e, C x, C y) { return m_fms(e, x.re, y.im, m_mul(e, x.im, y.re)); }
static V dot(E *e, C x, C y) { return m_fma(e, x.re, y.re, m_mul(e, x.im, y.im)); }

/* Where 1 is nothing next to z^2 the inverse sine and cosines are the angle of z, and log |2z|, which no product of
 * roots overflows. */
static V is_far(E *e, C z) {
  V more, less;
  ordered(e, z, &more, &less);
  return m_gtc(e, more, hd_math_is64(e) ? 0x1p30 : 0x1p14);
}

static V log_twice_modulus(E *e, C z) { return m_addc(e, log_modulus(e, z), 0.69314718055994530942); }

/* The inverse functions by roots of 1 ± z, as Kahan gives them: no digits are lost next to the branch points. */
static C arc_sine(E *e, C z) {
  C a = square_root(e, one_minus(e, z)), b = square_root(e, add_real(e, z, 1));
  V far = is_far(e, z), across = call1(e, hd_math_asinh, cross(e, a, b));
  V below = m_fms(e, a.re, b.re, m_mul(e, a.im, b.im)); /* re(a b) */
  return (C){call2(e, hd_math_atan2, z.re, m_sel(e, far, m_abs(e, z.im), below)),
             m_sel(e, far, m_copysign(e, log_twice_modulus(e, z), z.im), across)};
}

static C arc_cosine(E *e, C z) {
  C a = square_root(e, one_minus(e, z)), b = square_root(e, add_real(e, z, 1));
  V far = is_far(e, z), half = call2(e, hd_math_atan2, a.re, b.re), across = call1(e, hd_math_asinh, cross(e, b, a));
  return (C){m_sel(e, far, call2(e, hd_math_atan2, m_abs(e, z.im), z.re), m_mulc(e, half, 2)),
             m_sel(e, far, m_copysign(e, log_twice_modulus(e, z), m_neg(e, z.im)), across)};
}

static C arc_cosine_h(E *e, C z) {
  C a = square_root(e, add_real(e, z, -1)), b = square_root(e, add_real(e, z, 1));
  V far = is_far(e, z), half = call2(e, hd_math_atan2, a.im, b.re), along = call1(e, hd_math_asinh, dot(e, a, b));
  return (C){m_sel(e, far, log_twice_modulus(e, z), along),
             m_sel(e, far, call2(e, hd_math_atan2, z.im, z.re), m_mulc(e, half, 2))};
}

/* (log1p z - log1p -z) / 2, whose real part for |a| + ib is, other than next to 1, log1p(4a / ((1 - a)^2 + b^2)) / 4,
 * where no digits cancel; divided by the larger of 1 - a and b twice, as the squares may overflow. */
static C arc_tangent_h(E *e, C z) {
  C a = log_plus_one(e, z), b = log_plus_one(e, negative(e, z));
  V size = m_abs(e, z.re), more, less;
  ordered(e, (C){m_subc(e, size, 1), z.im}, &more, &less);
  V ratio = m_div(e, less, more), quotient = m_div(e, m_mulc(e, m_div(e, size, more), 4), more);
  quotient = m_div(e, quotient, m_fmak(e, ratio, ratio, 1));
  quotient = m_sel(e, m_eqc(e, more, m_inf()), zero_of(e), quotient);
  V away = m_copysign(e, m_mulc(e, call1(e, hd_math_log1p, quotient), 0.25), z.re);
  V near = m_mulc(e, m_sub(e, a.re, b.re), 0.5);
  return (C){m_sel(e, m_ltc(e, more, 0.25), near, away), m_mulc(e, m_sub(e, a.im, b.im), 0.5)};
}

/* -i log((x + iy) / sqrt(x^2 + y^2)), which is atan(q) for q = y / x where the root is x sqrt(1 + q^2), and pi off
 * where it is the negative of that. By q = x / y where y is the larger: pi / 2 - atan(q), or -pi / 2 - atan(q). Next to
 * the poles, y = ±ix, it loses what q does. */
static C angle(E *e, C y, C x) {
  V size_x, size_y, less;
  ordered(e, x, &size_x, &less);
  ordered(e, y, &size_y, &less);
  V upright = m_cmp(e, MATH_GT, size_y, size_x);
  C larger = {m_sel(e, upright, y.re, x.re), m_sel(e, upright, y.im, x.im)};
  C smaller = {m_sel(e, upright, x.re, y.re), m_sel(e, upright, x.im, y.im)};
  scaled_number s = scaled(e, larger);
  V back = root_back(e, s, 1), up = m_div(e, m_const(e, 1), back);
  C q = quotient(e, (C){m_mul(e, smaller.re, up), m_mul(e, smaller.im, up)}, s.z), square = product(e, q, q);
  C t = over_i(e, arc_tangent_h(e, times_i(e, q)));
  C root = product(e, s.z, square_root(e, (C){m_addc(e, square.re, 1), square.im}));
  /* Of x^2 + y^2 below 0 the root has the sign of its imaginary part, of a zero too. */
  V one = m_const(e, 1), im = m_fma(e, x.re, x.im, m_mul(e, y.re, y.im));
  V other = m_ltc(e, m_mul(e, m_copysign(e, one, im), m_copysign(e, one, root.im)), 0);
  V away = m_either(e, m_ltc(e, root.re, 0), m_both(e, m_eqc(e, root.re, 0), other));
  V half = m_sel(e, away, m_const(e, -1.57079632679489661923), m_const(e, 1.57079632679489661923));
  V flat = m_sel(e, away, m_sub(e, t.re, m_copysign(e, m_const(e, 3.14159265358979323846), t.re)), t.re);
  return (C){m_sel(e, upright, m_sub(e, half, t.re), flat), m_sel(e, upright, m_neg(e, t.im), t.im)};
}

/* One of the functions that complex.h declares, of operands x and, where there are two, y. */
#define FUNCTION(name, ...) \
  C hd_complex_##name(E *e, const C *x) { return __VA_ARGS__; }
FUNCTION(exponential, exponential(e, x[0]))
FUNCTION(exponential_minus_one, exponential_minus_one(e, x[0]))
FUNCTION(logarithm, logarithm(e, x[0]))
FUNCTION(log_plus_one, log_plus_one(e, x[0]))
FUNCTION(logistic, logistic(e, x[0]))
FUNCTION(square_root, square_root(e, x[0]))
FUNCTION(inverse_root, inverse_root(e, x[0]))
FUNCTION(cube_root, cube_root(e, x[0]))
FUNCTION(sine, sine_parts(e, x[0], false))
FUNCTION(cosine, sine_parts(e, x[0], true))
FUNCTION(tangent, tangent(e, x[0]))
FUNCTION(tangent_h, tangent_h(e, x[0]))
FUNCTION(sine_h, over_i(e, sine_parts(e, times_i(e, x[0]), false))) /* -i sin iz */
FUNCTION(cosine_h, sine_parts(e, times_i(e, x[0]), true))           /* cos iz */
FUNCTION(arc_sine, arc_sine(e, x[0]))
FUNCTION(arc_cosine, arc_cosine(e, x[0]))
FUNCTION(arc_tangent, over_i(e, arc_tangent_h(e, times_i(e, x[0]))))
FUNCTION(arc_sine_h, over_i(e, arc_sine(e, times_i(e, x[0]))))
FUNCTION(arc_cosine_h, arc_cosine_h(e, x[0]))
FUNCTION(arc_tangent_h, arc_tangent_h(e, x[0]))
FUNCTION(power, power(e, x[0], x[1]))
FUNCTION(angle, angle(e, x[0], x[1]))
FUNCTION(sign, sign(e, x[0]))

bool hd_math_expand_complex(hd_builder *b, hd_complex_function *function, const hd_complex_parts *x,
                            hd_complex_parts *out) {
  hd_type element = hd_type_element(x[0].re->type);
  if (!hd_type_is_float(element, HD_F32) && !hd_type_is_float(element, HD_F64)) return false;
  E e;
  hd_math_emitter_init(&e, b, x[0].re->type);
  *out = function(&e, x);
  return true;
}
