/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a module that compute one math op, for kernels that call them. Thread-compatible. */
#ifndef HD_PASSES_KERNEL_MATH_FUNCTION_H_
#define HD_PASSES_KERNEL_MATH_FUNCTION_H_

#include "ir/builder.h"

/* The function `@math.tanh.f32x16`, which computes what |op| does of its operands' types; |suffix| ("" or ".bf16")
 * tells apart what is expanded differently. Made at the end of the module when |symbols| has none: then |*out_computed|
 * is the op in it, still to be expanded, else null. */
hd_op *hd_math_function(hd_module *module, hd_symbol_table *symbols, hd_op *op, const char *suffix,
                        hd_op **out_computed);

/* The name of that function, without the suffix; on |arena|. */
hd_str hd_math_function_name(hd_op *op, hd_arena *arena);

/* Gives |op|'s results by a call of |function|, at |b|. */
void hd_math_function_call(hd_builder *b, hd_op *function, hd_op *op, hd_value **out_values);

#endif
