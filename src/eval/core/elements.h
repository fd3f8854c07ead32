/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of elements as numbers that C computes with. Every element type belongs to one class: integers (and bool and
 * index) become int64_t, floats double, complex numbers double complex. Storing rounds once (floats, to nearest even)
 * or wraps (integers), so one op on loaded elements is one rounding: f32 sums, products, quotients and square roots
 * computed so are the correctly rounded ones, as f64 has more than twice the bits. Thread-safe; no state. */
#ifndef HD_EVAL_CORE_ELEMENTS_H_
#define HD_EVAL_CORE_ELEMENTS_H_

#include <complex.h>
#ifndef CMPLX /* glibc gives it to gcc alone; clang has the builtin too */
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

#include "ir/number.h"

typedef enum hd_number_class { HD_CLASS_INT, HD_CLASS_FLOAT, HD_CLASS_COMPLEX, HD_CLASS_NONE } hd_number_class;

hd_number_class hd_class_of(hd_type element);
/* Have values of |element| a size, so that tensors have them as elements: numbers, and pointers, which are 8 bytes? */
bool hd_is_element(hd_type element);
static inline bool hd_is_bool(hd_type element) {
  return hd_type_is_integer(element, 1) && element->integer.signedness == HD_SIGNLESS;
}
static inline bool hd_is_unsigned(hd_type element) {
  return element->kind == HD_TYPE_INTEGER && (element->integer.signedness == HD_UNSIGNED || hd_is_bool(element));
}

void hd_load_ints(hd_type element, const void *data, size_t count, int64_t *out);
void hd_store_ints(hd_type element, void *data, size_t count, const int64_t *values);
void hd_load_doubles(hd_type element, const void *data, size_t count, double *out);
void hd_store_doubles(hd_type element, void *data, size_t count, const double *values);
void hd_load_complex(hd_type element, const void *data, size_t count, double complex *out);
void hd_store_complex(hd_type element, void *data, size_t count, const double complex *values);

/* The double that rounds to every narrower format as |value| itself does (to odd beyond 53 bits). */
double hd_int_to_double_odd(int64_t value, bool is_unsigned);
/* |value| truncated; out of range gives the nearest end, NaN gives 0. */
int64_t hd_double_to_int(hd_type element, double value);
/* Converts |count| elements between any two element types, as stablehlo.convert does; quantized ones by their first
 * scale. */
void hd_convert_elements(hd_type from, const void *data, hd_type to, void *out, size_t count);
/* The value of the stored element of quantized |type| at |data|, by scale number |k|; and back. */
double hd_dequantize(hd_type type, size_t k, const void *data);
void hd_quantize(hd_type type, size_t k, double value, void *data);
/* The integer value of element |i| (clamped to int64 for ui64). */
int64_t hd_int_at(hd_type element, const void *data, size_t i);

#endif
