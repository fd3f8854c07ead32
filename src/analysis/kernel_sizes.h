/* SPDX-License-Identifier: Apache-2.0 */
/* What of a buffer is passed to a kernel in device form, and what memory its launch gives it. */
#ifndef HD_ANALYSIS_KERNEL_SIZES_H_
#define HD_ANALYSIS_KERNEL_SIZES_H_

#include "ir/op.h"

/* Is the size of dim |d| of |argument|, a memref, a word of |kernel|'s launches? Sizes that the type says are none,
 * nor, where the argument has hd.sizes, those that are not listed (disc-kernel-arguments). */
bool hd_kernel_takes_size(const hd_op *kernel, uint32_t argument, uint32_t d);

/* Is |op| a global of a gpu.module in machine form that is the memory whose size the launch gives: an array of no
 * elements in the block's space? */
bool hd_is_dynamic_shared(const hd_op *op);

#endif
