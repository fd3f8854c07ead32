/* SPDX-License-Identifier: Apache-2.0 */
/* pair-reductions: argmax and argmin of rows become two reductions of one operand each, which row kernels vectorise.
 *
 *   %v, %k = reduce(%x init: %x0), (%i init: %i0)      m = reduce maximum(%x init: %x0)
 *     picks the greater of two values, of equal   ->   k = reduce minimum(%x == m ? %i : last, init: last)
 *     ones the lesser index                            k = min(k, %x0 == m ? %i0 : last)
 *
 * and likewise for the least value and for the greater index (maximum, first). However a body is spelled, it only
 * compares, so what it picks follows from how the two values and the two indices are ordered: it is computed for each
 * of these cases. "The one that came first" is the lesser index where the indices count along the reduced dim. Where
 * values are floats a NaN must be picked before numbers, and of two NaNs the index that is picked of equal values.
 *
 * Columns stay: loop kernels have a lane for each and read them once. */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "pass/pass.h"
#include "passes/graph/expand/expand_hlo.h"
#include "passes/passes.h"

/* What a value of the body is. */
typedef enum picked { UNKNOWN, NO, YES, VALUE_A, VALUE_B, INDEX_A, INDEX_B } picked;

typedef enum relation { LESS, EQUAL, GREATER, UNORDERED } relation;

/* How a and b are to each other. */
typedef struct pair_case {
  relation values; /* UNORDERED: as the next two say */
  bool a_is_nan, b_is_nan;
  relation indices;
} pair_case;

typedef struct body {
  hd_arena *arena;
  hd_block *block;
  pair_case is;
  hd_map picked;
} body;

typedef struct kind {
  bool least, last; /* the least value; of equal ones the greater index */
} kind;

static relation swapped(relation r) { return r == LESS ? GREATER : r == GREATER ? LESS : r; }

static relation related(const body *s, picked x, picked y) {
  if (x == y) {
    bool nan = (x == VALUE_A && s->is.a_is_nan) || (x == VALUE_B && s->is.b_is_nan);
    return nan ? UNORDERED : EQUAL;
  }
  relation is = x <= VALUE_B ? s->is.values : s->is.indices;
  return x < y ? is : swapped(is);
}

static bool holds(hd_enum_stablehlo_comparison_direction direction, relation is) {
  switch (direction) {
    case HD_STABLEHLO_COMPARE_EQ:
      return is == EQUAL;
    case HD_STABLEHLO_COMPARE_NE:
      return is != EQUAL;
    case HD_STABLEHLO_COMPARE_GE:
      return is == GREATER || is == EQUAL;
    case HD_STABLEHLO_COMPARE_GT:
      return is == GREATER;
    case HD_STABLEHLO_COMPARE_LE:
      return is == LESS || is == EQUAL;
    case HD_STABLEHLO_COMPARE_LT:
      return is == LESS;
  }
  return false;
}

static bool are_alike(picked x, picked y) {
  return (x >= VALUE_A && x <= VALUE_B && y >= VALUE_A && y <= VALUE_B) || (x >= INDEX_A && y >= INDEX_A);
}

static picked of(const body *s, const hd_op *op, uint32_t operand) {
  return (picked)(uintptr_t)hd_map_get(&s->picked, hd_operand(op, operand));
}

static picked compared(const body *s, const hd_op *op) {
  picked x = of(s, op, 0), y = of(s, op, 1);
  bool total = hd_stablehlo_compare_compare_type_attr(op) &&
               hd_stablehlo_compare_compare_type(op) == HD_STABLEHLO_COMPARISON_TYPE_TOTALORDER;
  if (total || !are_alike(x, y)) return UNKNOWN;
  return holds(hd_stablehlo_compare_comparison_direction(op), related(s, x, y)) ? YES : NO;
}

/* The greater or the lesser of two; a NaN before numbers. */
static picked extreme(const body *s, const hd_op *op, relation wanted) {
  picked x = of(s, op, 0), y = of(s, op, 1);
  if (!are_alike(x, y)) return UNKNOWN;
  relation is = related(s, x, y);
  if (is != UNORDERED) return is == wanted ? x : y;
  return (x == VALUE_A && s->is.a_is_nan) || (x == VALUE_B && s->is.b_is_nan) ? x : y;
}

/* |x| and |y|, or, where |or_| is set, |x| or |y|: one of them may decide alone. */
static picked both(picked x, picked y, bool or_) {
  picked decides = or_ ? YES : NO;
  if (x == decides || y == decides) return decides;
  return (x == YES || x == NO) && (y == YES || y == NO) ? (or_ ? NO : YES) : UNKNOWN;
}

static picked constant(hd_value *value) {
  int64_t is;
  if (!hd_type_is_integer(hd_type_element(value->type), 1) || !hd_value_constant_int(value, &is)) return UNKNOWN;
  return is ? YES : NO;
}

static picked compute(const body *s, const hd_op *op) {
  picked x;
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_compare:
      return compared(s, op);
    case HD_OP_stablehlo_select:
      x = of(s, op, 0);
      return x == YES ? of(s, op, 1) : x == NO ? of(s, op, 2) : UNKNOWN;
    case HD_OP_stablehlo_and:
    case HD_OP_stablehlo_or:
      return both(of(s, op, 0), of(s, op, 1), hd_op_is(op, HD_OP_stablehlo_or));
    case HD_OP_stablehlo_not:
      x = of(s, op, 0);
      return x == YES ? NO : x == NO ? YES : UNKNOWN;
    case HD_OP_stablehlo_maximum:
      return extreme(s, op, GREATER);
    case HD_OP_stablehlo_minimum:
      return extreme(s, op, LESS);
    default:
      return UNKNOWN;
  }
}

/* What the body picks in the case |is|: |out| of the value and of the index. */
static void run(body *s, pair_case is, picked *out) {
  static const picked arguments[] = {VALUE_A, INDEX_A, VALUE_B, INDEX_B};
  s->is = is;
  s->picked = (hd_map){0};
  for (uint32_t i = 0; i < 4; ++i) hd_map_set(s->arena, &s->picked, s->block->args[i], (void *)(uintptr_t)arguments[i]);
  hd_for_each_op(op, s->block) {
    if (op->result_count != 1) continue;
    picked p = hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) ? constant(hd_result(op, 0)) : compute(s, op);
    hd_map_set(s->arena, &s->picked, hd_result(op, 0), (void *)(uintptr_t)p);
  }
  for (uint32_t i = 0; i < 2; ++i) out[i] = of(s, s->block->last, i);
}

/* Does the body pick the pair of a (or of b)? */
static bool picks(body *s, pair_case is, bool a) {
  picked got[2];
  run(s, is, got);
  return got[0] == (a ? VALUE_A : VALUE_B) && got[1] == (a ? INDEX_A : INDEX_B);
}

/* Which index is picked of equal values, a's being |indices| than b's; whether b's. */
static bool picks_of_equal(body *s, pair_case is, relation indices, bool *out_b) {
  picked got[2];
  is.indices = indices;
  run(s, is, got);
  *out_b = got[1] == INDEX_B;
  return (got[0] == VALUE_A || got[0] == VALUE_B) && (got[1] == INDEX_A || got[1] == INDEX_B);
}

/* |ordered|: a's index is never greater than b's. */
static bool read_body(body *s, bool ordered, bool floats, kind *out) {
  static const relation indices[] = {LESS, EQUAL, GREATER};
  pair_case equal = {.values = EQUAL}, nans = {.values = UNORDERED, .a_is_nan = true, .b_is_nan = true};
  bool b, reverse_b;
  if (!picks_of_equal(s, equal, LESS, &out->last)) return false;
  if (!ordered && (!picks_of_equal(s, equal, GREATER, &reverse_b) || reverse_b == out->last)) return false;
  out->least = picks(s, (pair_case){.values = LESS, .indices = LESS}, true);
  for (uint32_t i = 0; i < (ordered ? 1 : 3); ++i) {
    if (!picks(s, (pair_case){.values = LESS, .indices = indices[i]}, out->least) ||
        !picks(s, (pair_case){.values = GREATER, .indices = indices[i]}, !out->least))
      return false;
  }
  if (!floats) return true;
  return ordered && picks(s, (pair_case){.values = UNORDERED, .a_is_nan = true}, true) &&
         picks(s, (pair_case){.values = UNORDERED, .b_is_nan = true}, false) && picks_of_equal(s, nans, LESS, &b) &&
         b == out->last;
}

/* Do the indices of |op| count from zero along its one reduced dim, and start from zero? */
static bool counts_along(const hd_op *op) {
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  hd_op *from = hd_value_op(hd_operand(op, 1));
  int64_t start;
  bool counts = hd_is_iota_like(from);
  return counts && hd_attr_count(dims) == 1 && hd_iota_like_iota_dimension(from) == hd_attr_int_at(dims, 0) &&
         hd_value_constant_int(hd_operand(op, 3), &start) && !start;
}

static bool is_pair_of_rows(const hd_op *op) {
  if (!hd_op_is(op, HD_OP_stablehlo_reduce) || op->operand_count != 4 || !hd_holds_program(hd_op_parent(op)))
    return false;
  hd_type value = hd_type_element(hd_operand_type(op, 0)), index = hd_type_element(hd_operand_type(op, 1));
  for (uint32_t i = 0; i < 4; ++i)
    if (!hd_type_has_rank(hd_operand_type(op, i)) || hd_type_element(hd_operand_type(op, i)) != (i % 2 ? index : value))
      return false;
  bool values = value->kind == HD_TYPE_FLOAT || value->kind == HD_TYPE_INTEGER;
  return values && index->kind == HD_TYPE_INTEGER && index->integer.width >= 8 &&
         hd_attr_find_int(hd_stablehlo_reduce_dimensions(op), hd_type_rank(hd_operand_type(op, 0)) - 1) >= 0;
}

/* The index that is never picked: the greatest there is, or the least. */
static int64_t neutral(hd_type index, bool least) {
  bool no_sign = index->integer.signedness == HD_UNSIGNED;
  uint32_t width = index->integer.width;
  if (no_sign) return least ? 0 : -1;
  int64_t greatest = width >= 64 ? INT64_MAX : (1ll << (width - 1)) - 1;
  return least ? -greatest - 1 : greatest;
}

/* |index| where |x| is |picked_value|, which is in the same dims, else |none|. */
static hd_value *where(hd_builder *b, hd_value *x, hd_value *picked_value, hd_value *index, hd_value *none) {
  hd_value *same = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, x, picked_value);
  if (hd_type_element(x->type)->kind == HD_TYPE_FLOAT) /* there is a NaN only where one has been picked */
    same = hd_stablehlo_or(b, same, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_NE, x, x));
  return hd_stablehlo_select(b, same, index, none);
}

static void replace(hd_op *op, kind is) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value *x = hd_operand(op, 0), *index = hd_operand(op, 1), *x0 = hd_operand(op, 2), *index0 = hd_operand(op, 3);
  int64_t axes[HD_MAX_RANK], kept[HD_MAX_RANK];
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  size_t count = hd_attr_count(dims);
  uint32_t left = 0;
  for (size_t i = 0; i < count; ++i) axes[i] = hd_attr_int_at(dims, i);
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d)
    if (hd_attr_find_int(dims, d) < 0) kept[left++] = d;
  hd_opcode of_values = is.least ? HD_OP_stablehlo_minimum : HD_OP_stablehlo_maximum,
            of_indices = is.last ? HD_OP_stablehlo_maximum : HD_OP_stablehlo_minimum;
  int64_t none = neutral(hd_type_element(index->type), is.last);
  hd_value *m = hd_hlo_reduce(&b, of_values, x, x0, axes, count);
  hd_value *wide = hd_hlo_broadcast_like(&b, m, x, kept);
  hd_value *wanted = where(&b, x, wide, index, hd_hlo_broadcast_like(&b, hd_hlo_int_like(&b, index0, none), x, NULL));
  hd_value *k = hd_hlo_reduce(&b, of_indices, wanted, hd_hlo_int_like(&b, index0, none), axes, count);
  hd_value *start = where(&b, hd_hlo_broadcast_like(&b, x0, m, NULL), m, hd_hlo_broadcast_like(&b, index0, k, NULL),
                          hd_hlo_int_like(&b, k, none));
  k = hd_build_binary(&b, of_indices, k, start);
  hd_value *results[] = {hd_hlo_retype(&b, m, hd_result_type(op, 0)), hd_hlo_retype(&b, k, hd_result_type(op, 1))};
  hd_op_replace(op, results);
}

bool hd_pass_pair_reductions(hd_pass *pass, hd_op *func) {
  hd_op_list ops = hd_ops_where(func, is_pair_of_rows, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    body s = {.arena = &pass->arena, .block = hd_op_region(op, 0)->first};
    bool floats = hd_type_element(hd_operand_type(op, 0))->kind == HD_TYPE_FLOAT;
    kind is;
    if (!read_body(&s, counts_along(op), floats, &is)) continue;
    replace(op, is);
    pass->changed = true;
  }
  return true;
}
