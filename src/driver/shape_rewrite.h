/* SPDX-License-Identifier: Apache-2.0 */
/* A program of one size becomes the program of all sizes that a rule admits. Thread-compatible. */
#ifndef HD_DRIVER_SHAPE_REWRITE_H_
#define HD_DRIVER_SHAPE_REWRITE_H_

#include "driver/shape_rule.h"

/* Makes |func|, the entry of |module|, whose numbers stand at |places|, general: numbers that |rule| computes become
 * arithmetic on the arguments' dims, those that it leaves free follow from operands, or get an expression that explains
 * |samples|, which goes into |rule|; numbers that round become symbols of both. FAILED_PRECONDITION names the op that
 * has no general form; |module| is half rewritten then. Scratch is |arena|'s. */
hd_status hd_shape_rewrite(hd_module *module, hd_op *func, hd_shape_samples *samples, const hd_form_places *places,
                           hd_arena *arena, hd_shape_rule *rule) HD_MUST_USE;

#endif
