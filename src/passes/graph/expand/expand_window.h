/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of inline and hlo-expand: windows whose size only the run tells, or that are long, as loops. */
#ifndef HD_PASSES_GRAPH_EXPAND_EXPAND_WINDOW_H_
#define HD_PASSES_GRAPH_EXPAND_EXPAND_WINDOW_H_

#include "passes/graph/expand/expand_hlo.h"

enum { HD_WINDOW_MAX_INPUTS = 8 };

/* What is said of one dim. */
typedef struct hd_window_dim {
  hd_value *size, *stride, *base, *dilation, *low, *high; /* tensor<1xi32> */
  bool pads;                                              /* padding or base dilation is left to a pad */
  bool loops;                                             /* the window is left to a loop */
} hd_window_dim;

typedef struct hd_windows {
  hd_builder *b;
  hd_op *op;
  hd_block *body;
  uint32_t inputs, rank;
  hd_value *init[HD_WINDOW_MAX_INPUTS];
  hd_window_dim dims[HD_MAX_RANK];
} hd_windows;

/* Replaces |x| by the reductions of its windows; false with an error reported. */
bool hd_expand_windows(hd_windows *w, hd_value **x);

/* A copy of the computation |body|, which ends in func.return or stablehlo.return, as the region of |op|. */
void hd_expand_give_body(hd_builder *b, hd_block *body, hd_op *op);

#endif
