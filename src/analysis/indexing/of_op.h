/* SPDX-License-Identifier: Apache-2.0 */
/* The maps of ops: graph ops (stablehlo, mhlo, chlo) on tensors and their lmhlo counterparts on buffers. A table of
 * rules by opcode gives the maps from an element of a result to the elements of the operands that it is computed from;
 * the maps from operands to results are their converses. */
#ifndef HD_ANALYSIS_INDEXING_OF_OP_H_
#define HD_ANALYSIS_INDEXING_OF_OP_H_

#include "analysis/indexing/map.h"

typedef hd_vec(hd_index_map *) hd_index_maps;

/* How elements of result |result| of |op| (output |result| of a buffer op) depend on those of its operands: |out|, one
 * list per operand, has room for op->operand_count. An operand with several maps is read several times; one without is
 * not read, or gives a size alone. False when no map says it: what the operands' elements decide (control flow, calls,
 * custom calls), and what mixes all of them in its own way (fft, cholesky, ...).
 *
 * A map may say too much: all of the operand of a dynamic-update-slice or scatter, all of a sorted line, and
 * all of a window that select-and-scatter chose from. */
bool hd_index_output_to_input(hd_indexing *in, hd_op *op, uint32_t result, hd_index_maps *out);
/* The converse: which elements of the results an element of operand |operand| takes part in, one list per result. */
bool hd_index_input_to_output(hd_indexing *in, hd_op *op, uint32_t operand, hd_index_maps *out);
/* From an element of |value| to those of |leaf|, a value of the same block or an argument of it, through all ops
 * between.
 * Equal maps are one. False when an op between has none. */
bool hd_index_between(hd_indexing *in, hd_value *value, hd_value *leaf, hd_index_maps *out);

/* ---- for the rules ---- */

typedef struct hd_op_maps {
  hd_indexing *in;
  hd_op *op;
  hd_opcode opcode; /* the graph op's */
  uint32_t result, input_count;
  hd_value *output;
  hd_index_maps *inputs;
} hd_op_maps;

typedef bool (*hd_op_map_rule)(hd_op_maps *m);

bool hd_index_of_pointwise(hd_op_maps *m);
bool hd_index_of_pairwise(hd_op_maps *m);
bool hd_index_of_first_operand(hd_op_maps *m);
bool hd_index_of_broadcast_in_dim(hd_op_maps *m);
bool hd_index_of_broadcast(hd_op_maps *m);
bool hd_index_of_broadcasting(hd_op_maps *m);
bool hd_index_of_transpose(hd_op_maps *m);
bool hd_index_of_reverse(hd_op_maps *m);
bool hd_index_of_slice(hd_op_maps *m);
bool hd_index_of_real_dynamic_slice(hd_op_maps *m);
bool hd_index_of_dynamic_slice(hd_op_maps *m);
bool hd_index_of_dynamic_update_slice(hd_op_maps *m);
bool hd_index_of_pad(hd_op_maps *m);
bool hd_index_of_concatenate(hd_op_maps *m);
bool hd_index_of_reduce(hd_op_maps *m);
bool hd_index_of_sort(hd_op_maps *m);
bool hd_index_of_bitcast_convert(hd_op_maps *m);
bool hd_index_of_reshape(hd_op_maps *m);
bool hd_index_of_bitcast(hd_op_maps *m);
bool hd_index_of_dot(hd_op_maps *m);
bool hd_index_of_dot_general(hd_op_maps *m);
bool hd_index_of_convolution(hd_op_maps *m);
bool hd_index_of_reduce_window(hd_op_maps *m);
bool hd_index_of_select_and_scatter(hd_op_maps *m);
bool hd_index_of_gather(hd_op_maps *m);
bool hd_index_of_scatter(hd_op_maps *m);
bool hd_index_of_torch_index_select(hd_op_maps *m);
bool hd_index_of_fusion(hd_op_maps *m);

static inline hd_value *hd_op_maps_input(const hd_op_maps *m, uint32_t i) { return hd_operand(m->op, i); }
uint32_t hd_op_maps_rank(const hd_op_maps *m, uint32_t input);
hd_dim hd_op_maps_dim(const hd_op_maps *m, uint32_t input, uint32_t d);
hd_dim hd_op_maps_output_dim(const hd_op_maps *m, uint32_t d);
/* Integer |i| of the list attribute |name|, |absent| where it has none. */
int64_t hd_op_maps_int(const hd_op_maps *m, hd_name name, uint32_t i, int64_t absent);
/* A map from the output to input |input|, whose dims have the output's sizes, with room for |constraints|. */
hd_index_map *hd_op_map(const hd_op_maps *m, uint32_t input, uint32_t ranges, uint32_t runtimes, uint32_t constraints);
/* Range variable |i| runs over dim |d| of input |input|; gives it as an expression. */
hd_affine hd_op_map_range(const hd_op_maps *m, hd_index_map *map, uint32_t i, uint32_t input, uint32_t d);
/* Runtime variable |i| is the element |index| of input |input|, clamped to [0, last]; |last| null: it may
 * have any value, and where the domain allows it, is that. Gives it as an expression. */
hd_affine hd_op_map_runtime(const hd_op_maps *m, hd_index_map *map, uint32_t i, uint32_t input, const hd_affine *index,
                            uint32_t count, hd_dim last);
/* Element |i| of the shape operand |input|; null when it is not known. */
hd_affine hd_op_maps_element(const hd_op_maps *m, uint32_t input, uint32_t i);
/* Demands 0 <= expr < size, by two constraints at most; false for null. */
bool hd_op_map_within(const hd_op_maps *m, hd_index_map *map, hd_affine expr, hd_dim size);
/* Adds (d0, ...) -> (d0, ...), or () for an input of one element. */
bool hd_op_maps_add_identity(hd_op_maps *m, uint32_t input);
/* Adds the simplified map to those of input |input|; false for null. */
bool hd_op_maps_add(hd_op_maps *m, uint32_t input, hd_index_map *map);
/* Adds (d0, ...) -> (): input |input| is one element. */
bool hd_op_maps_add_scalar(hd_op_maps *m, uint32_t input);

#endif
