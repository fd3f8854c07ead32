/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of AxisInfo share. */
#ifndef HD_ANALYSIS_AXIS_INFO_LATTICE_H_
#define HD_ANALYSIS_AXIS_INFO_LATTICE_H_

#include "analysis/axis_info/axis_info.h"

int64_t hd_axis_gcd(int64_t a, int64_t b);
/* The greatest power of two that divides |value|; HD_AXIS_MOST of 0. */
int64_t hd_axis_divisor(int64_t value);
/* What divides the first elements of runs of either, cut to the length that runs of both have. */
int64_t hd_axis_common_divisor(const hd_axis_info *a, const hd_axis_info *b, uint32_t d);
void hd_axis_set_stride(hd_axis_info *info, uint32_t d, int64_t stride, int64_t value);
/* A run of contiguous or of same elements is a run of constant stride. */
void hd_axis_raise_strides(hd_axis_info *info);

#endif
