/* SPDX-License-Identifier: Apache-2.0 */
/* What scatter kernels of every target share: where an update goes. */
#ifndef HD_CODEGEN_EMIT_SCATTER_H_
#define HD_CODEGEN_EMIT_SCATTER_H_

#include "codegen/emit/generator.h"

/* The index |out| of the result that the update at |update| goes to, and in |*inside| whether it is inside (null:
 * always). |out| has the rank of the operands. False with an error reported. */
bool hd_scatter_place(hd_generator *g, hd_op *op, const hd_index_tuple *update, hd_index_tuple *out, hd_value **inside);
/* True when updates whose indices differ in dim |d| never meet: they stay apart in a dim of the result. */
bool hd_scatter_keeps_apart(hd_op *op, uint32_t d);

#endif
