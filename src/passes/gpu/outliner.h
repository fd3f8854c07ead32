/* SPDX-License-Identifier: Apache-2.0 */
/* disc-outline-fusions: what its files share. Thread-compatible. */
#ifndef HD_PASSES_GPU_OUTLINER_H_
#define HD_PASSES_GPU_OUTLINER_H_

#include "analysis/captures.h"
#include "passes/lowering/lowering.h"

/* Columns and terms that are multiples of this fill whole tiles of every target: a kernel checks nothing of them, and
 * they only say how far apart rows are and how many blocks and steps there are. */
enum { HD_OPEN_SIZES_MULTIPLE = 128, HD_PRODUCT_BUFFERS = 3 };

/* For each dim of lhs, rhs and the result: 0 where it stays as it is, else the
 * number, from 1 on, of the size that it has. */
typedef struct hd_open_sizes {
  uint32_t size[HD_PRODUCT_BUFFERS][HD_MAX_RANK];
} hd_open_sizes;

/* outline_products.c: is |fusion|, which takes |captures|, one dot of some
 * unknown size and of such columns or terms? */
bool hd_outline_open_sizes(hd_op *fusion, const hd_captures *captures, hd_open_sizes *out);
/* The type of argument |i| of the function, without the sizes that are open; |open|: null where none is. */
hd_type hd_outline_argument_type(const hd_captures *captures, const hd_open_sizes *open, size_t i);

/* outline_constraints.c: |func|, which takes |captures|, says what the program knows of their dims (hd.dims,
 * hd.constraint). |out|: what dims that are no names of their own are of those that are, as text. */
typedef hd_vec(const char *) hd_outline_sizes;
void hd_outline_name_arguments(hd_lowering *ctx, hd_op *func, const hd_captures *captures, const hd_open_sizes *open,
                               hd_outline_sizes *out);
const char *hd_outline_dim_text(hd_lowering *ctx, hd_dim dim);

#endif
