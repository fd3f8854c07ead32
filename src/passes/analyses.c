/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/analyses.h"

#define ANALYSIS(bit, name, type, compute, print)                                                  \
  static void *compute_##name(hd_op *func, hd_arena *arena) { return compute(func, arena); }       \
  static void print_##name(void *result, hd_strbuf *out) { print(result, out); }                   \
  type *hd_pass_##name(hd_pass *pass, hd_op *func) {                                               \
    static const hd_analysis_info row = {#name, HD_PRESERVES_##bit, compute_##name, print_##name}; \
    return hd_pass_analysis(pass, &row, func);                                                     \
  }
#include "passes/analyses.def"
