/* SPDX-License-Identifier: Apache-2.0 */
/* What the RAL entries of the GEMM library share. */
#ifndef HD_RUNTIME_LIBRARIES_GEMM_RAL_H_
#define HD_RUNTIME_LIBRARIES_GEMM_RAL_H_

#include "runtime/libraries/gemm.h"
#include "runtime/ral.h"

/* The process's context for the kernels that the run may use; null after a failure, which it reports. */
hd_gemm_context *hd_gemm_ral_context(hd_ral_context *ctx);
/* The run's threads and bound weights. */
hd_gemm_env hd_gemm_ral_env(hd_ral_context *ctx);

#endif
