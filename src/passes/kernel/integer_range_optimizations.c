/* SPDX-License-Identifier: Apache-2.0 */
/* integer-range-optimizations: what ranges of integers prove (analysis/integer_ranges.h).
 *
 *   %t = gpu.thread_id x                          (known_block_size = 128)
 *   %1 = arith.cmpi slt, %t, %c128          ->    %1 = arith.constant true
 *   %2 = arith.divsi %t, %c4                ->    %2 = arith.divui %t, %c4
 *   %3 = arith.remui %t, %c128              ->    %t
 *
 * Comparisons that always hold or never do, and numbers that have one value, become constants; signed divisions and
 * extensions of numbers of 0 or more become unsigned ones; a remainder that changes nothing is its operand. Branches on
 * what became constant are canonicalize's. Scalars alone: vectors stay. */
#include "analysis/integer_ranges.h"
#include "passes/passes.h"

typedef struct optimizer {
  hd_pass *pass;
  hd_integer_ranges ranges;
} optimizer;

static const struct {
  hd_opcode from, to;
  bool divides;
} unsigned_forms[] = {{HD_OP_arith_divsi, HD_OP_arith_divui, true},
                      {HD_OP_arith_floordivsi, HD_OP_arith_divui, true},
                      {HD_OP_arith_ceildivsi, HD_OP_arith_ceildivui, true},
                      {HD_OP_arith_remsi, HD_OP_arith_remui, true},
                      {HD_OP_arith_extsi, HD_OP_arith_extui, false}};

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

static bool optimize(hd_op *op, void *user) {
  optimizer *o = user;
  if (op->result_count != 1 || !hd_has_integer_range(hd_result_type(op, 0)) || op->region_count ||
      hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) || !hd_op_has_trait(op, HD_TRAIT(PURE)))
    return true;
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  int64_t value;
  if (has_one_value(o, op, &value)) {
    replace(o, op, hd_build_int(&b, hd_result_type(op, 0), value));
    return true;
  }
  if (hd_op_is(op, HD_OP_arith_remui) || hd_op_is(op, HD_OP_arith_remsi)) {
    hd_integer_range x = hd_integer_range_of(&o->ranges, hd_operand(op, 0)),
                     by = hd_integer_range_of(&o->ranges, hd_operand(op, 1));
    if (x.lower >= 0 && x.upper < by.lower) {
      replace(o, op, hd_operand(op, 0));
      return true;
    }
  }
  for (size_t i = 0; i < sizeof unsigned_forms / sizeof *unsigned_forms; ++i) {
    if (!hd_op_is(op, unsigned_forms[i].from) || !hd_has_integer_range(hd_operand_type(op, 0)) ||
        hd_type_is_integer(hd_operand_type(op, 0), 1) || hd_integer_range_of(&o->ranges, hd_operand(op, 0)).lower < 0)
      continue;
    if (unsigned_forms[i].divides && hd_integer_range_of(&o->ranges, hd_operand(op, 1)).lower < 1) continue;
    hd_value *operands[] = {hd_operand(op, 0), op->operand_count > 1 ? hd_operand(op, 1) : NULL};
    replace(o, op,
            hd_build_one_(&b, unsigned_forms[i].to, hd_result_type(op, 0), operands, op->operand_count, NULL, 0));
    return true;
  }
  return true;
}

bool hd_pass_integer_range_optimizations(hd_pass *pass, hd_op *op) {
  optimizer o = {.pass = pass, .ranges = {.arena = &pass->arena}};
  hd_walk_post(op, optimize, &o);
  return true;
}
