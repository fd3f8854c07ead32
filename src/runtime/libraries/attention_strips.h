/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the attention library: how a call is divided (attention.c), and one strip of rows (attention_strips.c). */
#ifndef HD_RUNTIME_LIBRARIES_ATTENTION_STRIPS_H_
#define HD_RUNTIME_LIBRARIES_ATTENTION_STRIPS_H_

#include <stdatomic.h>

#include "runtime/libraries/attention.h"
#include "runtime/libraries/gemm_problem.h"

/* A dim of the rows as the operands see it. */
typedef struct hd_attention_row_dim {
  int64_t size, a, b, d, c; /* strides of the first product's operands, the second's right-hand side and the result */
} hd_attention_row_dim;

typedef struct hd_attention_plan {
  hd_gemm_context *context;
  const hd_attention_call *call;
  size_t score_bytes, weight_bytes;  /* of an element */
  int64_t rows, rows_of_batch, keys; /* all rows, those of one batch, and the length of each */
  int32_t outer_count;
  hd_attention_row_dim outer[HD_GEMM_MAX_DIMS], inner;
  int64_t outer_total, chunks, chunk_rows, strip_rows;
  bool pack;
  bool in_order;               /* the row kernel counts the rows as the first product does */
  int64_t query_step;          /* rows from one query to the next */
  int64_t key_step, most_keys; /* parts of the keys are multiples of the first, up to the second; 0: there are none */
  size_t scores_at, weights_at, first_at, second_at, unit_bytes;
  int64_t units, unit_items;
  _Atomic(hd_status) failed;
} hd_attention_plan;

/* What a unit works on. */
typedef struct hd_attention_unit {
  const char *a, *b, *d;
  char *c;
  int64_t row; /* number of the first of the inner rows among all */
  hd_gemm_packed first, second;
  int64_t finite_from; /* the rows of D from here on are finite; -1: not known yet */
  char *scratch;
} hd_attention_unit;

/* The dim of |role|; null where there is none. */
static inline const hd_gemm_dim *hd_attention_dim(const hd_gemm_call *call, hd_gemm_role role) {
  for (int32_t i = 0; i < call->dim_count; ++i)
    if (call->dims[i].role == role) return &call->dims[i];
  return NULL;
}

/* The row kernel over rows [begin, end), whose |limit| first keys count; scores and weights are
 * at the addresses that row 0 would have. */
void hd_attention_run_rows(const hd_attention_call *call, uintptr_t scores, uintptr_t weights, int64_t limit,
                           int64_t begin, int64_t end);
/* The products of |rows| rows of the unit, from its row |m0| on, with the first |keys| keys. */
hd_gemm_call hd_attention_first(const hd_attention_plan *r, const hd_attention_unit *u, int64_t m0, int64_t rows,
                                int64_t keys);
hd_gemm_call hd_attention_second(const hd_attention_plan *r, const hd_attention_unit *u, int64_t m0, int64_t rows,
                                 int64_t keys);
/* Computes rows [m0, m1) of the unit. */
hd_status hd_attention_strips(const hd_attention_plan *r, hd_attention_unit *u, int64_t m0, int64_t m1) HD_MUST_USE;

#endif
