/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of complex numbers, from the real ones of the library. Parts are scalars or vectors of f32 or f64. */
#ifndef HD_CODEGEN_MATH_COMPLEX_H_
#define HD_CODEGEN_MATH_COMPLEX_H_

#include "ir/builder.h"

typedef struct hd_complex_parts {
  hd_value *re, *im;
} hd_complex_parts;

/* Whether |opcode|, a stablehlo or mhlo op, has an expansion on complex operands. */
bool hd_math_can_expand_complex(hd_opcode opcode);

/* |opcode| of |operands|. Each part is within a few units in the last place of the larger part's scale; where a part is
 * a difference of nearly equal numbers its error is relative to those. Infinite parts give what C's Annex G gives for
 * exp, log and sqrt, and otherwise what the formulas give. */
bool hd_math_expand_complex(hd_builder *b, hd_opcode opcode, const hd_complex_parts *operands, hd_complex_parts *out);

#endif
