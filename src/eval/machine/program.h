/* SPDX-License-Identifier: Apache-2.0 */
/* A program as a pass left it, run on tensors: the entry may take and give tensors, take and give memrefs, or take all
 * from the runtime's context (hd.host). */
#ifndef HD_EVAL_MACHINE_PROGRAM_H_
#define HD_EVAL_MACHINE_PROGRAM_H_

#include "eval/core/state.h"
#include "eval/machine/memory.h"

/* What a caller gives to |entry| (gets from it, with |results|), as types of tensors in |arena|; null where a type has
 * no tensor: tuples are their elements, depth first, a token is a tensor<0xi1>, index an i64, a scalar a tensor of rank
 * 0, a memref or vector a tensor, a pointer (!tt.ptr) a tensor of rank 1. A host entry has those that it receives and
 * sends by number. With |buffers_are_results| the memrefs and pointers that an entry takes follow its results, unless
 * it returns memrefs itself. */
uint32_t hd_program_ports(hd_op *entry, bool results, bool buffers_are_results, hd_arena *arena, hd_type **out_types);

/* Input |index| as a memref of the type of |op|'s result. */
hd_status hd_program_input(hd_eval_frame *frame, int64_t index, hd_op *op, hd_tensor *out) HD_MUST_USE;
hd_status hd_program_output(hd_eval_frame *frame, int64_t index, const hd_tensor *memref) HD_MUST_USE;

/* hd_evaluator_run inside a frame. */
hd_status hd_eval_program(hd_eval_frame *frame, hd_op *entry, const hd_tensor *args, size_t arg_count,
                          hd_tensor *results, size_t result_count) HD_MUST_USE;

#endif
