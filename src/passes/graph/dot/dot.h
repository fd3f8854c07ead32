/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of disc-dot-rewriter: a dot's operands as batching, contracting and free dims, and its rewrites. */
#ifndef HD_PASSES_GRAPH_DOT_DOT_H_
#define HD_PASSES_GRAPH_DOT_DOT_H_

#include "pass/pass.h"

typedef struct hd_dot_dims {
  int64_t items[HD_COMPILED_MAX_RANK];
  uint32_t count;
} hd_dot_dims;

/* Of one operand: its batching, contracting and free dims. */
typedef struct hd_dot_side {
  hd_dot_dims batch, contract, rest;
} hd_dot_side;

/* Is |op| a dot or a dot_general? */
bool hd_is_dot(const hd_op *op);
bool hd_dot_has(const hd_dot_dims *d, int64_t dim);
/* Operand |i| of a dot or dot_general; false when its rank is too large. */
bool hd_dot_side_of(hd_op *op, uint32_t i, hd_dot_side *out);
/* |op| as a dot_general of |lhs| and |rhs| with |type| as its result. */
hd_value *hd_build_dot(hd_builder *b, hd_op *op, hd_value *lhs, hd_value *rhs, const hd_dot_side *l,
                       const hd_dot_side *r, hd_type type);

/* dot_merge.c: |dots|, of which those that share an operand become one; merged ones are null then. */
void hd_dot_merge(hd_pass *pass, hd_op **dots, size_t count);
/* dot_align.c: |op| padded to multiples of |align| where that pays. */
void hd_dot_align(hd_pass *pass, hd_op *op, int64_t align, int64_t min_size);

#endif
