/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/graph/special.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* B(2k) / (2k)! for k = 1, 2, ...: the Euler-Maclaurin coefficients. */
static const double bernoulli_over_factorial[] = {
    1.0 / 12,
    -1.0 / 720,
    1.0 / 30240,
    -1.0 / 1209600,
    1.0 / 47900160,
    -691.0 / 1307674368000.0,
    1.0 / 74724249600.0,
    -3617.0 / 10670622842880000.0,
    43867.0 / 5109094217170944000.0,
    -174611.0 / 802857662698291200000.0,
    77683.0 / 14101100039391805440000.0,
    -236364091.0 / 1693824136731743669452800000.0,
};

double hd_lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

double hd_digamma(double x) {
  if (isnan(x)) return x;
  if (x <= 0) {
    if (x == floor(x)) return NAN;
    /* reflection; the cotangent of the fractional part keeps its precision */
    double part = x - nearbyint(x);
    return hd_digamma(1 - x) - M_PI / tan(M_PI * part);
  }
  if (isinf(x)) return x;
  double sum = 0;
  while (x < 12) {
    sum -= 1 / x;
    x += 1;
  }
  /* ln x - 1/(2x) - sum of B(2k) / (2k x^2k) */
  static const double terms[] = {1.0 / 12,       -1.0 / 120, 1.0 / 252,      -1.0 / 240,     1.0 / 132,
                                 -691.0 / 32760, 1.0 / 12,   -3617.0 / 8160, 43867.0 / 14364};
  double square = 1 / (x * x), power = square, tail = 0;
  for (unsigned k = 0; k < sizeof terms / sizeof *terms; ++k, power *= square) tail += terms[k] * power;
  return sum + log(x) - 0.5 / x - tail;
}

double hd_zeta(double x, double q) {
  if (isnan(x) || isnan(q)) return NAN;
  if (x == 1) return INFINITY;
  if (x < 1) return NAN;
  if (q <= 0) {
    if (q == floor(q)) return x == floor(x) && fmod(x, 2) == 0 ? INFINITY : x == floor(x) ? NAN : NAN;
    if (x != floor(x)) return NAN;
  }
  if (isinf(q)) return 0;
  if (isinf(x)) return q > 1 ? 0 : q == 1 ? 1 : INFINITY;
  /* Terms one by one until the base is large, the rest by Euler and Maclaurin. */
  double sum = 0, base = q;
  long limit = 10000;
  while ((base < 12 || base < x) && limit-- > 0) { /* the series needs base >= x to converge fast */
    double term = pow(base, -x);
    sum += term;
    if (base > 0 && term < sum * DBL_EPSILON / 64) return sum;
    base += 1;
  }
  if (base < 12) return NAN; /* q is far below zero */
  double power = pow(base, -x);
  double tail = power * base / (x - 1) + power / 2;
  double factor = x * power / base;
  for (unsigned k = 0; k < sizeof bernoulli_over_factorial / sizeof *bernoulli_over_factorial; ++k) {
    double term = bernoulli_over_factorial[k] * factor;
    tail += term;
    if (fabs(term) < fabs(tail) * DBL_EPSILON / 4) break;
    factor *= (x + 2 * k + 1) * (x + 2 * k + 2) / (base * base);
  }
  return sum + tail;
}

double hd_polygamma(double n, double x) {
  if (isnan(n) || isnan(x) || n < 0 || n != floor(n)) return NAN;
  if (n == 0) return hd_digamma(x);
  double zeta = hd_zeta(n + 1, x);
  double sign = fmod(n, 2) == 0 ? -1 : 1;
  if (n <= 20) return sign * tgamma(n + 1) * zeta;
  return sign * exp(hd_lgamma(n + 1) + log(zeta));
}

double hd_erf_inv(double x) {
  if (isnan(x) || fabs(x) > 1) return NAN;
  if (fabs(x) == 1) return copysign(INFINITY, x);
  if (x == 0) return x;
  double a = fabs(x), y;
  double rest = 1 - a; /* exact for a >= 0.5 */
  /* A start good to about 1e-3 (Winitzki), refined by Halley's rule on erf or, near one, on log erfc. */
  double l = log1p(-a * a), t = 2 / (M_PI * 0.147) + l / 2;
  y = sqrt(fmax(sqrt(t * t - l / 0.147) - t, 0));
  if (y == 0) y = a * sqrt(M_PI) / 2;
  for (int i = 0; i < 4; ++i) {
    double slope = 2 / sqrt(M_PI) * exp(-y * y);
    double error = a < 0.5 ? erf(y) - a : rest - erfc(y);
    if (slope == 0) break;
    double step = error / slope;
    y -= step / (1 + y * step);
  }
  return copysign(y, x);
}

double hd_bessel_i1e(double x) {
  if (isnan(x)) return x;
  double a = fabs(x), result;
  if (isinf(a)) return copysign(0.0, x);
  if (a < 30) {
    /* sum of (a/2)^(2k+1) / (k! (k+1)!): all terms have one sign */
    double term = a / 2, square = a * a / 4;
    result = 0;
    for (int k = 1; term > result * DBL_EPSILON / 16; ++k) {
      result += term;
      term *= square / ((double)k * (k + 1));
    }
    result *= exp(-a);
  } else {
    /* 1/sqrt(2 pi a) (1 - 3/(8a) - 15/(2 (8a)^2) - ...): terms (4 - (2k-1)^2) / (k 8a) */
    double term = 1;
    result = 0;
    for (int k = 1; k < 40 && fabs(term) > DBL_EPSILON / 16; ++k) {
      result += term;
      term *= -(4 - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8 * a);
    }
    result /= sqrt(2 * M_PI) * sqrt(a);
  }
  return copysign(result, x);
}
