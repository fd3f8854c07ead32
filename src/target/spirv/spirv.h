/* SPDX-License-Identifier: Apache-2.0 */
/* The SPIR-V target: kernels in machine form in, SPIR-V 1.2 for OpenCL out. Thread-safe. */
#ifndef HD_TARGET_SPIRV_SPIRV_H_
#define HD_TARGET_SPIRV_SPIRV_H_

#include "ir/op.h"

/* A SPIR-V module for each of |module|'s gpu.modules, one after the other, in |arena|: a module ends where the next
 * one's magic number is, which begins no instruction. So they are built one by one, when their kernel is first
 * launched. They must be in machine form (verify-machine-form) and compute on no bf16 (bf16-to-gpu). A kernel takes a
 * pointer or a 64-bit word per argument.
 * NOT_FOUND when there is no kernel. */
hd_status hd_spirv_image(hd_module *module, hd_arena *arena, hd_str *out_image) HD_MUST_USE;

#endif
