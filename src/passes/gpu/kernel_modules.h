/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.modules as targets take them: one kernel each. */
#ifndef HD_PASSES_GPU_KERNEL_MODULES_H_
#define HD_PASSES_GPU_KERNEL_MODULES_H_

#include "pass/pass.h"

/* Every gpu.module of |module| has one kernel, named as no other kernel is, and what the kernel uses;
 * launches follow. Kernels that nothing launches are gone, and a kernel whose launches all have blocks of one
 * known size says so (gpu.known_block_size). */
bool hd_split_kernel_modules(hd_pass *pass, hd_op *module);

#endif
