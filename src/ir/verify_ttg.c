/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of ttg and ttng. */
#include <inttypes.h>

#include "ir/hooks.h"
#include "ir/layouts.h"
#include "ir/tile_types.h"

/* |tensor| and |memory| hold the same elements in one shape. */
static bool check_contents(hd_op *op, hd_type tensor, hd_type memory) {
  hd_memdesc m = hd_memdesc_of(memory);
  bool fits = hd_type_rank(tensor) == m.rank && hd_type_element(tensor) == m.element;
  for (uint32_t d = 0; fits && d < m.rank; ++d) fits = hd_type_dim(tensor, d) == m.dims[d];
  return fits || hd_op_misfit_error(op, tensor, memory, "expects a tensor and memory of one shape and element type");
}

static bool check_mutable(hd_op *op, hd_type memory) {
  return hd_memdesc_of(memory).is_mutable || hd_op_misfit_error(op, memory, NULL, "expects memory that is mutable");
}

bool hd_verify_ttg_local_alloc(hd_op *op) {
  hd_type memory = hd_result_type(op, 0);
  return op->operand_count ? check_contents(op, hd_operand_type(op, 0), memory) : check_mutable(op, memory);
}
bool hd_verify_ttg_local_load(hd_op *op) { return check_contents(op, hd_result_type(op, 0), hd_operand_type(op, 0)); }
bool hd_verify_ttg_local_store(hd_op *op) {
  hd_type memory = hd_operand_type(op, 1);
  return check_mutable(op, memory) && check_contents(op, hd_operand_type(op, 0), memory);
}
bool hd_verify_ttg_async_copy(hd_op *op) {
  hd_type memory = hd_operand_type(op, 1), pointee = hd_type_pointee(hd_operand_type(op, 0));
  if (!hd_type_is(pointee, HD_TYPE_TENSOR))
    return hd_op_misfit_error(op, pointee, NULL, "expects a tensor of pointers");
  return check_mutable(op, memory) && check_contents(op, pointee, memory) && hd_verify_tt_load(op);
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
  return check_element(op, from, to);
}

bool hd_verify_ttg_memdesc_subslice(hd_op *op) {
  hd_memdesc from = hd_memdesc_of(hd_operand_type(op, 0)), to = hd_memdesc_of(hd_result_type(op, 0));
  hd_attr offsets = hd_op_attr_get(op, HD_NAME_offsets);
  if (from.rank != to.rank || hd_attr_count(offsets) != from.rank)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0), "expects an offset for each dim");
  for (uint32_t d = 0; d < from.rank; ++d) {
    int64_t offset = hd_attr_int_at(offsets, d);
    if (offset < 0 || offset + to.dims[d] > from.dims[d])
      return hd_op_error(op, "expects dim %u within %" PRId64 ", got %" PRId64 " elements from %" PRId64 " on", d,
                         from.dims[d], to.dims[d], offset);
  }
  return check_element(op, from, to);
}

bool hd_verify_ttg_memdesc_trans(hd_op *op) {
  hd_memdesc from = hd_memdesc_of(hd_operand_type(op, 0)), to = hd_memdesc_of(hd_result_type(op, 0));
  hd_attr order = hd_op_attr_get(op, HD_NAME_order);
  bool fits = from.rank == to.rank && hd_attr_count(order) == to.rank;
  for (uint32_t d = 0; fits && d < to.rank; ++d)
    fits = hd_attr_find_int(order, d) >= 0 && to.dims[d] == from.dims[hd_attr_int_at(order, d)];
  if (!fits)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0), "expects 'order' to permute the dims");
  return check_element(op, from, to);
}

static void shape_of(hd_type type, uint32_t *rank, const int64_t **dims) {
  bool memory = hd_type_is_memdesc(type);
  hd_memdesc m = memory ? hd_memdesc_of(type) : (hd_memdesc){0};
  *rank = memory ? m.rank : hd_type_rank(type);
  *dims = memory ? m.dims : type->shaped.dims;
}

bool hd_verify_ttng_warp_group_dot(hd_op *op) {
  uint32_t rank[3];
  const int64_t *dims[3];
  shape_of(hd_operand_type(op, 0), &rank[0], &dims[0]);
  shape_of(hd_operand_type(op, 1), &rank[1], &dims[1]);
  shape_of(hd_result_type(op, 0), &rank[2], &dims[2]);
  bool fits = rank[0] == 2 && rank[1] == 2 && rank[2] == 2 && dims[0][0] == dims[2][0] && dims[1][1] == dims[2][1] &&
              dims[0][1] == dims[1][0];
  return fits || hd_op_misfit_error(op, hd_operand_type(op, 0), hd_operand_type(op, 1),
                                    "expects operands whose product has the result's shape");
}
