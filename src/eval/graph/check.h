/* SPDX-License-Identifier: Apache-2.0 */
/* Expectations and probes. */
#ifndef HD_EVAL_GRAPH_CHECK_H_
#define HD_EVAL_GRAPH_CHECK_H_

#include <stdio.h>

#include "eval/core/frame.h"

typedef enum hd_expectation {
  HD_EXPECT_EQ,        /* == per element: NaN differs from NaN */
  HD_EXPECT_ALMOST_EQ, /* |a - b| <= tolerance; equal values and two NaNs pass; infinities equal only themselves */
  HD_EXPECT_CLOSE,     /* the distance in units of the last place is within [min_ulp, max_ulp]; two NaNs are 0 apart */
} hd_expectation;

/* A custom call that is an expectation; null when |target| names none. */
typedef struct hd_expectation_call {
  const char *target;
  hd_expectation kind;
  double tolerance;
  int64_t max_ulp;
} hd_expectation_call;
const hd_expectation_call *hd_expectation_call_of(hd_str target);

/* Compares; what does not hold is counted and reported. A failure status means that it could not be compared. */
hd_status hd_eval_expect(hd_eval_frame *frame, hd_op *op, hd_expectation kind, double tolerance, int64_t min_ulp,
                         int64_t max_ulp, const hd_tensor *actual, const hd_tensor *expected,
                         bool *out_holds) HD_MUST_USE;

#endif
