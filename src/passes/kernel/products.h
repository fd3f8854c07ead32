/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of library products share (lower_products.c, lower_attention.c). */
#ifndef HD_PASSES_KERNEL_PRODUCTS_H_
#define HD_PASSES_KERNEL_PRODUCTS_H_

#include "passes/kernel/lowering.h"

/* |buffer|, an operand of a product of |set|, as a view of what is in memory; a kernel of its own writes what is not. */
bool hd_product_operand(hd_lowering *z, hd_builder *b, const hd_kernel_set *set, hd_value *buffer, hd_op *op,
                        hd_view *out);
/* Where the result of |dot|, alone in |set| (hd_is_plain_product), goes: its own buffer, or straight into a transpose of
 * it. False when a size is unknown. */
bool hd_product_result(hd_lowering *z, const hd_kernel_set *set, hd_op *dot, hd_view *out);
/* The view's element 0 as a memref of one element: its pointer is what library calls take. */
hd_value *hd_view_pointer(hd_lowering *z, hd_builder *b, const hd_view *view, hd_op *op);
/* The kernel that |set|'s product has on its tiles. */
bool hd_product_epilogue(hd_lowering *z, const hd_kernel_set *set, hd_loc loc, hd_kernel_launch *out);

#endif
