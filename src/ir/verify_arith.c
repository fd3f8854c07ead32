/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of arith and math: widths of casts, shapes of conditions. */
#include "ir/hooks.h"
#include "ir/ops/arith.h"

static hd_type in_element(hd_op *op) { return hd_type_element(hd_operand_type(op, 0)); }
static hd_type out_element(hd_op *op) { return hd_type_element(hd_result_type(op, 0)); }

/* Operand and result are both scalars, or shaped of one kind. */
static bool same_form(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  bool shaped = hd_type_is_shaped(in) || hd_type_is_shaped(out);
  return !shaped || in->kind == out->kind || (hd_type_is_tensor(in) && hd_type_is_tensor(out)) ||
         hd_op_misfit_error(op, in, out, "expects operand and result of one form: scalar, vector or tensor");
}

static bool widths(hd_op *op, bool widens) {
  uint32_t from = hd_type_bits(in_element(op)), to = hd_type_bits(out_element(op));
  if (!same_form(op)) return false;
  if (widens ? to > from : to < from) return true;
  return hd_op_error(op, "expects a result %s than the operand, got %u bits from %u", widens ? "wider" : "narrower", to,
                     from);
}

bool hd_verify_widens(hd_op *op) { return widths(op, true); }
bool hd_verify_narrows(hd_op *op) { return widths(op, false); }
bool hd_verify_same_form(hd_op *op) { return same_form(op); }

bool hd_verify_index_cast(hd_op *op) {
  hd_type in = in_element(op), out = out_element(op);
  if (!same_form(op)) return false;
  if ((in->kind == HD_TYPE_INDEX) == (out->kind == HD_TYPE_INDEX) && in != out)
    return hd_op_misfit_error(op, in, out, "expects index on one side and an integer on the other");
  return true;
}

bool hd_verify_arith_bitcast(hd_op *op) {
  uint32_t from = hd_type_bits(in_element(op)), to = hd_type_bits(out_element(op));
  if (!same_form(op)) return false;
  return from == to || hd_op_error(op, "expects operand and result of one width, got %u and %u bits", from, to);
}

bool hd_verify_arith_select(hd_op *op) {
  hd_type condition = hd_operand_type(op, 0), value = hd_operand_type(op, 1);
  if (!hd_type_is_shaped(condition)) return true;
  if (!hd_type_is_shaped(value))
    return hd_op_misfit_error(op, condition, NULL, "expects a scalar condition for scalar values");
  bool same = hd_type_with_element(value, hd_i1(hd_op_context(op))) == condition;
  return same ||
         hd_op_misfit_error(op, condition, value, "expects the condition to be i1 or to have the shape of the values");
}

bool hd_verify_arith_constant(hd_op *op) {
  hd_type type = hd_result_type(op, 0);
  hd_attr value = hd_arith_constant_value(op);
  if (value->type != type) return hd_op_type_error(op, type, value->type, "expects a value of the type of the result");
  if (value->kind == HD_ATTR_INTEGER && hd_type_is(type, HD_TYPE_INTEGER) && type->integer.signedness != HD_SIGNLESS)
    return hd_op_misfit_error(op, type, NULL, "expects a signless integer");
  return true;
}
