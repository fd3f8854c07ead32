/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of hlo-expand: loops of the program, one element a step, for ops whose computation no kernel can hold. Tensors
 * are flat ([n], row-major) and numbers tensor<i32>. Slow, and right for whatever the program can compute. */
#ifndef HD_PASSES_GRAPH_EXPAND_ELEMENT_LOOP_H_
#define HD_PASSES_GRAPH_EXPAND_ELEMENT_LOOP_H_

#include "passes/graph/hlo_build.h"

/* An open loop; |in| is where the next op of its body goes. */
typedef struct hd_element_loop {
  hd_builder in;
  hd_op *op;          /* results: the last |at|, then the carried values */
  hd_value *at;       /* the step */
  hd_value **carried; /* |count| values, as a step is given them */
  uint32_t count;
} hd_element_loop;

/* while (at < end), with |at| that starts as |from|, |end| tensor<1xi32>, and values of any shape that start as
 * |starts|. */
hd_element_loop hd_element_loop_open(hd_builder *b, int64_t from, hd_value *end, hd_value *const *starts,
                                     uint32_t count);
/* The next step is |next_at| (null: at + 1) and is given |next|; |results| (room for count) are the values after the
 * loop. */
void hd_element_loop_close(hd_element_loop *loop, hd_value *next_at, hd_value *const *next, hd_value **results);

/* tensor<i32> of a size. */
hd_value *hd_element_number(hd_builder *b, hd_value *size);
/* The place |at| in row-major order as an index per dim of |sizes|. */
void hd_element_index(hd_builder *b, hd_value *at, hd_value *const *sizes, uint32_t rank, hd_value **out);
/* The place of |index|, the inverse. */
hd_value *hd_element_place(hd_builder *b, hd_value *const *index, hd_value *const *sizes, uint32_t rank);

/* x[at] as the scalar |type|, and x with |element| there; |at| inside of x. */
hd_value *hd_element_get(hd_builder *b, hd_value *x, hd_value *at, hd_type type);
hd_value *hd_element_set(hd_builder *b, hd_value *x, hd_value *at, hd_value *element);
/* The ops of |body| at the builder, on |arguments|; its values go to |results|. */
void hd_element_apply(hd_builder *b, hd_block *body, hd_value *const *arguments, hd_value **results);
/* if (pred) body(arguments) else |otherwise|: tensors of |otherwise|'s types. */
void hd_element_apply_if(hd_builder *b, hd_value *pred, hd_block *body, hd_value *const *arguments,
                         hd_value *const *otherwise, hd_value **results);

/* Where a step of a combining loop reads and writes. */
typedef struct hd_element_step {
  hd_value *from, *to; /* places in inputs and outputs; the step itself unless it is said otherwise */
  hd_value *inside;    /* tensor<i1>: whether anything is combined; null: always */
} hd_element_step;

/* Combines elements of |inputs| into |outputs|, |count| flat tensors each, in |steps| (tensor<1xi32>) steps:
 *   outputs[to] = body(outputs[to], inputs[from])
 * |plan| says of step |at| where; |outputs| becomes the values after the loop. */
void hd_element_combine(hd_builder *b, hd_block *body, hd_value *steps, hd_value *const *inputs, hd_value **outputs,
                        uint32_t count,
                        void (*plan)(hd_builder *b, const void *user, hd_value *at, hd_element_step *step),
                        const void *user);

/* The product of |sizes|; |x| in one dim of |size| elements, all equal; |x| flat; |x| flat with |last| after it. */
hd_value *hd_element_product(hd_builder *b, hd_value *const *sizes, uint32_t count);
hd_value *hd_element_spread(hd_builder *b, hd_value *x, hd_value *size);
hd_value *hd_element_flat(hd_builder *b, hd_value *x);
hd_value *hd_element_flat_and(hd_builder *b, hd_value *x, hd_value *last);
/* The front of |x|, which is flat, as |type| of dims |sizes|. */
hd_value *hd_element_unflat(hd_builder *b, hd_value *x, hd_value *const *sizes, hd_type type);

#endif
