/* SPDX-License-Identifier: Apache-2.0 */
/* Loop kernels that read through transposes: along two dims at once, in squares that fit registers. */
#ifndef HD_CODEGEN_EMIT_TILE_LOOPS_H_
#define HD_CODEGEN_EMIT_TILE_LOOPS_H_

#include "codegen/emit/frame.h"

typedef struct hd_tile_loops {
  uint32_t row_first, row_last;     /* the root's dims along which the transposes' operands are in memory */
  uint32_t inner_first, inner_last; /* those along which the outputs do */
  hd_op **transposes;
  size_t count;
} hd_tile_loops;

/* Do ops of |f| read through transposes that squares would turn? |root| is an
 * output, whose dims |merged| walks as one. */
bool hd_find_tile_loops(hd_frame *f, hd_value *root, const bool *merged, hd_tile_loops *out);
/* The loops over all elements of |root|, in an open frame; closes it. */
bool hd_emit_tile_loops(hd_frame *f, hd_value *root, const bool *merged, const hd_tile_loops *tiles,
                        hd_kernel_launch *out);

#endif
