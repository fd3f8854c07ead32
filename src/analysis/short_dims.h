/* SPDX-License-Identifier: Apache-2.0 */
/* Products and reductions over so few elements that the lanes of a vector are better used for many of them: they are
 * loop kernels of the CPU, and neither calls of a library nor walks along rows. */
#ifndef HD_ANALYSIS_SHORT_DIMS_H_
#define HD_ANALYSIS_SHORT_DIMS_H_

#include "ir/op.h"

/* A product of known small matrices; its batch dims may be any. |op| is a dot or dot_general, of tensors or buffers. */
bool hd_is_small_product(hd_op *op);
/* A reduction of dims of a known small size, to more results than a few. */
bool hd_is_short_reduction(hd_op *op);

#endif
