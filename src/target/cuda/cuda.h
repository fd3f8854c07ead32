/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA target: kernels in machine form in, PTX out. Thread-safe. */
#ifndef HD_TARGET_CUDA_CUDA_H_
#define HD_TARGET_CUDA_CUDA_H_

#include "ir/op.h"

/* PTX for sm_|architecture| (80, 90, ...; INVALID_ARGUMENT for others than LLVM knows) of all kernels
 * of |module|'s gpu.modules, which must be in machine form (verify-machine-form), as one image in
 * |arena|. NOT_FOUND when there is no kernel. */
hd_status hd_cuda_ptx(hd_module *module, int architecture, hd_arena *arena, hd_str *out_text) HD_MUST_USE;

#endif
