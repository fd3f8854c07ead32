/* SPDX-License-Identifier: Apache-2.0 */
/* The dims of a ragged dot. Dim |ragged| of lhs is in groups one after the other, whose sizes an operand gives
 * ([g], or [prefix.., g] where groups differ along dims outside of the ragged one), and what is done depends on its
 * kind:
 *
 *   rows         [b, m, k], [g, b, k, n] -> [b, m, n]      each row times the matrix of its group
 *   contracting  [b, m, k], [b, k, n]    -> [g, b, m, n]   one product per group, over its part of k
 *   batch        [b, m, k], [b, k, n]    -> [b, m, n]      dot_general
 *
 * What follows the last group belongs to none: rows are zero, contracted elements add nothing. */
#ifndef HD_IR_RAGGED_DOT_H_
#define HD_IR_RAGGED_DOT_H_

#include "ir/types.h"

typedef enum hd_ragged_kind { HD_RAGGED_ROWS, HD_RAGGED_CONTRACTING, HD_RAGGED_BATCH } hd_ragged_kind;

typedef struct hd_ragged_dims {
  uint32_t count;
  int64_t at[HD_MAX_RANK];
} hd_ragged_dims;

typedef struct hd_ragged_dot {
  hd_ragged_kind kind;
  hd_ragged_dims lhs_batch, rhs_batch, lhs_contract, rhs_contract;
  hd_ragged_dims lhs_rows, rhs_columns;  /* the other dims, without the group dim, in order */
  int64_t ragged, rhs_ragged;            /* dim of lhs; of rhs when it is contracted or batch, else -1 */
  int64_t group;                         /* dim of rhs; -1: none */
  hd_ragged_dims lhs_prefix, rhs_prefix; /* dims along which groups may differ; of rhs where it is ragged */
} hd_ragged_dot;

/* Reads a #chlo.ragged_dot attribute for operands of the ranks. Null, or what is wrong with it ("expects ..."). */
const char *hd_ragged_dot_read(hd_attr numbers, uint32_t lhs_rank, uint32_t rhs_rank, hd_ragged_dot *out);

#endif
