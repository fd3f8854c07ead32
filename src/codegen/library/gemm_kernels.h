/* SPDX-License-Identifier: Apache-2.0 */
/* The GEMM kernels as IR. Heddle generates the code of its own matrix products: the build runs this generator for every
 * row of runtime/libraries/gemm_kernels.def and links the objects into the runtime, so programs spend no time compiling
 * them. */
#ifndef HD_CODEGEN_LIBRARY_GEMM_KERNELS_H_
#define HD_CODEGEN_LIBRARY_GEMM_KERNELS_H_

#include "ir/op.h"

/* Adds one func.func with the attribute hd.kernel (target/cpu/cpu.h) to |module| for each row whose isa
 * is |isa|, "v3", "v4" or "v4_bf16", named as gemm_kernels.def says. False when |isa| is none.
 * Allocates in the module and the context. */
bool hd_gemm_kernels_emit(hd_module *module, const char *isa);

#endif
