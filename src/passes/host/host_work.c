/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/host/host_work.h"

#include "analysis/captures.h"
#include "ir/placement.h"

bool hd_reads_types_only(const hd_op *op) { return hd_op_is(op, HD_OP_stablehlo_get_dimension_size); }

bool hd_host_may_hold(hd_type type, int64_t max_elements, bool floats) {
  if (!hd_type_is(type, HD_TYPE_TENSOR) || !hd_type_is_static(type)) return false;
  hd_type_kind kind = hd_type_element(type)->kind;
  return (kind == HD_TYPE_INTEGER || kind == HD_TYPE_INDEX || (floats && kind == HD_TYPE_FLOAT)) &&
         hd_type_num_elements(type) <= max_elements;
}

bool hd_host_may_compute(hd_op *op, int64_t max_elements, bool floats, hd_arena *scratch) {
  if (hd_reads_types_only(op)) return true;
  if (hd_placement_enters(op) || !hd_op_is_pure(op) || !hd_opcode_to_lmhlo(hd_opcode_get(op))) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!hd_host_may_hold(hd_result_type(op, i), max_elements, floats)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_host_may_hold(hd_operand_type(op, i), max_elements, floats)) return false;
  hd_captures used = {0};
  if (op->region_count) hd_captures_find(op, scratch, &used);
  for (size_t i = 0; i < used.len; ++i)
    if (!hd_host_may_hold(used.data[i]->type, max_elements, floats)) return false;
  return op->result_count > 0;
}
