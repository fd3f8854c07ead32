/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of hlo-expand: one function per op. It makes what stands for |op| at the builder, one value per result; false
 * with an error reported at the op. */
#ifndef HD_PASSES_GRAPH_EXPAND_EXPAND_HLO_H_
#define HD_PASSES_GRAPH_EXPAND_EXPAND_HLO_H_

#include "eval/graph/check.h"
#include "pass/pass.h"
#include "passes/graph/hlo_build.h"
#include "shape/shapes.h"

#define HD_EXPANSIONS(X)                                  \
  X(stablehlo_map, map)                                   \
  X(stablehlo_reduce, reduce)                             \
  X(stablehlo_reduce_window, reduce_window)               \
  X(stablehlo_select_and_scatter, select_and_scatter)     \
  X(stablehlo_scatter, scatter)                           \
  X(stablehlo_sort, sort)                                 \
  X(stablehlo_broadcast, broadcast)                       \
  X(stablehlo_einsum, einsum)                             \
  X(stablehlo_unary_einsum, einsum)                       \
  X(stablehlo_torch_index_select, torch_index_select)     \
  X(chlo_scan, scan)                                      \
  X(mhlo_scan, scan)                                      \
  X(chlo_ragged_dot, ragged_dot)                          \
  X(mhlo_ragged_dot, ragged_dot)                          \
  X(chlo_minimum_broadcast_shapes, broadcast_shapes)      \
  X(mhlo_minimum_broadcast_shapes, broadcast_shapes)      \
  X(chlo_top_k, top_k)                                    \
  X(mhlo_topk, top_k)                                     \
  X(stablehlo_batch_norm_inference, batch_norm_inference) \
  X(stablehlo_batch_norm_training, batch_norm_training)   \
  X(stablehlo_batch_norm_grad, batch_norm_grad)           \
  X(stablehlo_rng_bit_generator, rng_bit_generator)       \
  X(stablehlo_rng, rng)                                   \
  X(stablehlo_all_gather, all_gather)                     \
  X(stablehlo_all_reduce, all_reduce)                     \
  X(stablehlo_all_to_all, all_to_all)                     \
  X(stablehlo_collective_broadcast, collective_broadcast) \
  X(stablehlo_collective_permute, collective_permute)     \
  X(stablehlo_collective_reduce, collective_reduce)       \
  X(stablehlo_cross_replica_sum, all_reduce)              \
  X(stablehlo_reduce_scatter, reduce_scatter)             \
  X(stablehlo_partition_id, process_id)                   \
  X(stablehlo_replica_id, process_id)                     \
  X(stablehlo_bitcast_convert, bitcast_convert)           \
  X(mhlo_bitcast, bitcast)                                \
  X(mhlo_stochastic_convert, stochastic_convert)          \
  X(chlo_dynamic_top_k, dynamic_top_k)                    \
  X(chlo_dynamic_reshape, dynamic_reshape)                \
  X(stablehlo_set_dimension_size, set_dimension_size)     \
  X(stablehlo_infeed, exchange)                           \
  X(stablehlo_outfeed, exchange)                          \
  X(stablehlo_send, exchange)                             \
  X(stablehlo_recv, exchange)                             \
  X(stablehlo_custom_call, custom_call)                   \
  X(stablehlo_optimization_barrier, barrier)              \
  X(mhlo_add_dependency, barrier)                         \
  X(mhlo_domain, barrier)                                 \
  X(mhlo_trace, barrier)

#define DECLARE_(opcode, function) bool hd_expand_##function(hd_builder *b, hd_op *op, hd_value **results);
HD_EXPANSIONS(DECLARE_)
#undef DECLARE_

/* Asserts what the shape function of |op| (ir/shapes) requires of its operands' dims, as far as types leave it open:
 * what stands for |op| need not demand it (expand_constraints.c). */
void hd_expand_constraints(hd_builder *b, hd_op *func, hd_op *op, hd_arena *arena);

/* Rounds what ops on floats below f32 give, each at once; true when there are such. */
bool hd_round_results(hd_op *func, hd_arena *arena);

/* Must the regions of |op| run exactly as often as the program says? Not where kernels can hold them and nothing in
 * them may fail by its dims: kernels run them for more than the program would, and checks ahead do not know the data.
 * Sets |*shapes|, null before the first op that asks for it, to the shape analysis of |func|. */
bool hd_regions_are_exact(hd_op *op, hd_op *func, hd_shapes **shapes, hd_arena *arena);

/* The gather that torch_index_select is, of |type|; |x| has an element in |dim| and in each of its |batches| first
 * dims. */
hd_value *hd_build_pick(hd_builder *b, hd_value *x, hd_value *index, int64_t dim, int64_t batches, hd_type type);

/* What no kernel can hold: a loop over the elements (element_loop.h). */
bool hd_expand_map_by_element(hd_builder *b, hd_op *op, hd_value **results);

/* custom_call @check.eq and its kin with a result. */
bool hd_expand_expectation(hd_builder *b, hd_op *op, const hd_expectation_call *rule, hd_value **results);
/* custom_call @stablehlo.dynamic_rng_bit_generator(%state, %dims): rng_bit_generator of those dims. */
bool hd_expand_dynamic_rng(hd_builder *b, hd_op *op, hd_value **results);

/* A custom call that asks for other orders of memory becomes one on transposed tensors (expand_custom_call.c); others
 * stay, and |results| is left alone. */
bool hd_expand_layouts(hd_builder *b, hd_op *op, hd_value **results);

/* A reduce_window over many elements at a time becomes a loop that doubles what an element stands for
 * (expand_window.c);
 * others stay, and |results|[0] is null. */
bool hd_expand_long_window(hd_builder *b, hd_op *op, hd_value **results);

/* The scalar computation |block| of |count| results on whole tensors of one shape; false with an error reported at the
 * op that cannot. */
bool hd_hlo_apply(hd_builder *b, hd_block *block, hd_value *const *arguments, hd_value **results, size_t count);

/* The ops of an async_start's region are where async_done gives their results, those of a fusion where it is
 * (expand_held.c). */
bool hd_expand_held(hd_pass *pass, hd_op *func);
/* Tokens of |func| become empty tensors (expand_tokens.c). */
void hd_expand_tokens(hd_pass *pass, hd_op *func);

/* Takes tuples out of |func|: their elements are values of their own in control flow, arguments and results. */
bool hd_expand_tuples(hd_pass *pass, hd_op *func);
/* Quantized values become integers, and ops on them ops on floats between conversions. */
bool hd_expand_quantized(hd_pass *pass, hd_op *func);
/* The type of |func| after its entry block and terminator. */
hd_type hd_expanded_signature(hd_pass *pass, hd_op *func);
/* Is a region of |op| a program of its own? Others are reducers and comparators of scalars. */
bool hd_holds_program(const hd_op *op);

#endif
