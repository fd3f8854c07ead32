/* SPDX-License-Identifier: Apache-2.0 */
/* Values that can be computed before the loop that computes them. */
#ifndef HD_ANALYSIS_HOIST_H_
#define HD_ANALYSIS_HOIST_H_

#include "ir/op.h"

/* Is |value| known before |loop|, or made there by pure ops that can move out, or loaded from a known place of a buffer
 * that the loop only loads from? */
bool hd_can_hoist(hd_value *value, hd_op *loop);
/* Moves what makes |value|, for which hd_can_hoist holds, to before |loop|. */
void hd_hoist(hd_value *value, hd_op *loop);

#endif
