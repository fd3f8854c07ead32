/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the generator: what single buffer ops compute at an index. */
#ifndef HD_CODEGEN_EMIT_GENERATE_OPS_H_
#define HD_CODEGEN_EMIT_GENERATE_OPS_H_

#include "codegen/emit/generator.h"

/* The element of |output|, which |op| writes, at |index|. */
bool hd_generate_op(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out);

/* |count| of T for as long as the kernel is made. */
#define hd_generator_array(g, T, count) hd_new_array((g)->arena, T, (size_t)(count) + 1)

/* Is there a row of generate.def for |opcode|? */
bool hd_has_generator(hd_opcode opcode);

/* Ops that loop over part of their operands (reduce, reduce_window, dot, convolution): generate_loops.c. */
bool hd_generate_loop_op(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out);

/* The iterations of the outermost loop of a nest of |sizes|: none where another loop of it has none, so that no loop
 * counts to what may be 2^48 for nothing. What only the run knows is asked for once, before the nest. */
hd_value *hd_outermost_size(hd_builder *b, hd_value *const *sizes, uint32_t count);

/* The parts of |count| elements as values, as loops carry them: how many; and back, complex where |like| is. */
uint32_t hd_flatten_elements(const hd_element *elements, uint32_t count, hd_value **out);
void hd_unflatten_elements(hd_value *const *values, uint32_t count, const hd_element *like, hd_element *out);

/* What region |r| of |op|, a function of elements (a reducer, a comparator, the computation of map), gives for
 * |arguments|: generate_region.c. What it uses from outside is read where the code is. */
bool hd_generate_region(hd_generator *g, hd_op *op, uint32_t r, const hd_element *arguments, hd_element *out);
/* The computation of map on the elements at |index|. */
bool hd_generate_map(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_element *out);

/* a and b, of one type (null |a|: b). */
hd_value *hd_generate_and(hd_generator *g, hd_value *a, hd_value *b);
/* Where an element may be read: |all| decides it for every lane at once (an i1), |lanes| lane by lane; null: no such
 * condition. */
typedef struct hd_guard {
  hd_value *all, *lanes;
} hd_guard;

void hd_guard_add(hd_generator *g, hd_guard *guard, hd_value *condition);
/* The element of |buffer| at |at| where |guard| holds, |otherwise| elsewhere: nothing is loaded where it does not hold.
 * What decides for every lane is a branch, since a load that is one for all lanes has no mask. */
bool hd_generate_guarded(hd_generator *g, hd_guard guard, hd_value *buffer, const hd_index_tuple *at,
                         hd_element otherwise, hd_element *out);

/* |value|, an integer or a vector of them of element type |element|, as an index; ui64 from 2^63 on gives the largest
 * one, since indices have a sign. */
hd_value *hd_generate_index_cast(hd_generator *g, hd_value *value, hd_type element);
/* A start index of a dynamic slice or update, clamped so that the slice of |size| fits into |whole|. */
bool hd_generate_clamped_start(hd_generator *g, hd_value *start, hd_dim whole, hd_dim size, hd_lane_index *out);
hd_dim hd_generator_dim_of(hd_generator *g, hd_value *buffer, uint32_t d);

#endif
