/* SPDX-License-Identifier: Apache-2.0 */
/* Which values of a kernel are read at the index of its outputs alone: what has been computed for an element of the
 * outputs is then all that is ever asked of them. */
#ifndef HD_CODEGEN_EMIT_OWN_INDEX_H_
#define HD_CODEGEN_EMIT_OWN_INDEX_H_

#include "codegen/emit/generator.h"
#include "codegen/emit/kernels.h"

/* Is |buffer|, a result of one of |ops|, read by elementwise ops alone, at their
 * own index, and are their results in turn? */
bool hd_is_read_at_own_index(hd_shapes *shapes, const hd_kernel_ops *ops, hd_value *buffer, hd_arena *arena);

#endif
