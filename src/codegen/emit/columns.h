/* SPDX-License-Identifier: Apache-2.0 */
/* How a kernel of column reductions is divided, and its two kernels (column_kernel.c). */
#ifndef HD_CODEGEN_EMIT_COLUMNS_H_
#define HD_CODEGEN_EMIT_COLUMNS_H_

#include "codegen/emit/reduction.h"

typedef struct hd_column_plan {
  uint32_t begin, end;  /* the reduced dims */
  hd_dim rows;          /* their number of elements */
  hd_dim width;         /* of a result */
  hd_dim blocks, block; /* of rows: how many, and rows of each; the last may have fewer */
} hd_column_plan;

/* False: sizes of the plan or of its launch are larger than expressions of dims may be. */
bool hd_plan_columns(hd_shapes *shapes, const hd_op *reduction, hd_column_plan *out);

/* The reductions of |ops| in order; |out| has room for all ops. */
uint32_t hd_column_reductions(const hd_kernel_ops *ops, hd_op **out);

/* |ops| are column reductions of the same dims of operands of one shape, with what makes those; outputs are of that
 * shape, or results. As many buffers [blocks, width] as there are reductions follow the outputs: the totals.
 *
 *   totals  writes the totals, and the outputs that are no results
 *   join    writes the results */
bool hd_emit_column_totals_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                  hd_kernel_launch *out);
bool hd_emit_column_join_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                hd_kernel_launch *out);

#endif
