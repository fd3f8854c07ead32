/* SPDX-License-Identifier: Apache-2.0 */
/* What explain finds out by compiling a program up to machine code, and its three renderings. */
#ifndef HD_DRIVER_EXPLAIN_H_
#define HD_DRIVER_EXPLAIN_H_

#include "base/vec.h"
#include "driver/entry.h"
#include "ir/op.h"
#include "shape/dim.h"

/* A fusion whose result is read, and why it is a kernel of its own. */
typedef struct hd_explain_blocker {
  uint32_t fusion;
  const char *why;
} hd_explain_blocker;

/* What becomes one kernel or library call: a fusion, or a single op. */
typedef struct hd_explain_fusion {
  const char *kind;  /* "row", "loop", "gemm"; "host" for control flow */
  const char *route; /* how it is made: "emitter: ..." or "library: ..." */
  const char *ops;   /* names in order, repeated ones counted: "add 2, exponential" */
  const char *place; /* "file:line:column" of its first op with one, or "" */
  const char *outputs;
  const char *flops, *bytes; /* over the program's dims; "?" when the run decides */
  const char *functions;     /* how many of the flops are a function's (tanh, log): each takes dozens of instructions */
  const char *why;           /* why it ends where it does */
  hd_vec(hd_explain_blocker) blockers; /* why it is not one kernel with what it reads */
  uint32_t op_count, inline_count;
  hd_vec(uint32_t) reads; /* fusions whose results it reads */
} hd_explain_fusion;

typedef struct hd_explain_pass {
  const char *name;
  double ms;
  bool changed;
  size_t ops;       /* in the module after it */
  const char *text; /* the module after it; null unless asked for */
} hd_explain_pass;

typedef struct hd_explain_kernel {
  const char *name;
  uint32_t launches;        /* launch sites; 0: it runs on the tiles of a library call */
  hd_vec(uint32_t) fusions; /* whose work it does */
  hd_dim bytes;             /* at least, by all launch sites together; null: not known */
  const char *bytes_text;   /* of it; null of a call */
  bool vectors, gathers;    /* on the CPU: has it vectors of several elements, and gathers of them */
} hd_explain_kernel;
typedef hd_vec(hd_explain_kernel) hd_explain_list;

typedef struct hd_explanation {
  hd_arena *arena;
  const char *name;
  const hd_artifact_entry *entry;
  hd_vec(hd_explain_fusion) fusions;
  hd_vec(hd_explain_pass) passes;
  hd_explain_list kernels;
  hd_explain_list calls; /* of the runtime, by API */
  size_t host_ops, allocations;
  double flops; /* of all fusions; negative when one's is not a number */
} hd_explanation;

/* "1, 2 and 5 more": the fusions that |kernel| does the work of. */
void hd_explain_put_fusions(const hd_explain_kernel *kernel, hd_strbuf *out);
void hd_explain_print_text(const hd_explanation *e, hd_strbuf *out);
void hd_explain_print_json(const hd_explanation *e, hd_strbuf *out);
void hd_explain_print_html(const hd_explanation *e, hd_strbuf *out);

#endif
