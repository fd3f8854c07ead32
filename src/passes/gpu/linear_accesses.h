/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses by position instead of by index, while the shapes of a fusion's buffers are known. */
#ifndef HD_PASSES_GPU_LINEAR_ACCESSES_H_
#define HD_PASSES_GPU_LINEAR_ACCESSES_H_

#include "shape/shapes.h"

/* Loads and stores in |loop|, an scf.parallel, that run over whole dims of their buffer read a flat view of it:
 *
 *   %x = memref.load %a[%i, %j]      ->      %v = memref.collapse_shape %a [[0, 1]]
 *                                            %k = %i * %d1 + %j
 *                                            %x = memref.load %v[%k]
 *
 * where %d1, the size of the dim that %j runs over, is the last dim of %a: the end of a loop, or what a position was
 * divided by. So buffers of one shape have one position, loads of which merge, and hd_fold_positions finds it. */
void hd_linearize_accesses(hd_shapes *shapes, hd_op *loop, hd_arena *arena);

/* (x / d) * d + x % d is x: in |loop|, in order. Dead arithmetic goes with it. True when anything changed. */
bool hd_fold_positions(hd_op *loop, hd_arena *arena);

#endif
