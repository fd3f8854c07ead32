/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the shape analysis: what single ops do. */
#ifndef HD_SHAPE_INFER_H_
#define HD_SHAPE_INFER_H_

#include "shape/shapes.h"

/* The shape being filled; unknown dims and elements are null. */
hd_value_shape *hd_shapes_entry(hd_shapes *shapes, hd_value *value);
hd_dim hd_shapes_new_symbol(hd_shapes *shapes, hd_symbol_kind kind, hd_value *value, uint32_t index, const char *name,
                            int64_t lower);
/* How many elements of a value of |type| are followed, 0 for none. */
uint32_t hd_shapes_followed_elements(hd_type type);
/* Assumes a == b, with a guard unless it is proven. */
void hd_shapes_unify(hd_shapes *shapes, hd_op *op, hd_dim a, hd_dim b);

/* Fills the dims of |op|'s results that are still null, where the op tells them. */
void hd_shapes_infer_op(hd_shapes *shapes, hd_op *op);
/* Fills the elements of |op|'s results. */
void hd_shapes_infer_elements(hd_shapes *shapes, hd_op *op);
/* Notes what must fit 32 bits for the elements of |value| to be what their expressions say (fits.c). */
void hd_shapes_require_fit(hd_shapes *shapes, hd_value *value);
/* Finds the values of hd_shapes_may_wrap, at the end of the analysis. */
void hd_shapes_find_wrapping(hd_shapes *shapes);

#endif
