/* SPDX-License-Identifier: Apache-2.0 */
/* The vector width of kernels of narrow elements. */
#ifndef HD_CODEGEN_EMIT_WIDE_LANES_H_
#define HD_CODEGEN_EMIT_WIDE_LANES_H_

#include "codegen/emit/kernels.h"

/* Lanes of a vector of 64 bytes of the largest elements where those of |ops| have one or two bytes, and are moved,
 * neighbours to neighbours, or integers and bools that are computed with; else 0. The pieces of |g| are known. */
uint32_t hd_wide_lanes(hd_generator *g, const hd_kernel_ops *ops);

#endif
