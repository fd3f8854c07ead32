/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of outline-loops: a loop of the host that becomes one kernel. outline_loops.c decides and changes the host,
 * outline_check.c says which ops can go, outline_body.c writes the kernel. */
#ifndef HD_PASSES_KERNEL_OUTLINE_H_
#define HD_PASSES_KERNEL_OUTLINE_H_

#include "base/map.h"
#include "base/vec.h"
#include "ir/builder.h"
#include "pass/pass.h"

enum {
  HD_OUTLINE_ELEMENTS = 64, /* of a buffer whose elements the kernel keeps itself */
  HD_OUTLINE_MOVED = 16     /* elements that are moved one by one, which can be registers */
};

typedef struct hd_outline {
  hd_pass *pass;
  hd_op *func, *loop;
  /* What the check finds */
  uint32_t ops;             /* that the kernel would have */
  hd_vec(hd_op *) launches; /* whose extents only the run tells */
  hd_vec(hd_op *) checks;   /* of a step, which are the same in each: they hold where the kernel runs */
  /* While the kernel is written */
  hd_op *kernel;
  hd_builder head;                           /* before the loop, in the kernel */
  hd_vec(hd_value *) operands;               /* of its launch */
  hd_map values;                             /* host value, or value of an inlined kernel -> value of the kernel */
  hd_map areas;                              /* host memref -> hd_outline_area */
  hd_vec(struct hd_outline_area *) returned; /* whose elements go back to the host's buffers */
  hd_value *steps;                           /* memref<1xi64>: steps of any loop so far */
} hd_outline;

/* Where a host buffer's elements are in the kernel. */
typedef struct hd_outline_area {
  hd_value *flat;  /* memref<?xT> */
  hd_value *outer; /* the host's buffer as an argument, where |flat| is a slot of the kernel's frame that copies it */
  int64_t count;   /* of |flat|'s elements; -1: only the run tells */
} hd_outline_area;

/* T of the memref<?xT> as which kernels see a host memref of |type|, as the element generator makes it. */
hd_type hd_outline_element(hd_type type);
/* Elements of such a memref, -1 when only the run tells. */
int64_t hd_outline_count(hd_type type);

/* The buffer from outside of |o->loop| that starts the loop that carries |buffer|, of the same size; |buffer| itself
 * where it is of the outside; null where a step makes it. */
hd_value *hd_outline_outer(const hd_outline *o, hd_value *buffer);

/* Can |o->loop| be a kernel? Fills what the check finds. */
bool hd_outline_check(hd_outline *o);
/* Writes the kernel of |o->loop|, which hd_outline_check has passed: |again| is set, a memref<i1> of the host, to what
 * the condition was when it left the loop. Fills |operands|, the first of which is |again|. */
void hd_outline_write(hd_outline *o, hd_str name, hd_value *again);

#endif
