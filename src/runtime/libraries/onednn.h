/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix products by oneDNN, for who asks for it: the library is opened when it is first wanted. Debian's is built on
 * OpenMP, whose threads collapse when a core is taken, so each of our threads calls it with one OpenMP thread on some
 * rows of the product. */
#ifndef HD_RUNTIME_LIBRARIES_ONEDNN_H_
#define HD_RUNTIME_LIBRARIES_ONEDNN_H_

#include "runtime/libraries/gemm_problem.h"

/* UNAVAILABLE when the library cannot be opened, UNIMPLEMENTED for what its sgemm does not do: types other than f32,
 * operands that are contiguous in neither dim. */
hd_status hd_onednn_gemm(hd_gemm_context *context, const hd_gemm_problem *problem, const hd_gemm_env *env) HD_MUST_USE;
bool hd_onednn_is_there(void);

#endif
