/* SPDX-License-Identifier: Apache-2.0 */
/* The vector width of kernels that only move elements. */
#ifndef HD_CODEGEN_EMIT_MOVES_H_
#define HD_CODEGEN_EMIT_MOVES_H_

#include "codegen/emit/kernels.h"

/* Lanes of a vector of 64 bytes where |ops| only move elements, neighbours to neighbours, of a size that fills less by
 * HD_LANES of them; else 0. The pieces of |g| are known. */
uint32_t hd_moved_lanes(hd_generator *g, const hd_kernel_ops *ops, hd_value *root);

#endif
