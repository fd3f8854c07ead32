/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of ttg. Those of ttng: verify_ttng.c. */
#include <inttypes.h>

#include "ir/hooks.h"
#include "ir/layouts.h"
#include "ir/ops/ttg.h"
#include "ir/tile_types.h"

bool hd_verify_tile_contents(hd_op *op, hd_type tensor, hd_type memory) {
  hd_memdesc m = hd_memdesc_of(memory);
  bool fits = hd_type_rank(tensor) == m.rank && hd_type_element(tensor) == m.element;
  for (uint32_t d = 0; fits && d < m.rank; ++d) fits = hd_type_dim(tensor, d) == m.dims[d];
  return fits || hd_op_misfit_error(op, tensor, memory, "expects a tensor and memory of one shape and element type");
}

bool hd_verify_tile_mutable(hd_op *op, hd_type memory) {
  return hd_memdesc_of(memory).is_mutable || hd_op_misfit_error(op, memory, NULL, "expects memory that is mutable");
}

/* Is it all of its allocation, and no part? */
static bool is_whole(hd_memdesc m) {
  bool whole = m.rank == m.allocated_rank;
  for (uint32_t d = 0; whole && d < m.rank; ++d) whole = m.dims[d] == m.allocated[d];
  return whole;
}

bool hd_verify_ttg_local_alloc(hd_op *op) {
  hd_type memory = hd_result_type(op, 0);
  if (!is_whole(hd_memdesc_of(memory)))
    return hd_op_misfit_error(op, memory, NULL, "expects memory of the shape that is allocated");
  return op->operand_count ? hd_verify_tile_contents(op, hd_operand_type(op, 0), memory)
                           : hd_verify_tile_mutable(op, memory);
}
bool hd_verify_ttg_local_load(hd_op *op) {
  return hd_verify_tile_contents(op, hd_result_type(op, 0), hd_operand_type(op, 0));
}
bool hd_verify_ttg_local_store(hd_op *op) {
  hd_type memory = hd_operand_type(op, 1);
  return hd_verify_tile_mutable(op, memory) && hd_verify_tile_contents(op, hd_operand_type(op, 0), memory);
}
bool hd_verify_ttg_async_copy(hd_op *op) {
  hd_type memory = hd_operand_type(op, 1), pointee = hd_type_pointee(hd_operand_type(op, 0));
  if (!hd_type_is(pointee, HD_TYPE_TENSOR))
    return hd_op_misfit_error(op, pointee, NULL, "expects a tensor of pointers");
  return hd_verify_tile_mutable(op, memory) && hd_verify_tile_contents(op, pointee, memory) && hd_verify_tt_load(op);
}

static bool check_element(hd_op *op, hd_memdesc from, hd_memdesc to) {
  return from.element == to.element || hd_op_type_error(op, from.element, to.element, "expects one element type");
}

bool hd_verify_ttg_memdesc_index(hd_op *op) {
  hd_memdesc from = hd_memdesc_of(hd_operand_type(op, 0)), to = hd_memdesc_of(hd_result_type(op, 0));
  bool fits = from.rank == to.rank + 1;
  for (uint32_t d = 0; fits && d < to.rank; ++d) fits = from.dims[d + 1] == to.dims[d];
  if (!fits)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0), "expects the dims but the first");
  if (!is_whole(from) || !is_whole(to))
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0), "expects memory that is no part");
  return check_element(op, from, to);
}

bool hd_verify_ttg_memdesc_subslice(hd_op *op) {
  hd_memdesc from = hd_memdesc_of(hd_operand_type(op, 0)), to = hd_memdesc_of(hd_result_type(op, 0));
  hd_attr offsets = hd_ttg_memdesc_subslice_offsets(op);
  if (from.rank != to.rank || hd_attr_count(offsets) != from.rank)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0), "expects an offset for each dim");
  for (uint32_t d = 0; d < from.rank; ++d) {
    int64_t offset = hd_attr_int_at(offsets, d);
    if (offset < 0 || offset + to.dims[d] > from.dims[d])
      return hd_op_error(op, "expects dim %u within %" PRId64 ", got %" PRId64 " elements from %" PRId64 " on", d,
                         from.dims[d], to.dims[d], offset);
    if (offset % to.dims[d])
      return hd_op_error(op, "expects dim %u to begin at a multiple of %" PRId64 ", got %" PRId64, d, to.dims[d],
                         offset);
  }
  return check_element(op, from, to);
}

bool hd_verify_ttg_memdesc_trans(hd_op *op) {
  hd_memdesc from = hd_memdesc_of(hd_operand_type(op, 0)), to = hd_memdesc_of(hd_result_type(op, 0));
  hd_attr order = hd_ttg_memdesc_trans_order(op);
  bool fits = from.rank == to.rank && hd_attr_count(order) == to.rank;
  for (uint32_t d = 0; fits && d < to.rank; ++d)
    fits = hd_attr_find_int(order, d) >= 0 && to.dims[d] == from.dims[hd_attr_int_at(order, d)];
  if (!fits)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0), "expects 'order' to permute the dims");
  if (!hd_layout_may_permute(from.layout, order, to.layout))
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0),
                              "expects the result's layout to be the operand's, its dims permuted");
  return check_element(op, from, to);
}

bool hd_verify_ttg_warp_specialize(hd_op *op) {
  hd_block *holder = op->regions[1].first;
  hd_op *partitions = holder ? holder->first : NULL;
  if (!hd_op_is(partitions, HD_OP_ttg_warp_specialize_partitions) || holder->last != partitions)
    return hd_op_error(op, "expects one ttg.warp_specialize.partitions alone in region #1, got %s",
                       partitions ? partitions->name->text : "no op");
  hd_attr warps = hd_ttg_warp_specialize_partitionNumWarps(op);
  if (hd_attr_count(warps) != partitions->region_count)
    return hd_op_error(op, "expects %u numbers of warps, one per partition, got %zu", partitions->region_count,
                       hd_attr_count(warps));
  for (size_t i = 0; i < hd_attr_count(warps); ++i) {
    int64_t number = hd_attr_int_at(warps, i);
    if (number < 1 || number & (number - 1))
      return hd_op_error(op, "expects a power of two as the number of warps of partition %zu, got %" PRId64, i, number);
  }
  hd_block *body = op->regions[0].first;
  hd_op *yield = body ? body->last : NULL;
  if (!hd_op_is(yield, HD_OP_ttg_warp_yield)) return true; /* several blocks */
  if (yield->operand_count != op->result_count)
    return hd_op_error(op, "gives %u results, but its default region yields %u", op->result_count,
                       yield->operand_count);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_operand_type(yield, i) != hd_result_type(op, i))
      return hd_op_type_error(op, hd_result_type(op, i), hd_operand_type(yield, i), "yields another type as result %u",
                              i);
  return true;
}

bool hd_verify_ttg_warp_specialize_partitions(hd_op *op) {
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_block *entry = op->regions[r].first;
    uint32_t count = entry ? entry->arg_count : 0;
    if (count != op->operand_count)
      return hd_op_error(op, "expects %u arguments of partition %u, one per captured value, got %u", op->operand_count,
                         r, count);
    for (uint32_t i = 0; i < count; ++i)
      if (entry->args[i]->type != hd_operand_type(op, i))
        return hd_op_type_error(op, hd_operand_type(op, i), entry->args[i]->type, "argument %u of partition %u", i, r);
  }
  return true;
}

/* ---- ops of older programs, whose tensors may be in shared memory ---- */

bool hd_verify_ttg_shared_tensor(hd_op *op) {
  hd_attr layout = hd_type_layout(hd_result_type(op, 0));
  return (layout && hd_layout_is_shared(layout)) ||
         hd_op_misfit_error(op, hd_result_type(op, 0), NULL, "expects a tensor with a layout of shared memory");
}

/* The dims of |from| but dim |axis| are those of |slice|. */
static bool is_slice_along(hd_type from, hd_type slice, int64_t axis) {
  uint32_t rank = hd_type_rank(from);
  if (axis < 0 || axis >= rank || hd_type_rank(slice) + 1 != rank) return false;
  for (uint32_t d = 0, at = 0; d < rank; ++d)
    if (d != axis && hd_type_dim(from, d) != hd_type_dim(slice, at++)) return false;
  return true;
}

bool hd_verify_ttg_insert_slice(hd_op *op) {
  int64_t axis =
      hd_op_is(op, HD_OP_ttg_insert_slice) ? hd_ttg_insert_slice_axis(op) : hd_ttg_insert_slice_async_axis(op);
  hd_type to = hd_operand_type(op, 1), slice = hd_type_pointee(hd_operand_type(op, 0));
  if (!hd_type_is(slice, HD_TYPE_TENSOR)) return hd_op_misfit_error(op, slice, NULL, "expects a tensor of pointers");
  if (hd_result_type(op, 0) != to)
    return hd_op_type_error(op, to, hd_result_type(op, 0), "gives another type than 'dst'");
  if (hd_type_element(to) != hd_type_element(slice))
    return hd_op_type_error(op, hd_type_element(to), hd_type_element(slice), "expects one element type");
  if (!is_slice_along(to, slice, axis))
    return hd_op_misfit_error(op, hd_operand_type(op, 0), to, "expects the dims of 'dst' but that of 'axis'");
  return hd_verify_ttg_shared_tensor(op) && hd_verify_tt_load(op);
}

bool hd_verify_ttg_extract_slice(hd_op *op) {
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  hd_attr offsets = hd_ttg_extract_slice_static_offsets(op), sizes = hd_ttg_extract_slice_static_sizes(op),
          strides = hd_ttg_extract_slice_static_strides(op);
  uint32_t rank = hd_type_rank(from), start, dynamic, given, at = 0, dropped = rank - hd_type_rank(to);
  hd_op_operand_range(op, 1, &start, &dynamic);
  if (hd_attr_count(offsets) != rank || hd_attr_count(sizes) != rank || hd_attr_count(strides) != rank)
    return hd_op_misfit_error(op, from, NULL, "expects an offset, a size and a stride for each dim");
  given = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t offset = hd_attr_int_at(offsets, d), size = hd_attr_int_at(sizes, d);
    given += offset == HD_DYNAMIC;
    if (size == HD_DYNAMIC || hd_attr_int_at(strides, d) != 1)
      return hd_op_error(op, "expects a known size and a stride of 1 for dim %u, got %s", d,
                         size == HD_DYNAMIC ? "an unknown size" : "another stride");
    if (size < 1 || (offset != HD_DYNAMIC && (offset < 0 || offset > hd_type_dim(from, d) - size)))
      return hd_op_error(op, "expects dim %u within %" PRId64 ", got %" PRId64 " elements from %" PRId64 " on", d,
                         hd_type_dim(from, d), size, offset);
    if (hd_type_rank(to) <= rank && d < dropped && size == 1) continue;
    if (at >= hd_type_rank(to) || hd_type_dim(to, at++) != size)
      return hd_op_misfit_error(op, from, to, "expects a result of the sizes, without first dims of 1 or with them");
  }
  return (at == hd_type_rank(to) && given == dynamic) ||
         hd_op_misfit_error(op, from, to, "expects a result of the sizes, and a value for each unknown offset");
}

bool hd_verify_ttg_memdesc_subview(hd_op *op) {
  hd_memdesc from = hd_memdesc_of(hd_operand_type(op, 0)), to = hd_memdesc_of(hd_result_type(op, 0));
  bool fits = to.rank <= from.rank && op->operand_count == from.rank + 1;
  for (uint32_t d = 0; fits && d < to.rank; ++d) fits = to.dims[d] <= from.dims[from.rank - to.rank + d];
  if (!fits)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0),
                              "expects an offset for each dim, and a part of its last dims");
  return check_element(op, from, to);
}
