/* SPDX-License-Identifier: Apache-2.0 */
/* The emitter behind emit.h. Internal to codegen/math: expand.c makes one per expansion. */
#ifndef HD_CODEGEN_MATH_EMITTER_H_
#define HD_CODEGEN_MATH_EMITTER_H_

#include "codegen/math/emit.h"
#include "ir/builder.h"

struct hd_math_emitter {
  hd_builder *b;
  bool is64;
  hd_type types[MATH_S + 1]; /* by math_type */
};

/* |type|: f32 or f64, or a vector of them. */
void hd_math_emitter_init(E *e, hd_builder *b, hd_type type);
#endif
