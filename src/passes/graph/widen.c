/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/graph/widen.h"

#include "passes/graph/hlo_build.h"

bool hd_computes_on_elements(const hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_dot:
    case HD_OP_stablehlo_dot_general:
    case HD_OP_stablehlo_einsum:
    case HD_OP_stablehlo_convolution:
    case HD_OP_stablehlo_dynamic_conv:
    case HD_OP_stablehlo_reduce:
    case HD_OP_stablehlo_reduce_window:
    case HD_OP_stablehlo_select_and_scatter:
    case HD_OP_stablehlo_scatter:
    case HD_OP_stablehlo_map:
    case HD_OP_stablehlo_sort:
    case HD_OP_stablehlo_cholesky:
    case HD_OP_stablehlo_triangular_solve:
    case HD_OP_stablehlo_rng:
    case HD_OP_stablehlo_batch_norm_inference:
    case HD_OP_stablehlo_batch_norm_training:
    case HD_OP_stablehlo_batch_norm_grad:
    case HD_OP_stablehlo_iota:
    case HD_OP_stablehlo_dynamic_iota:
      return true;
    case HD_OP_stablehlo_convert:
    case HD_OP_stablehlo_bitcast_convert:
    case HD_OP_stablehlo_real:
    case HD_OP_stablehlo_imag:
    case HD_OP_stablehlo_complex:
    case HD_OP_stablehlo_uniform_quantize:
    case HD_OP_stablehlo_uniform_dequantize:
    case HD_OP_mhlo_copy:
      return false;
    default:
      return hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) && !hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE));
  }
}

static bool is(hd_type type, hd_type element) { return hd_type_is_tensor(type) && hd_type_element(type) == element; }

/* Does region |r| give back elements of the op, and not a decision about them? */
static bool gives_elements(const hd_op *op, uint32_t r) {
  return !hd_op_is(op, HD_OP_stablehlo_sort) && !(hd_op_is(op, HD_OP_stablehlo_select_and_scatter) && r == 0);
}

/* The arguments of a region become wide ones that are converted at once; what it gives back is converted last. */
static void widen_region(hd_op *op, uint32_t r, hd_type from, hd_type to) {
  hd_block *block = hd_op_region(op, r)->first;
  if (!block) return;
  hd_builder start = hd_builder_at_start(op->module, block);
  start.loc = op->loc;
  for (uint32_t i = 0; i < block->arg_count; ++i) {
    hd_value *arg = block->args[i];
    if (!is(arg->type, from)) continue;
    hd_type narrow = arg->type;
    arg->type = hd_type_with_element(narrow, to);
    hd_value *converted = hd_hlo_convert(&start, arg, from);
    hd_value_replace_uses_except(arg, converted, hd_value_op(converted));
  }
  hd_op *end = block->last;
  hd_builder last = hd_builder_before(end);
  for (uint32_t i = 0; gives_elements(op, r) && i < end->operand_count; ++i)
    if (is(hd_operand_type(end, i), from)) hd_op_set_operand(end, i, hd_hlo_convert(&last, hd_operand(end, i), to));
}

hd_op *hd_widen_op(hd_op *op, hd_type from, hd_type to, hd_arena *scratch) {
  bool any = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) any |= is(hd_operand_type(op, i), from);
  for (uint32_t i = 0; i < op->result_count; ++i) any |= is(hd_result_type(op, i), from);
  if (!any) return op;
  hd_builder b = hd_builder_before(op);
  hd_value **operands = hd_new_array(scratch, hd_value *, op->operand_count + 1),
           **results = hd_new_array(scratch, hd_value *, op->result_count + 1);
  hd_type *types = hd_new_array(scratch, hd_type, op->result_count + 1);
  hd_region **regions = hd_new_array(scratch, hd_region *, op->region_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *x = hd_operand(op, i);
    operands[i] = is(x->type, from) ? hd_hlo_convert(&b, x, to) : x;
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = hd_result_type(op, i);
    types[i] = is(type, from) ? hd_type_with_element(type, to) : type;
  }
  for (uint32_t r = 0; r < op->region_count; ++r) {
    widen_region(op, r, from, to);
    regions[r] = hd_op_region(op, r);
  }
  hd_op *wide = hd_build_state(&b, &(hd_op_state){.opcode = hd_opcode_get(op),
                                                  .name = op->name,
                                                  .loc = op->loc,
                                                  .operands = operands,
                                                  .operand_count = op->operand_count,
                                                  .result_types = types,
                                                  .result_count = op->result_count,
                                                  .attrs = op->attrs,
                                                  .attr_count = op->attr_count,
                                                  .region_count = op->region_count,
                                                  .regions = regions});
  for (uint32_t i = 0; i < op->result_count; ++i)
    results[i] = is(hd_result_type(op, i), from) ? hd_hlo_convert(&b, hd_result(wide, i), from) : hd_result(wide, i);
  hd_op_replace(op, results);
  return wide;
}

hd_type hd_widest_of(hd_type type, const hd_type *natives, size_t count) {
  hd_type best = NULL;
  if (type->kind != HD_TYPE_FLOAT) return NULL;
  const hd_float_format *own = &hd_float_formats[type->float_kind];
  for (size_t i = 0; i < count; ++i) {
    const hd_float_format *f = &hd_float_formats[natives[i]->float_kind];
    bool holds = f->special == HD_FLOAT_IEEE && f->mantissa_bits >= own->mantissa_bits && f->bias >= own->bias;
    if (holds && (!best || f->bits < hd_float_formats[best->float_kind].bits)) best = natives[i];
  }
  return best;
}
