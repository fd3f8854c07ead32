/* SPDX-License-Identifier: Apache-2.0 */
/* Warps on any machine. */
#define RUN hd_simt_warp_run
#include "runtime/drivers/simt/warp.inc"
