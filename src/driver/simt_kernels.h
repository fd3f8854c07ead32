/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a program that the evaluator runs, on simt: hd_eval_options.kernel. So each can be compared with the
 * evaluator's meaning of it. */
#ifndef HD_DRIVER_SIMT_KERNELS_H_
#define HD_DRIVER_SIMT_KERNELS_H_

#include "eval/core/options.h"
#include "runtime/drivers/simt/interpreter.h"

/* Zero but for the module and the subgroup; the module must be in machine form when the first kernel is launched. */
typedef struct hd_simt_kernels {
  hd_module *module;
  hd_simt_program *program;
  uint32_t subgroup; /* threads of one; 0: 32 */
} hd_simt_kernels;

/* For hd_eval_options.kernel; |kernels| is a hd_simt_kernels. Launches are checked: a finding ends the run. */
hd_status hd_simt_kernels_launch(void *kernels, const hd_eval_kernel *kernel) HD_MUST_USE;
void hd_simt_kernels_free(hd_simt_kernels *kernels);

#endif
