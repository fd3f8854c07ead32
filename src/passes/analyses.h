/* SPDX-License-Identifier: Apache-2.0 */
/* The analyses that passes share (pass/analyses.h). */
#ifndef HD_PASSES_ANALYSES_H_
#define HD_PASSES_ANALYSES_H_

#include "pass/analyses.h"
#include "shape/shapes.h"

/* Symbolic dims of |func|'s values; lent until |pass| ends. */
hd_shapes *hd_pass_shapes(hd_pass *pass, hd_op *func);

#endif
