/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of every element type in memory; floats as bit patterns (base/float_format.h), of at most 64 bits: else
 * ir/wide.h. Thread-safe; no state. */
#ifndef HD_IR_NUMBER_H_
#define HD_IR_NUMBER_H_

#include "ir/types.h"

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
