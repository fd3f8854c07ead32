/* SPDX-License-Identifier: Apache-2.0 */
/* Hoisting out of one loop. */
#ifndef HD_PASSES_GRAPH_LOOP_INVARIANT_CODE_MOTION_H_
#define HD_PASSES_GRAPH_LOOP_INVARIANT_CODE_MOTION_H_

#include "ir/op.h"

/* True when |op|, regions included, uses nothing that is defined inside |loop| (itself apart). */
bool hd_uses_only_outside(hd_op *op, hd_op *loop);
/* Moves what does not change out of |loop|, in order, so that what depends only on moved ops follows them. Ops of
 * |always|, a region that runs at least once (-1: there is none), move when they are pure; others must be free of
 * errors too, since the loop may run zero times. Inner loops come before outer ones. Where |may_move| is given, it must
 * agree. True when something moved. */
bool hd_hoist_invariant(hd_op *loop, int always, bool (*may_move)(hd_op *op));
/* Moves what does not change out of the branches of if and case ops in |loop|, before it or, what all branches compute,
 * before the if (branch_invariants.c). True when something moved: then more may. */
bool hd_hoist_from_branches(hd_op *loop, bool (*may_move)(hd_op *op));

#endif
