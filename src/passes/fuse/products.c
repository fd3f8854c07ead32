/* SPDX-License-Identifier: Apache-2.0 */
/* What is around the products of a device, which have kernels of their own: a kernel of tiles writes its result in
 * any order, once, and would find its way through a reshape once for each element that it reads.
 *
 *   dot -> transpose -> ...        the transpose is the product's, where the last dim stays the last and nothing else
 *                                  reads the dot
 *   ... -> reshape -> dot          the reshape is a view of the memory that it reads (disc-lower-to-buffer-alias) */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/fuse/fuser.h"

/* Is |buffer| written by node |writer| alone and used by ops on buffers in this block alone? |readers|: all others are
 * products. */
static bool stays_here(hd_fuser *f, hd_value *buffer, const hd_op *writer, bool readers_are_products) {
  hd_for_each_use(use, buffer) {
    hd_map_entry *entry = hd_map_find(&f->index, use->owner);
    if (use->owner == writer) continue;
    if (!entry || !use->owner->info->derived_from) return false;
    if (readers_are_products && f->nodes[entry->value.i64 - 1].class != HD_FUSE_DOT) return false;
  }
  return true;
}

static bool is_local(hd_value *buffer, const hd_op *op) {
  hd_op *alloc = hd_value_op(buffer);
  return hd_op_is(alloc, HD_OP_memref_alloc) && alloc->block == op->block;
}

static uint32_t only_reader(hd_fuser *f, hd_value *buffer, const hd_op *writer) {
  uint32_t reader = UINT32_MAX, count = 0;
  hd_for_each_use(use, buffer) {
    if (use->owner == writer) continue;
    hd_map_entry *entry = hd_map_find(&f->index, use->owner);
    reader = entry ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
    ++count;
  }
  return count == 1 ? reader : UINT32_MAX;
}

static bool keeps_last(hd_op *transpose) {
  hd_attr order = hd_stablehlo_transpose_permutation(transpose);
  int64_t rank = hd_type_rank(hd_operand_type(transpose, 0));
  return rank && hd_attr_int_at(order, (size_t)rank - 1) == rank - 1;
}

static void take_transpose(hd_fuser *f, uint32_t product) {
  hd_op *op = f->nodes[product].op;
  hd_value *result = hd_fuser_result_of(f, product);
  uint32_t x = is_local(result, op) ? only_reader(f, result, op) : UINT32_MAX;
  if (x == UINT32_MAX || f->nodes[x].class != HD_FUSE_INLINE || !hd_gpu_tiles_product(op)) return;
  hd_op *transpose = f->nodes[x].op;
  if (hd_buffer_opcode(transpose) != HD_OP_stablehlo_transpose || !keeps_last(transpose) ||
      hd_fuser_program_blocker(f, x, product) || hd_placement_entries(transpose) != hd_placement_entries(op))
    return;
  f->nodes[x].class = HD_FUSE_DOT;
  f->nodes[x].is_of_product = true;
}

static void view_reshape(hd_fuser *f, uint32_t x) {
  hd_op *op = f->nodes[x].op;
  if (!hd_is_reshape_like(op)) return;
  hd_value *from = hd_operand(op, 0), *to = hd_fuser_result_of(f, x);
  uint32_t w = hd_fuser_writer_of(f, from);
  if (w == UINT32_MAX || f->nodes[w].class == HD_FUSE_INLINE || !is_local(from, op) || !is_local(to, op)) return;
  if (stays_here(f, from, f->nodes[w].op, false) && stays_here(f, to, op, true)) f->nodes[x].class = HD_FUSE_OPAQUE;
}

void hd_fuser_extend_products(hd_fuser *f) {
  if (!f->products_alone) return;
  for (uint32_t x = 0; x < f->count; ++x)
    if (f->nodes[x].class == HD_FUSE_DOT && !f->nodes[x].is_of_product) take_transpose(f, x);
  for (uint32_t x = 0; x < f->count; ++x)
    if (f->nodes[x].class == HD_FUSE_INLINE) view_reshape(f, x);
}
