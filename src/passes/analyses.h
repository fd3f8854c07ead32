/* SPDX-License-Identifier: Apache-2.0 */
/* The analyses that passes share (pass/analyses.h), from the rows of analyses.def. */
#ifndef HD_PASSES_ANALYSES_H_
#define HD_PASSES_ANALYSES_H_

#include "analysis/buffer_places.h"
#include "pass/analyses.h"
#include "shape/shapes.h"

enum {
#define ANALYSIS(bit, ...) HD_ANALYSIS_##bit,
#include "passes/analyses.def"
};

/* For |preserves| of a pass. */
enum {
  HD_PRESERVES_NOTHING = 0,
#define ANALYSIS(bit, ...) HD_PRESERVES_##bit = 1 << HD_ANALYSIS_##bit,
#include "passes/analyses.def"
};

/* hd_pass_shapes(pass, func), ...: what is known of |func|; lent until |pass| ends. */
#define ANALYSIS(bit, name, type, ...) type *hd_pass_##name(hd_pass *pass, hd_op *func);
#include "passes/analyses.def"

#endif
