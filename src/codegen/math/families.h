/* SPDX-License-Identifier: Apache-2.0 */
/* The expansions, one per row of math.def, and the pieces that families lend each other. Internal to codegen/math. */
#ifndef HD_CODEGEN_MATH_FAMILIES_H_
#define HD_CODEGEN_MATH_FAMILIES_H_

#include "codegen/math/emit.h"

/* args -> the result, all of type F. */
typedef V (*hd_math_family)(E *e, const V *args);
#define ROW(name, ...) V hd_math_##name(E *e, const V *args);
#include "codegen/math/math.def"

/* e^(x + lo) = p * 2^n: returns p in about [0.7, 1.42] and n in |*out_bits| in the form that hd_math_scale takes.
 * |lo|, null or at most some ulps of x, refines x. NaN gives a NaN p. */
V hd_math_exp_split(E *e, V x, V lo, V *out_bits);
/* factors[i] *= e^x, or e^x / 2, for |factors[i]| <= 1 or NaN: overflows where the product does, not where e^x does. */
void hd_math_exp_times(E *e, V x, bool halved, V *factors, uint32_t count);
/* p * 2^n, rounded once, for n within twice the exponent range. Adding a small integer to |bits| adds it to n. */
V hd_math_scale(E *e, V p, V bits);
/* 1 - e^x, its sign bit clear, for x in [-50, 0] or NaN. */
V hd_math_one_minus_exp(E *e, V x);

/* x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), for positive finite x: returns f; garbage for other x. */
V hd_math_log_split(E *e, V x, V *out_k);
/* 2^(a + b) = p * 2^n as above, for a in about ±1100 (NaN gives NaN) and |b| at most some ulps of a. */
V hd_math_exp2_split(E *e, V a, V b, V *out_bits);
/* x = n pi/2 + r with |r| <= pi/4 (a little more at the rounding of n): returns r and, of n, an integer that equals it
 * mod 4. Not finite x: NaN. */
V hd_math_reduce(E *e, V x, V *out_n);

#endif
