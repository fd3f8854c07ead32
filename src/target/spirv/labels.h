/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM 22's SPIR-V code generator has one table of the ids of blocks for the whole process, by the address of the
 * function that they are in, and never empties it (SPIRVModuleAnalysis::MAI). A function that is where one of an
 * earlier module did gets that one's ids for its labels, which may be ids of values too, or one id twice. */
#ifndef HD_TARGET_SPIRV_LABELS_H_
#define HD_TARGET_SPIRV_LABELS_H_

#include "base/arena.h"

/* Gives the labels of the |count| |words| of a SPIR-V module of one function ids of their own, in place. False where
 * that cannot be done: two labels have one id, or something branches by a table (OpSwitch). Scratch on |arena|. */
bool hd_spirv_relabel(uint32_t *words, size_t count, hd_arena *arena);

#endif
