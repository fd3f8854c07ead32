/* SPDX-License-Identifier: Apache-2.0 */
/* When are 32 bits enough for the index arithmetic of a kernel? The host asks before each launch. */
#ifndef HD_PASSES_GPU_INDEX_WIDTH_H_
#define HD_PASSES_GPU_INDEX_WIDTH_H_

#include "ir/builder.h"

/* The condition, i1, under which |loop|, a flat scf.parallel that |threads| run (an index of the host, at least the
 * loop's end), gives the same with values of index type of 32 bits, built at |host|; a constant where sizes are known,
 * null where no condition is enough.
 *
 * Buffers take less than 2^31 - 1 bytes, so the low 32 bits of what an access counts are enough, whatever wrapped on
 * the way. What is compared, divided, widened or bounds a loop must be right itself: it and all that it is made of are
 * in [-2^31, 2^31), operands of unsigned divisions and shifts in [0, 2^31). Bounds are those of interval arithmetic,
 * lower ones constants, upper ones computed by the host from the sizes of this run. Numbers of 64 bits that |loop|
 * reads and clamps are clamped before they become indices. */
hd_value *hd_index_width_condition(hd_builder *host, hd_op *loop, hd_value *threads, hd_arena *arena);

#endif
