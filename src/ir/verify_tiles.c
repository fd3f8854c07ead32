/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of the tensors that ops of Triton's dialects take and give, as Triton has it: how many elements they have,
 * and that a layout is one of the threads that run the program. Ops of other dialects may have what they like. */
#include <inttypes.h>
#include <string.h>

#include "ir/layouts.h"
#include "ir/op.h"
#include "ir/ops/discardable.h"
#include "ir/ops/ttg.h"
#include "ir/tile_types.h"

enum { MAX_ELEMENTS = 1 << 20 };

/* The number of warps of a partition of warps; 0 where |op| is in none. */
static int64_t partition_warps(const hd_op *op) {
  hd_op *holder = hd_op_parent(op);
  if (!hd_op_is(holder, HD_OP_ttg_warp_specialize_partitions)) return 0;
  size_t number = (size_t)(op->block->region - holder->regions);
  hd_attr warps = hd_ttg_warp_specialize_partitionNumWarps(hd_op_parent(holder));
  return number < hd_attr_count(warps) ? hd_attr_int_at(warps, number) : 0;
}

/* What the program says around |op|: the nearest number of warps, and the module's others. False when it says none, as
 * programs on tt alone, which have no layouts. */
static bool threads_around(hd_op *op, hd_layout_threads *out) {
  *out = (hd_layout_threads){0};
  hd_op *top = op;
  bool said = false;
  for (hd_op *at = op; at; top = at, at = hd_op_parent(at)) {
    hd_attr warps = at != op ? hd_discardable_ttg_num_warps_attr(at) : NULL;
    if (said) continue;
    out->warps = partition_warps(at);
    if (!out->warps) out->warps = hd_attr_int_or(warps, 0);
    said = out->warps || warps;
  }
  out->lanes = hd_discardable_ttg_threads_per_warp(top);
  out->blocks = hd_discardable_ttg_num_ctas(top);
  return said;
}

static bool threads_fit(hd_op *op, hd_type type, const hd_layout_threads *around) {
  hd_layout_threads has = hd_layout_threads_of(hd_type_layout(type));
  if (has.lanes != around->lanes)
    return hd_op_misfit_error(op, type, NULL, "expects a layout of %" PRId64 " threads a warp, not %" PRId64,
                              around->lanes, has.lanes);
  if (has.warps != around->warps)
    return hd_op_misfit_error(op, type, NULL, "expects a layout of %" PRId64 " warps, not %" PRId64, around->warps,
                              has.warps);
  return has.blocks == around->blocks ||
         hd_op_misfit_error(op, type, NULL, "expects a layout of %" PRId64 " blocks, not %" PRId64, around->blocks,
                            has.blocks);
}

static bool size_fits(hd_op *op, hd_type type) {
  int64_t count = hd_type_num_elements(type);
  if (count > MAX_ELEMENTS) return hd_op_misfit_error(op, type, NULL, "expects at most %d elements", MAX_ELEMENTS);
  bool empty = !count && !hd_type_layout(type);
  return empty || (count > 0 && !(count & (count - 1))) ||
         hd_op_misfit_error(op, type, NULL, "expects a number of elements that is a power of two");
}

/* Memory of a layout with blocks is spread over all blocks of a cluster. */
static bool blocks_fit(hd_op *op, hd_type type, hd_attr layout, int64_t blocks) {
  int64_t has = hd_layout_blocks_of(layout);
  return has == blocks ||
         hd_op_misfit_error(op, type, NULL, "expects a layout of %" PRId64 " blocks, not %" PRId64, blocks, has);
}

static bool type_fits(hd_op *op, hd_type type, hd_layout_threads *around) {
  hd_attr layout = hd_type_layout(type);
  bool tensor = hd_type_is(type, HD_TYPE_TENSOR);
  if (tensor && layout && !hd_layout_is_distributed(layout)) return true; /* of older programs: in shared memory */
  if (tensor && !size_fits(op, type)) return false;
  if (!layout || (!tensor && !hd_layout_is_shared(layout))) return true;
  if (!around->warps && !threads_around(op, around)) return true; /* listings without their module */
  return tensor ? threads_fit(op, type, around) : blocks_fit(op, type, layout, around->blocks);
}

bool hd_verify_tile_types(hd_op *op) {
  const char *name = op->info->name;
  if (!op->info->opcode || strncmp(name, "tt", 2)) return true;
  hd_layout_threads around = {0};
  for (uint32_t i = 0; i < op->operand_count + op->result_count; ++i) {
    hd_type type = i < op->operand_count ? hd_operand_type(op, i) : hd_result_type(op, i - op->operand_count);
    bool asked = hd_type_is(type, HD_TYPE_TENSOR) || hd_type_is_memdesc(type);
    if (asked && !type_fits(op, type, &around)) return false;
  }
  return true;
}
