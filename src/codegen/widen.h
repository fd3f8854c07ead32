/* SPDX-License-Identifier: Apache-2.0 */
/* Widening of element types: the one place that says how an op
 * on another type becomes one on such a type. Four levels ask it:
 *
 *   graph     disc-element-type-converter puts converts around ops:
 *               %c = add %a, %b : bf16   ->   %0 = convert %a : f32   %1 = convert %b : f32
 *                                             %2 = add %0, %1 : f32   %c = convert %2 : bf16
 *             A result is rounded where the narrow op rounds, so floats with less than half the wide type's bits come
 *             out the same for sums, products, quotients and roots. Integers other than i1 do not go: shifts and counts
 *             of bits would differ.
 *   kernels   elements are widened where they are loaded and rounded where they are stored or converted, not between:
 *             excess precision
 *   instructions  arith, math, vector and gpu ops on scalars and vectors that are already, in a kernel of somebody
 *                 else:
 *             elements are kept as integers of their bits, and widened and rounded around each op that computes
 *   machine   target/llvm rounds after each op that is left on a type without instructions
 *
 * Thread-compatible. */
#ifndef HD_CODEGEN_WIDEN_H_
#define HD_CODEGEN_WIDEN_H_

#include "ir/builder.h"
#include "pass/target.h"

/* Floats alone may be foreign. Makes no type, so threads may ask of one module. */
bool hd_is_native(const hd_native_types *types, hd_type element);
/* What elements of |element| are computed in: itself when it is no float or native, else the smallest float of |types|
 * that holds all its values; null when there is none. */
hd_type hd_native_type(const hd_native_types *types, hd_type element);

/* Graph ----------------------------------------------------------------------------------------------------------- */

/* True for ops that compute, on which a type matters; false for those that move elements, convert, or hold regions of
 * control flow. */
bool hd_computes_on_elements(const hd_op *op);
/* True for ops that a library of the runtime computes whole: no kernel widens their elements. */
bool hd_computes_in_library(const hd_op *op);
/* |op| on |to| in place of |from|: operands and the results of element |from| are converted, and in a reducer,
 * comparator or scatter computation the arguments and the values given back. Ops inside such regions stay as they are:
 * widen them first. The op is replaced; gives the new one, |op| itself when no element of it is |from|. */
hd_op *hd_widen_op(hd_op *op, hd_type from, hd_type to, hd_arena *scratch);
/* Does a region of |op| round, by a reduce_precision or a convert to fewer digits? A reduction that rounds each step is
 * not associative, so its elements are taken in their order. */
bool hd_regions_round(hd_op *op);
/* The sides of a product whose element types differ, or do not add up in the result's as they are (i8 to f32), in one
 * type that does (hd_product_element); true when it changed. */
bool hd_widen_sides(hd_op *op);

/* Kernels --------------------------------------------------------------------------------------------------------- */

/* One element, or lanes of them in a vector; |im| only for complex. */
typedef struct hd_element {
  hd_value *re, *im;
} hd_element;

/* The type in which elements of |element| are computed (of the parts, for complex). */
hd_type hd_compute_type(hd_type element);
/* The signless type in which they are kept in memory: ui8 as i8, bf16 as bf16. */
hd_type hd_memory_type(hd_type element);
/* |type|, or vector<lanes x type> when |lanes| is not 0. */
hd_type hd_lanes_type(hd_type type, uint32_t lanes);
/* vector.extract or vector.insert at a lane, the last of |operands|. */
hd_value *hd_emit_at_lane(hd_builder *b, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count);
/* From memory type to compute type, and back (rounding; what was only widened and moved keeps its bits, NaNs too). */
hd_element hd_emit_widen(hd_builder *b, hd_type element, hd_element value, uint32_t lanes);
hd_element hd_emit_narrow(hd_builder *b, hd_type element, hd_element value, uint32_t lanes);

/* Instructions ----------------------------------------------------------------------------------------------------- */

/* What a device has no type for: kept as |stored|, an integer of the same bits, computed in |wide|, which holds all its
 * values. bf16, i16, f32. */
typedef struct hd_stored_element {
  hd_type narrow, stored, wide;
} hd_stored_element;

/* |type| with stored elements: a scalar, a vector or a memref (of vectors, too); any other as it is. */
hd_type hd_stored_form(const hd_stored_element *element, hd_type type);
/* From a stored value, whose narrow type (scalar or vector) is |narrow|, to wide elements; from wide ones, rounded, to
 * stored ones. */
hd_value *hd_emit_widened(hd_builder *b, const hd_stored_element *element, hd_value *stored, hd_type narrow);
hd_value *hd_emit_rounded(hd_builder *b, const hd_stored_element *element, hd_value *wide);
/* Operand |i| of |op|, which computes (hd_computes_on_elements), was of |narrow| and is or will be stored: the op takes
 * it widened. Result |i|, of narrow elements, becomes a wide one that is rounded, and its uses take the stored form. A
 * product or sum of two, a quotient and a root come out as if rounded once; integers too. An fma does where
 * hd_round_once follows, when operands and result are widened. */
void hd_widen_operand(const hd_stored_element *element, hd_op *op, uint32_t i, hd_type narrow);
void hd_round_result(const hd_stored_element *element, hd_op *op, uint32_t i);
void hd_round_once(hd_op *op);

#endif
