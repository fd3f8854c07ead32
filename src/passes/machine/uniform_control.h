/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow of kernels in machine form: which blocks all threads of a thread block come to, together. */
#ifndef HD_PASSES_MACHINE_UNIFORM_CONTROL_H_
#define HD_PASSES_MACHINE_UNIFORM_CONTROL_H_

#include "pass/pass.h"

/* Makes all threads of a block come to each op of |kernel|, an llvm.func, for which |meets| says that they have to.
 * Where a branch that goes by threads skips such ops, all take the way of those that go there, and what touches memory
 * on it is done by these alone.
 * False, with an error at the op, where threads leave a loop at different times or are on two ways. */
bool hd_make_uniform(hd_pass *pass, hd_op *kernel, bool (*meets)(const hd_op *op));

#endif
