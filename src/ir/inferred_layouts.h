/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts that follow from others, as Triton infers them: what verifiers of ops that change shapes ask. Two layouts are
 * one where they are the same linear map over the tensor, however they are written; a layout without a map (tensor
 * memory, mma of version 1 and 5) is not judged. Each reports an error at |op| when the layouts differ. Both types have
 * a layout, and shapes that fit. Thread-compatible. */
#ifndef HD_IR_INFERRED_LAYOUTS_H_
#define HD_IR_INFERRED_LAYOUTS_H_

#include "ir/op.h"

/* |to| is |from| with as many elements in the same row-major order: each thread keeps what it has. */
bool hd_verify_reshaped_layout(hd_op *op, hd_type from, hd_type to);
/* Dim i of |to| is dim order[i] of |from|. */
bool hd_verify_transposed_layout(hd_op *op, hd_type from, hd_attr order, hd_type to);
/* |whole| is |part| with a last dim of size 2, both elements of which are in registers of one thread. */
bool hd_verify_halved_layout(hd_op *op, hd_type part, hd_type whole);

#endif
