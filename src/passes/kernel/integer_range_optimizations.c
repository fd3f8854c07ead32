/* SPDX-License-Identifier: Apache-2.0 */
/* integer-range-optimizations: what ranges of integers prove (analysis/integer_ranges.h).
 *
 *   %t = gpu.thread_id x                          (known_block_size = 128)
 *   %1 = arith.cmpi slt, %t, %c128          ->    %1 = arith.constant true
 *   %2 = arith.divsi %t, %c4                ->    %2 = arith.divui %t, %c4
 *   %3 = arith.remui %t, %c128              ->    %t
 *   %4 = arith.divsi %n, %n                 ->    %4 = arith.constant 1, where %n is not 0
 *
 * Comparisons that always hold or never do, and numbers that have one value, become constants; signed divisions and
 * extensions of numbers of 0 or more become unsigned ones (what divides by 0 has no meaning, signed or not); a
 * remainder that changes nothing is its operand. Branches on what became constant are canonicalize's. Scalars alone:
 * vectors stay.
 *
 * With |narrow|, arithmetic of 64 bits whose operands and result are numbers of 0 or more that 31 bits hold is done in
 * 32, where a device multiplies and divides several times faster:
 *
 *   %q = arith.divui %t, %c7 : index        ->    %1 = arith.index_cast %t : index to i32
 *                                                 %2 = arith.divui %1, %c7_i32 : i32
 *                                                 %q = arith.index_castui %2 : i32 to index
 *
 * Sums follow only where an operand is narrow already, so that no conversion is added for them alone. Then sums and
 * products that do not wrap say so (overflow<nsw, nuw>). */
#include "analysis/integer_ranges.h"
#include "ir/integer_op.h"
#include "ir/ops/arith.h"
#include "passes/passes.h"

typedef struct optimizer {
  hd_pass *pass;
  hd_integer_ranges ranges;
} optimizer;

static void replace(optimizer *o, hd_op *op, hd_value *with) {
  hd_integer_range_forget(&o->ranges, hd_result(op, 0));
  hd_op_replace(op, &with);
  o->pass->changed = true;
}

/* The one value of |op|'s result, if ranges tell it. */
static bool has_one_value(optimizer *o, hd_op *op, int64_t *out) {
  bool holds;
  if (hd_op_is(op, HD_OP_arith_cmpi)) {
    if (!hd_integer_range_decides(&o->ranges, op, &holds)) return false;
    *out = holds;
    return true;
  }
  hd_integer_range r = hd_integer_range_of(&o->ranges, hd_result(op, 0));
  *out = r.lower;
  return r.lower == r.upper;
}

/* A number that is not 0 by itself. */
static bool divides_itself(optimizer *o, hd_op *op, int64_t *out) {
  hd_integer_kind kind = hd_integer_op_of(op).kind;
  if (!hd_integer_divides(kind) || hd_operand(op, 0) != hd_operand(op, 1) ||
      hd_type_is_integer(hd_result_type(op, 0), 1))
    return false;
  hd_integer_range r = hd_integer_range_at(&o->ranges, hd_operand(op, 0), op);
  *out = kind != HD_INTEGER_REM;
  return r.lower > 0 || r.upper < 0;
}

static bool optimize(hd_op *op, void *user) {
  optimizer *o = user;
  if (op->result_count != 1 || !hd_has_integer_range(hd_result_type(op, 0)) || op->region_count ||
      hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) || !hd_op_has_trait(op, HD_TRAIT(PURE)))
    return true;
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  int64_t value;
  if (has_one_value(o, op, &value) || divides_itself(o, op, &value)) {
    replace(o, op, hd_build_int(&b, hd_result_type(op, 0), value));
    return true;
  }
  hd_integer_op integer = hd_integer_op_of(op);
  bool may_change = integer.kind == HD_INTEGER_REM || (integer.kind && integer.natural != hd_opcode_get(op));
  if (!may_change || hd_type_is_integer(hd_operand_type(op, 0), 1) || !hd_has_integer_range(hd_operand_type(op, 0)))
    return true;
  hd_value *operands[] = {hd_operand(op, 0), op->operand_count > 1 ? hd_operand(op, 1) : hd_operand(op, 0)};
  hd_integer_range x = hd_integer_range_at(&o->ranges, operands[0], op),
                   y = hd_integer_range_at(&o->ranges, operands[1], op);
  if (integer.kind == HD_INTEGER_REM && x.lower >= 0 && x.upper < y.lower)
    replace(o, op, operands[0]);
  else if (integer.natural != hd_opcode_get(op) && x.lower >= 0 && y.lower >= 0)
    replace(o, op, hd_build_one_(&b, integer.natural, hd_result_type(op, 0), operands, op->operand_count, NULL, 0));
  return true;
}

/* ---- 32 bits ---- */

static bool is_small(optimizer *o, hd_value *value, const hd_op *user) {
  if (value->type->kind != HD_TYPE_INDEX && !hd_type_is_integer(value->type, 64)) return false;
  hd_integer_range r = user ? hd_integer_range_at(&o->ranges, value, user) : hd_integer_range_of(&o->ranges, value);
  return r.lower >= 0 && r.upper <= INT32_MAX;
}

/* What |value| is the widening of, an i32 of 0 or more. */
static hd_value *narrow_of(hd_value *value) {
  hd_op *op = hd_value_op(value);
  bool widens = hd_op_is(op, HD_OP_arith_index_castui) || hd_op_is(op, HD_OP_arith_extui);
  return widens && hd_type_is_integer(hd_operand_type(op, 0), 32) ? hd_operand(op, 0) : NULL;
}

static hd_value *narrowed(optimizer *o, hd_builder *b, hd_value *value) {
  hd_type i32 = hd_type_integer(o->pass->context, 32, HD_SIGNLESS);
  int64_t number;
  hd_value *is = narrow_of(value);
  if (is) return is;
  if (hd_value_constant_int(value, &number)) return hd_build_int(b, i32, number);
  return hd_build(b, value->type->kind == HD_TYPE_INDEX ? HD_OP_arith_index_cast : HD_OP_arith_trunci, i32, value);
}

typedef enum gain { NONE, WITH_OTHERS, ALONE } gain;

static gain gain_of(const hd_op *op) {
  hd_integer_kind kind = hd_integer_op_of(op).kind;
  if (kind == HD_INTEGER_MUL || hd_integer_divides(kind)) return ALONE;
  return (kind && kind != HD_INTEGER_CAST) || hd_op_is(op, HD_OP_arith_cmpi) ? WITH_OTHERS : NONE;
}

static bool narrow(hd_op *op, void *user) {
  optimizer *o = user;
  gain g = op->operand_count == 2 ? gain_of(op) : NONE;
  if (g == NONE) return true;
  bool compares = hd_op_is(op, HD_OP_arith_cmpi);
  hd_value *operands[2] = {hd_operand(op, 0), hd_operand(op, 1)}, *result = hd_result(op, 0);
  if (!is_small(o, operands[0], op) || !is_small(o, operands[1], op) || !(compares || is_small(o, result, NULL)))
    return true;
  if (hd_integer_shifts(hd_integer_op_of(op).kind) && hd_integer_range_at(&o->ranges, operands[1], op).upper >= 32)
    return true;
  if (g == WITH_OTHERS && !narrow_of(operands[0]) && !narrow_of(operands[1])) return true;
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  for (int i = 0; i < 2; ++i) operands[i] = narrowed(o, &b, operands[i]);
  if (compares) {
    replace(o, op, hd_arith_cmpi(&b, hd_arith_cmpi_predicate(op), operands[0], operands[1]));
    return true;
  }
  hd_value *small = hd_build(&b, hd_opcode_get(op), operands[0]->type, operands[0], operands[1]);
  hd_opcode widen = result->type->kind == HD_TYPE_INDEX ? HD_OP_arith_index_castui : HD_OP_arith_extui;
  replace(o, op, hd_build(&b, widen, result->type, small));
  return true;
}

/* ---- what does not wrap ---- */

/* Sums and products whose operands are 0 or more, and whose result 32 bits hold, say so, for addresses that are made of
 * them. */
static bool say_exact(hd_op *op, void *user) {
  optimizer *o = user;
  bool sum = hd_op_is(op, HD_OP_arith_addi);
  if (!sum && !hd_op_is(op, HD_OP_arith_muli)) return true;
  hd_type type = hd_result_type(op, 0);
  if (type->kind != HD_TYPE_INDEX && !hd_type_is_integer(type, 32) && !hd_type_is_integer(type, 64)) return true;
  hd_integer_range x = hd_integer_range_at(&o->ranges, hd_operand(op, 0), op),
                   y = hd_integer_range_at(&o->ranges, hd_operand(op, 1), op);
  int64_t most;
  bool wraps =
      x.lower < 0 || y.lower < 0 ||
      (sum ? __builtin_add_overflow(x.upper, y.upper, &most) : __builtin_mul_overflow(x.upper, y.upper, &most));
  if (wraps || most > UINT32_MAX) return true;
  int64_t flags = most <= INT32_MAX ? HD_ARITH_OVERFLOW_NSW | HD_ARITH_OVERFLOW_NUW : HD_ARITH_OVERFLOW_NUW;
  int64_t said = sum ? hd_arith_addi_overflowFlags(op) : hd_arith_muli_overflowFlags(op);
  if (said == flags) return true;
  hd_op_attr_set(op, HD_NAME_overflowFlags, hd_attr_enum(o->pass->context, HD_ENUM_arith_overflow, flags));
  return o->pass->changed = true;
}

/* Conversions that nobody needs any more. */
static bool sweep(hd_op *op, void *user) {
  hd_pass *pass = user;
  bool converts = hd_op_is(op, HD_OP_arith_index_castui) || hd_op_is(op, HD_OP_arith_extui) ||
                  hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE));
  if (!converts || hd_result(op, 0)->first_use) return true;
  hd_op_erase(op);
  return pass->changed = true;
}

bool hd_pass_integer_range_optimizations(hd_pass *pass, hd_op *op) {
  optimizer o = {.pass = pass, .ranges = {.arena = &pass->arena}};
  hd_walk_post(op, optimize, &o);
  if (!hd_option_bool(pass, "narrow")) return true;
  hd_walk_post(op, narrow, &o);
  hd_walk_post(op, sweep, pass);
  hd_walk_post(op, say_exact, &o);
  return true;
}
