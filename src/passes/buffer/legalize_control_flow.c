/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow of disc-hlo-legalize-to-lhlo.
 *
 * while carries buffers, not copies. Each carried value has a buffer of its own from the start; a value that the body
 * computes anew is written into a spare buffer, and the two change places for the next step:
 *
 *   %r = stablehlo.while(%x = %init) ... do {          %a = alloc; copy(%init, %a); %s = alloc
 *     %y = f(%x); return %y }                    ->    %r:2 = scf.while (%x = %a, %t = %s) ... do {
 *                                                        f(%x, %t)
 *                                                        scf.yield %t, %x }
 *
 * `hd.spares` says how many of the last buffers hold no value between steps, `hd.ends` that a counter ends the loop.
 *
 * A value whose size a step may change (hd_shapes_varies) has no spare: the body allocates what it yields, and its
 * argument dies there when no step hands it on.
 *
 * So the body yields its arguments in another order, each once, but for those that it frees and replaces by buffers of
 * its own: the loop owns as many buffers after a step as before, on which disc-buffer-deallocation is.
 *
 * if and case write the buffers of their results in every branch; where the branches give different sizes, each gives a
 * buffer of its own. */
#include "analysis/buffer_op.h"
#include "base/map.h"
#include "ir/ops/discardable.h"
#include "passes/buffer/legalizer.h"

static hd_op *copy_to(hd_builder *b, hd_value *from, hd_value *to) { return hd_build0(b, HD_OP_lmhlo_copy, from, to); }

static hd_value *load_scalar(hd_builder *b, hd_value *buffer) {
  return hd_build_one_(b, HD_OP_memref_load, hd_type_element(buffer->type), &buffer, 1, NULL, 0);
}

/* A region's arguments become buffers of the types of |carried|, as the same values. */
static void carry_buffers(hd_legalizer *ctx, hd_block *block, hd_value *const *carried) {
  for (uint32_t i = 0; i < block->arg_count; ++i) {
    hd_shapes_get(ctx->shapes, block->args[i]); /* shapes are asked by tensor */
    block->args[i]->type = carried[i]->type;
    hd_map_set(&ctx->pass->arena, &ctx->buffers, block->args[i], block->args[i]);
  }
}

/* May |value|, which a loop or a branch gives, have another size each time? */
static bool varies(hd_legalizer *ctx, hd_value *value) {
  for (uint32_t d = 0; d < hd_type_rank(value->type); ++d)
    if (hd_shapes_varies(ctx->shapes, value, d)) return true;
  return false;
}

/* Is |value| memory that |block| has made and may hand on: an allocation, or what control flow of it has given? */
static bool is_made_in(hd_block *block, hd_value *value) {
  hd_op *op = hd_value_op(value);
  return op && op->block == block && !hd_buffer_holds_constant(value) &&
         (hd_op_is(op, HD_OP_memref_alloc) || hd_op_is(op, HD_OP_scf_while) || hd_op_is(op, HD_OP_scf_if) ||
          hd_op_is(op, HD_OP_scf_index_switch));
}

/* A buffer of |type| that holds what |value| holds, of its size. */
static hd_value *copy_of(hd_legalizer *ctx, hd_builder *b, hd_value *value, hd_type type) {
  hd_value **sizes = hd_new_array(&ctx->pass->arena, hd_value *, hd_type_rank(type) + 1);
  int32_t count = 0;
  for (uint32_t d = 0; d < hd_type_rank(type); ++d)
    if (hd_type_dim(type, d) == HD_DYNAMIC)
      sizes[count++] = hd_build(b, HD_OP_memref_dim, hd_type_index(b->context), value, hd_build_index(b, d));
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b->context, (int32_t[]){count, 0}, 2)};
  hd_value *copy = hd_build_one_(b, HD_OP_memref_alloc, type, sizes, (size_t)count, &segments, 1);
  copy_to(b, value, copy);
  return copy;
}

typedef struct rotation {
  const bool *varies; /* per slot: a step may change its size */
  hd_value **next;    /* per slot: what it holds in the next step */
  uint32_t *goes_to;  /* per slot: where its argument is yielded, or |count| */
  uint32_t *made;     /* slots whose values are new */
  uint32_t count, made_count;
} rotation;

static bool is_fresh(hd_block *body, hd_value *value, hd_type type) {
  hd_op *alloc = hd_value_op(value);
  return hd_op_is(alloc, HD_OP_memref_alloc) && alloc->block == body && value->type == type &&
         !hd_buffer_holds_constant(value);
}

/* What each slot gets: an argument, a buffer that the body has made, or, for anything else (a buffer of the outside,
 * one that is yielded twice, or of a size that is only checked to be the slot's), null: a copy. */
static void plan(hd_legalizer *ctx, hd_block *body, hd_op *yield, const bool *same, rotation *r) {
  hd_arena *arena = &ctx->pass->arena;
  r->next = hd_new_array(arena, hd_value *, r->count);
  r->goes_to = hd_new_array(arena, uint32_t, r->count);
  r->made = hd_new_array(arena, uint32_t, r->count);
  hd_map seen = {0};
  for (uint32_t i = 0; i < r->count; ++i) r->goes_to[i] = r->count;
  for (uint32_t i = 0; i < r->count; ++i) {
    hd_value *value = hd_legalize_buffer(ctx, hd_operand(yield, i));
    bool is_new, argument = !hd_value_op(value) && hd_value_block(value) == body;
    hd_map_insert(arena, &seen, value, &is_new);
    hd_type type = body->args[i]->type;
    if (is_new && argument && value->type == type && r->varies[value->index] == r->varies[i]) {
      r->next[i] = value;
      r->goes_to[value->index] = i;
      continue;
    }
    if (r->varies[i]) {
      hd_builder end = hd_builder_before(yield);
      bool own = is_new && value->type == type && is_made_in(body, value);
      r->next[i] = own ? value : copy_of(ctx, &end, value, type);
      continue;
    }
    if (is_new && same[i] && is_fresh(body, value, type)) r->next[i] = value;
    r->made[r->made_count++] = i;
  }
}

/* The spare buffer of slot |i| comes free when the argument at the end of the slot's path does: a value that moves on
 * to another slot takes its buffer along. */
static hd_value *freed_by(const rotation *r, hd_block *body, uint32_t i) {
  while (r->goes_to[i] < r->count) i = r->goes_to[i];
  return body->args[i];
}

bool hd_legalize_while(hd_legalizer *ctx, hd_op *op) {
  hd_arena *arena = &ctx->pass->arena;
  hd_builder b = hd_builder_before(op);
  if (op->block == ctx->entry) *ctx->host = b;
  uint32_t n = op->operand_count;
  bool ends = !hd_op_may_run_forever(op);
  hd_block *before = hd_op_region(op, 0)->first, *body = hd_op_region(op, 1)->first;
  hd_value **carried = hd_new_array(arena, hd_value *, 2 * (size_t)n);
  bool *changes = hd_new_array(arena, bool, n + (size_t)1);
  for (uint32_t i = 0; i < n; ++i) {
    hd_value *init = hd_legalize_buffer(ctx, hd_operand(op, i));
    if (!init) return hd_op_error(op, "carries a value that is no tensor, which has no compiled path");
    changes[i] = varies(ctx, body->args[i]);
    carried[i] = changes[i]
                     ? hd_legalize_alloc_like(ctx, &b, hd_legalize_type(ctx, body->args[i]), hd_operand(op, i), op)
                     : hd_legalize_alloc(ctx, &b, hd_result(op, i), op);
    if (!carried[i]) return false;
    copy_to(&b, init, carried[i]);
  }
  bool *same = hd_new_array(arena, bool, n);
  for (uint32_t i = 0; i < n; ++i) same[i] = hd_shapes_same(ctx->shapes, hd_operand(body->last, i), hd_result(op, i));
  carry_buffers(ctx, before, carried);
  carry_buffers(ctx, body, carried);
  if (!hd_legalize_block(ctx, before) || !hd_legalize_block(ctx, body)) return false;

  hd_op *yield = body->last, *condition = before->last;
  rotation r = {.count = n, .varies = changes};
  plan(ctx, body, yield, same, &r);
  uint32_t total = n + r.made_count;
  hd_type *types = hd_new_array(arena, hd_type, total);
  hd_value **given = hd_new_array(arena, hd_value *, total + 1);
  hd_builder end = hd_builder_before(yield);
  for (uint32_t i = 0; i < n; ++i) types[i] = carried[i]->type;
  for (uint32_t k = 0; k < r.made_count; ++k) {
    uint32_t slot = r.made[k];
    carried[n + k] = hd_legalize_alloc(ctx, &b, hd_result(op, slot), op);
    if (!carried[n + k]) return false;
    types[n + k] = types[slot];
    hd_block_add_arg(ctx->pass->module, before, types[slot]);
    hd_value *spare = hd_block_add_arg(ctx->pass->module, body, types[slot]), *made = r.next[slot];
    if (made) {
      hd_value_replace_uses(made, spare);
      hd_op_erase(hd_value_op(made));
    } else {
      copy_to(&end, hd_legalize_buffer(ctx, hd_operand(yield, slot)), spare);
    }
    r.next[slot] = spare;
  }
  for (uint32_t i = 0; i < n; ++i) given[i] = r.next[i];
  for (uint32_t k = 0; k < r.made_count; ++k) given[n + k] = freed_by(&r, body, r.made[k]);
  hd_build_yield(&end, given, total);
  hd_op_erase(yield);

  hd_builder decide = hd_builder_before(condition);
  given[0] = load_scalar(&decide, hd_legalize_buffer(ctx, hd_operand(condition, 0)));
  for (uint32_t i = 0; i < total; ++i) given[1 + i] = before->args[i];
  hd_build_op(&decide, HD_OP_scf_condition, given, total + 1, NULL, 0, NULL, 0, 0);
  hd_op_erase(condition);

  hd_region *regions[2] = {hd_op_region(op, 0), hd_op_region(op, 1)};
  hd_op_attr spares = {hd_name_ident(b.context, HD_NAME_hd_spares), hd_attr_i64(b.context, r.made_count), false};
  hd_op *loop = hd_build_state(&b, &(hd_op_state){.opcode = HD_OP_scf_while,
                                                  .loc = op->loc,
                                                  .operands = carried,
                                                  .operand_count = total,
                                                  .result_types = types,
                                                  .result_count = total,
                                                  .attrs = &spares,
                                                  .attr_count = 1,
                                                  .region_count = 2,
                                                  .regions = regions});
  hd_discardable_set_ends(loop, ends);
  for (uint32_t i = 0; i < n; ++i) hd_map_set(arena, &ctx->buffers, hd_result(op, i), hd_result(loop, i));
  return true;
}

/* The terminator of a branch: what is written where the results are, and what it gives itself. */
static void end_branch(hd_legalizer *ctx, hd_block *block, hd_value *const *results, const hd_type *types) {
  hd_op *yield = block->last;
  hd_builder end = hd_builder_before(yield);
  hd_value **given = hd_new_array(&ctx->pass->arena, hd_value *, yield->operand_count + 1);
  size_t count = 0;
  hd_map seen = {0};
  for (uint32_t k = 0; k < yield->operand_count; ++k) {
    hd_value *value = hd_legalize_buffer(ctx, hd_operand(yield, k));
    bool is_new;
    hd_map_insert(&ctx->pass->arena, &seen, value, &is_new);
    if (results[k]) {
      copy_to(&end, value, results[k]);
    } else {
      bool own = is_new && value->type == types[count] && is_made_in(block, value);
      given[count] = own ? value : copy_of(ctx, &end, value, types[count]);
      ++count;
    }
  }
  hd_build_yield(&end, given, count);
  hd_op_erase(yield);
}

bool hd_legalize_branches(hd_legalizer *ctx, hd_op *op) {
  hd_arena *arena = &ctx->pass->arena;
  hd_builder b = hd_builder_before(op);
  if (op->block == ctx->entry) *ctx->host = b;
  hd_value **results = hd_new_array(arena, hd_value *, op->result_count);
  hd_type *types = hd_new_array(arena, hd_type, op->result_count + (size_t)1); /* of what the branches give */
  size_t given = 0;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    if (hd_result_type(op, i)->kind != HD_TYPE_TENSOR)
      return hd_op_error(op, "has a result that is no ranked tensor, which has no compiled path");
    if (varies(ctx, hd_result(op, i))) {
      types[given++] = hd_legalize_type(ctx, hd_result(op, i));
      continue;
    }
    results[i] = hd_legalize_alloc(ctx, &b, hd_result(op, i), op);
    if (!results[i]) return false;
    hd_map_set(arena, &ctx->buffers, hd_result(op, i), results[i]);
  }
  for (uint32_t i = 0; i < op->region_count; ++i) {
    if (!hd_legalize_block(ctx, hd_op_region(op, i)->first)) return false;
    end_branch(ctx, hd_op_region(op, i)->first, results, types);
  }
  /* Region 0 of an index_switch is the default: an index out of range takes the last branch. */
  hd_value *selector = load_scalar(&b, hd_legalize_buffer(ctx, hd_operand(op, 0)));
  uint32_t last = op->region_count - 1;
  hd_region **regions = hd_new_array(arena, hd_region *, op->region_count);
  for (uint32_t i = 0; i < op->region_count; ++i) regions[i] = hd_op_region(op, i);
  hd_op_state state = {.opcode = HD_OP_scf_if,
                       .loc = op->loc,
                       .operands = &selector,
                       .operand_count = 1,
                       .result_types = types,
                       .result_count = given,
                       .region_count = op->region_count,
                       .regions = regions};
  hd_op_attr cases = {0};
  if (hd_op_is(op, HD_OP_stablehlo_case)) {
    selector = hd_build(&b, HD_OP_arith_index_cast, hd_type_index(b.context), selector);
    int64_t *numbers = hd_new_array(arena, int64_t, last + 1);
    regions[0] = hd_op_region(op, last);
    for (uint32_t i = 0; i < last; ++i) regions[1 + i] = hd_op_region(op, i), numbers[i] = i;
    cases = (hd_op_attr){hd_name_ident(b.context, HD_NAME_cases), hd_attr_i64_array(b.context, numbers, last), false};
    state.opcode = HD_OP_scf_index_switch, state.attrs = &cases, state.attr_count = 1;
  }
  hd_op *choice = hd_build_state(&b, &state);
  for (uint32_t i = 0, at = 0; i < op->result_count; ++i)
    if (!results[i]) hd_map_set(arena, &ctx->buffers, hd_result(op, i), hd_result(choice, at++));
  return true;
}
