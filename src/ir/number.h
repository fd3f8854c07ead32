/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of every element type as bit patterns: the one place that knows how f8, f6, f4, bf16, f16 and the wide
 * floats are written. Thread-safe; no state. */
#ifndef HD_IR_NUMBER_H_
#define HD_IR_NUMBER_H_

#include "ir/types.h"

/* The pattern of |value| rounded to nearest, ties to even. Overflow gives infinity where the format has one, else NaN
 * (FN, FNUZ, E8M0), else the largest finite value (f6, f4). */
uint64_t hd_float_encode(hd_float_kind kind,
                         double value); /* of at most 64 bits, as all of this file; else ir/wide.h */
/* The value of a pattern; exact, as every format but f64 is a subset of f64. */
double hd_float_decode(hd_float_kind kind, uint64_t bits);
bool hd_float_bits_are_nan(hd_float_kind kind, uint64_t bits);

/* maximum and minimum of IEEE 754-2019: NaN of either operand comes through, +0 is above -0. */
double hd_float_maximum(double a, double b);
double hd_float_minimum(double a, double b);

/* Loads and stores one element of integer, index, bool or float type at |memory| (storage as in types.h). Integers
 * extend by signedness (signless as signed; i1 gives 0 or 1). Floats are their patterns. */
int64_t hd_element_load(hd_type element, const void *memory);
void hd_element_store(hd_type element, void *memory, int64_t value);
/* |value| reduced to the width of the integer type and extended again. */
int64_t hd_integer_wrap(hd_type type, int64_t value);

#endif
