/* SPDX-License-Identifier: Apache-2.0 */
/* The callee side of bf16-to-gpu. */
#ifndef HD_PASSES_GPU_BF16_TO_GPU_H_
#define HD_PASSES_GPU_BF16_TO_GPU_H_

#include "codegen/widen.h"
#include "pass/pass.h"

/* Does |type| hold bf16, at any depth? */
bool hd_holds_narrow(const hd_stored_element *element, hd_type type);
/* All of |kernels|, a gpu.module, on stored elements. */
bool hd_store_kernels(hd_pass *pass, const hd_stored_element *element, hd_op *kernels);

#endif
