/* SPDX-License-Identifier: Apache-2.0 */
/* Where the buffers of a function are, in the memory of the host or of the device: it follows from memory spaces, from
 * hd.placement of the ops that write a buffer, from arg_attrs and res_attrs of the function, and from host code that
 * loads from a buffer or stores to it. Views, carried values and arguments of blocks are where the buffer does that
 * they stand for. Thread-compatible. */
#ifndef HD_ANALYSIS_BUFFER_PLACES_H_
#define HD_ANALYSIS_BUFFER_PLACES_H_

#include "base/strbuf.h"
#include "base/vec.h"
#include "ir/placement.h"

typedef struct hd_buffer_places {
  hd_arena *arena;
  hd_map nodes; /* memref value -> what it is joined with */
  hd_vec(hd_value *) values;
  hd_vec(hd_op *) conflicts; /* ops that would have a buffer in a second memory */
  bool device_wins;          /* what both want is on the device, and nothing is a conflict */
  hd_op *func;
} hd_buffer_places;

/* What |func| tells, on |arena|: the analysis `places`, which passes ask for by hd_pass_places (passes/analyses.h). */
hd_buffer_places *hd_buffer_places_of(hd_op *func, hd_arena *arena);
void hd_buffer_places_print(hd_buffer_places *places, hd_strbuf *out);
/* The same where the device wins: for programs whose kernels are known, which say nothing themselves. */
hd_buffer_places *hd_buffer_places_of_launches(hd_op *func, hd_arena *arena);
/* NONE: nothing tells. */
hd_placement hd_buffer_place(hd_buffer_places *places, hd_value *buffer);
/* |op| says that |buffer| is |at|; what is known stays. */
void hd_buffer_place_set(hd_buffer_places *places, hd_value *buffer, hd_placement at, hd_op *op);

#endif
