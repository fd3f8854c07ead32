/* SPDX-License-Identifier: Apache-2.0 */
/* The form of program that a pass takes: ops on tensors, or ops on buffers. */
#ifndef HD_PASS_TAKES_H_
#define HD_PASS_TAKES_H_

#include "pass/pass.h"

/* Is everything in |root| of the form that |info| takes? Otherwise false, with an error at the first op that is not.
 * An op that has tensors among its operands and results, and no buffers, is on tensors; the other way around it is on
 * buffers; one with both, or with neither, is of either form, and so are terminators and constants. Reducers and other
 * regions of an op of the right form are its own: what buffer ops apply to elements is written on tensors of rank 0.
 * Linear in the number of ops. */
bool hd_pass_check_takes(const hd_pass_info *info, hd_op *root);

#endif
