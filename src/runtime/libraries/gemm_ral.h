/* SPDX-License-Identifier: Apache-2.0 */
/* What the RAL entries of the GEMM library share. */
#ifndef HD_RUNTIME_LIBRARIES_GEMM_RAL_H_
#define HD_RUNTIME_LIBRARIES_GEMM_RAL_H_

#include "runtime/driver.h"
#include "runtime/libraries/gemm.h"
#include "runtime/ral.h"

/* The process's context for the kernels that the run may use; null after a failure, which it reports. */
hd_gemm_context *hd_gemm_ral_context(hd_ral_context *ctx);
/* The run's threads and bound weights. */
hd_gemm_env hd_gemm_ral_env(hd_ral_context *ctx);
/* Bytes from element 0 to after the last one of lhs (0), rhs (1) and out (2). */
size_t hd_gemm_ral_bytes(const hd_gemm_call *call, hd_element_type type, int operand);
/* Was the product computed by a library of the device, on the run's stream? False: it
 * has none that takes it, or that failed. */
bool hd_gemm_ral_on_device(hd_ral_context *ctx, const hd_gemm_call *call, bool tf32);
bool hd_conv_ral_on_device(hd_ral_context *ctx, const hd_device_convolution *convolution);

#endif
