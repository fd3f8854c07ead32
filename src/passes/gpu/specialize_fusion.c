/* SPDX-License-Identifier: Apache-2.0 */
/* disc-specialize-fusion-with-speculation: versions of a fusion for what only the run tells, chosen on the host.
 *
 *   "lmhlo.fusion"() ({...})     ->   scf.if %condition { fusion for this case } else { the fusion as it was }
 *
 *   broadcasts   candidates have dims that are not known to differ nor known to agree with the result's. If all agree
 *                at run time: a version without these broadcasts, or, where the ranks differ, one that need not ask for
 *                each element whether a dim is 1 (hd.agrees; not on the CPU)
 *   rows         by the size of a row and the target's thresholds: one warp a row, a block, a large block, where there
 *                are no vectors a warp or a large block; a thread for rows of less than a warp that are reduced in the
 *                order of their elements (argmax); parts where few rows are long and nothing but their reductions is
 *                wanted
 *   transposes   if both dims that a transpose exchanges are at least half a tile: through shared memory
 *   products     by the size of the result: thin tiles for few rows, large ones where there are enough for a device,
 *                small ones
 *   vectors      if the width of a load divides what a thread goes along: each thread has as many neighbours. That is
 *                all elements where everything is read where it is written, the last dim beside broadcasts, a row in
 *                row kernels
 *
 * What is known at compile time makes no version: the fusion is marked (hd.schedule, hd.threads, hd.vector) and no
 * more. Every version has temporary buffers of its own, which go when it is lowered. The CPU has the first
 * kind alone: its row kernels take rows of any size, its loops end in a masked tail.
 *
 * Versions are kernels by themselves. On the CPU all kernels compile in parallel; on a GPU each is a module, which the
 * runtime loads when it is first launched. So a version that is never taken costs no time of a run. */
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/reduction.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/analyses.h"
#include "passes/gpu/specializer.h"

/* A copy of |fusion| with temporary buffers of its own, at the start of |block|. */
static hd_op *copy_into(hd_specializer *s, hd_op *fusion, hd_block *block) {
  hd_module *module = s->ctx.pass->module;
  hd_arena *arena = &s->ctx.pass->arena;
  hd_kernel_set set = {0};
  hd_kernel_collect(fusion, &s->ctx.pass->arena, &set);
  hd_map map = {0};
  for (size_t i = 0; i < set.ops.len; ++i)
    for (uint32_t o = 0; o < hd_buffer_output_count(set.ops.data[i]); ++o) {
      hd_value *buffer = hd_buffer_output(set.ops.data[i], o);
      hd_op *alloc = hd_value_op(buffer);
      if (hd_kernel_has_output(&set, buffer) || !hd_op_is(alloc, HD_OP_memref_alloc) || hd_map_find(&map, buffer))
        continue;
      hd_op *own = hd_op_clone(module, alloc, arena, NULL);
      hd_op_insert_after(own, alloc);
      const hd_value_shape *shape = hd_shapes_get(s->ctx.shapes, buffer);
      hd_shapes_set_dims(s->ctx.shapes, hd_result(own, 0), shape->dims, shape->rank);
      hd_map_set(arena, &map, buffer, hd_result(own, 0));
    }
  hd_op *copy = hd_op_clone(module, fusion, arena, &map);
  hd_op_prepend(copy, block);
  return copy;
}

hd_op *hd_specialize_fork(hd_specializer *s, hd_builder *b, hd_value *condition, hd_op *fusion) {
  hd_op *branch = hd_build_if(b, condition, NULL, 0, true);
  for (uint32_t r = 0; r < 2; ++r) {
    hd_block *block = hd_op_region(branch, r)->first;
    hd_builder end = hd_builder_at_end(b->module, block);
    if (!block->last) hd_build_yield(&end, NULL, 0);
  }
  hd_op *copy = copy_into(s, fusion, hd_op_region(branch, 0)->first);
  hd_op_unlink(fusion);
  hd_op_prepend(fusion, hd_op_region(branch, 1)->first);
  s->ctx.pass->changed = true;
  return copy;
}

static void mark_rows(hd_specializer *s, hd_op *fusion, hd_enum_schedule schedule, int64_t threads) {
  hd_discardable_set_schedule(fusion, schedule);
  hd_discardable_set_threads(fusion, threads);
  s->ctx.pass->changed = true;
}

hd_op *hd_first_row_reduction(hd_op *fusion) {
  hd_for_each_op(op, hd_op_region(fusion, 0)->first)
    if (op->info->derived_from && hd_is_row_reduction(op)) return op;
  return NULL;
}

static hd_op *ordered_reduction(hd_op *fusion) {
  hd_for_each_op(op, hd_op_region(fusion, 0)->first)
    if (op->info->derived_from && hd_gpu_is_ordered_reduction(op)) return op;
  return NULL;
}

/* Does nothing in |fusion| read what its reductions give? */
static bool only_reduces(hd_op *fusion) {
  hd_for_each_op(op, hd_op_region(fusion, 0)->first) {
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce) continue;
    if (!hd_is_row_reduction(op)) return false;
    hd_for_each_use(use, hd_buffer_output(op, 0))
      if (use->owner != op && use->owner->block == op->block) return false;
  }
  return true;
}

/* Few rows, each long enough for many blocks. */
static bool specialize_parts(hd_specializer *s, hd_op *fusion) {
  enum { LONG_ROW = 65536, FEW_ROWS = 64 };
  hd_op *reduce = hd_first_row_reduction(fusion);
  if (!reduce || hd_discardable_schedule_attr(fusion) || !only_reduces(fusion)) return true;
  hd_dim_table *t = &s->ctx.shapes->table;
  uint32_t rank = hd_type_rank(hd_operand_type(reduce, 0)),
           count = (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(reduce));
  hd_dim inner = hd_gpu_reduced_size(s->ctx.shapes, reduce), rows = hd_dim_const(t, 1);
  for (uint32_t d = 0; d < rank - count; ++d)
    rows = hd_dim_mul(t, rows, hd_shapes_dim(s->ctx.shapes, hd_operand(reduce, 0), d));
  if (!inner || !rows || hd_dim_upper(inner) < LONG_ROW || hd_dim_lower(rows) > FEW_ROWS) return true;
  bool is_long = hd_dim_lower(inner) >= LONG_ROW, are_few = hd_dim_upper(rows) <= FEW_ROWS;
  if (is_long && are_few) {
    mark_rows(s, fusion, HD_SCHEDULE_PARTS, s->target->block_small);
    return true;
  }
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *row = hd_host_dim(&s->ctx, &b, inner, fusion), *number = hd_host_dim(&s->ctx, &b, rows, fusion);
  if (!row || !number) return false;
  hd_value *condition = hd_arith_cmpi(&b, HD_ARITH_CMPI_UGE, row, hd_build_index(&b, LONG_ROW));
  if (!are_few)
    condition = hd_build(&b, HD_OP_arith_andi, condition->type, condition,
                         hd_arith_cmpi(&b, HD_ARITH_CMPI_ULE, number, hd_build_index(&b, FEW_ROWS)));
  mark_rows(s, hd_specialize_fork(s, &b, condition, fusion), HD_SCHEDULE_PARTS, s->target->block_small);
  return true;
}

/* |beside_vectors|: rows that a vector divides have other versions. A large block loads as much at once by elements as
 * a small one by vectors, so it has all that is more than a warp's. */
static bool specialize_rows(hd_specializer *s, hd_op *fusion, bool beside_vectors) {
  hd_op *reduce = hd_first_row_reduction(fusion);
  bool ordered = !reduce;
  if (ordered) reduce = ordered_reduction(fusion);
  if (!reduce || hd_discardable_schedule_attr(fusion)) return true;
  hd_dim_table *t = &s->ctx.shapes->table;
  uint32_t rank = hd_type_rank(hd_operand_type(reduce, 0)),
           count = (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(reduce));
  hd_dim inner = hd_dim_const(t, 1);
  for (uint32_t d = rank - count; d < rank; ++d)
    inner = hd_dim_mul(t, inner, hd_shapes_dim(s->ctx.shapes, hd_operand(reduce, 0), d));
  if (!inner) return true;
  int64_t least = hd_dim_lower(inner), most = hd_dim_upper(inner), warp = s->target->one_warp_below,
          large = s->target->large_from;
  bool may_large = most >= large && s->target->block_large != s->target->block_small,
       only_large = may_large && beside_vectors;
  if (ordered && most < s->target->warp) {
    /* A thread has a row: in a warp most would have nothing. */
    mark_rows(s, fusion, HD_SCHEDULE_LOOP, s->target->block_small);
    return true;
  }
  if (most < warp && !(ordered && least < s->target->warp)) {
    mark_rows(s, fusion, HD_SCHEDULE_ROW_ONE_ROUND, s->target->block_small);
    return true;
  }
  if (least >= large || (least >= warp && !may_large)) {
    mark_rows(s, fusion, HD_SCHEDULE_ROW_TWO_ROUNDS, least >= large ? s->target->block_large : s->target->block_small);
    return true;
  }
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *size = hd_host_dim(&s->ctx, &b, inner, fusion);
  if (!size) return false;
  if (ordered && least < s->target->warp) {
    hd_op *tiny = hd_specialize_fork(
        s, &b, hd_arith_cmpi(&b, HD_ARITH_CMPI_ULT, size, hd_build_index(&b, s->target->warp)), fusion);
    mark_rows(s, tiny, HD_SCHEDULE_LOOP, s->target->block_small);
    if (most < warp) {
      mark_rows(s, fusion, HD_SCHEDULE_ROW_ONE_ROUND, s->target->block_small);
      return true;
    }
    b = hd_builder_before(fusion);
    b.loc = fusion->loc;
  }
  if (least < warp) {
    hd_op *small =
        hd_specialize_fork(s, &b, hd_arith_cmpi(&b, HD_ARITH_CMPI_ULT, size, hd_build_index(&b, warp)), fusion);
    mark_rows(s, small, HD_SCHEDULE_ROW_ONE_ROUND, s->target->block_small);
  }
  if (may_large && !only_large) {
    hd_builder at = hd_builder_before(fusion);
    at.loc = fusion->loc;
    hd_op *version =
        hd_specialize_fork(s, &at, hd_arith_cmpi(&at, HD_ARITH_CMPI_UGE, size, hd_build_index(&at, large)), fusion);
    mark_rows(s, version, HD_SCHEDULE_ROW_TWO_ROUNDS, s->target->block_large);
  }
  mark_rows(s, fusion, HD_SCHEDULE_ROW_TWO_ROUNDS, only_large ? s->target->block_large : s->target->block_small);
  return true;
}

static bool specialize_ordered(hd_specializer *s, hd_op *fusion) { return specialize_rows(s, fusion, false); }

/* ---- transposes ---- */

/* Tiles of 32 by 32 pay from half of one on: below, most threads of a block would have nothing. */
static bool specialize_transposes(hd_specializer *s, hd_op *fusion) {
  enum { LEAST = 16 };
  hd_kernel_set set = {0};
  hd_kernel_collect(fusion, &s->ctx.pass->arena, &set);
  hd_kernel_ops ops = {set.ops.data, set.ops.len, set.outputs.data, set.outputs.len};
  hd_gpu_transposes found;
  if (hd_discardable_schedule_attr(fusion) || !set.outputs.len || !set.outputs.data[0]->type->shaped.space ||
      hd_update_of(&set) || !hd_gpu_find_transposes(s->ctx.shapes, &ops, &s->ctx.pass->arena, &found))
    return true;
  hd_value *root = set.outputs.data[0], *condition = NULL;
  hd_dim sizes[2] = {hd_gpu_transposed_size(s->ctx.shapes, root, found.first_p, found.dim),
                     hd_gpu_transposed_size(s->ctx.shapes, root, found.first_q, hd_type_rank(root->type) - 1)};
  for (int i = 0; i < 2; ++i)
    if (hd_dim_upper(sizes[i]) < LEAST) return true;
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  for (int i = 0; i < 2; ++i) {
    if (hd_dim_lower(sizes[i]) >= LEAST) continue;
    hd_value *size = hd_host_dim(&s->ctx, &b, sizes[i], fusion);
    if (!size) return false;
    hd_value *enough = hd_arith_cmpi(&b, HD_ARITH_CMPI_UGE, size, hd_build_index(&b, LEAST));
    condition = condition ? hd_build_binary(&b, HD_OP_arith_andi, condition, enough) : enough;
  }
  mark_rows(s, condition ? hd_specialize_fork(s, &b, condition, fusion) : fusion, HD_SCHEDULE_TRANSPOSE,
            2 * s->target->block_small);
  return true;
}

/* ---- broadcasts ---- */

/* Must dim |d| of broadcast |op|'s operand agree with the result's for the operand to be read at the same index, and
 * does only the run tell? |*out_never|: it is known not to. */
static bool is_open(hd_specializer *s, hd_op *op, uint32_t d, bool *out_never) {
  hd_dim_table *t = &s->ctx.shapes->table;
  uint32_t to = (uint32_t)hd_attr_int_at(hd_broadcast_in_dim_like_broadcast_dimensions(op), d);
  hd_dim x = hd_shapes_dim(s->ctx.shapes, hd_operand(op, 0), d),
         y = hd_shapes_dim(s->ctx.shapes, hd_buffer_output(op, 0), to);
  int64_t one;
  *out_never = false;
  if (hd_dim_equal(t, x, y)) return false;
  *out_never =
      hd_dim_known_different(t, x, y) || hd_dim_is_const(t, x, &one); /* 1 against ?: a broadcast almost always */
  return !*out_never;
}

/* A broadcast that a version can do without: it does nothing if the dims agree (|*out_drops|), or
 * reads each element where it belongs without asking which dims are 1. The second pays on a GPU
 * alone: on the CPU a load branches on it. */
static bool is_candidate(hd_specializer *s, const hd_kernel_set *set, hd_op *op, bool *out_drops) {
  if (!op->info->derived_from || !hd_is_broadcast_in_dim_like(op)) return false;
  hd_value *to = hd_buffer_output(op, 0);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(op);
  bool some = false, never_one = false, never;
  *out_drops = hd_type_rank(to->type) == rank;
  *out_drops &= !hd_kernel_has_output(set, to); /* it must be written */
  for (uint32_t d = 0; d < rank; ++d) {
    *out_drops &= hd_attr_int_at(dims, d) == d;
    some |= is_open(s, op, d, &never);
    never_one |= never;
  }
  if (*out_drops && never_one) *out_drops = false;
  /* The rows of a kernel are those of a buffer whose dims its outputs have: the operand's are not known to be. */
  if (s->target && hd_discardable_kind(hd_op_parent(op)) == HD_KIND_ROW) *out_drops = false;
  return some && (*out_drops || s->target);
}

/* The version without broadcasts, or null when there is nothing to leave out. */
static bool specialize_broadcasts(hd_specializer *s, hd_op *fusion, hd_op **out) {
  *out = NULL;
  hd_kernel_set set = {0};
  hd_kernel_collect(fusion, &s->ctx.pass->arena, &set);
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *all = NULL;
  bool drops, never;
  hd_for_each_op(op, hd_op_region(fusion, 0)->first) {
    if (!is_candidate(s, &set, op, &drops)) continue;
    hd_value *from = hd_operand(op, 0), *to = hd_buffer_output(op, 0);
    hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(op);
    for (uint32_t d = 0; d < hd_type_rank(from->type); ++d) {
      if (!is_open(s, op, d, &never)) continue;
      hd_dim x = hd_shapes_dim(s->ctx.shapes, from, d),
             y = hd_shapes_dim(s->ctx.shapes, to, (uint32_t)hd_attr_int_at(dims, d));
      hd_value *p = hd_host_dim(&s->ctx, &b, x, op), *q = p ? hd_host_dim(&s->ctx, &b, y, op) : NULL;
      if (!q) return false;
      hd_value *same = hd_arith_cmpi(&b, HD_ARITH_CMPI_EQ, p, q);
      all = all ? hd_build(&b, HD_OP_arith_andi, same->type, all, same) : same;
    }
  }
  if (!all) return true;
  *out = hd_specialize_fork(s, &b, all, fusion);
  hd_block *body = hd_op_region(*out, 0)->first;
  hd_op *original = hd_op_region(fusion, 0)->first->first;
  hd_for_each_op_safe(op, body) {
    bool candidate = is_candidate(s, &set, original, &drops); /* the copy's buffers are of the same shapes */
    original = original->next;
    if (!candidate) continue;
    if (!drops) {
      hd_discardable_set_agrees(op, true);
      continue;
    }
    hd_value *from = hd_operand(op, 0), *to = hd_buffer_output(op, 0);
    hd_op_erase(op);
    for (hd_op *reader = body->first; reader; reader = reader->next)
      for (uint32_t i = 0; i < reader->operand_count; ++i)
        if (hd_operand(reader, i) == to) hd_op_set_operand(reader, i, from);
  }
  return true;
}

static bool specialize(hd_specializer *s, hd_op *fusion) {
  hd_op *versions[2] = {fusion, NULL};
  if (!specialize_broadcasts(s, fusion, &versions[1])) return false;
  for (int i = 0; i < 2; ++i) {
    if (!versions[i]) continue;
    if (!s->target) continue;
    hd_enum_kind kind = hd_discardable_kind(versions[i]);
    if (kind == HD_KIND_ROW) {
      hd_op *wide;
      if (!specialize_parts(s, versions[i])) return false;
      if (hd_discardable_schedule_attr(versions[i])) continue;
      if (!hd_specialize_row_vectors(s, versions[i], &wide)) return false;
      bool beside = wide && wide != versions[i];
      if (!specialize_rows(s, versions[i], beside) || (beside && !specialize_rows(s, wide, false))) return false;
    }
    if (kind == HD_KIND_PRODUCT && !hd_specialize_product(s, versions[i])) return false;
    if (kind == HD_KIND_LOOP && !specialize_transposes(s, versions[i])) return false;
    if (kind == HD_KIND_LOOP &&
        !(ordered_reduction(versions[i]) ? specialize_ordered : hd_specialize_vectors)(s, versions[i]))
      return false;
  }
  return true;
}

static bool is_fusion(const hd_op *op) { return hd_op_is(op, HD_OP_lmhlo_fusion); }

/* A transpose of the device that nothing was fused with has its versions too. */
static bool is_lone_transpose(const hd_op *op) {
  return hd_op_is(op, HD_OP_lmhlo_transpose) && !is_fusion(hd_op_parent(op)) && hd_operand_type(op, 1)->shaped.space;
}

bool hd_pass_specialize_fusion(hd_pass *pass, hd_op *func) {
  hd_specializer s = {.ctx = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func},
                      .target = pass->target->gpu};
  s.indexing = hd_indexing_create(&pass->arena, pass->context, s.ctx.shapes);
  hd_op_list transposes = hd_ops_where(func, is_lone_transpose, &pass->arena);
  for (size_t i = 0; i < transposes.len && s.target; ++i) {
    hd_wrap_in_fusion(transposes.data[i], HD_KIND_LOOP);
    pass->changed = true;
  }
  hd_op_list fusions = hd_ops_where(func, is_fusion, &pass->arena);
  for (size_t i = 0; i < fusions.len; ++i)
    if (!specialize(&s, fusions.data[i])) return false;
  return true;
}
