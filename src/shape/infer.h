/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the shape analysis: what single ops do. */
#ifndef HD_SHAPE_INFER_H_
#define HD_SHAPE_INFER_H_

#include "shape/shapes.h"

/* The shape being filled; unknown dims and elements are null. */
hd_value_shape *hd_shapes_entry(hd_shapes *shapes, hd_value *value);
hd_dim hd_shapes_new_symbol(hd_shapes *shapes, hd_symbol_kind kind, hd_value *value, uint32_t index, const char *name,
                            int64_t lower);
/* A symbol for element |index| of an integer tensor, which is read at run time. */
hd_dim hd_shapes_new_element(hd_shapes *shapes, hd_value *value, uint32_t index);
/* How many elements of a value of |type| are followed, 0 for none. */
uint32_t hd_shapes_followed_elements(hd_type type);
/* |relation| must hold between |a| and |b|: a guard unless it is proven. An equality is assumed from here on when |op|
 * always runs. Null sides demand nothing. */
void hd_shapes_constrain(hd_shapes *shapes, hd_op *op, hd_shape_relation relation, hd_dim a, hd_shape_place a_is,
                         hd_dim b, hd_shape_place b_is);
/* |a_of| must have as many elements as |b_of|: of products too large to be written (null), the host computes them. */
void hd_shapes_constrain_counts(hd_shapes *shapes, hd_op *op, hd_dim a, hd_value *a_of, hd_dim b, hd_value *b_of);
/* custom_call @shape_assertion(%pred, ...): what it asserts holds from here on. */
void hd_shapes_assume_assertion(hd_shapes *shapes, hd_op *op);
/* What the function's hd.constraint says of its symbols. A text that names symbols of later ops is read again after
 * them: |done|, one flag a text, says which ones were read. */
void hd_shapes_assume_constraints(hd_shapes *shapes, bool *done);
/* Element |i| of an integer operand, a new symbol where nothing is known of it. */
hd_dim hd_shapes_read_element(hd_shapes *shapes, hd_value *value, uint32_t i);
void hd_shapes_analyse_block(hd_shapes *shapes, hd_block *block);
/* Loops, branches and what is in them (control.c). */
void hd_shapes_analyse_loop(hd_shapes *shapes, hd_op *op);
void hd_shapes_analyse_branches(hd_shapes *shapes, hd_op *op);
/* Does a loop or a branch give or carry |value|? Its buffer has the size that the run gives it, so its own dims are
 * never taken for what they have to be. */
bool hd_shapes_is_of_control_flow(hd_shapes *shapes, const hd_value *value);
/* The regions of a buffer op have the shapes of its captures as their last arguments. */
void hd_shapes_share_captures(hd_shapes *shapes, hd_op *op);

/* Runs the shape function of |op|: its requirements become guards; with |results| the dims of its results that are
 * still null are filled. */
void hd_shapes_apply_function(hd_shapes *shapes, hd_op *op, bool results);
/* The same of ops of any kind, also those whose results are given otherwise. */
void hd_shapes_infer_op(hd_shapes *shapes, hd_op *op);
/* Fills the elements of |op|'s results. */
void hd_shapes_infer_elements(hd_shapes *shapes, hd_op *op);
/* Notes what must fit 32 bits for the elements of |value| to be what their expressions say (fits.c). */
void hd_shapes_require_fit(hd_shapes *shapes, hd_value *value);
/* Finds the values of hd_shapes_may_wrap, at the end of the analysis. */
void hd_shapes_find_wrapping(hd_shapes *shapes);

#endif
