/* SPDX-License-Identifier: Apache-2.0 */
/* Hoisting out of one loop. */
#ifndef HD_PASSES_GRAPH_LOOP_LOOP_INVARIANT_CODE_MOTION_H_
#define HD_PASSES_GRAPH_LOOP_LOOP_INVARIANT_CODE_MOTION_H_

#include "passes/analyses.h"

/* What a pass that hoists out of the loops of a function knows. */
typedef struct hd_hoisting {
  hd_pass *pass;
  hd_op *func;                 /* that the loops are in */
  hd_shapes *shapes;           /* of |func| before anything moved; null until an op with unknown dims may move */
  bool (*may_move)(hd_op *op); /* must agree; null: always does */
} hd_hoisting;

/* May |op| run where the program may not? It must be pure and free of errors, those of dims that contradict included.
 */
bool hd_may_speculate(hd_hoisting *hoisting, hd_op *op);

/* True when |op|, regions included, uses nothing that is defined inside |loop| (itself apart). */
bool hd_uses_only_outside(hd_op *op, hd_op *loop);
/* Moves what does not change out of |loop|, in order, so that what depends only on moved ops follows them. Ops of
 * |always|, a region that runs at least once (-1: there is none), move when they are pure; others must be free of
 * errors too, since the loop may run zero times. Inner loops come before outer ones. True when something moved. */
bool hd_hoist_invariant(hd_hoisting *hoisting, hd_op *loop, int always);
/* Moves what does not change out of the branches of if and case ops in |loop|, before it or, what all branches compute,
 * before the if (branch_invariants.c). True when something moved: then more may. */
bool hd_hoist_from_branches(hd_hoisting *hoisting, hd_op *loop);

#endif
