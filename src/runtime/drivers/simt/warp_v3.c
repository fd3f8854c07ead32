/* SPDX-License-Identifier: Apache-2.0 */
/* Warps by vectors of 256 bits: CMakeLists.txt compiles this file for x86-64-v3. */
#define RUN hd_simt_warp_run_v3
#include "runtime/drivers/simt/warp.inc"
