/* SPDX-License-Identifier: Apache-2.0 */
/* Buffer ops as calls of the runtime and its libraries. A function that lowers takes a buffer op or fusion, puts what
 * stands for it before it and erases it; false with an error reported. */
#ifndef HD_PASSES_LOWERING_LIBRARY_H_
#define HD_PASSES_LOWERING_LIBRARY_H_

#include "passes/lowering/lowering.h"

/* Ops that are one library call: cholesky, triangular_solve, fft, custom calls. */
bool hd_is_library_op(const hd_op *op);
bool hd_lower_library_op(hd_lowering *ctx, hd_op *op);
bool hd_lower_custom_call(hd_lowering *ctx, hd_op *op);
/* Ops that move blocks between processes, and the ids of the process (lower_collectives.c). */
bool hd_is_collective(const hd_op *op);
bool hd_lower_collective(hd_lowering *ctx, hd_op *op);
bool hd_lower_constant(hd_lowering *ctx, hd_op *op);
bool hd_lower_copy(hd_lowering *ctx, hd_op *op);
/* Integer arithmetic on single elements (hd_is_host_arithmetic), by the host itself. */
bool hd_lower_host_arithmetic(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set);
/* |product| of |set|, which a library takes. */
bool hd_lower_product(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set, hd_op *product);

/* Parts of that, which other calls with products share: */
/* |buffer|, an operand of a product of |set|, as a view of what is in memory; a
 * kernel of its own writes what is not. */
bool hd_product_operand(hd_lowering *ctx, hd_builder *b, const hd_kernel_set *set, hd_value *buffer, hd_op *op,
                        hd_view *out);
/* Where the result of |dot|, alone in |set| (hd_is_plain_product), goes: its own buffer, or straight into a
 * transpose of it. False when a size is unknown. */
bool hd_product_result(hd_lowering *ctx, const hd_kernel_set *set, hd_op *dot, hd_view *out);
/* The view's element 0 as a memref of one element: its pointer is what library calls take. */
hd_value *hd_view_pointer(hd_lowering *ctx, hd_builder *b, const hd_view *view, hd_op *op);
/* The kernel that |set|'s product has on its tiles. */
bool hd_product_epilogue(hd_lowering *ctx, const hd_kernel_set *set, hd_loc loc, hd_kernel_launch *out);

#endif
