/* SPDX-License-Identifier: Apache-2.0 */
/* Which number of a launch an op gives (ops/grid_numbers.def), of gpu's ops and of PTX's special registers alike. */
#ifndef HD_IR_GRID_NUMBER_H_
#define HD_IR_GRID_NUMBER_H_

#include "ir/op.h"

typedef enum hd_grid_what {
  HD_GRID_NOTHING,
  /* along a dim */
  HD_GRID_BLOCK,  /* index of the block in the grid */
  HD_GRID_THREAD, /* index of the thread in the block */
  HD_GRID_GRID_DIM,
  HD_GRID_BLOCK_DIM,
  HD_GRID_GLOBAL, /* index of the thread in the grid */
  /* of subgroups */
  HD_GRID_LANE,
  HD_GRID_SUBGROUP,
  HD_GRID_SUBGROUPS,
  HD_GRID_SUBGROUP_SIZE,
  /* of clusters */
  HD_GRID_CLUSTER_BLOCK,
  HD_GRID_CLUSTER_BLOCKS,
  HD_GRID_COUNT
} hd_grid_what;

typedef struct hd_grid_number {
  hd_grid_what what;
  uint32_t dim; /* 0 to 2 */
} hd_grid_number;

/* HD_GRID_NOTHING of other ops. */
hd_grid_number hd_grid_number_of(const hd_op *op);
extern const uint8_t hd_grid_whats[HD_OPCODE_COUNT];
/* Is it an op of the gpu dialect, which gives such a number as an index? False for null. */
static inline bool hd_is_grid_index(const hd_op *op) {
  return op && hd_grid_whats[hd_opcode_get(op)] && hd_type_is(hd_result_type(op, 0), HD_TYPE_INDEX);
}
/* Do the threads of a block get different ones? */
bool hd_grid_differs_in_block(hd_grid_what what);

#endif
