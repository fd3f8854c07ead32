/* SPDX-License-Identifier: Apache-2.0 */
/* An item of the kernel of column totals, while its code is made (column_kernel.c). */
#ifndef HD_CODEGEN_EMIT_COLUMN_STATE_H_
#define HD_CODEGEN_EMIT_COLUMN_STATE_H_

#include "codegen/emit/columns.h"
#include "codegen/emit/frame.h"

enum { HD_COLUMN_ROWS = 8 /* that are read at once, at most */ };

typedef struct hd_column_state {
  hd_frame f;
  const hd_kernel_ops *ops;
  hd_column_plan plan;
  hd_value *full; /* an operand of a reduction */
  uint32_t rank, count;
  hd_op **reductions;
  hd_value *const *totals; /* one per reduction */
  size_t output_count;     /* without the totals */
  bool merged[HD_COMPILED_MAX_RANK];
  uint32_t inner_first; /* dims [inner_first, rank) are walked as one */
  hd_dim inner, middle; /* elements of those, and of [end, inner_first) */
  /* of the item */
  hd_value *block, *first; /* the block of rows, the result of the first neighbour */
  hd_value *lower, *upper; /* the stripe */
  hd_lane_index outer[HD_COMPILED_MAX_RANK];
  uint32_t together; /* rows that a step takes, and their indices */
  hd_lane_index rows[HD_COLUMN_ROWS][HD_COMPILED_MAX_RANK];
} hd_column_state;

/* The total of neighbour |i| of the item: a tuple of its own each time, since what is there changes. */
hd_index_tuple *hd_column_total(hd_column_state *s, hd_generator *g, hd_lane_index i);
/* Adds the elements at |at| to |sums|, one per reduction, and stores there what is no result. */
bool hd_column_add(hd_column_state *s, hd_generator *g, const hd_index_tuple *at, hd_element *sums);

/* Where rows are known to be shorter than a vector: writes the totals of as many rows from |*begin| on as are side by
 * side in whole vectors; |*begin| is then the first row that is left. The totals are neutral before. */
bool hd_column_add_narrow(hd_column_state *s, hd_value **begin, hd_value *end);

#endif
