/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of one block of a launch.
 *
 * Each thread runs alone, the last one first, up to the next point of convergence: a barrier, an exchange between
 * lanes, shared memory, or a loop or branch that holds one. There the threads that have come to the same step do it
 * together: a loop goes round by round with those that still run, a branch with those that take each way. Between
 * blocks that jump to each other those at the earliest step of the text go first, so blocks are in an order in which
 * what ends a loop or a branch comes after it. So what one
 * thread writes is not seen by those that run before it unless a barrier is between, as on a device.
 * A barrier that not all threads of the block come to, and an exchange with a lane that is not there, are errors. */
#ifndef HD_EVAL_MACHINE_THREAD_BLOCK_H_
#define HD_EVAL_MACHINE_THREAD_BLOCK_H_

#include "eval/core/run.h"

enum { HD_SUBGROUP_SIZE = 32, HD_BLOCK_LIMIT = 1024 };

typedef struct hd_thread_block {
  hd_eval_frame *frames; /* one per thread */
  hd_thread *threads;
  hd_thread_copies *copies; /* of each thread */
  uint32_t count;
} hd_thread_block;

/* |count| threads that run a region with |range| slots of its own inside of |outer|, null for a function.
 * Lives as long as the running op's temporaries. */
hd_status hd_thread_block_create(hd_eval_frame *frame, hd_eval_frame *outer, hd_slot_range range, uint32_t count,
                                 hd_thread_block *out_block) HD_MUST_USE;
/* Releases what the frames hold. */
void hd_thread_block_clear(hd_thread_block *block);

/* Runs |region| by the |count| threads whose numbers are |members|, ascending. |args| and |results| are rows, one per
 * member; results are owned by the caller. */
hd_status hd_thread_block_run(hd_thread_block *block, const uint32_t *members, uint32_t count, hd_region *region,
                              const hd_tensor *args, size_t arg_count, hd_tensor *results,
                              size_t result_count) HD_MUST_USE;

#endif
