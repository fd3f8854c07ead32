/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer form of a graph op: the op that reads and writes buffers in place of tensors.
 *
 *   %r = "stablehlo.reduce"(%x, %z) ({ uses %k })   ->   "lmhlo.reduce"(%x, %z, %k, %r) ({ takes %k }) {hd.captures =
 *                                                        1}
 *
 * Its operands are the inputs (operands of the graph op but for those that only say a shape, then what its regions
 * capture), a buffer per result, and what is no buffer: sizes and bounds on the host. `hd.outputs` says how many
 * results there are, when not one, and `hd.captures` how many captures, when there are any. Thread-compatible. */
#ifndef HD_ANALYSIS_BUFFER_FORM_H_
#define HD_ANALYSIS_BUFFER_FORM_H_

#include "analysis/captures.h"
#include "ir/builder.h"

typedef struct hd_buffer_form {
  hd_opcode opcode;
  hd_vec(hd_value *) inputs; /* as the graph has them, the captures last */
  hd_captures captures;
} hd_buffer_form;

/* What |op| becomes, on |arena|; false: it has no buffer form. */
bool hd_buffer_form_of(hd_op *op, hd_arena *arena, hd_buffer_form *out_form);
/* Writes |form|, |op|'s, at |b|: |operands| are the buffers of its inputs and its results, then what is no buffer. The
 * regions of |op| move to it. */
hd_op *hd_buffer_form_build(const hd_buffer_form *form, hd_builder *b, hd_op *op, hd_arena *arena,
                            hd_value *const *operands, size_t count);

#endif
