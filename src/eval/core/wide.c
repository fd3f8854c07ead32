/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/wide.h"

#include "eval/core/frame.h"
#include "ir/builder.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

static bool is_narrow(hd_type type) {
  hd_type element = hd_type_is_tensor(type) ? hd_type_element(type) : NULL;
  return hd_type_is(element, HD_TYPE_FLOAT) && hd_float_formats[element->float_kind].bits < 32;
}

static hd_type widened(hd_type type) {
  return is_narrow(type) ? hd_type_with_element(type, hd_f32(type->context)) : type;
}

static bool accumulates(hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_reduce:
    case HD_OP_stablehlo_reduce_window:
    case HD_OP_mhlo_associative_scan:
      return true;
    case HD_OP_chlo_scan:
    case HD_OP_mhlo_scan:
      return hd_scan_like_is_associative(op);
    default:
      return false;
  }
}

static bool holds_regions(hd_op *op) {
  hd_for_each_block(block, hd_op_region(op, 0)) {
    hd_for_each_op(inner, block) {
      if (inner->region_count) return true;
    }
  }
  return false;
}

/* Does |op| compute on f32 what it computes on a narrower float? */
static bool computes(const hd_op *op) {
  return hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) &&
         !hd_op_has_any_trait(op, HD_TRAIT(TYPE_SPECIFIC) | HD_TRAIT(CONSTANT_LIKE)) &&
         !hd_op_is(op, HD_OP_stablehlo_convert) && !hd_op_is(op, HD_OP_stablehlo_reduce_precision);
}

static hd_value *convert(hd_builder *b, hd_value *value, hd_type type) {
  return value->type == type ? value : hd_stablehlo_convert(b, type, value);
}

/* Narrow values of |block| become f32; an op that does not compute takes and gives what it did. |narrow|: what those
 * values were. */
static void widen_op(hd_op *op, hd_map *narrow, hd_arena *scratch) {
  hd_builder before = hd_builder_before(op), after = hd_builder_after(op);
  before.loc = after.loc = op->loc;
  bool wide = computes(op), ends = !op->next;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *x = hd_operand(op, i);
    hd_type was = hd_map_get(narrow, x), type = wide || ends ? widened(x->type) : was ? was : x->type;
    if (type != x->type) hd_op_set_operand(op, i, convert(&before, x, type));
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *result = hd_result(op, i);
    hd_type was = result->type;
    if (!is_narrow(was)) continue;
    if (wide) {
      result->type = widened(was);
      hd_map_set(scratch, narrow, result, (void *)was);
      continue;
    }
    hd_value *converted = convert(&after, result, widened(was));
    hd_value_replace_uses_except(result, converted, hd_value_op(converted));
    hd_map_set(scratch, narrow, converted, (void *)was);
  }
}

static void widen_block(hd_block *block, hd_arena *scratch) {
  hd_map narrow = {0};
  for (uint32_t i = 0; i < block->arg_count; ++i) {
    hd_value *arg = block->args[i];
    if (!is_narrow(arg->type)) continue;
    hd_map_set(scratch, &narrow, arg, (void *)arg->type);
    arg->type = widened(arg->type);
  }
  for (hd_op *op = block->first, *next; op; op = next) {
    next = op->next;
    widen_op(op, &narrow, scratch);
  }
}

hd_op *hd_widened_op(hd_op *op, hd_arena *scratch) {
  bool any = false;
  for (uint32_t i = 0; i < op->result_count; ++i) any |= is_narrow(hd_result_type(op, i));
  if (!any || !accumulates(op) || op->region_count != 1 || holds_regions(op)) return NULL;
  hd_block *block = hd_block_create(op->module); /* its arguments stand for the operands; never run */
  hd_value **operands = hd_new_array(scratch, hd_value *, op->operand_count + 1);
  hd_type *types = hd_new_array(scratch, hd_type, op->result_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    operands[i] = hd_block_add_arg(op->module, block, widened(hd_operand_type(op, i)));
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = widened(hd_result_type(op, i));
  hd_op_attr_list attrs = hd_op_all_attrs(op, scratch);
  hd_op *widened = hd_op_create(op->module, &(hd_op_state){.context = hd_op_context(op),
                                                           .loc = op->loc,
                                                           .opcode = op->info->opcode,
                                                           .name = op->name,
                                                           .operands = operands,
                                                           .operand_count = op->operand_count,
                                                           .result_types = types,
                                                           .result_count = op->result_count,
                                                           .attrs = attrs.data,
                                                           .attr_count = attrs.len,
                                                           .region_count = 1});
  hd_map map = {0};
  hd_region_clone_into(op->module, hd_op_region(op, 0), hd_op_region(widened, 0), scratch, &map);
  hd_for_each_block(body, hd_op_region(widened, 0)) widen_block(body, scratch);
  return widened;
}

/* |tensor| with elements of |element|, rounded. */
static hd_status converted(hd_eval_frame *frame, const hd_tensor *tensor, hd_type element, hd_tensor *out) {
  HD_TRY(hd_eval_tensor(frame, element, hd_tensor_rank(tensor), hd_tensor_dims(tensor), out));
  hd_convert_elements(hd_tensor_element(tensor), hd_tensor_data(tensor), element, hd_tensor_data(out),
                      hd_tensor_count(tensor));
  return HD_STATUS_OK;
}

hd_status hd_eval_run_wide(hd_eval_frame *frame, hd_op *op, hd_op *wide, const hd_tensor *in, hd_tensor *out) {
  hd_type f32 = hd_f32(hd_frame_context(frame));
  hd_tensor *values;
  HD_TRY(hd_eval_temp(frame, op->operand_count + 1, sizeof *values, &values));
  hd_status status = HD_STATUS_OK;
  for (uint32_t i = 0; i < op->operand_count && hd_is_ok(status); ++i) {
    if (is_narrow(in[i].type))
      status = converted(frame, &in[i], f32, &values[i]);
    else
      values[i] = hd_tensor_retain(in[i]);
  }
  if (hd_is_ok(status)) status = hd_eval_run_graph_op(frame, wide, values, out);
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_tensor_release(&values[i]);
  for (uint32_t i = 0; i < op->result_count && hd_is_ok(status); ++i) {
    if (!is_narrow(hd_result_type(op, i))) continue;
    hd_tensor rounded = {0};
    status = converted(frame, &out[i], hd_type_element(hd_result_type(op, i)), &rounded);
    hd_tensor_release(&out[i]);
    out[i] = rounded;
  }
  return status;
}
