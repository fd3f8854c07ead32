/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/integer_range_arithmetic.h"
#include "ir/grid_number.h"
#include "ir/ops/arith.h"
#include "ir/ops/gpu.h"
#include "ir/ops/interfaces.h"

enum {
  MAX_DEPTH = 256, /* of arithmetic that is looked through */
  MAX_LOOPS = 4,   /* of loops in loops whose carried values are followed */
  MAX_ROUNDS = 6,  /* until such values must have settled: as they come, then with some room, more, and all */
};

typedef hd_integer_range range;

static uint32_t width_of(hd_type type) { return type->kind == HD_TYPE_INDEX ? 64 : type->integer.width; }

bool hd_has_integer_range(hd_type type) {
  return type->kind == HD_TYPE_INDEX || (type->kind == HD_TYPE_INTEGER && type->integer.width <= 64);
}

static range all_of(uint32_t width) { return hd_integer_range_all(width); }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static bool is_natural(range a) { return a.lower >= 0; }
static range either(range a, range b) { return (range){smaller(a.lower, b.lower), larger(a.upper, b.upper)}; }
static bool is_in(range a, range b) { return a.lower >= b.lower && a.upper <= b.upper; }

/* ---- what conditions tell ---- */

/* The part of |x| for which x |predicate| y may hold, |y| lying in a range. No part: |x|, since nothing runs there. */
static range where(range x, hd_enum_arith_cmpi_predicate predicate, range y) {
  range r = x;
  switch (predicate) {
    case HD_ARITH_CMPI_EQ:
      r = (range){larger(x.lower, y.lower), smaller(x.upper, y.upper)};
      break;
    case HD_ARITH_CMPI_NE:
      if (y.lower == y.upper && x.lower == y.lower && x.lower < x.upper) ++r.lower;
      if (y.lower == y.upper && x.upper == y.lower && x.lower < x.upper) --r.upper;
      break;
    case HD_ARITH_CMPI_ULT:
      if (!is_natural(y)) return x;
      r.lower = larger(r.lower, 0); /* fall through */
    case HD_ARITH_CMPI_SLT:
      if (y.upper == INT64_MIN) return x;
      r.upper = smaller(x.upper, y.upper - 1);
      break;
    case HD_ARITH_CMPI_ULE:
      if (!is_natural(y)) return x;
      r.lower = larger(r.lower, 0); /* fall through */
    case HD_ARITH_CMPI_SLE:
      r.upper = smaller(x.upper, y.upper);
      break;
    case HD_ARITH_CMPI_UGT:
      if (!is_natural(x) || !is_natural(y)) return x; /* fall through */
    case HD_ARITH_CMPI_SGT:
      if (y.lower == INT64_MAX) return x;
      r.lower = larger(x.lower, y.lower + 1);
      break;
    case HD_ARITH_CMPI_UGE:
      if (!is_natural(x) || !is_natural(y)) return x; /* fall through */
    case HD_ARITH_CMPI_SGE:
      r.lower = larger(x.lower, y.lower);
      break;
  }
  return r.lower <= r.upper ? r : x;
}

/* What holds where a comparison does not, and with its sides exchanged. */
static const struct {
  hd_enum_arith_cmpi_predicate otherwise, exchanged;
} of_predicate[] = {
    [HD_ARITH_CMPI_EQ] = {HD_ARITH_CMPI_NE, HD_ARITH_CMPI_EQ},
    [HD_ARITH_CMPI_NE] = {HD_ARITH_CMPI_EQ, HD_ARITH_CMPI_NE},
    [HD_ARITH_CMPI_SLT] = {HD_ARITH_CMPI_SGE, HD_ARITH_CMPI_SGT},
    [HD_ARITH_CMPI_SLE] = {HD_ARITH_CMPI_SGT, HD_ARITH_CMPI_SGE},
    [HD_ARITH_CMPI_SGT] = {HD_ARITH_CMPI_SLE, HD_ARITH_CMPI_SLT},
    [HD_ARITH_CMPI_SGE] = {HD_ARITH_CMPI_SLT, HD_ARITH_CMPI_SLE},
    [HD_ARITH_CMPI_ULT] = {HD_ARITH_CMPI_UGE, HD_ARITH_CMPI_UGT},
    [HD_ARITH_CMPI_ULE] = {HD_ARITH_CMPI_UGT, HD_ARITH_CMPI_UGE},
    [HD_ARITH_CMPI_UGT] = {HD_ARITH_CMPI_ULE, HD_ARITH_CMPI_ULT},
    [HD_ARITH_CMPI_UGE] = {HD_ARITH_CMPI_ULT, HD_ARITH_CMPI_ULE},
};

/* |x|, the range of |value|, where |condition| is |holds|. */
static range given(hd_integer_ranges *r, range x, const hd_value *value, hd_value *condition, bool holds, int depth) {
  hd_op *op = hd_value_op(condition);
  if (!op || depth > 8) return x;
  if (hd_op_is(op, holds ? HD_OP_arith_andi : HD_OP_arith_ori)) {
    x = given(r, x, value, hd_operand(op, 0), holds, depth + 1);
    return given(r, x, value, hd_operand(op, 1), holds, depth + 1);
  }
  if (!hd_op_is(op, HD_OP_arith_cmpi)) return x;
  hd_enum_arith_cmpi_predicate predicate = hd_arith_cmpi_predicate(op);
  if (!holds) predicate = of_predicate[predicate].otherwise;
  if (hd_operand(op, 0) == value) x = where(x, predicate, hd_integer_range_of(r, hd_operand(op, 1)));
  if (hd_operand(op, 1) == value)
    x = where(x, of_predicate[predicate].exchanged, hd_integer_range_of(r, hd_operand(op, 0)));
  return x;
}

hd_integer_range hd_integer_range_at(hd_integer_ranges *r, hd_value *value, const hd_op *user) {
  range x = hd_integer_range_of(r, value);
  const hd_block *from = value->is_block_arg ? value->owner.block : hd_value_op(value)->block;
  if (width_of(value->type) == 1) return x;
  for (const hd_block *block = user->block; block && block != from;) {
    hd_op *parent = hd_block_parent_op(block);
    if (hd_op_is(parent, HD_OP_scf_if))
      x = given(r, x, value, hd_operand(parent, 0), block->region == hd_op_region(parent, 0), 0);
    block = parent ? parent->block : NULL;
  }
  return x;
}

/* ---- where numbers come from ---- */

/* A counter from |lower| to below |upper|, in steps of at least 1; it has no value where there are no steps. */
static range counter(hd_integer_ranges *r, hd_op *loop, uint32_t i, uint32_t n, uint32_t width) {
  range from = hd_integer_range_at(r, hd_operand(loop, i), loop),
        to = hd_integer_range_at(r, hd_operand(loop, n + i), loop),
        by = hd_integer_range_at(r, hd_operand(loop, 2 * n + i), loop);
  if (by.lower < 1 || to.upper == INT64_MIN) return all_of(width);
  int64_t last = to.upper - 1, span;
  bool exact = from.lower == from.upper && by.lower == by.upper && last >= from.lower;
  if (exact && !__builtin_sub_overflow(last, from.lower, &span)) last -= span % by.lower;
  return (range){from.lower, larger(last, from.lower)};
}

/* What a step of |loop| yields for its carried value |i|. */
static hd_value *yielded(hd_op *loop, uint32_t i) { return hd_operand(hd_op_region(loop, 0)->first->last, i); }

/* What a step of |loop| gives where the values that it carries are in |carried|, joined with |inits|. */
static void step_of(hd_integer_ranges *r, hd_op *loop, const range *inits, range *carried, range *out) {
  hd_block *body = hd_op_region(loop, 0)->first;
  hd_integer_ranges step = {.arena = r->arena, .around = r, .loops = r->loops + 1, .depth = r->depth};
  for (uint32_t i = 0; i + 1 < body->arg_count; ++i) hd_map_set(r->arena, &step.known, body->args[1 + i], &carried[i]);
  for (uint32_t i = 0; i + 1 < body->arg_count; ++i) {
    out[i] = inits[i];
    if (hd_has_integer_range(body->args[1 + i]->type))
      out[i] = either(inits[i], hd_integer_range_at(&step, yielded(loop, i), body->last));
  }
}

/* |to|, or where an end of it is outside of |from|, some room after that end: sums of such numbers do not wrap soon.
 */
static range widened(range from, range to, uint32_t width) {
  range all = all_of(width), r = to;
  const int64_t room[] = {INT32_MAX / 2, INT64_MAX / 2};
  for (int i = 2; i-- > 0 && to.upper > from.upper;)
    r.upper = to.upper <= room[i] && room[i] < all.upper ? room[i] : i == 1 ? all.upper : r.upper;
  for (int i = 2; i-- > 0 && to.lower < from.lower;)
    r.lower = to.lower >= 0                                  ? 0
              : to.lower >= -room[i] && -room[i] > all.lower ? -room[i]
              : i == 1                                       ? all.lower
                                                             : r.lower;
  return r;
}

static bool all_in(const range *a, const range *b, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (!is_in(a[i], b[i])) return false;
  return true;
}

/* Ranges of the |count| values that |loop| carries, which hold before and after every step: from those it starts with,
 * wider until a step gives nothing else, then as narrow as a step leaves them. False: they did not settle. */
static bool settle(hd_integer_ranges *r, hd_op *loop, const range *inits, range *carried, uint32_t count) {
  hd_block *body = hd_op_region(loop, 0)->first;
  range *next = hd_new_array(r->arena, range, count), *again = hd_new_array(r->arena, range, count);
  for (int round = 0; round < MAX_ROUNDS; ++round) {
    step_of(r, loop, inits, carried, next);
    if (all_in(next, carried, count)) {
      range *narrow = hd_new_array(r->arena, range, count);
      for (uint32_t i = 0; i < count; ++i) narrow[i] = next[i];
      step_of(r, loop, inits, narrow, again);
      if (all_in(again, narrow, count))
        for (uint32_t i = 0; i < count; ++i) carried[i] = narrow[i];
      return true;
    }
    range *wider = hd_new_array(r->arena, range, count); /* the last step keeps its own */
    for (uint32_t i = 0; i < count; ++i) {
      wider[i] = either(carried[i], next[i]);
      if (round && hd_has_integer_range(body->args[1 + i]->type))
        wider[i] = widened(carried[i], wider[i], width_of(body->args[1 + i]->type));
    }
    for (uint32_t i = 0; i < count; ++i) carried[i] = wider[i];
  }
  return false;
}

/* Value |i| that |loop|, an scf.for, carries, which is its result too. All that it carries is found at once, when the
 * first is asked for. */
static range carried_by(hd_integer_ranges *r, hd_op *loop, uint32_t i, uint32_t width) {
  hd_block *body = hd_op_region(loop, 0)->first;
  if (r->loops >= MAX_LOOPS) return all_of(width);
  const hd_integer_range *known = hd_map_get(&r->known, body->args[1 + i]);
  if (known) return *known;
  uint32_t count = body->arg_count - 1;
  range *inits = hd_new_array(r->arena, range, count), *carried = hd_new_array(r->arena, range, count);
  for (uint32_t k = 0; k < count; ++k) {
    if (hd_has_integer_range(body->args[1 + k]->type)) inits[k] = hd_integer_range_at(r, hd_operand(loop, 3 + k), loop);
    carried[k] = inits[k];
  }
  if (!settle(r, loop, inits, carried, count))
    for (uint32_t k = 0; k < count; ++k)
      if (hd_has_integer_range(body->args[1 + k]->type)) carried[k] = all_of(width_of(body->args[1 + k]->type));
  for (uint32_t k = 0; k < count; ++k) hd_map_set(r->arena, &r->known, body->args[1 + k], &carried[k]);
  return carried[i];
}

static range of_argument(hd_integer_ranges *r, hd_value *value, uint32_t width) {
  hd_op *op = hd_block_parent_op(value->owner.block);
  uint32_t i = value->index, n = value->owner.block->arg_count;
  if (hd_op_is(op, HD_OP_scf_for)) return i ? carried_by(r, op, i - 1, width) : counter(r, op, 0, 1, width);
  if (hd_op_is(op, HD_OP_scf_parallel) && i < n) return counter(r, op, i, n, width);
  return all_of(width);
}

/* A number of the grid: below or equal to what the kernel says of its sizes, else what launches may have. */
static range of_grid(hd_op *op, hd_grid_number number, uint32_t width) {
  bool of_block = number.what == HD_GRID_THREAD || number.what == HD_GRID_BLOCK_DIM;
  bool is_size = number.what == HD_GRID_BLOCK_DIM || number.what == HD_GRID_GRID_DIM;
  if (!of_block && !is_size && number.what != HD_GRID_BLOCK) return all_of(width);
  hd_op *kernel = op;
  while (kernel && !hd_op_is(kernel, HD_OP_gpu_func)) kernel = hd_op_parent(kernel);
  int64_t bound = hd_attr_int_or(hd_launch_index_upper_bound_attr(op), -1), limit = INT32_MAX;
  hd_attr known = !kernel    ? NULL
                  : of_block ? hd_gpu_func_known_block_size(kernel)
                             : hd_gpu_func_known_grid_size(kernel);
  int64_t size = hd_attr_int_at_or(known, number.dim, -1);
  if (is_size) return size > 0 ? (range){size, size} : (range){1, limit};
  if (size > 0) limit = smaller(limit, size);
  if (bound > 0) limit = smaller(limit, bound);
  return (range){0, limit - 1};
}

static range of_result(hd_integer_ranges *r, hd_value *value, uint32_t width) {
  hd_op *op = hd_value_op(value);
  int64_t number;
  if (hd_value_constant_int(value, &number)) return (range){number, number};
  if (hd_is_grid_index(op)) return of_grid(op, hd_grid_number_of(op), width);
  if (hd_op_is(op, HD_OP_memref_dim) || hd_op_is(op, HD_OP_tensor_dim)) return (range){0, INT64_MAX};
  if (hd_op_is(op, HD_OP_arith_select)) {
    hd_value *condition = hd_operand(op, 0), *yes = hd_operand(op, 1), *no = hd_operand(op, 2);
    if (!hd_type_is_integer(condition->type, 1) || width == 1)
      return either(hd_integer_range_at(r, yes, op), hd_integer_range_at(r, no, op));
    return either(given(r, hd_integer_range_at(r, yes, op), yes, condition, true, 0),
                  given(r, hd_integer_range_at(r, no, op), no, condition, false, 0));
  }
  if (hd_op_is(op, HD_OP_scf_for)) return carried_by(r, op, value->index, width);
  if (hd_op_is(op, HD_OP_scf_if)) {
    hd_op *yes = hd_op_region(op, 0)->first->last, *no = hd_op_region(op, 1)->first->last;
    return either(hd_integer_range_at(r, hd_operand(yes, value->index), yes),
                  hd_integer_range_at(r, hd_operand(no, value->index), no));
  }
  hd_integer_op integer = hd_integer_op_of(op);
  if (!integer.kind || !hd_has_integer_range(hd_operand_type(op, 0)) || width == 1 ||
      width_of(hd_operand_type(op, 0)) == 1)
    return all_of(width);
  range a = hd_integer_range_at(r, hd_operand(op, 0), op);
  return hd_integer_range_of_op(integer, a, op->operand_count > 1 ? hd_integer_range_at(r, hd_operand(op, 1), op) : a,
                                width);
}

hd_integer_range hd_integer_range_of(hd_integer_ranges *r, hd_value *value) {
  for (hd_integer_ranges *assuming = r; assuming; assuming = assuming->around) {
    hd_integer_range *known = hd_map_get(&assuming->known, value);
    if (known && (assuming == r || value->is_block_arg)) return *known;
  }
  uint32_t width = width_of(value->type);
  if (r->depth >= MAX_DEPTH) return all_of(width);
  ++r->depth;
  range found = value->is_block_arg ? of_argument(r, value, width) : of_result(r, value, width);
  --r->depth;
  hd_integer_range *known = hd_new(r->arena, hd_integer_range);
  *known = found;
  hd_map_set(r->arena, &r->known, value, known);
  return found;
}

void hd_integer_range_forget(hd_integer_ranges *r, hd_value *value) { hd_map_remove(&r->known, value); }

/* ---- comparisons ---- */

bool hd_integer_range_decides(hd_integer_ranges *r, hd_op *op, bool *out) {
  if (!hd_has_integer_range(hd_operand_type(op, 0)) || width_of(hd_operand_type(op, 0)) == 1) return false;
  range a = hd_integer_range_at(r, hd_operand(op, 0), op), b = hd_integer_range_at(r, hd_operand(op, 1), op);
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
