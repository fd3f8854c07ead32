/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of hd_explain: what its files share. explain.c runs the passes, explain_fusions.c looks at the module after
 * disc-fusion. */
#ifndef HD_DRIVER_EXPLAINING_H_
#define HD_DRIVER_EXPLAINING_H_

#include "driver/dump.h"
#include "driver/explain.h"
#include "driver/session.h"
#include "shape/shapes.h"

typedef struct hd_explaining {
  hd_session session;
  hd_module *module;
  const void *program;
  size_t size;
  const char *name;
  const hd_compile_options *options;
  hd_explain_format format;
  hd_program_costs *costs; /* null: a text is wanted */
  hd_arena arena;
  hd_artifact_entry entry;
  hd_explanation e;
  hd_shapes *shapes;
  hd_map fusions;      /* op -> fusion + 1 */
  hd_map fusion_locs;  /* location -> fusion + 1: what becomes of a fusion has it */
  hd_vec(hd_op *) ops; /* of the fusions */
  hd_map nodes;        /* noted -> fusion + 1 */
  hd_map writers;      /* buffer -> fusion + 1 */
  hd_map traffic;      /* buffer and fusion -> bytes that are moved of it */
  hd_strbuf out;
  hd_dump dump;
} hd_explaining;

/* Adds the kernels and library calls of |region|, in order. */
void hd_explaining_add_fusions(hd_explaining *x, hd_region *region);
/* Has |kernel| do work of the fusion that |loc| comes from, if it comes from one. */
void hd_explaining_note_fusion(hd_explaining *x, hd_loc loc, hd_explain_kernel *kernel);
/* The bytes of |buffer| that fusion |fusion|, of |ops|, writes (is_made_here) or reads; null: not known. Noted for its
 * kernels. */
hd_dim hd_explaining_buffer_bytes(hd_explaining *x, uint32_t fusion, hd_op *const *ops, size_t count, hd_value *buffer,
                                  bool is_made_here);
/* Adds the bytes that |launch| of |kernel|, counted already, moves. */
void hd_explaining_add_launch_bytes(hd_explaining *x, const hd_op *launch, hd_explain_kernel *kernel);
/* "?" for null. */
const char *hd_explaining_dim_text(hd_explaining *x, hd_dim dim);
/* Is an element of |op|'s result a function's value (tanh, log), by a polynomial? */
bool hd_explaining_is_function(const hd_op *op);
/* Says of each fusion why it ends where it does, and why it is not one with what it reads. */
void hd_explaining_say_why(hd_explaining *x, hd_op *func);
/* Says of the fusions that join-attention has put side by side how they are computed. */
void hd_explaining_note_joined(hd_explaining *x);

#endif
