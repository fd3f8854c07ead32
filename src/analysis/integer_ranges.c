/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/integer_ranges.h"

#include "ir/ops/arith.h"
#include "ir/ops/gpu.h"

enum { MAX_DEPTH = 256 }; /* of arithmetic that is looked through */

typedef hd_integer_range range;
typedef __int128 wide;

static uint32_t width_of(hd_type type) { return type->kind == HD_TYPE_INDEX ? 64 : type->integer.width; }

bool hd_has_integer_range(hd_type type) {
  return type->kind == HD_TYPE_INDEX || (type->kind == HD_TYPE_INTEGER && type->integer.width <= 64);
}

static range all_of(uint32_t width) {
  if (width == 1) return (range){0, 1};
  return (range){INT64_MIN >> (64 - width), INT64_MAX >> (64 - width)};
}

/* [lower, upper] if a number of |width| bits holds them, else all. */
static range fitting(wide lower, wide upper, uint32_t width) {
  range all = all_of(width);
  return lower >= all.lower && upper <= all.upper ? (range){(int64_t)lower, (int64_t)upper} : all;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static bool is_natural(range a) { return a.lower >= 0; }

/* ---- arithmetic: of operands' ranges, for results of |width| bits ---- */

static range add(range a, range b, uint32_t width) {
  return fitting((wide)a.lower + b.lower, (wide)a.upper + b.upper, width);
}
static range subtract(range a, range b, uint32_t width) {
  return fitting((wide)a.lower - b.upper, (wide)a.upper - b.lower, width);
}

/* The least and greatest of |f| at the corners. */
static range at_corners(range a, range b, uint32_t width, wide (*f)(wide, wide)) {
  wide corners[] = {f(a.lower, b.lower), f(a.lower, b.upper), f(a.upper, b.lower), f(a.upper, b.upper)};
  wide least = corners[0], most = corners[0];
  for (int i = 1; i < 4; ++i) {
    least = corners[i] < least ? corners[i] : least;
    most = corners[i] > most ? corners[i] : most;
  }
  return fitting(least, most, width);
}

static wide times(wide a, wide b) { return a * b; }
static wide quotient(wide a, wide b) { return a / b; }
static wide floor_quotient(wide a, wide b) { return a / b - (a % b < 0); }
static wide ceil_quotient(wide a, wide b) { return a / b + (a % b > 0); }

static range multiply(range a, range b, uint32_t width) { return at_corners(a, b, width, times); }
static range divide(range a, range b, uint32_t width) {
  return b.lower >= 1 ? at_corners(a, b, width, quotient) : all_of(width);
}
static range divide_floor(range a, range b, uint32_t width) {
  return b.lower >= 1 ? at_corners(a, b, width, floor_quotient) : all_of(width);
}
static range divide_ceil(range a, range b, uint32_t width) {
  return b.lower >= 1 ? at_corners(a, b, width, ceil_quotient) : all_of(width);
}
static range divide_unsigned(range a, range b, uint32_t width) {
  return is_natural(a) ? divide(a, b, width) : all_of(width);
}
static range divide_ceil_unsigned(range a, range b, uint32_t width) {
  return is_natural(a) ? divide_ceil(a, b, width) : all_of(width);
}
static range rest(range a, range b, uint32_t width) {
  if (b.lower < 1) return all_of(width);
  if (is_natural(a) && a.upper < b.lower) return a;
  return (range){a.lower < 0 ? larger(a.lower, 1 - b.upper) : 0, a.upper > 0 ? smaller(a.upper, b.upper - 1) : 0};
}
static range rest_unsigned(range a, range b, uint32_t width) {
  if (b.lower < 1) return all_of(width);
  return is_natural(a) ? rest(a, b, width) : (range){0, b.upper - 1};
}
static range minimum(range a, range b, uint32_t width) {
  (void)width;
  return (range){smaller(a.lower, b.lower), smaller(a.upper, b.upper)};
}
static range maximum(range a, range b, uint32_t width) {
  (void)width;
  return (range){larger(a.lower, b.lower), larger(a.upper, b.upper)};
}
static range minimum_unsigned(range a, range b, uint32_t width) {
  if (is_natural(a) && is_natural(b)) return minimum(a, b, width);
  if (!is_natural(a) && !is_natural(b)) return all_of(width);
  return (range){0, is_natural(a) ? a.upper : b.upper};
}
static range maximum_unsigned(range a, range b, uint32_t width) {
  return is_natural(a) && is_natural(b) ? maximum(a, b, width) : all_of(width);
}
static range bits_of_both(range a, range b, uint32_t width) {
  if (!is_natural(a) && !is_natural(b)) return all_of(width);
  int64_t x = is_natural(a) ? a.upper : INT64_MAX, y = is_natural(b) ? b.upper : INT64_MAX;
  return (range){0, smaller(x, y)};
}
static bool is_shift(range b, uint32_t width) { return b.lower == b.upper && b.lower >= 0 && b.lower < (int64_t)width; }
static range shift_left(range a, range b, uint32_t width) {
  range factor = {1, 1};
  if (!is_shift(b, width) || b.lower > 62) return all_of(width);
  factor.lower = factor.upper = (int64_t)1 << b.lower;
  return multiply(a, factor, width);
}
static range shift_right(range a, range b, uint32_t width) {
  return is_shift(b, width) ? (range){a.lower >> b.lower, a.upper >> b.lower} : all_of(width);
}
static range shift_right_unsigned(range a, range b, uint32_t width) {
  return is_natural(a) ? shift_right(a, b, width) : all_of(width);
}
/* Conversions: |a| as a result of |width| bits. */
static range convert(range a, range b, uint32_t width) {
  (void)b;
  return fitting(a.lower, a.upper, width);
}
static range convert_unsigned(range a, range b, uint32_t width) {
  return is_natural(a) ? convert(a, b, width) : all_of(width);
}

typedef range (*transfer)(range a, range b, uint32_t width);

static const transfer transfers[HD_OPCODE_COUNT] = {
    [HD_OP_arith_addi] = add,
    [HD_OP_arith_subi] = subtract,
    [HD_OP_arith_muli] = multiply,
    [HD_OP_arith_divsi] = divide,
    [HD_OP_arith_divui] = divide_unsigned,
    [HD_OP_arith_floordivsi] = divide_floor,
    [HD_OP_arith_ceildivsi] = divide_ceil,
    [HD_OP_arith_ceildivui] = divide_ceil_unsigned,
    [HD_OP_arith_remsi] = rest,
    [HD_OP_arith_remui] = rest_unsigned,
    [HD_OP_arith_minsi] = minimum,
    [HD_OP_arith_maxsi] = maximum,
    [HD_OP_arith_minui] = minimum_unsigned,
    [HD_OP_arith_maxui] = maximum_unsigned,
    [HD_OP_arith_andi] = bits_of_both,
    [HD_OP_arith_shli] = shift_left,
    [HD_OP_arith_shrsi] = shift_right,
    [HD_OP_arith_shrui] = shift_right_unsigned,
    [HD_OP_arith_index_cast] = convert,
    [HD_OP_arith_extsi] = convert,
    [HD_OP_arith_trunci] = convert,
    [HD_OP_arith_index_castui] = convert_unsigned,
    [HD_OP_arith_extui] = convert_unsigned,
};

/* ---- where numbers come from ---- */

/* A counter from |lower| to below |upper|, in steps of at least 1; it has no value where there are no steps. */
static range counter(hd_integer_ranges *r, hd_value *lower, hd_value *upper, hd_value *step, uint32_t width) {
  range from = hd_integer_range_of(r, lower), to = hd_integer_range_of(r, upper), by = hd_integer_range_of(r, step);
  if (by.lower < 1 || to.upper == INT64_MIN) return all_of(width);
  int64_t last = to.upper - 1, span;
  bool exact = from.lower == from.upper && by.lower == by.upper && last >= from.lower;
  if (exact && !__builtin_sub_overflow(last, from.lower, &span)) last -= span % by.lower;
  return (range){from.lower, larger(last, from.lower)};
}

static range of_argument(hd_integer_ranges *r, hd_value *value, uint32_t width) {
  hd_op *op = hd_block_parent_op(value->owner.block);
  uint32_t i = value->index, n = value->owner.block->arg_count;
  if (hd_op_is(op, HD_OP_scf_for) && !i)
    return counter(r, hd_operand(op, 0), hd_operand(op, 1), hd_operand(op, 2), width);
  if (hd_op_is(op, HD_OP_scf_parallel) && i < n)
    return counter(r, hd_operand(op, i), hd_operand(op, n + i), hd_operand(op, 2 * n + i), width);
  return all_of(width);
}

/* A launch id or the size of a launch: below |known|'s entry of the kernel, else below what launches may have. */
static range of_launch(hd_op *op, hd_name known, int64_t limit, bool is_size) {
  hd_op *kernel = op;
  while (kernel && !hd_op_is(kernel, HD_OP_gpu_func)) kernel = hd_op_parent(kernel);
  int64_t dim = hd_op_int_attr(op, HD_NAME_dimension, 0), bound = hd_op_int_attr(op, HD_NAME_upper_bound, -1);
  int64_t size = kernel ? hd_attr_int_at_or(hd_op_attr_get(kernel, known), (size_t)dim, -1) : -1;
  if (is_size) return size > 0 ? (range){size, size} : (range){1, limit};
  if (size > 0) limit = smaller(limit, size);
  if (bound > 0) limit = smaller(limit, bound);
  return (range){0, limit - 1};
}

static range of_op(hd_integer_ranges *r, hd_value *value, uint32_t width) {
  hd_op *op = hd_value_op(value);
  int64_t number;
  if (hd_value_constant_int(value, &number)) return (range){number, number};
  switch (hd_opcode_get(op)) {
    case HD_OP_gpu_thread_id:
      return of_launch(op, HD_NAME_known_block_size, INT32_MAX, false);
    case HD_OP_gpu_block_dim:
      return of_launch(op, HD_NAME_known_block_size, INT32_MAX, true);
    case HD_OP_gpu_block_id:
      return of_launch(op, HD_NAME_known_grid_size, INT32_MAX, false);
    case HD_OP_gpu_grid_dim:
      return of_launch(op, HD_NAME_known_grid_size, INT32_MAX, true);
    case HD_OP_memref_dim:
    case HD_OP_tensor_dim:
      return (range){0, INT64_MAX};
    case HD_OP_arith_select: {
      range a = hd_integer_range_of(r, hd_operand(op, 1)), b = hd_integer_range_of(r, hd_operand(op, 2));
      return (range){smaller(a.lower, b.lower), larger(a.upper, b.upper)};
    }
    default:
      break;
  }
  transfer f = transfers[hd_opcode_get(op)];
  if (!f || !hd_has_integer_range(hd_operand_type(op, 0)) || width == 1 || width_of(hd_operand_type(op, 0)) == 1)
    return all_of(width);
  range a = hd_integer_range_of(r, hd_operand(op, 0));
  return f(a, op->operand_count > 1 ? hd_integer_range_of(r, hd_operand(op, 1)) : a, width);
}

hd_integer_range hd_integer_range_of(hd_integer_ranges *r, hd_value *value) {
  hd_integer_range *known = hd_map_get(&r->known, value);
  if (known) return *known;
  uint32_t width = width_of(value->type);
  if (r->depth >= MAX_DEPTH) return all_of(width);
  ++r->depth;
  range found = value->is_block_arg ? of_argument(r, value, width) : of_op(r, value, width);
  --r->depth;
  known = hd_new(r->arena, hd_integer_range);
  *known = found;
  hd_map_set(r->arena, &r->known, value, known);
  return found;
}

void hd_integer_range_forget(hd_integer_ranges *r, hd_value *value) { hd_map_remove(&r->known, value); }

/* ---- comparisons ---- */

bool hd_integer_range_decides(hd_integer_ranges *r, hd_op *op, bool *out) {
  if (!hd_has_integer_range(hd_operand_type(op, 0)) || width_of(hd_operand_type(op, 0)) == 1) return false;
  range a = hd_integer_range_of(r, hd_operand(op, 0)), b = hd_integer_range_of(r, hd_operand(op, 1));
  bool below = a.upper<b.lower, at_most = a.upper <= b.lower, above = a.lower> b.upper, at_least = a.lower >= b.upper;
  bool natural = is_natural(a) && is_natural(b), same = a.lower == a.upper && b.lower == b.upper && a.lower == b.lower;
  bool yes, no, is_unsigned = false;
  switch (hd_arith_cmpi_predicate(op)) {
    case HD_ARITH_CMPI_EQ:
      yes = same, no = below || above;
      break;
    case HD_ARITH_CMPI_NE:
      yes = below || above, no = same;
      break;
    case HD_ARITH_CMPI_ULT:
      is_unsigned = true; /* fall through */
    case HD_ARITH_CMPI_SLT:
      yes = below, no = at_least;
      break;
    case HD_ARITH_CMPI_ULE:
      is_unsigned = true; /* fall through */
    case HD_ARITH_CMPI_SLE:
      yes = at_most, no = above;
      break;
    case HD_ARITH_CMPI_UGT:
      is_unsigned = true; /* fall through */
    case HD_ARITH_CMPI_SGT:
      yes = above, no = at_most;
      break;
    case HD_ARITH_CMPI_UGE:
      is_unsigned = true; /* fall through */
    case HD_ARITH_CMPI_SGE:
      yes = at_least, no = below;
      break;
    default:
      return false;
  }
  *out = yes;
  return (yes || no) && (natural || !is_unsigned);
}
