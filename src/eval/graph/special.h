/* SPDX-License-Identifier: Apache-2.0 */
/* Special functions that libm lacks, in f64 to within a few units in the last place. Thread-safe. */
#ifndef HD_EVAL_GRAPH_SPECIAL_H_
#define HD_EVAL_GRAPH_SPECIAL_H_

#include <complex.h>

double hd_digamma(double x);             /* NaN at 0, -1, -2, ... */
double hd_zeta(double x, double q);      /* Hurwitz: sum over k >= 0 of (q + k)^-x */
double hd_polygamma(double n, double x); /* NaN unless n is an integer of 0 or more */
double hd_erf_inv(double x);
double hd_bessel_i1e(double x);
double hd_lgamma(double x);

#endif
