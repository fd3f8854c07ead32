/* SPDX-License-Identifier: Apache-2.0 */
/* disc-input-inline-fusion: producers are computed inside the loops of their consumers, and the fusion dissolves.
 *
 *   "lmhlo.multiply"(%x, %y, %t)                      scf.parallel (%i, %j) = ... {
 *   scf.parallel (%i, %j) = ... {                       %a = memref.load %x[%i, %j]
 *     %a = memref.load %t[%i, %j]             ->        %b = memref.load %y[%i, %j]
 *     ...                                               %t = arith.mulf %a, %b
 *
 * From the last producer to the first, each load of what it writes is replaced by
 *   - the value that the loop stores there, when it is known at the load (a root's value is used again by another
 *     root);
 *   - the value of an earlier load at the same indices;
 *   - else the op's arithmetic at these indices, by the element generator, which loads the op's operands.
 * A producer comes after all its consumers, so it is computed once per place and code stays linear on diamonds. Equal
 * index arithmetic is made one after ops that compute indices. Buffers are written once, so a load's place does not
 * matter; results of atomic operations are not loaded in their kernel.
 *
 * Stores of what nobody reads outside go with the loads. */
#include "codegen/emit/generate_ops.h"
#include "passes/analyses.h"
#include "passes/gpu/linear_accesses.h"
#include "passes/graph/simplify/cse.h"
#include "passes/lowering/lowering.h"

typedef struct inliner {
  hd_lowering ctx;
  hd_op *fusion;
  hd_builder host;
  hd_map cache; /* of host dims */
} inliner;

static hd_value *host_dim(void *user, hd_dim dim) {
  inliner *n = user;
  return hd_host_dim_once(&n->ctx, &n->host, dim, n->fusion, &n->cache);
}

typedef hd_vec(hd_op *) op_list;

typedef struct collector {
  inliner *n;
  hd_value *buffer;
  op_list loads, stores;
} collector;

static bool collect(hd_op *op, void *user) {
  collector *c = user;
  if (hd_op_is(op, HD_OP_memref_load) && hd_operand(op, 0) == c->buffer)
    hd_vec_push(&c->n->ctx.pass->arena, &c->loads, op);
  if (hd_op_is(op, HD_OP_memref_store) && hd_operand(op, 1) == c->buffer)
    hd_vec_push(&c->n->ctx.pass->arena, &c->stores, op);
  return true;
}

static bool same_value(hd_value *a, hd_value *b) {
  int64_t x, y;
  return a == b || (hd_value_constant_int(a, &x) && hd_value_constant_int(b, &y) && x == y);
}

/* Are the operands of |a| from |a_at| on those of |b| from |b_at| on? */
static bool same_indices(hd_op *a, uint32_t a_at, hd_op *b, uint32_t b_at) {
  for (; a_at < a->operand_count && b_at < b->operand_count; ++a_at, ++b_at)
    if (!same_value(hd_operand(a, a_at), hd_operand(b, b_at))) return false;
  return a_at == a->operand_count && b_at == b->operand_count;
}

/* What |load| is known to be. */
static hd_value *known_value(inliner *n, const collector *c, hd_op *load, const op_list *done,
                             const hd_value *const *values) {
  hd_arena *arena = &n->ctx.pass->arena;
  for (size_t i = 0; i < c->stores.len; ++i) {
    hd_op *store = c->stores.data[i];
    if (same_indices(store, 2, load, 1) && hd_value_dominates(hd_operand(store, 0), load, arena))
      return hd_operand(store, 0);
  }
  for (size_t i = 0; i < done->len; ++i)
    if (same_indices(done->data[i], 1, load, 1) && hd_value_dominates((hd_value *)values[i], load, arena))
      return (hd_value *)values[i];
  return NULL;
}

/* |load| is |value|. Readers of a narrow float widen it again: they take |wide|, the unrounded value (excess precision
 * within a kernel); null: there is none. */
static void replace_load(hd_op *load, hd_value *value, hd_value *wide) {
  for (hd_use *use = hd_result(load, 0)->first_use, *next; use && wide; use = next) {
    next = use->next;
    bool widens =
        hd_op_is(use->owner, HD_OP_arith_extf) || hd_op_is(use->owner, HD_OP_builtin_unrealized_conversion_cast);
    if (widens && use->owner->result_count == 1 && hd_result_type(use->owner, 0) == wide->type) {
      hd_op *widening = use->owner;
      hd_op_replace(widening, &wide);
      next = hd_result(load, 0)->first_use;
    }
  }
  hd_value_replace_uses(hd_result(load, 0), value);
}

/* What |value| was before it was rounded, null when it was not. */
static hd_value *before_rounding(hd_value *value) {
  hd_op *op = hd_value_op(value);
  return hd_op_is(op, HD_OP_arith_truncf) ? hd_operand(op, 0) : NULL;
}

/* The element that |op| writes into |buffer| where |load| reads it; |*wide|: in the type that it is computed in. */
static hd_value *compute(inliner *n, hd_op *op, hd_value *buffer, hd_op *load, hd_value **wide) {
  hd_builder b = hd_builder_before(load);
  b.loc = op->loc;
  hd_generator g;
  hd_generator_init_direct(&g, n->ctx.shapes, &b, host_dim, n, &n->ctx.pass->arena);
  hd_index_tuple *at = hd_new_tuple(&g, hd_type_rank(buffer->type));
  for (uint32_t d = 0; d < at->rank; ++d) at->at[d] = hd_lane_scalar(hd_operand(load, 1 + d));
  hd_element value;
  if (!hd_generate_op(&g, op, buffer, at, &value) || g.failed) return NULL;
  hd_type element = hd_type_element(buffer->type), memory = hd_memory_type(element);
  *wide = NULL;
  if (element->kind == HD_TYPE_COMPLEX) return hd_build(&b, HD_OP_complex_create, element, value.re, value.im);
  *wide = value.re;
  value = hd_emit_narrow(&b, element, value, 0);
  if (element != memory) value.re = hd_build(&b, HD_OP_builtin_unrealized_conversion_cast, element, value.re);
  return value.re;
}

static bool inline_op(inliner *n, hd_op *op) {
  hd_arena *arena = &n->ctx.pass->arena;
  for (uint32_t o = 0; o < hd_buffer_output_count(op); ++o) {
    collector c = {.n = n, .buffer = hd_buffer_output(op, o)};
    hd_walk_pre(n->fusion, collect, &c);
    op_list done = {0};
    const hd_value **values = hd_new_array(arena, const hd_value *, c.loads.len);
    for (size_t i = 0; i < c.loads.len; ++i) {
      hd_op *load = c.loads.data[i];
      hd_value *value = known_value(n, &c, load, &done, values), *wide = value ? before_rounding(value) : NULL;
      if (!value) {
        if (!(value = compute(n, op, c.buffer, load, &wide))) return false;
        values[done.len] = value;
        /* Kept detached for its indices. */
        hd_vec_push(arena, &done, load);
      }
      replace_load(load, value, wide);
      if (!done.len || done.data[done.len - 1] != load)
        hd_op_erase(load);
      else
        hd_op_unlink(load);
    }
    for (size_t i = 0; i < done.len; ++i) hd_op_set_operands(done.data[i], NULL, 0);
  }
  return true;
}

typedef struct stored {
  inliner *n;
  hd_map buffers;
} stored;

static bool collect_stored(hd_op *op, void *user) {
  stored *s = user;
  if (hd_op_is(op, HD_OP_memref_store)) hd_map_insert(&s->n->ctx.pass->arena, &s->buffers, hd_operand(op, 1), NULL);
  return true;
}

/* Does anything but stores and the ops that go read |buffer|? */
static bool is_read(inliner *n, hd_value *buffer) {
  hd_for_each_use(use, buffer) {
    bool inside = hd_op_is_ancestor(n->fusion, use->owner);
    if (inside ? !hd_op_is(use->owner, HD_OP_memref_store) && !use->owner->info->derived_from
               : !hd_op_is(use->owner, HD_OP_memref_dealloc))
      return true;
  }
  return false;
}

/* Stores into buffers that are read nowhere any more. Only buffers that are stored to are asked for their uses: one
 * that constants of many fusions are written to has uses in all of them. */
static void drop_stores(inliner *n, const hd_kernel_set *set) {
  stored s = {.n = n};
  hd_walk_pre(n->fusion, collect_stored, &s);
  for (size_t i = 0; i < set->ops.len; ++i)
    for (uint32_t o = 0; o < hd_buffer_output_count(set->ops.data[i]); ++o) {
      hd_value *buffer = hd_buffer_output(set->ops.data[i], o);
      if (!hd_map_find(&s.buffers, buffer)) continue;
      if (hd_kernel_has_output(set, buffer) || is_read(n, buffer)) continue;
      for (hd_use *use = buffer->first_use, *next; use; use = next) {
        next = use->next;
        if (!hd_op_is(use->owner, HD_OP_memref_store)) continue;
        hd_block *block = use->owner->block;
        hd_op_erase(use->owner);
        hd_op *parent = hd_block_parent_op(block);
        if (hd_op_is(parent, HD_OP_scf_if) && !parent->result_count && block->first == block->last &&
            !hd_op_region(parent, 1)->first)
          hd_op_erase(parent);
        next = buffer->first_use;
      }
    }
}

/* Loads of buffers, which are written once; shared memory is not. */
static bool only_reads(hd_op *op, void *user) {
  (void)user;
  return hd_op_is(op, HD_OP_memref_load) && !hd_op_is(hd_value_op(hd_operand(op, 0)), HD_OP_memref_alloca);
}

static bool has_loops(hd_op *fusion) {
  hd_for_each_op(op, hd_op_region(fusion, 0)->first)
    if (hd_op_is(op, HD_OP_scf_parallel)) return true;
  return false;
}

static bool dissolve(hd_lowering *ctx, hd_op *fusion) {
  inliner n = {.ctx = *ctx, .fusion = fusion, .host = hd_builder_before(fusion)};
  hd_kernel_set set = {0};
  hd_kernel_collect(fusion, &n.ctx.pass->arena, &set);
  hd_block *body = hd_op_region(fusion, 0)->first;
  hd_arena *arena = &ctx->pass->arena;
  hd_cse_block(arena, body, only_reads, NULL);
  for (size_t i = set.ops.len; i-- > 0;) {
    hd_op *op = set.ops.data[i];
    if (!inline_op(&n, op)) return false;
    if (!hd_is_elementwise(op)) hd_cse_block(arena, body, only_reads, NULL);
  }
  drop_stores(&n, &set);
  for (size_t i = set.ops.len; i-- > 0;) hd_op_erase(set.ops.data[i]);
  hd_cse_block(arena, body, only_reads, NULL);
  hd_for_each_op(op, body) {
    if (!hd_op_is(op, HD_OP_scf_parallel)) continue;
    hd_linearize_accesses(ctx->shapes, op, arena);
    hd_fold_positions(op, arena);
  }
  hd_cse_block(arena, body, only_reads, NULL);
  hd_op_erase(body->last);
  hd_block_splice(body, fusion->block, fusion);
  hd_op_erase(fusion);
  ctx->pass->changed = true;
  return true;
}

static bool run_block(hd_lowering *ctx, hd_block *block) {
  hd_for_each_op_safe(op, block) {
    if (hd_op_is(op, HD_OP_lmhlo_fusion)) {
      if (has_loops(op) && !dissolve(ctx, op)) return false;
      continue;
    }
    for (uint32_t r = 0; r < op->region_count && !op->info->derived_from; ++r)
      hd_for_each_block(inner, hd_op_region(op, r))
        if (!run_block(ctx, inner)) return false;
  }
  return true;
}

bool hd_pass_input_inline_fusion(hd_pass *pass, hd_op *func) {
  hd_lowering ctx = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func};
  hd_for_each_block(block, hd_op_region(func, 0))
    if (!run_block(&ctx, block)) return false;
  return true;
}
