/* SPDX-License-Identifier: Apache-2.0 */
/* Float and complex tensors as arrays of double complex. */
#ifndef HD_IR_EVAL_LINALG_H_
#define HD_IR_EVAL_LINALG_H_

#include "ir/eval/frame.h"

#endif
