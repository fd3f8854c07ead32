/* SPDX-License-Identifier: Apache-2.0 */
/* How far two ways to compute the same result may be apart. */
#ifndef HD_BASE_TOLERANCE_H_
#define HD_BASE_TOLERANCE_H_

/* Of floats of |mantissa_bits| explicit bits where |single| is allowed of f32, relative to the largest magnitude: in
 * proportion for wider ones, and 4 units of narrower ones at least, which excess precision may well change. */
static inline double hd_tolerance_of_float(int mantissa_bits, double single) {
  if (mantissa_bits > 23) return single * 0x1p-20;
  double units = 4;
  for (int i = 0; i < mantissa_bits; ++i) units /= 2;
  return mantissa_bits < 23 && units > single ? units : single;
}

#endif
