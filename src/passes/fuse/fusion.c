/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fusion: groups buffer ops so that each group becomes one kernel.
 *
 *   "lmhlo.multiply"(%x, %y, %t)          "lmhlo.fusion"() ({
 *   "lmhlo.add"(%t, %z, %out)       ->      "lmhlo.multiply"(%x, %y, %t)
 *                                           "lmhlo.add"(%t, %z, %out)
 *                                           "lmhlo.terminator"()
 *                                         }) {hd.kind = "loop"}
 *
 * Kinds
 *   loop  all results have one shape, by provably equal dims; elementwise ops, and one op at most that computes its
 *         elements another way (a gather, a pad, a reduction of another kind) under them
 *   row   reductions of trailing dims with what makes their operands and what uses their results row by row; with
 *         |columns|, beside them reductions of leading dims of the same elements, which nothing in the kernel reads
 *   gemm  a dot or a convolution with the elementwise ops on its result; alone with |products-alone|, but for a
 *         transpose of it
 *   column  reductions of dims that others are inside of, with what makes their operands, which may live on too: with
 *         |columns| of any dims but the last ones; on the CPU of many rows, and never beside rows
 * Ops that only move indices (broadcast, reshape, slice, ...) and splat constants belong to no group: a copy of them
 * goes into every group that reads through them, and what no other op reads is not materialised.
 *
 * An elementwise op that is read once, by one that moves its elements, goes there too (producers.c).
 *
 * Groups that read the same elements become one at the end (siblings.c).
 *
 * Groups grow in the order of the program: an op joins the groups of its operands when that makes no cycle (a path that
 * leaves the group and comes back), one shape, and a kernel within the limits of |target| (none: the CPU) for
 * parameters and shared memory. Then the block is put into an order that keeps every dependence through buffers. */
#include "passes/analyses.h"
#include "passes/fuse/fuser.h"

/* A reader of an inline op computes all inline ops that lead to it, a tree of ops: at the bound a value is computed
 * once, into memory. */
static void bound_inlining(hd_fuser *f) {
  uint32_t *inlined = hd_new_array(f->arena, uint32_t, f->count); /* inline ops read through node x, itself included */
  for (uint32_t x = 0; x < f->count; ++x) {
    if (f->nodes[x].class != HD_FUSE_INLINE) continue;
    inlined[x] = 1;
    for (uint32_t o = 0; o < hd_buffer_input_count(f->nodes[x].op); ++o) {
      uint32_t w = hd_fuser_writer_of(f, hd_operand(f->nodes[x].op, o));
      if (w != UINT32_MAX && inlined[x] <= HD_FUSE_MAX_INLINE) inlined[x] += inlined[w];
    }
    if (inlined[x] <= HD_FUSE_MAX_INLINE) continue;
    f->nodes[x].class = HD_FUSE_GENERATED;
    inlined[x] = 0;
  }
}

/* An inline op on a buffer that is written more than once may not be moved to its readers. */
static void fix_inline_of_shared_buffers(hd_fuser *f) {
  for (uint32_t x = 0; x < f->count; ++x)
    for (uint32_t o = 0; f->nodes[x].class == HD_FUSE_INLINE && o < hd_buffer_input_count(f->nodes[x].op); ++o) {
      hd_map_entry *entry = hd_map_find(&f->writers, hd_buffer_root(hd_operand(f->nodes[x].op, o)));
      if (entry && entry->value.i64 < 0) f->nodes[x].class = HD_FUSE_OPAQUE;
    }
}

static void fuse_block(hd_pass *pass, hd_shapes *shapes, const hd_gpu_target *target, hd_block *block) {
  hd_for_each_op(op, block)
    for (uint32_t r = 0; !op->info->derived_from && r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r)) fuse_block(pass, shapes, target, inner);
  hd_fuser f = {.pass = pass,
                .shapes = shapes,
                .arena = &pass->arena,
                .columns = hd_option_bool(pass, "columns"),
                .products_alone = hd_option_bool(pass, "products-alone"),
                .explain = hd_option_bool(pass, "explain") || hd_pass_is_watched(pass),
                .target = target};
  hd_fuser_init_nodes(&f, block);
  hd_fuser_find_program_fusions(&f);
  hd_fuser_inline_producers(&f);
  fix_inline_of_shared_buffers(&f);
  hd_fuser_extend_products(&f);
  bound_inlining(&f);
  hd_fuser_form_groups(&f);
  hd_fuser_join_siblings(&f);
  hd_fuser_build_fusions(&f);
  hd_fuser_reorder(&f, block);
}

bool hd_pass_fusion(hd_pass *pass, hd_op *func) {
  hd_shapes *shapes = hd_pass_shapes(pass, func);
  hd_for_each_block(block, hd_op_region(func, 0)) fuse_block(pass, shapes, pass->target->gpu, block);
  return true;
}
