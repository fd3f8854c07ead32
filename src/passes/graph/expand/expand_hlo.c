/* SPDX-License-Identifier: Apache-2.0 */
/* hlo-expand: ops that other ops can say become those, so that what follows knows fewer.
 *
 *   "stablehlo.map"(%x) ({ add })          ->   stablehlo.add on whole tensors
 *   what no kernel computes in a region    ->   a loop over the elements (element_loop.h)
 *   tuple, get_tuple_element               ->   their elements, through control flow, arguments and results
 *   batch_norm_*, einsum, top_k            ->   reductions, dot_general, sort and slice
 *   scan                                   ->   while (expand_scan.c)
 *   torch_index_select                     ->   gather, where there is something to pick (expand_index_select.c)
 *   minimum_broadcast_shapes               ->   arithmetic on the sizes (expand_broadcast_shapes.c)
 *   ragged_dot                             ->   dot_general of all groups, what is of each kept (expand_ragged.c)
 *   rng_bit_generator                      ->   the rounds of its algorithm on counters (the bits of
 *                                               eval/graph/random.c)
 *   stochastic_convert                     ->   arithmetic on f64 (expand_stochastic.c)
 *   quantized types                        ->   integers, and arithmetic on floats between conversions
 *   all_reduce, all_gather, ...            ->   exchanges of whole blocks between processes (expand_collectives.c)
 *   send, recv, infeed, outfeed            ->   custom calls of the runtime (expand_collectives.c)
 *   async_start, async_done, fusion        ->   the ops of its region, where the results are wanted
 *   custom_call of a known name            ->   the op of that name, or its operand for an annotation
 *   tokens                                 ->   empty tensors
 *   optimization_barrier, add_dependency,
 *   domain, trace                          ->   its operands, as many as it has results
 *
 * What an op demands of its operands' dims is asserted before what stands for it (expand_constraints.c).
 *
 * Requires one function without calls. Ops inside reducers are left alone. A form that has no expansion is an error at
 * the op, but for custom calls, which stay. */
#include "passes/graph/expand/expand_hlo.h"

#include "ir/custom_calls.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/passes.h"

typedef bool (*expand_fn)(hd_builder *b, hd_op *op, hd_value **results);

/* A barrier orders what a scheduler may move; nothing here moves across what an op depends on. */
bool hd_expand_barrier(hd_builder *b, hd_op *op, hd_value **results) {
  (void)b;
  for (uint32_t i = 0; i < op->result_count; ++i) results[i] = hd_operand(op, i);
  return true;
}

static expand_fn expansion_of(const hd_op *op) {
  switch (hd_opcode_get(op)) {
#define CASE_(opcode, function) \
  case HD_OP_##opcode:          \
    return hd_expand_##function;
    HD_EXPANSIONS(CASE_)
#undef CASE_
    default:
      return NULL;
  }
}

typedef struct found {
  hd_arena *arena;
  hd_op *func;
  hd_vec(hd_op *) ops;
  hd_map held; /* of them, those that kernels hold as they are */
} found;

bool hd_holds_program(const hd_op *op) {
  return hd_is_control_flow(op) || hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE));
}

static bool collect(hd_op *op, void *user) {
  found *f = user;
  if (expansion_of(op) && hd_holds_program(hd_op_parent(op))) hd_vec_push(f->arena, &f->ops, op);
  return true;
}

static bool expand_all(hd_pass *pass, found *f);

/* What an expansion makes may have expansions itself: ops that were left alone in a region, say. Collectives that move
 * whole blocks (hd.grouping) are done. */
static bool expand(hd_pass *pass, hd_op *func, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_block *block = op->block;
  hd_op *before = op->prev;
  hd_value **results = hd_new_array(&pass->arena, hd_value *, op->result_count + 1);
  hd_attr partitions = hd_discardable_partitions_attr(op);
  if (!expansion_of(op)(&b, op, results)) return false;
  bool stays = op->result_count ? !results[0]
                                : hd_op_is(op, HD_OP_stablehlo_custom_call) &&
                                      !hd_custom_call_is_annotation(hd_stablehlo_custom_call_call_target_name(op));
  if (stays) {
    /* With what it was given to read, and, of collectives and ids, who takes part. */
    pass->changed |= op->prev != before || hd_discardable_partitions_attr(op) != partitions;
    return true;
  }
  hd_builder demands = hd_builder_before(before ? before->next : block->first);
  demands.loc = op->loc;
  hd_expand_constraints(&demands, func, op, &pass->arena);
  hd_op *end = op->next;
  hd_attr fusion = hd_discardable_fusion_attr(op);
  for (hd_op *at = before ? before->next : block->first; fusion && at != op; at = at->next)
    hd_discardable_set_fusion_attr(at, fusion);
  hd_op_replace(op, results);
  pass->changed = true;
  found made = {.arena = &pass->arena, .func = func};
  for (hd_op *at = before ? before->next : block->first; at != end; at = at->next)
    if (!hd_discardable_grouping_attr(at)) hd_walk_post(at, collect, &made);
  return expand_all(pass, &made);
}

/* Its regions are run as often as the data tell. */
static bool runs_by_data(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_scatter) || hd_op_is(op, HD_OP_stablehlo_sort) ||
         hd_op_is(op, HD_OP_stablehlo_select_and_scatter);
}

/* Before the function changes, so that one shape analysis serves all. */
static void find_held(found *f) {
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_shapes *shapes = NULL;
  for (size_t i = 0; i < f->ops.len; ++i) {
    hd_op *op = f->ops.data[i];
    if (runs_by_data(op) && !hd_regions_are_exact(op, f->func, &shapes, &scratch))
      hd_map_set(f->arena, &f->held, op, op);
  }
  hd_arena_free(&scratch);
}

static bool expand_all(hd_pass *pass, found *f) {
  find_held(f);
  for (size_t i = 0; i < f->ops.len; ++i)
    if (!hd_map_find(&f->held, f->ops.data[i]) && !expand(pass, f->func, f->ops.data[i])) return false;
  return true;
}

bool hd_pass_expand_hlo(hd_pass *pass, hd_op *func) {
  if (!hd_expand_held(pass, func)) return false;
  if (!hd_option_bool(pass, "excess-precision") && hd_round_results(func, &pass->arena)) pass->changed = true;
  if (!hd_expand_tuples(pass, func) || !hd_expand_quantized(pass, func)) return false;
  hd_expand_tokens(pass, func);
  found f = {.arena = &pass->arena, .func = func};
  hd_walk_post(func, collect, &f);
  return expand_all(pass, &f);
}
