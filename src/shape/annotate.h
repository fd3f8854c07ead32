/* SPDX-License-Identifier: Apache-2.0 */
/* What the analysis of a function knows of its dims, as attributes that a later analysis reads: hd.dims and
 * hd.constraint. The attributes live as long as the context; |s->arena| has what is needed meanwhile. */
#ifndef HD_SHAPE_ANNOTATE_H_
#define HD_SHAPE_ANNOTATE_H_

#include "shape/shapes.h"

/* |dim| as hd_dim_print writes it. */
hd_attr hd_shapes_dim_text(hd_shapes *s, hd_dim dim);
/* The dims of |value| as expressions, one text each. */
hd_attr hd_shapes_dims_text(hd_shapes *s, hd_value *value);
/* Has |type| dims that hd.dims would tell? */
bool hd_shapes_has_unknown_dims(hd_type type);

/* Names the unknown dims of the function's arguments (hd.dims). */
void hd_shapes_name_arguments(hd_shapes *s);
/* Writes what is known of symbols: equalities, divisors, lower bounds, and equalities that gave no symbol
 * (hd.constraint). |arguments|: only what is about the arguments' dims and is read as it was meant, so that it holds
 * whatever becomes of the ops. An array of texts; null when there are none. */
hd_attr hd_shapes_write_constraints(hd_shapes *s, bool arguments);

#endif
