/* SPDX-License-Identifier: Apache-2.0 */
/* The custom calls that JAX writes for linear algebra on its platform cpu (lapack_sgeqrf_ffi, ...): factorisations of
 * real matrices are the runtime's own (dense.h), the others run on the LAPACK that the system has (lapacke.h). It is
 * opened when first called; without one a call fails with UNAVAILABLE, which says so. Tensors are as JAX asks for them:
 * matrices column by column, one after the other. Thread-safe. */
#ifndef HD_RUNTIME_LIBRARIES_LAPACK_H_
#define HD_RUNTIME_LIBRARIES_LAPACK_H_

#include <stdbool.h>
#include <stddef.h>

#include "heddle/runtime.h"
#include "runtime/libraries/gemm.h"

/* Is |name| (of |size| bytes) one of these targets? */
bool hd_lapack_knows(const char *name, size_t size);

/* Do its results follow from its operands, up to rounding (lapack_rows.def)? */
bool hd_lapack_is_unique(const char *name, size_t size);

/* Calls |target|, which must be one of them; the matrices of a batch in parallel on |env|'s threads (null: here). The
 * results are the same for any number of threads. */
hd_status hd_lapack_call(const char *target, const hd_custom_call *call, hd_gemm_context *gemm,
                         const hd_gemm_env *env) HD_MUST_USE;

#endif
