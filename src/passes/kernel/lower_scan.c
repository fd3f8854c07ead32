/* SPDX-License-Identifier: Apache-2.0 */
/* mhlo.associative_scan: one kernel, after one for the totals of blocks where a line may have several
 * (codegen/emit/scan_kernel.c). */
#include "codegen/emit/scan.h"
#include "passes/kernel/lowering.h"

hd_op *hd_scan_of(const hd_kernel_set *set) {
  for (size_t i = 0; i < set->ops.len; ++i)
    if (hd_buffer_opcode(set->ops.data[i]) == HD_OP_mhlo_associative_scan) return set->ops.data[i];
  return NULL;
}

/* What gathers in a kernel is not rounded to less than f32. */
static hd_type total_type(hd_type element) {
  bool narrow = element->kind == HD_TYPE_FLOAT && hd_type_bits(element) < 32;
  return narrow ? hd_f32(element->context) : element;
}

/* [blocks, width] for the totals of output |o|, freed behind |op|. */
static hd_value *totals_of(hd_lowering *z, hd_op *op, hd_value *like, const hd_scan_plan *plan) {
  hd_builder b = hd_builder_before(op);
  hd_type type =
      hd_type_memref(total_type(hd_type_element(like->type)), (int64_t[]){HD_DYNAMIC, HD_DYNAMIC}, 2, NULL, NULL);
  hd_dim dims[] = {plan->blocks, plan->width};
  hd_value *sizes[] = {hd_host_dim(z, &b, dims[0], op), hd_host_dim(z, &b, dims[1], op)};
  if (!sizes[0] || !sizes[1]) return NULL;
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b.context, (int32_t[]){2, 0}, 2)};
  hd_value *totals = hd_build_one_(&b, HD_OP_memref_alloc, type, sizes, 2, &segments, 1);
  hd_shapes_set_dims(z->shapes, totals, dims, 2);
  hd_builder after = hd_builder_before(op->next);
  hd_build0(&after, HD_OP_memref_dealloc, totals);
  return totals;
}

bool hd_lower_scan(hd_lowering *z, hd_op *op, hd_kernel_set *set, hd_op *scan) {
  hd_arena *arena = &z->pass->arena;
  uint32_t count = hd_buffer_output_count(scan);
  hd_vec(hd_op *) ops = {0};
  for (size_t i = 0; i < set->ops.len; ++i)
    if (set->ops.data[i] != scan) hd_vec_push(arena, &ops, set->ops.data[i]);
  hd_vec_push(arena, &ops, scan);
  hd_scan_plan plan;
  hd_plan_scan(z->shapes, scan, &plan);
  hd_vec(hd_value *) outputs = {0};
  for (uint32_t i = 0; i < count; ++i) hd_vec_push(arena, &outputs, hd_buffer_output(scan, i));
  int64_t blocks;
  bool divides = !hd_dim_is_const(&z->shapes->table, plan.blocks, &blocks) || blocks > 1;
  for (uint32_t i = 0; divides && i < count; ++i) {
    hd_value *totals = totals_of(z, op, outputs.data[i], &plan);
    if (!totals) return false;
    hd_vec_push(arena, &outputs, totals);
  }
  hd_builder b = hd_builder_before(op);
  hd_kernel_ops kernel = {ops.data, ops.len, outputs.data, outputs.len};
  for (int part = divides ? 0 : 1; part < 2; ++part) {
    hd_kernel_launch launch = {0};
    if (!hd_kernel_of(z, part ? hd_emit_scan_kernel : hd_emit_scan_totals_kernel, &kernel,
                      part ? "scan" : "scan_totals", &scan, 1, scan->loc, &launch) ||
        !hd_launch_kernel(z, &b, &launch, op))
      return false;
  }
  hd_op_erase(op);
  return true;
}
