/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/analyses.h"

static void *compute_shapes(hd_op *func, hd_arena *arena) { return hd_shapes_of(func, arena); }
static void print_shapes(void *result, hd_strbuf *out) { hd_shapes_print(result, out); }

static const hd_analysis_info shapes = {"shapes", HD_PRESERVES_SHAPES, compute_shapes, print_shapes};

hd_shapes *hd_pass_shapes(hd_pass *pass, hd_op *func) { return hd_pass_analysis(pass, &shapes, func); }
