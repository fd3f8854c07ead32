/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of disc-lower-to-kernels: the routes that are the CPU's alone, a file each; loop and row kernels are
 * hd_lower_by alone. Each takes a buffer op or fusion, puts what stands for it before it and erases it; false with an
 * error reported. */
#ifndef HD_PASSES_KERNEL_ROUTES_H_
#define HD_PASSES_KERNEL_ROUTES_H_

#include "passes/lowering/library.h"

/* Kernels that update copies of their operands (lower_in_place.c). */
bool hd_lower_scatter(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set);
bool hd_lower_update(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set, hd_op *update);
/* Before other ops are lowered: what only counts positions for |sort| is not made. */
void hd_prepare_sort(hd_op *sort);
bool hd_lower_sort(hd_lowering *ctx, hd_op *op);
bool hd_lower_scan(hd_lowering *ctx, hd_op *op, hd_kernel_set *set, hd_op *scan);
/* A fusion of column reductions. */
bool hd_lower_columns(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set);

#endif
