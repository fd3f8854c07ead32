/* SPDX-License-Identifier: Apache-2.0 */
/* disc-lower-to-buffer-alias: two buffers become one: a reshape's, and those of which the first dies as the second
 * comes into being.
 *
 *   %a = memref.alloc                           %b = memref.alloc
 *   "lmhlo.add"(%x, %y, %a)              ->     "lmhlo.add"(%x, %y, %b)
 *   "lmhlo.copy"(%a, %b)
 *
 *   "lmhlo.dynamic_update_slice"(%a, %u, %i, %b)  ->  "lmhlo.dynamic_update_slice"(%a, %u, %i, %a)
 *
 * The second holds for scatter too, and, in loops, where %a is a carried buffer and %b the spare one that it changes
 * places with: the update is made in place and the spare buffer is not needed.
 *
 *   "lmhlo.reshape"(%a, %b)                     ->  %b = memref.reinterpret_cast %a
 *
 * So is a broadcast that puts dims of 1 in between.
 *
 *   "lmhlo.dynamic_update_slice"(%arg0, %u, %i, %b)  ->  %b = memref.alloc {hd.donor = 0}
 *
 * The last where the caller may donate %arg0 (tf.aliasing_output, jax.buffer_donor): whether it does is known at run
 * time, when %b's memory is %arg0's, or not and the update copies it. Results of kernels that read %arg0 where they
 * write, if at all, take its memory too (donors.c).
 *
 * Runs after fusion, which takes a buffer for a value. Only buffers that the function allocates are written over, and
 * only after their last reader: an argument, a constant, a value that is read later or yielded elsewhere is copied, as
 * the op does when its operand and output differ. */
#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/buffer/donors.h"

typedef struct aliasing {
  hd_pass *pass;
  hd_op *func;
} aliasing;

/* Is |value| memory of this function that |block| may write over: an allocation, or what a loop of this block that
 * took over one gives back? */
static bool is_owned(hd_value *value, hd_block *block) {
  hd_op *op = hd_value_op(value);
  if (!op || op->block != block) return false;
  if (hd_op_is(op, HD_OP_memref_alloc)) return !hd_buffer_holds_constant(value);
  if (!hd_op_is(op, HD_OP_scf_while)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!is_owned(hd_operand(op, i), block)) return false;
  return true;
}

static void become(hd_value *value, hd_value *other) {
  hd_op *alloc = hd_value_op(value);
  hd_value_replace_uses(value, other);
  hd_op_erase(alloc);
}

/* The branch that |block| is writes |value| of the block around it by |copy| alone. */
static bool is_branch_result(hd_value *value, hd_op *copy) {
  hd_op *parent = hd_block_parent_op(copy->block);
  if (!hd_op_is(parent, HD_OP_scf_if) && !hd_op_is(parent, HD_OP_scf_index_switch)) return false;
  if (!hd_is_allocation(value) || hd_value_block(value) != parent->block) return false;
  hd_for_each_use(use, value)
    if (use->owner != copy && hd_block_ancestor_op(copy->block, use->owner)) return false;
  return true;
}

/* Are two allocations of one type surely of one size? Where they only have to be, the check is behind the writer.
 */
static bool same_sizes(const hd_op *a, const hd_op *b) {
  for (uint32_t i = 0; i < a->operand_count; ++i)
    if (hd_operand(a, i) != hd_operand(b, i)) return false;
  return true;
}

/* Ops inside a fusion have the fusion's place. */
static bool alias_copy(aliasing *a, hd_op *copy) {
  hd_value *from = hd_operand(copy, 0), *to = hd_operand(copy, 1);
  a->pass->changed |= hd_mark_donor(a->func, copy, from, to);
  if (from->type != to->type || !is_owned(from, copy->block) || !hd_has_no_views(from) || !hd_has_no_views(to) ||
      !hd_used_only(from, copy, false, false))
    return false;
  if (is_branch_result(to, copy) && hd_is_allocation(from) && same_sizes(hd_value_op(from), hd_value_op(to))) {
    hd_op_erase(copy);
    become(from, to);
  } else if (hd_is_allocation(to) && hd_value_block(to) == copy->block && hd_used_only(to, copy, true, false)) {
    hd_op_erase(copy);
    become(to, from);
  } else {
    return false;
  }
  a->pass->changed = true;
  return true;
}

static bool leaves(hd_value *value) {
  hd_for_each_use(use, value)
    if (hd_op_has_trait(use->owner, HD_TRAIT(TERMINATOR)) || hd_op_is(use->owner, HD_OP_scf_while)) return true;
  return false;
}

static bool is_freed(hd_value *buffer) {
  hd_for_each_use(use, buffer)
    if (hd_op_has_trait(use->owner, HD_TRAIT(FREES))) return true;
  return false;
}

/* Is |buffer|, which has no views, written after |at|? In programs that others wrote buffers have several writers. */
static bool is_written_after(hd_value *buffer, hd_op *at, hd_arena *arena) {
  hd_for_each_use(use, buffer) {
    hd_op *other = hd_block_ancestor_op(at->block, use->owner);
    if (other == at || (other && hd_op_is_before(other, at))) continue;
    hd_accesses accesses = {0};
    hd_buffer_accesses(use->owner, arena, &accesses);
    for (size_t i = 0; i < accesses.len; ++i)
      if (accesses.data[i].buffer == buffer && accesses.data[i].writes && !accesses.data[i].frees) return true;
  }
  return false;
}

/* The size of dim |d| of an allocation, |*known| where it is a number. */
static hd_value *size_of(hd_value *buffer, uint32_t d, int64_t *known) {
  uint32_t at = 0;
  *known = hd_type_dim(buffer->type, d);
  for (uint32_t i = 0; i < d; ++i) at += hd_type_dim(buffer->type, i) == HD_DYNAMIC;
  return *known == HD_DYNAMIC ? hd_operand(hd_value_op(buffer), at) : NULL;
}

/* Does |op| say where the elements are, in the order of memory? */
static bool keeps_elements(hd_op *op) {
  if (hd_is_reshape_like(op)) return true;
  if (!hd_is_broadcast_in_dim_like(op)) return false;
  hd_value *from = hd_operand(op, 0), *to = hd_buffer_output(op, 0);
  if (!hd_is_allocation(from) || !hd_is_allocation(to)) return false;
  hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(op);
  int64_t before = -1;
  for (uint32_t d = 0, next = 0; d < hd_type_rank(to->type); ++d) {
    int64_t size, own;
    hd_value *value = size_of(to, d, &size);
    if (hd_attr_find_int(dims, d) < 0) {
      if (size != 1) return false;
      continue;
    }
    if (hd_attr_find_int(dims, d) != next || before >= (int64_t)d) return false; /* in another order */
    before = d;
    if (size_of(from, next++, &own) != value || own != size) return false;
  }
  return true;
}

/* May the argument that |reshape| reads be read, or leave the program, by another name as well? What leaves is a copy that the
 * runtime makes, or the memory itself where the caller donates it: then nothing else may take it. */
static bool is_readable_argument(aliasing *a, hd_op *reshape, hd_value *value, bool result_leaves) {
  if (!value->is_block_arg || hd_value_block(value) != reshape->block || hd_block_parent_op(reshape->block) != a->func)
    return false;
  if (hd_is_donor(a->func, value)) return result_leaves && hd_used_only(value, reshape, false, false);
  return !result_leaves || !hd_symbol_is_private(a->func);
}

/* A reshape that no kernel reads through shows the elements where they are, if neither buffer is written any more. What
 * leaves the block must not do so under two names; nor is memory freed under two. */
static bool alias_reshape(aliasing *a, hd_op *reshape) {
  hd_value *from = hd_operand(reshape, 0), *to = hd_buffer_output(reshape, 0);
  hd_op *alloc = hd_value_op(to);
  if (!hd_op_is(alloc, HD_OP_memref_alloc) || alloc->block != reshape->block || !hd_has_no_views(from) ||
      !hd_has_no_views(to) || is_freed(from) || is_freed(to))
    return false;
  bool is_in_reach =
      is_owned(from, reshape->block) ? !leaves(from) : is_readable_argument(a, reshape, from, leaves(to));
  if (!is_in_reach || !hd_used_only(to, reshape, true, false) || is_written_after(from, reshape, &a->pass->arena) ||
      is_written_after(to, reshape, &a->pass->arena))
    return false;
  hd_for_each_use(use, to)
    if (hd_op_is(use->owner, HD_OP_scf_while)) return false;
  uint32_t rank = hd_type_rank(to->type), sizes = 0, strides = 0;
  hd_arena *arena = &a->pass->arena;
  hd_value **operands = hd_new_array(arena, hd_value *, 1 + 2 * (size_t)rank), **dims = operands + 1,
           **steps = hd_new_array(arena, hd_value *, rank), *step = NULL;
  int64_t *static_sizes = hd_new_array(arena, int64_t, rank), *static_strides = hd_new_array(arena, int64_t, rank),
          known = 1;
  hd_builder b = hd_builder_before(reshape);
  b.loc = reshape->loc;
  operands[0] = from;
  for (uint32_t d = 0; d < rank; ++d) {
    static_sizes[d] = hd_type_dim(to->type, d);
    if (static_sizes[d] == HD_DYNAMIC) dims[sizes] = hd_operand(alloc, sizes), ++sizes;
  }
  /* From the innermost dim outwards: |known| while all inner dims are, then |step|. */
  for (uint32_t d = rank, at = sizes; d-- > 0;) {
    static_strides[d] = step ? HD_DYNAMIC : known;
    steps[d] = step;
    hd_value *size = static_sizes[d] == HD_DYNAMIC ? dims[--at] : NULL;
    if (!size && !step) {
      known *= static_sizes[d];
      continue;
    }
    if (!size) size = hd_build_index(&b, static_sizes[d]);
    step = hd_build(&b, HD_OP_arith_muli, size->type, size, step ? step : hd_build_index(&b, known));
  }
  for (uint32_t d = 0; d < rank; ++d)
    if (steps[d]) dims[sizes + strides++] = steps[d];
  hd_attr_arg attrs[] = {{HD_NAME_static_offsets, hd_attr_i64_array(b.context, (int64_t[]){0}, 1)},
                         {HD_NAME_static_sizes, hd_attr_i64_array(b.context, static_sizes, rank)},
                         {HD_NAME_static_strides, hd_attr_i64_array(b.context, static_strides, rank)},
                         {HD_NAME_operandSegmentSizes,
                          hd_attr_i32_array(b.context, (int32_t[]){1, 0, (int32_t)sizes, (int32_t)strides}, 4)}};
  hd_value *view =
      hd_build_one_(&b, HD_OP_memref_reinterpret_cast, to->type, operands, 1 + (size_t)sizes + strides, attrs, 4);
  hd_op_erase(reshape);
  become(to, view);
  a->pass->changed = true;
  return true;
}

/* The update that |op|, itself or a fusion of it and inline ops, makes. */
static hd_op *update_of(hd_op *op) {
  hd_op *found = op;
  if (hd_op_is(op, HD_OP_lmhlo_fusion)) {
    found = NULL;
    hd_for_each_op(inner, hd_op_region(op, 0)->first) {
      if (!inner->info->derived_from || hd_discardable_inline(inner)) continue;
      if (found) return NULL;
      found = inner;
    }
  }
  bool updates = found && found->info->derived_from &&
                 (hd_buffer_opcode(found) == HD_OP_stablehlo_dynamic_update_slice ||
                  hd_buffer_opcode(found) == HD_OP_stablehlo_scatter);
  return updates ? found : NULL;
}

static bool is_carried(hd_value *value, hd_block *block) {
  hd_op *loop = hd_block_parent_op(block);
  return !hd_value_op(value) && hd_value_block(value) == block && hd_op_is(loop, HD_OP_scf_while) &&
         hd_op_region(loop, 1)->first == block;
}

/* Where the loop's body yields |value|, if once; UINT32_MAX else. */
static uint32_t yielded_at(hd_value *value, hd_op *yield) {
  uint32_t found = UINT32_MAX;
  hd_for_each_use(use, value) {
    if (use->owner != yield) continue;
    if (found != UINT32_MAX) return UINT32_MAX;
    found = use->index;
  }
  return found;
}

/* |from| holds nothing that is needed once |op| has run: it is not read later, and a loop's body yields it as a spare
 * buffer at most. */
static bool dies_at(hd_value *from, hd_op *op) {
  if (!hd_has_no_views(from)) return false;
  if (is_owned(from, op->block)) return hd_used_only(from, op, false, false);
  if (!is_carried(from, op->block) || !hd_used_only(from, op, false, true)) return false;
  if (hd_used_only(from, op, false, false)) return true; /* the body frees it */
  hd_op *loop = hd_block_parent_op(op->block);
  uint32_t slot = yielded_at(from, op->block->last), spares = (uint32_t)hd_discardable_spares(loop);
  return slot != UINT32_MAX && slot >= loop->operand_count - spares;
}

static uint32_t count_uses(hd_value *value, hd_op *inside) {
  uint32_t count = 0;
  hd_for_each_use(use, value) count += hd_op_is_ancestor(inside, use->owner);
  return count;
}

/* |to| becomes |from|. When both are carried, they also change places in what the body yields. */
static bool alias_update(aliasing *a, hd_op *op, hd_op *update, uint32_t i) {
  hd_value *from = hd_operand(update, i), *to = hd_buffer_output(update, i);
  if (count_uses(from, op) == 1) a->pass->changed |= hd_mark_donor(a->func, op, from, to);
  if (from == to || from->type != to->type || count_uses(from, op) != 1 || !dies_at(from, op) || !hd_has_no_views(to))
    return false;
  bool spare = is_carried(to, op->block) && is_carried(from, op->block);
  if (!(hd_is_allocation(to) && hd_value_block(to) == op->block) && !spare) return false;
  if (!hd_used_only(to, op, true, false)) return false;
  if (!spare) {
    become(to, from);
  } else {
    hd_op *yield = op->block->last;
    uint32_t dead = yielded_at(from, yield);
    hd_value_replace_uses(to, from);
    hd_op_set_operand(yield, dead, to);
  }
  a->pass->changed = true;
  return true;
}

/* Spare buffers that no step uses go, from the last to the first. */
static void drop_spares(aliasing *a, hd_op *loop) {
  hd_block *before = hd_op_region(loop, 0)->first, *body = hd_op_region(loop, 1)->first;
  uint32_t count = loop->operand_count, spares = (uint32_t)hd_discardable_spares(loop), kept = 0, left = 0;
  hd_arena *arena = &a->pass->arena;
  hd_value **inits = hd_new_array(arena, hd_value *, count), **yields = hd_new_array(arena, hd_value *, count),
           **passed = hd_new_array(arena, hd_value *, count + 1), **results = hd_new_array(arena, hd_value *, count);
  hd_type *types = hd_new_array(arena, hd_type, count);
  bool *idle = hd_new_array(arena, bool, count);
  hd_op *yield = body->last, *condition = before->last;
  passed[0] = hd_operand(condition, 0);
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *own = body->args[i], *test = before->args[i];
    hd_use *use = own->first_use, *given = test->first_use;
    idle[i] = i >= count - spares && use && use->owner == yield && use->index == i && !use->next && given &&
              given->owner == condition && !given->next && !hd_result(loop, i)->first_use;
    if (idle[i]) continue;
    inits[kept] = hd_operand(loop, i);
    types[kept] = hd_result_type(loop, i);
    yields[kept] = hd_operand(yield, i);
    passed[1 + kept] = hd_operand(condition, 1 + i);
    results[kept++] = hd_result(loop, i);
    left += i >= count - spares;
  }
  if (kept == count) return;
  hd_op_set_operands(yield, yields, kept);
  hd_op_set_operands(condition, passed, kept + 1);
  for (uint32_t i = count; i-- > 0;)
    if (idle[i]) hd_block_erase_arg(before, i), hd_block_erase_arg(body, i);
  hd_builder b = hd_builder_before(loop);
  hd_region *regions[2] = {hd_op_region(loop, 0), hd_op_region(loop, 1)};
  hd_op_attr attr = {hd_name_ident(b.context, HD_NAME_hd_spares), hd_attr_i64(b.context, left), false};
  hd_op *smaller = hd_build_state(&b, &(hd_op_state){.opcode = HD_OP_scf_while,
                                                     .loc = loop->loc,
                                                     .operands = inits,
                                                     .operand_count = kept,
                                                     .result_types = types,
                                                     .result_count = kept,
                                                     .attrs = &attr,
                                                     .attr_count = 1,
                                                     .region_count = 2,
                                                     .regions = regions});
  hd_discardable_set_ends(smaller, hd_discardable_ends(loop));
  for (uint32_t i = 0; i < kept; ++i) hd_value_replace_uses(results[i], hd_result(smaller, i));
  hd_op_erase(loop);
}

static void alias_block(aliasing *a, hd_block *block) {
  for (hd_op *op = block->first, *next; op; op = next) {
    next = op->next;
    if (hd_buffer_opcode(op) == HD_OP_mhlo_copy) {
      if (op->info->derived_from) alias_copy(a, op);
      continue;
    }
    if (op->info->derived_from && keeps_elements(op)) {
      alias_reshape(a, op);
      continue;
    }
    hd_op *update = update_of(op);
    if (update) {
      uint32_t outputs = hd_buffer_output_count(update);
      for (uint32_t i = 0; i < outputs; ++i) alias_update(a, op, update, i);
      continue;
    }
    for (uint32_t r = 0; !op->info->derived_from && r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r)) alias_block(a, inner);
    if (hd_op_is(op, HD_OP_scf_while)) drop_spares(a, op);
  }
}

bool hd_pass_lower_to_buffer_alias(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func)) return true;
  aliasing a = {pass, func};
  hd_for_each_block(block, hd_op_region(func, 0)) alias_block(&a, block);
  pass->changed |= hd_donate_to_results(func, &pass->arena);
  return true;
}
