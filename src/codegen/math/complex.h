/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of complex numbers, from the real ones of the library. Parts are scalars or vectors of f32 or f64. */
#ifndef HD_CODEGEN_MATH_COMPLEX_H_
#define HD_CODEGEN_MATH_COMPLEX_H_

#include "ir/builder.h"

struct hd_math_emitter; /* codegen/math/emitter.h */

typedef struct hd_complex_parts {
  hd_value *re, *im;
} hd_complex_parts;

/* Each part is within a few units in the last place of the larger part's scale; where a part is a difference of nearly
 * equal numbers its error is relative to those. Infinite parts give what C's Annex G gives for exp, log and sqrt, and
 * otherwise what the formulas give. |x|: the operands; power and angle (atan2) have two. */
typedef hd_complex_parts hd_complex_function(struct hd_math_emitter *e, const hd_complex_parts *x);
hd_complex_function hd_complex_exponential, hd_complex_exponential_minus_one, hd_complex_logarithm,
    hd_complex_log_plus_one, hd_complex_logistic, hd_complex_square_root, hd_complex_inverse_root, hd_complex_cube_root,
    hd_complex_sine, hd_complex_cosine, hd_complex_tangent, hd_complex_sine_h, hd_complex_cosine_h,
    hd_complex_tangent_h, hd_complex_arc_sine, hd_complex_arc_cosine, hd_complex_arc_tangent, hd_complex_arc_sine_h,
    hd_complex_arc_cosine_h, hd_complex_arc_tangent_h, hd_complex_power, hd_complex_angle, hd_complex_sign;

/* |function| of |operands|; false when their parts are neither f32 nor f64. */
bool hd_math_expand_complex(hd_builder *b, hd_complex_function *function, const hd_complex_parts *operands,
                            hd_complex_parts *out);

#endif
