/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's generator numbers and orders parts of a SPIR-V module as its tables, which go by address, have them: one
 * kernel gets other bytes in other processes. Made canonical, equal kernels are equal bytes, and caches of what devices
 * make of them find them. */
#ifndef HD_TARGET_SPIRV_CANONICAL_H_
#define HD_TARGET_SPIRV_CANONICAL_H_

#include "base/arena.h"

/* The module of |*in_out_count| words in the canonical order, with ids numbered by it and without names, in place; it
 * gets no longer.
 * False, and the module stays, where an instruction is not known here. Scratch on |arena|. */
bool hd_spirv_make_canonical(uint32_t *words, size_t *in_out_count, hd_arena *arena);

#endif
