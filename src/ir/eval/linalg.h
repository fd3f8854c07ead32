/* SPDX-License-Identifier: Apache-2.0 */
/* Float and complex tensors as arrays of double complex. */
#ifndef HD_IR_EVAL_LINALG_H_
#define HD_IR_EVAL_LINALG_H_

#include "ir/eval/frame.h"

/* All elements, for the time of the op. */
hd_status hd_eval_load_matrices(hd_eval_frame *frame, const hd_tensor *tensor, double complex **out) HD_MUST_USE;
/* Rounds all elements; floats take the real parts. */
void hd_store_matrices(const hd_tensor *tensor, const double complex *values);

#endif
