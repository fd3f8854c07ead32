/* SPDX-License-Identifier: Apache-2.0 */
/* Float and complex tensors as arrays of double complex. */
#ifndef HD_EVAL_LINALG_H_
#define HD_EVAL_LINALG_H_

#include "eval/frame.h"

#endif
