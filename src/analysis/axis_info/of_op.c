/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/axis_info/of_op.h"

#include "analysis/axis_info/lattice.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
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

/* Bytes of what the pointers of |type| point to; 1 of smaller ones, and where there are none. */
static int64_t pointee_bytes(hd_type type) {
  hd_type element = hd_type_element(type);
  uint32_t bits = hd_type_is_pointer(element) ? hd_type_bits(hd_type_element(hd_type_pointee(element))) : 8;
  return bits > 8 ? bits / 8 : 1;
}

/* A negative constant is another number to an op on unsigned ones: which one depends on the width, so nothing is said
 * of it but what divides it. */
static const hd_axis_info *as_unsigned(const hd_axis_info *info, hd_axis_info *room) {
  if (!info->has_constant || info->constant >= 0) return info;
  *room = *info;
  room->has_constant = false;
  return room;
}

static hd_axis_info of_binary(hd_op *op, hd_integer_op integer, const hd_axis_info *const *operands) {
  hd_axis_info rooms[2];
  const hd_axis_info *converted[] = {operands[0], operands[1]};
  for (size_t i = 0; integer.is_unsigned && i < 2; ++i) converted[i] = as_unsigned(operands[i], &rooms[i]);
  return hd_axis_binary(integer.kind, converted[0], converted[1], shape_of(hd_result_type(op, 0)), 1);
}

/* A pointer and a number of elements. */
static hd_axis_info of_advance(hd_op *op, const hd_axis_info *const *operands) {
  hd_type type = hd_result_type(op, 0);
  return hd_axis_binary(HD_INTEGER_ADD, operands[0], operands[1], shape_of(type), pointee_bytes(type));
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
  hd_axis_info room, out = hd_integer_op_of(op).is_unsigned ? *as_unsigned(operands[0], &room) : *operands[0];
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
  hd_integer_op integer = hd_integer_op_of(op);
  if (integer.kind == HD_INTEGER_CAST) return of_cast(op, operands);
  if (integer.kind && integer.kind <= HD_INTEGER_MAX) return of_binary(op, integer, operands);
  switch (hd_opcode_get(op)) {
#define AXIS(opcode, info) \
  case HD_OP_##opcode:     \
    return info;
#include "analysis/axis_info/of_op.def"
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
  if (!hd_op_is(op, HD_OP_arith_constant) || !of_constant(op, &info)) info = of_other(op, operands);
  return hd_axis_with_hints(&info, hd_discardable_tt_contiguity(op), hd_discardable_tt_divisibility(op),
                            hd_discardable_tt_constancy(op));
}
