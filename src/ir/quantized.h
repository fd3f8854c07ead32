/* SPDX-License-Identifier: Apache-2.0 */
/* Quantized element types, as StableHLO's specification has them: what they demand of themselves and of the tensor that
 * carries them, and which ops act on the stored integers. Thread-safe; no state. */
#ifndef HD_IR_QUANTIZED_H_
#define HD_IR_QUANTIZED_H_

#include "ir/op.h"

/* The quantized element of a tensor type; null for any other type. */
hd_type hd_quantized_element(hd_type type);
/* The integers in which quantized |element| is stored, with the signedness that their extension to a byte needs. */
hd_type hd_quantized_storage(hd_type element);
/* |number| rounded to the expressed type of quantized |element|. */
double hd_quantized_round(hd_type element, double number);
/* Scale |k| as a number of the expressed type, which is what the specification computes with. */
double hd_quantized_scale(hd_type element, size_t k);
/* The least and the largest stored integer as numbers of the expressed type; infinite where it has none so large. */
void hd_quantized_bounds(hd_type element, double *out_low, double *out_high);

/* Do the parameters of quantized |element| hold (C1-C11 of quantized element types)? When they do not, why not is
 * appended to |why|. Readers ask this of what they build; everything else may rely on it. */
bool hd_quantized_element_holds(const struct hd_type_storage *element, hd_strbuf *why);
/* The same of every quantized type in |type|, and of the tensors that carry them (C12, C13): the dim that is quantized
 * is below the rank and has as many elements as there are scales. */
bool hd_quantized_holds(hd_type type, hd_strbuf *why);

/* Does |op| pass on, move or cast stored integers, or hand them to a region? Any other op on quantized values computes
 * on their expressed numbers and quantizes what comes out. */
bool hd_op_acts_on_stored(const hd_op *op);

#endif
