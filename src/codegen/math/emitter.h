/* SPDX-License-Identifier: Apache-2.0 */
/* The emitter behind emit.h. Internal to codegen/math: expand.c makes one per expansion. */
#ifndef HD_CODEGEN_MATH_EMITTER_H_
#define HD_CODEGEN_MATH_EMITTER_H_

#include "codegen/math/emit.h"
#include "ir/builder.h"

struct hd_math_emitter {
  hd_builder *b;
  bool is64, instructions;   /* f64; the device has those of fast.def */
  hd_type types[MATH_S + 1]; /* by math_type */
};

/* |type|: f32 or f64, or a vector of them. */
void hd_math_emitter_init(E *e, hd_builder *b, hd_type type);
/* |family| of |count| operands, in f32 where they are narrower; null for types that it does not have. */
V hd_math_emit(hd_builder *b, V (*family)(E *e, const V *args), V const *operands, int count, bool instructions);
#endif
