/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of disc-hlo-legalize-to-lhlo: what its files share. Each function puts the buffer form before |op| and
 * records the buffers of its results; false or null with an error reported. */
#ifndef HD_PASSES_BUFFER_LEGALIZER_H_
#define HD_PASSES_BUFFER_LEGALIZER_H_

#include "passes/messages.h"
#include "passes/passes.h"
#include "shape/shapes.h"

typedef struct hd_legalizer {
  hd_pass *pass;
  hd_shapes *shapes;
  hd_op *func;
  hd_block *entry;
  hd_map buffers;    /* tensor -> memref */
  hd_map needed;     /* ops to be lowered */
  hd_map dims;       /* dim expression -> index value, at the entry block */
  hd_map block_dims; /* block -> map of what is written there: dims that differ by place */
  hd_map loaded;     /* (buffer, element, block) -> index value: equal sizes are one value */
  hd_builder *here;
  hd_builder *host; /* where dims are written: before the current op of the entry block */
  hd_map checks;    /* op -> guard_list: what the host checks before it */
  hd_messages messages;
} hd_legalizer;

/* Element |i|, in row-major order, of an integer buffer of rank 0 to 2, as an index; the rows of rank 2 are pairs. A
 * buffer is written once, so what was loaded before in this block is the same. */
hd_value *hd_legalize_load(hd_legalizer *ctx, hd_builder *b, hd_value *buffer, uint32_t i);
/* Writes the checks that are before |op|. */
bool hd_legalize_checks(hd_legalizer *ctx, hd_op *op);
/* Marks what the checks read as needed by |need|, and finds the ops that they are before. */
void hd_legalize_find_checks(hd_legalizer *ctx, void (*need)(hd_legalizer *ctx, hd_value *value));

/* interpreter.print as a call of the runtime. */
bool hd_legalize_print(hd_legalizer *ctx, hd_op *op);

/* legalize_needed.c */

bool hd_legalize_is_assertion(const hd_op *op);
/* Is a result of |op| in memory of the device? */
bool hd_legalize_is_on_device(const hd_op *op);
/* Is |op| one of integers that are functions of dims? The host writes them from their
 * expressions, so not into memory of the device. */
bool hd_legalize_is_known(hd_legalizer *ctx, hd_op *op);
/* Marks |value|, or |op|, and what it is computed from as needed. */
void hd_legalize_need(hd_legalizer *ctx, hd_value *value);
void hd_legalize_need_op(hd_legalizer *ctx, hd_op *op);

/* legalize_sizes.c */

/* The memref with the dims of |tensor|'s type. */
hd_type hd_legalize_memref(hd_type tensor);
/* Element |i| of shape operand |operand| of |op| as a host index. */
hd_value *hd_legalize_shape_element(hd_legalizer *ctx, hd_op *op, uint32_t operand, uint32_t i);
/* A dim that is a value of the run, read from its buffer. */
bool hd_legalize_dimension_size(hd_legalizer *ctx, hd_op *op);
/* An op of which hd_legalize_is_known: its elements are host arithmetic, and stored. */
bool hd_legalize_known(hd_legalizer *ctx, hd_op *op);
/* A terminator's operand is its buffer already once the block is lowered. */
hd_value *hd_legalize_buffer(hd_legalizer *ctx, hd_value *value);
/* The memref of |tensor|, refined by known dims. */
hd_type hd_legalize_type(hd_legalizer *ctx, hd_value *tensor);
/* A new buffer for |tensor|, of that type or of a |type| that says less. */
hd_value *hd_legalize_alloc(hd_legalizer *ctx, hd_builder *b, hd_value *tensor, hd_op *op);
hd_value *hd_legalize_alloc_like(hd_legalizer *ctx, hd_builder *b, hd_type type, hd_value *tensor, hd_op *op);
/* The ops of a block; its terminator stays, with buffers as operands. */
bool hd_legalize_block(hd_legalizer *ctx, hd_block *block);
bool hd_legalize_while(hd_legalizer *ctx, hd_op *op);
/* if and case */
bool hd_legalize_branches(hd_legalizer *ctx, hd_op *op);

#endif
