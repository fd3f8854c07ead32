/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, for other files of the evaluator. */
#ifndef HD_EVAL_MACHINE_GPU_LAUNCH_H_
#define HD_EVAL_MACHINE_GPU_LAUNCH_H_

#include "eval/machine/memory.h"

/* Runs kernel |function|, a gpu.func or an llvm.func, by the words of a runtime call: |sizes| of the grid and of a
 * block, a buffer as its address and one word per unknown size, a scalar as its bits; |dynamic| bytes of shared memory
 * beside the kernel's own. */
hd_status hd_eval_launch_words(hd_eval_frame *frame, hd_op *function, const int64_t sizes[6], int64_t dynamic,
                               const uint64_t *words, size_t word_count) HD_MUST_USE;

/* Runs |op|, an scf.parallel without results whose iterations converge: each hd.threads of them in row-major order are
 * a block; without that attribute all are one. |bounds|: lower, upper, steps; no dim is empty. */
hd_status hd_eval_parallel_block(hd_eval_frame *frame, hd_op *op, uint32_t rank, const int64_t *bounds) HD_MUST_USE;

/* Work is done where it is in the program, so what waits for it has nothing to wait for: tokens carry nothing. */
void hd_eval_give_token(hd_op *op, hd_tensor *out);

#endif
