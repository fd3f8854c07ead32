/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors as numbers: for summaries and comparisons. */
#ifndef HD_FRONT_CLI_VALUES_H_
#define HD_FRONT_CLI_VALUES_H_

#include "inputs.h"

/* Element |i| of |tensor| as a number: the real part of complex ones. */
double hd_cli_element(const hd_cli_tensor *tensor, size_t i);
/* Doubles per element: 2 for complex. */
double hd_cli_imaginary(const hd_cli_tensor *tensor, size_t i);
size_t hd_cli_count(const hd_cli_tensor *tensor);
/* The element as text, of complex ones the real part: integers exactly, floats to |digits|. */
typedef struct hd_cli_number {
  char text[64];
} hd_cli_number;
hd_cli_number hd_cli_real_text(const hd_cli_tensor *tensor, size_t i, int digits);

typedef struct hd_cli_summary {
  double min, max, mean, magnitude, l2; /* |magnitude|: largest absolute value */
  size_t nan, inf;                      /* not counted in the others */
  size_t min_at, max_at;                /* the elements, where |min| is not above |max| */
} hd_cli_summary;
hd_cli_summary hd_cli_summarise(const hd_cli_tensor *tensor);

/* |got - want| of numbers; 0 where both are NaN or equal infinities, infinity where only one is such. */
double hd_cli_distance(double got, double want);

/* The largest |got - want| over the largest |want|, both NaN or equal infinities agreeing; infinity where only one is
 * such. */
double hd_cli_difference(const hd_cli_tensor *got, const hd_cli_tensor *want);
/* What is allowed of elements of |type| where nobody says a tolerance: none of integers, of floats as base/tolerance.h
 * has it where HD_CLI_TOLERANCE is allowed of f32. */
double hd_cli_tolerance_of(hd_element_type type);
/* How many times |tolerance| the difference is: 0 of none, infinity where none is allowed. */
double hd_cli_excess(double difference, double tolerance);
/* The element whose absolute difference is the largest; one where only one is NaN or infinite comes first. */
size_t hd_cli_worst_element(const hd_cli_tensor *got, const hd_cli_tensor *want);

#endif
