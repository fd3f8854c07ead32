/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/axis_info/of_op.h"

#include "analysis/axis_info/lattice.h"
#include "ir/ops/arith.h"
#include "ir/ops/tt.h"
#include "ir/tile_types.h"

uint32_t hd_axis_rank(hd_type type) {
  if (hd_type_is_pointer(type)) type = hd_type_pointee(type);
  if (!hd_type_is(type, HD_TYPE_TENSOR)) return 1;
  return hd_type_rank(type);
}

/* Null: a scalar. */
static const int64_t *shape_of(hd_type type) { return hd_type_is(type, HD_TYPE_TENSOR) ? type->shaped.dims : NULL; }

/* ---- hints ---- */

/* A number for all dims, or a list of one for each. What is below 1 says nothing. */
static void hint(hd_attr attr, uint32_t rank, int64_t *list) {
  int64_t all = hd_attr_int_or(attr, 0);
  for (uint32_t d = 0; attr && d < rank; ++d) {
    int64_t value = all > 0 ? all : hd_attr_int_at_or(attr, d, 0);
    if (value > 0) list[d] = value < HD_AXIS_MOST ? value : HD_AXIS_MOST;
  }
}

hd_axis_info hd_axis_with_hints(const hd_axis_info *info, hd_attr contiguity, hd_attr divisibility, hd_attr constancy) {
  hd_axis_info out = *info;
  if (!contiguity && !divisibility && !constancy) return out;
  hint(contiguity, out.rank, out.contiguity);
  hint(divisibility, out.rank, out.divisibility);
  hint(constancy, out.rank, out.constancy);
  hd_axis_raise_strides(&out);
  return out;
}

/* ---- ops ---- */

static const struct {
  hd_opcode opcode;
  hd_axis_op op;
} binaries[] = {
    {HD_OP_arith_addi, HD_AXIS_ADD},  {HD_OP_arith_subi, HD_AXIS_SUB},  {HD_OP_tt_addptr, HD_AXIS_ADVANCE},
    {HD_OP_arith_muli, HD_AXIS_MUL},  {HD_OP_arith_divsi, HD_AXIS_DIV}, {HD_OP_arith_divui, HD_AXIS_DIV},
    {HD_OP_arith_remsi, HD_AXIS_REM}, {HD_OP_arith_remui, HD_AXIS_REM}, {HD_OP_arith_andi, HD_AXIS_AND},
    {HD_OP_arith_ori, HD_AXIS_OR},    {HD_OP_arith_xori, HD_AXIS_XOR},  {HD_OP_arith_shli, HD_AXIS_SHL},
    {HD_OP_arith_shrsi, HD_AXIS_SHR}, {HD_OP_arith_shrui, HD_AXIS_SHR}, {HD_OP_arith_minsi, HD_AXIS_MIN},
    {HD_OP_arith_minui, HD_AXIS_MIN}, {HD_OP_arith_maxsi, HD_AXIS_MAX}, {HD_OP_arith_maxui, HD_AXIS_MAX},
};

/* Bytes of what the pointers of |type| point to; 1 of smaller ones, and where there are none. */
static int64_t pointee_bytes(hd_type type) {
  hd_type element = hd_type_element(type);
  uint32_t bits = hd_type_is_pointer(element) ? hd_type_bits(hd_type_element(hd_type_pointee(element))) : 8;
  return bits > 8 ? bits / 8 : 1;
}

static bool is_unsigned(hd_op *op) {
  return hd_op_is(op, HD_OP_arith_divui) || hd_op_is(op, HD_OP_arith_remui) || hd_op_is(op, HD_OP_arith_shrui) ||
         hd_op_is(op, HD_OP_arith_minui) || hd_op_is(op, HD_OP_arith_maxui);
}

/* A negative constant is another number to an op on unsigned ones: which one depends on the width, so nothing is said of it
 * but what divides it. */
static const hd_axis_info *as_unsigned(const hd_axis_info *info, hd_axis_info *room) {
  if (!info->has_constant || info->constant >= 0) return info;
  *room = *info;
  room->has_constant = false;
  return room;
}

static bool of_binary(hd_op *op, const hd_axis_info *const *operands, hd_axis_info *out) {
  hd_axis_info rooms[2];
  if (op->operand_count != 2) return false;
  const hd_axis_info *converted[] = {operands[0], operands[1]};
  for (size_t i = 0; is_unsigned(op) && i < 2; ++i) converted[i] = as_unsigned(operands[i], &rooms[i]);
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; ++i) {
    if (!hd_op_is(op, binaries[i].opcode)) continue;
    int64_t bytes = binaries[i].op == HD_AXIS_ADVANCE ? pointee_bytes(hd_result_type(op, 0)) : 1;
    *out = hd_axis_binary(binaries[i].op, converted[0], converted[1], shape_of(hd_result_type(op, 0)), bytes);
    return true;
  }
  return false;
}

/* Integers of up to 64 bits, with their sign; true is 1. */
static bool of_constant(hd_op *op, hd_axis_info *out) {
  hd_attr value = hd_arith_constant_value(op);
  hd_type type = hd_result_type(op, 0), element = hd_type_element(type);
  int64_t number;
  if (!hd_type_is(element, HD_TYPE_INTEGER) && !hd_type_is(element, HD_TYPE_INDEX)) return false;
  if (hd_type_is(element, HD_TYPE_INTEGER) && element->integer.width > 64) return false;
  if (!hd_attr_splat_int(value, &number)) {
    if (shape_of(type) || hd_attr_int_or(value, 0) != hd_attr_int_or(value, 1)) return false;
    number = hd_attr_int_or(value, 0);
  }
  if (hd_type_is_integer(element, 1)) number &= 1;
  *out = hd_axis_constant(number, shape_of(type), hd_axis_rank(type));
  return true;
}

static hd_axis_info of_compare(hd_op *op, const hd_axis_info *const *operands) {
  static const struct {
    hd_axis_order order;
    bool is_unsigned;
  } orders[] = {
      [HD_ARITH_CMPI_EQ] = {HD_AXIS_EQ, false},  [HD_ARITH_CMPI_NE] = {HD_AXIS_NE, false},
      [HD_ARITH_CMPI_SLT] = {HD_AXIS_LT, false}, [HD_ARITH_CMPI_SLE] = {HD_AXIS_LE, false},
      [HD_ARITH_CMPI_SGT] = {HD_AXIS_GT, false}, [HD_ARITH_CMPI_SGE] = {HD_AXIS_GE, false},
      [HD_ARITH_CMPI_ULT] = {HD_AXIS_LT, true},  [HD_ARITH_CMPI_ULE] = {HD_AXIS_LE, true},
      [HD_ARITH_CMPI_UGT] = {HD_AXIS_GT, true},  [HD_ARITH_CMPI_UGE] = {HD_AXIS_GE, true},
  };
  int predicate = (int)hd_arith_cmpi_predicate(op);
  return hd_axis_compare(orders[predicate].order, orders[predicate].is_unsigned, operands[0], operands[1],
                         shape_of(hd_result_type(op, 0)));
}

/* Is |number|, with its sign, one of |element|'s? */
static bool has_number(hd_type element, int64_t number) {
  if (!hd_type_is(element, HD_TYPE_INTEGER) || element->integer.width >= 64) return true;
  if (element->integer.width <= 1) return number == 0 || number == 1;
  int64_t sign = number >> (element->integer.width - 1);
  return sign == 0 || sign == -1;
}

/* The same number in another width, but for a constant that is another one there. */
static hd_axis_info of_cast(hd_op *op, const hd_axis_info *const *operands) {
  hd_type type = hd_result_type(op, 0);
  if (op->operand_count != 1 || operands[0]->rank != hd_axis_rank(type)) return hd_axis_unknown(hd_axis_rank(type));
  bool converts = hd_op_is(op, HD_OP_arith_extui) || hd_op_is(op, HD_OP_arith_index_castui);
  hd_axis_info room, out = converts ? *as_unsigned(operands[0], &room) : *operands[0];
  out.has_constant = out.has_constant && has_number(hd_type_element(type), out.constant);
  return out;
}

/* Operand |item| of a load, which may be left out. */
static const hd_axis_info *optional(hd_op *op, size_t item, const hd_axis_info *const *operands) {
  uint32_t start, count;
  hd_op_operand_range(op, item, &start, &count);
  return count ? operands[start] : NULL;
}

static hd_axis_info of_trans(hd_op *op, const hd_axis_info *a) {
  int64_t order[HD_AXIS_MAX_RANK];
  for (uint32_t d = 0; d < a->rank; ++d) {
    order[d] = hd_attr_int_at_or(hd_tt_trans_order(op), d, d);
    if (order[d] < 0 || order[d] >= a->rank) order[d] = d;
  }
  return hd_axis_permute(a, order);
}

static hd_axis_info of_other(hd_op *op, const hd_axis_info *const *operands) {
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = hd_axis_rank(type);
  switch (hd_opcode_get(op)) {
    case HD_OP_arith_extsi:
    case HD_OP_arith_extui:
    case HD_OP_arith_trunci:
    case HD_OP_arith_index_cast:
    case HD_OP_arith_index_castui:
    case HD_OP_tt_bitcast:
    case HD_OP_builtin_unrealized_conversion_cast:
      return of_cast(op, operands);
    case HD_OP_ub_poison:
      return hd_axis_any(rank);
    case HD_OP_tt_make_range:
      return hd_axis_range(hd_tt_make_range_start(op), hd_tt_make_range_end(op));
    case HD_OP_tt_splat:
      return hd_axis_splat(operands[0], shape_of(type), rank);
    case HD_OP_tt_expand_dims:
      return hd_axis_expand(operands[0], (uint32_t)hd_tt_expand_dims_axis(op));
    case HD_OP_tt_broadcast:
      return hd_axis_broadcast(operands[0], shape_of(hd_operand_type(op, 0)), shape_of(type));
    case HD_OP_tt_trans:
      return of_trans(op, operands[0]);
    case HD_OP_arith_cmpi:
      return of_compare(op, operands);
    case HD_OP_arith_select:
      return hd_axis_select(operands[0], !shape_of(hd_operand_type(op, 0)), operands[1], operands[2], shape_of(type));
    case HD_OP_tt_load:
      return hd_axis_load(operands[0], optional(op, 1, operands), optional(op, 2, operands));
    default:
      return hd_axis_unknown(rank);
  }
}

/* An info has room for so many dims. */
static bool fits(hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_axis_rank(hd_operand_type(op, i)) - 1u >= HD_AXIS_MAX_RANK) return false;
  return hd_axis_rank(hd_result_type(op, 0)) - 1u < HD_AXIS_MAX_RANK;
}

hd_axis_info hd_axis_of_op(hd_op *op, const hd_axis_info *const *operands) {
  hd_axis_info info;
  if (!fits(op)) return hd_axis_unknown(0);
  if (!(hd_op_is(op, HD_OP_arith_constant) && of_constant(op, &info)) && !of_binary(op, operands, &info))
    info = of_other(op, operands);
  return hd_axis_with_hints(&info, hd_op_attr_get(op, HD_NAME_tt_contiguity),
                            hd_op_attr_get(op, HD_NAME_tt_divisibility), hd_op_attr_get(op, HD_NAME_tt_constancy));
}
