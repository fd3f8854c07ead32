/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers at places in equal steps, which are slices. */
#ifndef HD_PASSES_GRAPH_SIMPLIFY_GATHER_STEPS_H_
#define HD_PASSES_GRAPH_SIMPLIFY_GATHER_STEPS_H_

#include "shape/shapes.h"

/* Replaces |op|, a gather with the dimension numbers |numbers|, by slices where its places are progressions; else
 * false. */
bool hd_gather_steps(hd_shapes *shapes, hd_op *op, hd_attr numbers);

#endif
