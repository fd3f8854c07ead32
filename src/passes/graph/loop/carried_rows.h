/* SPDX-License-Identifier: Apache-2.0 */
/* split-carried-rows: what its files share. carried_rows.c finds the values that may be taken apart,
 * split_carried_rows.c does it. */
#ifndef HD_PASSES_GRAPH_LOOP_CARRIED_ROWS_H_
#define HD_PASSES_GRAPH_LOOP_CARRIED_ROWS_H_

#include "base/map.h"
#include "base/vec.h"
#include "passes/analyses.h"

typedef struct hd_carried_rows {
  hd_pass *pass;
  hd_op *loop;
  uint32_t at; /* the carried value */
  uint32_t rows;
  hd_block *body;
  hd_shapes *shapes; /* of |func| before anything changes; null until a slice is looked at */
  hd_op *func;
  hd_map split; /* value -> its rows, an array of |rows| values, once they are made */
  hd_vec(hd_value *) work;
  uint32_t stacks, reads, ops;
  hd_arena *arena; /* |pass|'s */
} hd_carried_rows;

/* Is value |at| of the loop read and made row by row in the body? Then |split| has what is to be taken apart, without
 * rows, and |shapes| is there. */
bool hd_may_carry_rows(hd_carried_rows *s);

/* Is |op| `concatenate` of rows along the first dim? */
bool hd_stacks_rows(const hd_carried_rows *s, const hd_op *op);
bool hd_slices_rows(const hd_op *op);
/* The row that |op|, a slice, takes as a whole; -1 for any other. */
int64_t hd_row_of_slice(hd_carried_rows *s, hd_op *op);

#endif
