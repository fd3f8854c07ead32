/* SPDX-License-Identifier: Apache-2.0 */
/* What host code of programs with kernels of their own takes and gives by the element. */
#ifndef HD_PASSES_GPU_HOST_ELEMENTS_H_
#define HD_PASSES_GPU_HOST_ELEMENTS_H_

#include "pass/pass.h"

/* Numbers that |func|, which nothing calls, takes and returns become buffers of one element, an
 * index of i64. The caller sets its signature. */
void hd_box_numbers(hd_pass *pass, hd_op *func);
/* Loads and stores of |func| from and to buffers on the device go through memory of the host,
 * with a copy each. False after an error. */
bool hd_access_elements(hd_pass *pass, hd_op *func);

#endif
