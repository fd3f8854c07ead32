/* SPDX-License-Identifier: Apache-2.0 */
/* How mhlo.associative_scan is divided, and its two kernels (scan_kernel.c). */
#ifndef HD_CODEGEN_EMIT_SCAN_H_
#define HD_CODEGEN_EMIT_SCAN_H_

#include "codegen/emit/kernels.h"

typedef struct hd_scan_plan {
  uint32_t axis;
  bool is_row;                 /* nothing is inside of the scanned dim */
  bool in_order;               /* each element after the one before it: the body rounds */
  hd_dim outer, length, inner; /* the dims before the scanned one, it, those inside of it */
  hd_dim tiles, lines;         /* tiles of neighbours: of |inner|, and in all */
  hd_dim blocks, block;        /* of a line: how many, and elements of each; the last may have fewer */
  hd_dim width;                /* outer * inner: totals are [blocks, width] */
} hd_scan_plan;

void hd_plan_scan(hd_shapes *shapes, hd_op *op, hd_scan_plan *out);

/* The last of the ops is the scan, the others make its operands. As many buffers for totals as the scan has outputs
 * follow its outputs; none where every line is one block: there are no totals then. */
bool hd_emit_scan_totals_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                hd_kernel_launch *out);
bool hd_emit_scan_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                         hd_kernel_launch *out);

#endif
